(* One instance of each headline, so that none is about nothing; each applies the theorem that it is named after. *)
From ImplicitBias Require Import All Headlines.
Import ListNotations.
Open Scope R_scope.

(* Data (0, 0), (1, 1), (2, 0): the natural spline is 3/2 x - 1/2 x^3 at first, and the integral of its S''^2 is 6. *)
Definition tent := [(0, 0); (1, 1); (2, 0)].
Definition tent_cubes := [(0, -1 / 2); (1, 1); (2, -1 / 2)].

Lemma tent_passes : passes (spline 0 (3 / 2) tent_cubes) tent.
Proof.
  intros x y [H | [H | [H | []]]]; injection H; intros <- <-; unfold spline, cubes, tent_cubes;
    cbn [sum fold_right fst snd];
    repeat first [rewrite Rmax_right by lra | rewrite Rmax_left by lra]; field.
Qed.

Theorem least_bending_of_the_tent : is_min (fun f => smooth 0 2 f /\ passes f tent) (bending 0 2) 6.
Proof.
  destruct (natural_spline_least 0 2 0 (3 / 2) tent_cubes (0, 0) (1, 1) [(2, 0)]) as [M [E _]].
  - cbn. lra.
  - cbn. lra.
  - intros p [<- | [<- | [<- | []]]]; cbn; lra.
  - split; cbn; lra.
  - reflexivity.
  - exact tent_passes.
  - replace 6 with (bending 0 2 (spline 0 (3 / 2) tent_cubes)); [exact M |]. rewrite E. unfold tent_cubes.
    cbn [sum fold_right fst snd]. fold tent_cubes. rewrite (tent_passes 0 0), (tent_passes 1 1), (tent_passes 2 0);
      cbn; tauto || lra.
Qed.

(* The same of every law of the second derivative: through four points, by existence. *)
Theorem four_points : exists a s cs, map fst cs = [0; 1; 3; 4] /\ natural cs
  /\ is_min (fun f => smooth (-1) 5 f /\ passes f [(0, 2); (1, 0); (3, 7); (4, -1)]) (bending (-1) 5)
    (bending (-1) 5 (spline a s cs)).
Proof.
  destruct (natural_spline (-1) 5 (0, 2) (1, 0) [(3, 7); (4, -1)]) as [a [s [cs [E [N [_ [M _]]]]]]].
  - cbn. lra.
  - cbn. lra.
  - intros p [<- | [<- | [<- | [<- | []]]]]; cbn; lra.
  - exists a, s, cs. split; [exact E |]. split; [exact N | exact M].
Qed.

(* The data 0 and 1, the neuron relu(x + 1): A = 5/2, B = 3/2, and sqrt 15, not sqrt (5/2). *)
Definition one_entry (t : R) : vector := fun _ => t.
Theorem noise_of_a_neuron :
  is_min (fun l => 0 < l) (fun l => noise 1 [one_entry 0; one_entry 1] (rescaled l (1, one_entry 1, 1))) (sqrt 15).
Proof.
  assert (O : off_data 1 [one_entry 0; one_entry 1] (1, one_entry 1, 1)).
  { intros x [<- | [<- | []]]; unfold dot, sum_below, one_entry; cbn; lra. }
  replace (sqrt 15) with (least_noise 1 [one_entry 0; one_entry 1] (1, one_entry 1, 1)).
  - apply least_noise_of_unit; [exact O | left; lra].
  - unfold least_noise, mean_square, active_lengths, mean, dot, sum_below, one_entry, relu.
    cbn [sum fold_right seq map length].
    rewrite Rabs_R1, !Rmax_right by lra. repeat match goal with |- context [Rlt_dec ?u ?v] => destruct (Rlt_dec u v);
      try lra end.
    cbn [INR]. apply Rsqr_inj; [| apply sqrt_pos |].
    + apply Rmult_le_pos; [lra | apply sqrt_pos].
    + rewrite Rsqr_mult, !Rsqr_sqrt; unfold Rsqr; lra.
Qed.

Theorem balance_of_a_neuron :
  is_unique_argmin (fun l => 0 < l) (fun l => noise 1 [one_entry 0; one_entry 1] (rescaled l (1, one_entry 1, 1)))
    (sqrt (sqrt (3 / 2) / sqrt (5 / 2))).
