(* What it means that a number is a minimum, a maximum, an infimum, a supremum, or that a point is the minimiser or the
   solution; and that there is at most one such number.

   A domain D is a property of points of any type (numbers, pairs, lists), f is what is minimised over it. *)
From Coq Require Import Reals Lra.
Open Scope R_scope.

(* The least value, attained at a point of D. *)
Definition is_min {A : Type} (D : A -> Prop) (f : A -> R) (v : R) : Prop :=
  (exists x, D x /\ f x = v) /\ (forall x, D x -> v <= f x).

(* The greatest value, attained at a point of D. *)
Definition is_max {A : Type} (D : A -> Prop) (f : A -> R) (v : R) : Prop :=
  (exists x, D x /\ f x = v) /\ (forall x, D x -> f x <= v).

(* The greatest lower bound: points of D come as near to it as one likes, attained or not. *)
Definition is_inf {A : Type} (D : A -> Prop) (f : A -> R) (v : R) : Prop :=
  (forall x, D x -> v <= f x) /\ (forall e, 0 < e -> exists x, D x /\ f x < v + e).

(* The least upper bound. *)
Definition is_sup {A : Type} (D : A -> Prop) (f : A -> R) (v : R) : Prop :=
  (forall x, D x -> f x <= v) /\ (forall e, 0 < e -> exists x, D x /\ v - e < f x).

(* A point where the least value is attained. *)
Definition is_argmin {A : Type} (D : A -> Prop) (f : A -> R) (x : A) : Prop :=
  D x /\ (forall y, D y -> f x <= f y).

(* The only such point. *)
Definition is_unique_argmin {A : Type} (D : A -> Prop) (f : A -> R) (x : A) : Prop :=
  D x /\ (forall y, D y -> f x <= f y) /\ (forall y, D y -> f y <= f x -> y = x).

(* A point where the greatest value is attained. *)
Definition is_argmax {A : Type} (D : A -> Prop) (f : A -> R) (x : A) : Prop :=
  D x /\ (forall y, D y -> f y <= f x).

(* The only point of D with the property P (an equation, a system, an identity "for all x"). *)
Definition is_solution_unique {A : Type} (D : A -> Prop) (P : A -> Prop) (x : A) : Prop :=
  D x /\ P x /\ (forall y, D y -> P y -> y = x).

(* What f is at every point of D with the property P, if there is one: points may differ where f does not. *)
Definition is_value_at {A : Type} (D : A -> Prop) (P : A -> Prop) (f : A -> R) (v : R) : Prop :=
  (exists x, D x /\ P x /\ f x = v) /\ (forall x, D x -> P x -> f x = v).

(* 1 if it is so, 0 if not. *)
Definition is_truth (P : Prop) (v : R) : Prop := (P /\ v = 1) \/ (~ P /\ v = 0).

(* Each of these determines its number or point. *)

Lemma is_value_at_unique {A : Type} (D : A -> Prop) P f (v w : R) : is_value_at D P f v -> is_value_at D P f w -> v = w.
Proof. intros [[x [Dx [Px <-]]] _] [_ U]. apply U; assumption. Qed.

Lemma value_unique (x v w : R) : x = v -> x = w -> v = w.
Proof. intros <- <-. reflexivity. Qed.

Lemma is_truth_unique P (v w : R) : is_truth P v -> is_truth P w -> v = w.
Proof. intros [[? ->] | [? ->]] [[? ->] | [? ->]]; tauto. Qed.

Lemma is_min_unique {A : Type} (D : A -> Prop) f v w : is_min D f v -> is_min D f w -> v = w.
Proof.
  intros [[x [Dx <-]] Lx] [[y [Dy <-]] Ly]. apply Rle_antisym; [apply Lx | apply Ly]; assumption.
Qed.

Lemma is_max_unique {A : Type} (D : A -> Prop) f v w : is_max D f v -> is_max D f w -> v = w.
Proof.
  intros [[x [Dx <-]] Lx] [[y [Dy <-]] Ly]. apply Rle_antisym; [apply Ly | apply Lx]; assumption.
Qed.

Lemma is_inf_unique {A : Type} (D : A -> Prop) f v w : is_inf D f v -> is_inf D f w -> v = w.
Proof.
  intros [Lv Av] [Lw Aw]. destruct (Rtotal_order v w) as [H | [H | H]]; [| assumption |].
  - destruct (Av (w - v)) as [x [Dx Hx]]; [lra | specialize (Lw x Dx); lra].
  - destruct (Aw (v - w)) as [x [Dx Hx]]; [lra | specialize (Lv x Dx); lra].
