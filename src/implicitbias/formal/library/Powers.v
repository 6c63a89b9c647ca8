(* Arithmetic and geometric means over lists of any length, with real powers. *)
From Coq Require Import Reals Lra Lia List.
From ImplicitBias Require Import Quantities Minima Lists Tactics.
Import ListNotations.
Open Scope R_scope.

(* The product of f over the entries of l. *)
Definition product {A : Type} (f : A -> R) (l : list A) : R := fold_right (fun a p => f a * p) 1 l.

Lemma product_pos {A} (f : A -> R) l : (forall a, In a l -> 0 < f a) -> 0 < product f l.
Proof. induction l; simpl; intros H; [lra | apply Rmult_lt_0_compat; auto]. Qed.

Lemma product_repeat {A} (f : A -> R) a n : product f (repeat a n) = f a ^ n.
Proof. induction n; simpl; [reflexivity | rewrite IHn; reflexivity]. Qed.

Lemma ln_product {A} (f : A -> R) l : (forall a, In a l -> 0 < f a) -> ln (product f l) = sum (fun a => ln (f a)) l.
Proof.
  induction l as [| a l IH]; simpl; intros H; [apply ln_1 |].
  rewrite ln_mult, IH; auto. apply product_pos. auto.
Qed.

(* A positive number lies above the tangent of the exponential: x >= e^c (1 + ln x - c). *)
Lemma above_tangent x c : 0 < x -> exp c * (1 + ln x - c) <= x.
Proof.
  intros H. pose proof (exp_ge_1_plus (ln x - c)) as T. pose proof (exp_pos c) as P.
  assert (E : exp (ln x - c) * exp c = x).
  { rewrite <- exp_plus. replace (ln x - c + c) with (ln x) by ring. apply exp_ln, H. }
  apply (Rmult_le_compat_r (exp c)) in T; [| lra]. lra.
Qed.

(* Among positive numbers with a given product p, n of them, the sum is at least n p^(1/n), attained when all are equal. *)
Theorem min_sum_of_product (p : R) (n : nat) :
  0 < p -> (0 < n)%nat ->
  is_min (fun l => length l = n /\ (forall q, In q l -> 0 < q) /\ product (fun q => q) l = p)
    (sum (fun q => q)) (INR n * Rpower p (1 / INR n)).
Proof.
  intros Hp Hn. assert (N : 0 < INR n) by (apply lt_0_INR; exact Hn).
  apply (min_by_bound _ _ (repeat (Rpower p (1 / INR n)) n)).
  - split; [apply repeat_length | split].
    + intros q I. apply repeat_spec in I. subst q. apply exp_pos.
    + rewrite product_repeat, <- Rpower_pow, Rpower_mult by apply exp_pos.
      replace (1 / INR n * INR n) with 1 by (field; lra). apply Rpower_1, Hp.
  - apply (sum_repeat (fun q => q)).
  - intros l [Hl [Pos Prod]]. set (c := ln p / INR n).
    apply Rle_trans with (sum (fun q => exp c * (1 + ln q - c)) l).
    + rewrite sum_scale.
      assert (E : sum (fun q => 1 + ln q - c) l = INR n * (1 - c) + ln p).
      { rewrite <- Prod, ln_product, <- Hl, <- sum_constant, <- sum_plus by exact Pos. apply sum_ext. intros. ring. }
      rewrite E. unfold Rpower. replace (1 / INR n * ln p) with c by (unfold c; field; lra).
      right. unfold c. field. lra.
    + apply sum_le. intros q I. apply above_tangent, Pos, I.
Qed.

(* The same for a sum of powers q^k (k = 2: the cost of layers whose weights multiply to p). *)
Theorem min_sum_of_powers (p : R) (n k : nat) :
  0 < p -> (0 < n)%nat ->
  is_min (fun l => length l = n /\ (forall q, In q l -> 0 < q) /\ product (fun q => q) l = p)
    (sum (fun q => q ^ k)) (INR n * Rpower p (INR k / INR n)).
Proof.
  intros Hp Hn. assert (N : 0 < INR n) by (apply lt_0_INR; exact Hn).
  apply (min_by_bound _ _ (repeat (Rpower p (1 / INR n)) n)).
  - split; [apply repeat_length | split].
    + intros q I. apply repeat_spec in I. subst q. apply exp_pos.
    + rewrite product_repeat, <- Rpower_pow, Rpower_mult by apply exp_pos.
      replace (1 / INR n * INR n) with 1 by (field; lra). apply Rpower_1, Hp.
  - rewrite sum_repeat, <- Rpower_pow, Rpower_mult by apply exp_pos. do 2 f_equal. field. lra.
  - intros l [Hl [Pos Prod]]. set (c := INR k * ln p / INR n).
    apply Rle_trans with (sum (fun q => exp c * (1 + INR k * ln q - c)) l).
    + rewrite sum_scale.
      assert (E : sum (fun q => 1 + INR k * ln q - c) l = INR n * (1 - c) + INR k * ln p).
      { rewrite <- Prod, ln_product, <- Hl, <- sum_constant, <- sum_scale, <- sum_plus by exact Pos.
        apply sum_ext. intros. ring. }
      rewrite E. unfold Rpower. replace (INR k / INR n * ln p) with c by (unfold c; field; lra).
      right. unfold c. field. lra.
    + apply sum_le. intros q I. rewrite <- ln_pow by (apply Pos, I). apply above_tangent, pow_lt, Pos, I.
Qed.