Proof.
  assert (O : off_data 1 [one_entry 0; one_entry 1] (1, one_entry 1, 1)).
  { intros x [<- | [<- | []]]; unfold dot, sum_below, one_entry; cbn; lra. }
  assert (A : mean_square 1 [one_entry 0; one_entry 1] (1, one_entry 1, 1) = 5 / 2).
  { unfold mean_square, mean, dot, sum_below, one_entry, relu. cbn [sum fold_right seq map length].
    rewrite !Rmax_right by lra. cbn [INR]. field. }
  assert (B : active_lengths 1 [one_entry 0; one_entry 1] (1, one_entry 1, 1) = 3 / 2).
  { unfold active_lengths, mean, dot, sum_below, one_entry. cbn [sum fold_right seq map length].
    repeat match goal with |- context [Rlt_dec ?u ?v] => destruct (Rlt_dec u v); try lra end. cbn [INR]. field. }
  pose proof (balanced_scale 1 _ 1 (one_entry 1) 1 O ltac:(lra) ltac:(rewrite A; lra)) as H.
  rewrite A, B, Rabs_R1, Rmult_1_l in H. exact H.
Qed.

(* A neuron with output weight 0: the least value is approached, not attained. *)
Theorem noise_without_output :
  is_inf (fun l => 0 < l) (fun l => noise 1 [one_entry 1] (rescaled l (0, one_entry 1, 1))) 0.
Proof.
  assert (Z : least_noise 1 [one_entry 1] (0, one_entry 1, 1) = 0) by (unfold least_noise; rewrite Rabs_R0; ring).
  pose proof (least_noise_infimum 1 [one_entry 1] 0 (one_entry 1) 1) as H. rewrite Z in H. apply H.
  intros x [<- | []]. unfold dot, sum_below, one_entry. cbn. lra.
Qed.

(* Two neurons, one of them dead: a list of scales attains the least. *)
Theorem noise_of_two :
  exists v, is_min (scales [(1, one_entry 1, 1); (0, one_entry (-1), -1)])
    (fun ls => network_noise 1 [one_entry 1] (rescale ls [(1, one_entry 1, 1); (0, one_entry (-1), -1)])) v.
Proof.
  eexists. apply least_noise_of_network. intros u [<- | [<- | []]]; cbn [fst snd].
  - split; [intros x [<- | []]; unfold dot, sum_below, one_entry; cbn; lra | left; lra].
  - split; [intros x [<- | []]; unfold dot, sum_below, one_entry; cbn; lra |]. right.
    unfold mean_square, mean, dot, sum_below, one_entry, relu. cbn. rewrite Rmax_left by lra. field.
Qed.

