(* Why certificate/kinds/ramps.py may say what it says: of all sums of ramps w [±(x - c)]_+ with kinks c in [A, B]
   through data with one input, the smallest sum |w| lies where the claim says (Stewart et al. 2022, problem 9). *)
From Coq Require Import Reals Lra Psatz List.
From Coquelicot Require Import Coquelicot.
From ImplicitBias Require Import Quantities Units Lists Tactics Duality Between Functions Networks DualValues.
Import ListNotations.
Open Scope R_scope.

(* A ramp (s, c, w). *)
Definition ramp_output (x : R) (r : R * R * R) : R := let '(s, c, w) := r in w * relu (s * (x - c)).
Definition ramp_weight (r : R * R * R) : R := let '(_, _, w) := r in Rabs w.
Definition ramp_allowed (A B : R) (r : R * R * R) : Prop := let '(s, c, _) := r in (s = 1 \/ s = -1) /\ A <= c <= B.

(* Finite sums of ramps with kinks in [A, B] through the data. *)
Definition ramps_through (A B : R) (ps : list (R * R)) (rs : list (R * R * R)) : Prop :=
  (forall r, In r rs -> ramp_allowed A B r) /\ passes (fun x => sum (ramp_output x) rs) ps.
Definition ramps_cost (rs : list (R * R * R)) : R := sum ramp_weight rs.

