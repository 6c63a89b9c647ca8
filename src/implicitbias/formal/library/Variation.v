(* Why certificate/kinds/variation.py may say what it says: of all sums of units c relu(a.x + b) through data in R^d, the
   smallest
   sum of |c| sqrt(|a|^2 + b^2) lies where the claim says (de Dios and Bruna 2020, problem 20). *)
From Coq Require Import Reals Lra Lia Psatz List.
From Coquelicot Require Import Coquelicot.
From ImplicitBias Require Import Quantities Units Lists Duality Between Networks Vectors.
Import ListNotations.
Open Scope R_scope.

(* A unit (c, a, b). *)
Definition output (d : nat) (x : vector) (u : R * vector * R) : R := let '(c, a, b) := u in c * relu (dot d a x + b).
Definition variation_norm (d : nat) (u : R * vector * R) : R := let '(c, a, b) := u in Rabs c * sqrt (dot d a a + b ^ 2).

(* Finite sums of units through data (x, y). *)
Definition units_through (d : nat) (data : list (vector * R)) (us : list (R * vector * R)) : Prop :=
  forall x y, In (x, y) data -> sum (output d x) us = y.

(* "Of all sums of units c [a.x + b]_+ through the data points in dimension d, the smallest sum |c| sqrt(|a|^2 + b^2) lies
   between
   lower and upper." *)
Definition variation_sentence (d : nat) (data : list (vector * R)) (lower upper : R) : Prop :=
  smallest_between (units_through d data) (sum (variation_norm d)) lower upper.

(* The point (x, 1), and the parameters (a, b), in R^(d+1). *)
Definition extended (d : nat) (x : vector) (last : R) : vector := fun j => if Nat.eqb j d then last else x j.

Lemma dot_extended d a b x e : dot (S d) (extended d a b) (extended d x e) = dot d a x + b * e.
Proof.
  unfold dot. rewrite sum_below_S. unfold extended at 3 4. rewrite Nat.eqb_refl. f_equal. apply sum_ext.
  intros j J. apply in_seq in J. unfold extended. destruct (Nat.eqb_spec j d); [lia | reflexivity].
Qed.

(* A cell of the certificate, {"inside", "above", "below"}: a point of R^(d+1), and multipliers (i, m) for the point i. *)
Record cell := { inside : vector; above : list (nat * R); below : list (nat * R) }.

(* theta lies in the closed cell: on the same side as its point of every hyperplane theta.x~ = 0, or on it. *)
Definition in_closed_cell (k : nat) (points : list vector) (c : cell) (theta : vector) : Prop :=
  forall x, In x points -> 0 <= dot k (inside c) x * dot k theta x.

Definition zero_vector : vector := fun _ => 0.

(* `require_feasible`: v, and z with the multipliers of one side; side is 1 above, -1 below. *)
Definition active_sum (k : nat) (points : list vector) (p : list R) (c : cell) : vector := fun j =>
  sum (fun e => if Rlt_dec 0 (dot k (inside c) (fst e)) then snd e * fst e j else 0) (combine points p).
Definition with_multipliers (k : nat) (points : list vector) (c : cell) (side : R) (v : vector) (ms : list (nat * R)) :
  vector :=
  fun j => side * v j + sum (fun e => let '(i, m) := e in
    let x := nth i points zero_vector in (if Rlt_dec 0 (dot k (inside c) x) then m else - m) * x j) ms.

(* One cell: `read_cells` (the point lies on no hyperplane), `read_multipliers` and `_nonnegative`, and the squares at most
   1. *)
Definition cell_feasible (k : nat) (points : list vector) (p : list R) (c : cell) : Prop :=
  (forall x, In x points -> dot k (inside c) x <> 0) /\
  (forall i m, In (i, m) (above c) \/ In (i, m) (below c) -> (i < length points)%nat /\ 0 <= m) /\
  (let z := with_multipliers k points c 1 (active_sum k points p c) (above c) in dot k z z <= 1) /\
  (let z := with_multipliers k points c (-1) (active_sum k points p c) (below c) in dot k z z <= 1).

(* What `require_all_cells` is for: every theta lies in a closed cell that is listed. *)
Definition all_cells_listed (k : nat) (points : list vector) (cells : list cell) : Prop :=
  forall theta, exists c, In c cells /\ in_closed_cell k points c theta.

Lemma dot_sum {X : Type} k theta (f : X -> vector) l :
  dot k (fun j => sum (fun e => f e j) l) theta = sum (fun e => dot k (f e) theta) l.
Proof.
  unfold dot, sum_below. rewrite <- sum_swap. apply sum_ext. intros j _. rewrite <- sum_scale_right. reflexivity.
Qed.

Lemma dot_scale k c v theta : dot k (fun j => c * v j) theta = c * dot k v theta.
Proof. unfold dot, sum_below. rewrite <- sum_scale. apply sum_ext. intros. ring. Qed.

Lemma dot_commutes k u v : dot k u v = dot k v u.
Proof. unfold dot. apply sum_ext. intros. ring. Qed.

(* On the closed cell the price g(theta) of a unit is v.theta. *)
Lemma price_on_cell k points p c theta :
  (forall x, In x points -> dot k (inside c) x <> 0) -> in_closed_cell k points c theta ->
  sum (fun e => snd e * relu (dot k theta (fst e))) (combine points p) = dot k (active_sum k points p c) theta.
Proof.
  intros N C. unfold active_sum.
  rewrite (dot_sum k theta (fun (e : vector * R) j => if Rlt_dec 0 (dot k (inside c) (fst e)) then snd e * fst e j else 0)).
  apply sum_ext. intros [x q] J. apply in_combine_l in J. specialize (N x J). specialize (C x J). cbn [fst snd].
  unfold relu. destruct (Rlt_dec 0 (dot k (inside c) x)) as [P | P].
  - rewrite dot_scale, (dot_commutes k x). rewrite Rmax_right; [reflexivity |].
    apply (Rmult_le_reg_l (dot k (inside c) x)); lra.
  - rewrite Rmax_left.
    + unfold dot, sum_below. rewrite (sum_ext _ (fun _ => 0)); [rewrite sum_zero; ring | intros; ring].
    + apply (Rmult_le_reg_l (- dot k (inside c) x)); lra.
Qed.

(* With multipliers that are not negative the price only grows, and is at most the length of z times that of theta. *)
Lemma side_bound k points c side v ms theta :
  (forall x, In x points -> dot k (inside c) x <> 0) ->
  (forall i m, In (i, m) ms -> (i < length points)%nat /\ 0 <= m) -> in_closed_cell k points c theta ->
  (let z := with_multipliers k points c side v ms in dot k z z <= 1) ->
  side * dot k v theta <= norm k theta.
Proof.
  intros N H C Z. cbv zeta in Z. set (z := with_multipliers k points c side v ms) in *.
  apply Rle_trans with (dot k z theta).
  - set (f := fun (e : nat * R) (j : nat) => let '(i, m) := e in
      (if Rlt_dec 0 (dot k (inside c) (nth i points zero_vector)) then m else - m) * nth i points zero_vector j).
    assert (E : dot k z theta = side * dot k v theta + sum (fun e => dot k (f e) theta) ms).
    { transitivity (dot k theta (fun j => side * v j + sum (fun e => f e j) ms)); [exact (dot_commutes k z theta) |].
      rewrite dot_plus, (dot_commutes k theta (fun j => side * v j)).
      rewrite (dot_commutes k theta (fun j => sum (fun e => f e j) ms)), dot_scale, dot_sum. reflexivity. }
    rewrite E. assert (0 <= sum (fun e => dot k (f e) theta) ms); [| lra].
    apply sum_nonneg. intros [i m] J. destruct (H i m J) as [L P]. unfold f. rewrite dot_scale.
    pose proof (C _ (nth_In points zero_vector L)) as K. rewrite (dot_commutes k _ theta).
    destruct (Rlt_dec 0 (dot k (inside c) (nth i points zero_vector))) as [Q | Q].
    + apply Rmult_le_pos; [exact P |]. apply (Rmult_le_reg_l (dot k (inside c) (nth i points zero_vector))); lra.
    + specialize (N _ (nth_In points zero_vector L)).
      replace (- m * dot k theta (nth i points zero_vector)) with (m * - dot k theta (nth i points zero_vector)) by ring.
      apply Rmult_le_pos; [exact P |]. apply (Rmult_le_reg_l (- dot k (inside c) (nth i points zero_vector))); lra.
  - eapply Rle_trans; [apply dot_le |]. rewrite <- (Rmult_1_l (norm k theta)) at 2. apply Rmult_le_compat_r; [apply
    sqrt_pos |].
    unfold norm. rewrite <- sqrt_1. apply sqrt_le_1_alt, Z.
Qed.

(* What `require_feasible` shows: |sum p_i relu(theta.x~_i)| <= |theta| for all theta. *)
Theorem price_bounded_by_cells k points p cells theta :
  (forall c, In c cells -> cell_feasible k points p c) -> all_cells_listed k points cells ->
  Rabs (sum (fun e => snd e * relu (dot k theta (fst e))) (combine points p)) <= norm k theta.
Proof.
  intros F All. destruct (All theta) as [c [J C]]. destruct (F c J) as [N [H [A B]]].
  rewrite (price_on_cell k points p c theta N C). apply Rabs_le_between.
  assert (A' := side_bound k points c 1 _ (above c) theta N (fun i m K => H i m (or_introl K)) C A).
  assert (B' := side_bound k points c (-1) _ (below c) theta N (fun i m K => H i m (or_intror K)) C B). lra.
Qed.

(* Kernel theorem. `check`: the units pass through the data, and the square of each one's cost is at most the square of its
   root,
   rounded up (`root_above`); as many p as data; every cell is feasible, and all are listed; the claim has lower <= sum p_i
     y_i and
   upper >= the sum of the roots. *)
Theorem variation_by_cells d data us roots p cells lower upper :
  units_through d data us ->
  length roots = length us ->
  (forall u root, In (u, root) (combine us roots) ->
     0 <= root /\ (let '(c, a, b) := u in c ^ 2 * (dot d a a + b ^ 2) <= root ^ 2)) ->
  length p = length data ->
  let points := map (fun e => extended d (fst e) 1) data in
  (forall c, In c cells -> cell_feasible (S d) points p c) -> all_cells_listed (S d) points cells ->
  lower <= sum (fun e => snd e * snd (fst e)) (combine data p) -> sum (fun root => root) roots <= upper ->
  variation_sentence d data lower upper.
Proof.
  intros U ER HR EP points F All L M. split.
  - intros qs Q. apply Rle_trans with (1 := L). apply (bound_by_duality (output d) (variation_norm d)).
    + intros x y q J. apply Q. apply in_combine_l in J. exact J.
    + intros [[c a] b] _. unfold output, variation_norm.
      pose proof (price_bounded_by_cells (S d) points p cells (extended d a b) F All) as W.
      apply (weighted_price _ _ c) in W. rewrite Rmult_comm. unfold norm in W. rewrite dot_extended in W.
      replace (b * b) with (b ^ 2) in W by ring. rewrite Rmult_comm in W. rewrite (Rmult_comm _ (Rabs c)) in W.
      rewrite Rmult_comm. eapply Rle_trans; [right | exact W].
      rewrite <- sum_scale_right. unfold points. clear - EP. revert p EP.
      induction data as [| [x y] data IH]; intros [| q p] E; try discriminate; [reflexivity |].
      cbn [map combine]. rewrite !sum_cons, IH by (injection E; auto). cbn [fst snd]. rewrite dot_extended, Rmult_1_r. ring.
  - exists us. split; [exact U |]. apply Rle_trans with (2 := M). clear - ER HR. revert roots ER HR.
    induction us as [| [[c a] b] us IH]; intros [| root roots] E H; try discriminate; [simpl; lra |]. rewrite !sum_cons.
    destruct (H (c, a, b) root (or_introl eq_refl)) as [P S].
    specialize (IH roots (eq_add_S _ _ E) (fun u t J => H u t (or_intror J))).
    assert (variation_norm d (c, a, b) <= root); [| lra]. unfold variation_norm.
    replace (Rabs c * sqrt (dot d a a + b ^ 2)) with (sqrt (c ^ 2 * (dot d a a + b ^ 2))).
    + rewrite <- (sqrt_pow2 root P). apply sqrt_le_1_alt, S.
    + rewrite sqrt_mult_alt by apply pow2_ge_0. f_equal. rewrite <- Rsqr_pow2. apply sqrt_Rsqr_abs.
Qed.
