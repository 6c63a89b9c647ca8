(* What is true of the rectifier max(0, z), whatever name a generated definition gives it. *)
From Coq Require Import Reals Lra Psatz.
Open Scope R_scope.

Lemma rectifier_abs z : Rmax 0 z = (z + Rabs z) / 2.
Proof. unfold Rmax, Rabs. destruct (Rle_dec 0 z), (Rcase_abs z); lra. Qed.

Lemma rectifier_difference z : Rmax 0 z - Rmax 0 (- z) = z.
Proof. unfold Rmax. destruct (Rle_dec 0 z), (Rle_dec 0 (- z)); lra. Qed.

Lemma rectifier_sum z : Rmax 0 z + Rmax 0 (- z) = Rabs z.
Proof. unfold Rmax, Rabs. destruct (Rle_dec 0 z), (Rle_dec 0 (- z)), (Rcase_abs z); lra. Qed.

(* Positive homogeneity. *)
Lemma rectifier_scale c z : 0 <= c -> Rmax 0 (c * z) = c * Rmax 0 z.
Proof.
  intros H. unfold Rmax. destruct (Rle_dec 0 z) as [Z | Z], (Rle_dec 0 (c * z)) as [W | W]; try ring; nra.
Qed.

Lemma rectifier_divide c z : 0 < c -> Rmax 0 (z / c) = Rmax 0 z / c.
Proof.
  intros H. unfold Rdiv. rewrite !(Rmult_comm _ (/ c)). apply rectifier_scale. left. apply Rinv_0_lt_compat, H.
Qed.

(* A unit with weight w <> 0 is a ramp with its kink at -b/w, going right or left. *)
Lemma unit_right w b x : 0 < w -> Rmax 0 (w * x + b) = w * Rmax 0 (x - - b / w).
Proof. intros H. rewrite <- rectifier_scale by lra. f_equal. field. lra. Qed.

Lemma unit_left w b x : w < 0 -> Rmax 0 (w * x + b) = - w * Rmax 0 (- (x - - b / w)).
Proof. intros H. rewrite <- rectifier_scale by lra. f_equal. field. lra. Qed.

Lemma rectifier_nonneg z : 0 <= Rmax 0 z.
Proof. apply Rmax_l. Qed.

Lemma rectifier_le_abs z : Rmax 0 z <= Rabs z.
Proof. unfold Rmax, Rabs. destruct (Rle_dec 0 z), (Rcase_abs z); lra. Qed.

Lemma rectifier_monotone y z : y <= z -> Rmax 0 y <= Rmax 0 z.
Proof. intros H. unfold Rmax. destruct (Rle_dec 0 y), (Rle_dec 0 z); lra. Qed.

Lemma rectifier_lipschitz y z : Rabs (Rmax 0 y - Rmax 0 z) <= Rabs (y - z).
Proof.
  unfold Rmax, Rabs.
  destruct (Rle_dec 0 y), (Rle_dec 0 z);
    repeat match goal with |- context [Rcase_abs ?x] => destruct (Rcase_abs x) end; lra.
Qed.

(* Convexity: the chord lies above. *)
Lemma rectifier_convex y z t : 0 <= t <= 1 -> Rmax 0 ((1 - t) * y + t * z) <= (1 - t) * Rmax 0 y + t * Rmax 0 z.
Proof.
  intros T. apply Rmax_lub.
  - pose proof (Rmax_l 0 y). pose proof (Rmax_l 0 z). nra.
  - pose proof (Rmax_r 0 y). pose proof (Rmax_r 0 z). nra.
Qed.
