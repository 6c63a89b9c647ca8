(* Derivatives at a point: of what is smooth near it, from one side, products of gradients. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From ImplicitBias Require Import Tactics Limits.
Open Scope R_scope.

(* The limit of difference quotients from the right, from the left. *)
Definition is_right_derive (f : R -> R) (a d : R) : Prop := is_right_limit (fun z => (f z - f a) / (z - a)) a d.
Definition is_left_derive (f : R -> R) (a d : R) : Prop := is_left_limit (fun z => (f z - f a) / (z - a)) a d.

(* The right derivative minus the left one; one of Clarke's derivatives, with a share of the right one. *)
Definition is_derive_jump (f : R -> R) (a v : R) : Prop :=
  exists l r, is_left_derive f a l /\ is_right_derive f a r /\ r - l = v.
Definition is_derive_between (share : R) (f : R -> R) (a v : R) : Prop :=
  exists l r, is_left_derive f a l /\ is_right_derive f a r /\ 0 <= share <= 1 /\ share * r + (1 - share) * l = v.

(* The sum of the products of the partial derivatives of two functions: for each variable both as functions of it, and
   its place. *)
Fixpoint is_gradient_product (ds : list ((R -> R) * (R -> R) * R)) (v : R) : Prop :=
  match ds with
  | nil => v = 0
  | cons (f, g, a) more =>
      exists d e w, is_derive f a d /\ is_derive g a e /\ is_gradient_product more w /\ v = d * e + w
  end.

Lemma is_derive_unique_value (f : R -> R) (a d e : R) : is_derive f a d -> is_derive f a e -> d = e.
Proof. intros D E. rewrite <- (is_derive_unique f a d D). apply is_derive_unique, E. Qed.

Lemma is_right_derive_unique f a d e : is_right_derive f a d -> is_right_derive f a e -> d = e.
Proof. apply is_right_limit_unique. Qed.

Lemma is_left_derive_unique f a d e : is_left_derive f a d -> is_left_derive f a e -> d = e.
Proof. apply is_left_limit_unique. Qed.

Lemma is_derive_jump_unique f a v w : is_derive_jump f a v -> is_derive_jump f a w -> v = w.
Proof.
  intros [l [r [L [D <-]]]] [m [s [M [E <-]]]].
  rewrite (is_left_derive_unique f a l m L M), (is_right_derive_unique f a r s D E). reflexivity.
Qed.

Lemma is_derive_between_unique share f a v w : is_derive_between share f a v -> is_derive_between share f a w -> v = w.
Proof.
  intros [l [r [L [D [_ <-]]]]] [m [s [M [E [_ <-]]]]].
  rewrite (is_left_derive_unique f a l m L M), (is_right_derive_unique f a r s D E). reflexivity.
Qed.

Lemma is_gradient_product_unique ds : forall v w, is_gradient_product ds v -> is_gradient_product ds w -> v = w.
Proof.
  induction ds as [| [[f g] a] more IH]; simpl; intros v w.
  - intros -> ->. reflexivity.
  - intros [d [e [x [D [E [X ->]]]]]] [d' [e' [x' [D' [E' [X' ->]]]]]].
    rewrite (is_derive_unique_value f a d d' D D'), (is_derive_unique_value g a e e' E E'), (IH x x' X X'). reflexivity.
Qed.

(* What is positive at a point stays so around it. *)
Lemma positive_around (h : R -> R) (a : R) : continuous h a -> 0 < h a -> locally a (fun z => 0 < h z).
Proof. intros C P. apply (C (fun y => 0 < y)), (open_gt 0), P. Qed.

(* f agrees with g where S holds, which is around the point. *)
Lemma derive_around (f g : R -> R) (a d : R) (S : R -> Prop) :
  locally a S -> (forall z, S z -> f z = g z) -> is_derive g a d -> is_derive f a d.
Proof.
  intros L E D. apply (is_derive_ext_loc g f a d); [| exact D].
  apply (filter_imp (F := locally a) S); [intros z H; symmetry; apply E, H | exact L].
Qed.

