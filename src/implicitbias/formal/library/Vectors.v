(* Vectors of R^k: functions w of which w 0, ..., w (k-1) count. *)
From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From ImplicitBias Require Import Lists.
Open Scope R_scope.

Definition vector := nat -> R.
Definition dot (k : nat) (u v : vector) : R := sum_below (fun j => u j * v j) k.
Definition norm (k : nat) (w : vector) : R := sqrt (dot k w w).

Lemma dot_le k u v : dot k u v <= norm k u * norm k v.
Proof.
  unfold norm, dot. pose proof (sum_cauchy_schwarz u v (seq 0 k)) as C. fold (sum_below (fun j => u j * v j) k) in C.
  assert (P : forall w : vector, sum (fun a => w a ^ 2) (seq 0 k) = sum_below (fun j => w j * w j) k).
  { intros w. apply sum_ext. intros. ring. }
  rewrite !P in C. rewrite <- sqrt_mult_alt.
  - apply Rle_trans with (sqrt (sum_below (fun j => u j * v j) k ^ 2)); [| apply sqrt_le_1_alt, C].
    rewrite <- Rsqr_pow2, sqrt_Rsqr_abs. apply Rle_abs.
  - rewrite <- P. apply sum_nonneg. intros. apply pow2_ge_0.
Qed.

Lemma dot_plus k u v w : dot k u (fun j => v j + w j) = dot k u v + dot k u w.
Proof. unfold dot, sum_below. rewrite <- sum_plus. apply sum_ext. intros. ring. Qed.

Lemma dot_times k u v c : dot k u (fun j => v j * c) = dot k u v * c.
Proof. unfold dot, sum_below. rewrite <- sum_scale_right. apply sum_ext. intros. ring. Qed.

Lemma dot_self_nonneg k u : 0 <= dot k u u.
Proof. apply sum_nonneg. intros j _. pose proof (pow2_ge_0 (u j)). lra. Qed.

Lemma dot_opposite k u v : dot k u (fun j => - v j) = - dot k u v.
Proof. unfold dot, sum_below. rewrite <- sum_opposite. apply sum_ext. intros. ring. Qed.

Lemma norm_opposite k v : norm k (fun j => - v j) = norm k v.
Proof. unfold norm, dot, sum_below. f_equal. apply sum_ext. intros. ring. Qed.

Lemma dot_abs k u v : Rabs (dot k u v) <= norm k u * norm k v.
Proof.
  apply Rabs_le_between. pose proof (dot_le k u v). pose proof (dot_le k u (fun j => - v j)) as N.
  rewrite dot_opposite, norm_opposite in N. lra.
Qed.
