(* Vectors of R^k: functions w of which w 0, ..., w (k-1) count. *)
From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From ImplicitBias Require Import Lists Tactics Within.
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

(* Combinations of vectors, and the products of combinations by those of the vectors. *)
Definition vplus (u v : vector) : vector := fun j => u j + v j.
Definition vminus (u v : vector) : vector := fun j => u j - v j.
Definition vscale (c : R) (u : vector) : vector := fun j => c * u j.

Lemma dot_commutes k u v : dot k u v = dot k v u.
Proof. apply sum_ext. intros. ring. Qed.

Lemma dot_vplus_r k u v w : dot k u (vplus v w) = dot k u v + dot k u w.
Proof. apply dot_plus. Qed.

Lemma dot_vscale_r k c u v : dot k u (vscale c v) = c * dot k u v.
Proof. unfold dot, sum_below. rewrite <- sum_scale. apply sum_ext. intros. unfold vscale. ring. Qed.

Lemma dot_vminus_r k u v w : dot k u (vminus v w) = dot k u v - dot k u w.
Proof. unfold dot, sum_below. rewrite <- sum_minus. apply sum_ext. intros. unfold vminus. ring. Qed.

Lemma dot_vplus_l k u v w : dot k (vplus v w) u = dot k v u + dot k w u.
Proof. rewrite dot_commutes, dot_vplus_r, (dot_commutes k u v), (dot_commutes k u w). reflexivity. Qed.

Lemma dot_vscale_l k c u v : dot k (vscale c v) u = c * dot k v u.
Proof. rewrite dot_commutes, dot_vscale_r, (dot_commutes k u v). reflexivity. Qed.

Lemma dot_vminus_l k u v w : dot k (vminus v w) u = dot k v u - dot k w u.
Proof. rewrite dot_commutes, dot_vminus_r, (dot_commutes k u v), (dot_commutes k u w). reflexivity. Qed.

Lemma norm_facts k w : 0 <= norm k w /\ norm k w * norm k w = dot k w w.
Proof. unfold norm. split; [apply sqrt_pos | apply sqrt_sqrt, dot_self_nonneg]. Qed.

(* Lengths as variables with their squares, and products of combinations as formulas in the known products. *)
Ltac name_norms :=
  repeat match goal with |- context [norm ?k ?w] => generalize (norm_facts k w); generalize (norm k w) end.
Ltac expand_products :=
  name_norms; rewrite ?dot_vplus_l, ?dot_vminus_l, ?dot_vscale_l, ?dot_vplus_r, ?dot_vminus_r, ?dot_vscale_r;
  repeat match goal with
    | E : dot ?k ?u ?v = _ |- context [dot ?k ?u ?v] => rewrite E
    | E : dot ?k ?u ?v = _ |- context [dot ?k ?v ?u] => rewrite (dot_commutes k v u), E
    end;
  intros; apart;
  repeat match goal with
    | P : 0 <= ?n, S : ?n * ?n = ?r ^ 2 |- _ =>
        is_var n; assert (n = r) by (apply equal_squares; [exact P | nonneg | rewrite S; ring]); clear P S; subst n
    end.

(* What is left: an equation that is linear in the squares of the lengths. *)
Ltac by_products :=
  first
    [ timeout 10 (solve [linear_end])
    | timeout 20 (solve [cases; first [lra | nra | field_simplify_eq; first [lra | nra | solve [side]]]])
    | timeout 20 (solve [decided_by_products; cases; field_simplify_eq; [first [lra | nra] | solve [side]]])
    | equal ].

(* Vectors with the given products: their coordinates are written down. *)
Ltac has_products := repeat apply conj; unfold dot, sum_below; cbn; equal.
