(* One certificate of each form, and what is printed of it. *)
From ImplicitBias Require Import All Kernels.
Import ListNotations.
Open Scope R_scope.

(* Data (0, 0), (1, 1), (2, 0): the tent, of cost 2, and only it. *)
Theorem tent : minimum_norm_sentence (0, 0) [(1, 1); (2, 0)] (2, 2) true (1, 1) (-1, -1) (1, 1) (-1, -1).
Proof.
  assert (S1 : slope (0, 0) (1, 1) = 1) by (unfold slope; simpl; lra).
  assert (S2 : slope (1, 1) (2, 0) = -1) by (unfold slope; simpl; lra).
  assert (E : end_sum (0, 0) [(1, 1); (2, 0)] = 0) by (unfold end_sum, first_slope, last_slope; cbn; rewrite S1, S2; lra).
  assert (T : interior (0, 0) [(1, 1); (2, 0)] = 2).
  { unfold interior. cbn. rewrite S1, S2. rewrite Rabs_left; lra. }
  assert (N : ~ moved (0, 0) [(1, 1); (2, 0)]) by (unfold moved; rewrite E, T, Rabs_R0; lra).
  apply minimum_norm_by_share.
  - cbn. lra.
  - unfold claim_fits, encloses, neighbours_bend_alike. cbn [fst snd slopes same_bends].
    unfold first_slope, last_slope. cbn [slopes hd last]. rewrite S1, S2. repeat split; try tauto; try lra.
  - tauto.
  - intros _. unfold encloses. rewrite T. cbn. lra.
Qed.

(* Data (0, 0), (1, 1): the line is not cheapest; a ramp of cost 1 is, by p = (1, 0). *)
Theorem ramp : minimum_norm_sentence (0, 0) [(1, 1)] (1, 1) false (0, 0) (1, 1) (1, 1) (0, 0).
Proof.
  assert (S1 : slope (0, 0) (1, 1) = 1) by (unfold slope; simpl; lra).
  assert (A : first_slope (0, 0) [(1, 1)] = 1) by (unfold first_slope; cbn; exact S1).
  assert (B : last_slope (0, 0) [(1, 1)] = 1) by (unfold last_slope; cbn; exact S1).
  assert (E : end_sum (0, 0) [(1, 1)] = 2) by (unfold end_sum; rewrite A, B; lra).
  assert (T : interior (0, 0) [(1, 1)] = 0) by reflexivity.
  assert (M : moved (0, 0) [(1, 1)]) by (unfold moved; rewrite E, T, Rabs_right; lra).
  assert (X : Rmin 1 (1 + 1) = 1) by (apply Rmin_left; lra). assert (Y : Rmax (-1) (1 - 1) = 0) by (rewrite Rmax_right;
    lra).
  apply (minimum_norm_by_function (0, 0) [(1, 1)] 1 [0] 0 1 (0, 0) []); cbn [fst snd].
  - cbn. lra.
  - unfold claim_fits, encloses. rewrite A, B, E, T, sgn_pos by lra. cbn [fst snd]. repeat split; try tauto; try lra.
  - exact I.
  - intros x y [H | [H | []]]; injection H; intros <- <-; unfold linear_between; cbn [linear_after fst snd];
      match goal with |- context [Rle_dec ?u ?v] => destruct (Rle_dec u v) end; lra.
  - reflexivity.
  - reflexivity.
  - intros p [<- | [<- | []]]; rewrite X, Y; lra.
  - intros t k [H | []]. injection H. intros <- <-. intros _ p J. unfold looked_at in J.
    match type of J with context [Rle_dec ?u ?v] => destruct (Rle_dec u v) as [L | L] end; [| lra]. destruct J as [<- | []].
    destruct (Rlt_dec 0 (1 - 0)); [rewrite X; reflexivity | lra].
  - lra.
  - intros _. cbn. rewrite (Rabs_right (1 - 0)), Rabs_right; lra.
  - lra.
  - unfold encloses. cbn. rewrite Rabs_right; lra.
Qed.

