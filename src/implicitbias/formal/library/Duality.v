(* Lower bounds for the cost of a finite network by prices: a network is a list of atoms; an atom a contributes
   phi x a to the prediction at x and costs c a; multipliers p on the data give it the price sum p * phi x a. *)
From Coq Require Import Reals Lra Psatz List.
From Coquelicot Require Import Coquelicot.
From ImplicitBias Require Import Quantities Minima Units Lists Tactics.
Import ListNotations.
Open Scope R_scope.

(* If no atom is priced above its cost, the value of the data is at most the cost of the network. *)
Theorem weak_duality {A X : Type} (phi : X -> A -> R) (c : A -> R) (ds : list (X * R)) (us : list A) :
  (forall a, In a us -> sum (fun d => snd d * phi (fst d) a) ds <= c a) ->
  sum (fun d => snd d * sum (phi (fst d)) us) ds <= sum c us.
Proof.
  intros H. rewrite (sum_ext _ (fun d => sum (fun a => snd d * phi (fst d) a) us)).
  - rewrite sum_swap. apply sum_le. exact H.
  - intros d _. rewrite sum_scale. reflexivity.
Qed.

(* The minimum of the cost over finite networks: a network us0, and multipliers ds = (x, y, p) on data with f(x) = y. *)
Theorem min_by_duality {A X : Type} (D : list A -> Prop) (E : A -> Prop) (phi : X -> A -> R) (c : A -> R)
  (ds : list (X * R * R)) (us0 : list A) (v : R) :
  D us0 -> sum c us0 = v ->
  (forall us, D us -> forall a, In a us -> E a) ->
  (forall us, D us -> forall x y p, In (x, y, p) ds -> sum (phi x) us = y) ->
  sum (fun d => snd d * snd (fst d)) ds = v ->
  (forall a, E a -> sum (fun d => snd d * phi (fst (fst d)) a) ds <= c a) ->
  is_min D (sum c) v.
Proof.
  intros D0 V0 HE HI Hv HP. apply (min_by_bound D (sum c) us0 v D0 V0). intros us Dus. rewrite <- Hv.
  assert (W := weak_duality phi c (map (fun d => (fst (fst d), snd d)) ds) us). rewrite !sum_map in W.
  eapply Rle_trans; [right | apply W].
  - apply sum_ext. intros [[x y] p] I. simpl. rewrite (HI us Dus x y p I). reflexivity.
  - intros a Ia. rewrite sum_map. apply HP, (HE us Dus a Ia).
Qed.

(* The same where label times network is to be at least 1 at the data: a multiplier has the sign of its label. *)
Theorem min_by_margins {A X : Type} (D : list A -> Prop) (E : A -> Prop) (phi : X -> A -> R) (c : A -> R)
  (ds : list (X * R * R)) (us0 : list A) (v : R) :
  D us0 -> sum c us0 = v ->
  (forall us, D us -> forall a, In a us -> E a) ->
  (forall us, D us -> forall x y p, In (x, y, p) ds -> 1 <= y * sum (phi x) us) ->
  (forall x y p, In (x, y, p) ds -> y * y = 1 /\ 0 <= p * y) ->
  sum (fun d => snd d * snd (fst d)) ds = v ->
  (forall a, E a -> sum (fun d => snd d * phi (fst (fst d)) a) ds <= c a) ->
  is_min D (sum c) v.
Proof.
  intros D0 V0 HE HI HS Hv HP. apply (min_by_bound D (sum c) us0 v D0 V0). intros us Dus. rewrite <- Hv.
  assert (W := weak_duality phi c (map (fun d => (fst (fst d), snd d)) ds) us). rewrite !sum_map in W.
  eapply Rle_trans; [| apply W].
  - apply sum_le. intros [[x y] p] I. cbn [fst snd]. specialize (HI us Dus x y p I). specialize (HS x y p I).
    destruct HS as [Y S]. replace (p * sum (phi x) us) with (p * y * (y * sum (phi x) us)) by
      (transitivity (p * sum (phi x) us * (y * y)); [ring | rewrite Y; ring]).
    rewrite <- (Rmult_1_r (p * y)) at 1. apply Rmult_le_compat_l; assumption.
  - intros a Ia. rewrite sum_map. apply HP, (HE us Dus a Ia).