Lemma quotients_tend (g : R -> R) (a d : R) : is_derive g a d -> is_lim (fun z => (g z - g a) / (z - a)) a d.
Proof.
  intros D. apply is_derive_Reals in D. apply is_lim_spec. intros e.
  destruct (D e (cond_pos e)) as [r Hr]. exists r. intros z B N. specialize (Hr (z - a)).
  rewrite (Rplus_minus a z) in Hr. apply Hr; [intros Z; apply N; lra | exact B].
Qed.

Lemma right_derive_around (f g : R -> R) (a d : R) (S : R -> Prop) :
  locally a S -> (forall z, a <= z -> S z -> f z = g z) -> is_derive g a d -> is_right_derive f a d.
Proof.
  intros L E D. assert (Q := quotients_tend g a d D). assert (F : f a = g a).
  { apply E; [lra | apply (locally_singleton a S L)]. }
  unfold is_right_derive, is_right_limit.
  apply filterlim_ext_loc with (fun z => (g z - g a) / (z - a)).
  - destruct L as [r Hr]. exists r. intros z B A. rewrite E, F; [reflexivity | lra | apply Hr, B].
  - intros P HP. destruct (Q P HP) as [r Hr]. exists r. intros z B A. apply Hr; [exact B | lra].
Qed.

Lemma left_derive_around (f g : R -> R) (a d : R) (S : R -> Prop) :
  locally a S -> (forall z, z <= a -> S z -> f z = g z) -> is_derive g a d -> is_left_derive f a d.
Proof.
  intros L E D. assert (Q := quotients_tend g a d D). assert (F : f a = g a).
  { apply E; [lra | apply (locally_singleton a S L)]. }
  unfold is_left_derive, is_left_limit.
  apply filterlim_ext_loc with (fun z => (g z - g a) / (z - a)).
  - destruct L as [r Hr]. exists r. intros z B A. rewrite E, F; [reflexivity | lra | apply Hr, B].
  - intros P HP. destruct (Q P HP) as [r Hr]. exists r. intros z B A. apply Hr; [exact B | lra].
Qed.

(* Both sides have the same derivative. *)
Lemma derive_of_sides (f : R -> R) (a d : R) : is_left_derive f a d -> is_right_derive f a d -> is_derive f a d.
Proof.
  intros L D. apply is_derive_Reals. intros e He.
  destruct (L _ (locally_ball d (mkposreal e He))) as [r Hr].
  destruct (D _ (locally_ball d (mkposreal e He))) as [s Hs].
  assert (P : 0 < Rmin r s) by (apply Rmin_pos; apply cond_pos).
  exists (mkposreal _ P). intros h N B. simpl in B.
  assert (Br : Rabs h < r) by (eapply Rlt_le_trans; [exact B | apply Rmin_l]).
  assert (Bs : Rabs h < s) by (eapply Rlt_le_trans; [exact B | apply Rmin_r]).
  assert (N' : forall t : posreal, Rabs h < t -> ball a t (a + h)).
  { intros t T. change (Rabs (a + h + - a) < t). replace (a + h + - a) with h by ring. exact T. }
  destruct (Rdichotomy h 0 N) as [H | H].
  - assert (A := Hr (a + h) (N' r Br) ltac:(lra)). change (Rabs ((f (a + h) - f a) / (a + h - a) + - d) < e) in A.
    replace (a + h - a) with h in A by ring. exact A.
  - assert (A := Hs (a + h) (N' s Bs) ltac:(lra)). change (Rabs ((f (a + h) - f a) / (a + h - a) + - d) < e) in A.
    replace (a + h - a) with h in A by ring. exact A.
Qed.

(* Signs that hold around a point. *)
Ltac nearby :=
  lazymatch goal with
  | |- locally ?a (fun z => 0 < @?h z /\ @?more z) =>
      apply (filter_and (F := locally a) (fun z => 0 < h z) more);
      [apply (positive_around h a); [continuous | cbv beta; nonneg] | nearby]
  | |- locally _ _ => apply filter_forall; intros; exact I
  end.
Ltac around_by lemma g S :=
  apply (lemma _ g _ _ S); [nearby | intros; cbv beta in *; open; equal | cbv beta; derivative].