(* One datum (0, 1), kinks in [-1, 1]: a ramp of weight 1. *)
Theorem one_ramp : ramps_sentence (-1) 1 [(0, 1)] 1 1.
Proof.
  apply (ramps_by_multipliers (-1) 1 (0, 1) [] [1] [(1, -1, 1)]); cbn [fst snd map combine rev app last bounded_along].
  - exact I.
  - lra.
  - lra.
  - split.
    + intros r [<- | []]. cbn. lra.
    + intros x y [H | []]. injection H. intros <- <-. unfold ramp_output, relu. cbn. rewrite Rmax_right; lra.
  - reflexivity.
  - split; apply Rabs_le_between; lra.
  - split; apply Rabs_le_between; lra.
  - cbn. lra.
  - unfold ramps_cost, ramp_weight. cbn. rewrite Rabs_R1. lra.
Qed.

(* Data (-1, 0), (1, 2), kinks in [-1, 1]: eta = 1, lambda = 0; no inner datum, so the sums are empty and nothing is
   rounded. *)
Theorem shared : ramps_sentence (-1) 1 [(-1, 0); (1, 2)] 1 1.
Proof.
  assert (S1 : slope (-1, 0) (1, 2) = 1) by (unfold slope; simpl; lra).
  apply (ramps_by_shares 1536 (-1) 1 (-1, 0) (1, 2) [] [] 1 0); cbv zeta; cbn [fst snd map combine last inner_kinks slopes];
    rewrite ?S1; unfold enclosed_sum; cbn [sum fold_right length INR fst snd]; rewrite ?Rplus_0_r.
  - cbn. lra.
  - lra.
  - lra.
  - lra.
  - reflexivity.
  - intros ? [].
  - rewrite Rabs_R1. lra.
  - rewrite Rabs_R0. lra.
  - unfold Rdiv. rewrite Rmult_0_l. lra.
  - unfold Rdiv. rewrite Rmult_0_l. rewrite !Rmax_left by lra. rewrite Rabs_pos_eq, Rabs_pos_eq; lra.
Qed.

(* One datum 0 of the class 0 of two, kinks in [-1, 1]: one ramp with the weights (1/2, -1/2), of norm sqrt(1/2) <= 3/4. The
   multiplier 1/2 is not the best: it has the price sqrt(1/2). *)
Theorem one_point_of_two_classes : margin_sentence (-1) 1 2 [(0, 0%nat)] (1 / 2) (3 / 4).
Proof.
  pose (w := fun j : nat => match j with 0%nat => 1 | _ => -1 end).
  apply (margin_by_multipliers (-1) 1 2 0 0%nat [] 1 (1 / 2) (1 / 2) 0 [(1, -1, w)] [3 / 2] [(0%nat, 1%nat, 1)]).
  - exact I.
  - lra.
  - cbn. lra.
  - intros x y [H | []]. injection H. intros <- <-. lia.
  - lra.
  - lra.
  - lra.
  - split.
    + intros r [<- | []]. cbn. lra.
    + intros x y l [H | []] L N. injection H. intros <- <-. unfold scores, score, relu. cbn [map sum fold_right fst snd].
      rewrite Rmax_right by lra. destruct l as [| [| l]]; [contradiction | cbn; lra | lia].
  - reflexivity.
  - intros r root [H | []]. injection H. intros <- <-. unfold dot, sum_below. cbn. lra.
  - intros i l b [H | []]. injection H. intros <- <- <-. repeat split; try lra; try lia. exists 0, 0%nat. repeat split. lia.
  - cbn. unfold dot, sum_below, alpha_of. cbn. lra.
  - cbn. unfold dot, sum_below, alpha_of. cbn. lra.
  - cbn. lra.
  - cbn. lra.
Qed.

(* One datum 1 in dimension 1: p = 7/10, two cells; 7/10 (x + 1) is of norm 7/10 sqrt 2 <= 1. *)
Definition plus := {| inside := fun _ => 1; above := []; below := [(0%nat, 7 / 10)] |}.
Definition minus := {| inside := fun _ => -1; above := []; below := [] |}.

