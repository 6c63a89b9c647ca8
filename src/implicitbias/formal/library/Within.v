(* A quantity in the place of a formula: what Q says of the function whose value at each point x of D is the number
   with P x. *)
From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From ImplicitBias Require Import Quantities Lists ListMinima Tactics.
Open Scope R_scope.

Definition is_within {A : Type} (D : A -> Prop) (P : A -> R -> Prop) (Q : (A -> R) -> R -> Prop) (v : R) : Prop :=
  (exists g, forall x, D x -> P x (g x)) /\ (forall g, (forall x, D x -> P x (g x)) -> Q g v).

Lemma is_within_unique {A : Type} (D : A -> Prop) (P : A -> R -> Prop) (Q : (A -> R) -> R -> Prop) v w :
  is_within D P Q v -> is_within D P Q w -> (forall g v w, Q g v -> Q g w -> v = w) -> v = w.
Proof. intros [[g G] V] [_ W] U. exact (U g v w (V g G) (W g G)). Qed.

(* By a formula F for the value at each point, where Q does not look beyond D. *)
Lemma within_by_formula {A : Type} (D : A -> Prop) (P : A -> R -> Prop) (Q : (A -> R) -> R -> Prop) (F : A -> R) v :
  (forall x, D x -> P x (F x)) -> (forall x v w, P x v -> P x w -> v = w) ->
  (forall g, (forall x, D x -> F x = g x) -> Q F v -> Q g v) -> Q F v -> is_within D P Q v.
Proof.
  intros H U E V. split; [exists F; exact H |].
  intros g G. apply E; [| exact V]. intros x Dx. apply (U x); [apply H | apply G]; exact Dx.
Qed.

Lemma min_looks_within {A : Type} (D : A -> Prop) (F : A -> R) v g :
  (forall x, D x -> F x = g x) -> is_min D F v -> is_min D g v.
Proof. intros E. apply is_min_ext; [tauto | exact E]. Qed.

Lemma inf_looks_within {A : Type} (D : A -> Prop) (F : A -> R) v g :
  (forall x, D x -> F x = g x) -> is_inf D F v -> is_inf D g v.
Proof. intros E. apply is_inf_ext; [tauto | exact E]. Qed.

Lemma max_looks_within {A : Type} (D : A -> Prop) (F : A -> R) v g :
  (forall x, D x -> F x = g x) -> is_max D F v -> is_max D g v.
Proof.
  intros E [[x [Dx <-]] L]. split; [exists x; rewrite E; auto |]. intros y Dy. rewrite <- E by exact Dy. apply L, Dy.
Qed.

Lemma integral_looks_within a b (F : R -> R) v g :
  a <= b -> (forall x, a < x /\ x < b -> F x = g x) -> is_RInt F a b v -> is_RInt g a b v.
Proof.
  intros L E. apply is_RInt_ext. intros x. rewrite Rmin_left, Rmax_right by exact L. intros X. apply E, X.
Qed.

Lemma sum_minimum_looks_within {A : Type} (D : list A -> Prop) (F : A -> R) v g :
  (forall x, True -> F x = g x) -> is_min D (sum F) v -> is_min D (sum g) v.
Proof. intros E. apply is_min_ext; [tauto |]. intros l _. apply sum_ext. intros x _. apply E, I. Qed.

Lemma list_minimum_looks_within {A : Type} (dom : A -> Prop) n f T (F : A -> R) v g :
  (forall x, dom x -> F x = g x) -> is_min (lists_with_total dom n f T) (sum F) v ->
  is_min (lists_with_total dom n f T) (sum g) v.
Proof.
  intros E. apply is_min_ext; [tauto |]. intros l [_ [M _]]. apply sum_ext. intros x J. apply E, M, J.
Qed.

(* What is left of a formula in other quantities once these are numbers. *)
Ltac settled := first [equal | timeout 20 (solve [equal_powers])].

Ltac apart := repeat match goal with H : _ /\ _ |- _ => destruct H end.
