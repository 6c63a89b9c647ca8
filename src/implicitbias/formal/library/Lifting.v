(* The potential |c| w(a, b) of a neuron where the weight w of its parameters is homogeneous (de Dios and Bruna 2020,
   Lemma 4.4): both sides of (19) for proportional neurons and for others, which the printed lemma has wrong; and the lemma
   as the appendix mends it (Lemma A.1): two neurons of one cell that are not proportional are one cheaper neuron.
   theta = (a, b) is a vector of R^k. *)
From Coq Require Import Reals Lra Lia Psatz List.
From Coquelicot Require Import Coquelicot.
From ImplicitBias Require Import Units Lists Vectors Networks.
Import ListNotations.
Open Scope R_scope.

Definition same (k : nat) (u v : vector) : Prop := forall j, (j < k)%nat -> u j = v j.
Definition mixed (t : R) (u v : vector) : vector := vplus (vscale t u) (vscale (1 - t) v).

(* A weight of parameters in R^k that is homogeneous of degree one. *)
Record homogeneous (k : nat) (w : vector -> R) : Prop := {
  weight_entries : forall u v, same k u v -> w u = w v;
  weight_scales : forall r u, 0 < r -> w (vscale r u) = r * w u;
  weight_nonneg : forall u, 0 <= w u }.

(* Definition 3.2 there: convex, and equality for proportional parameters only. *)
Definition same_ray (k : nat) (u v : vector) : Prop :=
  exists r s, 0 <= r /\ 0 <= s /\ 0 < r + s /\ same k (vscale r u) (vscale s v).
Definition effectively_strictly_convex (k : nat) (w : vector -> R) : Prop :=
  forall t u v, 0 < t < 1 ->
    w (mixed t u v) <= t * w u + (1 - t) * w v
    /\ (w (mixed t u v) = t * w u + (1 - t) * w v -> same_ray k u v).

Definition potential (w : vector -> R) (c : R) (theta : vector) : R := Rabs c * w theta.

