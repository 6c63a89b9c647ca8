(* What label noise asks of a rectifier network with inputs in R^d (de Dios and Bruna 2020, (11) to (13)): the mean over
   the data of the squared gradient of a neuron c relu(a.x + b), by its derivatives; and the least of it over the
   rescalings (c/l, l a, l b), l > 0, which leave the neuron's function as it is: 2 |c| sqrt(A B), where A is the mean of
   relu(a.x + b)^2 and B that of 1 + |x|^2 over the active data. (The paper prints |c| sqrt A.) *)
From Coq Require Import Reals Lra Lia Psatz List.
From Coquelicot Require Import Coquelicot.
From ImplicitBias Require Import Quantities Units Lists Networks Vectors Variation.
Import ListNotations.
Open Scope R_scope.

Definition with_entry (a : vector) (j : nat) (t : R) : vector := fun i => if Nat.eqb i j then t else a i.

(* |gradient of the output at x in (c, a, b)|^2. *)
Definition squared_gradient (d : nat) (u : R * vector * R) (x : vector) : R := let '(c, a, b) := u in
  Derive (fun t => output d x (t, a, b)) c ^ 2
  + sum_below (fun j => Derive (fun t => output d x (c, with_entry a j t, b)) (a j) ^ 2) d
  + Derive (fun t => output d x (c, a, t)) b ^ 2.

Definition mean (data : list vector) (f : vector -> R) : R := sum f data / INR (length data).

(* The potential of label noise, and its two parts. *)
Definition noise (d : nat) (data : list vector) (u : R * vector * R) : R := mean data (squared_gradient d u).
Definition mean_square (d : nat) (data : list vector) (u : R * vector * R) : R := let '(_, a, b) := u in
  mean data (fun x => relu (dot d a x + b) ^ 2).
Definition active_lengths (d : nat) (data : list vector) (u : R * vector * R) : R := let '(_, a, b) := u in
  mean data (fun x => if Rlt_dec 0 (dot d a x + b) then 1 + dot d x x else 0).

(* No hinge on a datum: elsewhere the gradient is not defined. *)
Definition off_data (d : nat) (data : list vector) (u : R * vector * R) : Prop := let '(_, a, b) := u in
  forall x, In x data -> dot d a x + b <> 0.

Definition rescaled (l : R) (u : R * vector * R) : R * vector * R := let '(c, a, b) := u in (c / l, vscale l a, l * b).

Definition least_noise (d : nat) (data : list vector) (u : R * vector * R) : R := let '(c, _, _) := u in
  2 * Rabs c * sqrt (mean_square d data u * active_lengths d data u).

(* The derivatives. *)

Lemma is_derive_relu_of f t f' s :
  is_derive f t f' -> f t <> 0 -> is_derive (fun t => s * relu (f t)) t (if Rlt_dec 0 (f t) then s * f' else 0).
