(* Why certificate/kinds/minimum_norm.py may say what it says: of all functions f through data with one input, the
   smallest max(T(f), |f'(-oo) + f'(+oo)|), the end slopes of those that attain it, and whether there is only one.
   Functions are all of those from R to R that have a total turn T (the integral of |f''| as a measure) and end slopes;
   then networks.

   The data are P :: ps with increasing x: "data.x is empty", require_increasing(x, "data.x"). *)
From Coq Require Import Reals Lra Psatz List Classical.
From Coquelicot Require Import Coquelicot.
From ImplicitBias Require Import Quantities Minima Units Lists Cases Duality Functions DualValues Networks.
Import ListNotations.
Open Scope R_scope.

(* What is minimised: R(f) = max(T(f), |f'(-oo) + f'(+oo)|), for f with its total turn and its end slopes. *)
Definition function_through (ps : list (R * R)) (g : (R -> R) * R * R * R) : Prop :=
  let '(f, T, l, r) := g in is_variation f T /\ is_left_slope f l /\ is_right_slope f r /\ passes f ps.
Definition representation_cost (g : (R -> R) * R * R * R) : R := let '(_, T, l, r) := g in Rmax T (Rabs (l + r)).

(* f attains the smallest cost, with end slopes l and r. *)
Definition optimal (ps : list (R * R)) (f : R -> R) (l r : R) : Prop :=
  exists T, is_argmin (function_through ps) representation_cost (f, T, l, r).

(* a and b, T_int, sigma and t of the docstring, as computed in `check`: `a, b = (slopes[0], slopes[-1]) if slopes else
   0, 0`. *)
Definition first_slope (P : R * R) (ps : list (R * R)) : R := hd 0 (slopes P ps).
Definition last_slope (P : R * R) (ps : list (R * R)) : R := last (slopes P ps) 0.
Definition end_sum (P : R * R) (ps : list (R * R)) : R := first_slope P ps + last_slope P ps.
Definition interior (P : R * R) (ps : list (R * R)) : R := turn_of (slopes P ps).
Definition moved_by (P : R * R) (ps : list (R * R)) : R := Rmax 0 ((Rabs (end_sum P ps) - interior P ps) / 2).
Definition smallest_cost (P : R * R) (ps : list (R * R)) : R := interior P ps + moved_by P ps.

(* The end slopes with the share th of what is moved at the left. *)
Definition left_end (P : R * R) (ps : list (R * R)) (th : R) : R :=
  first_slope P ps - sgn (end_sum P ps) * (th * moved_by P ps).
Definition right_end (P : R * R) (ps : list (R * R)) (th : R) : R :=
  last_slope P ps - sgn (end_sum P ps) * ((1 - th) * moved_by P ps).

(* Two neighbouring kinks of the linear spline have the same sign: `kinks[n] * kinks[n - 1] > 0` for some n. *)
Fixpoint same_bends (l : R) (ls : list R) : Prop :=
  match ls with
  | m :: ((n :: _) as rest) => 0 < (m - l) * (n - m) \/ same_bends m rest
  | _ => False
  end.
Definition neighbours_bend_alike (P : R * R) (ps : list (R * R)) : Prop :=
  match slopes P ps with [] => False | l :: rest => same_bends l rest end.

(* Arithmetic of the two slopes that are free. *)

Lemma ends_bound a b Ti l r T t :
  t = Rmax 0 ((Rabs (a + b) - Ti) / 2) -> Rabs (a - l) + Ti + Rabs (r - b) <= T -> Ti + t <= Rmax T (Rabs (l + r)).
Proof.
  intros -> H. pose proof (Rmax_l T (Rabs (l + r))). pose proof (Rmax_r T (Rabs (l + r))).
  pose proof (Rabs_pos (a - l)). pose proof (Rabs_pos (r - b)).
  unfold Rmax at 1. destruct (Rle_dec 0 ((Rabs (a + b) - Ti) / 2)); [| lra].
  pose proof (Rabs_triang (l + r) ((a - l) + (b - r))) as A. replace (l + r + (a - l + (b - r))) with (a + b) in A by ring.
  pose proof (Rabs_triang (a - l) (b - r)) as B. rewrite (Rabs_minus_sym b r) in B. lra.
Qed.

Lemma ends_of_optimal a b Ti l r T t :
  t = Rmax 0 ((Rabs (a + b) - Ti) / 2) -> 0 <= Ti ->
  Rabs (a - l) + Ti + Rabs (r - b) <= T -> Rmax T (Rabs (l + r)) <= Ti + t ->
  exists th, 0 <= th <= 1 /\ l = a - sgn (a + b) * (th * t) /\ r = b - sgn (a + b) * ((1 - th) * t).
Proof.
  intros E PT H M. assert (M1 : T <= Ti + t) by (eapply Rle_trans; [apply Rmax_l | exact M]).
  assert (M2 : Rabs (l + r) <= Ti + t) by (eapply Rle_trans; [apply Rmax_r | exact M]).
  destruct (Rle_dec (Rabs (a + b)) Ti) as [S | S].
  - rewrite Rmax_left in E by lra. subst t. exists 0. unfold Rabs in H.
    destruct (Rcase_abs (a - l)), (Rcase_abs (r - b)); repeat split; try lra; nra.
  - rewrite Rmax_right in E by lra. assert (P : 0 < t) by lra. exists (Rabs (a - l) / t).
    assert (Q : Rabs (a - l) / t * t = Rabs (a - l)) by (field; lra).
    assert (B : 0 <= Rabs (a - l) <= t) by (pose proof (Rabs_pos (a - l)); pose proof (Rabs_pos (r - b)); lra).
    split; [split; apply (Rmult_le_reg_r t); lra |].
    replace ((1 - Rabs (a - l) / t) * t) with (t - Rabs (a - l)) by (rewrite <- Q at 1; ring). rewrite Q.
    unfold sgn. unfold Rabs in *.
    destruct (Rcase_abs (a + b)), (Rcase_abs (l + r)), (Rcase_abs (a - l)), (Rcase_abs (r - b)),
      (Rlt_dec (a + b) 0), (Rlt_dec 0 (a + b)); lra.
Qed.

Lemma ends_attain a b Ti t th :
  t = Rmax 0 ((Rabs (a + b) - Ti) / 2) -> 0 <= Ti -> 0 <= th <= 1 ->
  Rabs (a - (a - sgn (a + b) * (th * t))) + Ti + Rabs (b - sgn (a + b) * ((1 - th) * t) - b) = Ti + t
  /\ Rabs (a - sgn (a + b) * (th * t) + (b - sgn (a + b) * ((1 - th) * t))) <= Ti + t.
