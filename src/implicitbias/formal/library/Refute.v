(* Two numbers that are different: what excludes a false formula at a point. *)
From Coq Require Import Reals Lra.
From Interval Require Import Tactic.
From ImplicitBias Require Import Cases Tactics.
Open Scope R_scope.

(* Goal: x = y -> False. Exactly by cases where that suffices, otherwise by interval arithmetic. *)
Ltac different :=
  let same := fresh "same" in
  intros same; try (progress autounfold with primitives in same); cbn [INR fact Nat.mul Nat.add] in same;
  first
    [ timeout 3 (solve [lra])
    | timeout 8 (solve [revert same; cases; roots_away; first [lra | timeout 2 nra | name_quotients; timeout 3 nra]])
    | timeout 5 (solve [unfold_cases; repeat (one_case; try lra)])
    | apply Rminus_diag_eq in same; unfold Rmax, Rmin in same;
      repeat (one_case; try (exfalso; lra)); revert same;
      first [ apply Rgt_not_eq; timeout 10 (solve [interval with (i_prec 80)])
            | apply Rlt_not_eq; timeout 10 (solve [interval with (i_prec 80)]) ] ].
