(* The least sum of costs over lists of n entries with a given total: equal entries, and a price for the total. *)
From Coq Require Import Reals Lra Lia List Classical.
From ImplicitBias Require Import Quantities Lists Tactics.
Open Scope R_scope.

(* Lists of n entries of a domain over which f adds up to T. *)
Definition lists_with_total {A : Type} (dom : A -> Prop) (n : nat) (f : A -> R) (T : R) (l : list A) : Prop :=
  length l = n /\ (forall e, In e l -> dom e) /\ sum f l = T.

(* Equal entries p with the total T, and the price of the total: what an entry costs beyond the price is its gap. *)
Definition priced {A : Type} (dom : A -> Prop) (cost f gap : A -> R) (price T : R) (p : A) (n : nat) : Prop :=
  INR n * f p = T /\ dom p /\ (forall e, dom e -> cost e = cost p + price * (f e - f p) + gap e).

Lemma equal_entries_have_the_total {A : Type} (dom : A -> Prop) cost f gap price T p n :
  priced dom cost f gap price T p n -> lists_with_total dom n f T (repeat p n).
Proof.
  intros [total [inside _]].
  split; [apply repeat_length |]. split; [intros e I; rewrite (repeat_spec _ _ _ I); exact inside |].
  rewrite sum_repeat. exact total.
Qed.

Lemma cost_by_gap {A : Type} (dom : A -> Prop) cost f gap price T p n l :
  priced dom cost f gap price T p n -> lists_with_total dom n f T l -> sum cost l = INR n * cost p + sum gap l.
Proof.
  intros [total [_ entry]] [L [I S]].
  rewrite (sum_ext cost (fun e => (cost p + price * f e + - (price * f p)) + gap e) l)
    by (intros e H; rewrite (entry e (I e H)); ring).
  rewrite !sum_plus, !sum_constant, sum_scale, S, L, <- total. ring.
Qed.

Lemma min_of_lists {A : Type} (dom : A -> Prop) cost f gap price T p n v :
  priced dom cost f gap price T p n -> (forall e, dom e -> 0 <= gap e) -> INR n * cost p = v ->
  is_min (lists_with_total dom n f T) (sum cost) v.
Proof.
  intros Q G <-. split.
  - exists (repeat p n). split; [exact (equal_entries_have_the_total _ _ _ _ _ _ _ _ Q) | apply sum_repeat].
  - intros l D. rewrite (cost_by_gap _ _ _ _ _ _ _ _ l Q D). assert (0 <= sum gap l); [| lra].
    apply sum_nonneg. intros e I. apply G. destruct D as [_ [D _]]. exact (D e I).
Qed.

Lemma minimiser_of_lists {A : Type} (dom : A -> Prop) cost f gap price T p n :
  priced dom cost f gap price T p n -> (forall e, dom e -> e <> p -> 0 < gap e) -> gap p = 0 ->
  is_unique_argmin (lists_with_total dom n f T) (sum cost) (repeat p n).
Proof.
  intros Q G Z.
  assert (N : forall l, lists_with_total dom n f T l -> sum cost l <= INR n * cost p -> l = repeat p n).
  { intros l D C. rewrite (cost_by_gap _ _ _ _ _ _ _ _ l Q D) in C. destruct D as [L [I _]].
    assert (E : forall e, In e l -> e = p).
    { assert (NN : forall e, In e l -> 0 <= gap e).
      { intros e H. destruct (Req_dec (gap e) 0) as [-> | X]; [lra |].
        left. apply G; [exact (I e H) | intros ->; contradiction]. }
      intros e H. pose proof (sum_nonneg gap l NN).
      pose proof (sum_zero_terms gap l NN ltac:(lra) e H) as X.
      destruct (Rle_lt_dec (gap e) 0) as [Y | Y]; [| lra].
      apply NNPP. intros W. pose proof (G e (I e H) W). lra. }
    rewrite <- L. clear - E. induction l as [| a l IH]; [reflexivity |]. simpl. f_equal.
    - apply E. left. reflexivity.
    - apply IH. intros e H. apply E. right. exact H. }
  split; [exact (equal_entries_have_the_total _ _ _ _ _ _ _ _ Q) |]. split.
  - intros l D. rewrite sum_repeat, (cost_by_gap _ _ _ _ _ _ _ _ l Q D). assert (0 <= sum gap l); [| lra].
    apply sum_nonneg. intros e I. destruct D as [_ [D _]].
    destruct (Req_dec (gap e) 0) as [-> | X]; [lra |].
    left. apply G; [exact (D e I) | intros ->; contradiction].
  - intros l D C. rewrite sum_repeat in C. exact (N l D C).