Lemma two_cells (y : R) : dual_feasible 1 [(fun _ => 1, y)] [7 / 10] [plus; minus].
Proof.
  split; [reflexivity |]. cbv zeta. split.
  - intros c [<- | [<- | []]]; (split; [| split; [| split]]);
      try (intros x [<- | []] Z; unfold dot, sum_below, extended in Z; cbn in Z; lra);
      try (intros i m K; cbn in K; assert (E : (0%nat, 7 / 10) = (i, m)) by tauto; injection E; intros <- <-; cbn;
        split; [lia | lra]);
      try (intros i m K; cbn in K; tauto);
      unfold with_multipliers, active_sum, dot, sum_below, extended; cbn;
      repeat match goal with |- context [Rlt_dec ?u ?v] => destruct (Rlt_dec u v); try (exfalso; lra) end; lra.
  - exists [plus; minus]. split; [apply incl_refl |]. split.
    + split; [| split; [intros ? [] | exact I]]. intros c [<- | []]. eexists. split; [left; reflexivity |].
      unfold dot, sum_below, extended. cbn. intros [H _]. assert (C : 0 < 0 + 1 * 1) by lra. lra.
    + apply (counted_more 1 0 _ [] 1 1); [lia | unfold extended; cbn; lra | apply counted_none | apply counted_none].
Qed.

(* y = 2: the unit relu(x + 1). *)
Theorem one_point_in_dimension_one : variation_sentence 1 [(fun _ => 1, 2)] (7 / 5) (3 / 2).
Proof.
  apply (variation_by_cells 1 _ [(1, fun _ => 1, 1)] [3 / 2] [7 / 10] [plus; minus]); [| | apply two_cells | |].
  - intros x y [H | []]. injection H. intros <- <-. unfold output, dot, sum_below, relu. cbn. rewrite Rmax_right; lra.
  - split; [reflexivity |]. intros u root [H | []]. injection H. intros <- <-. unfold dot, sum_below. cbn. lra.
  - cbn. lra.
  - cbn. lra.
Qed.

(* The class y = 1: half that unit. *)
Theorem one_point_of_the_class_one :
  smallest_between (units_with_margin 1 [(fun _ => 1, 1)]) (sum (variation_norm 1)) (7 / 10) (3 / 4).
Proof.
  assert (S : support [(fun _ : nat => 1, 1)] [7 / 10] = [(fun _ => 1, 1, 7 / 10)]).
  { unfold support. cbn. destruct (Req_EM_T (7 / 10) 0); [lra | reflexivity]. }
  apply (margins_by_cells 1 _ [(1 / 2, fun _ => 1, 1)] [3 / 4] [7 / 10] [plus; minus]); [| | | | rewrite S; apply two_cells
    | |].
  - intros x y [H | []]. injection H. intros <- <-. left. reflexivity.
  - intros x y [H | []]. injection H. intros <- <-. unfold output, dot, sum_below, relu. cbn. rewrite Rmax_right; lra.
  - split; [reflexivity |]. intros u root [H | []]. injection H. intros <- <-. unfold dot, sum_below. cbn. lra.
  - intros x y q [H | []]. injection H. intros <- <- <-. lra.
  - cbn. lra.
  - cbn. lra.
Qed.

(* y = 2 with the penalty 1: 13/20 of that unit. *)
Theorem one_point_penalised :
  smallest_between (fun _ => True) (penalised 1 [(fun _ => 1, 2)] 1) (127 / 100) (3 / 2).
Proof.
  apply (penalised_by_cells 1 _ 1 [(13 / 20, fun _ => 1, 1)] [93 / 100] [7 / 10] [plus; minus]); [| | | apply two_cells |
    |].
  - discriminate.
  - lra.
  - split; [reflexivity |]. intros u root [H | []]. injection H. intros <- <-. unfold dot, sum_below. cbn. lra.
  - cbn. lra.
  - unfold output, dot, sum_below, relu. cbn. rewrite Rmax_right; lra.
Qed.
