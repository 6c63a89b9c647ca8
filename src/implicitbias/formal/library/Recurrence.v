(* A sequence is fixed by its start and its step. *)
From Coq Require Import Reals Lra Lia.
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
