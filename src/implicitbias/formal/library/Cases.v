(* Splitting into cases: absolute values, maxima, minima, signs, and definitions that a file declares as primitives. *)
From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
Open Scope R_scope.

(* The sign: -1, 0 or 1. *)
Definition sgn (x : R) : R := if Rlt_dec x 0 then -1 else if Rlt_dec 0 x then 1 else 0.

Lemma sgn_pos x : 0 < x -> sgn x = 1.
Proof. intros H. unfold sgn. destruct (Rlt_dec x 0), (Rlt_dec 0 x); lra. Qed.

Lemma sgn_neg x : x < 0 -> sgn x = -1.
Proof. intros H. unfold sgn. destruct (Rlt_dec x 0); lra. Qed.

Lemma sgn_0 : sgn 0 = 0.
Proof. unfold sgn. destruct (Rlt_dec 0 0); lra. Qed.

Lemma sgn_abs x : sgn x * x = Rabs x.
Proof. unfold sgn, Rabs. destruct (Rlt_dec x 0), (Rlt_dec 0 x), (Rcase_abs x); lra. Qed.

(* Generated files add their definitions: #[export] Hint Unfold relu : primitives. *)
Create HintDb primitives.
#[export] Hint Unfold sgn : primitives.

(* Introduces everything, takes pairs and conjunctions apart, unfolds primitives. *)
Ltac open :=
  intros;
  repeat match goal with
    | H : _ /\ _ |- _ => destruct H
    | H : exists _, _ |- _ => destruct H
    | p : (_ * _)%type |- _ => destruct p
    end;
  try (progress autounfold with primitives in *);
  cbv beta iota in *; cbn [fst snd] in *.

(* One case: every comparison that stands in an if, and alternatives among the hypotheses. *)
Ltac one_case :=
  match goal with
  | H : context [Rcase_abs ?x] |- _ => destruct (Rcase_abs x)
  | |- context [Rcase_abs ?x] => destruct (Rcase_abs x)
  | H : context [Rle_dec ?x ?y] |- _ => destruct (Rle_dec x y)
  | |- context [Rle_dec ?x ?y] => destruct (Rle_dec x y)
  | H : context [Rlt_dec ?x ?y] |- _ => destruct (Rlt_dec x y)
  | |- context [Rlt_dec ?x ?y] => destruct (Rlt_dec x y)
  | H : context [Rge_dec ?x ?y] |- _ => destruct (Rge_dec x y)
  | |- context [Rge_dec ?x ?y] => destruct (Rge_dec x y)
  | H : context [Rgt_dec ?x ?y] |- _ => destruct (Rgt_dec x y)
  | |- context [Rgt_dec ?x ?y] => destruct (Rgt_dec x y)
  | H : context [Req_EM_T ?x ?y] |- _ => destruct (Req_EM_T x y)
  | |- context [Req_EM_T ?x ?y] => destruct (Req_EM_T x y)
  | H : _ \/ _ |- _ => destruct H
  end.

Ltac unfold_cases := unfold sgn, Rmax, Rmin, Rabs in *.

(* x <> 0 gives its two signs (only for variables: each is looked at once). *)
Ltac split_nonzero :=
  repeat match goal with
    | H : ?x <> 0 |- _ => is_var x; apply Rdichotomy in H; destruct H as [H | H]
    end.

(* All cases, those that contradict a hypothesis (linearly; with products) dropped. *)
Ltac cases := unfold_cases; repeat (one_case; try (exfalso; lra)).
Ltac cases_with_products := unfold_cases; repeat (one_case; try (exfalso; lra); try (exfalso; timeout 3 nra)).

(* The signs of all variables that occur below an absolute value, a maximum, a sign: for products such as |a b|. *)
Ltac one_sign :=
  match goal with
  | x : R |- context [?x] =>
      lazymatch goal with
      | _ : x < 0 |- _ => fail
      | _ : 0 < x |- _ => fail
      | _ : x > 0 |- _ => fail
      | |- _ => destruct (Rtotal_order x 0) as [? | [? | ?]]; [ | subst x | ]
      end
  end.
Ltac signs := do 3 (try one_sign; try (exfalso; lra)).
