(* Claims of the five papers as a generator would write them: the library and its tactics must carry them. *)
From ImplicitBias Require Import All.
Import ListNotations.
Open Scope R_scope.

Definition relu (x : R) : R := Rmax 0 x.
#[export] Hint Unfold relu : primitives.

(* Cells of absolute values and rectifiers *)

Theorem appendix_a_equation_23 p q : (relu p + relu q) / 2 - relu ((p + q) / 2) = (Rabs p + Rabs q - Rabs (p + q)) / 4.
Proof. equal. Qed.

Theorem convex_functions l r : Rmax (Rabs (r - l)) (Rabs (r + l)) = Rabs l + Rabs r.
Proof. equal. Qed.

Theorem equation_38 t : relu (t + 1) - 2 * relu t + relu (t - 1) = Rmax 0 (1 - Rabs t).
Proof. equal. Qed.

Theorem reparametrisation w b x : w = 1 \/ w = -1 -> relu (w * x + b) = relu (w * (x - - w * b)).
Proof. equal. Qed.

Theorem equation_6 v a b x : a <> 0 -> v * relu (a * x + b) = v * Rabs a * relu (sgn a * (x - - b / a)).
Proof. equal. Qed.

(* Minima, by a point and a gap *)

Theorem lemma_1 a b :
  0 < a -> 0 < b -> is_min (fun t => 0 < t) (fun t => ((a / t) ^ 2 + (b * t) ^ 2) / 2) (a * b).
Proof.
  intros. apply (min_by_gap _ _ (fun t => (a / t - b * t) ^ 2 / 2) (sqrt a / sqrt b)); cbv beta.
  - defined.
  - equal.
  - equal.
  - nonneg.
Qed.

Theorem footnote_2_biases k t :
  0 < k -> is_min (fun u => 0 < u) (fun u => (k ^ 2 / u + u + u * t ^ 2) / 2) (k * sqrt (1 + t ^ 2)).
Proof.
  intros.
  apply (min_by_gap _ _ (fun u => (k - u * sqrt (1 + t ^ 2)) ^ 2 / (2 * u)) (k / sqrt (1 + t ^ 2))); cbv beta;
    [defined | equal | equal | nonneg].
Qed.

Theorem equation_13 A B c :
  0 < A -> 0 < B -> 0 < c -> is_min (fun l => 0 < l) (fun l => l * A + c ^ 2 * B / l) (2 * c * sqrt A * sqrt B).
Proof.
  intros. apply (min_by_gap _ _ (fun l => (l * sqrt A - c * sqrt B) ^ 2 / l) (c * sqrt B / sqrt A)); cbv beta;
    [defined | equal | equal | nonneg].
Qed.

Theorem dedios_footnote_2 S : 0 < S -> is_min (fun l => 0 < l) (fun l => l + S ^ 2 / l) (2 * S).
Proof.
  intros. apply (min_by_gap _ _ (fun l => (l - S) ^ 2 / l) S); cbv beta; [defined | equal | equal | nonneg].
Qed.

Theorem not_convex_reduced y lam :
  0 < lam -> lam < y -> is_min (fun p => 0 <= p) (fun p => (y - p) ^ 2 / 2 + lam * p) (lam * y - lam ^ 2 / 2).
Proof.
  intros. apply (min_by_gap _ _ (fun p => (p - (y - lam)) ^ 2 / 2) (y - lam)); cbv beta;
    [defined | equal | equal | nonneg].
Qed.

Theorem equation_27_move T u :
  0 <= T -> 0 <= u -> is_min (fun m => 0 <= m) (fun m => Rmax (T + m) (Rabs (u - m))) (Rmax T ((T + u) / 2)).
Proof.
  intros.
  apply (min_by_gap _ _ (fun m => Rmax (T + m) (Rabs (u - m)) - Rmax T ((T + u) / 2)) (Rmax 0 ((u - T) / 2))); cbv beta;
    [defined | equal | equal | nonneg].
Qed.

(* An infimum that is not attained when k = 0, by a gap and a path *)

Theorem footnote_2_infimum k t :
  is_inf (fun u => 0 < u) (fun u => (k ^ 2 / u + u + u * t ^ 2) / 2) (Rabs k * sqrt (1 + t ^ 2)).
Proof.
  apply (inf_by_gap_and_rate _ _ (fun u => (Rabs k - u * sqrt (1 + t ^ 2)) ^ 2 / (2 * u))
           (fun e => (Rabs k + e) / sqrt (1 + t ^ 2)) _ (sqrt (1 + t ^ 2) / 2)); cbv beta.
  - equal.
  - nonneg.
  - defined.
  - intros e He. by_gap (Rabs k * sqrt (1 + t ^ 2) * e / (2 * (Rabs k + e))).
