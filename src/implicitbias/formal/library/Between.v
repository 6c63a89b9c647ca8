(* "The smallest cost lies between least and most", as certificates show it. *)
From Coq Require Import Reals Lra Classical.
From ImplicitBias Require Import Quantities.
Open Scope R_scope.

(* Nothing of D costs less than least, and something costs at most most. *)
Definition smallest_between {A : Type} (D : A -> Prop) (cost : A -> R) (least most : R) : Prop :=
  (forall a, D a -> least <= cost a) /\ (exists a, D a /\ cost a <= most).

(* Then the infimum lies between (whether it is attained is not said); and it is the minimum if the two are one number. *)
Theorem smallest_between_infimum {A : Type} (D : A -> Prop) cost least most :
  smallest_between D cost least most -> exists v, least <= v <= most /\ is_inf D cost v.
Proof.
  intros [L [a [Da M]]]. set (E := fun v => exists x, D x /\ v = - cost x).
  destruct (completeness E) as [v [U S]].
  - exists (- least). intros w [x [Dx ->]]. specialize (L x Dx). lra.
  - exists (- cost a), a. auto.
  - assert (B : forall x, D x -> - v <= cost x).
    { intros x Dx. assert (- cost x <= v) by (apply U; exists x; auto). lra. }
    exists (- v). split; [split |].
    + assert (v <= - least); [| lra]. apply S. intros w [x [Dx ->]]. specialize (L x Dx). lra.
    + specialize (B a Da). lra.
    + split; [exact B |]. intros e P. apply NNPP. intros N. assert (v <= v - e); [| lra]. apply S.
      intros w [x [Dx ->]]. apply Rnot_lt_le. intros Q. apply N. exists x. split; [exact Dx | lra].
Qed.

Theorem smallest_between_exact {A : Type} (D : A -> Prop) cost v : smallest_between D cost v v -> is_min D cost v.
Proof.
  intros [L [a [Da M]]]. split; [| exact L]. exists a. split; [exact Da |]. apply Rle_antisym; [exact M | apply L, Da].
Qed.
