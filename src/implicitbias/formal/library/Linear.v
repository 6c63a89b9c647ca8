(* Sums over lists, means under a law and integrals against a measure: linear in what an entry contributes. *)
From Coq Require Import Reals Lra List.
From ImplicitBias Require Import Quantities Lists Tactics.
Import ListNotations.
Open Scope R_scope.

(* `I f v`: f has the integral v. Of an integral no more is used than that it is one number, is linear, and does not see
   what lies outside the domain: so a theorem about all of them holds of every measure, whatever its sign. *)
Definition functional (A : Type) := (A -> R) -> R -> Prop.

Definition linear {A : Type} (dom : A -> Prop) (I : functional A) : Prop :=
  (forall f v w, I f v -> I f w -> v = w) /\ I (fun _ => 0) 0 /\
  (forall f g v w, I f v -> I g w -> I (fun e => f e + g e) (v + w)) /\
  (forall c f v, I f v -> I (fun e => c * f e) (c * v)) /\
  (forall f g v, (forall e, dom e -> f e = g e) -> I f v -> I g v).

(* What the term integrates to, for every integral on the domain with the given totals. *)
Definition is_integral_given {A : Type} (dom : A -> Prop) (totals : functional A -> Prop) (term : A -> R) (v : R) : Prop :=
  (exists I, linear dom I /\ totals I) /\ (forall I, linear dom I -> totals I -> I term v).

(* What the term adds up to, for every list of n entries of the domain with the given totals. *)
Definition is_sum_given {A : Type} (dom : A -> Prop) (n : nat) (totals : functional A -> Prop) (term : A -> R) (v : R) : Prop :=
  is_value_at (fun l => length l = n /\ (forall e, In e l -> dom e)) (fun l => totals (fun f v => sum f l = v)) (sum term) v.

Lemma is_integral_given_unique {A : Type} (dom : A -> Prop) totals term v w :
  is_integral_given dom totals term v -> is_integral_given dom totals term w -> v = w.
Proof. intros [[I [L T]] V] [_ W]. exact (proj1 L term v w (V I L T) (W I L T)). Qed.

Lemma is_sum_given_unique {A : Type} (dom : A -> Prop) n totals term v w :
  is_sum_given dom n totals term v -> is_sum_given dom n totals term w -> v = w.
Proof. apply is_value_at_unique. Qed.

Definition sum_over {A : Type} (l : list A) : functional A := fun f v => sum f l = v.
Definition mean_over {A : Type} (l : list A) : functional A := fun f v => sum f l / INR (length l) = v.

(* A list of which every entry lies in the domain. *)
Lemma sum_is_linear {A : Type} (dom : A -> Prop) (l : list A) :
  (forall e, In e l -> dom e) -> linear dom (sum_over l).
Proof.
  intros H. unfold sum_over. repeat split.
  - intros f v w <- <-. reflexivity.
  - apply sum_zero.
  - intros f g v w <- <-. apply sum_plus.
  - intros c f v <-. apply sum_scale.
  - intros f g v E <-. symmetry. apply sum_ext. intros e J. apply E, H, J.
Qed.

(* The mean over the entries of a list is one of those integrals. *)
Lemma mean_is_linear {A : Type} (dom : A -> Prop) (l : list A) :
  (forall e, In e l -> dom e) -> linear dom (mean_over l).
Proof.
  intros H. unfold mean_over. repeat split.
  - intros f v w <- <-. reflexivity.
  - rewrite sum_zero. unfold Rdiv. ring.
  - intros f g v w <- <-. rewrite sum_plus. unfold Rdiv. ring.
  - intros c f v <-. rewrite sum_scale. unfold Rdiv. ring.
  - intros f g v E <-. f_equal. symmetry. apply sum_ext. intros e J. apply E, H, J.
Qed.

(* A combination of functions, each with its coefficient and its total. *)
Fixpoint combination {A : Type} (parts : list (R * (A -> R) * R)) (e : A) : R :=
  match parts with nil => 0 | (c, f, _) :: rest => c * f e + combination rest e end.
Fixpoint combined {A : Type} (parts : list (R * (A -> R) * R)) : R :=
  match parts with nil => 0 | (c, _, T) :: rest => c * T + combined rest end.
Fixpoint totals_are {A : Type} (I : functional A) (parts : list (R * (A -> R) * R)) : Prop :=
  match parts with nil => True | (_, f, T) :: rest => I f T /\ totals_are I rest end.

Lemma of_combination {A : Type} (dom : A -> Prop) I (term : A -> R) parts v :
  linear dom I -> totals_are I parts -> (forall e, dom e -> combination parts e = term e) -> combined parts = v -> I term v.
