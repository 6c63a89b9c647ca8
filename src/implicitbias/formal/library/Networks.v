(* Finite two-layer networks with one input, and functions that are linear between knots: how much they turn, their
   slopes at the ends, and that a function linear between knots is a network of cost max(total turn, |sum of the end
   slopes|), no less (Savarese et al. 2019, Theorem 3.1 and equation 5, for these functions). *)
From Coq Require Import Reals Lra Psatz List.
From Coquelicot Require Import Coquelicot.
From ImplicitBias Require Import Quantities Units Lists Cases Functions.
Import ListNotations.
Open Scope R_scope.

Definition relu (z : R) : R := Rmax 0 z.

(* A unit (v, w, b) contributes v relu(w x + b) and costs |v| |w|; biases are free. *)
Definition unit_output (x : R) (u : R * R * R) : R := let '(v, w, b) := u in v * relu (w * x + b).
Definition unit_cost (u : R * R * R) : R := let '(v, w, b) := u in Rabs v * Rabs w.

(* The network with these units and the output bias c, which is free. *)
Definition network (us : list (R * R * R)) (c : R) (x : R) : R := sum (unit_output x) us + c.
Definition network_cost (us : list (R * R * R)) : R := sum unit_cost us.

(* The function that is linear between the knots (x, y) of K :: ks, with these slopes to the left and the right of all. *)
Fixpoint linear_after (right : R) (K : R * R) (ks : list (R * R)) (x : R) : R :=
  match ks with
  | [] => snd K + right * (x - fst K)
  | L :: rest => if Rle_dec x (fst L) then snd K + slope K L * (x - fst K) else linear_after right L rest x
  end.

Definition linear_between (left right : R) (K : R * R) (ks : list (R * R)) (x : R) : R :=
  if Rle_dec x (fst K) then snd K + left * (x - fst K) else linear_after right K ks x.

(* Networks with a linear part. *)

Lemma turn_at_units a c us x xs :
  increasing x xs -> turn_at (fun x => a * x + c + sum (unit_output x) us) x xs <= network_cost us.
Proof.
  intros I. unfold network_cost. induction us as [| [[v w] b] us IH].
  - rewrite (turn_at_ext _ (fun x => a * x + c)) by (intros; simpl; ring). rewrite turn_at_linear by exact I. simpl. lra.
  - rewrite sum_cons.
    rewrite (turn_at_ext _ (fun x => v * Rmax 0 (w * x + b) + (a * x + c + sum (unit_output x) us)))
      by (intros; rewrite sum_cons; unfold unit_output at 1, relu; ring).
    eapply Rle_trans; [apply turn_at_plus |]. apply Rplus_le_compat; [| exact IH].
    rewrite turn_at_scale. apply Rmult_le_compat_l; [apply Rabs_pos | apply turn_at_unit, I].
Qed.

Lemma units_right_slope a c us :
  is_right_slope (fun x => a * x + c + sum (unit_output x) us) (a + sum (fun u => fst (fst u) * Rmax 0 (snd (fst u))) us).
Proof.
  induction us as [| [[v w] b] us IH].
  - apply (linear_to_the_right _ _ c 0). intros. simpl. ring.
  - rewrite sum_cons. cbn [fst snd].
    replace (a + (v * Rmax 0 w + sum (fun u => fst (fst u) * Rmax 0 (snd (fst u))) us))
      with (v * Rmax 0 w + (a + sum (fun u => fst (fst u) * Rmax 0 (snd (fst u))) us)) by ring.
    apply (is_lim_ext (fun x => v * Rmax 0 (w * x + b) / x + (a * x + c + sum (unit_output x) us) / x)).
    + intros x. rewrite sum_cons. unfold unit_output at 2, relu. unfold Rdiv. ring.
    + apply is_lim_plus'; [| exact IH]. change (is_right_slope (fun x => v * Rmax 0 (w * x + b)) (v * Rmax 0 w)).
      destruct (Rtotal_order w 0) as [W | [-> | W]].
      * apply (linear_to_the_right _ _ 0 (- b / w)). intros x X. rewrite (Rmax_left 0 w) by lra.
        rewrite Rmax_left; [ring |]. assert (E : - b / w * w = - b) by (field; lra).
        pose proof (Rmult_le_compat_neg_l w _ _ (Rlt_le _ _ W) X). lra.
      * rewrite Rmax_left by lra. apply (linear_to_the_right _ _ (v * Rmax 0 b) 0). intros x _.
        rewrite !Rmult_0_l, Rplus_0_l. ring.
      * apply (linear_to_the_right _ _ (v * b) (- b / w)). intros x X. rewrite (Rmax_right 0 w) by lra.
        rewrite Rmax_right; [ring |]. assert (E : - b / w * w = - b) by (field; lra).
        pose proof (Rmult_le_compat_l w _ _ (Rlt_le _ _ W) X). lra.
