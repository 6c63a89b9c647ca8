(* Points where the margin of a network is stationary (Safran, Vardi and Lee 2022, problem (4)): the conditions of Karush,
   Kuhn and Tucker for sums of v relu(w x + b), without an output bias, and what they say of two kinks and of three
   supports. *)
From Coq Require Import Reals Lra Lia Psatz List Classical.
From Coquelicot Require Import Coquelicot.
From ImplicitBias Require Import Units Lists Functions Networks.
Import ListNotations.
Open Scope R_scope.

(* A datum with its label and its multiplier. *)
Definition datum : Type := R * R * R.
Definition at_x (d : datum) : R := fst (fst d).
Definition label (d : datum) : R := snd (fst d).
Definition multiplier (d : datum) : R := snd d.

(* The margin's gradient in one unit: the slopes c of the rectifier are 1 and 0 off the kink, and between at it. *)
Definition pull (data : list datum) (f : datum -> R) : R := sum (fun d => multiplier d * label d * f d) data.
Definition slopes_at (data : list datum) (w b : R) (c : datum -> R) : Prop := forall d, In d data ->
  0 <= c d <= 1 /\ (0 < w * at_x d + b -> c d = 1) /\ (w * at_x d + b < 0 -> c d = 0).
Definition stationary (data : list datum) (u : R * R * R) : Prop := let '(v, w, b) := u in
  exists c, slopes_at data w b c /\ w = v * pull data (fun d => c d * at_x d) /\ b = v * pull data c
    /\ v = pull data (fun d => relu (w * at_x d + b)).

(* A point of Karush, Kuhn and Tucker of problem (4): half the squared norm least, label N(x) >= 1. *)
Definition net (us : list (R * R * R)) (x : R) : R := sum (unit_output x) us.
Definition kkt (data : list datum) (us : list (R * R * R)) : Prop :=
  (forall d, In d data -> (label d = 1 \/ label d = -1) /\ 0 <= multiplier d /\ 1 <= label d * net us (at_x d)
    /\ (0 < multiplier d -> label d * net us (at_x d) = 1))
  /\ forall u, In u us -> stationary data u.

Definition kink (u : R * R * R) : R := let '(v, w, b) := u in - b / w.
Definition faces_right (u : R * R * R) : Prop := let '(v, w, b) := u in v <> 0 /\ 0 < w.
Definition faces_left (u : R * R * R) : Prop := let '(v, w, b) := u in v <> 0 /\ w < 0.
Definition output_weight (u : R * R * R) : R := fst (fst u).

(* x is a support: the place of a datum with a positive multiplier. *)
Definition support (data : list datum) (x : R) : Prop := exists d, In d data /\ 0 < multiplier d /\ at_x d = x.

(* The direction s of a unit: w = v s1, b = v s2, and |s| = 1. *)
Lemma direction data v w b :
  stationary data (v, w, b) -> v <> 0 -> 0 < w ->
  exists c s, slopes_at data w b c /\ pull data (fun d => c d * at_x d) = s /\ pull data c = - kink (v, w, b) * s
    /\ s ^ 2 * (1 + kink (v, w, b) ^ 2) = 1 /\ 0 < v * s.
Proof.
  intros [c [C [W [B V]]]] Nv Pw. set (s := pull data (fun d => c d * at_x d)) in *. set (q := pull data c) in *.
  exists c, s. assert (E : pull data (fun d => relu (w * at_x d + b)) = w * s + b * q).
  { unfold s, q, pull. rewrite <- !sum_scale, <- sum_plus. apply sum_ext. intros d I. destruct (C d I) as [_ [On Off]].
    unfold relu. destruct (Rtotal_order (w * at_x d + b) 0) as [L | [Z | G]].
    - rewrite (Off L), Rmax_left by lra. ring.
    - rewrite Rmax_left by lra. replace (w * (multiplier d * label d * (c d * at_x d)) + b * (multiplier d * label d * c d))
        with (multiplier d * label d * c d * (w * at_x d + b)) by ring. rewrite Z. ring.
    - rewrite (On G), Rmax_right by lra. ring. }
  rewrite E in V. assert (U : s ^ 2 + q ^ 2 = 1).
  { apply (Rmult_eq_reg_l v); [| exact Nv]. rewrite V at 2. rewrite W at 1. rewrite B at 1. ring. }
  assert (K : kink (v, w, b) * s = - q).
  { unfold kink. apply (Rmult_eq_reg_l v); [| exact Nv]. replace (v * (- b / w * s)) with (- b / w * (v * s)) by ring.
    rewrite <- W. replace (v * - q) with (- (v * q)) by ring. rewrite <- B. field. lra. }
  split; [exact C |]. split; [reflexivity |]. split; [fold q; lra |]. split; [| rewrite <- W; exact Pw].
  replace (s ^ 2 * (1 + kink (v, w, b) ^ 2)) with (s ^ 2 + (kink (v, w, b) * s) ^ 2) by ring. rewrite K. lra.
Qed.

(* Two units facing right with different kinks, and no datum of another label from one kink to the other. *)
Lemma two_directions k k' s s' :
  k < k' -> s ^ 2 * (1 + k ^ 2) = 1 -> s' ^ 2 * (1 + k' ^ 2) = 1 ->
  0 <= s * (1 + k ^ 2) - s' * (1 + k * k') -> s * (1 + k * k') - s' * (1 + k' ^ 2) <= 0 ->
  0 < s /\ 0 < s' /\ 0 < s * (1 + k ^ 2) - s' * (1 + k * k') /\ s * (1 + k * k') - s' * (1 + k' ^ 2) < 0.
Proof.
  intros L E E' A B. set (a := 1 + k ^ 2) in *. set (a' := 1 + k' ^ 2) in *. set (m := 1 + k * k') in *.
  assert (Pa : 0 < a) by (unfold a; nra). assert (Pa' : 0 < a') by (unfold a'; nra).
  assert (G : m ^ 2 < a * a') by (unfold m, a, a'; nra).
  assert (Q : (s' * m) ^ 2 < (s * a) ^ 2).
  { replace ((s' * m) ^ 2) with (s' ^ 2 * m ^ 2) by ring. replace ((s * a) ^ 2) with (s ^ 2 * a * a) by ring. rewrite E.
    apply (Rmult_lt_reg_r a'); [exact Pa' |]. replace (s' ^ 2 * m ^ 2 * a') with (s' ^ 2 * a' * m ^ 2) by ring.
      rewrite E'. lra. }
  assert (Q' : (s * m) ^ 2 < (s' * a') ^ 2).
  { replace ((s * m) ^ 2) with (s ^ 2 * m ^ 2) by ring. replace ((s' * a') ^ 2) with (s' ^ 2 * a' * a') by ring. rewrite E'.
    apply (Rmult_lt_reg_r a); [exact Pa |]. replace (s ^ 2 * m ^ 2 * a) with (s ^ 2 * a * m ^ 2) by ring. rewrite E. lra. }
  assert (P : 0 < s * a) by nra. assert (P' : 0 < s' * a') by nra.
  assert (S : 0 < s) by nra. assert (S' : 0 < s') by nra. repeat split; try assumption; nra.
Qed.

Lemma some_positive {A : Type} (f : A -> R) l : 0 < sum f l -> exists a, In a l /\ 0 < f a.
Proof.
  intros P. apply NNPP. intros N. assert (sum f l <= 0); [| lra]. rewrite <- (sum_zero l). apply sum_le. intros a I.
  apply Rnot_lt_le. intros Q. apply N. exists a. auto.
Qed.

Lemma pair_rule_right data us u u' :
  kkt data us -> In u us -> In u' us -> faces_right u -> faces_right u' -> kink u < kink u' ->
  (forall d, In d data -> kink u <= at_x d <= kink u' -> label d = 1) ->
  0 < output_weight u /\ 0 < output_weight u'
  /\ ((exists t, support data t /\ kink u < t < kink u') \/ (support data (kink u) /\ support data (kink u'))).
Proof.
  intros [D S] I I' F F' L H. destruct u as [[v w] b], u' as [[v' w'] b']. destruct F as [Nv Pw], F' as [Nv' Pw'].
  destruct (direction data v w b (S _ I) Nv Pw) as [c [s [C [E1 [E2 [U P]]]]]].
  destruct (direction data v' w' b' (S _ I') Nv' Pw') as [c' [s' [C' [E1' [E2' [U' P']]]]]].
  assert (Kk : w * kink (v, w, b) + b = 0) by (unfold kink; field; lra).
  assert (Kk' : w' * kink (v', w', b') + b' = 0) by (unfold kink; field; lra).
  set (k := kink (v, w, b)) in *. set (k' := kink (v', w', b')) in *.
  set (mu := fun d => multiplier d * label d * (c d - c' d)).
  assert (Left : forall x, x < k -> w * x + b < 0).
  { intros x X. assert (0 < w * (k - x)) by (apply Rmult_lt_0_compat; lra). lra. }
  assert (Right : forall x, k < x -> 0 < w * x + b).
  { intros x X. assert (0 < w * (x - k)) by (apply Rmult_lt_0_compat; lra). lra. }
  assert (Left' : forall x, x < k' -> w' * x + b' < 0).
  { intros x X. assert (0 < w' * (k' - x)) by (apply Rmult_lt_0_compat; lra). lra. }
  assert (Right' : forall x, k' < x -> 0 < w' * x + b').
  { intros x X. assert (0 < w' * (x - k')) by (apply Rmult_lt_0_compat; lra). lra. }
  assert (M : forall d, In d data -> 0 <= mu d /\ (mu d <> 0 -> 0 < multiplier d /\ k <= at_x d <= k')).
  { intros d J. destruct (C d J) as [R [On Off]], (C' d J) as [R' [On' Off']]. destruct (D d J) as [Y [Lam _]]. unfold mu.
    destruct (Rlt_dec (at_x d) k) as [Z | Z]; [| destruct (Rlt_dec k' (at_x d)) as [Z' | Z']].
    - rewrite Off, Off' by (apply Left || apply Left'; lra). split; [lra |]. intros N. exfalso. apply N. ring.
    - rewrite On, On' by (apply Right || apply Right'; lra). split; [lra |]. intros N. exfalso. apply N. ring.
    - assert (G : 0 <= c d - c' d).
      { destruct (Req_dec (at_x d) k) as [Q | Q]; [rewrite Off' by (apply Left'; lra) | rewrite On by (apply Right;
        lra)]; lra. }
      rewrite (H d J) by lra. split; [apply Rmult_le_pos; lra |]. intros N. split; [| lra].
      destruct Lam as [Lam | Lam]; [exact Lam |]. exfalso. apply N. rewrite <- Lam. ring. }
  assert (T : forall t, sum (fun d => mu d * (at_x d - t)) data = (s - s') - t * (- k * s + k' * s')).
  { intros t. replace (- k * s + k' * s') with (pull data c - pull data c') by (rewrite E2, E2'; ring).
    rewrite <- E1, <- E1'. unfold pull, mu. rewrite <- !sum_minus, <- sum_scale, <- sum_minus. apply sum_ext. intros.
      ring. }
  assert (A : 0 <= s * (1 + k ^ 2) - s' * (1 + k * k')).
  { replace (s * (1 + k ^ 2) - s' * (1 + k * k')) with (sum (fun d => mu d * (at_x d - k)) data) by (rewrite T; ring).
    apply sum_nonneg. intros d J. destruct (M d J) as [G N]. destruct (Req_dec (mu d) 0) as [Z | Z]; [rewrite Z; lra |].
    destruct (N Z) as [_ W]. apply Rmult_le_pos; lra. }
  assert (B : 0 <= - (s * (1 + k * k') - s' * (1 + k' ^ 2))).
  { replace (- (s * (1 + k * k') - s' * (1 + k' ^ 2))) with (sum (fun d => mu d * (k' - at_x d)) data).
    - apply sum_nonneg. intros d J. destruct (M d J) as [G N]. destruct (Req_dec (mu d) 0) as [Z | Z]; [rewrite Z; lra |].
      destruct (N Z) as [_ W]. apply Rmult_le_pos; lra.
    - transitivity (- sum (fun d => mu d * (at_x d - k')) data); [| rewrite T; ring].
      rewrite <- sum_opposite. apply sum_ext. intros. ring. }
  destruct (two_directions k k' s s' L U U' A ltac:(lra)) as [Ps [Ps' [A' B']]].
  assert (Pos : forall p q, 0 < p * q -> 0 < q -> 0 < p).
  { intros p q X Y. apply (Rmult_lt_reg_r q); [exact Y | rewrite Rmult_0_l; exact X]. }
  split; [exact (Pos v s P Ps) |]. split; [exact (Pos v' s' P' Ps') |].
  destruct (some_positive (fun d => mu d * (at_x d - k)) data) as [d [J Q]]; [rewrite T; lra |].
  destruct (some_positive (fun d => mu d * (k' - at_x d)) data) as [e [J' Q']].
  { replace (sum (fun d => mu d * (k' - at_x d)) data) with (- sum (fun d => mu d * (at_x d - k')) data)
      by (rewrite <- sum_opposite; apply sum_ext; intros; ring). rewrite T. lra. }
  destruct (M d J) as [G N], (M e J') as [G' N']. assert (Z : mu d <> 0) by (intros Z; rewrite Z in Q; lra).
  assert (Z' : mu e <> 0) by (intros Z'; rewrite Z' in Q'; lra). destruct (N Z) as [Lam W], (N' Z') as [Lam' W'].
  assert (Fac : forall m r, 0 <= m -> 0 < m * r -> 0 < r).
  { intros m r X Y. apply Rnot_le_lt. intros O. assert (0 <= m * - r) by (apply Rmult_le_pos; lra). lra. }
  assert (X : k < at_x d) by (pose proof (Fac _ _ G Q); lra). assert (X' : at_x e < k') by (pose proof (Fac _ _ G'
    Q'); lra).
  destruct (Rlt_dec (at_x d) k') as [Y | Y]; [left; exists (at_x d); split; [exists d; auto | lra] |].
  destruct (Rlt_dec k (at_x e)) as [Y' | Y']; [left; exists (at_x e); split; [exists e; auto | lra] |].
  right. split; [exists e | exists d]; repeat split; try assumption; lra.
Qed.

(* Mirror images: units that face left become units that face right. *)
Definition mirrored (d : datum) : datum := (- at_x d, label d, multiplier d).
Definition mirrored_unit (u : R * R * R) : R * R * R := let '(v, w, b) := u in (v, - w, b).

Lemma mirrored_twice d : mirrored (mirrored d) = d.
Proof. destruct d as [[x y] l]. unfold mirrored, at_x, label, multiplier. cbn. rewrite Ropp_involutive. reflexivity. Qed.

Lemma mirrored_kink u : kink (mirrored_unit u) = - kink u.
Proof. destruct u as [[v w] b]. unfold kink, mirrored_unit, Rdiv. rewrite Rinv_opp. ring. Qed.

Lemma mirrored_kkt data us : kkt data us -> kkt (map mirrored data) (map mirrored_unit us).
Proof.
  intros [D S]. split.
  - intros d I. apply in_map_iff in I. destruct I as [e [<- I]]. destruct (D e I) as [Y [L [M Z]]].
    assert (E : net (map mirrored_unit us) (at_x (mirrored e)) = net us (at_x e)).
    { unfold net. rewrite sum_map. apply sum_ext. intros [[v w] b] _. unfold mirrored_unit, unit_output, mirrored, at_x.
      cbn [fst snd]. replace (- w * - fst (fst e) + b) with (w * fst (fst e) + b) by ring. reflexivity. }
    rewrite E. repeat split; assumption.
  - intros u I. apply in_map_iff in I. destruct I as [[[v w] b] [<- I]]. destruct (S _ I) as [c [C [W [B V]]]].
    assert (P : forall f, pull (map mirrored data) f = pull data (fun d => f (mirrored d)))
      by (intros f; unfold pull; rewrite sum_map; reflexivity).
    exists (fun d => c (mirrored d)). rewrite !P. split; [| split; [| split]].
    + intros d J. apply in_map_iff in J. destruct J as [e [<- J]]. rewrite mirrored_twice. destruct (C e J) as [R [On Off]].
      unfold mirrored, at_x in *. cbn [fst snd] in *. split; [exact R |]. split; intros Q; [apply On | apply Off]; lra.
    + rewrite W at 1. unfold pull. rewrite <- Ropp_mult_distr_r_reverse, <- sum_opposite. f_equal. apply sum_ext.
      intros d _.
      rewrite mirrored_twice. unfold mirrored, at_x. cbn [fst snd]. ring.
    + rewrite B at 1. f_equal. apply sum_ext. intros d _. rewrite mirrored_twice. reflexivity.
    + rewrite V at 1. apply sum_ext. intros d _. unfold mirrored, at_x. cbn [fst snd].
      replace (- w * - fst (fst d) + b) with (w * fst (fst d) + b) by ring. reflexivity.
Qed.

Lemma mirrored_right u : faces_right (mirrored_unit u) <-> faces_left u.
Proof. destruct u as [[v w] b]. unfold faces_right, faces_left, mirrored_unit.
  split; intros [N L]; split; lra || exact N. Qed.

Lemma mirrored_left u : faces_left (mirrored_unit u) <-> faces_right u.
Proof. destruct u as [[v w] b]. unfold faces_right, faces_left, mirrored_unit.
  split; intros [N L]; split; lra || exact N. Qed.

Lemma mirrored_weight u : output_weight (mirrored_unit u) = output_weight u.
Proof. destruct u as [[v w] b]. reflexivity. Qed.


(* Both labels alike: labels and output weights with the other sign. *)
Definition flipped (d : datum) : datum := (at_x d, - label d, multiplier d).
Definition flipped_unit (u : R * R * R) : R * R * R := let '(v, w, b) := u in (- v, w, b).

Lemma flipped_kkt data us : kkt data us -> kkt (map flipped data) (map flipped_unit us).
Proof.
  intros [D S]. assert (P : forall f, (forall d, f (flipped d) = f d) -> pull (map flipped data) f = - pull data f).
  { intros f E. unfold pull. rewrite sum_map, <- sum_opposite. apply sum_ext. intros d _. rewrite E.
    unfold flipped, multiplier, label. cbn [fst snd]. ring. }
  assert (T : forall d, flipped (flipped d) = d)
    by (intros [[x y] l]; unfold flipped, at_x, label, multiplier; cbn; rewrite Ropp_involutive; reflexivity).
  split.
  - intros d I. apply in_map_iff in I. destruct I as [e [<- I]]. destruct (D e I) as [Y [L [M Z]]].
    assert (E : net (map flipped_unit us) (at_x (flipped e)) = - net us (at_x e)).
    { unfold net. rewrite sum_map, <- sum_opposite. apply sum_ext. intros [[v w] b] _. unfold flipped_unit, unit_output,
        flipped, at_x. cbn [fst snd]. ring. }
    rewrite E. unfold label, multiplier in *. cbn [flipped fst snd]. unfold label, multiplier.
    split; [lra |]. split; [exact L |]. split; [lra |]. intros Q. specialize (Z Q). lra.
  - intros u I. apply in_map_iff in I. destruct I as [[[v w] b] [<- I]]. destruct (S _ I) as [c [C [W [B V]]]].
    assert (Q : forall f, pull (map flipped data) (fun d => f (flipped d)) = - pull data f).
    { intros f. unfold pull. rewrite sum_map, <- sum_opposite. apply sum_ext. intros d _. rewrite T.
      unfold flipped at 1 2. unfold multiplier, label. cbn [fst snd]. ring. }
    exists (fun d => c (flipped d)). split; [| split; [| split]].
    + intros d J. apply in_map_iff in J. destruct J as [e [<- J]]. rewrite T. exact (C e J).
    + change (w = - v * pull (map flipped data) (fun d => c (flipped d) * at_x (flipped d))).
      pose proof (Q (fun e => c e * at_x e)) as Q1. cbv beta in Q1. rewrite Q1. rewrite W at 1. ring.
    + rewrite (Q c). rewrite B at 1. ring.
    + rewrite P by reflexivity. rewrite V at 1. reflexivity.
Qed.

(* Where the net is convex, three supports leave no kink between the outer ones. *)

Definition live (u : R * R * R) : Prop := faces_right u \/ faces_left u.

Lemma unit_on_chord v w b p q th :
  0 < th < 1 -> p < q -> (v <> 0 -> w <> 0 -> p < - b / w < q -> 0 < v) ->
  let t := th * p + (1 - th) * q in
  unit_output t (v, w, b) <= th * unit_output p (v, w, b) + (1 - th) * unit_output q (v, w, b)
  /\ (v <> 0 -> w <> 0 -> p < - b / w < q ->
    unit_output t (v, w, b) < th * unit_output p (v, w, b) + (1 - th) * unit_output q (v, w, b)).
Proof.
  intros T L P t. unfold unit_output, relu. set (g := fun x => w * x + b). fold (g t) (g p) (g q).
  assert (E : g t = th * g p + (1 - th) * g q) by (unfold g, t; ring).
  assert (G : w <> 0 -> forall x, g x = w * (x - - b / w)) by (intros N x; unfold g; field; exact N).
  assert (Strict : forall y z, (y < 0 /\ 0 < z) \/ (z < 0 /\ 0 < y) ->
    Rmax 0 (th * y + (1 - th) * z) < th * Rmax 0 y + (1 - th) * Rmax 0 z).
  { intros y z [[Y Z] | [Z Y]].
    - assert (0 < th * - y) by (apply Rmult_lt_0_compat; lra). assert (0 < (1 - th) * z) by (apply Rmult_lt_0_compat; lra).
      rewrite (Rmax_left 0 y), (Rmax_right 0 z) by lra. apply Rmax_lub_lt; lra.
    - assert (0 < (1 - th) * - z) by (apply Rmult_lt_0_compat; lra). assert (0 < th * y) by (apply Rmult_lt_0_compat; lra).
      rewrite (Rmax_left 0 z), (Rmax_right 0 y) by lra. apply Rmax_lub_lt; lra. }
  assert (Inside : w <> 0 -> p < - b / w < q -> (g p < 0 /\ 0 < g q) \/ (g q < 0 /\ 0 < g p)).
  { intros N K. rewrite !(G N). destruct (Rlt_dec 0 w) as [W | W]; [left | right]; split.
    - assert (0 < w * (- b / w - p)) by (apply Rmult_lt_0_compat; lra). lra.
    - apply Rmult_lt_0_compat; lra.
    - assert (0 < - w * (q - - b / w)) by (apply Rmult_lt_0_compat; lra). lra.
    - assert (0 < - w * (- b / w - p)) by (apply Rmult_lt_0_compat; lra). lra. }
  assert (Sided : (0 <= g p /\ 0 <= g q) \/ (g p <= 0 /\ g q <= 0) \/ (w <> 0 /\ p < - b / w < q)).
  { destruct (Req_dec w 0) as [Z | N].
    - assert (g p = b /\ g q = b) as [-> ->] by (unfold g; rewrite Z; split; ring). lra.
    - destruct (Rle_dec (- b / w) p) as [A | A]; [| destruct (Rle_dec q (- b / w)) as [B | B]; [| right; right; lra]].
      + rewrite !(G N). destruct (Rlt_dec 0 w) as [W | W]; [left | right; left]; split;
          try (apply Rmult_le_pos; lra);
          match goal with |- w * ?z <= 0 => assert (0 <= - w * z) by (apply Rmult_le_pos; lra); lra end.
      + rewrite !(G N). destruct (Rlt_dec 0 w) as [W | W]; [right; left | left]; split;
          match goal with
          | |- w * ?z <= 0 => assert (0 <= w * - z) by (apply Rmult_le_pos; lra); lra
          | |- 0 <= w * ?z => assert (0 <= - w * - z) by (apply Rmult_le_pos; lra); lra
          end. }
  rewrite E. split.
  - destruct Sided as [[A B] | [[A B] | [N K]]].
    + assert (0 <= th * g p) by (apply Rmult_le_pos; lra). assert (0 <= (1 - th) * g q) by (apply Rmult_le_pos; lra).
      rewrite !Rmax_right by lra. lra.
    + assert (0 <= th * - g p) by (apply Rmult_le_pos; lra). assert (0 <= (1 - th) * - g q) by (apply Rmult_le_pos; lra).
      rewrite !Rmax_left by lra. lra.
    + destruct (Req_dec v 0) as [-> | V]; [lra |]. specialize (P V N K).
      pose proof (Rmult_lt_compat_l v _ _ P (Strict _ _ (Inside N K))). lra.
  - intros V N K. pose proof (Rmult_lt_compat_l v _ _ (P V N K) (Strict _ _ (Inside N K))). lra.
Qed.

Lemma sum_lt {A : Type} (f g : A -> R) l a :
  (forall x, In x l -> f x <= g x) -> In a l -> f a < g a -> sum f l < sum g l.
Proof.
  induction l as [| x l IH]; intros L I S; [contradiction |]. rewrite !sum_cons.
  assert (H : sum f l <= sum g l) by (apply sum_le; intros y J; apply L; right; exact J).
  destruct I as [-> | I]; [lra |]. pose proof (L x (or_introl eq_refl)).
  assert (sum f l < sum g l) by (apply IH; [intros y J; apply L; right; exact J | exact I | exact S]). lra.
Qed.

Lemma no_kink_between data us p t q u :
  kkt data us -> support data p -> support data t -> support data q -> p < t < q ->
  (forall d, In d data -> p <= at_x d <= q -> label d = 1) ->
  (forall u', In u' us -> live u' -> p < kink u' < q -> 0 < output_weight u') ->
  In u us -> live u -> ~ p < kink u < q.
Proof.
  intros [D S] Sp St Sq L Lab Conv I Li K.
  assert (One : forall z, support data z -> p <= z <= q -> net us z = 1).
  { intros z [d [J [M <-]]] Z. destruct (D d J) as [_ [_ [_ E]]]. specialize (E M). rewrite (Lab d J Z) in E. lra. }
  set (th := (q - t) / (q - p)).
  assert (T : 0 < th < 1).
  { unfold th. split; [apply Rdiv_lt_0_compat; lra |]. apply (Rmult_lt_reg_r (q - p)); [lra |].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (Et : t = th * p + (1 - th) * q) by (unfold th; field; lra).
  assert (N : sum (unit_output t) us < sum (fun u => th * unit_output p u + (1 - th) * unit_output q u) us).
  { assert (C : forall u', In u' us -> let '(v, w, b) := u' in v <> 0 -> w <> 0 -> p < - b / w < q -> 0 < v).
    { intros [[v w] b] J V W Kk. apply (Conv _ J); [| exact Kk].
      destruct (Rlt_dec 0 w); [left | right]; split; lra || exact V. }
    apply (sum_lt _ _ us u).
    - intros [[v w] b] J. rewrite Et. apply (unit_on_chord v w b p q th T ltac:(lra) (C _ J)).
    - exact I.
    - destruct u as [[v w] b]. rewrite Et. apply (unit_on_chord v w b p q th T ltac:(lra) (C _ I)).
      + destruct Li as [Li | Li]; apply Li.
      + destruct Li as [[_ Li] | [_ Li]]; lra.
      + exact K. }
  rewrite sum_plus, !sum_scale in N. fold (net us t) (net us p) (net us q) in N.
  rewrite !One in N by (assumption || lra). lra.
Qed.

(* The net is affine where no live unit has its kink: linear regions are at most one more than places of kinks. *)
Theorem affine_off_kinks us p q th :
  0 < th < 1 -> p < q -> (forall u, In u us -> live u -> ~ p < kink u < q) ->
  net us (th * p + (1 - th) * q) = th * net us p + (1 - th) * net us q.
Proof.
  intros T L H. unfold net. rewrite <- !sum_scale, <- sum_plus. apply sum_ext. intros [[v w] b] I.
  assert (No : v <> 0 -> w <> 0 -> ~ p < - b / w < q).
  { intros V W K. apply (H _ I); [| exact K]. destruct (Rlt_dec 0 w); [left | right]; split; lra || exact V. }
  assert (A := proj1 (unit_on_chord v w b p q th T L ltac:(intros V W K; destruct (No V W K)))).
  assert (B := proj1 (unit_on_chord (- v) w b p q th T L ltac:(intros V W K; exfalso; apply No;
    [lra | exact W | exact K]))).
  unfold unit_output in *. lra.
Qed.
