(* Finite sums over lists of any length. *)
From Coq Require Import Reals Lra Lia List.
Import ListNotations.
Open Scope R_scope.

(* f summed over the entries of l. *)
Definition sum {A : Type} (f : A -> R) (l : list A) : R := fold_right (fun a s => f a + s) 0 l.

(* f(i) summed over i = 0, ..., n-1. *)
Definition sum_below (f : nat -> R) (n : nat) : R := sum f (seq 0 n).

Lemma sum_nil {A} (f : A -> R) : sum f [] = 0.
Proof. reflexivity. Qed.

Lemma sum_cons {A} (f : A -> R) a l : sum f (a :: l) = f a + sum f l.
Proof. reflexivity. Qed.

Lemma sum_app {A} (f : A -> R) l m : sum f (l ++ m) = sum f l + sum f m.
Proof. induction l; simpl; [lra | rewrite IHl; lra]. Qed.

Lemma sum_map {A B} (f : B -> R) (g : A -> B) l : sum f (map g l) = sum (fun a => f (g a)) l.
Proof. induction l; simpl; [reflexivity | rewrite IHl; reflexivity]. Qed.

Lemma sum_ext {A} (f g : A -> R) l : (forall a, In a l -> f a = g a) -> sum f l = sum g l.
Proof. induction l; simpl; intros H; [reflexivity | rewrite H, IHl; auto]. Qed.

Lemma sum_plus {A} (f g : A -> R) l : sum (fun a => f a + g a) l = sum f l + sum g l.
Proof. induction l; simpl; [lra | rewrite IHl; lra]. Qed.

Lemma sum_minus {A} (f g : A -> R) l : sum (fun a => f a - g a) l = sum f l - sum g l.
Proof. induction l; simpl; [lra | rewrite IHl; lra]. Qed.

Lemma sum_scale {A} c (f : A -> R) l : sum (fun a => c * f a) l = c * sum f l.
Proof. induction l; simpl; [lra | rewrite IHl; lra]. Qed.

Lemma sum_scale_right {A} c (f : A -> R) l : sum (fun a => f a * c) l = sum f l * c.
Proof. induction l; simpl; [lra | rewrite IHl; lra]. Qed.

Lemma sum_divide {A} c (f : A -> R) l : sum (fun a => f a / c) l = sum f l / c.
Proof. apply sum_scale_right. Qed.

Lemma sum_opposite {A} (f : A -> R) l : sum (fun a => - f a) l = - sum f l.
Proof. induction l; simpl; [lra | rewrite IHl; lra]. Qed.

Lemma sum_zero {A} (l : list A) : sum (fun _ => 0) l = 0.
Proof. induction l; simpl; [lra | rewrite IHl; lra]. Qed.

Lemma sum_constant {A} c (l : list A) : sum (fun _ => c) l = INR (length l) * c.
Proof.
  induction l; [simpl; ring |]. rewrite sum_cons, IHl. change (length (a :: l)) with (S (length l)).
  rewrite S_INR. ring.
Qed.

Lemma sum_repeat {A} (f : A -> R) a n : sum f (repeat a n) = INR n * f a.
Proof. induction n; [simpl; ring |]. rewrite S_INR. simpl. rewrite IHn. ring. Qed.

(* The order of two summations. *)
Lemma sum_swap {A B} (h : A -> B -> R) l m :
  sum (fun a => sum (h a) m) l = sum (fun b => sum (fun a => h a b) l) m.
Proof. induction l; simpl; [symmetry; apply sum_zero | rewrite IHl, <- sum_plus; reflexivity]. Qed.

Lemma sum_le {A} (f g : A -> R) l : (forall a, In a l -> f a <= g a) -> sum f l <= sum g l.
Proof. induction l; simpl; intros H; [lra | apply Rplus_le_compat; auto]. Qed.

Lemma sum_nonneg {A} (f : A -> R) l : (forall a, In a l -> 0 <= f a) -> 0 <= sum f l.
Proof. intros H. rewrite <- (sum_zero l). apply sum_le, H. Qed.

(* Triangle inequality. *)
Lemma sum_abs {A} (f : A -> R) l : Rabs (sum f l) <= sum (fun a => Rabs (f a)) l.
Proof.
  induction l; simpl; [rewrite Rabs_R0; lra |]. eapply Rle_trans; [apply Rabs_triang |].
  apply Rplus_le_compat_l, IHl.