Proof.
  intros [U [Z [P [S E]]]] T H <-. apply (E (combination parts)); [exact H |]. clear H.
  induction parts as [| [[c f] t] rest IH]; [exact Z |]. destruct T as [F T].
  exact (P (fun e => c * f e) (combination rest) (c * t) (combined rest) (S c f t F) (IH T)).
Qed.

Lemma integral_by_combination {A : Type} (dom : A -> Prop) totals (term : A -> R) parts v :
  (exists I, linear dom I /\ totals I) -> (forall I : functional A, totals I -> totals_are I parts) ->
  (forall e, dom e -> combination parts e = term e) -> combined parts = v -> is_integral_given dom totals term v.
Proof.
  intros X T H E. split; [exact X |]. intros I L G. exact (of_combination dom I term parts v L (T I G) H E).
Qed.

(* Of a list the length is one more total: of 1. *)
Lemma sum_by_combination {A : Type} (dom : A -> Prop) n totals (term : A -> R) parts v :
  (exists l : list A, length l = n /\ (forall e, In e l -> dom e) /\ totals (fun f v => sum f l = v)) ->
  (forall I : functional A, I (fun _ => 1) (INR n) -> totals I -> totals_are I parts) ->
  (forall e, dom e -> combination parts e = term e) -> combined parts = v -> is_sum_given dom n totals term v.
Proof.
  intros [l [N [M X]]] T H E.
  assert (B : forall l, length l = n /\ (forall e, In e l -> dom e) -> totals (fun f v => sum f l = v) -> sum term l = v).
  { intros k [K J] G. apply (of_combination dom (fun f v => sum f k = v) term parts v); auto; [apply sum_is_linear, J |].
    apply T; [| exact G]. rewrite sum_constant, K. ring. }
  split; [| exact B]. exists l. split; [auto | split; [exact X | apply B; auto]].
Qed.

(* The totals that are known, in the order in which the coefficients stand. *)
Ltac known_totals := intros; cbv beta in *; cbn [totals_are]; tauto.

Lemma sum_looks_within {A : Type} (dom : A -> Prop) n totals (F : A -> R) v g :
  (forall e, dom e -> F e = g e) -> is_sum_given dom n totals F v -> is_sum_given dom n totals g v.
Proof.
  intros E [[l [[N M] [T V]]] B].
  assert (S : forall k, (forall e, In e k -> dom e) -> sum g k = sum F k).
  { intros k K. symmetry. apply sum_ext. intros e J. apply E, K, J. }
  split; [exists l; rewrite S by exact M; auto |]. intros k [K J] X. rewrite S by exact J. apply B; auto.
Qed.

Lemma measure_looks_within {A : Type} (dom : A -> Prop) totals (F : A -> R) v g :
  (forall e, dom e -> F e = g e) -> is_integral_given dom totals F v -> is_integral_given dom totals g v.
Proof. intros E [X B]. split; [exact X |]. intros I L T. apply (proj2 (proj2 (proj2 (proj2 L))) F g v E), B; assumption. Qed.

(* The term of an entry as a combination of what it adds to the totals. *)
Ltac on_a_border :=
  repeat match goal with
    | E : ?x = 0 |- _ => is_var x; subst x
    | E : ?x - ?y = 0 |- _ => is_var x; apply Rminus_diag_uniq in E; subst x
    | E : ?x + ?y = 0 |- _ => is_var x; assert (x = - y) by lra; clear E; subst x
    end.
Ltac shown_by_nra := first [lra | timeout 2 nra].
Ltac decided_by_nra :=
  repeat match goal with
    | |- context [Rmax ?a ?b] => first [rewrite (Rmax_right a b) by shown_by_nra | rewrite (Rmax_left a b) by shown_by_nra]
    | |- context [Rabs ?a] => first [rewrite (Rabs_pos_eq a) by shown_by_nra | rewrite (Rabs_left1 a) by shown_by_nra]
    end.
Ltac term_by_totals :=
  on_a_border;
  first
    [ timeout 8 (solve [exfalso; contradicted])
    | timeout 60 (solve [equal])
    | timeout 30 (solve [progress decided_by_nra; cases_with_products; product_end]) ].

(* A written list with its totals. *)
Ltac each_entry :=
  let e := fresh "e" in let J := fresh "J" in
  intros e J; cbn [In] in J; repeat destruct J as [J | J]; try contradiction; subst e; cbv beta iota; defined.
Ltac has_totals := cbv beta; unfold sum_over, mean_over; cbn [sum fold_right length INR]; repeat apply conj; first [exact I | equal].