Qed.

Lemma is_sup_unique {A : Type} (D : A -> Prop) f v w : is_sup D f v -> is_sup D f w -> v = w.
Proof.
  intros [Lv Av] [Lw Aw]. destruct (Rtotal_order v w) as [H | [H | H]]; [| assumption |].
  - destruct (Aw (w - v)) as [x [Dx Hx]]; [lra | specialize (Lv x Dx); lra].
  - destruct (Av (v - w)) as [x [Dx Hx]]; [lra | specialize (Lw x Dx); lra].
Qed.

Lemma is_unique_argmin_unique {A : Type} (D : A -> Prop) f x y :
  is_unique_argmin D f x -> is_unique_argmin D f y -> x = y.
Proof. intros [Dx [Lx _]] [Dy [_ Uy]]. apply Uy; auto. Qed.

Lemma is_solution_unique_unique {A : Type} (D : A -> Prop) P (x y : A) :
  is_solution_unique D P x -> is_solution_unique D P y -> x = y.
Proof. intros [Dx [Px _]] [_ [_ Uy]]. auto. Qed.

(* An attained least value is the infimum, and so on. *)

Lemma is_min_inf {A : Type} (D : A -> Prop) f v : is_min D f v -> is_inf D f v.
Proof. intros [[x [Dx E]] L]. split; [exact L | intros e He; exists x; split; [exact Dx | lra]]. Qed.

Lemma is_max_sup {A : Type} (D : A -> Prop) f v : is_max D f v -> is_sup D f v.
Proof. intros [[x [Dx E]] L]. split; [exact L | intros e He; exists x; split; [exact Dx | lra]]. Qed.

Lemma is_argmin_min {A : Type} (D : A -> Prop) f (x : A) : is_argmin D f x -> is_min D f (f x).
Proof. intros [Dx L]. split; [exists x; auto | exact L]. Qed.

Lemma is_argmax_max {A : Type} (D : A -> Prop) f (x : A) : is_argmax D f x -> is_max D f (f x).
Proof. intros [Dx L]. split; [exists x; auto | exact L]. Qed.

Lemma is_unique_argmin_argmin {A : Type} (D : A -> Prop) f (x : A) : is_unique_argmin D f x -> is_argmin D f x.
Proof. intros [Dx [L _]]. split; assumption. Qed.

Lemma is_max_of_min {A : Type} (D : A -> Prop) f v : is_min D (fun x => - f x) (- v) -> is_max D f v.
Proof.
  intros [[x [Dx E]] L]. split; [exists x; split; [exact Dx | lra] | intros y Dy; specialize (L y Dy); lra].
Qed.

Lemma is_sup_of_inf {A : Type} (D : A -> Prop) f v : is_inf D (fun x => - f x) (- v) -> is_sup D f v.
Proof.
  intros [L N]. split; [intros y Dy; specialize (L y Dy); lra |].
  intros e He. destruct (N e He) as [x [Dx Hx]]. exists x. split; [exact Dx | lra].
Qed.

(* An infimum that no point of D attains is no minimum. *)
Lemma not_attained {A : Type} (D : A -> Prop) f v w :
  is_inf D f v -> (forall x, D x -> f x <> v) -> ~ is_min D f w.
Proof.
  intros I N M. assert (E := is_inf_unique D f v w I (is_min_inf D f w M)). destruct M as [[x [Dx Hx]] _].
  apply (N x Dx). lra.
Qed.

(* The quantity depends only on the values on the domain. *)

Lemma is_min_ext {A : Type} (D E : A -> Prop) f g v :
  (forall x, D x <-> E x) -> (forall x, D x -> f x = g x) -> is_min D f v -> is_min E g v.
Proof.
  intros HD Hf [[x [Dx Ex]] L]. split.
  - exists x. split; [apply HD; exact Dx | rewrite <- Hf; assumption].
  - intros y Ey. rewrite <- Hf by (apply HD; exact Ey). apply L, HD, Ey.
Qed.

Lemma is_inf_ext {A : Type} (D E : A -> Prop) f g v :
  (forall x, D x <-> E x) -> (forall x, D x -> f x = g x) -> is_inf D f v -> is_inf E g v.
Proof.
  intros HD Hf [L N]. split.
  - intros y Ey. rewrite <- Hf by (apply HD; exact Ey). apply L, HD, Ey.
  - intros e He. destruct (N e He) as [x [Dx Hx]]. exists x. split; [apply HD, Dx | rewrite <- Hf; assumption].
Qed.