Qed.

(* Infimum form: the cost is bounded below by the dual value for every network. *)
Theorem bound_by_duality {A X : Type} (phi : X -> A -> R) (c : A -> R) (ds : list (X * R * R)) (us : list A) :
  (forall x y p, In (x, y, p) ds -> sum (phi x) us = y) ->
  (forall a, In a us -> sum (fun d => snd d * phi (fst (fst d)) a) ds <= c a) ->
  sum (fun d => snd d * snd (fst d)) ds <= sum c us.
Proof.
  intros HI HP. assert (W := weak_duality phi c (map (fun d => (fst (fst d), snd d)) ds) us). rewrite !sum_map in W.
  eapply Rle_trans; [right | apply W].
  - apply sum_ext. intros [[x y] p] I. simpl. rewrite (HI x y p I). reflexivity.
  - intros a Ia. rewrite sum_map. apply HP, Ia.
Qed.

(* Affine between l and r. *)
Definition affine_between (g : R -> R) (l r : R) : Prop :=
  forall t, 0 <= t <= 1 -> g ((1 - t) * l + t * r) = (1 - t) * g l + t * g r.

Lemma affine_bounded (g : R -> R) (l r c b : R) :
  affine_between g l r -> Rabs (g l) <= c -> Rabs (g r) <= c -> l <= b <= r -> Rabs (g b) <= c.