Qed.

(* What f says of every entry of the only cheapest list, which has entries. *)
Definition at_the_minimiser {A : Type} (D : list A -> Prop) (cost : list A -> R) (of : A -> R) (v : R) : Prop :=
  exists l e, is_unique_argmin D cost l /\ In e l /\ (forall e, In e l -> of e = v).

Lemma at_the_minimiser_unique {A : Type} (D : list A -> Prop) cost of v w :
  at_the_minimiser D cost of v -> at_the_minimiser D cost of w -> v = w.
Proof.
  intros [l [e [M [I V]]]] [k [_ [N [_ W]]]]. rewrite (is_unique_argmin_unique D cost l k M N) in *.
  rewrite <- (V e I). apply W. exact I.
Qed.

Lemma at_equal_entries {A : Type} (D : list A -> Prop) cost of (p : A) n v :
  (1 <= n)%nat -> is_unique_argmin D cost (repeat p n) -> of p = v -> at_the_minimiser D cost of v.
Proof.
  intros H M <-. exists (repeat p n), p. split; [exact M |]. split.
  - destruct n; [lia | left; reflexivity].
  - intros e I. rewrite (repeat_spec _ _ _ I). reflexivity.
Qed.

(* The logarithm below its tangent at 1. *)
Lemma ln_tangent t : 0 < t -> 0 <= t - 1 - ln t.
Proof. intros H. pose proof (exp_ineq1_le (ln t)) as E. rewrite (exp_ln t H) in E. lra. Qed.

(* That of every logarithm in the goal, for a gap that is made of these. *)
Ltac tangents :=
  open;
  repeat match goal with
    | |- context [ln ?x] =>
        lazymatch goal with
        | _ : 0 <= x - 1 - ln x |- _ => fail
        | _ => assert (0 <= x - 1 - ln x) by (apply ln_tangent; pos)
        end
    end.

Lemma ln_tangent_strict t : 0 < t -> t <> 1 -> 0 < t - 1 - ln t.
Proof.
  intros H N. assert (L : ln t <> 0) by (intros Z; apply N, ln_inv; [lra | lra | rewrite Z, ln_1; reflexivity]).
  pose proof (exp_ineq1 (ln t) L) as E. rewrite (exp_ln t H) in E. lra.
Qed.

(* A square of a quotient of positive numbers is 1 only where they are equal. *)
Lemma square_of_quotient a b : 0 < a -> 0 < b -> a <> b -> (a / b) ^ 2 <> 1.
Proof.
  intros A B N E. apply N. assert (0 < a / b) by (apply Rdiv_lt_0_compat; assumption).
  assert (a / b = 1) by nra. apply (f_equal (fun q => q * b)) in H0. unfold Rdiv in H0.
  rewrite Rmult_assoc, Rinv_l in H0; lra.
Qed.

Lemma exp_squared x : exp x ^ 2 = exp (2 * x).
Proof. replace (2 * x) with (x + x) by ring. rewrite exp_plus. ring. Qed.

(* Equal squares of exponentials, one of them a real power. *)
Ltac equal_powers :=
  open; unfold Rpower; rewrite ?ln_exp, ?exp_squared; same_arguments exp; first [reflexivity | field; solve [side]].