Qed.

Lemma units_left_slope a c us :
  is_left_slope (fun x => a * x + c + sum (unit_output x) us) (a + sum (fun u => fst (fst u) * Rmin 0 (snd (fst u))) us).
Proof.
  induction us as [| [[v w] b] us IH].
  - apply (linear_to_the_left _ _ c 0). intros. simpl. ring.
  - rewrite sum_cons. cbn [fst snd].
    replace (a + (v * Rmin 0 w + sum (fun u => fst (fst u) * Rmin 0 (snd (fst u))) us))
      with (v * Rmin 0 w + (a + sum (fun u => fst (fst u) * Rmin 0 (snd (fst u))) us)) by ring.
    apply (is_lim_ext (fun x => v * Rmax 0 (w * x + b) / x + (a * x + c + sum (unit_output x) us) / x)).
    + intros x. rewrite sum_cons. unfold unit_output at 2, relu. unfold Rdiv. ring.
    + apply is_lim_plus'; [| exact IH]. change (is_left_slope (fun x => v * Rmax 0 (w * x + b)) (v * Rmin 0 w)).
      destruct (Rtotal_order w 0) as [W | [-> | W]].
      * apply (linear_to_the_left _ _ (v * b) (- b / w)). intros x X. rewrite (Rmin_right 0 w) by lra.
        rewrite Rmax_right; [ring |]. assert (E : - b / w * w = - b) by (field; lra).
        pose proof (Rmult_le_compat_neg_l w _ _ (Rlt_le _ _ W) X). lra.
      * rewrite Rmin_left by lra. apply (linear_to_the_left _ _ (v * Rmax 0 b) 0). intros x _.
        rewrite !Rmult_0_l, Rplus_0_l. ring.
      * apply (linear_to_the_left _ _ 0 (- b / w)). intros x X. rewrite (Rmin_left 0 w) by lra.
        rewrite Rmax_left; [ring |]. assert (E : - b / w * w = - b) by (field; lra).
        pose proof (Rmult_le_compat_l w _ _ (Rlt_le _ _ W) X). lra.
Qed.

(* No network of a function is cheaper than its total turn and the sum of its end slopes: Savarese et al. 2019, (5). *)
Theorem network_cost_at_least us c :
  exists T l r, is_variation (network us c) T /\ is_left_slope (network us c) l /\ is_right_slope (network us c) r /\
    Rmax T (Rabs (l + r)) <= network_cost us.
Proof.
  assert (E : forall x, 0 * x + c + sum (unit_output x) us = network us c x) by (intros; unfold network; ring).
  destruct (variation_exists (fun x => 0 * x + c + sum (unit_output x) us) (network_cost us)) as [T [V B]].
  - intros x xs I. apply turn_at_units, I.
  - eexists T, _, _. repeat split.
    + apply (is_variation_ext _ _ _ E V).
    + apply (is_variation_ext _ _ _ E V).
    + apply (is_left_slope_ext _ _ _ E (units_left_slope 0 c us)).
    + apply (is_right_slope_ext _ _ _ E (units_right_slope 0 c us)).
    + apply Rmax_lub; [exact B |]. rewrite !Rplus_0_l, <- sum_plus. eapply Rle_trans; [apply sum_abs |].
      apply sum_le. intros [[v w] b] _. cbn [fst snd]. rewrite <- Rmult_plus_distr_l, Rabs_mult.
      apply Rmult_le_compat_l; [apply Rabs_pos |]. right. f_equal.
      unfold Rmin, Rmax. destruct (Rle_dec 0 w); ring.
Qed.

(* Functions linear between knots. *)

(* The knots with the changes of slope. *)
Fixpoint bends (left right : R) (K : R * R) (ks : list (R * R)) : list (R * R) :=
  match ks with
  | [] => [(fst K, right - left)]
  | L :: rest => (fst K, slope K L - left) :: bends (slope K L) right L rest
  end.