(* theta = (0, 5), theta' = (12, -5), not proportional: equality in (19) at the weight 1/7. *)
Definition in_plane (p q : R) : vector := fun j => match j with 0%nat => p | 1%nat => q | _ => 0 end.
Lemma norm_in_plane p q r : 0 <= r -> p ^ 2 + q ^ 2 = r ^ 2 -> norm 2 (in_plane p q) = r.
Proof.
  intros R E. unfold norm, dot, sum_below. cbn. replace (p * p + (q * q + 0)) with (r ^ 2) by (rewrite <- E; ring).
  apply sqrt_pow2, R.
Qed.

Theorem equality_without_proportion : gap_of_19 (norm 2) (1 / 2) 1 (1 / 7) (in_plane 0 5) (in_plane 12 (-5)) = 0.
Proof.
  pose proof (norm_in_plane 0 5 5) as A. pose proof (norm_in_plane 12 (-5) 13) as B.
    pose proof (norm_in_plane 12 0 12) as C.
  assert (S : norm 2 (vplus (in_plane 0 5) (in_plane 12 (-5))) = 12).
  { transitivity (norm 2 (in_plane 12 0)); [| apply C; lra]. apply (weight_entries 2 (norm 2) (norm_homogeneous 2)).
    intros [| [| j]] J; [| | lia];
      unfold vplus, in_plane; lra. }
  apply (weight_of_equality 2); [apply norm_homogeneous | lra | |]; rewrite S, A, B; lra.
Qed.

(* alpha = beta = 2, as the printed lemma allows: the sides differ. *)
Theorem proportion_without_equality : gap_of_19 (norm 2) (1 / 2) 1 2 (in_plane 3 4) (vscale 2 (in_plane 3 4)) = - (5 / 4).
Proof.
  pose proof (gap_of_proportional 2 (norm 2) (1 / 2) 1 (in_plane 3 4) 2 2 (norm_homogeneous 2)) as E.
  rewrite Rmult_1_r in E. rewrite E by lra. unfold potential. rewrite (norm_in_plane 3 4 5), Rabs_R1 by lra. field.
Qed.

(* The two unit vectors of the plane: the neuron between them costs less than both. *)
Theorem one_neuron_for_two : potential (norm 2) (joined_output (1 / 2) 1 1) (joined (1 / 2) 1 1 (in_plane 1 0)
  (in_plane 0 1)) < 1.
Proof.
  destruct (two_neurons_are_one_cheaper 2 (norm 2) (1 / 2) 1 1 (in_plane 1 0) (in_plane 0 1)) as [_ [_ L]];
    try apply norm_homogeneous; try apply norm_effectively_strictly_convex; try lra.
  - intros [r [s [P [Q [R S]]]]]. pose proof (S 0%nat ltac:(lia)) as A. pose proof (S 1%nat ltac:(lia)) as B.
    unfold vscale, in_plane in A, B. lra.
  - unfold potential in L at 2 3. rewrite !(norm_in_plane _ _ 1), Rabs_R1 in L by lra. lra.
Qed.

(* (22) for the tent, and multipliers priced by |.|: 1 at the data, so at most 1 everywhere. *)
Theorem ramps_of_the_tent : ramps_through (-1) 1 [(-1, 2); (0, 3); (1, 0)] (interpolating_ramps (-1, 2) (0, 3) [(1, 0)]).
Proof. apply interpolating_ramps_pass; cbn; lra. Qed.

Lemma absolute_norm : is_norm 1 (fun v => Rabs (v 0%nat)).
Proof.
  split; intros.
  - rewrite (H 0%nat) by lia. reflexivity.
  - apply Rabs_triang.
  - apply Rabs_mult.
Qed.

Theorem prices_of_the_tent : is_max (sides_and_kinks (fun c => -1 <= c <= 1))
  (fun u => Rabs (price_of_ramp [(-1, one_entry 1); (0, one_entry (-2)); (1, one_entry 1)] u 0%nat)) 1.
Proof.
  apply (largest_price_at_data 1 (fun v => Rabs (v 0%nat)) [(-1, one_entry 1); (0, one_entry (-2)); (1, one_entry 1)] 1
    absolute_norm); cbn [map fst]; [left; reflexivity | right; right; left; reflexivity | |].
  - intros d [<- | [<- | [<- | []]]]; cbn; lra.
  - assert (W : forall s c, (s = 1 \/ s = -1) -> In c [-1; 0; 1] ->
      Rabs (price_of_ramp [(-1, one_entry 1); (0, one_entry (-2)); (1, one_entry 1)] (s, c) 0%nat)
      = if Req_EM_T c 0 then 1 else 0).
    { intros s c S [<- | [<- | [<- | []]]]; unfold price_of_ramp, one_entry, relu; cbn [sum fold_right fst snd];
        destruct (Req_EM_T _ 0); try lra; destruct S as [-> | ->];
        repeat first [rewrite Rmax_right by lra | rewrite Rmax_left by lra]; unfold Rabs; destruct (Rcase_abs _); lra. }
    split.
    + exists (1, 0). split; [split; [left; reflexivity | right; left; reflexivity] |]. rewrite W.
      * destruct (Req_EM_T 0 0); lra.
      * left. reflexivity.
      * right. left. reflexivity.
    + intros [s c] [S C]. rewrite W by assumption. destruct (Req_EM_T c 0); lra.
Qed.

(* Prices in R^2, in the largest entry. *)
Lemma largest_entry_norm : is_norm 2 (fun v => Rmax (Rabs (v 0%nat)) (Rabs (v 1%nat))).
Proof.
  split; intros.
  - rewrite (H 0%nat), (H 1%nat) by lia. reflexivity.
  - unfold vplus. pose proof (Rabs_triang (u 0%nat) (v 0%nat)). pose proof (Rabs_triang (u 1%nat) (v 1%nat)).
    pose proof (Rmax_l (Rabs (u 0%nat)) (Rabs (u 1%nat))). pose proof (Rmax_r (Rabs (u 0%nat)) (Rabs (u 1%nat))).
    pose proof (Rmax_l (Rabs (v 0%nat)) (Rabs (v 1%nat))). pose proof (Rmax_r (Rabs (v 0%nat)) (Rabs (v 1%nat))).
    apply Rmax_lub; lra.
  - unfold vscale. rewrite !Rabs_mult. apply RmaxRmult, Rabs_pos.
Qed.

Theorem prices_in_the_plane u :
  sides_and_kinks (fun c => -1 <= c <= 1) u ->
  let p := price_of_ramp [(-1, in_plane 1 0); (0, in_plane (-2) 1); (1, in_plane 1 (-1))] u in
  Rmax (Rabs (p 0%nat)) (Rabs (p 1%nat)) <= 1.
Proof.
  intros H. cbv zeta. revert u H.
  apply (feasible_at_data 2 _ _ 1 largest_entry_norm); cbn [map fst]; [left; reflexivity | right; right; left;
    reflexivity |].
  intros [s c] [[S | S] [C | [C | [C | []]]]]; cbn [fst snd] in S, C; subst s c; unfold price_of_ramp, in_plane, relu;
    cbn [sum fold_right fst snd]; repeat first [rewrite (Rmax_right 0) by lra | rewrite (Rmax_left 0) by lra];
    apply Rmax_lub; apply Rabs_le; lra.
Qed.

(* A point of Karush, Kuhn and Tucker: the data -4/3 and 4/3 with the labels -1 and 1, one unit for each, r^2 = 3/5. One
   switch, so at most 12 places; the kinks are at -3/4 and 3/4. *)
Definition r := sqrt (3 / 5).
Definition two_data : list datum := [(-4 / 3, -1, 3 / 5); (4 / 3, 1, 3 / 5)].
Definition two_units := [(r, r * (4 / 5), r * (3 / 5)); (- r, r * (-4 / 5), r * (3 / 5))].

Lemma r_square : r * r = 3 / 5.
Proof. apply sqrt_sqrt. lra. Qed.
Lemma r_positive : 0 < r.
Proof. apply sqrt_lt_R0. lra. Qed.

Theorem a_stationary_point : kkt two_data two_units.
Proof.
  pose proof r_square as Q. pose proof r_positive as P. unfold two_data, two_units. split.
  - intros d [<- | [<- | []]]; unfold label, multiplier, at_x, net, unit_output, relu; cbn [fst snd sum fold_right].
    + rewrite (Rmax_left 0 (r * (4 / 5) * (-4 / 3) + r * (3 / 5))), (Rmax_right 0 (r * (-4 / 5) * (-4 / 3) + r * (3 / 5)))
        by lra. repeat split; intros; try lra.
    + rewrite (Rmax_right 0 (r * (4 / 5) * (4 / 3) + r * (3 / 5))), (Rmax_left 0 (r * (-4 / 5) * (4 / 3) + r * (3 / 5)))
        by lra. repeat split; intros; try lra.
  - intros u [<- | [<- | []]]; [exists (fun d => if Rlt_dec 0 (at_x d) then 1 else 0) |
      exists (fun d => if Rlt_dec (at_x d) 0 then 1 else 0)];
      (split; [intros d [<- | [<- | []]]; unfold at_x; cbn [fst snd]; destruct (Rlt_dec _ _); repeat split; intros; lra |]);
      unfold pull, relu, label, multiplier, at_x; cbn [sum fold_right fst snd];
      repeat match goal with |- context [Rlt_dec ?x ?y] => destruct (Rlt_dec x y); try (exfalso; lra) end;
      repeat first [rewrite Rmax_right by lra | rewrite Rmax_left by lra]; repeat split; lra.
Qed.

Theorem places_of_the_stationary_point : (length [-3 / 4; 3 / 4]%R + 1 <= 6 * 0 + 13)%nat.
Proof.
  apply (regions_by_width (-4 / 3, -1, 3 / 5) [(4 / 3, 1, 3 / 5)] two_units [-3 / 4; 3 / 4] 0).
  - exact a_stationary_point.
  - cbn. lra.
  - repeat constructor; cbn; [intros [E | []]; lra | tauto].
  - pose proof r_positive as P. intros k [<- | [<- | []]].
    + exists (r, r * (4 / 5), r * (3 / 5)). split; [left; reflexivity |]. split; [left; split; lra | unfold kink; field; lra].
    + exists (- r, r * (-4 / 5), r * (3 / 5)). split; [right; left; reflexivity |].
      split; [right; split; lra | unfold kink; field; lra].
  - cbn. destruct (Req_EM_T (-1) 1); cbn; lia.
Qed.

(* The run of the label 1 alone, and all of the line for the switch. *)
Theorem kinks_right_of_zero : (length [3 / 4]%R <= 6)%nat.
Proof.
  apply (kinks_of_a_run two_data two_units (fun x => 0 < x) 1); [exact a_stationary_point | intros x y z X Z Y; lra | |
    left; reflexivity | repeat constructor; tauto |].
  - intros d [<- | [<- | []]]; unfold at_x; cbn [fst snd]; [lra | reflexivity].
  - pose proof r_positive. intros k [<- | []]. split; [lra |]. exists (- r, r * (-4 / 5), r * (3 / 5)).
    split; [right; left; reflexivity |]. split; [right; split; lra | unfold kink; field; lra].
Qed.

Theorem kinks_for_one_switch : (length [-3 / 4]%R <= 12)%nat.
Proof.
  replace 12%nat with (6 * (switches (-4 / 3, -1, 3 / 5)%R [(4 / 3, 1, 3 / 5)%R] + 1))%nat
    by (cbn; destruct (Req_EM_T (-1) 1); [exfalso; lra | reflexivity]).
  apply (kinks_by_switches _ _ two_units); [exact a_stationary_point | cbn; lra | repeat constructor; tauto |].
  pose proof r_positive. intros k [<- | []]. exists (r, r * (4 / 5), r * (3 / 5)). split; [left; reflexivity |].
  split; [left; split; lra | unfold kink; field; lra].
Qed.

(* Three places and two supports are allowed, in one order. *)
Theorem three_places : (length [0; 2; 4]%R <= most_places (length [1; 3]%R))%nat.
Proof.
  apply (places_of_a_stretch [0; 2; 4] [1; 3]); [cbn; lra | cbn; lra | |].
  - intros b b' [<- | [<- | [<- | []]]] [<- | [<- | [<- | []]]] L; try lra; left;
      first [exists 1; split; [left; reflexivity | lra] | exists 3; split; [right; left; reflexivity | lra]].
  - intros p t q b [<- | [<- | []]] [<- | [<- | []]] [<- | [<- | []]]; lra.
Qed.

(* Around a cut at 4: three places to the left, two to the right. *)
Theorem five_places : (length [0; 2; 4]%R + length [6; 8]%R <= 5)%nat.
Proof.
  apply (places_around_a_cut [0; 2; 4] [6; 8] [1; 3] [5; 7] 4); try (cbn; lra).
  - intros b [<- | [<- | [<- | []]]]; lra.
  - intros b [<- | [<- | []]]; lra.
  - intros b [<- | [<- | []]]; lra.
  - intros b [<- | [<- | []]]; lra.
  - intros b b' [<- | [<- | [<- | []]]] [<- | [<- | [<- | []]]] L; try lra; left;
      first [exists 1; split; [left; reflexivity | lra] | exists 3; split; [right; left; reflexivity | lra]].
  - intros b b' [<- | [<- | []]] [<- | [<- | []]] L; try lra. left. exists 7. split; [right; left; reflexivity | lra].
  - intros b b' [<- | [<- | [<- | []]]] [<- | [<- | []]] L; left; exists 5; (split; [right; right; left; reflexivity | lra]).
  - intros p t q b [<- | [<- | []]] [<- | [<- | []]] [<- | [<- | []]]; lra.
  - intros p t q b [<- | [<- | []]] [<- | [<- | []]] [<- | [<- | []]]; lra.
Qed.