Qed.

(* A unique minimiser by the sign of the derivative *)

Theorem footnote_4_both_labels lam :
  0 < lam -> is_argmin (fun l => 0 <= l) (fun l => 2 * ln (1 + exp (- l / 2)) + lam * l) (2 * ln (Rmax 1 (1 / lam - 1))).
Proof.
  intros Hl. assert (M1 : 1 <= Rmax 1 (1 / lam - 1)) by apply Rmax_l.
  assert (M2 : Rmax 1 (1 / lam - 1) = 1 \/ Rmax 1 (1 / lam - 1) = 1 / lam - 1) by (cases; auto).
  assert (Hm : 0 <= ln (Rmax 1 (1 / lam - 1))) by (apply ln_nonneg, M1).
  pose proof (Rmax_r 1 (1 / lam - 1)) as M3. set (m := Rmax 1 (1 / lam - 1)) in *. clearbody m.
  assert (L : 1 / lam * lam = 1) by (field; lra).
  apply (argmin_by_slope _ _ (fun l => lam - 1 / (1 + exp (l / 2)))).
  - intros x y z; cbv beta; lra.
  - cbv beta. lra.
  - intros x _. pose proof (exp_pos (- x / 2)). pose proof (exp_pos (x / 2)). auto_derive; [unfold Rdiv in *; lra |].
    replace (- x * / 2) with (- (x / 2)) by field. rewrite exp_Ropp. field. split; lra.
  - intros x Dx Hx. assert (E : exp (x / 2) <= m) by (rewrite <- (exp_ln m) by lra; left; apply exp_increasing; lra).
    pose proof (exp_pos (x / 2)). destruct M2 as [-> | M2]; [rewrite ln_1 in *; lra |].
    assert (lam <= 1 / (1 + exp (x / 2))); [| lra]. apply Rmult_le_reg_r with (1 + exp (x / 2)); [lra |].
    replace (1 / (1 + exp (x / 2)) * (1 + exp (x / 2))) with 1 by (field; lra). rewrite M2 in E. nra.
  - intros x _ Hx. assert (E : m <= exp (x / 2)).
    { rewrite <- (exp_ln m) at 1 by lra. left. apply exp_increasing. lra. }
    assert (1 / (1 + exp (x / 2)) <= lam); [| lra]. apply Rmult_le_reg_r with (1 + exp (x / 2)); [lra |].
    replace (1 / (1 + exp (x / 2)) * (1 + exp (x / 2))) with 1 by (field; lra). nra.
Qed.

(* Integrals *)

Theorem zeta_uniform_gaussian a s x :
  0 < a -> 0 < s -> x <> 0 ->
  is_RInt (fun w => 2 * (w ^ 3 * (exp (- (w * x) ^ 2 / (2 * s ^ 2)) / (s * sqrt (2 * PI))) / (2 * a))) 0 a
    (2 * s ^ 3 / (a * sqrt (2 * PI) * x ^ 4)
     * (1 - (1 + x ^ 2 * a ^ 2 / (2 * s ^ 2)) * exp (- (x ^ 2 * a ^ 2) / (2 * s ^ 2)))).
Proof.
  intros. eapply integral_value.
  - piece (fun w => - (2 * s ^ 3 / (a * sqrt (2 * PI) * x ^ 4)) * (1 + x ^ 2 * w ^ 2 / (2 * s ^ 2))
                    * exp (- (w * x) ^ 2 / (2 * s ^ 2)))
          (fun w => 2 * (w ^ 3 * (exp (- (w * x) ^ 2 / (2 * s ^ 2)) / (s * sqrt (2 * PI))) / (2 * a))).
  - equal.
Qed.

Theorem claim_5_2_transform k :
  k <> 0 -> is_RInt (fun t => Rmax 0 (1 - Rabs t) * cos (k * t)) (-1) 1 (2 * (1 - cos k) / k ^ 2).
Proof.
  intros. eapply integral_value.
  - apply (integral_join _ _ 0).
    + piece (fun t => (1 + t) * sin (k * t) / k + cos (k * t) / k ^ 2) (fun t => (1 + t) * cos (k * t)).
    + piece (fun t => (1 - t) * sin (k * t) / k - cos (k * t) / k ^ 2) (fun t => (1 - t) * cos (k * t)).
  - equal.
Qed.

Theorem zeta_gaussian_uniform a s x :
  0 < a -> 0 < s -> 0 < x ->
  is_RInt (fun w => 2 * (w ^ 3 * (exp (- w ^ 2 / (2 * s ^ 2)) / (s * sqrt (2 * PI))) / (2 * a))) 0 (a / x)
    (s ^ 3 / (a * sqrt (2 * PI)) * (2 - (2 + (a / (s * x)) ^ 2) * exp (- (a / (s * x)) ^ 2 / 2))).
