(* Derivatives of functions that are made of pieces: from both sides, from one, their jump, and Clarke's in between.
   Around the point the signs of some continuous functions last; where they do, f is a smooth function g. *)
From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From ImplicitBias Require Import Tactics Limits.
Open Scope R_scope.

Definition quotient (f : R -> R) (x z : R) : R := (f z - f x) / (z - x).

Definition is_right_derivative (f : R -> R) (x l : R) : Prop := is_right_limit (quotient f x) x l.
Definition is_left_derivative (f : R -> R) (x l : R) : Prop := is_left_limit (quotient f x) x l.

(* Some combination of the two one-sided derivatives. *)
Definition is_combined (p q : R) (f : R -> R) (x v : R) : Prop :=
  exists l r, is_left_derivative f x l /\ is_right_derivative f x r /\ v = p * r + q * l.

Lemma derivative_unique (f : R -> R) x (l m : R) : is_derive f x l -> is_derive f x m -> l = m.
Proof. intros L M. apply is_derive_unique in L, M. congruence. Qed.

Lemma is_right_derivative_unique f x l m : is_right_derivative f x l -> is_right_derivative f x m -> l = m.
Proof. apply is_right_limit_unique. Qed.

Lemma is_left_derivative_unique f x l m : is_left_derivative f x l -> is_left_derivative f x m -> l = m.
Proof. apply is_left_limit_unique. Qed.

Lemma is_combined_unique p q f x v w : is_combined p q f x v -> is_combined p q f x w -> v = w.
Proof.
  intros [l [r [L [Q ->]]]] [m [s [M [T ->]]]].
  rewrite (is_left_derivative_unique f x l m L M), (is_right_derivative_unique f x r s Q T). reflexivity.
Qed.

(* What is continuous and positive at the point is positive around it. *)
Fixpoint all_continuous (signs : list (R -> R)) (x : R) : Prop :=
  match signs with nil => True | a :: rest => Continuity.continuous a x /\ all_continuous rest x end.

Fixpoint all_positive (signs : list (R -> R)) (x : R) : Prop :=
  match signs with nil => True | a :: rest => 0 < a x /\ all_positive rest x end.

Lemma positive_around signs x :
  all_continuous signs x -> all_positive signs x -> locally x (fun z => all_positive signs z).
Proof.
  induction signs as [| a rest IH]; cbn; intros C P.
  - apply filter_forall. trivial.
  - destruct C as [Ca Cr], P as [Pa Pr]. apply filter_and; [| exact (IH Cr Pr)].
    apply (Ca (fun y => 0 < y)). apply (open_gt 0 (a x) Pa).
Qed.

Lemma derivative_beside signs (f g : R -> R) x l :
  all_continuous signs x -> all_positive signs x -> (forall z, all_positive signs z -> f z = g z) ->
  is_derive g x l -> is_derive f x l.
Proof.
  intros C P E D. apply is_derive_ext_loc with g; [| exact D].
  apply filter_imp with (fun z => all_positive signs z); [| exact (positive_around signs x C P)].
  intros z Z. symmetry. apply E, Z.
Qed.

Lemma quotient_limit (g : R -> R) x l :
  is_derive g x l -> filterlim (quotient g x) (locally' x) (locally l).
Proof.
  intros D. apply is_derive_Reals in D.
  apply filterlim_locally. intros eps. destruct (D eps (cond_pos eps)) as [d Hd]. exists d. intros z B N.
  specialize (Hd (z - x) ltac:(lra)). unfold ball in *. cbn in *. unfold AbsRing_ball, abs, minus, plus, opp in *. cbn in *.
  replace (x + (z - x)) with z in Hd by ring. apply Hd. exact B.
Qed.

Lemma one_sided signs (f g : R -> R) x l (side : R -> Prop) :
  (forall z, side z -> z <> x) ->
  all_continuous signs x -> all_positive signs x -> (forall z, side z -> all_positive signs z -> f z = g z) ->
  f x = g x -> is_derive g x l -> filterlim (quotient f x) (within side (locally x)) (locally l).
Proof.
  intros S C P E Ex D. apply filterlim_ext_loc with (quotient g x).
  - unfold within. apply filter_imp with (fun z => all_positive signs z); [| exact (positive_around signs x C P)].
    intros z Z B. unfold quotient. rewrite (E z B Z), Ex. reflexivity.
  - eapply filterlim_filter_le_1; [| exact (quotient_limit g x l D)].
    intros Q H. unfold locally', within in *. revert H. apply filter_imp. intros z H B. apply H, S, B.
Qed.

Lemma right_derivative_beside signs (f g : R -> R) x l :
  all_continuous signs x -> all_positive signs x -> (forall z, x < z -> all_positive signs z -> f z = g z) ->
  f x = g x -> is_derive g x l -> is_right_derivative f x l.
Proof. intros C P E Ex D. apply (one_sided signs f g x l (fun z => x < z)); auto. intros z Z. lra. Qed.

Lemma left_derivative_beside signs (f g : R -> R) x l :
  all_continuous signs x -> all_positive signs x -> (forall z, z < x -> all_positive signs z -> f z = g z) ->
  f x = g x -> is_derive g x l -> is_left_derivative f x l.
Proof. intros C P E Ex D. apply (one_sided signs f g x l (fun z => z < x)); auto. intros z Z. lra. Qed.

Lemma combined_beside p q (f : R -> R) x l r v :
  is_left_derivative f x l -> is_right_derivative f x r -> p * r + q * l = v -> is_combined p q f x v.
Proof. intros L Q E. exists l, r. auto. Qed.

(* Sums of products of partial derivatives: of each pair of functions in its own variable. *)
Fixpoint is_gradient_product (pairs : list ((R -> R) * (R -> R) * R)) (v : R) : Prop :=
  match pairs with
  | nil => v = 0
  | (f, g, x) :: rest =>
      exists p q w, is_derive f x p /\ is_derive g x q /\ is_gradient_product rest w /\ v = p * q + w
  end.

Lemma is_gradient_product_unique pairs v w : is_gradient_product pairs v -> is_gradient_product pairs w -> v = w.
Proof.
  revert v w. induction pairs as [| [[f g] x] rest IH]; cbn; intros v w.
  - intros -> ->. reflexivity.
  - intros [p [q [a [P [Q [A ->]]]]]] [p' [q' [a' [P' [Q' [A' ->]]]]]].
    rewrite (derivative_unique f x p p' P P'), (derivative_unique g x q q' Q Q'), (IH a a' A A'). reflexivity.
Qed.

Lemma gradient_product_nil v : 0 = v -> is_gradient_product nil v.
Proof. intros <-. reflexivity. Qed.

Lemma gradient_product_cons (f g : R -> R) x p q rest v :
  is_derive f x p -> is_derive g x q -> is_gradient_product rest (v - p * q) ->
  is_gradient_product ((f, g, x) :: rest) v.
Proof. intros P Q W. exists p, q, (v - p * q). split; [exact P | split; [exact Q | split; [exact W | ring]]]. Qed.