Lemma bends_beyond ks : forall left right K x,
  increasing (fst K) (map fst ks) -> x <= fst K -> sum (fun d => snd d * Rmax 0 (x - fst d)) (bends left right K ks) = 0.
Proof.
  induction ks as [| L rest IH]; intros left right K x.
  - intros _ X. simpl. rewrite Rmax_left by lra. ring.
  - intros [I J] X. cbn [bends]. rewrite sum_cons, IH; [| exact J | lra]. cbn [fst snd]. rewrite Rmax_left by lra. ring.
Qed.

Lemma linear_between_bends ks : forall left right K x,
  increasing (fst K) (map fst ks) ->
  linear_between left right K ks x
  = snd K + left * (x - fst K) + sum (fun d => snd d * Rmax 0 (x - fst d)) (bends left right K ks).
Proof.
  induction ks as [| L rest IH]; intros left right K x.
  - intros _. unfold linear_between. simpl. destruct (Rle_dec x (fst K)) as [X | X].
    + rewrite Rmax_left by lra. ring.
    + rewrite Rmax_right by lra. ring.
  - intros [I J]. unfold linear_between. destruct (Rle_dec x (fst K)) as [X | X].
    + rewrite bends_beyond; [ring | split; assumption | exact X].
    + cbn [bends]. rewrite sum_cons. cbn [fst snd]. rewrite Rmax_right by lra.
      specialize (IH (slope K L) right L x J). set (S := sum _ (bends (slope K L) right L rest)) in *.
      assert (E : snd L + slope K L * (x - fst L) = snd K + slope K L * (x - fst K)).
      { unfold slope. field. lra. }
      transitivity (linear_between (slope K L) right L rest x).
      * unfold linear_between. cbn [linear_after]. destruct (Rle_dec x (fst L)); [lra | reflexivity].
      * rewrite IH, E. ring.
Qed.

Lemma bends_total ks : forall left right K, sum snd (bends left right K ks) = right - left.
Proof.
  induction ks as [| L rest IH]; intros left right K; [simpl; ring |].
  cbn [bends]. rewrite sum_cons, IH. cbn [snd]. ring.
Qed.

Lemma bends_turn ks : forall left right K,
  sum (fun d => Rabs (snd d)) (bends left right K ks) = turn left (slopes K ks ++ [right]).
Proof.
  induction ks as [| L rest IH]; intros left right K; [simpl; ring |].
  cbn [bends slopes app turn]. rewrite sum_cons, IH. reflexivity.
Qed.

Lemma linear_between_units left right K ks x :
  increasing (fst K) (map fst ks) ->
  linear_between left right K ks x
  = left * x + (snd K - left * fst K) + sum (unit_output x) (map (fun d => (snd d, 1, - fst d)) (bends left right K ks)).
Proof.
  intros I. rewrite linear_between_bends by exact I. rewrite sum_map.
  rewrite (sum_ext (fun a => unit_output x (snd a, 1, - fst a)) (fun d => snd d * Rmax 0 (x - fst d))).
  - ring.
  - intros d _. unfold unit_output, relu. do 2 f_equal. ring.
Qed.

Lemma linear_between_left_slope left right K ks :
  increasing (fst K) (map fst ks) -> is_left_slope (linear_between left right K ks) left.
Proof.
  intros I. apply (is_left_slope_ext _ _ _ (fun x => eq_sym (linear_between_units left right K ks x I))).
  assert (A := units_left_slope left (snd K - left * fst K) (map (fun d => (snd d, 1, - fst d)) (bends left right K ks))).
  rewrite sum_map in A. cbn [fst snd] in A. rewrite sum_scale_right, Rmin_left in A by lra.
  rewrite Rmult_0_r, Rplus_0_r in A. exact A.
Qed.

Lemma linear_between_right_slope left right K ks :
  increasing (fst K) (map fst ks) -> is_right_slope (linear_between left right K ks) right.
Proof.
  intros I. apply (is_right_slope_ext _ _ _ (fun x => eq_sym (linear_between_units left right K ks x I))).
  assert (A := units_right_slope left (snd K - left * fst K) (map (fun d => (snd d, 1, - fst d)) (bends left right K ks))).
  rewrite sum_map in A. cbn [fst snd] in A. rewrite sum_scale_right, Rmax_right in A by lra.
  change (sum (fun a : R * R => snd a)) with (sum (@snd R R)) in A. rewrite bends_total in A.
  replace (left + (right - left) * 1) with right in A by ring. exact A.