(* "Of all sums of ramps w [±(x - c)]_+ with kinks c in [A, B] through the data, the smallest sum |w| lies between least
   and most." A number stated exactly has least = most, and is attained. *)
Definition ramps_sentence (A B : R) (ps : list (R * R)) (least most : R) : Prop :=
  smallest_between (ramps_through A B ps) ramps_cost least most.

(* Weak duality: multipliers whose price of every allowed ramp is at most 1. *)
Lemma ramps_duality A B ps alpha rs :
  (forall s c, s = 1 \/ s = -1 -> A <= c <= B -> Rabs (ramp_price s (combine (map fst ps) alpha) c) <= 1) ->
  length alpha = length ps -> ramps_through A B ps rs ->
  sum (fun d => snd d * snd (fst d)) (combine ps alpha) <= ramps_cost rs.
Proof.
  intros F E [H I]. apply (bound_by_duality ramp_output ramp_weight).
  - intros x y p J. apply I. apply in_combine_l in J. exact J.
  - intros [[s c] w] J. destruct (H _ J) as [S C]. unfold ramp_output, ramp_weight, relu.
    specialize (F s c S C). apply (weighted_price _ _ w) in F. rewrite Rmult_1_l in F.
    eapply Rle_trans; [right | exact F]. unfold ramp_price. rewrite <- sum_scale. clear - E. revert alpha E.
    induction ps as [| [x y] ps IH]; intros [| p alpha] E; try discriminate; [reflexivity |].
    cbn [combine map]. rewrite !sum_cons, IH by (injection E; auto). cbn [fst snd]. ring.
Qed.

(* `_bound_of`: running sums over the data from one side, s = 1 from the right, s = -1 from the left, each compared with
   the bound (which is 1) at the data and at the end of the range of kinks. *)
Fixpoint bounded_along (bound s mass moment : R) (ds : list (R * R)) (last_at : R) : Prop :=
  match ds with
  | [] => Rabs (moment - mass * (s * last_at)) <= bound
  | (x, a) :: rest =>
      Rabs (moment - mass * (s * x)) <= bound /\ bounded_along bound s (mass + a) (moment + a * (s * x)) rest last_at
  end.

Fixpoint descending (s : R) (ds : list (R * R)) : Prop :=
  match ds with
  | [] => True
  | d :: rest => (forall e, In e rest -> s * fst e <= s * fst d) /\ descending s rest
  end.

Lemma descending_append s ds d :
  descending s ds -> (forall e, In e ds -> s * fst d <= s * fst e) -> descending s (ds ++ [d]).
Proof.
  induction ds as [| c ds IH]; intros D H; [split; [intros e [] | exact I] |]. destruct D as [D1 D2]. split.
  - intros e J. apply in_app_or in J. destruct J as [J | [<- | []]]; [apply D1, J | apply H; left; reflexivity].
  - apply IH; [exact D2 |]. intros e J. apply H. right. exact J.
Qed.

Lemma price_of_parts s before after b :
  (forall d, In d before -> s * b <= s * fst d) -> (forall d, In d after -> s * fst d <= s * b) ->
  ramp_price s (before ++ after) b = sum (fun d => snd d * (s * fst d)) before - sum snd before * (s * b).
Proof.
  intros H K. unfold ramp_price. rewrite sum_app. rewrite (sum_ext _ (fun d => snd d * (s * fst d) - snd d * (s * b))
    before).
  - rewrite (sum_ext _ (fun _ => 0) after).
    + rewrite sum_zero, sum_minus, sum_scale_right. change (sum (fun a : R * R => snd a)) with (sum (@snd R R)). ring.
    + intros d J. specialize (K d J). rewrite Rmax_left by lra. ring.
  - intros d J. specialize (H d J). rewrite Rmax_right by lra. ring.
Qed.

Lemma bounded_along_bounds bound s last_at ds : forall before,
  (forall d e, In d before -> In e ds -> s * fst e <= s * fst d) -> descending s ds ->
  (forall d, In d (before ++ ds) -> s * last_at <= s * fst d) ->
  bounded_along bound s (sum snd before) (sum (fun d => snd d * (s * fst d)) before) ds last_at ->
  (forall d, In d ds -> Rabs (ramp_price s (before ++ ds) (fst d)) <= bound) /\
  Rabs (ramp_price s (before ++ ds) last_at) <= bound.
Proof.
  induction ds as [| [x a] ds IH]; intros before H D L B.
  - split; [intros d [] |]. rewrite price_of_parts; [exact B | | intros d []].
    intros d J. apply L, in_or_app. auto.
  - destruct D as [D1 D2]. destruct B as [B1 B2]. specialize (IH (before ++ [(x, a)])). rewrite <- app_assoc in IH. cbn
    [app] in IH.
    destruct IH as [I1 I2].
    + intros d e J K. apply in_app_or in J. destruct J as [J | [<- | []]]; [apply H; [exact J | right; exact K] | apply D1,
      K].
    + exact D2.
    + exact L.
    + rewrite !sum_app. cbn [sum fold_right fst snd]. rewrite !Rplus_0_r. exact B2.
    + split; [| exact I2]. intros d [<- | J]; [| apply I1, J]. cbn [fst].
      rewrite price_of_parts; [exact B1 | |].
      * intros d J. apply (H d (x, a) J). left. reflexivity.
      * intros d [<- | J]; [cbn; lra | apply (D1 d J)].
Qed.

Lemma price_of_reversed s ds b : ramp_price s (rev ds) b = ramp_price s ds b.
Proof.
  unfold ramp_price. induction ds as [| d ds IH]; [reflexivity |]. cbn [rev]. rewrite sum_app, IH, sum_cons. simpl. ring.
Qed.

Lemma increasing_descends xs : forall x alpha, increasing x xs ->
  descending (-1) (combine (x :: xs) alpha) /\ descending 1 (rev (combine (x :: xs) alpha)).
Proof.
  induction xs as [| y xs IH]; intros x alpha I; destruct alpha as [| a alpha]; try (split; exact Logic.I).
  - destruct alpha; simpl; split; split; try exact Logic.I; intros e [].
  - destruct (IH y alpha (proj2 I)) as [D E].
    assert (M : forall e, In e (combine (y :: xs) alpha) -> x < fst e).
    { intros [e p] J. apply in_combine_l in J. apply (increasing_least (y :: xs) x I), J. }
    split.
    + split; [| exact D]. intros e J. specialize (M e J). cbn [fst]. lra.
    + change (descending 1 (rev (combine (y :: xs) alpha) ++ [(x, a)])). apply descending_append; [exact E |].
      intros e J. apply in_rev in J. specialize (M e J). cbn [fst]. lra.
Qed.

(* Running sums that are bounded on both sides bound the price of every ramp with its kink in the range. *)
Theorem price_bounded_by_running_sums A B bound x xs alpha :
  0 <= bound -> increasing x xs -> A <= x -> last xs x <= B ->
  let ds := combine (x :: xs) alpha in
  bounded_along bound 1 0 0 (rev ds) A -> bounded_along bound (-1) 0 0 ds B ->
  forall s c, s = 1 \/ s = -1 -> A <= c <= B -> Rabs (ramp_price s ds c) <= bound.
Proof.
  intros PB I LA LB ds B1 B2.
  assert (Range : forall d, In d ds -> A <= fst d <= B).
  { intros [y a] J. apply in_combine_l in J. cbn [fst] in *. split.
    - destruct J as [<- | J]; [exact LA | pose proof (increasing_least _ _ I y J); lra].
    - apply Rle_trans with (2 := LB). clear - I J. revert x y I J. induction xs as [| z xs IH]; intros x y I J.
      + destruct J as [<- | []]. simpl. lra.
      + destruct I as [I I']. rewrite last_of_cons. destruct J as [<- | J]; [| apply (IH z y I' J)].
        apply Rle_trans with z; [lra |]. apply (IH z z I'). left. reflexivity. }
  destruct (increasing_descends xs x alpha I) as [D1 D2]. fold ds in D1, D2.
  destruct (bounded_along_bounds bound 1 A (rev ds) []) as [R1 R2]; try assumption; [intros d e [] | |].
  { intros d J. apply in_rev in J. specialize (Range d J). lra. }
  destruct (bounded_along_bounds bound (-1) B ds []) as [L1 L2]; try assumption; [intros d e [] | |].
  { intros d J. specialize (Range d J). lra. }
  cbn [app] in *.
  assert (Z1 : ramp_price 1 ds B = 0).
  { unfold ramp_price. rewrite (sum_ext _ (fun _ => 0)); [apply sum_zero |]. intros d J. specialize (Range d J).
    rewrite Rmax_left by lra. ring. }
  assert (Z2 : ramp_price (-1) ds A = 0).
  { unfold ramp_price. rewrite (sum_ext _ (fun _ => 0)); [apply sum_zero |]. intros d J. specialize (Range d J).
    rewrite Rmax_left by lra. ring. }
  intros s c [-> | ->] C; apply (ramp_price_bounded _ ds A B bound); try exact C.
  - rewrite price_of_reversed in R2. exact R2.
  - rewrite Z1, Rabs_R0. exact PB.
  - intros d J _. rewrite <- price_of_reversed. apply R1. apply in_rev in J. exact J.
  - rewrite Z2, Rabs_R0. exact PB.
  - exact L2.
  - intros d J _. apply L1, J.
Qed.

(* Kernel theorem, {"ramps"} and {"alpha"}: all data lie between A and B; the ramps lie in the range and pass through
   the data; as many alpha as data, the running sums at most 1 on both sides; and the claim is `least <= sum alpha_i
   y_i`, the cost at most `most`. *)
Theorem ramps_by_multipliers A B P ps alpha rs least most :
  increasing (fst P) (map fst ps) -> A <= fst P -> last (map fst ps) (fst P) <= B ->
  ramps_through A B (P :: ps) rs ->
  length alpha = length (P :: ps) ->
  let ds := combine (map fst (P :: ps)) alpha in
  bounded_along 1 1 0 0 (rev ds) A -> bounded_along 1 (-1) 0 0 ds B ->
  least <= sum (fun d => snd d * snd (fst d)) (combine (P :: ps) alpha) -> ramps_cost rs <= most ->
  ramps_sentence A B (P :: ps) least most.
Proof.
  intros I LA LB H E ds B1 B2 L M. split; [| exists rs; auto].
  intros qs Q. apply Rle_trans with (1 := L). apply (ramps_duality A B (P :: ps) alpha qs); [| exact E | exact Q].
  apply price_bounded_by_running_sums; try assumption. lra.
Qed.

(* {"left_shares"} with {"eta", "lambda"}, for at least two data P :: Q :: ps: sums enclosed. *)

(* `_enclosed_sum`: each term rounded down to a multiple of 2^-bits, and as many of these more as there are terms. *)
Definition enclosed_sum (bits : nat) (terms : list R) : R * R :=
  let below := sum (fun t => IZR (Int_part (t * 2 ^ bits))) terms in
  (below / 2 ^ bits, (below + INR (length terms)) / 2 ^ bits).

Lemma enclosed_sum_encloses bits terms :
  fst (enclosed_sum bits terms) <= sum (fun t => t) terms <= snd (enclosed_sum bits terms).
Proof.
  unfold enclosed_sum. cbn [fst snd]. assert (P : 0 < 2 ^ bits) by (apply pow_lt; lra).
  rewrite <- (Rmult_1_r (INR (length terms))), <- (sum_constant 1 terms), <- sum_plus, <- !sum_divide.
  split; apply sum_le; intros t _; destruct (base_Int_part (t * 2 ^ bits)) as [L U];
    (apply (Rmult_le_reg_r (2 ^ bits)); [exact P |]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra).
Qed.

(* The inner data with the kinks kappa of the linear spline there: `zip(x[1:-1], jumps)`; l is the slope before Q. *)
Fixpoint inner_kinks (l : R) (Q : R * R) (ps : list (R * R)) : list (R * R) :=
  match ps with
  | [] => []
  | N :: rest => (fst Q, slope Q N - l) :: inner_kinks (slope Q N) N rest
  end.

Lemma inner_kinks_below ps : forall l Q d, increasing (fst Q) (map fst ps) -> In d (inner_kinks l Q ps) ->
  fst Q <= fst d <= last (map fst ps) (fst Q).
Proof.
  induction ps as [| S ps IH]; intros l Q d I J; [destruct J |]. destruct I as [I I']. cbn [inner_kinks map] in *.
  rewrite last_of_cons. assert (M : fst S <= last (map fst ps) (fst S)).
  { clear - I'. revert S I'. induction ps as [| T ps IH]; intros S I; [simpl; lra |]. destruct I as [I I'].
    cbn [map]. rewrite last_of_cons. specialize (IH T I'). lra. }
  destruct J as [<- | J]; [cbn [fst]; lra |]. specialize (IH _ S d I' J). lra.
Qed.

(* The linear spline, continued to the left and the right, goes through the data. *)
Lemma spline_of_kinks ps : forall l Q x y, increasing (fst Q) (map fst ps) -> In (x, y) (Q :: ps) ->
  snd Q + l * (x - fst Q) + sum (fun d => snd d * Rmax 0 (x - fst d)) (inner_kinks l Q ps) = y.
Proof.
  induction ps as [| S ps IH]; intros l Q x y I J.
  - destruct J as [E | []]. subst Q. simpl. ring.
  - destruct I as [I I']. cbn [inner_kinks]. rewrite sum_cons. cbn [fst snd].
    destruct J as [E | J].
    + subst Q. cbn [fst snd] in *. rewrite Rmax_left by lra. rewrite (sum_ext _ (fun _ => 0)); [rewrite sum_zero; ring |].
      intros d K. pose proof (inner_kinks_below ps _ S d I' K). rewrite Rmax_left by lra. ring.
    + rewrite <- (IH (slope Q S) S x y I' J).
      assert (X : fst S <= x).
      { destruct J as [E | J]; [subst S; cbn; lra |]. left. apply (increasing_least _ _ I'). apply (in_map fst) in J. exact
        J. }
      rewrite Rmax_right by lra. unfold slope. field. lra.
Qed.

(* The slope after the last kink, and the line there: `slopes[-1]`, `at_b`. *)
Lemma line_after_kinks ps : forall l Q x,
  let S := last ps Q in
  snd S + last (slopes Q ps) l * (x - fst S)
  = snd Q + l * (x - fst Q) + sum (fun d => snd d * (x - fst d)) (inner_kinks l Q ps)
  \/ ~ increasing (fst Q) (map fst ps).
Proof.
  induction ps as [| S ps IH]; intros l Q x.
  - left. simpl. ring.
  - cbn [slopes inner_kinks map increasing]. rewrite sum_cons, !last_of_cons. cbn [fst snd].
    destruct (Rlt_dec (fst Q) (fst S)) as [L | L]; [| right; intros [H _]; contradiction].
    destruct (IH (slope Q S) S x) as [E | N]; [| right; intros [_ H]; contradiction].
    left. cbv zeta in *. rewrite E. unfold slope. field. lra.
Qed.

(* The ramps of the shares: `share * kappa` to the left and `(1 - share) * kappa` to the right of each inner datum, and
   two from the ends of the range. *)
Definition shared_ramps (A B pA qB : R) (ks : list (R * R * R)) : list (R * R * R) :=
  (-1, B, qB) :: (1, A, pA) :: map (fun k => (-1, fst (fst k), snd k * snd (fst k))) ks
    ++ map (fun k => (1, fst (fst k), (1 - snd k) * snd (fst k))) ks.

(* D(c) and g_1 at an inner datum, as the sign of its kink is. *)
Definition gap_at (A B eta lam c : R) : R := (eta * (B - c) - lam * (c - A)) / (B - A).
Definition dual_at (D k : R) : R := if Rlt_dec 0 k then Rmin 1 (1 + D) else Rmax (-1) (-1 + D).

Lemma gap_bounded A B eta lam c :
  A < B -> -1 <= eta <= 1 -> -1 <= lam <= 1 -> A <= c <= B -> -1 <= gap_at A B eta lam c <= 1.
Proof.
  intros L E F C. unfold gap_at. split; apply (Rmult_le_reg_r (B - A)); try lra;
    unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; nra.
Qed.

Lemma dual_at_bounded D k : -1 <= D <= 1 -> Rabs (dual_at D k) <= 1 /\ Rabs (dual_at D k - D) <= 1.
Proof.
  intros H. unfold dual_at, Rmin, Rmax.
  destruct (Rlt_dec 0 k), (Rle_dec 1 (1 + D)), (Rle_dec (-1) (-1 + D)); split; apply Rabs_le_between; lra.
Qed.

(* The price of the ramp to the right of t, less an affine function, is bounded as it is at the data. *)
Lemma dual_value_near a b t hi xs : forall x p pl,
  length pl = length xs -> increasing x xs -> last pl p = 0 -> x <= t <= hi ->
  (forall y q, In (y, q) (combine (x :: xs) (p :: pl)) -> Rabs (q - (a * y + b)) <= 1) ->
  (forall z, last xs x <= z <= hi -> Rabs (a * z + b) <= 1) ->
  Rabs (dual_value_of (fun x => Rmax 0 (x - t)) x p xs pl - (a * t + b)) <= 1.
Proof.
  induction xs as [| y xs IH]; intros x p pl E I Z T H K; destruct pl as [| q pl]; try discriminate.
  - simpl in *. rewrite <- Rabs_Ropp. replace (- (0 - (a * t + b))) with (a * t + b) by ring. apply K. lra.
  - destruct I as [I J]. rewrite last_of_cons in Z, K. cbn [dual_value_of].
    destruct (Rlt_dec t y) as [L | L].
    + rewrite (dual_value_of_slope _ 1); [| exact (eq_add_S _ _ E) | exact J | intros; apply ramp_slope_beyond; lra].
      rewrite Z. unfold slope. cbn [fst snd]. rewrite (Rmax_left 0 (x - t)), (Rmax_right 0 (y - t)) by lra.
      assert (H1 := H x p (or_introl eq_refl)). assert (H2 := H y q (or_intror (or_introl eq_refl))).
      set (u := (y - t) / (y - x)).
      assert (U : 0 <= u <= 1).
      { unfold u. split; [apply quotient_nonneg; lra |]. apply (Rmult_le_reg_r (y - x)); [lra |].
        unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
      replace ((p - q) * ((y - t - 0) / (y - x)) + 1 * (q - 0) - (a * t + b))
        with (u * (p - (a * x + b)) + (1 - u) * (q - (a * y + b))) by (unfold u; field; lra).
      apply Rabs_le_between in H1. apply Rabs_le_between in H2. apply Rabs_le_between. nra.
    + assert (A : slope (x, Rmax 0 (x - t)) (y, Rmax 0 (y - t)) = 0).
      { unfold slope. cbn [fst snd]. rewrite !Rmax_left by lra. field. lra. }
      rewrite A, Rmult_0_r, Rplus_0_l.
      apply (IH y q pl (eq_add_S _ _ E) J Z); [lra | intros u v M; apply H; right; exact M | exact K].
Qed.

(* The dual value of the data, for numbers at the inner data that are functions of place and kink, and 0 at the last. *)
Lemma dual_value_of_kinks g ps : forall l Q,
  let pl := map (fun d => g (fst d) (snd d)) (inner_kinks l Q ps) ++ [0] in
  dual_value Q (hd 0 pl) ps (tl pl) = hd 0 pl * l + sum (fun d => g (fst d) (snd d) * snd d) (inner_kinks l Q ps).
Proof.
  induction ps as [| S ps IH]; intros l Q; [simpl; ring |]. cbv zeta in *. cbn [inner_kinks map app hd tl].
  rewrite sum_cons. cbn [fst snd]. specialize (IH (slope Q S) S).
  set (pl := map (fun d => g (fst d) (snd d)) (inner_kinks (slope Q S) S ps) ++ [0]) in *.
  assert (N : exists q ql, pl = q :: ql).
  { unfold pl. destruct (map (fun d => g (fst d) (snd d)) (inner_kinks (slope Q S) S ps)); simpl; eauto. }
  destruct N as [q [ql N]]. rewrite N in *. cbn [hd tl dual_value] in *. rewrite IH. ring.
Qed.

Lemma inner_kinks_length ps : forall l Q, length (inner_kinks l Q ps) = length ps.
Proof. induction ps as [| S ps IH]; intros l Q; simpl; [reflexivity | rewrite IH; reflexivity]. Qed.

Lemma inner_kinks_places ps : forall l Q y q g,
  In (y, q) (combine (fst Q :: map fst ps) (map (fun d => g (fst d) (snd d)) (inner_kinks l Q ps) ++ [0])) ->
  (exists k, q = g y k /\ In (y, k) (inner_kinks l Q ps)) \/ (q = 0 /\ y = last (map fst ps) (fst Q)).
Proof.
  induction ps as [| S ps IH]; intros l Q y q g H.
  - destruct H as [H | []]. injection H. intros <- <-. right. auto.
  - cbn [inner_kinks map app combine] in H. destruct H as [H | H].
    + injection H. intros <- <-. left. eexists. split; [reflexivity | left; reflexivity].
    + cbn [map]. rewrite last_of_cons. destruct (IH _ _ _ _ _ H) as [[k [E J]] | R]; [left | right; exact R].
      exists k. split; [exact E | right; exact J].
Qed.

(* The multipliers' price of a function: by parts, and what the line D adds at the first datum. *)
Lemma price_by_parts_bound A B (us : list (R * R * R)) (F : (R -> R) -> R) ps P pp ql cD :
  (forall f, F f = dual_value_of f (fst P) pp (map fst ps) ql + cD * f (fst P)) ->
  (forall s c, s = 1 \/ s = -1 -> A <= c <= B -> Rabs (F (fun x => Rmax 0 (s * (x - c)))) <= 1) ->
  length ql = length ps -> increasing (fst P) (map fst ps) ->
  ramps_through A B (P :: ps) us ->
  dual_value P pp ps ql + cD * snd P <= ramps_cost us.
Proof.
  intros EF HF E I [H1 H2]. rewrite (dual_value_passing _ _ _ _ _ H2).
  assert (Y : snd P = sum (ramp_output (fst P)) us) by (symmetry; apply H2; left; destruct P; reflexivity).
  rewrite Y, <- (EF (fun x => sum (ramp_output x) us)). unfold ramps_cost. clear H2 Y.
  induction us as [| [[s c] w] us IH].
  - rewrite EF. rewrite (dual_value_of_slope _ 0); [simpl; lra | rewrite map_length; exact E | exact I |].
    intros y z K. unfold slope. simpl. field. lra.
  - rewrite EF. rewrite (dual_value_of_ext _ (fun x => w * Rmax 0 (s * (x - c)) + sum (ramp_output x) us)) by reflexivity.
    rewrite dual_value_of_plus, dual_value_of_scale, !sum_cons. unfold ramp_output at 2, relu.
    destruct (H1 (s, c, w) (or_introl eq_refl)) as [S C].
    pose proof (weighted_price _ 1 w (HF s c S C)) as W. rewrite EF in W.
    specialize (IH (fun r J => H1 r (or_intror J))). rewrite EF in IH. unfold ramp_weight at 1.
    rewrite Rmult_1_l in W. lra.
Qed.

(* Kernel theorem, {"left_shares"} and {"eta", "lambda"}. Every name is that of `_enclosure`: `inner` with its kinks
   (and the shares), the four enclosed sums, `low` and `high`. *)
Theorem ramps_by_shares bits A B P Q ps shares eta lam least most :
  increasing (fst P) (map fst (Q :: ps)) -> A < B -> A <= fst P -> last (map fst (Q :: ps)) (fst P) <= B ->
  length shares = length ps -> (forall share, In share shares -> 0 <= share <= 1) ->
  Rabs eta <= 1 -> Rabs lam <= 1 ->
  let width := B - A in
  let first := slope P Q in
  let final := last (slopes P (Q :: ps)) 0 in
  let end_ := last (Q :: ps) P in
  let inner := inner_kinks first Q ps in
  let at_a := snd P + first * (A - fst P) in
  let at_b := snd end_ + final * (B - fst end_) in
  let left := enclosed_sum bits (map (fun k => snd k * snd (fst k) * (fst (fst k) - A) / width) (combine inner shares)) in
  let right := enclosed_sum bits (map (fun k => (1 - snd k) * snd (fst k) * (B - fst (fst k)) / width) (combine inner
    shares)) in
  let variation := enclosed_sum bits (map (fun k => Rabs (snd k)) inner) in
  let lost := enclosed_sum bits
    (map (fun k => let d := gap_at A B eta lam (fst k) in Rabs (snd k) * Rmax 0 (if Rlt_dec 0 (snd k) then - d else d))
      inner) in
  let high := snd variation
    + Rmax (Rabs (at_a / width - fst left)) (Rabs (at_a / width - snd left))
    + Rmax (Rabs (at_b / width - fst right)) (Rabs (at_b / width - snd right)) in
  let low := fst variation - snd lost + at_a * (eta + lam) / width + first * eta in
  least <= low -> high <= most ->
  ramps_sentence A B (P :: Q :: ps) least most.
Proof.
  intros I AB LA LB ES HS He Hl width first final end_ inner at_a at_b left right variation lost high low L M.
  assert (I' := I). destruct I' as [I0 I1].
  assert (Inner : forall d, In d inner -> fst Q <= fst d <= B).
  { intros d J. pose proof (inner_kinks_below ps first Q d I1 J). cbn [map] in LB. rewrite last_of_cons in LB. lra. }
  apply Rabs_le_between in He. apply Rabs_le_between in Hl. split.
  - (* the bound *)
    intros rs H. apply Rle_trans with (1 := L).
    set (D := gap_at A B eta lam).
    set (g := fun c k => dual_at (D c) k). set (pl := map (fun d => g (fst d) (snd d)) inner ++ [0]).
    set (cD := (eta + lam) / width).
    set (F := fun f : R -> R => dual_value_of f (fst P) (D (fst P)) (map fst (Q :: ps)) pl + cD * f (fst P)).
    assert (LD : forall c, D c = - cD * c + (eta + cD * A)) by (intros c; unfold D, gap_at, cD, width; field; lra).
    assert (EL : length pl = length (map fst (Q :: ps))).
    { unfold pl. rewrite app_length, !map_length. unfold inner. rewrite inner_kinks_length. simpl. lia. }
    assert (BD : forall c, A <= c <= B -> -1 <= D c <= 1) by (intros c C; apply gap_bounded; assumption).
    assert (LP : last pl (D (fst P)) = 0) by (unfold pl; apply last_last).
    assert (LastQ : forall z, last (map fst (Q :: ps)) (fst P) <= z -> fst Q <= z).
    { intros z Hz. apply Rle_trans with (2 := Hz). cbn [map]. rewrite last_of_cons. clear - I1. revert Q I1.
      induction ps as [| S ps IH]; intros Q I; [simpl; lra |]. destruct I as [I I']. cbn [map]. rewrite last_of_cons.
      specialize (IH S I'). lra. }
    assert (At : forall y q, In (y, q) (combine (fst P :: map fst (Q :: ps)) (D (fst P) :: pl)) ->
      Rabs q <= 1 /\ Rabs (q - D y) <= 1).
    { intros y q [E | J].
      - injection E. intros <- <-. rewrite Rminus_eq_0, Rabs_R0. split; [| lra]. apply Rabs_le_between. apply BD.
        pose proof (LastQ B LB). lra.
      - unfold pl in J. cbn [map] in J. apply inner_kinks_places in J. destruct J as [[k [-> J]] | [-> ->]].
        + apply dual_at_bounded. apply BD. specialize (Inner _ J). cbn [fst] in Inner. lra.
        + rewrite Rabs_R0. split; [lra |]. replace (0 - D _) with (- D (last (map fst ps) (fst Q))) by ring.
          rewrite Rabs_Ropp. apply Rabs_le_between. apply BD. cbn [map] in LB, LastQ. rewrite last_of_cons in LB, LastQ.
          pose proof (LastQ _ (Rle_refl _)). lra. }
    assert (Right : forall c, A <= c <= B -> Rabs (F (fun x => Rmax 0 (x - c))) <= 1 /\
      Rabs (F (fun x => Rmax 0 (x - c)) - D c) <= 1).
    { intros c C. unfold F. destruct (Rle_dec c (fst P)) as [S | S].
      - rewrite (dual_value_of_slope _ 1); [| exact EL | exact I | intros; apply ramp_slope_beyond; lra].
        rewrite LP, Rmax_right by lra. replace (1 * (D (fst P) - 0) + cD * (fst P - c)) with (D c) by (rewrite !LD; ring).
        rewrite Rminus_eq_0, Rabs_R0. split; [apply Rabs_le_between, BD, C | lra].
      - rewrite (Rmax_left 0 (fst P - c)), Rmult_0_r, Rplus_0_r by lra. split.
        + match goal with |- Rabs ?v <= 1 => replace v with (v - (0 * c + 0)) by ring end.
          apply (dual_value_near 0 0 c B); [exact EL | exact I | exact LP | lra | |].
          * intros y q J. replace (q - (0 * y + 0)) with q by ring. apply (At y q J).
          * intros z _. replace (0 * z + 0) with 0 by ring. rewrite Rabs_R0. lra.
        + rewrite (LD c). apply (dual_value_near _ _ c B); [exact EL | exact I | exact LP | lra | |].
          * intros y q J. rewrite <- LD. apply (At y q J).
          * intros z Hz. rewrite <- LD. apply Rabs_le_between, BD. pose proof (LastQ z (proj1 Hz)). lra. }
    assert (W := price_by_parts_bound A B rs F (Q :: ps) P (D (fst P)) pl cD (fun f => eq_refl)).
    assert (EV : dual_value P (D (fst P)) (Q :: ps) pl + cD * snd P
      = D (fst P) * first + sum (fun d => g (fst d) (snd d) * snd d) inner + cD * snd P).
    { assert (K := dual_value_of_kinks g ps first Q). cbv zeta in K. fold inner in K. fold pl in K.
      destruct pl as [| q ql] eqn:N; [destruct (map (fun d => g (fst d) (snd d)) inner); discriminate |].
      cbn [hd tl dual_value] in *. rewrite K. fold first. ring. }
    eapply Rle_trans; [| apply W].
    + rewrite EV.
      pose proof (proj1 (enclosed_sum_encloses bits (map (fun k => Rabs (snd k)) inner))) as V1. fold variation in V1.
      pose proof (proj2 (enclosed_sum_encloses bits (map (fun k => let d := gap_at A B eta lam (fst k) in
        Rabs (snd k) * Rmax 0 (if Rlt_dec 0 (snd k) then - d else d)) inner))) as V2. fold lost in V2.
      rewrite sum_map in V1, V2.
      assert (E : sum (fun d => g (fst d) (snd d) * snd d) inner
        = sum (fun k => Rabs (snd k)) inner
          - sum (fun k => let d := gap_at A B eta lam (fst k) in
              Rabs (snd k) * Rmax 0 (if Rlt_dec 0 (snd k) then - d else d)) inner).
      { rewrite <- sum_minus. apply sum_ext. intros [c k] _. cbn [fst snd]. cbv zeta. unfold g, dual_at. fold (D c).
        unfold Rabs, Rmin, Rmax. destruct (Rlt_dec 0 k), (Rcase_abs k), (Rle_dec 1 (1 + D c)), (Rle_dec (-1) (-1 + D c)),
          (Rle_dec 0 (- D c)), (Rle_dec 0 (D c)); try (exfalso; lra); try (assert (k = 0) by lra; subst k);
          try (assert (D c = 0) as -> by lra); ring. }
      rewrite E. unfold low.
      assert (E' : at_a * (eta + lam) / width + first * eta = D (fst P) * first + cD * snd P)
        by (unfold at_a; rewrite LD; unfold cD; field; unfold width; lra).
      lra.
    + intros s c [-> | ->] C.
      * destruct (Right c C) as [R1 _].
        replace (F (fun x => Rmax 0 (1 * (x - c)))) with (F (fun x => Rmax 0 (x - c))); [exact R1 |].
        unfold F. rewrite Rmult_1_l. f_equal. apply dual_value_of_ext. intros x. rewrite Rmult_1_l. reflexivity.
      * destruct (Right c C) as [_ R2].
        replace (F (fun x => Rmax 0 (-1 * (x - c)))) with (F (fun x => Rmax 0 (x - c)) - D c); [exact R2 |].
        unfold F. rewrite (dual_value_of_ext (fun x => Rmax 0 (-1 * (x - c))) (fun x => Rmax 0 (x - c) + (-1 * x + c))).
        -- rewrite dual_value_of_plus, (dual_value_of_slope (fun x => -1 * x + c) (-1));
             [| exact EL | exact I | intros y z K; unfold slope; cbn [fst snd]; field; lra].
           rewrite LP. pose proof (rectifier_difference (fst P - c)) as R.
           replace (-1 * (fst P - c)) with (- (fst P - c)) by ring.
           replace (Rmax 0 (- (fst P - c))) with (Rmax 0 (fst P - c) - (fst P - c)) by lra. rewrite !LD. ring.
        -- intros x. pose proof (rectifier_difference (x - c)). replace (-1 * (x - c)) with (- (x - c)) by ring. lra.
    + rewrite map_length in EL. exact EL.
    + exact I.
    + exact H.
  - (* the ramps *)
    set (ks := combine inner shares).
    set (sl := sum (fun k => snd k * snd (fst k) * (fst (fst k) - A) / width) ks).
    set (sr := sum (fun k => (1 - snd k) * snd (fst k) * (B - fst (fst k)) / width) ks).
    set (qB := at_a / width - sl). set (pA := at_b / width - sr).
    assert (ELI : length inner = length shares) by (unfold inner; rewrite inner_kinks_length; lia).
    assert (Fst : forall h : R * R -> R, sum (fun k => h (fst k)) ks = sum h inner).
    { intros h. unfold ks. clear - ELI. revert shares ELI. induction inner as [| d l IH]; intros [| s m] E; try
      discriminate;
        [reflexivity |]. cbn [combine]. rewrite !sum_cons, IH by (injection E; auto). reflexivity. }
    assert (Ks : forall k, In k ks -> A <= fst (fst k) <= B /\ 0 <= snd k <= 1).
    { intros [d s] J. pose proof (in_combine_l _ _ _ _ J) as J1. pose proof (in_combine_r _ _ _ _ J) as J2.
      specialize (Inner _ J1). cbn [fst snd]. split; [lra | apply HS, J2]. }
    exists (shared_ramps A B pA qB ks). split; [split |].
    + intros r J. unfold shared_ramps in J. destruct J as [<- | [<- | J]]; [simpl; lra | simpl; lra |].
      apply in_app_or in J. destruct J as [J | J]; apply in_map_iff in J; destruct J as [k [<- J]];
        destruct (Ks k J) as [K _]; simpl; lra.
    + intros x y J.
      assert (X : A <= x <= B).
      { apply (in_map fst) in J. cbn [fst] in J. destruct J as [<- | J].
        - split; [exact LA |]. apply Rle_trans with (2 := LB). cbn [map]. rewrite last_of_cons.
          clear - I0 I1. revert P Q I0 I1. induction ps as [| S ps IH]; intros P Q I0 I1; [simpl; lra |].
          destruct I1 as [I1 I2]. cbn [map]. rewrite last_of_cons. specialize (IH Q S I1 I2). lra.
        - split; [pose proof (increasing_least _ _ I x J); lra |]. apply Rle_trans with (2 := LB).
          clear - I J. revert P I J. generalize (Q :: ps). intros l. induction l as [| S l IH]; intros P I J; [destruct J
            |].
          destruct I as [I I']. cbn [map]. rewrite last_of_cons. destruct J as [<- | J].
          + clear - I'. revert S I'. induction l as [| T l IH]; intros S I; [simpl; lra |]. destruct I as [I I'].
            cbn [map]. rewrite last_of_cons. specialize (IH T I'). lra.
          + apply (IH S I' J). }
      assert (Spline : snd P + first * (x - fst P) + sum (fun d => snd d * Rmax 0 (x - fst d)) inner = y).
      { assert (S := spline_of_kinks ps first Q x y I1).
        assert (Line : snd Q + first * (x - fst Q) = snd P + first * (x - fst P)) by (unfold first, slope; field; lra).
        destruct J as [E | J]; [| rewrite <- (S J), Line; reflexivity].
        subst P. cbn [fst snd] in *. rewrite (sum_ext _ (fun _ => 0)); [rewrite sum_zero; ring |].
        intros d K. specialize (Inner d K). rewrite Rmax_left by lra. ring. }
      assert (AtB : at_b = snd P + first * (B - fst P) + sum (fun d => snd d * (B - fst d)) inner).
      { destruct (line_after_kinks ps first Q B) as [E | N]; [| contradiction]. cbv zeta in E.
        unfold at_b, end_, final. cbn [slopes]. rewrite !last_of_cons. fold first. rewrite E. fold inner.
        unfold first, slope. field. lra. }
      rewrite <- Spline. unfold shared_ramps. rewrite !sum_cons, sum_app, !sum_map. unfold ramp_output, relu.
      rewrite (Rmax_right 0 (-1 * (x - B))), (Rmax_right 0 (1 * (x - A))) by lra.
      assert (S1 : sum (fun d => snd d * Rmax 0 (x - fst d)) inner
        = sum (fun k => snd k * snd (fst k) * Rmax 0 (-1 * (x - fst (fst k)))) ks
        + sum (fun k => (1 - snd k) * snd (fst k) * Rmax 0 (1 * (x - fst (fst k)))) ks
        + sum (fun k => snd k * snd (fst k) * (x - fst (fst k))) ks).
      { rewrite <- (Fst (fun d => snd d * Rmax 0 (x - fst d))), <- !sum_plus. apply sum_ext. intros k _.
        pose proof (rectifier_difference (x - fst (fst k))) as R. rewrite Rmult_1_l.
        replace (-1 * (x - fst (fst k))) with (- (x - fst (fst k))) by ring.
        replace (Rmax 0 (- (x - fst (fst k)))) with (Rmax 0 (x - fst (fst k)) - (x - fst (fst k))) by lra. ring. }
      assert (S2 : sum (fun k => snd k * snd (fst k) * (x - fst (fst k))) ks
        = - (sl * (B - x)) + (sum (fun d => snd d * (B - fst d)) inner / width - sr) * (x - A)).
      { rewrite <- (Fst (fun d => snd d * (B - fst d))). unfold sl, sr.
        rewrite <- sum_divide, <- sum_minus, <- !sum_scale_right, <- sum_opposite, <- sum_plus. apply sum_ext. intros k _.
        unfold width. field. lra. }
      rewrite S1, S2. unfold qB, pA. rewrite AtB. unfold at_a.
      set (U := sum (fun d => snd d * (B - fst d)) inner).
      set (V1 := sum (fun k => snd k * snd (fst k) * Rmax 0 (-1 * (x - fst (fst k)))) ks).
      set (V2 := sum (fun k => (1 - snd k) * snd (fst k) * Rmax 0 (1 * (x - fst (fst k)))) ks).
      unfold width. field. lra.
    + apply Rle_trans with (2 := M). unfold ramps_cost, shared_ramps. rewrite !sum_cons, sum_app, !sum_map, <- sum_plus.
      unfold ramp_weight at 1 2. unfold ramp_weight.
      rewrite (sum_ext _ (fun k => Rabs (snd (fst k)))).
      * rewrite (Fst (fun d => Rabs (snd d))).
        pose proof (proj2 (enclosed_sum_encloses bits (map (fun k => Rabs (snd k)) inner))) as V. fold variation in V.
        assert (W1 : fst left <= sl <= snd left).
        { pose proof (enclosed_sum_encloses bits (map (fun k => snd k * snd (fst k) * (fst (fst k) - A) / width) ks)) as W.
          rewrite !sum_map in W. exact W. }
        assert (W2 : fst right <= sr <= snd right).
        { pose proof (enclosed_sum_encloses bits (map (fun k => (1 - snd k) * snd (fst k) * (B - fst (fst k)) / width) ks))
          as W.
          rewrite !sum_map in W. exact W. }
        rewrite sum_map in V.
        assert (Far : forall e u v w, u <= v <= w -> Rabs (e - v) <= Rmax (Rabs (e - u)) (Rabs (e - w))).
        { intros e u v w [U W]. unfold Rmax, Rabs. destruct (Rcase_abs (e - u)), (Rcase_abs (e - w)), (Rcase_abs (e - v));
            match goal with |- context [Rle_dec ?a ?b] => destruct (Rle_dec a b) end; lra. }
        pose proof (Far (at_a / width) _ _ _ W1). pose proof (Far (at_b / width) _ _ _ W2). unfold qB, pA, high. lra.
      * intros k J. destruct (Ks k J) as [_ [K1 K2]]. rewrite !Rabs_mult, (Rabs_right (snd k)), (Rabs_right (1 - snd k)) by
        lra. ring.
Qed.