Proof.
  intros E PT H. assert (P : 0 <= t) by (rewrite E; apply Rmax_l).
  assert (P1 : 0 <= th * t) by (apply Rmult_le_pos; lra). assert (P2 : 0 <= (1 - th) * t) by (apply Rmult_le_pos; lra).
  replace (a - (a - sgn (a + b) * (th * t))) with (sgn (a + b) * (th * t)) by ring.
  replace (b - sgn (a + b) * ((1 - th) * t) - b) with (- (sgn (a + b) * ((1 - th) * t))) by ring.
  replace (a - sgn (a + b) * (th * t) + (b - sgn (a + b) * ((1 - th) * t))) with (a + b - sgn (a + b) * t) by ring.
  rewrite Rabs_Ropp, (Rabs_mult _ (th * t)), (Rabs_mult _ ((1 - th) * t)), (Rabs_right (th * t)), (Rabs_right ((1 - th) *
    t)) by lra.
  assert (Q : (1 - th) * t = t - th * t) by ring. rewrite Q in *. set (q := th * t) in *. clearbody q.
  revert E. unfold sgn, Rabs, Rmax.
  destruct (Rlt_dec (a + b) 0), (Rlt_dec 0 (a + b)), (Rcase_abs (a + b)); try (exfalso; lra);
  repeat match goal with |- context [Rcase_abs ?z] => destruct (Rcase_abs z); try (exfalso; lra) end;
  match goal with |- context [Rle_dec 0 ?z] => destruct (Rle_dec 0 z) end; intros; split; lra.
Qed.

(* With at least two data. *)

Lemma turn_with_moved_ends P Q ps l r :
  turn l (slopes P (Q :: ps) ++ [r])
  = Rabs (first_slope P (Q :: ps) - l) + interior P (Q :: ps) + Rabs (r - last_slope P (Q :: ps)).
Proof.
  unfold first_slope, last_slope, interior. cbn [slopes hd turn_of]. rewrite last_of_cons.
  change ((slope P Q :: slopes Q ps) ++ [r]) with (slope P Q :: (slopes Q ps ++ [r])). cbn [turn]. rewrite turn_last. lra.
Qed.

Lemma interior_nonneg P ps : 0 <= interior P ps.
Proof. apply turn_of_nonneg. Qed.

(* With one datum everything is 0. *)
Lemma of_one_point P : smallest_cost P [] = 0 /\ forall th, left_end P [] th = 0 /\ right_end P [] th = 0.
Proof.
  assert (M : moved_by P [] = 0).
  { unfold moved_by, end_sum, first_slope, last_slope, interior. simpl. rewrite Rplus_0_l, Rabs_R0. apply Rmax_left. lra. }
  unfold smallest_cost, left_end, right_end. rewrite M. unfold interior, first_slope, last_slope. simpl.
  repeat split; ring.
Qed.

(* The linear spline with these end slopes: its cost, and that it goes through the data. *)
Lemma spline_through left right P ps :
  increasing (fst P) (map fst ps) ->
  function_through (P :: ps) (linear_between left right P ps, turn left (slopes P ps ++ [right]), left, right).
Proof.
  intros I. repeat split.
  1, 2: apply linear_between_variation, I.
  - apply linear_between_left_slope, I.
  - apply linear_between_right_slope, I.
  - apply linear_between_passes, I.
Qed.

Lemma spline_cost P ps th :
  0 <= th <= 1 ->
  Rmax (turn (left_end P ps th) (slopes P ps ++ [right_end P ps th])) (Rabs (left_end P ps th + right_end P ps th))
  = smallest_cost P ps.
Proof.
  intros H. destruct ps as [| Q ps].
  - destruct (of_one_point P) as [-> E]. destruct (E th) as [-> ->]. simpl.
    rewrite Rminus_0_r, Rplus_0_l, Rabs_R0, Rmax_left; lra.
  - rewrite turn_with_moved_ends. unfold left_end, right_end.
    destruct (ends_attain (first_slope P (Q :: ps)) (last_slope P (Q :: ps)) (interior P (Q :: ps))
      (moved_by P (Q :: ps)) th eq_refl (interior_nonneg P (Q :: ps)) H) as [E L].
    change (first_slope P (Q :: ps) + last_slope P (Q :: ps)) with (end_sum P (Q :: ps)) in E, L.
    rewrite E. apply Rmax_left, L.
Qed.

Lemma cost_at_least P ps f T l r :
  increasing (fst P) (map fst ps) -> function_through (P :: ps) (f, T, l, r) ->
  smallest_cost P ps <= Rmax T (Rabs (l + r)).
Proof.
  intros I [V [L [Rr H]]]. pose proof (turn_through f T l r P ps V L Rr I H) as B. destruct ps as [| Q ps].
  - destruct (of_one_point P) as [-> _]. pose proof (Rabs_pos (l + r)). pose proof (Rmax_r T (Rabs (l + r))). lra.
  - rewrite turn_with_moved_ends in B. apply (ends_bound _ _ _ _ _ _ _ eq_refl B).
Qed.

(* The value. *)
Theorem smallest_cost_is_min P ps :
  increasing (fst P) (map fst ps) -> is_min (function_through (P :: ps)) representation_cost (smallest_cost P ps).
Proof.
  intros I. split.
  - eexists (linear_between (left_end P ps 0) (right_end P ps 0) P ps, _, _, _). split; [apply spline_through, I |].
    apply spline_cost. lra.
  - intros [[[f T] l] r] H. apply (cost_at_least P ps f T l r I H).
Qed.

Lemma optimal_cost P ps f T l r :
  increasing (fst P) (map fst ps) ->
  is_argmin (function_through (P :: ps)) representation_cost (f, T, l, r) -> Rmax T (Rabs (l + r)) = smallest_cost P ps.
Proof.
  intros I A. apply (is_min_unique _ _ _ _ (is_argmin_min _ _ _ A) (smallest_cost_is_min P ps I)).
Qed.

Lemma spline_optimal P ps th :
  increasing (fst P) (map fst ps) -> 0 <= th <= 1 ->
  optimal (P :: ps) (linear_between (left_end P ps th) (right_end P ps th) P ps) (left_end P ps th) (right_end P ps th).
Proof.
  intros I H. exists (turn (left_end P ps th) (slopes P ps ++ [right_end P ps th])). split; [apply spline_through, I |].
  intros [[[g S] k] s] G. unfold representation_cost. rewrite spline_cost by exact H. apply (cost_at_least P ps g S k s I
    G).
Qed.

(* The end slopes of all that attain it fill the segment. *)
Theorem end_slopes_of_optimal P ps l r :
  increasing (fst P) (map fst ps) ->
  (exists f, optimal (P :: ps) f l r) <-> (exists th, 0 <= th <= 1 /\ l = left_end P ps th /\ r = right_end P ps th).
Proof.
  intros I. split.
  - intros [f [T A]]. pose proof (optimal_cost P ps f T l r I A) as E. destruct A as [[V [L [Rr H]]] _].
    pose proof (turn_through f T l r P ps V L Rr I H) as B. destruct ps as [| Q ps].
    + exists 0. destruct (of_one_point P) as [Z E']. destruct (E' 0) as [-> ->]. rewrite Z in E.
      cbn [slopes app turn] in B.
      pose proof (Rmax_l T (Rabs (l + r))). pose proof (Rmax_r T (Rabs (l + r))).
      assert (B1 : Rabs (r - l) <= 0) by lra. assert (B2 : Rabs (l + r) <= 0) by lra.
      apply Rabs_le_between in B1. apply Rabs_le_between in B2. lra.
    + rewrite turn_with_moved_ends in B.
      apply (ends_of_optimal _ _ _ l r T _ eq_refl (interior_nonneg P (Q :: ps)) B). right. exact E.
  - intros [th [H [-> ->]]]. eexists. apply spline_optimal; assumption.