Qed.

(* A sum of nonnegative terms is 0 only if all are. *)
Lemma sum_zero_terms {A} (f : A -> R) l :
  (forall a, In a l -> 0 <= f a) -> sum f l = 0 -> forall a, In a l -> f a = 0.
Proof.
  induction l as [| b l IH]; simpl; intros N Z a; [contradiction |].
  assert (0 <= f b) by auto. assert (0 <= sum f l) by (apply sum_nonneg; auto).
  intros [-> | I]; [lra | apply IH; auto; lra].
Qed.

(* (sum f)^2 <= length * sum f^2, and the gap. *)
Lemma sum_squares_about {A} (f : A -> R) c l :
  sum (fun a => (f a - c) ^ 2) l = sum (fun a => f a ^ 2) l - 2 * c * sum f l + INR (length l) * c ^ 2.
Proof.
  induction l; [simpl; ring |]. rewrite !sum_cons, IHl. change (length (a :: l)) with (S (length l)). rewrite S_INR. ring.
Qed.

Lemma sum_squares_gap {A} (f : A -> R) l :
  l <> [] ->
  sum (fun a => f a ^ 2) l - sum f l ^ 2 / INR (length l) = sum (fun a => (f a - sum f l / INR (length l)) ^ 2) l.
Proof.
  intros H. assert (N : INR (length l) <> 0) by (apply not_0_INR; destruct l; [contradiction | discriminate]).
  rewrite sum_squares_about. field. exact N.
Qed.

(* Cauchy-Schwarz: (sum f g)^2 <= sum f^2 * sum g^2. *)
Lemma sum_cauchy_schwarz {A} (f g : A -> R) l :
  sum (fun a => f a * g a) l ^ 2 <= sum (fun a => f a ^ 2) l * sum (fun a => g a ^ 2) l.
Proof.
  set (F := sum (fun a => f a ^ 2) l). set (G := sum (fun a => g a ^ 2) l). set (P := sum (fun a => f a * g a) l).
  assert (Q : forall s t, 0 <= s ^ 2 * F - 2 * (s * t) * P + t ^ 2 * G).
  { intros s t. replace (s ^ 2 * F - 2 * (s * t) * P + t ^ 2 * G) with (sum (fun a => (s * f a - t * g a) ^ 2) l).
    - apply sum_nonneg. intros. apply pow2_ge_0.
    - unfold F, G, P. rewrite <- !sum_scale, <- sum_minus, <- sum_plus. apply sum_ext. intros. ring. }
  assert (PF : 0 <= F) by (apply sum_nonneg; intros; apply pow2_ge_0).
  assert (PG : 0 <= G) by (apply sum_nonneg; intros; apply pow2_ge_0).
  destruct (Req_dec F 0) as [Z | N].
  - (* F = 0: then 2 t P <= t^2 G for s = 1, all t, so P = 0. *)
    rewrite Z in *. destruct (Req_dec P 0) as [-> | NP]; [lra |].
    pose proof (Q ((G + 1) / P) 1) as B.
      replace (((G + 1) / P) ^ 2 * 0 - 2 * ((G + 1) / P * 1) * P + 1 ^ 2 * G) with (- G - 2) in B by (field; exact NP).
      lra.
  - pose proof (Q P F) as B. replace (P ^ 2 * F - 2 * (P * F) * P + F ^ 2 * G) with (F * (F * G - P ^ 2)) in B by ring.
    assert (0 < F) by lra. apply Rnot_lt_le. intros L.
    assert (0 < F * (P ^ 2 - F * G)) by (apply Rmult_lt_0_compat; lra). lra.
Qed.

(* Sums over 0, ..., n-1 by recurrence. *)
Lemma sum_below_0 f : sum_below f 0 = 0.
Proof. reflexivity. Qed.

Lemma sum_below_S f n : sum_below f (S n) = sum_below f n + f n.
Proof. unfold sum_below. rewrite seq_S, sum_app. simpl. ring. Qed.

Lemma sum_below_closed (f : nat -> R) (F : nat -> R) :
  F 0%nat = 0 -> (forall n, F (S n) - F n = f n) -> forall n, sum_below f n = F n.
Proof. intros Z E n. induction n; [rewrite Z; reflexivity | rewrite sum_below_S, IHn, <- E; ring]. Qed.
