(* Why certificate/kinds/variation.py, variation_margins.py and penalised_variation.py may say what they say: of all
   sums of units c relu(a.x + b) through data in R^d, the smallest sum of |c| sqrt(|a|^2 + b^2) lies where the claim
   says (de Dios and Bruna 2020, problem 20). *)
From Coq Require Import Reals Lra Lia Psatz List.
From Coquelicot Require Import Coquelicot.
From ImplicitBias Require Import Quantities Units Lists Duality Between Networks Vectors Cells.
Import ListNotations.
Open Scope R_scope.

(* A unit (c, a, b). *)
Definition output (d : nat) (x : vector) (u : R * vector * R) : R := let '(c, a, b) := u in c * relu (dot d a x + b).
Definition variation_norm (d : nat) (u : R * vector * R) : R := let '(c, a, b) := u in Rabs c * sqrt (dot d a a + b ^ 2).

(* Finite sums of units through data (x, y). *)
Definition units_through (d : nat) (data : list (vector * R)) (us : list (R * vector * R)) : Prop :=
  forall x y, In (x, y) data -> sum (output d x) us = y.

(* "Of all sums of units c [a.x + b]_+ through the data points in dimension d, the smallest sum |c| sqrt(|a|^2 + b^2)
   lies between lower and upper." *)
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

(* One cell: `read_cells` (the point lies on no hyperplane), `read_multipliers` and `_nonnegative`, and the squares at
   most 1. *)
Definition cell_feasible (k : nat) (points : list vector) (p : list R) (c : cell) : Prop :=
  (forall x, In x points -> dot k (inside c) x <> 0) /\
  (forall i m, In (i, m) (above c) \/ In (i, m) (below c) -> (i < length points)%nat /\ 0 <= m) /\
  (let z := with_multipliers k points c 1 (active_sum k points p c) (above c) in dot k z z <= 1) /\
  (let z := with_multipliers k points c (-1) (active_sum k points p c) (below c) in dot k z z <= 1).

(* `require_all_cells`: as many different patterns as cells are counted. `different` are listed cells, one of each
   pattern; the pattern of a cell says at which points its point is active. *)
Definition different_patterns (k : nat) (points : list vector) (c e : cell) : Prop :=
  exists x, In x points /\ ~ (0 < dot k (inside c) x <-> 0 < dot k (inside e) x).
Definition all_cells (k : nat) (points : list vector) (cells : list cell) : Prop :=
  exists different, incl different cells /\ pairwise (different_patterns k points) different /\
    counted k points (length different).

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

(* Then every theta lies in a closed cell that is listed. *)
Lemma every_theta_in_a_cell k (points : list vector) cells :
  (forall x, In x points -> exists j, (j < k)%nat /\ x j <> 0) ->
  (forall c, In c cells -> forall x, In x points -> dot k (inside c) x <> 0) -> all_cells k points cells ->
  forall theta, exists c, In c cells /\ in_closed_cell k points c theta.
Proof.
  intros Nz N [different [Inc [P C]]] theta.
  destruct (all_listed k points (length different) (map inside different)) with (theta := theta) as [p [J H]].
  - exact C.
  - exact Nz.
  - intros p J x Jx. apply in_map_iff in J. destruct J as [c [<- J]]. rewrite dot_commutes. apply N; [apply Inc, J | exact
    Jx].
  - clear C. induction different as [| c different IH]; [exact I |]. destruct P as [P1 P2]. cbn [map pairwise]. split.
    + intros p J. apply in_map_iff in J. destruct J as [e [<- J]]. destruct (P1 e J) as [x [Jx D]]. exists x.
      split; [exact Jx |]. rewrite !(dot_commutes k x).
      pose proof (N c (Inc c (or_introl eq_refl)) x Jx) as Nc. pose proof (N e (Inc e (or_intror J)) x Jx) as Ne.
      destruct (Rlt_dec 0 (dot k (inside c) x)), (Rlt_dec 0 (dot k (inside e) x)); try tauto; nra.
    + apply IH; [intros e J; apply Inc; right; exact J | exact P2].
  - rewrite map_length. apply le_n.
  - apply in_map_iff in J. destruct J as [c [<- J]]. exists c. split; [apply Inc, J |]. intros x Jx.
    rewrite !(dot_commutes k _ x). apply H, Jx.
Qed.

(* What `require_feasible` shows: |sum p_i relu(theta.x~_i)| <= |theta| for all theta. *)
Theorem price_bounded_by_cells k (points : list vector) p cells theta :
  (forall x, In x points -> exists j, (j < k)%nat /\ x j <> 0) ->
  (forall c, In c cells -> cell_feasible k points p c) -> all_cells k points cells ->
  Rabs (sum (fun e => snd e * relu (dot k theta (fst e))) (combine points p)) <= norm k theta.
Proof.
  intros Nz F All.
  destruct (every_theta_in_a_cell k points cells Nz (fun c J => proj1 (F c J)) All theta) as [c [J C]].
  destruct (F c J) as [N [H [A B]]].
  rewrite (price_on_cell k points p c theta N C). apply Rabs_le_between.
  assert (A' := side_bound k points c 1 _ (above c) theta N (fun i m K => H i m (or_introl K)) C A).
  assert (B' := side_bound k points c (-1) _ (below c) theta N (fun i m K => H i m (or_intror K)) C B). lra.
Qed.

(* `read_units`: the square of each unit's cost is at most the square of its root, rounded up (`root_above`); the roots
   together are at least what the units cost. *)
Definition roots_above (d : nat) (us : list (R * vector * R)) (roots : list R) : Prop :=
  length roots = length us /\
  forall u root, In (u, root) (combine us roots) ->
    0 <= root /\ (let '(c, a, b) := u in c ^ 2 * (dot d a a + b ^ 2) <= root ^ 2).

Lemma cost_below_roots d us : forall roots,
  roots_above d us roots -> sum (variation_norm d) us <= sum (fun root => root) roots.
Proof.
  induction us as [| [[c a] b] us IH]; intros [| root roots] [E H]; try discriminate; [simpl; lra |]. rewrite !sum_cons.
  destruct (H (c, a, b) root (or_introl eq_refl)) as [P S].
  specialize (IH roots (conj (eq_add_S _ _ E) (fun u t J => H u t (or_intror J)))).
  assert (variation_norm d (c, a, b) <= root); [| lra]. unfold variation_norm.
  replace (Rabs c * sqrt (dot d a a + b ^ 2)) with (sqrt (c ^ 2 * (dot d a a + b ^ 2))).
  - rewrite <- (sqrt_pow2 root P). apply sqrt_le_1_alt, S.
  - rewrite sqrt_mult_alt by apply pow2_ge_0. f_equal. rewrite <- Rsqr_pow2. apply sqrt_Rsqr_abs.
Qed.

(* The dual: every cell of the points of these data is feasible, and there are all. *)
Definition dual_feasible (d : nat) (data : list (vector * R)) (p : list R) (cells : list cell) : Prop :=
  length p = length data /\
  let points := map (fun e => extended d (fst e) 1) data in
  (forall c, In c cells -> cell_feasible (S d) points p c) /\ all_cells (S d) points cells.

(* Then no network costs less than sum p_i f(x_i). *)
Lemma network_costs_its_price d data p cells us :
  dual_feasible d data p cells ->
  sum (fun e => snd e * sum (output d (fst (fst e))) us) (combine data p) <= sum (variation_norm d) us.
Proof.
  intros [E [F All]].
  pose proof (weak_duality (fun e : vector * R => output d (fst e)) (variation_norm d) (combine data p) us) as W.
  apply W. clear W. intros [[c a] b] _. unfold output, variation_norm.
  set (points := map (fun e : vector * R => extended d (fst e) 1) data) in *.
  assert (Nz : forall x, In x points -> exists j, (j < S d)%nat /\ x j <> 0).
  { intros x J. apply in_map_iff in J. destruct J as [e [<- _]]. exists d. split; [lia |]. unfold extended.
    rewrite Nat.eqb_refl. lra. }
  pose proof (price_bounded_by_cells (S d) points p cells (extended d a b) Nz F All) as W.
  apply (weighted_price _ _ c) in W. unfold norm in W. rewrite dot_extended in W.
  replace (b * b) with (b ^ 2) in W by ring. rewrite (Rmult_comm (sqrt _)) in W.
  eapply Rle_trans; [right | exact W]. rewrite <- sum_scale. unfold points. clear - E. revert p E.
  induction data as [| [x y] data IH]; intros [| q p] E; try discriminate; [reflexivity |].
  cbn [map combine]. rewrite !sum_cons, IH by (injection E; auto). cbn [fst snd]. rewrite dot_extended, Rmult_1_r. ring.
Qed.

(* Kernel theorem, kinds/variation.py: the units pass through the data; the claim has lower <= sum p_i y_i and upper >=
   the sum of the roots. *)
Theorem variation_by_cells d data us roots p cells lower upper :
  units_through d data us -> roots_above d us roots -> dual_feasible d data p cells ->
  lower <= sum (fun e => snd e * snd (fst e)) (combine data p) -> sum (fun root => root) roots <= upper ->
  variation_sentence d data lower upper.
Proof.
  intros U HR F L M. split.
  - intros qs Q. apply Rle_trans with (1 := L). eapply Rle_trans; [right | apply (network_costs_its_price d data p cells qs
    F)].
    apply sum_ext. intros [[x y] q] J. cbn [fst snd]. apply in_combine_l in J. rewrite (Q x y J). reflexivity.
  - exists us. split; [exact U |]. apply Rle_trans with (2 := M). apply cost_below_roots, HR.
Qed.

(* Kernel theorem, kinds/variation_margins.py. "Of all sums of units c [a.x + b]_+ with y f >= 1 at the data points,
   classes y = 1 or -1, the smallest sum lies between lower and upper": y_i f(x_i) >= 1 for the units; p_i y_i >= 0; the
   cells are those of the data with p_i not 0 (`support`). *)
Definition units_with_margin (d : nat) (data : list (vector * R)) (us : list (R * vector * R)) : Prop :=
  forall x y, In (x, y) data -> 1 <= y * sum (output d x) us.
Definition support (data : list (vector * R)) (p : list R) : list (vector * R * R) :=
  filter (fun e => if Req_EM_T (snd e) 0 then false else true) (combine data p).

Theorem margins_by_cells d data us roots p cells lower upper :
  (forall x y, In (x, y) data -> y = 1 \/ y = -1) ->
  units_with_margin d data us -> roots_above d us roots ->
  (forall x y q, In (x, y, q) (combine data p) -> 0 <= q * y) ->
  dual_feasible d (map fst (support data p)) (map snd (support data p)) cells ->
  lower <= sum (fun e => snd e * snd (fst e)) (combine data p) -> sum (fun root => root) roots <= upper ->
  smallest_between (units_with_margin d data) (sum (variation_norm d)) lower upper.
Proof.
  intros Y U HR S F L M. split.
  - intros qs Q. apply Rle_trans with (1 := L). eapply Rle_trans; [| apply (network_costs_its_price _ _ _ _ qs F)].
    assert (E : forall l : list (vector * R * R), combine (map fst l) (map snd l) = l).
    { intros l. induction l as [| [e q] l IH]; [reflexivity |]. cbn. rewrite IH. reflexivity. }
    rewrite E. unfold support.
    assert (G : forall e, In e (combine data p) -> snd e * snd (fst e) <= snd e * sum (output d (fst (fst e))) qs).
    { intros [[x y] q] J. cbn [fst snd]. specialize (S x y q J). apply in_combine_l in J. specialize (Q x y J).
      destruct (Y x y J) as [-> | ->]; nra. }
    revert G. clear. induction (combine data p) as [| [[x y] q] l IH]; intros G; [simpl; lra |].
    cbn [filter snd]. specialize (IH (fun e J => G e (or_intror J))). specialize (G (x, y, q) (or_introl eq_refl)).
    cbn [fst snd] in G. destruct (Req_EM_T q 0) as [Z | Z]; rewrite !sum_cons; cbn [fst snd]; [rewrite Z in *; lra | lra].
  - exists us. split; [exact U |]. apply Rle_trans with (2 := M). apply cost_below_roots, HR.
Qed.

(* Kernel theorem, kinds/penalised_variation.py. "Of all sums of units c [a.x + b]_+ on the data points, the smallest
   mean squared error plus the penalty times the sum of |c| sqrt(|a|^2 + b^2) lies between lower and upper": any units,
   with their errors. *)
Definition penalised (d : nat) (data : list (vector * R)) (penalty : R) (us : list (R * vector * R)) : R :=
  sum (fun e => (sum (output d (fst e)) us - snd e) ^ 2) data / INR (length data) + penalty * sum (variation_norm d) us.

Theorem penalised_by_cells d data penalty us roots p cells lower upper :
  data <> [] -> 0 < penalty -> roots_above d us roots -> dual_feasible d data p cells ->
  lower <= penalty * sum (fun e => snd e * snd (fst e)) (combine data p)
    - INR (length data) * penalty ^ 2 / 4 * sum (fun q => q ^ 2) p ->
  sum (fun e => (sum (output d (fst e)) us - snd e) ^ 2) data / INR (length data) + penalty * sum (fun root => root) roots
    <= upper ->
  smallest_between (fun _ => True) (penalised d data penalty) lower upper.
Proof.
  intros N PL HR F L M. set (n := INR (length data)).
  assert (Pn : 0 < n) by (apply lt_0_INR; destruct data; [contradiction | simpl; lia]). split.
  - intros qs _. apply Rle_trans with (1 := L). unfold penalised. fold n.
    pose proof (network_costs_its_price d data p cells qs F) as W.
    apply (Rmult_le_compat_l penalty) in W; [| lra].
    assert (G : penalty * sum (fun e => snd e * snd (fst e)) (combine data p) - n * penalty ^ 2 / 4 * sum (fun q => q ^ 2) p
      <= sum (fun e => (sum (output d (fst e)) qs - snd e) ^ 2) data / n
       + penalty * sum (fun e => snd e * sum (output d (fst (fst e))) qs) (combine data p)); [| lra].
    clear L M HR W. destruct F as [E _]. clearbody n. clear N. revert p E.
    induction data as [| [x y] data IH]; intros [| q p] E; try discriminate; [simpl; unfold Rdiv; lra |].
    specialize (IH p (eq_add_S _ _ E)). cbn [combine]. rewrite !sum_cons. cbn [fst snd].
    set (t := sum (output d x) qs).
    assert (T : penalty * (q * y) - n * penalty ^ 2 / 4 * q ^ 2 <= (t - y) ^ 2 / n + penalty * (q * t)).
    { assert (0 <= (t - y + n * penalty * q / 2) ^ 2 / n) by (apply Rdiv_le_0_compat; [apply pow2_ge_0 | exact Pn]).
      replace ((t - y) ^ 2 / n + penalty * (q * t))
        with ((t - y + n * penalty * q / 2) ^ 2 / n + penalty * (q * y) - n * penalty ^ 2 / 4 * q ^ 2) by (field; lra).
          lra. }
    replace (((t - y) ^ 2 + sum (fun e => (sum (output d (fst e)) qs - snd e) ^ 2) data) / n)
      with ((t - y) ^ 2 / n + sum (fun e => (sum (output d (fst e)) qs - snd e) ^ 2) data / n) by (field; lra). lra.
  - exists us. split; [exact I |]. apply Rle_trans with (2 := M). unfold penalised. fold n. apply Rplus_le_compat_l.
    apply Rmult_le_compat_l; [lra |]. apply cost_below_roots, HR.
Qed.