Proof.
  intros D N. assert (C : continuous f t) by (apply (ex_derive_continuous (V := R_NormedModule)); exists f'; exact D).
  destruct (Rlt_dec 0 (f t)) as [P | P].
  - apply (is_derive_ext_loc (fun t => s * f t)).
    + assert (L : locally (f t) (fun y => s * y = s * relu y)).
      { exists (mkposreal _ P). intros y B. unfold relu. rewrite Rmax_right; [reflexivity |].
        apply Rabs_lt_between' in B. cbn in B. lra. }
      exact (C _ L).
    + apply (is_derive_scal f t s f' D).
  - assert (Q : 0 < - f t) by lra. apply (is_derive_ext_loc (fun _ => 0)).
    + assert (L : locally (f t) (fun y => 0 = s * relu y)).
      { exists (mkposreal _ Q). intros y B. unfold relu. rewrite Rmax_left; [ring |].
        apply Rabs_lt_between' in B. cbn in B. lra. }
      exact (C _ L).
    + apply (is_derive_const (K := R_AbsRing) (V := R_NormedModule) 0 t).
Qed.

Lemma dot_with_entry d a x j t : (j < d)%nat -> dot d (with_entry a j t) x = dot d a x + (t - a j) * x j.
Proof.
  unfold dot. induction d as [| d IH]; intros L; [lia |]. rewrite !sum_below_S. unfold with_entry at 2.
  destruct (Nat.eqb_spec d j) as [-> | N].
  - enough (E : sum_below (fun i => with_entry a j t i * x i) j = sum_below (fun i => a i * x i) j) by (rewrite E; ring).
    apply sum_ext. intros i I. apply in_seq in I. unfold with_entry. destruct (Nat.eqb_spec i j); [lia | reflexivity].
  - rewrite IH by lia. ring.
Qed.

(* All partial derivatives of the output. *)
Lemma output_derivatives d x c a b :
  dot d a x + b <> 0 ->
  let on := if Rlt_dec 0 (dot d a x + b) then c else 0 in
  is_derive (fun t => output d x (t, a, b)) c (relu (dot d a x + b))
  /\ (forall j, (j < d)%nat -> is_derive (fun t => output d x (c, with_entry a j t, b)) (a j) (on * x j))
  /\ is_derive (fun t => output d x (c, a, t)) b on.
Proof.
  intros N on. unfold output. split; [| split].
  - apply (is_derive_ext (fun t => relu (dot d a x + b) * t)); [intros; apply Rmult_comm |].
    auto_derive; [exact I | ring].
  - intros j J.
    assert (E : forall t, dot d (with_entry a j t) x + b = dot d a x + b + (t - a j) * x j)
      by (intros; rewrite dot_with_entry by exact J; ring).
    apply (is_derive_ext (fun t => c * relu (dot d a x + b + (t - a j) * x j))); [intros t; rewrite E; reflexivity |].
    pose proof (is_derive_relu_of (fun t => dot d a x + b + (t - a j) * x j) (a j) (x j) c) as H. cbv beta in H.
    replace (dot d a x + b + (a j - a j) * x j) with (dot d a x + b) in H by ring.
    unfold on. replace ((if Rlt_dec 0 (dot d a x + b) then c else 0) * x j)
      with (if Rlt_dec 0 (dot d a x + b) then c * x j else 0) by (destruct (Rlt_dec 0 (dot d a x + b)); ring).
    apply H; [| exact N]. auto_derive; [exact I | ring].
  - pose proof (is_derive_relu_of (fun t => dot d a x + t) b 1 c) as H. cbv beta in H. rewrite Rmult_1_r in H.
    apply H; [| exact N]. auto_derive; [exact I | ring].
Qed.

Lemma squared_gradient_is d x c a b :
  dot d a x + b <> 0 ->
  squared_gradient d (c, a, b) x
  = relu (dot d a x + b) ^ 2 + c ^ 2 * (if Rlt_dec 0 (dot d a x + b) then 1 + dot d x x else 0).
Proof.
  intros N. destruct (output_derivatives d x c a b N) as [C [A B]]. unfold squared_gradient.
  assert (EC : Derive (fun t : R => output d x (t, a, b)) c = relu (dot d a x + b)) by exact (is_derive_unique _ _ _ C).
  set (on := if Rlt_dec 0 (dot d a x + b) then c else 0) in *.
  assert (EB : Derive (fun t : R => output d x (c, a, t)) b = on) by exact (is_derive_unique _ _ _ B).
  rewrite EC, EB. unfold sum_below. rewrite (sum_ext _ (fun j => on ^ 2 * (x j * x j))).
  - rewrite sum_scale. change (sum (fun j => x j * x j) (seq 0 d)) with (dot d x x). unfold on.
    destruct (Rlt_dec 0 (dot d a x + b)); ring.
  - intros j J. apply in_seq in J.
    assert (EA : Derive (fun t : R => output d x (c, with_entry a j t, b)) (a j) = on * x j)
      by exact (is_derive_unique _ _ _ (A j ltac:(lia))).
    rewrite EA. ring.
Qed.

(* (12) of the paper: A + c^2 B. *)
Theorem noise_is d data c a b :
  off_data d data (c, a, b) ->
  noise d data (c, a, b) = mean_square d data (c, a, b) + c ^ 2 * active_lengths d data (c, a, b).
Proof.
  intros H. unfold noise, mean_square, active_lengths, mean.
  rewrite (sum_ext _ _ data (fun x I => squared_gradient_is d x c a b (H x I))), sum_plus, sum_scale. unfold Rdiv. ring.
Qed.

(* Rescaling. *)

Lemma rescaled_argument d l a b x : dot d (vscale l a) x + l * b = l * (dot d a x + b).
Proof. rewrite dot_vscale_l. ring. Qed.

Lemma rescaled_output d x l u : 0 < l -> output d x (rescaled l u) = output d x u.
Proof.
  destruct u as [[c a] b]. intros L. unfold output, rescaled, relu. rewrite rescaled_argument, rectifier_scale by lra.
  field. lra.
Qed.

Lemma rescaled_noise d data l c a b :
  0 < l -> off_data d data (c, a, b) ->
  noise d data (rescaled l (c, a, b))
  = l ^ 2 * mean_square d data (c, a, b) + (c / l) ^ 2 * active_lengths d data (c, a, b).
Proof.
  intros L H. unfold rescaled. rewrite noise_is.
  - unfold mean_square, active_lengths, mean. f_equal.
    + rewrite (sum_ext _ (fun x => l ^ 2 * relu (dot d a x + b) ^ 2)); [rewrite sum_scale; unfold Rdiv; ring |].
      intros x _. unfold relu. rewrite rescaled_argument, rectifier_scale by lra. ring.
    + do 2 f_equal. apply sum_ext. intros x _. rewrite rescaled_argument.
      destruct (Rlt_dec 0 (l * (dot d a x + b))) as [P | P], (Rlt_dec 0 (dot d a x + b)) as [Q | Q]; try reflexivity.
      * exfalso. apply Q. apply (Rmult_lt_reg_l l); lra.
      * exfalso. apply P. apply Rmult_lt_0_compat; lra.
  - intros x I Z. rewrite rescaled_argument in Z. specialize (H x I). apply Rmult_integral in Z. lra.
Qed.

(* Both parts are positive, or no datum is active and both are 0. *)
Lemma some_active_or_none d data u :
  (mean_square d data u = 0 /\ active_lengths d data u = 0) \/ (0 < mean_square d data u /\ 0 < active_lengths d data u).
Proof.
  destruct u as [[c a] b]. unfold mean_square, active_lengths, mean.
  assert (S : forall l, (sum (fun x => relu (dot d a x + b) ^ 2) l = 0
      /\ sum (fun x => if Rlt_dec 0 (dot d a x + b) then 1 + dot d x x else 0) l = 0)
    \/ (0 < sum (fun x => relu (dot d a x + b) ^ 2) l
      /\ 0 < sum (fun x => if Rlt_dec 0 (dot d a x + b) then 1 + dot d x x else 0) l)).
  { induction l as [| x l IH]; [left; split; reflexivity |]. rewrite !sum_cons. pose proof (dot_self_nonneg d x).
    destruct (Rlt_dec 0 (dot d a x + b)) as [P | P]; unfold relu at 1 3.
    - right. rewrite Rmax_right by lra. assert (0 < (dot d a x + b) ^ 2) by (apply pow_lt, P). lra.
    - rewrite Rmax_left by lra. destruct IH; [left | right]; split; lra. }
  destruct data as [| x data]; [left; unfold Rdiv; cbn [sum fold_right]; split; ring |].
  assert (L : 0 < / INR (length (x :: data))) by (apply Rinv_0_lt_compat, lt_0_INR; cbn; lia).
  unfold Rdiv. destruct (S (x :: data)) as [[-> ->] | [P Q]]; [left; split; ring | right; split; apply Rmult_lt_0_compat;
    assumption].
Qed.

(* The least value of l^2 p^2 + (c/l)^2 q^2. *)
Lemma scale_gap l p q c :
  0 < l -> l ^ 2 * p ^ 2 + (c / l) ^ 2 * q ^ 2 - 2 * Rabs c * (p * q) = (l * p - Rabs c * q / l) ^ 2.
Proof.
  intros L. replace ((c / l) ^ 2) with (Rabs c ^ 2 / l ^ 2) by (rewrite pow2_abs; field; lra). field. lra.
Qed.

Lemma as_squares A B : 0 < A -> 0 < B -> exists p q, 0 < p /\ 0 < q /\ A = p ^ 2 /\ B = q ^ 2 /\ sqrt (A * B) = p * q.
Proof.
  intros PA PB. exists (sqrt A), (sqrt B). repeat split; try (apply sqrt_lt_R0; assumption);
    try (symmetry; apply pow2_sqrt; lra). apply sqrt_mult; lra.
Qed.

(* (13), mended: the least, and the only scale that attains it, where the neuron has an output weight and sees a datum. *)
Theorem least_noise_of_unit d data c a b :
  off_data d data (c, a, b) -> c <> 0 \/ mean_square d data (c, a, b) = 0 ->
  is_min (fun l => 0 < l) (fun l => noise d data (rescaled l (c, a, b))) (least_noise d data (c, a, b)).
Proof.
  intros H N. unfold least_noise. destruct (some_active_or_none d data (c, a, b)) as [[ZA ZB] | [PA PB]].
  - rewrite ZA, ZB, Rmult_0_l, sqrt_0, Rmult_0_r. split.
    + exists 1. split; [lra |]. rewrite rescaled_noise, ZA, ZB by (lra || exact H). ring.
    + intros l L. rewrite rescaled_noise, ZA, ZB by assumption. right. ring.
  - destruct N as [N | N]; [| lra]. destruct (as_squares _ _ PA PB) as [p [q [P [Q [EA [EB ->]]]]]].
    pose proof (Rabs_pos_lt c N) as C. split.
    + set (l := sqrt (Rabs c * q / p)).
      assert (X : 0 < Rabs c * q / p) by (apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat |]; assumption).
      assert (L : 0 < l) by (apply sqrt_lt_R0, X). assert (E : l * l = Rabs c * q / p) by (apply sqrt_sqrt; lra).
      exists l. split; [exact L |]. rewrite rescaled_noise, EA, EB by assumption. pose proof (scale_gap l p q c L) as G.
      replace (l * p - Rabs c * q / l) with 0 in G; [lra |]. apply (Rmult_eq_reg_l l); [| lra].
      replace (l * (l * p - Rabs c * q / l)) with (l * l * p - Rabs c * q) by (field; lra). rewrite E. field. lra.
    + intros l L. rewrite rescaled_noise, EA, EB by assumption. pose proof (scale_gap l p q c L) as G.
      pose proof (pow2_ge_0 (l * p - Rabs c * q / l)). lra.
Qed.

Theorem balanced_scale d data c a b :
  off_data d data (c, a, b) -> c <> 0 -> 0 < mean_square d data (c, a, b) ->
  is_unique_argmin (fun l => 0 < l) (fun l => noise d data (rescaled l (c, a, b)))
    (sqrt (Rabs c * sqrt (active_lengths d data (c, a, b)) / sqrt (mean_square d data (c, a, b)))).
Proof.
  intros H N PA. destruct (some_active_or_none d data (c, a, b)) as [[ZA _] | [_ PB]]; [lra |].
  destruct (as_squares _ _ PA PB) as [p [q [P [Q [EA [EB _]]]]]]. rewrite EA, EB, !sqrt_pow2 by lra.
  pose proof (Rabs_pos_lt c N) as C.
  assert (X : 0 < Rabs c * q / p) by (apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat |]; assumption).
  set (m := sqrt (Rabs c * q / p)). assert (M : 0 < m) by (apply sqrt_lt_R0, X).
  assert (E : m * m = Rabs c * q / p) by (apply sqrt_sqrt; lra).
  assert (Z : m * p - Rabs c * q / m = 0).
  { apply (Rmult_eq_reg_l m); [| lra]. replace (m * (m * p - Rabs c * q / m)) with (m * m * p - Rabs c * q) by (field; lra).
    rewrite E. field. lra. }
  pose proof (scale_gap m p q c M) as GM. rewrite Z in GM. split; [exact M |].
  split; intros l L; rewrite !rescaled_noise, EA, EB by assumption; pose proof (scale_gap l p q c L) as G;
    pose proof (pow2_ge_0 (l * p - Rabs c * q / l)) as S; [lra |].
  intros V. assert (W : (l * p - Rabs c * q / l) ^ 2 = 0) by lra.
  assert (W' : l * p - Rabs c * q / l = 0) by (apply Rsqr_0_uniq; rewrite Rsqr_pow2; exact W).
  assert (F : l * l = m * m).
  { rewrite E. apply (Rmult_eq_reg_r p); [| lra]. replace (Rabs c * q / p * p) with (Rabs c * q) by (field; lra).
    replace (Rabs c * q) with (l * (Rabs c * q / l)) by (field; lra). replace (Rabs c * q / l) with (l * p) by lra. ring. }
  nra.
Qed.

(* Without an output weight the least value 0 is only the infimum. *)
Theorem least_noise_infimum d data c a b :
  off_data d data (c, a, b) ->
  is_inf (fun l => 0 < l) (fun l => noise d data (rescaled l (c, a, b))) (least_noise d data (c, a, b)).
Proof.
  intros H. destruct (some_active_or_none d data (c, a, b)) as [[ZA _] | [PA PB]];
    [apply is_min_inf, least_noise_of_unit; auto |].
  destruct (Req_dec c 0) as [-> | N]; [| apply is_min_inf, least_noise_of_unit; auto].
  unfold least_noise. rewrite Rabs_R0, Rmult_0_r, Rmult_0_l. set (A := mean_square d data (0, a, b)) in *. split.
  - intros l L. rewrite rescaled_noise by assumption. fold A. pose proof (pow2_ge_0 l). unfold Rdiv. nra.
  - intros e Pe. assert (X : 0 < e / (2 * A)) by (apply Rdiv_lt_0_compat; lra).
    exists (sqrt (e / (2 * A))). assert (L : 0 < sqrt (e / (2 * A))) by (apply sqrt_lt_R0, X). split; [exact L |].
    rewrite rescaled_noise by assumption. fold A. rewrite pow2_sqrt by lra. unfold Rdiv at 2. rewrite Rmult_0_l.
    replace (e / (2 * A) * A) with (e / 2) by (field; lra). lra.
Qed.

(* Networks: (11), the mean of the potential over the neurons, rescaled one by one. *)
Definition rescale (ls : list R) (us : list (R * vector * R)) : list (R * vector * R) :=
  map (fun p => rescaled (fst p) (snd p)) (combine ls us).
Definition scales (us : list (R * vector * R)) (ls : list R) : Prop :=
  length ls = length us /\ forall l, In l ls -> 0 < l.
Definition network_noise (d : nat) (data : list vector) (us : list (R * vector * R)) : R :=
  sum (noise d data) us / INR (length us).

Lemma rescale_outputs d x us : forall ls, scales us ls -> sum (output d x) (rescale ls us) = sum (output d x) us.
Proof.
  induction us as [| u us IH]; intros [| l ls] [L P]; try discriminate; [reflexivity |]. unfold rescale in *.
  cbn [combine map fst snd]. rewrite !sum_cons, rescaled_output by (apply P; left; reflexivity). f_equal. apply IH.
  split; [injection L; auto | intros m I; apply P; right; exact I].
Qed.

Theorem least_noise_of_network d data us :
  (forall u, In u us -> off_data d data u /\ (fst (fst u) <> 0 \/ mean_square d data u = 0)) ->
  is_min (scales us) (fun ls => network_noise d data (rescale ls us)) (sum (least_noise d data) us / INR (length us)).
Proof.
  intros H. assert (M : is_min (scales us) (fun ls => sum (noise d data) (rescale ls us)) (sum (least_noise d data) us)).
  { induction us as [| u us IH].
    - split; [exists []; repeat split; intros _ [] |]. intros [| l ls] [L _]; [right; reflexivity | discriminate].
    - destruct IH as [[ls [[L P] E]] B]; [intros v I; apply H; right; exact I |].
      destruct (H u (or_introl eq_refl)) as [O N]. destruct u as [[c a] b].
      destruct (least_noise_of_unit d data c a b O N) as [[l [Pl El]] Bl]. split.
      + exists (l :: ls). split.
        * split; [cbn; rewrite L; reflexivity | intros m [<- | I]; auto].
        * unfold rescale in *. cbn [combine map fst snd]. rewrite !sum_cons, El, E. reflexivity.
      + intros [| m ms] [L' P']; [discriminate |]. unfold rescale in *. cbn [combine map fst snd]. rewrite !sum_cons.
        apply Rplus_le_compat; [apply Bl, P'; left; reflexivity |]. apply B.
        split; [injection L'; auto | intros k I; apply P'; right; exact I]. }
  assert (E : forall ls, scales us ls -> length (rescale ls us) = length us)
    by (intros ls [L _]; unfold rescale; rewrite map_length, combine_length, L; apply Nat.min_id).
  destruct M as [[ls [S V]] B]. unfold network_noise. split.
  - exists ls. split; [exact S |]. rewrite V, E by exact S. reflexivity.
  - intros ms T. rewrite E by exact T. specialize (B ms T). destruct us as [| u us].
    + cbn [length INR]. unfold Rdiv. rewrite Rinv_0, !Rmult_0_r. lra.
    + apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, lt_0_INR; cbn; lia | exact B].
Qed.