Proof.
  intros. eapply integral_value.
  - piece (fun w => - (s ^ 3 / (a * sqrt (2 * PI))) * (2 + w ^ 2 / s ^ 2) * exp (- w ^ 2 / (2 * s ^ 2)))
          (fun w => 2 * (w ^ 3 * (exp (- w ^ 2 / (2 * s ^ 2)) / (s * sqrt (2 * PI))) / (2 * a))).
  - equal.
Qed.

Theorem zeta_pytorch x : 1 <= x -> is_RInt (fun w => w ^ 3 / 2) 0 (1 / x) (1 / (8 * x ^ 4)).
Proof. intros. eapply integral_value; [piece (fun w => w ^ 4 / 8) (fun w => w ^ 3 / 2) | equal]. Qed.

Theorem barron w : 0 < w -> is_RInt (fun t => w ^ 2 * sin (w * t)) 0 (PI / w) (2 * w).
Proof. intros. eapply integral_value; [piece (fun t => - w * cos (w * t)) (fun t => w ^ 2 * sin (w * t)) | equal]. Qed.

Theorem hessian_3 r : 1 < r -> is_RInt (fun t => 32 * PI ^ 2 / t) 1 r (32 * PI ^ 2 * ln r).
Proof. intros. eapply integral_value; [piece (fun t => 32 * PI ^ 2 * ln t) (fun t => 32 * PI ^ 2 / t) | equal]. Qed.

Theorem knot a b : a < b -> is_RInt (fun t => 1 / (PI * (1 + t ^ 2))) a b ((atan b - atan a) / PI).
Proof. intros. eapply integral_value; [piece (fun t => atan t / PI) (fun t => 1 / (PI * (1 + t ^ 2))) | equal]. Qed.

Theorem profile_3 r : 1 < r -> is_RInt (fun t => 2 * PI * Rmax 0 (1 - Rabs (r * t))) (-1) 1 (2 * PI / r).
Proof.
  intros. eapply integral_value.
  - apply (integral_join _ _ (-1 / r)).
    + piece (fun t : R => 0) (fun t : R => 0).
    + apply (integral_join _ _ 0).
      * piece (fun t => 2 * PI * (t + r * t ^ 2 / 2)) (fun t => 2 * PI * (1 + r * t)).
      * apply (integral_join _ _ (1 / r)).
        -- piece (fun t => 2 * PI * (t - r * t ^ 2 / 2)) (fun t => 2 * PI * (1 - r * t)).
        -- piece (fun t : R => 0) (fun t : R => 0).
  - equal.
Qed.

Theorem slices_1d r b : 0 < r -> 0 <= b -> b < r -> is_RInt (fun t => Rmax 0 (t - b)) (- r) r ((r - b) ^ 2 / 2).
Proof.
  intros. eapply integral_value.
  - apply (integral_join _ _ b).
    + piece (fun t : R => 0) (fun t : R => 0).
    + piece (fun t => (t - b) ^ 2 / 2) (fun t => t - b).
  - equal.
Qed.

(* An improper one *)

Theorem corollary_3_gaussian s k :
  0 < s ->
  is_RInt_gen (fun w => w ^ (2 * k + 1) * exp (- (1 / (2 * s ^ 2)) * w ^ 2)) (at_point 0) (Rbar_locally p_infty)
    (INR (fact k) / (2 * (1 / (2 * s ^ 2)) ^ S k)).
Proof. intros. apply gaussian_moment. pos. Qed.

(* A limit *)

Theorem expansion_coefficient :
  is_lim (fun x => x ^ 4 * (1 / sqrt (1 + 1 / x ^ 2) - 1 + 1 / (2 * x ^ 2))) p_infty (3 / 8).
Proof.
  apply (limit_at_infinity _
    (fun e => (sqrt (1 + e ^ 2) + 2) / (2 * sqrt (1 + e ^ 2) * (1 + sqrt (1 + e ^ 2)) ^ 2))).
  - equal.
  - continuous.
  - equal.
Qed.

(* Networks of any length: ramps (s, c, w), kinks c in [-L, L], two equal labels at -1 and 1 *)

Definition ramp := (R * R * R)%type.
Definition allowed (L : R) (r : ramp) : Prop := let '(s, c, _) := r in (s = 1 \/ s = -1) /\ - L <= c <= L.
Definition at_ (x : R) (r : ramp) : R := let '(s, c, w) := r in w * relu (s * (x - c)).
Definition mass (r : ramp) : R := let '(_, _, w) := r in Rabs w.
#[export] Hint Unfold allowed at_ mass : primitives.