Qed.

(* Whether only one function attains it. *)

Lemma same_bends_append ls : forall l, same_bends l (ls ++ [last ls l]) <-> same_bends l ls.
Proof.
  induction ls as [| m rest IH]; intros l; [simpl; tauto |]. rewrite last_of_cons.
  specialize (IH m). destruct rest as [| n rest].
  - simpl. rewrite Rminus_eq_0, Rmult_0_r. split; [intros [H | []]; lra | contradiction].
  - cbn [app same_bends] in *. tauto.
Qed.

(* A point put among those of an increasing list. *)
Fixpoint insert (Z : R * R) (ps : list (R * R)) : list (R * R) :=
  match ps with
  | [] => [Z]
  | Q :: rest => if Rlt_dec (fst Z) (fst Q) then Z :: Q :: rest else Q :: insert Z rest
  end.

Lemma insert_in Z ps : forall Q, In Q (insert Z ps) -> Q = Z \/ In Q ps.
Proof.
  induction ps as [| Q' rest IH]; intros Q; simpl; [intros [-> | []]; auto |].
  destruct (Rlt_dec (fst Z) (fst Q')); simpl; [intros [-> | [-> | H]]; auto |].
  intros [-> | H]; [auto |]. destruct (IH Q H); auto.
Qed.

Lemma increasing_insert Z ps : forall x,
  increasing x (map fst ps) -> x < fst Z -> ~ In (fst Z) (map fst ps) -> increasing x (map fst (insert Z ps)).
Proof.
  induction ps as [| Q rest IH]; intros x I L N; simpl; [auto |]. destruct I as [I J].
  destruct (Rlt_dec (fst Z) (fst Q)) as [S | S]; cbn [map increasing].
  - auto.
  - split; [exact I |]. apply IH; [exact J | | intros K; apply N; right; exact K].
    destruct (Rtotal_order (fst Z) (fst Q)) as [E | [E | E]]; [contradiction | | exact E].
    exfalso. apply N. left. symmetry. exact E.
Qed.

(* A slope m that is extreme among its neighbours l and n, split into p before and q after. *)
Lemma extreme_slope l m n p q t :
  0 < t < 1 -> m = t * p + (1 - t) * q -> ~ 0 < (m - l) * (n - m) ->
  Rabs (p - l) + Rabs (q - p) + Rabs (n - q) <= Rabs (m - l) + Rabs (n - m) -> p = m /\ q = m.
Proof.
  intros T E N H.
  assert (S : (p <= m <= q \/ q <= m <= p) /\ (p = m -> q = m) /\ (q = m -> p = m)).
  { repeat split.
    - destruct (Rle_dec p q); [left | right]; split; nra.
    - intros ->. assert ((1 - t) * (q - m) = 0) by nra. apply Rmult_integral in H0. lra.
    - intros ->. assert (t * (p - m) = 0) by nra. apply Rmult_integral in H0. lra. }
  assert (X : (l <= m /\ n <= m) \/ (m <= l /\ m <= n)).
  { destruct (Rle_dec l m) as [A | A], (Rle_dec n m) as [B | B]; [left; lra | | | right; lra].
    - destruct (Req_dec l m); [right; lra |]. exfalso. apply N. apply Rmult_lt_0_compat; lra.
    - destruct (Req_dec n m); [right; lra |]. exfalso. apply N.
      replace ((m - l) * (n - m)) with ((l - m) * (m - n)) by ring. apply Rmult_lt_0_compat; lra. }
  destruct S as [S [S1 S2]]. assert (G : p = m \/ q = m); [| destruct G; auto].
  clear S1 S2 N E T. unfold Rabs in H.
  destruct (Rcase_abs (p - l)), (Rcase_abs (q - p)), (Rcase_abs (n - q)), (Rcase_abs (m - l)), (Rcase_abs (n - m));
    destruct S, X; try (left; lra); try (right; lra).
Qed.

Lemma slope_of_parts P Z Q :
  fst P < fst Z -> fst Z < fst Q ->
  slope P Q = (fst Z - fst P) / (fst Q - fst P) * slope P Z + (1 - (fst Z - fst P) / (fst Q - fst P)) * slope Z Q.
Proof. intros. unfold slope. field. lra. Qed.

(* Where no two neighbouring kinks bend alike, a point off the linear spline costs. *)
Lemma on_the_spline ps : forall P l r Z,
  increasing (fst P) (map fst ps) -> fst P < fst Z -> ~ In (fst Z) (map fst ps) -> last (slopes P ps) l = r ->
  ~ same_bends l (slopes P ps ++ [r]) ->
  turn l (slopes P (insert Z ps) ++ [r]) <= turn l (slopes P ps ++ [r]) -> snd Z = linear_after r P ps (fst Z).
Proof.
  induction ps as [| Q rest IH]; intros P l r Z I L N E B H.
  - cbn [slopes last] in E. subst l. cbn [insert slopes app turn linear_after] in *. rewrite Rminus_eq_0, Rabs_R0 in H.
    pose proof (Rabs_pos (slope P Z - r)). rewrite (Rabs_minus_sym r) in H.
    assert (A : Rabs (slope P Z - r) <= 0) by lra. apply Rabs_le_between in A.
    replace r with (slope P Z) by lra. unfold slope. field. lra.
  - destruct I as [I J]. cbn [insert linear_after] in *.
    destruct (Rlt_dec (fst Z) (fst Q)) as [S | S].
    + destruct (Rle_dec (fst Z) (fst Q)); [| lra]. cbn [slopes app turn] in *.
      destruct (slopes Q rest ++ [r]) as [| n' tl] eqn:F; [destruct (slopes Q rest); discriminate |].
      cbn [turn same_bends] in *.
      set (t := (fst Z - fst P) / (fst Q - fst P)).
      assert (T : 0 < t < 1).
      { unfold t. split; [apply Rdiv_lt_0_compat; lra |]. apply (Rmult_lt_reg_r (fst Q - fst P)); [lra |].
        unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
      destruct (extreme_slope l (slope P Q) n' (slope P Z) (slope Z Q) t T (slope_of_parts P Z Q L S)) as [A _].
      * intros K. apply B. left. exact K.
      * lra.
      * rewrite <- A. unfold slope. field. lra.
    + assert (S' : fst Q < fst Z).
      { destruct (Rtotal_order (fst Z) (fst Q)) as [K | [K | K]]; [contradiction | | exact K].
        exfalso. apply N. left. symmetry. exact K. }
      destruct (Rle_dec (fst Z) (fst Q)); [lra |].
      cbn [slopes app] in *. rewrite last_of_cons in E.
      apply (IH Q (slope P Q) r Z J S'); [intros K; apply N; right; exact K | exact E | | cbn [turn] in H; lra].
      intros K. apply B. destruct (slopes Q rest ++ [r]) as [| n' tl]; [destruct K |]. right. exact K.
Qed.

(* Where two do, a point can be put off the spline for nothing. *)
Lemma off_the_spline ps : forall P l r,
  increasing (fst P) (map fst ps) -> same_bends l (slopes P ps ++ [r]) ->
  exists Z, fst P < fst Z /\ ~ In (fst Z) (map fst ps) /\ snd Z <> linear_after r P ps (fst Z) /\
    turn l (slopes P (insert Z ps) ++ [r]) = turn l (slopes P ps ++ [r]).
Proof.
  induction ps as [| Q rest IH]; intros P l r I B; [contradiction |]. destruct I as [I J].
  cbn [slopes app] in B. destruct (slopes Q rest ++ [r]) as [| n' tl] eqn:F; [contradiction |].
  assert (C : same_bends (slope P Q) (slopes Q rest ++ [r]) -> same_bends (slope P Q) (n' :: tl)) by (rewrite F; auto).
  set (m := slope P Q) in *. destruct B as [B | B].
  - assert (X : exists p, (l <= p < m /\ m <= 2 * m - p <= n') \/ (m < p <= l /\ n' <= 2 * m - p <= m)).
    { destruct (Rle_dec l m) as [A | A].
      - assert (l < m) by (destruct (Req_dec l m); [subst; rewrite Rminus_eq_0, Rmult_0_l in B; lra | lra]).
        assert (m < n') by (apply Rnot_le_lt; intros K; pose proof (Rmult_le_compat_l (m - l) (n' - m) 0); nra).
        exists (m - Rmin (m - l) (n' - m)). left. unfold Rmin. destruct (Rle_dec (m - l) (n' - m)); lra.
      - assert (n' < m) by (apply Rnot_le_lt; intros K; nra).
        exists (m + Rmin (l - m) (m - n')). right. unfold Rmin. destruct (Rle_dec (l - m) (m - n')); lra. }
    destruct X as [p X]. set (z := (fst P + fst Q) / 2). exists (z, snd P + p * (z - fst P)).
    assert (Z : fst P < z < fst Q) by (unfold z; lra). cbn [fst snd]. repeat split.
    + lra.
    + intros [K | K]; [lra |]. pose proof (increasing_least _ _ J _ K). lra.
    + cbn [linear_after]. destruct (Rle_dec z (fst Q)); [| lra]. fold m. intros K.
      assert (K' : (p - m) * (z - fst P) = 0) by lra. apply Rmult_integral in K'. lra.
    + cbn [insert fst]. destruct (Rlt_dec z (fst Q)); [| lra]. cbn [slopes app turn].
      change (turn l (slope P (z, snd P + p * (z - fst P)) :: slope (z, snd P + p * (z - fst P)) Q :: (slopes Q rest ++
        [r]))
        = Rabs (m - l) + turn m (slopes Q rest ++ [r])). rewrite F. cbn [turn].
      replace (slope P (z, snd P + p * (z - fst P))) with p by (unfold slope; cbn [fst snd]; field; lra).
      replace (slope (z, snd P + p * (z - fst P)) Q) with (2 * m - p).
      * unfold Rabs. destruct X; destruct (Rcase_abs (p - l)), (Rcase_abs (2 * m - p - p)), (Rcase_abs (n' - (2 * m - p))),
          (Rcase_abs (m - l)), (Rcase_abs (n' - m)); lra.
      * unfold m, slope, z. cbn [fst snd]. field. lra.
  - rewrite <- F in B. destruct (IH Q m r J B) as [Z [L [N [O T]]]].
    exists Z. repeat split.
    + lra.
    + intros [K | K]; [lra | contradiction].
    + cbn [linear_after]. destruct (Rle_dec (fst Z) (fst Q)); [lra | exact O].
    + cbn [insert]. destruct (Rlt_dec (fst Z) (fst Q)); [lra |]. cbn [slopes app turn]. fold m. rewrite T. reflexivity.
Qed.

Lemma insert_passes f Z P ps : passes f (P :: ps) -> f (fst Z) = snd Z -> passes f (P :: insert Z ps).
Proof.
  intros H E x y [K | K]; [apply H; left; exact K |].
  destruct (insert_in Z ps _ K) as [K' | K']; [subst Z; exact E | apply H; right; exact K'].
Qed.

(* "exactly one function attains it: the linear spline" *)
Theorem only_the_spline P ps f l r :
  increasing (fst P) (map fst ps) -> moved_by P ps = 0 -> ~ neighbours_bend_alike P ps -> optimal (P :: ps) f l r ->
  forall z, f z = linear_between (first_slope P ps) (last_slope P ps) P ps z.
Proof.
  intros I M N O z.
  assert (El : left_end P ps 0 = first_slope P ps) by (unfold left_end; rewrite M; ring).
  destruct (proj1 (end_slopes_of_optimal P ps l r I) (ex_intro _ f O)) as [th [_ [L1 R1]]].
  unfold left_end in L1. unfold right_end in R1. rewrite M in L1, R1. rewrite Rmult_0_r, Rmult_0_r, Rminus_0_r in L1, R1.
  destruct O as [T A]. pose proof (optimal_cost P ps f T l r I A) as C. destruct A as [[V [L [Rr H]]] _].
  assert (B : T <= interior P ps).
  { unfold smallest_cost in C. rewrite M, Rplus_0_r in C. rewrite <- C. apply Rmax_l. }
  pose proof (linear_between_passes ps (first_slope P ps) (last_slope P ps) P I) as H'.
  destruct (classic (In z (map fst (P :: ps)))) as [K | K].
  - apply in_map_iff in K. destruct K as [[x y] [<- K]]. cbn [fst]. rewrite (H x y K), (H' x y K). reflexivity.
  - assert (T0 : turn l (slopes P ps ++ [r]) = interior P ps).
    { rewrite L1, R1. destruct ps as [| Q ps]; [unfold interior, first_slope, last_slope; simpl; rewrite Rminus_eq_0,
      Rabs_R0; ring |].
      rewrite turn_with_moved_ends, !Rminus_eq_0, Rabs_R0. ring. }
    destruct (Rtotal_order z (fst P)) as [S | [S | S]].
    + assert (B' := turn_through f T l r (z, f z) (P :: ps) V L Rr (conj S I)).
      assert (HZ : passes f ((z, f z) :: P :: ps)).
      { intros x y [E | J]; [injection E; intros <- <-; reflexivity | apply H, J]. }
      specialize (B' HZ). cbn [slopes app turn] in B'.
      assert (D : turn l (slopes P ps ++ [r]) <= turn (slope (z, f z) P) (slopes P ps ++ [r]) + Rabs (l - slope (z, f z)
        P)).
      { pose proof (turn_ends (slopes P ps) l (slope (z, f z) P) r r) as Q. rewrite Rminus_eq_0, Rabs_R0 in Q. lra. }
      assert (E : slope (z, f z) P = l).
      { destruct ps as [| Q ps].
        - cbn [slopes app turn] in *. unfold first_slope, last_slope, interior in *. cbn [slopes hd last turn_of] in *.
          subst l r. unfold Rabs in *. destruct (Rcase_abs (slope (z, f z) P - 0)), (Rcase_abs (0 - slope (z, f z) P)); lra.
        - rewrite L1, R1 in *. cbn [slopes app turn] in *. unfold first_slope in *. cbn [slopes hd] in *.
          rewrite Rminus_eq_0, Rabs_R0 in T0. set (v := slope (z, f z) P) in *.
          set (a := slope P Q) in *. set (W := turn a (slopes Q ps ++ [last_slope P (Q :: ps)])) in *.
          unfold Rabs in B'. destruct (Rcase_abs (v - a)), (Rcase_abs (a - v)); lra. }
      unfold linear_between. destruct (Rle_dec z (fst P)); [| lra]. rewrite <- L1, <- E. unfold slope. cbn [fst snd].
        field. lra.
    + exfalso. apply K. left. symmetry. exact S.
    + assert (K' : ~ In z (map fst ps)) by (intros J; apply K; right; exact J).
      assert (J := increasing_insert (z, f z) ps (fst P) I S K').
      assert (B' := turn_through f T l r P (insert (z, f z) ps) V L Rr J (insert_passes f (z, f z) P ps H eq_refl)).
      unfold linear_between. destruct (Rle_dec z (fst P)); [lra |]. rewrite <- R1.
      apply (on_the_spline ps P l r (z, f z) I S K').
      * rewrite L1, R1. destruct ps as [| Q ps]; [reflexivity |]. unfold first_slope, last_slope. cbn [slopes hd].
        rewrite !last_of_cons. reflexivity.
      * rewrite L1, R1. destruct ps as [| Q ps]; [simpl; tauto |]. intros Y. apply N. unfold neighbours_bend_alike.
        unfold first_slope, last_slope in Y. cbn [slopes hd app] in Y. rewrite last_of_cons in Y. cbn [slopes].
        apply same_bends_append. destruct (slopes Q ps ++ [last (slopes Q ps) (slope P Q)]) as [| n' tl] eqn:F; [destruct Y
          |].
        destruct Y as [Y | Y]; [rewrite Rminus_eq_0, Rmult_0_l in Y; lra | exact Y].
      * lra.
Qed.

(* "more than one function attains it" *)
Theorem not_only_the_spline P ps :
  increasing (fst P) (map fst ps) -> 0 < moved_by P ps \/ neighbours_bend_alike P ps ->
  exists f g z, (exists l r, optimal (P :: ps) f l r) /\ (exists l r, optimal (P :: ps) g l r) /\ f z <> g z.
Proof.
  intros I C. destruct (Req_dec (moved_by P ps) 0) as [M | M].
  - destruct C as [C | C]; [lra |].
    pose proof (spline_optimal P ps 0 I ltac:(lra)) as O.
    assert (L1 : left_end P ps 0 = first_slope P ps) by (unfold left_end; rewrite M; ring).
    assert (R1 : right_end P ps 0 = last_slope P ps) by (unfold right_end; rewrite M; ring).
    pose proof (spline_cost P ps 0 ltac:(lra)) as E. rewrite L1, R1 in O, E.
    set (a := first_slope P ps) in *. set (b := last_slope P ps) in *.
    destruct (off_the_spline ps P a b I) as [Z [L [N [D T]]]].
    { unfold a, b. destruct ps as [| Q ps]; [contradiction |]. unfold neighbours_bend_alike in C. cbn [slopes] in C.
      unfold first_slope, last_slope. cbn [slopes hd app]. rewrite last_of_cons.
      apply same_bends_append in C. destruct (slopes Q ps ++ [last (slopes Q ps) (slope P Q)]) as [| n tl]; [destruct C |].
      right. exact C. }
    assert (J := increasing_insert Z ps (fst P) I L N).
    exists (linear_between a b P ps), (linear_between a b P (insert Z ps)), (fst Z). repeat split.
    + exists a, b. exact O.
    + exists a, b, (turn a (slopes P ps ++ [b])). split.
      * rewrite <- T. destruct (spline_through a b P (insert Z ps) J) as [V [S1 [S2 S3]]]. repeat split; try assumption;
        try apply V.
        intros x y [K | K]; [apply S3; left; exact K |]. apply S3. right. clear - K N.
        induction ps as [| Q rest IH]; [destruct K |]. cbn [insert]. destruct (Rlt_dec (fst Z) (fst Q)); [right; exact K |].
        destruct K as [K | K]; [left; exact K | right; apply IH; [intros Y; apply N; right; exact Y | exact K]].
      * intros [[[g S] k] s] G. unfold representation_cost. rewrite E. apply (cost_at_least P ps g S k s I G).
    + unfold linear_between at 1. destruct (Rle_dec (fst Z) (fst P)); [lra |].
      assert (H : linear_between a b P (insert Z ps) (fst Z) = snd Z).
      { apply (linear_between_passes (insert Z ps) a b P J). right. clear - N. destruct Z as [x y].
        induction ps as [| Q rest IH]; [left; reflexivity |]. cbn [insert]. destruct (Rlt_dec (fst (x, y)) (fst Q)); [left;
          reflexivity |].
        right. apply IH. intros Y. apply N. right. exact Y. }
      rewrite H. intros K. apply D. symmetry. exact K.
  - assert (P0 : 0 < moved_by P ps) by (pose proof (Rmax_l 0 ((Rabs (end_sum P ps) - interior P ps) / 2)); unfold moved_by
    in *; lra).
    exists (linear_between (left_end P ps 0) (right_end P ps 0) P ps),
      (linear_between (left_end P ps 1) (right_end P ps 1) P ps), (fst P - 1). repeat split.
    + do 2 eexists. apply spline_optimal; [exact I | lra].
    + do 2 eexists. apply spline_optimal; [exact I | lra].
    + unfold linear_between. destruct (Rle_dec (fst P - 1) (fst P)); [| lra]. unfold left_end.
      assert (S : end_sum P ps <> 0).
      { intros Z. unfold moved_by in P0. rewrite Z, Rabs_R0 in P0. pose proof (interior_nonneg P ps).
        rewrite Rmax_left in P0; lra. }
      assert (S' : sgn (end_sum P ps) <> 0) by (unfold sgn; destruct (Rlt_dec (end_sum P ps) 0), (Rlt_dec 0 (end_sum P
        ps)); lra).
      pose proof (Rmult_integral (sgn (end_sum P ps)) (moved_by P ps)). intros K.
      assert (sgn (end_sum P ps) * moved_by P ps = 0) by lra. tauto.
Qed.

(* The dual: numbers p at the data, p :: pl for P :: ps, with as many p as data. *)

(* The p at which `_optimal_function` looks for a knot t: at the data point t, or at both neighbours if t lies between
   two. *)
Fixpoint looked_at_after (t p : R) (xs pl : list R) : list R :=
  match xs, pl with
  | y :: xs, q :: pl => if Rlt_dec t y then [p; q] else if Req_EM_T t y then [q] else looked_at_after t q xs pl
  | _, _ => [p]
  end.
Definition looked_at (t x p : R) (xs pl : list R) : list R :=
  if Rle_dec t x then [p] else looked_at_after t p xs pl.

Lemma dual_value_of_ramp t v xs : forall x p pl,
  length pl = length xs -> increasing x xs -> last pl p = 0 -> (forall q, In q (looked_at t x p xs pl) -> q = v) ->
  dual_value_of (fun x => Rmax 0 (x - t)) x p xs pl = v.
Proof.
  intros x p pl E I Z. unfold looked_at. destruct (Rle_dec t x) as [S | S]; intros H.
  - rewrite (dual_value_of_slope _ 1); [| exact E | exact I |].
    + rewrite Z. rewrite <- (H p) by (left; reflexivity). ring.
    + intros y z K. apply ramp_slope_beyond. lra.
  - apply Rnot_le_lt in S. revert x p pl E I Z S H. induction xs as [| y xs IH]; intros x p pl E I Z S H.
    + destruct pl; [| discriminate]. simpl in *. subst p. apply H. left. reflexivity.
    + destruct pl as [| q pl]; [discriminate |]. destruct I as [I J]. rewrite last_of_cons in Z.
      cbn [dual_value_of looked_at_after] in *. destruct (Rlt_dec t y) as [L | L].
      * rewrite (dual_value_of_slope _ 1); [| exact (eq_add_S _ _ E) | exact J | intros; apply ramp_slope_beyond; lra].
        rewrite Z, (H p), (H q) by (simpl; auto). ring.
      * assert (A : slope (x, Rmax 0 (x - t)) (y, Rmax 0 (y - t)) = 0).
        { unfold slope. cbn [fst snd]. rewrite !Rmax_left by lra. field. lra. }
        rewrite A. destruct (Req_EM_T t y) as [K | K].
        -- rewrite (dual_value_of_slope _ 1); [| exact (eq_add_S _ _ E) | exact J | intros; apply ramp_slope_beyond; lra].
           rewrite Z, (H q) by (simpl; auto). ring.
        -- rewrite (IH y q pl (eq_add_S _ _ E) J Z); [ring | lra | exact H].
Qed.

Lemma dual_value_of_ramps (g : R -> R) xs x p pl ds :
  length pl = length xs -> increasing x xs -> last pl p = 0 ->
  (forall d, In d ds -> snd d <> 0 -> forall q, In q (looked_at (fst d) x p xs pl) -> q = g (snd d)) ->
  dual_value_of (fun x => sum (fun d => snd d * Rmax 0 (x - fst d)) ds) x p xs pl = sum (fun d => snd d * g (snd d)) ds.
Proof.
  intros E I Z H. induction ds as [| d ds IH].
  - rewrite (dual_value_of_slope _ 0); [simpl; ring | exact E | exact I |]. intros y z K. unfold slope. simpl. field. lra.
  - rewrite (dual_value_of_ext _ (fun x => snd d * Rmax 0 (x - fst d) + sum (fun d => snd d * Rmax 0 (x - fst d)) ds))
      by reflexivity.
    rewrite dual_value_of_plus, IH by (intros e J; apply H; right; exact J). rewrite dual_value_of_scale, sum_cons.
    destruct (Req_dec (snd d) 0) as [N | N]; [rewrite N; ring |].
    rewrite (dual_value_of_ramp (fst d) (g (snd d))); [reflexivity | exact E | exact I | exact Z |].
    apply H; [left; reflexivity | exact N].
Qed.

(* `check` with {"function"} and `_optimal_function`: the function passes the data; with m = p_1, p_N = 0, every p lies
   between low and high; at each kink p is high or low, as its sign is; m s >= 0; T = |s| if m is not 0, T >= |s| if it
   is. Then the smallest cost is T. *)
Theorem optimal_function P ps m pl left right K ks :
  increasing (fst P) (map fst ps) -> increasing (fst K) (map fst ks) ->
  passes (linear_between left right K ks) (P :: ps) ->
  length pl = length ps -> last pl m = 0 ->
  let low := Rmax (-1) (m - 1) in
  let high := Rmin 1 (m + 1) in
  (forall p, In p (m :: pl) -> low <= p <= high) ->
  (forall t kink, In (t, kink) (bends left right K ks) -> kink <> 0 ->
     forall p, In p (looked_at t (fst P) m (map fst ps) pl) -> p = if Rlt_dec 0 kink then high else low) ->
  let T := turn left (slopes K ks ++ [right]) in
  let s := left + right in
  0 <= m * s -> (m <> 0 -> T = Rabs s) -> (m = 0 -> Rabs s <= T) ->
  is_min (function_through (P :: ps)) representation_cost T.
Proof.
  intros I J H E Z low high F S T s M1 M2 M3.
  assert (Bm : -1 <= m <= 1).
  { destruct (F m (or_introl eq_refl)) as [A B]. pose proof (Rmax_l (-1) (m - 1)). pose proof (Rmin_l 1 (m + 1)).
    unfold low, high in *. lra. }
  set (h := m / 2). set (c := 1 - Rabs h).
  assert (EL : low = h - c) by (unfold low, c, h, Rmax, Rabs; destruct (Rle_dec (-1) (m - 1)), (Rcase_abs (m / 2)); lra).
  assert (EH : high = h + c) by (unfold high, c, h, Rmin, Rabs; destruct (Rle_dec 1 (m + 1)), (Rcase_abs (m / 2)); lra).
  assert (PT : 0 <= T) by apply turn_nonneg.
  assert (AT : Rabs s <= T) by (destruct (Req_dec m 0) as [N | N]; [apply M3, N | rewrite (M2 N); lra]).
  (* the dual value of the data is h s + c T *)
  assert (V : dual_value P m ps pl = h * s + c * T).
  { rewrite (dual_value_passing _ _ _ _ _ H).
    rewrite (dual_value_of_ext _ (fun x => (left * x + (snd K - left * fst K))
      + sum (fun d => snd d * Rmax 0 (x - fst d)) (bends left right K ks)))
      by (intros x; rewrite linear_between_bends by exact J; ring).
    assert (E' : length pl = length (map fst ps)) by (rewrite map_length; exact E).
    rewrite dual_value_of_plus. rewrite (dual_value_of_slope _ left);
      [| exact E' | exact I | intros y z L; unfold slope; cbn [fst snd]; field; lra].
    rewrite (dual_value_of_ramps (fun k => if Rlt_dec 0 k then high else low) _ _ _ _ _ E' I Z)
      by (intros [t k] D N p Q; apply (S t k D N p Q)).
    rewrite (sum_ext _ (fun d => h * snd d + c * Rabs (snd d))).
    - rewrite sum_plus, !sum_scale, bends_turn. change (sum (fun a : R * R => snd a)) with (sum (@snd R R)).
      rewrite bends_total, Z. fold T. unfold h, s. field.
    - intros [t k] _. cbn [snd]. rewrite EL, EH. unfold Rabs. destruct (Rlt_dec 0 k), (Rcase_abs k); try nra.
      assert (k = 0) by lra. subst k. ring. }
  (* which is T *)
  assert (V' : h * s + c * T = T).
  { unfold c. destruct (Req_dec m 0) as [N | N]; [unfold h; rewrite N; replace (0 / 2) with 0 by lra; rewrite Rabs_R0; ring
    |].
    rewrite (M2 N). unfold h, Rabs. destruct (Rcase_abs s), (Rcase_abs (m / 2)); nra. }
  split.
  - exists (linear_between left right K ks, T, left, right). split.
    + destruct (spline_through left right K ks J) as [A [B [C _]]]. repeat split; try assumption; apply A.
    + unfold representation_cost. fold s. apply Rmax_left, AT.
  - intros [[[g Tg] l] r] [A [B [C D]]]. unfold representation_cost.
    pose proof (turn_through g Tg l r P ps A B C I D) as Q.
    assert (W := dual_value_at_most h c ps P m pl l r E). rewrite Z, V in W.
    assert (PC : 0 <= c) by (unfold c, h, Rabs; destruct (Rcase_abs (m / 2)); lra).
    assert (W' : h * s + c * T - (m - h) * l + (0 - h) * r <= c * turn l (slopes P ps ++ [r])).
    { apply W. intros q Y. specialize (F q Y). rewrite EL, EH in F. apply Rabs_le_between. lra. }
    assert (X : c * turn l (slopes P ps ++ [r]) <= c * Tg) by (apply Rmult_le_compat_l; assumption).
    pose proof (Rmax_l Tg (Rabs (l + r))) as R1. pose proof (Rmax_r Tg (Rabs (l + r))) as R2.
    set (R := Rmax Tg (Rabs (l + r))) in *.
    assert (Y : h * (l + r) <= Rabs h * R).
    { eapply Rle_trans; [apply Rle_abs |]. rewrite Rabs_mult. apply Rmult_le_compat_l; [apply Rabs_pos | exact R2]. }
    assert (c * Tg <= c * R) by (apply Rmult_le_compat_l; assumption).
    assert ((m - h) * l + h * r = h * (l + r)) by (unfold h; field).
    assert (c * R = R - Rabs h * R) by (unfold c; ring). lra.
Qed.

(* What `check` prints. An enclosure (least, most) says that a number lies between; a number itself is (v, v). *)
Definition encloses (e : R * R) (v : R) : Prop := fst e <= v <= snd e.

(* "Of all functions f through the data, the smallest max(T(f), |f'(-oo) + f'(+oo)|) is (lies between) `value`; exactly
   one function attains it: the linear spline (more than one function attains it). The pairs of end slopes of those that
   attain it fill a segment: at one end the left one is l1 and the right one r1, at the other l2 and r2." If the segment
   is a point, l1 and l2, r1 and r2 are the same and are named once. *)
Definition minimum_norm_sentence (P : R * R) (ps : list (R * R)) (value : R * R) (unique : bool) (l1 r1 l2 r2 : R * R) :
  Prop :=
  (exists V, encloses value V /\ is_min (function_through (P :: ps)) representation_cost V) /\
  (if unique
   then let spline := linear_between (first_slope P ps) (last_slope P ps) P ps in
     (exists l r, optimal (P :: ps) spline l r) /\
     forall f l r, optimal (P :: ps) f l r -> forall x, f x = spline x
   else exists f g x, (exists l r, optimal (P :: ps) f l r) /\ (exists l r, optimal (P :: ps) g l r) /\ f x <> g x) /\
  (exists a1 b1 a2 b2, encloses l1 a1 /\ encloses r1 b1 /\ encloses l2 a2 /\ encloses r2 b2 /\
     forall l r, (exists f, optimal (P :: ps) f l r)
       <-> (exists th, 0 <= th <= 1 /\ l = th * a1 + (1 - th) * a2 /\ r = th * b1 + (1 - th) * b2)).

(* `moved`. *)
Definition moved (P : R * R) (ps : list (R * R)) : Prop := 0 < Rabs (end_sum P ps) - interior P ps.

(* What `check` asks of the rest of the claim, from the data alone: `unique = not moved and neighbours is None`, and the
   numbers multiple * T_int + rest that each end slope is held against: a - sigma t and b - sigma t in that way if
   moved, else a and b. *)
Definition claim_fits (P : R * R) (ps : list (R * R)) (unique : bool) (l1 r1 l2 r2 : R * R) : Prop :=
  let sigma := sgn (end_sum P ps) in
  let shifted slope := sigma / 2 * interior P ps + (slope - end_sum P ps / 2) in
  (if unique then ~ moved P ps /\ ~ neighbours_bend_alike P ps else moved P ps \/ neighbours_bend_alike P ps) /\
  (moved P ps -> encloses l1 (shifted (first_slope P ps)) /\ encloses r2 (shifted (last_slope P ps))) /\
  (~ moved P ps -> encloses l1 (first_slope P ps) /\ encloses r2 (last_slope P ps)) /\
  encloses r1 (last_slope P ps) /\ encloses l2 (first_slope P ps).

Lemma moved_by_of P ps : (moved P ps -> moved_by P ps = (Rabs (end_sum P ps) - interior P ps) / 2) /\
  (~ moved P ps -> moved_by P ps = 0) /\ (moved P ps <-> 0 < moved_by P ps).
Proof.
  unfold moved, moved_by. repeat split; intros H.
  - apply Rmax_right. lra.
  - apply Rmax_left. lra.
  - rewrite Rmax_right; lra.
  - revert H. unfold Rmax. destruct (Rle_dec 0 ((Rabs (end_sum P ps) - interior P ps) / 2)); lra.
Qed.

Lemma rest_of_sentence P ps value V unique l1 r1 l2 r2 :
  increasing (fst P) (map fst ps) -> claim_fits P ps unique l1 r1 l2 r2 ->
  encloses value V -> is_min (function_through (P :: ps)) representation_cost V ->
  minimum_norm_sentence P ps value unique l1 r1 l2 r2.
Proof.
  intros I [U [C1 [C2 [C3 C4]]]] B M. destruct (moved_by_of P ps) as [M1 [M2 M3]].
  assert (L0 : left_end P ps 0 = first_slope P ps) by (unfold left_end; ring).
  assert (R1 : right_end P ps 1 = last_slope P ps) by (unfold right_end; ring).
  split; [exists V; auto |]. split.
  - destruct unique.
    + destruct U as [U1 U2]. specialize (M2 U1). cbv zeta. split.
      * assert (O := spline_optimal P ps 0 I ltac:(lra)).
        replace (right_end P ps 0) with (last_slope P ps) in O by (unfold right_end; rewrite M2; ring).
        rewrite L0 in O. exists (first_slope P ps), (last_slope P ps). exact O.
      * intros f l r O. apply (only_the_spline P ps f l r I M2 U2 O).
    + apply not_only_the_spline; [exact I | tauto].
  - exists (left_end P ps 1), (right_end P ps 1), (left_end P ps 0), (right_end P ps 0).
    rewrite L0, R1.
    assert (G : encloses l1 (left_end P ps 1) /\ encloses r2 (right_end P ps 0)).
    { destruct (Rlt_dec 0 (Rabs (end_sum P ps) - interior P ps)) as [W | W].
      - specialize (M1 W). destruct (C1 W) as [A1 A2].
        assert (Q : sgn (end_sum P ps) * moved_by P ps = end_sum P ps / 2 - sgn (end_sum P ps) / 2 * interior P ps).
        { rewrite M1. replace (end_sum P ps / 2) with (sgn (end_sum P ps) * Rabs (end_sum P ps) / 2); [field |].
          unfold sgn, Rabs. destruct (Rlt_dec (end_sum P ps) 0), (Rlt_dec 0 (end_sum P ps)), (Rcase_abs (end_sum P ps));
            lra. }
        split.
        + replace (left_end P ps 1) with (sgn (end_sum P ps) / 2 * interior P ps + (first_slope P ps - end_sum P ps / 2));
            [exact A1 | unfold left_end; lra].
        + replace (right_end P ps 0) with (sgn (end_sum P ps) / 2 * interior P ps + (last_slope P ps - end_sum P ps / 2));
            [exact A2 | unfold right_end; lra].
      - specialize (M2 W). destruct (C2 W) as [A1 A2]. unfold left_end, right_end. rewrite M2, !Rmult_0_r, !Rminus_0_r.
        split; assumption. }
    destruct G as [G1 G2]. repeat split; try apply G1; try apply G2; try apply C3; try apply C4.
    + intros O. destruct (proj1 (end_slopes_of_optimal P ps l r I) O) as [th [T [-> ->]]]. exists th. split; [exact T |].
      unfold left_end, right_end. split; ring.
    + intros [th [T [-> ->]]]. apply (end_slopes_of_optimal P ps _ _ I). exists th. split; [exact T |].
      unfold left_end, right_end. split; ring.
Qed.

(* Kernel theorem, {"left_share"}: the claimed value encloses `multiple * T_int + rest`, which is T_int/2 + |a + b|/2 if
   moved, T_int if not. (The sentence then holds whatever p and the share are: what `check` asks of them is not needed.)
   *)
Theorem minimum_norm_by_share P ps value unique l1 r1 l2 r2 :
  increasing (fst P) (map fst ps) -> claim_fits P ps unique l1 r1 l2 r2 ->
  (moved P ps -> encloses value (1 / 2 * interior P ps + Rabs (end_sum P ps) / 2)) ->
  (~ moved P ps -> encloses value (interior P ps)) ->
  minimum_norm_sentence P ps value unique l1 r1 l2 r2.
Proof.
  intros I C V1 V2. apply (rest_of_sentence P ps value (smallest_cost P ps)); [exact I | exact C | |].
  - destruct (moved_by_of P ps) as [M1 [M2 _]]. unfold smallest_cost.
    destruct (Rlt_dec 0 (Rabs (end_sum P ps) - interior P ps)) as [W | W].
    + rewrite (M1 W). replace (interior P ps + (Rabs (end_sum P ps) - interior P ps) / 2)
        with (1 / 2 * interior P ps + Rabs (end_sum P ps) / 2) by field. apply V1, W.
    + rewrite (M2 W), Rplus_0_r. apply V2, W.
  - apply smallest_cost_is_min, I.
Qed.

(* Kernel theorem, {"function"}: the claimed value encloses T of the function exhibited. *)
Theorem minimum_norm_by_function P ps m pl left right K ks value unique l1 r1 l2 r2 :
  increasing (fst P) (map fst ps) -> claim_fits P ps unique l1 r1 l2 r2 ->
  increasing (fst K) (map fst ks) -> passes (linear_between left right K ks) (P :: ps) ->
  length pl = length ps -> last pl m = 0 ->
  let low := Rmax (-1) (m - 1) in
  let high := Rmin 1 (m + 1) in
  (forall p, In p (m :: pl) -> low <= p <= high) ->
  (forall t kink, In (t, kink) (bends left right K ks) -> kink <> 0 ->
     forall p, In p (looked_at t (fst P) m (map fst ps) pl) -> p = if Rlt_dec 0 kink then high else low) ->
  let T := turn left (slopes K ks ++ [right]) in
  let s := left + right in
  0 <= m * s -> (m <> 0 -> T = Rabs s) -> (m = 0 -> Rabs s <= T) ->
  encloses value T ->
  minimum_norm_sentence P ps value unique l1 r1 l2 r2.
Proof.
  intros I C J H E Z low high F S T s M1 M2 M3 V. apply (rest_of_sentence P ps value T); [exact I | exact C | exact V |].
  apply (optimal_function P ps m pl left right K ks); assumption.
Qed.

(* And so for networks: the smallest max(T, |s|) of functions through the data is the smallest sum |v| |w| of finite
   networks sum v relu(w x + b) + c through the data, and a network attains it. *)
Definition network_through (ps : list (R * R)) (n : list (R * R * R) * R) : Prop := passes (network (fst n) (snd n)) ps.

Theorem minimum_norm_of_networks P ps V :
  increasing (fst P) (map fst ps) -> is_min (function_through (P :: ps)) representation_cost V ->
  is_min (network_through (P :: ps)) (fun n => network_cost (fst n)) V.
Proof.
  intros I M. rewrite (is_min_unique _ _ _ _ M (smallest_cost_is_min P ps I)). split.
  - destruct (network_of_linear_between (left_end P ps 0) (right_end P ps 0) P ps I) as [us [c [E C]]].
    exists (us, c). split.
    + intros x y K. cbn [fst snd]. rewrite E. apply (linear_between_passes ps _ _ P I x y K).
    + cbn [fst]. rewrite C. apply spline_cost. lra.
  - intros [us c] H. destruct (network_cost_at_least us c) as [T [l [r [A [B [C D]]]]]].
    eapply Rle_trans; [| exact D]. apply (cost_at_least P ps (network us c) T l r I). repeat split; try assumption; apply A.
Qed.

(* The networks, in one sentence with the kernel's: whatever value it prints, the least cost of a network lies there. *)
Corollary minimum_norm_sentence_of_networks P ps value unique l1 r1 l2 r2 :
  increasing (fst P) (map fst ps) -> minimum_norm_sentence P ps value unique l1 r1 l2 r2 ->
  exists V, encloses value V /\ is_min (network_through (P :: ps)) (fun n => network_cost (fst n)) V.
Proof. intros I [[V [E M]] _]. exists V. split; [exact E | apply minimum_norm_of_networks; assumption]. Qed.

(* The same with half the squared norm of the weights for the cost. *)
Corollary minimum_norm_of_weights P ps V :
  increasing (fst P) (map fst ps) -> is_min (function_through (P :: ps)) representation_cost V ->
  is_min (network_through (P :: ps)) (fun n => weight_norm (fst n)) V.
Proof.
  intros I M. apply (weight_norm_min (fun f => passes f (P :: ps))).
  - intros f g E H x y J. rewrite <- E. apply H, J.
  - apply minimum_norm_of_networks; assumption.
Qed.