(* (19), left side less right side. *)
Definition gap_of_19 (w : vector -> R) (t c c' : R) (u v : vector) : R :=
  potential w (t * c + (1 - t) * c') (mixed t u v) - (t * potential w c u + (1 - t) * potential w c' v).

(* Proportional neurons (alpha a, alpha b, beta c): no equality in general, and no sign. *)
Theorem gap_of_proportional k w t c u alpha beta :
  homogeneous k w -> 0 < t < 1 -> 0 < alpha -> 0 < beta ->
  gap_of_19 w t c (beta * c) u (vscale alpha u) = - (t * (1 - t) * (1 - alpha) * (1 - beta) * potential w c u).
Proof.
  intros H T A B. unfold gap_of_19, potential.
  assert (P : 0 < t + (1 - t) * alpha) by (pose proof (Rmult_lt_0_compat (1 - t) alpha); lra).
  assert (Q : 0 < t + (1 - t) * beta) by (pose proof (Rmult_lt_0_compat (1 - t) beta); lra).
  rewrite (weight_entries k w H (mixed t u (vscale alpha u)) (vscale (t + (1 - t) * alpha) u)).
  - rewrite !(weight_scales k w H) by assumption. replace (t * c + (1 - t) * (beta * c)) with ((t + (1 - t) * beta) *
    c) by ring.
    rewrite !Rabs_mult, (Rabs_pos_eq (t + _)), (Rabs_pos_eq beta) by lra. ring.
  - intros j _. unfold mixed, vplus, vscale. ring.
Qed.

Corollary equality_of_proportional k w t c u alpha beta :
  homogeneous k w -> 0 < t < 1 -> 0 < alpha -> 0 < beta -> potential w c u <> 0 ->
  (gap_of_19 w t c (beta * c) u (vscale alpha u) = 0 <-> alpha = 1 \/ beta = 1).
Proof.
  intros H T A B N. rewrite (gap_of_proportional k) by assumption. split.
  - intros E. assert (E' : t * (1 - t) * potential w c u * ((1 - alpha) * (1 - beta)) = 0) by lra.
    apply Rmult_integral in E'. destruct E' as [E' | E'].
    + apply Rmult_integral in E'. destruct E' as [E' | E']; [| contradiction]. apply Rmult_integral in E'. lra.
    + apply Rmult_integral in E'. lra.
  - intros [-> | ->]; ring.
Qed.

(* Other neurons: at one weight c' > 0 of the second there is equality, proportional or not. *)
Theorem weight_of_equality k w u v c' :
  homogeneous k w -> 0 < c' -> 2 * w u < w (vplus u v) < 2 * w v ->
  (gap_of_19 w (1 / 2) 1 c' u v = 0 <-> c' = (w (vplus u v) - 2 * w u) / (2 * w v - w (vplus u v))).
Proof.
  intros H C B. unfold gap_of_19, potential.
  rewrite (weight_entries k w H (mixed (1 / 2) u v) (vscale (1 / 2) (vplus u v)))
    by (intros j _; unfold mixed, vplus, vscale; field).
  rewrite (weight_scales k w H), Rabs_R1, (Rabs_pos_eq c'), (Rabs_pos_eq (1 / 2 * 1 + (1 - 1 / 2) * c')) by lra.
  set (r := w u) in *. set (s := w v) in *. set (t := w (vplus u v)) in *. split.
  - intros E. apply (Rmult_eq_reg_r (2 * s - t)); [| lra]. replace ((t - 2 * r) / (2 * s - t) * (2 * s - t)) with (t
    - 2 * r)
      by (field; lra). lra.
  - intros ->. field. lra.
Qed.

(* Lemma A.1: weights t and 1 - t of two neurons with output weights of one sign. The neuron in their place has the same
   moments (18), so the same output wherever both are active or neither is. *)
Definition joined_output (t c c' : R) : R := t * c + (1 - t) * c'.
Definition joined (t c c' : R) (u v : vector) : vector :=
  mixed (t * Rabs c / (t * Rabs c + (1 - t) * Rabs c')) u v.

Lemma joined_total t c c' : 0 < t < 1 -> 0 < c * c' ->
  0 < t * Rabs c /\ 0 < (1 - t) * Rabs c' /\ Rabs (joined_output t c c') = t * Rabs c + (1 - t) * Rabs c'
  /\ exists s, (s = 1 \/ s = -1) /\ c = s * Rabs c /\ c' = s * Rabs c'.
Proof.
  intros T P. unfold joined_output.
  assert (C : c <> 0 /\ c' <> 0) by (split; intros ->; rewrite ?Rmult_0_l, ?Rmult_0_r in P; lra).
  pose proof (Rabs_pos_lt c (proj1 C)). pose proof (Rabs_pos_lt c' (proj2 C)).
  split; [apply Rmult_lt_0_compat; lra |]. split; [apply Rmult_lt_0_compat; lra |].
  destruct (Rlt_dec 0 c) as [Q | Q].
  - assert (0 < c') by nra. rewrite !Rabs_pos_eq; [| lra | lra |].
    + split; [reflexivity |]. exists 1. split; [left; reflexivity | lra].
    + pose proof (Rmult_lt_0_compat t c). pose proof (Rmult_lt_0_compat (1 - t) c'). lra.
  - assert (c < 0) by lra. assert (c' < 0) by nra. rewrite (Rabs_left c), (Rabs_left c') by assumption. rewrite Rabs_left.
    + split; [ring |]. exists (-1). split; [right; reflexivity | lra].
    + pose proof (Rmult_lt_0_compat t (- c)). pose proof (Rmult_lt_0_compat (1 - t) (- c')). lra.
Qed.

Lemma joined_moment t c c' u v j : 0 < t < 1 -> 0 < c * c' ->
  joined_output t c c' * joined t c c' u v j = t * (c * u j) + (1 - t) * (c' * v j).
Proof.
  intros T P. destruct (joined_total t c c' T P) as [A [B [_ [s [_ [Ec Ec']]]]]].
    unfold joined_output, joined, mixed, vplus, vscale.
  set (m := Rabs c) in *. set (m' := Rabs c') in *. clearbody m m'. subst c c'. field. lra.
Qed.

Theorem two_neurons_are_one_cheaper k w t c c' u v :
  homogeneous k w -> effectively_strictly_convex k w -> 0 < t < 1 -> 0 < c * c' -> ~ same_ray k u v ->
  (forall j, joined_output t c c' * joined t c c' u v j = t * (c * u j) + (1 - t) * (c' * v j))
  /\ (forall x, (0 <= dot k u x /\ 0 <= dot k v x) \/ (dot k u x <= 0 /\ dot k v x <= 0) ->
    joined_output t c c' * relu (dot k (joined t c c' u v) x)
    = t * (c * relu (dot k u x)) + (1 - t) * (c' * relu (dot k v x)))
  /\ potential w (joined_output t c c') (joined t c c' u v) < t * potential w c u + (1 - t) * potential w c' v.
Proof.
  intros H S T P N. destruct (joined_total t c c' T P) as [A [B [E _]]].
  set (q := t * Rabs c / (t * Rabs c + (1 - t) * Rabs c')).
  assert (Q : 0 < q < 1).
  { unfold q. split; [apply Rdiv_lt_0_compat; lra |]. apply (Rmult_lt_reg_r (t * Rabs c + (1 - t) * Rabs c')); [lra |].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  split; [intros j; apply joined_moment; assumption |]. split.
  - intros x X. assert (D : dot k (joined t c c' u v) x = q * dot k u x + (1 - q) * dot k v x)
      by (unfold joined, mixed; fold q; rewrite dot_vplus_l, !dot_vscale_l; reflexivity).
    assert (M : joined_output t c c' * (q * dot k u x + (1 - q) * dot k v x)
      = t * (c * dot k u x) + (1 - t) * (c' * dot k v x)).
    { rewrite <- D. unfold dot, sum_below. rewrite <- !sum_scale, <- sum_plus. apply sum_ext. intros j _.
      rewrite <- Rmult_assoc, joined_moment by assumption. ring. }
    rewrite D. unfold relu. destruct X as [[X Y] | [X Y]].
    + rewrite !Rmax_right; try lra. pose proof (Rmult_le_pos q _ ltac:(lra) X).
      pose proof (Rmult_le_pos (1 - q) _ ltac:(lra) Y). lra.
    + rewrite !Rmax_left; try lra. pose proof (Rmult_le_pos q (- dot k u x) ltac:(lra) ltac:(lra)).
      pose proof (Rmult_le_pos (1 - q) (- dot k v x) ltac:(lra) ltac:(lra)). lra.
  - destruct (S q u v Q) as [L U]. assert (St : w (mixed q u v) < q * w u + (1 - q) * w v).
    { destruct L as [L | L]; [exact L | destruct (N (U L))]. }
    unfold potential, joined. fold q. rewrite E.
    apply Rlt_le_trans with ((t * Rabs c + (1 - t) * Rabs c') * (q * w u + (1 - q) * w v)).
    + apply Rmult_lt_compat_l; [lra | exact St].
    + right. unfold q. field. lra.
Qed.

(* The norm, the weight of variation-norm learning, is such a weight. *)

Lemma norm_homogeneous k : homogeneous k (norm k).
Proof.
  split.
  - intros u v E. unfold norm, dot. f_equal. apply sum_ext. intros j J. apply in_seq in J. rewrite (E j) by lia.
    reflexivity.
  - intros r u R. unfold norm. rewrite dot_vscale_l, dot_vscale_r, <- Rmult_assoc, sqrt_mult_alt by nra.
    rewrite sqrt_square by lra. reflexivity.
  - intros u. apply sqrt_pos.
Qed.

Lemma dot_zero k z : dot k z z = 0 -> forall j, (j < k)%nat -> z j = 0.
Proof.
  intros E j J. assert (Z : z j * z j = 0).
  { apply (sum_zero_terms (fun j => z j * z j) (seq 0 k)); [| exact E | apply in_seq; lia].
    intros i _. pose proof (Rle_0_sqr (z i)) as S. exact S. }
  apply Rmult_integral in Z. tauto.
Qed.

Theorem norm_effectively_strictly_convex k : effectively_strictly_convex k (norm k).
Proof.
  intros t u v T. pose proof (dot_le k u v) as C. unfold norm in *.
  pose proof (sqrt_sqrt _ (dot_self_nonneg k u)) as EU. pose proof (sqrt_sqrt _ (dot_self_nonneg k v)) as EV.
  pose proof (sqrt_pos (dot k u u)) as PU. pose proof (sqrt_pos (dot k v v)) as PV.
  set (a := sqrt (dot k u u)) in *. set (b := sqrt (dot k v v)) in *. set (d := dot k u v) in *.
  assert (M : dot k (mixed t u v) (mixed t u v) = t ^ 2 * a ^ 2 + 2 * t * (1 - t) * d + (1 - t) ^ 2 * b ^ 2).
  { unfold mixed. rewrite dot_vplus_l, !dot_vplus_r, !dot_vscale_l, !dot_vscale_r, (dot_commutes k v u). fold d.
    replace (a ^ 2) with (a * a) by ring. replace (b ^ 2) with (b * b) by ring. rewrite EU, EV. ring. }
  assert (N : 0 <= t * a + (1 - t) * b) by (pose proof (Rmult_le_pos t a); pose proof (Rmult_le_pos (1 - t) b); lra).
  assert (TT : 0 < t * (1 - t)) by (apply Rmult_lt_0_compat; lra). rewrite M. split.
  - apply Rsqr_incr_0_var; [| exact N]. rewrite Rsqr_sqrt by (rewrite <- M; apply dot_self_nonneg). unfold Rsqr. nra.
  - intros E. assert (F : t ^ 2 * a ^ 2 + 2 * t * (1 - t) * d + (1 - t) ^ 2 * b ^ 2 = (t * a + (1 - t) * b) ^ 2).
    { rewrite <- E, pow2_sqrt; [reflexivity |]. rewrite <- M. apply dot_self_nonneg. }
    assert (D : d = a * b) by (apply (Rmult_eq_reg_l (t * (1 - t))); nra).
    assert (Z : dot k (vminus (vscale b u) (vscale a v)) (vminus (vscale b u) (vscale a v)) = 0).
    { rewrite dot_vminus_l, !dot_vminus_r, !dot_vscale_l, !dot_vscale_r, (dot_commutes k v u). fold d.
      rewrite D, <- EU, <- EV. ring. }
    pose proof (dot_zero _ _ Z) as V. destruct (Req_dec (a + b) 0) as [O | O].
    + assert (A0 : a = 0) by lra. assert (B0 : b = 0) by lra. exists 1, 1. repeat split; try lra. intros j J.
      rewrite A0 in EU. rewrite B0 in EV. unfold vscale.
      rewrite (dot_zero k u) by (lra || exact J). rewrite (dot_zero k v) by (lra || exact J). ring.
    + exists b, a. repeat split; try lra. intros j J. specialize (V j J). unfold vminus in V. lra.
Qed.