Theorem section_5_2_without_loss y L :
  1 <= L ->
  is_min (fun l => (forall r, In r l -> allowed L r) /\ sum (at_ (-1)) l = y /\ sum (at_ 1) l = y) (sum mass)
    (Rabs y / L).
Proof.
  intros HL.
  apply (min_by_duality _ (allowed L) at_ mass [(-1, y, sgn y / (2 * L)); (1, y, sgn y / (2 * L))]
    [(1, - L, y / (2 * L)); (-1, L, y / (2 * L))]); cbn [sum fold_right fst snd map].
  - repeat split; [| equal | equal]. intros r [<- | [<- | []]]; defined.
  - equal.
  - intros us [H _]. exact H.
  - interpolates.
  - equal.
  - intros [[s c] w] [Hs Hc]. unfold mass, at_. rewrite <- (Rmult_1_l (Rabs w)).
    replace (_ + (_ + 0)) with (w * ramp_price s [(-1, sgn y / (2 * L)); (1, sgn y / (2 * L))] c)
      by (unfold ramp_price, relu; cbn [sum fold_right fst snd]; ring).
    apply weighted_price, (ramp_price_bounded s _ (- L) L); [at_knots | at_knots | at_knots | exact Hc].
Qed.

(* A conic price with roots: the dual of two points on the circle *)

Theorem section_4_1_two_points p q :
  0 <= p -> 0 <= q -> 0 < p + q ->
  is_max (fun u => forall a b, fst u * relu (b - a) + snd u * relu (b + a) <= sqrt (a ^ 2 + b ^ 2))
    (fun u => fst u * p + snd u * q) (sqrt ((p ^ 2 + q ^ 2) / 2)).
Proof.
  intros Hp Hq H. assert (N : 0 < p ^ 2 + q ^ 2).
  { assert (0 < (p + q) ^ 2) by (apply pow_lt; lra). pose proof (pow2_ge_0 (p - q)). lra. }
  set (r := sqrt (2 * (p ^ 2 + q ^ 2))).
  apply (max_by_bound _ _ (p / r, q / r)); cbn [fst snd]; unfold r.
  - intros a b. rewrite <- (Rmult_1_l (sqrt (a ^ 2 + b ^ 2))). apply norm_price; [lra |].
    assert (P : (p * relu (b - a) + q * relu (b + a)) ^ 2 <= 2 * (p ^ 2 + q ^ 2) * (a ^ 2 + b ^ 2)).
    { pose proof (pow2_ge_0 (p * (b + a) - q * (b - a))). pose proof (pow2_ge_0 (p * (b + a))).
      pose proof (pow2_ge_0 (p * (b - a))). pose proof (pow2_ge_0 (q * (b + a))). pose proof (pow2_ge_0 (q * (b - a))).
      nonneg. }
    assert (R2 : 0 < sqrt (2 * (p ^ 2 + q ^ 2))) by (apply sqrt_lt_R0; lra).
    assert (S : sqrt (2 * (p ^ 2 + q ^ 2)) ^ 2 = 2 * (p ^ 2 + q ^ 2)) by (apply pow2_sqrt; lra).
    replace (p / sqrt (2 * (p ^ 2 + q ^ 2)) * relu (b - a) + q / sqrt (2 * (p ^ 2 + q ^ 2)) * relu (b + a))
      with ((p * relu (b - a) + q * relu (b + a)) / sqrt (2 * (p ^ 2 + q ^ 2))) by (field; lra).
    unfold Rdiv. rewrite Rpow_mult_distr, pow_inv, S.
    apply Rmult_le_reg_r with (2 * (p ^ 2 + q ^ 2)); [lra |].
    rewrite Rmult_assoc, Rinv_l by lra. lra.
  - equal.
  - intros [s t] D. specialize (D ((q - p) / 2) ((p + q) / 2)). cbn [fst snd] in *. unfold relu in D.
    rewrite !Rmax_right in D by lra.
    replace (((q - p) / 2) ^ 2 + ((p + q) / 2) ^ 2) with ((p ^ 2 + q ^ 2) / 2) in D by field. lra.
Qed.

(* Sums and recurrences *)

Theorem equation_9 (u : nat -> R) r eta lam :
  u O = r -> (forall t, u (S t) = u t - eta * lam * u t) -> forall t, u t = r * (1 - eta * lam) ^ t.
Proof. intros Z U. apply geometric; [exact Z | intros t; rewrite U; ring]. Qed.

Theorem triangular n : sum_below INR n = INR n * (INR n - 1) / 2.
Proof. apply (sum_below_closed INR (fun n => INR n * (INR n - 1) / 2)); [simpl; field | intros; rewrite S_INR; field]. Qed.