Proof.
  intros A L Rr B. destruct (Req_dec l r) as [E | N]; [replace b with l by lra; exact L |].
  set (t := (b - l) / (r - l)).
  assert (T : 0 <= t <= 1).
  { unfold t. split; [apply quotient_nonneg; lra |]. apply Rmult_le_reg_r with (r - l); [lra |].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  replace b with ((1 - t) * l + t * r) by (unfold t; field; lra). rewrite (A t T).
  apply Rabs_le_between in L. apply Rabs_le_between in Rr. apply Rabs_le_between. nra.
Qed.

(* A function that is affine between neighbouring knots l :: ks, bounded at the knots, is bounded between the ends. *)
Fixpoint affine_along (g : R -> R) (l : R) (ks : list R) : Prop :=
  match ks with
  | [] => True
  | k :: rest => l <= k /\ affine_between g l k /\ affine_along g k rest
  end.

Lemma last_of_cons {A : Type} (m : list A) : forall k d, last (k :: m) d = last m k.
Proof.
  induction m as [| a m IH]; intros k d; [reflexivity |]. change (last (a :: m) d = last (a :: m) k).
  rewrite !IH. reflexivity.
Qed.

Lemma bounded_by_knots (g : R -> R) (c : R) (ks : list R) : forall l,
  affine_along g l ks -> (forall k, In k (l :: ks) -> Rabs (g k) <= c) ->
  forall b, l <= b <= last ks l -> Rabs (g b) <= c.
Proof.
  induction ks as [| k rest IH]; intros l A H b B.
  - simpl in B. replace b with l by lra. apply H. left. reflexivity.
  - destruct A as [Lk [A1 A2]]. destruct (Rle_dec b k) as [S | S].
    + apply (affine_bounded g l k c b A1); [apply H; left; reflexivity | apply H; right; left; reflexivity | lra].
    + apply (IH k A2); [intros k' I; apply H; right; exact I |]. split; [lra |].
      destruct B as [_ B]. rewrite <- (last_of_cons rest k l). exact B.
Qed.

(* The price of the ramp with kink b on data (x, p): sum p max(0, s (x - b)), s = 1 or -1. *)
Definition ramp_price (s : R) (ds : list (R * R)) (b : R) : R := sum (fun d => snd d * Rmax 0 (s * (fst d - b))) ds.

(* It is affine in b where no datum lies strictly between. *)
Lemma ramp_price_affine s ds lo hi :
  lo <= hi -> (forall d, In d ds -> fst d <= lo \/ hi <= fst d) -> affine_between (ramp_price s ds) lo hi.
Proof.
  intros L H t T. unfold ramp_price. induction ds as [| [x p] l IH]; simpl; [ring |].
  rewrite IH by (intros d I; apply H; right; exact I).
  assert (E : Rmax 0 (s * (x - ((1 - t) * lo + t * hi)))
              = (1 - t) * Rmax 0 (s * (x - lo)) + t * Rmax 0 (s * (x - hi))).
  { assert (M : lo <= (1 - t) * lo + t * hi <= hi) by nra.
    set (m := (1 - t) * lo + t * hi) in *.
    assert (Em : s * (x - m) = (1 - t) * (s * (x - lo)) + t * (s * (x - hi))) by (unfold m; ring).
    destruct (H (x, p) (or_introl eq_refl)) as [W | W]; simpl in W; destruct (Rle_dec 0 s) as [S | S].
    - rewrite (Rmax_left 0 (s * (x - m))), (Rmax_left 0 (s * (x - lo))), (Rmax_left 0 (s * (x - hi))) by nra. ring.
    - rewrite (Rmax_right 0 (s * (x - m))), (Rmax_right 0 (s * (x - lo))), (Rmax_right 0 (s * (x - hi))) by nra.
      exact Em.
    - rewrite (Rmax_right 0 (s * (x - m))), (Rmax_right 0 (s * (x - lo))), (Rmax_right 0 (s * (x - hi))) by nra.
      exact Em.
    - rewrite (Rmax_left 0 (s * (x - m))), (Rmax_left 0 (s * (x - lo))), (Rmax_left 0 (s * (x - hi))) by nra. ring. }
  rewrite E. ring.
Qed.

(* The datum next below b, or none; and above. *)
Lemma next_below (lo : R) (xs : list R) b :
  lo <= b -> exists k, (k = lo \/ In k xs) /\ lo <= k <= b /\ forall x, In x xs -> x <= k \/ b < x.
Proof.
  intros L. induction xs as [| x xs [k [I [B M]]]]; [exists lo; simpl; repeat split; auto; try lra; intros ? [] |].
  destruct (Rle_dec x b) as [S | S]; [destruct (Rle_dec x k) as [W | W] |].
  - exists k. simpl. repeat split; try tauto; try lra. intros y [<- | Y]; [lra | auto].
  - exists x. simpl. repeat split; try tauto; try lra. intros y [<- | Y]; [lra |]. destruct (M y Y); lra.
  - exists k. simpl. repeat split; try tauto; try lra. intros y [<- | Y]; [lra | auto].
Qed.

Lemma next_above (hi : R) (xs : list R) b :
  b <= hi -> exists k, (k = hi \/ In k xs) /\ b <= k <= hi /\ forall x, In x xs -> k <= x \/ x < b.
Proof.
  intros L. induction xs as [| x xs [k [I [B M]]]]; [exists hi; simpl; repeat split; auto; try lra; intros ? [] |].
  destruct (Rle_dec b x) as [S | S]; [destruct (Rle_dec k x) as [W | W] |].
  - exists k. simpl. repeat split; try tauto; try lra. intros y [<- | Y]; [lra | auto].
  - exists x. simpl. repeat split; try tauto; try lra. intros y [<- | Y]; [lra |]. destruct (M y Y); lra.
  - exists k. simpl. repeat split; try tauto; try lra. intros y [<- | Y]; [lra | auto].
Qed.

(* Price at knots and ends: kinks in [lo, hi]; it is enough to look at lo, hi and the data between. *)
Theorem ramp_price_bounded s ds lo hi c :
  Rabs (ramp_price s ds lo) <= c -> Rabs (ramp_price s ds hi) <= c ->
  (forall d, In d ds -> lo <= fst d <= hi -> Rabs (ramp_price s ds (fst d)) <= c) ->
  forall b, lo <= b <= hi -> Rabs (ramp_price s ds b) <= c.
Proof.
  intros L H K b [Bl Bh].
  destruct (next_below lo (map fst ds) b Bl) as [k [Ik [Ek Mk]]].
  destruct (next_above hi (map fst ds) b Bh) as [m [Im [Em Mm]]].
  assert (V : forall z, lo <= z <= hi -> z = lo \/ z = hi \/ In z (map fst ds) -> Rabs (ramp_price s ds z) <= c).
  { intros z Z [-> | [-> | I]]; auto. apply in_map_iff in I. destruct I as [d [<- I]]. apply K; assumption. }
  apply (affine_bounded (ramp_price s ds) k m c b); [| apply V; [lra | tauto] | apply V; [lra | tauto] | lra].
  apply ramp_price_affine; [lra |]. intros d I. assert (J : In (fst d) (map fst ds)) by (apply in_map, I).
  destruct (Mk _ J), (Mm _ J); lra.
Qed.

(* Beyond all data: the price of the ramp to the right is 0 for b >= all x, and S1 - b S0 for b <= all x. *)
Lemma ramp_price_beyond ds b : (forall d, In d ds -> fst d <= b) -> ramp_price 1 ds b = 0.
Proof.
  unfold ramp_price. intros H. transitivity (sum (fun _ => 0) ds); [| apply sum_zero].
  apply sum_ext. intros d I. specialize (H d I).
  rewrite Rmax_left by lra. ring.
Qed.

Lemma ramp_price_before ds b :
  (forall d, In d ds -> b <= fst d) -> ramp_price 1 ds b = sum (fun d => snd d * fst d) ds - b * sum snd ds.
Proof.
  unfold ramp_price. induction ds as [| d l IH]; intros H; [simpl; ring |].
  rewrite !sum_cons, IH by (intros; apply H; right; assumption). specialize (H d (or_introl eq_refl)).
  rewrite Rmax_right by lra. ring.
Qed.

(* With multipliers of sum and moment 0 the ramp to the left has the same price, and data alone bound both for all b. *)
Lemma ramp_price_flip ds b :
  sum snd ds = 0 -> sum (fun d => snd d * fst d) ds = 0 -> ramp_price (-1) ds b = ramp_price 1 ds b.
Proof.
  intros S0 S1. assert (E : ramp_price 1 ds b - ramp_price (-1) ds b = sum (fun d => snd d * fst d) ds - b * sum snd ds).
  { unfold ramp_price. rewrite <- sum_minus, <- (sum_scale b), <- sum_minus. apply sum_ext. intros [x p] _. simpl.
    unfold Rmax. destruct (Rle_dec 0 (1 * (x - b))), (Rle_dec 0 (-1 * (x - b))); try ring; assert (x = b) by lra; subst; ring. }
  rewrite S0, S1 in E. lra.
Qed.

Lemma list_upper_bound (xs : list R) : exists m, forall x, In x xs -> x <= m.
Proof.
  induction xs as [| x xs [m M]]; [exists 0; intros ? [] |]. exists (Rmax x m).
  intros y [<- | I]; [apply Rmax_l | apply Rle_trans with m; [apply M, I | apply Rmax_r]].
Qed.

Lemma list_lower_bound (xs : list R) : exists m, forall x, In x xs -> m <= x.
Proof.
  induction xs as [| x xs [m M]]; [exists 0; intros ? [] |]. exists (Rmin x m).
  intros y [<- | I]; [apply Rmin_l | apply Rle_trans with m; [apply Rmin_r | apply M, I]].
Qed.

Theorem ramp_price_bounded_everywhere ds c :
  0 <= c -> sum snd ds = 0 -> sum (fun d => snd d * fst d) ds = 0 ->
  (forall d, In d ds -> Rabs (ramp_price 1 ds (fst d)) <= c) ->
  forall s b, s = 1 \/ s = -1 -> Rabs (ramp_price s ds b) <= c.
Proof.
  intros C S0 S1 K s b [-> | ->]; [| rewrite ramp_price_flip by assumption]; revert b.
  all: intros b; destruct (list_upper_bound (map fst ds)) as [hi U]; destruct (list_lower_bound (map fst ds)) as [lo L].
  all: apply (ramp_price_bounded 1 ds (Rmin lo b) (Rmax hi b) c);
    [ rewrite ramp_price_before, S0, S1;
      [replace (0 - Rmin lo b * 0) with 0 by ring; rewrite Rabs_R0; exact C
      | intros d I; apply Rle_trans with lo; [apply Rmin_l | apply L, in_map, I]]
    | rewrite ramp_price_beyond;
      [rewrite Rabs_R0; exact C | intros d I; apply Rle_trans with hi; [apply U, in_map, I | apply Rmax_l]]
    | intros d I _; apply K, I
    | split; [apply Rmin_r | apply Rmax_r] ].
Qed.

(* The price of a unit max(0, w x + b), for every weight and bias, by the same conditions at the data. *)
Theorem unit_price_bounded ds c :
  0 <= c -> sum snd ds = 0 -> sum (fun d => snd d * fst d) ds = 0 ->
  (forall d, In d ds -> Rabs (ramp_price 1 ds (fst d)) <= c) ->
  forall w b, Rabs (sum (fun d => snd d * Rmax 0 (w * fst d + b)) ds) <= c * Rabs w.
Proof.
  intros C S0 S1 K w b. destruct (Rtotal_order w 0) as [W | [-> | W]].
  - rewrite (sum_ext _ (fun d => - w * (snd d * Rmax 0 (-1 * (fst d - - b / w))))).
    + rewrite sum_scale, Rabs_mult, Rabs_Ropp, Rmult_comm. apply Rmult_le_compat_r; [apply Rabs_pos |].
      apply (ramp_price_bounded_everywhere ds c C S0 S1 K); auto.
    + intros [x p] _. cbn [fst snd]. rewrite unit_left by lra.
      replace (-1 * (x - - b / w)) with (- (x - - b / w)) by ring. ring.
  - rewrite (sum_ext _ (fun d => Rmax 0 b * snd d)); [| intros [x p] _; simpl; rewrite Rmult_0_l, Rplus_0_l; ring].
    rewrite sum_scale, S0, Rmult_0_r, Rabs_R0. lra.
  - rewrite (sum_ext _ (fun d => w * (snd d * Rmax 0 (1 * (fst d - - b / w))))).
    + rewrite sum_scale, Rabs_mult, Rmult_comm. apply Rmult_le_compat_r; [apply Rabs_pos |].
      apply (ramp_price_bounded_everywhere ds c C S0 S1 K); auto.
    + intros [x p] _. cbn [fst snd]. rewrite unit_right, Rmult_1_l by lra. ring.
Qed.

(* The price of a ramp of weight w, by its price for weight 1. *)
Lemma weighted_price (P c w : R) : Rabs P <= c -> w * P <= c * Rabs w.
Proof.
  intros H. apply Rle_trans with (Rabs (w * P)); [apply Rle_abs |]. rewrite Rabs_mult, Rmult_comm.
  apply Rmult_le_compat_r; [apply Rabs_pos | exact H].
Qed.

(* Prices that are linear on cones of the (a, b) plane, against the norm sqrt(a^2 + b^2). *)

(* A linear form is at most the length of its gradient times the norm. *)
Lemma linear_price (u v a b : R) : u * a + v * b <= sqrt (u ^ 2 + v ^ 2) * sqrt (a ^ 2 + b ^ 2).
Proof.
  rewrite <- sqrt_mult by (apply Rplus_le_le_0_compat; apply pow2_ge_0).
  apply Rle_trans with (sqrt ((u * a + v * b) ^ 2)).
  - rewrite <- Rsqr_pow2, sqrt_Rsqr_abs. apply Rle_abs.
  - apply sqrt_le_1_alt. pose proof (pow2_ge_0 (u * b - v * a)). lra.
Qed.

(* Its gradient inside the disc of radius c: the price is at most c times the norm. *)
Lemma linear_price_bounded (u v c a b : R) : 0 <= c -> u ^ 2 + v ^ 2 <= c ^ 2 -> u * a + v * b <= c * sqrt (a ^ 2 + b ^ 2).
Proof.
  intros C H. eapply Rle_trans; [apply linear_price |]. apply Rmult_le_compat_r; [apply sqrt_pos |].
  rewrite <- (sqrt_pow2 c C). apply sqrt_le_1_alt, H.
Qed.

(* Gradient alpha r + beta n, r of length at most 1, and n points out of the cone: only the ray along r counts. *)
Lemma linear_price_by_ray (u v r1 r2 n1 n2 alpha beta c a b : R) :
  u = alpha * r1 + beta * n1 -> v = alpha * r2 + beta * n2 -> r1 ^ 2 + r2 ^ 2 <= 1 -> 0 <= beta ->
  n1 * a + n2 * b <= 0 -> Rabs alpha <= c -> u * a + v * b <= c * sqrt (a ^ 2 + b ^ 2).
Proof.
  intros -> -> Hr Hb Hn Hc.
  assert (Q : alpha * r1 * a + alpha * r2 * b <= c * sqrt (a ^ 2 + b ^ 2)).
  { apply linear_price_bounded; [pose proof (Rabs_pos alpha); lra |].
    assert (E : alpha ^ 2 = Rabs alpha ^ 2) by (rewrite <- !Rsqr_pow2; apply Rsqr_abs).
    assert (alpha ^ 2 <= c ^ 2) by (rewrite E; apply pow_incr; split; [apply Rabs_pos | exact Hc]).
    pose proof (pow2_ge_0 alpha). nra. }
  assert (beta * (n1 * a + n2 * b) <= 0) by nra. lra.
Qed.

(* From a bound without roots to one with the norm. *)
Lemma norm_price (p c a b : R) : 0 <= c -> p ^ 2 <= c ^ 2 * (a ^ 2 + b ^ 2) -> p <= c * sqrt (a ^ 2 + b ^ 2).
Proof.
  intros C H. apply Rle_trans with (sqrt (p ^ 2)); [rewrite <- Rsqr_pow2, sqrt_Rsqr_abs; apply Rle_abs |].
  rewrite <- (sqrt_pow2 c C) at 1. rewrite <- sqrt_mult_alt by apply pow2_ge_0. apply sqrt_le_1_alt, H.
Qed.

(* The premise of min_by_duality about data: every datum of a written list is among the conditions of the domain. *)
Ltac interpolates :=
  let us := fresh "us" in let D := fresh "D" in let x := fresh "x" in let y := fresh "y" in let p := fresh "p" in
  let I := fresh "I" in
  intros us D x y p I; cbn [In] in I;
  repeat match goal with H : _ /\ _ |- _ => destruct H end;
  repeat match type of I with _ \/ _ => destruct I as [I | I] end;
  first [contradiction | injection I; intros; subst x y p; cbn [fst snd] in *; first [assumption | congruence]].

(* What holds of each datum of a written list. *)
Ltac written_data :=
  let x := fresh "x" in let y := fresh "y" in let p := fresh "p" in let I := fresh "I" in
  intros x y p I; cbn [In] in I; repeat destruct I as [I | I]; try contradiction;
  injection I; intros; subst x y p; (split; [equal | nonneg]).

(* The premises of ramp_price_bounded: the price at the ends and at each datum of a written list. *)
Ltac at_knots :=
  intros;
  repeat match goal with I : In _ _ |- _ => cbn [In] in I; repeat destruct I as [I | I]; try contradiction; subst end;
  unfold ramp_price; cbn [sum fold_right fst snd] in *; nonneg.