Qed.

Lemma linear_between_passes ks : forall left right K,
  increasing (fst K) (map fst ks) -> passes (linear_between left right K ks) (K :: ks).
Proof.
  induction ks as [| L rest IH]; intros left right K I x y J.
  - destruct J as [E | []]. subst K. unfold linear_between. cbn [fst snd]. destruct (Rle_dec x x); lra.
  - destruct I as [I I']. destruct J as [E | J].
    + subst K. unfold linear_between. cbn [fst snd]. destruct (Rle_dec x x); lra.
    + rewrite <- (IH (slope K L) right L I' x y J). unfold linear_between. cbn [linear_after].
      assert (X : fst L <= x).
      { destruct J as [E | J]; [subst L; cbn; lra |]. left. apply (increasing_least _ _ I'). apply (in_map fst) in J. exact
        J. }
      destruct (Rle_dec x (fst K)); [lra |]. destruct (Rle_dec x (fst L)) as [Z | Z]; [| reflexivity].
      unfold slope. field. lra.
Qed.

(* A function through the points has their slopes. *)
Lemma graph_of_passing f ps : passes f ps -> graph f (map fst ps) = ps.
Proof.
  induction ps as [| [x y] rest IH]; intros H; [reflexivity |]. cbn [map graph fst].
  rewrite IH by (intros a b J; apply H; right; exact J). rewrite (H x y) by (left; reflexivity). reflexivity.
Qed.

Lemma slopes_of_passing f P ps : passes f (P :: ps) -> slopes (fst P, f (fst P)) (graph f (map fst ps)) = slopes P ps.
Proof.
  intros H. pose proof (graph_of_passing f (P :: ps) H) as G. cbn [map graph] in G. injection G. intros -> ->. reflexivity.
Qed.

Lemma turn_through f T l r P ps :
  is_variation f T -> is_left_slope f l -> is_right_slope f r -> increasing (fst P) (map fst ps) -> passes f (P :: ps) ->
  turn l (slopes P ps ++ [r]) <= T.
Proof. intros V L Rr I H. rewrite <- (slopes_of_passing f P ps H). apply (turn_with_ends f); assumption. Qed.

(* Its total turn is what its slopes turn. *)
Theorem linear_between_variation left right K ks :
  increasing (fst K) (map fst ks) ->
  is_variation (linear_between left right K ks) (turn left (slopes K ks ++ [right])).
Proof.
  intros I. destruct (variation_exists (linear_between left right K ks) (turn left (slopes K ks ++ [right]))) as [T [V B]].
  - intros x xs J. rewrite (turn_at_ext _ _ _ _ (fun x => linear_between_units left right K ks x I)).
    eapply Rle_trans; [apply turn_at_units, J |]. right. unfold network_cost. rewrite sum_map.
    rewrite <- bends_turn with (left := left) (right := right) (K := K). apply sum_ext. intros d _. unfold unit_cost.
    rewrite Rabs_R1. ring.
  - replace (turn left (slopes K ks ++ [right])) with T; [exact V |]. apply Rle_antisym; [exact B |].
    apply (turn_through (linear_between left right K ks)); [exact V | | | exact I |].
    + apply linear_between_left_slope, I.
    + apply linear_between_right_slope, I.
    + apply linear_between_passes, I.
Qed.

(* Savarese et al. 2019, Theorem 3.1, for functions linear between knots: a network of cost max(T, |s|) has exactly its
   values. *)
Theorem network_of_linear_between left right K ks :
  increasing (fst K) (map fst ks) ->
  exists us c, (forall x, network us c x = linear_between left right K ks x) /\
    network_cost us = Rmax (turn left (slopes K ks ++ [right])) (Rabs (left + right)).
Proof.
  intros I. set (T := turn left (slopes K ks ++ [right])). set (s := left + right).
  assert (PT : 0 <= T) by apply turn_nonneg.
  assert (S : exists tau, -1 <= tau <= 1 /\ T + Rabs (s - tau * T) = Rmax T (Rabs s)).
  { destruct (Rle_dec (Rabs s) T) as [H | H].
    - rewrite Rmax_left by exact H. destruct (Req_dec T 0) as [Z | Z].
      + exists 0. split; [lra |]. rewrite Rmult_0_l, Rminus_0_r. pose proof (Rabs_pos s). lra.
      + exists (s / T). apply Rabs_le_between in H. split.
        * split; apply (Rmult_le_reg_r T); try lra; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; lra.
        * replace (s - s / T * T) with 0 by (field; exact Z). rewrite Rabs_R0. lra.
    - rewrite Rmax_right by lra. exists (sgn s). split; [unfold sgn; destruct (Rlt_dec s 0), (Rlt_dec 0 s); lra |].
      unfold sgn, Rabs in *.
      destruct (Rlt_dec s 0), (Rlt_dec 0 s), (Rcase_abs s); try lra;
        match goal with |- context [Rcase_abs ?z] => destruct (Rcase_abs z) end; lra. }
  destruct S as [tau [Ht E]]. set (ds := bends left right K ks).
  set (th := fun d : R * R => (1 + tau * sgn (snd d)) / 2).
  assert (Hth : forall d, 0 <= th d <= 1).
  { intros d. unfold th, sgn. destruct (Rlt_dec (snd d) 0), (Rlt_dec 0 (snd d)); lra. }
  set (a := (s - tau * T) / 2).
  set (us := (a, 1, 0) :: (- a, -1, 0) :: map (fun d => (th d * snd d, 1, - fst d)) ds
    ++ map (fun d => ((1 - th d) * snd d, -1, fst d)) ds).
  exists us, (snd K - left * fst K - sum (fun d => (1 - th d) * snd d * fst d) ds). split.
  - intros x. rewrite linear_between_bends by exact I. fold ds. unfold network, us.
    rewrite !sum_cons, sum_app, !sum_map. unfold unit_output at 1 2 3 4, relu.
    assert (A : forall z w, w * Rmax 0 (1 * z + 0) + - w * Rmax 0 (-1 * z + 0) = w * z).
    { intros z w. unfold Rmax. destruct (Rle_dec 0 (1 * z + 0)), (Rle_dec 0 (-1 * z + 0)); try ring.
      - assert (z = 0) by lra. subst z. ring.
      - assert (z = 0) by lra. subst z. ring. }
    assert (M : sum (fun d => (1 - th d) * snd d) ds = (right - left - tau * T) / 2).
    { rewrite (sum_ext _ (fun d => (snd d - tau * Rabs (snd d)) * / 2)).
      - rewrite sum_scale_right, sum_minus, sum_scale. unfold ds, T. rewrite bends_turn.
        change (sum (fun a0 : R * R => snd a0)) with (sum (@snd R R)). rewrite bends_total. unfold Rdiv. ring.
      - intros d _. unfold th. rewrite <- sgn_abs. unfold Rdiv. field. }
    assert (B : sum (fun d => snd d * Rmax 0 (x - fst d)) ds
      = sum (fun d => th d * snd d * Rmax 0 (1 * x + - fst d)) ds
      + sum (fun d => (1 - th d) * snd d * Rmax 0 (-1 * x + fst d)) ds
      + (sum (fun d => (1 - th d) * snd d) ds * x - sum (fun d => (1 - th d) * snd d * fst d) ds)).
    { rewrite <- sum_scale_right, <- sum_minus, <- !sum_plus. apply sum_ext. intros d _.
      pose proof (rectifier_difference (x - fst d)) as F.
      replace (1 * x + - fst d) with (x - fst d) by ring. replace (-1 * x + fst d) with (- (x - fst d)) by ring.
      replace (Rmax 0 (- (x - fst d))) with (Rmax 0 (x - fst d) - (x - fst d)) by lra. ring. }
    rewrite B, M. pose proof (A x a) as A'. unfold a, s in *. lra.
  - unfold network_cost, us. rewrite !sum_cons, sum_app, !sum_map. unfold unit_cost at 1 2 3 4. rewrite <- E.
    replace (Rabs (-1)) with 1 by (rewrite Rabs_left; lra). rewrite Rabs_R1, Rabs_Ropp.
    rewrite <- sum_plus. rewrite (sum_ext _ (fun d => Rabs (snd d))).
    + unfold ds. rewrite bends_turn. fold T. unfold a. unfold Rdiv. rewrite Rabs_mult, (Rabs_right (/ 2)) by lra. field.
    + intros d _. rewrite !Rabs_mult. rewrite (Rabs_right (th d)), (Rabs_right (1 - th d)) by (specialize (Hth d); lra).
      ring.
Qed.

(* Savarese et al. 2019, Lemma 1: half the squared norm of the weights costs at least as much, and a network with the
   same values costs no more: each unit rescaled so that |v| = |w|, constants moved to the output bias. *)
Definition weight_norm (us : list (R * R * R)) : R := sum (fun u => let '(v, w, _) := u in (v ^ 2 + w ^ 2) / 2) us.

Lemma network_cost_le_weight_norm us : network_cost us <= weight_norm us.
Proof.
  apply sum_le. intros [[v w] b] _. unfold unit_cost. pose proof (pow2_ge_0 (Rabs v - Rabs w)) as Q.
  pose proof (pow2_abs v). pose proof (pow2_abs w). nra.
Qed.

Lemma rescaled_unit v w b :
  v <> 0 -> w <> 0 -> exists v' w' b', (v' ^ 2 + w' ^ 2) / 2 = Rabs v * Rabs w /\
    forall x, v' * relu (w' * x + b') = v * relu (w * x + b).
Proof.
  intros V W. pose proof (Rabs_pos_lt v V) as PV. pose proof (Rabs_pos_lt w W) as PW.
  set (s := sqrt (Rabs v / Rabs w)).
  assert (PS : 0 < s) by (apply sqrt_lt_R0, Rdiv_lt_0_compat; assumption).
  assert (E : s * s = Rabs v / Rabs w) by (apply sqrt_sqrt; left; apply Rdiv_lt_0_compat; assumption).
  exists (v / s), (s * w), (s * b). split.
  - replace ((v / s) ^ 2) with (v ^ 2 / (s * s)) by (field; lra). replace ((s * w) ^ 2) with (s * s * w ^ 2) by ring.
    rewrite E, <- (pow2_abs v), <- (pow2_abs w). field. lra.
  - intros x. replace (s * w * x + s * b) with (s * (w * x + b)) by ring. unfold relu. rewrite rectifier_scale by lra.
    field. lra.
Qed.

Theorem weight_norm_of_network us c :
  exists us' c', (forall x, network us' c' x = network us c x) /\ weight_norm us' = network_cost us.
Proof.
  unfold network. induction us as [| [[v w] b] us [us' [c' [F E]]]]; [exists [], c; split; reflexivity |].
  unfold weight_norm, network_cost in *.
  destruct (Req_dec v 0) as [V | V]; [| destruct (Req_dec w 0) as [W | W]].
  - exists us', c'. split.
    + intros x. rewrite F, sum_cons. unfold unit_output at 2. rewrite V. ring.
    + rewrite sum_cons, E. unfold unit_cost at 2. rewrite V, Rabs_R0. ring.
  - exists us', (c' + v * relu b). split.
    + intros x. rewrite sum_cons. unfold unit_output at 2. rewrite W, Rmult_0_l, Rplus_0_l. specialize (F x). lra.
    + rewrite sum_cons, E. unfold unit_cost at 2. rewrite W, Rabs_R0. ring.
  - destruct (rescaled_unit v w b V W) as [v' [w' [b' [N G]]]]. exists ((v', w', b') :: us'), c'. split.
    + intros x. rewrite !sum_cons. unfold unit_output at 1 3. rewrite G. specialize (F x). lra.
    + rewrite !sum_cons, E, N. reflexivity.
Qed.

(* So the two costs have the same minimum over the networks whose function has a property. *)
Corollary weight_norm_min (P : (R -> R) -> Prop) V :
  (forall f g, (forall x, f x = g x) -> P f -> P g) ->
  is_min (fun n => P (network (fst n) (snd n))) (fun n => network_cost (fst n)) V ->
  is_min (fun n => P (network (fst n) (snd n))) (fun n => weight_norm (fst n)) V.
Proof.
  intros Ext [[[us c] [H E]] L]. cbn [fst snd] in *. split.
  - destruct (weight_norm_of_network us c) as [us' [c' [F E']]]. exists (us', c'). cbn [fst snd]. split; [| lra].
    apply (Ext (network us c)); [intros x; symmetry; apply F | exact H].
  - intros n Hn. apply Rle_trans with (1 := L n Hn). apply network_cost_le_weight_norm.
Qed.
