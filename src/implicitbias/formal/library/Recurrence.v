(* A sequence is fixed by its start and its step. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From ImplicitBias Require Import Tactics.
Open Scope R_scope.

Lemma recurrence_unique {A : Type} (step : nat -> A -> A) (u v : nat -> A) :
  u O = v O -> (forall n, u (S n) = step n (u n)) -> (forall n, v (S n) = step n (v n)) -> forall n, u n = v n.
Proof. intros Z U V n. induction n; [exact Z | rewrite U, V, IHn; reflexivity]. Qed.

(* From a first index m on. *)
Lemma recurrence_unique_from {A : Type} (m : nat) (step : nat -> A -> A) (u v : nat -> A) :
  u m = v m -> (forall n, (m <= n)%nat -> u (S n) = step n (u n)) ->
  (forall n, (m <= n)%nat -> v (S n) = step n (v n)) -> forall n, (m <= n)%nat -> u n = v n.
Proof. intros Z U V n H. induction H; [exact Z | rewrite U, V, IHle by assumption; reflexivity]. Qed.

(* Two bases and a step of two (the dimension, d to d + 2), from a first index m on. *)
Lemma recurrence_unique_by_two {A : Type} (m : nat) (step : nat -> A -> A) (u v : nat -> A) :
  u m = v m -> u (S m) = v (S m) -> (forall n, (m <= n)%nat -> u (S (S n)) = step n (u n)) ->
  (forall n, (m <= n)%nat -> v (S (S n)) = step n (v n)) -> forall n, (m <= n)%nat -> u n = v n.
Proof.
  intros Z W U V n H. assert (B : u n = v n /\ u (S n) = v (S n)); [| apply B].
  induction H as [| n H [I J]]; split; auto. rewrite U, V, I by assumption. reflexivity.
Qed.

(* Geometric: u(n+1) = q u(n). *)
Lemma geometric (u : nat -> R) (r q : R) : u O = r -> (forall n, u (S n) = q * u n) -> forall n, u n = r * q ^ n.
Proof.
  intros Z U. apply (recurrence_unique (fun _ x => q * x)); [rewrite Z; simpl; ring | exact U | intros; simpl; ring].
Qed.

(* Affine with fixed point s: u(n+1) = s + q (u(n) - s). *)
Lemma towards_fixed_point (u : nat -> R) (r s q : R) :
  u O = r -> (forall n, u (S n) = s + q * (u n - s)) -> forall n, u n = s + (r - s) * q ^ n.
Proof.
  intros Z U. apply (recurrence_unique (fun _ x => s + q * (x - s)));
    [rewrite Z; simpl; ring | exact U | intros; simpl; ring].
Qed.

(* The term at n of the sequence with a start and a step. *)
Fixpoint term (start : R) (step : nat -> R -> R) (n : nat) : R :=
  match n with O => start | S m => step m (term start step m) end.

Lemma term_equal (start : R) (step : nat -> R -> R) (v : nat -> R) :
  start = v O -> (forall n, step n (v n) = v (S n)) -> forall n, term start step n = v n.
Proof. intros Z T n. induction n; [exact Z |]. cbn [term]. rewrite IHn. apply T. Qed.

Lemma term_step (start : R) (step other : nat -> R -> R) (n : nat) (v : R) :
  (forall m x, step m x = other m x) -> term start other n = v -> term start step n = v.
Proof. intros E <-. induction n; [reflexivity |]. cbn [term]. rewrite IHn. apply E. Qed.

(* What gradient descent on a loss has reached after n steps: previous - rate * loss'(previous). *)
Definition is_descent (loss : R -> R) (rate : nat -> R) (start : R) (n : nat) (v : R) : Prop :=
  (forall u, ex_derive loss u) /\ term start (fun m x => x - rate m * Derive loss x) n = v.

Lemma is_descent_unique loss rate start n v w :
  is_descent loss rate start n v -> is_descent loss rate start n w -> v = w.
Proof. intros [_ <-] [_ <-]. reflexivity. Qed.

Lemma descent_by_slope (slope loss : R -> R) (rate : nat -> R) (start : R) (n : nat) (v : R) :
  (forall u, is_derive loss u (slope u)) -> term start (fun m x => x - rate m * slope x) n = v ->
  is_descent loss rate start n v.
Proof.
  intros D T. split; [intros u; exists (slope u); apply D |].
  apply (term_step _ _ (fun m x => x - rate m * slope x)); [| exact T].
  intros m x. f_equal. f_equal. apply is_derive_unique, D.
Qed.

(* Powers and factorials of the next index by those of this one. *)
Ltac next_index :=
  intros; cbv beta; rewrite ?pow_add, ?pow_mult, ?fact_simpl, ?mult_INR, ?plus_INR, ?S_INR;
  cbn [pow INR fact Nat.add Nat.mul]; first [ring | field; side | equal].
