(* Ramps with their kinks at the data (Stewart et al. 2022): the measure (22), which is the linear interpolant of the data
   on [-1, 1], and Lemma 2: whatever norm multipliers are priced in, the prices of the ramps with kinks at the data bound
   those of all ramps. *)
From Coq Require Import Reals Lra Lia Psatz List.
From Coquelicot Require Import Coquelicot.
From ImplicitBias Require Import Quantities Units Lists Vectors Functions Networks Ramps.
Import ListNotations.
Open Scope R_scope.

(* (22), as mended: y_1/2 of the left ramp at the last datum, y_1/2 + gamma_1 of the right ramp at the first, and at every
   datum between the change of slope. A ramp is (side, kink, weight). *)
Fixpoint changes_of_slope (K L : R * R) (rest : list (R * R)) : list (R * R * R) :=
  match rest with
  | [] => []
  | M :: more => (1, fst L, slope L M - slope K L) :: changes_of_slope L M more
  end.
Definition interpolating_ramps (K L : R * R) (rest : list (R * R)) : list (R * R * R) :=
  (-1, fst (last rest L), snd K / 2) :: (1, fst K, snd K / 2 + slope K L) :: changes_of_slope K L rest.

Lemma last_cons {A : Type} (l : list A) : forall m d, last (m :: l) d = last l m.
Proof. induction l as [| n l IH]; intros m d; [reflexivity |]. change (last (n :: l) d = last (n :: l) m).
  rewrite !IH. reflexivity. Qed.

Lemma changes_are_bends rest : forall K L right x,
  increasing (fst L) (map fst rest) -> x <= fst (last rest L) ->
  sum (fun d => snd d * Rmax 0 (x - fst d)) (bends (slope K L) right L rest)
  = sum (ramp_output x) (changes_of_slope K L rest).
Proof.
  induction rest as [| M rest IH]; intros K L right x I X.
  - cbn [bends changes_of_slope]. rewrite sum_cons, !sum_nil. cbn [fst snd last] in *. rewrite Rmax_left by lra. ring.
  - cbn [bends changes_of_slope]. rewrite !sum_cons, (IH L M right x).
    + cbn [fst snd]. unfold ramp_output at 2, relu. rewrite Rmult_1_l. reflexivity.
    + apply I.
    + rewrite last_cons in X. exact X.
Qed.

Theorem interpolating_ramps_are_linear K L rest right x :
  increasing (fst K) (map fst (L :: rest)) -> fst K = -1 -> fst (last rest L) = 1 -> -1 <= x <= 1 ->
  sum (ramp_output x) (interpolating_ramps K L rest) = linear_between (slope K L) right K (L :: rest) x.
Proof.
  intros I A B X. rewrite linear_between_bends by exact I. cbn [bends]. rewrite sum_cons. cbn [fst snd].
  rewrite (changes_are_bends rest K L right x (proj2 I)) by lra. unfold interpolating_ramps. rewrite !sum_cons.
  unfold ramp_output at 1 2, relu. rewrite A, B. rewrite !(Rmax_right 0) by lra. field.
Qed.

(* So it meets every datum, with kinks at the data only. *)
Theorem interpolating_ramps_pass K L rest :
  increasing (fst K) (map fst (L :: rest)) -> fst K = -1 -> fst (last rest L) = 1 ->
  ramps_through (-1) 1 (K :: L :: rest) (interpolating_ramps K L rest)
  /\ forall r, In r (interpolating_ramps K L rest) -> In (snd (fst r)) (map fst (K :: L :: rest)).
Proof.
  intros I A B.
  assert (W : forall p, In p (K :: L :: rest) -> -1 <= fst p <= 1).
  { assert (Top : forall l (X : R * R) y, increasing (fst X) (map fst l) -> In y (map fst (X :: l)) -> y <= fst (last l X)).
    { induction l as [| Z l IH]; intros X y J H; [destruct H as [<- | []]; cbn; lra |]. rewrite last_cons.
      destruct J as [J J']. destruct H as [<- | H]; [| apply IH; assumption].
      specialize (IH Z (fst Z) J' (or_introl eq_refl)). lra. }
    intros p H. split.
    - destruct H as [<- | H]; [lra |]. pose proof (increasing_least _ _ I (fst p) (in_map fst _ _ H)). lra.
    - rewrite <- B, <- (last_cons rest L K). apply Top; [exact I | apply in_map, H]. }
  assert (P : forall r, In r (interpolating_ramps K L rest) ->
    (fst (fst r) = 1 \/ fst (fst r) = -1) /\ In (snd (fst r)) (map fst (K :: L :: rest))).
  { assert (C : forall l K L r, In r (changes_of_slope K L l) -> fst (fst r) = 1 /\ In (snd (fst r)) (map fst (L :: l))).
    { induction l as [| M l IH]; intros K0 L0 r J; [contradiction |]. destruct J as [<- | J].
      - split; [reflexivity | left; reflexivity].
      - destruct (IH L0 M r J) as [S In']. split; [exact S | right; exact In']. }
    intros r [<- | [<- | J]]; cbn [fst snd].
    - split; [right; reflexivity |]. right. apply (in_map fst (L :: rest)). rewrite <- (last_cons rest L L).
      rewrite (app_removelast_last L) at 2 by discriminate.
      apply in_app_iff. right. left. reflexivity.
    - split; [left; reflexivity | left; reflexivity].
    - destruct (C _ _ _ _ J) as [S J']. split; [left; exact S | right; exact J']. }
  split; [split |].
  - intros [[s c] w] J. destruct (P _ J) as [S J']. split; [exact S |]. cbn [fst snd] in J'.
    apply in_map_iff in J'. destruct J' as [p [<- J']]. apply W, J'.
  - intros x y J. rewrite (interpolating_ramps_are_linear K L rest 0 x I A B (W _ J)).
    apply (linear_between_passes (L :: rest) _ _ K I), J.
  - intros r J. apply P, J.
Qed.

(* Lemma 2. *)

(* A norm of R^k. *)
Record is_norm (k : nat) (N : vector -> R) : Prop := {
  norm_entries : forall u v, (forall j, (j < k)%nat -> u j = v j) -> N u = N v;
  norm_triangle : forall u v, N (vplus u v) <= N u + N v;
  norm_scales : forall c u, N (vscale c u) = Rabs c * N u }.

(* The price of a ramp: the sum of multipliers times its values at the data. A datum is (x, its multiplier in R^k). *)
Definition price_of_ramp (ds : list (R * vector)) (u : R * R) : vector := fun j =>
  sum (fun d => snd d j * relu (fst u * (fst d - snd u))) ds.

(* Where no datum lies strictly between p and q, prices of kinks between are those of p and q, mixed. *)
Lemma price_between ds s p q t :
  (s = 1 \/ s = -1) -> p <= q -> (forall d, In d ds -> fst d <= p \/ q <= fst d) -> 0 <= t <= 1 -> forall j,
  price_of_ramp ds (s, (1 - t) * p + t * q) j
  = vplus (vscale (1 - t) (price_of_ramp ds (s, p))) (vscale t (price_of_ramp ds (s, q))) j.
Proof.
  intros S L H T j. unfold vplus, vscale, price_of_ramp. rewrite <- !sum_scale, <- sum_plus. apply sum_ext.
  intros [x a] J. specialize (H _ J). cbn [fst snd] in *.
  enough (E : relu (s * (x - ((1 - t) * p + t * q))) = (1 - t) * relu (s * (x - p)) + t * relu (s * (x - q)))
    by (rewrite E; ring).
  set (c := (1 - t) * p + t * q). assert (C : p <= c <= q) by (unfold c; split; nra). unfold relu.
  destruct S as [-> | ->], H as [H | H].
  - rewrite !(Rmax_left 0) by lra. ring.
  - rewrite !(Rmax_right 0) by lra. unfold c. ring.
  - rewrite !(Rmax_right 0) by lra. unfold c. ring.
  - rewrite !(Rmax_left 0) by lra. ring.
Qed.

(* The neighbours of a place among the data. *)
Lemma greatest_below c ys :
  (exists p, In p ys /\ p <= c) -> exists p, In p ys /\ p <= c /\ forall x, In x ys -> x <= c -> x <= p.
Proof.
  induction ys as [| y ys IH]; intros [p [J P]]; [contradiction |].
  assert (D : (exists p, In p ys /\ p <= c) \/ forall x, In x ys -> x <= c -> False).
  { clear. induction ys as [| z ys [[p [J P]] | N]]; [right; intros _ [] | left; exists p; split; [right |]; assumption |].
    destruct (Rle_dec z c) as [Z | Z]; [left; exists z; split; [left; reflexivity | exact Z] |].
    right. intros x [<- | J]; [exact Z | apply N, J]. }
  destruct D as [D | N].
  - destruct (IH D) as [m [M [Mc Mx]]]. destruct (Rle_dec y c) as [Y | Y]; [destruct (Rle_dec m y) as [A | A] |].
    + exists y. split; [left; reflexivity |]. split; [exact Y |]. intros x [<- | X] Xc; [lra | specialize (Mx x X Xc); lra].
    + exists m. split; [right; exact M |]. split; [exact Mc |]. intros x [<- | X] Xc; [lra | apply Mx; assumption].
    + exists m. split; [right; exact M |]. split; [exact Mc |]. intros x [<- | X] Xc; [lra | apply Mx; assumption].
  - destruct J as [<- | J]; [| destruct (N p J P)]. exists y. split; [left; reflexivity |]. split; [exact P |].
    intros x [<- | X] Xc; [lra | destruct (N x X Xc)].
Qed.

Lemma neighbours (xs : list R) c :
  (exists p, In p xs /\ p <= c) -> (exists q, In q xs /\ c <= q) ->
  exists p q, In p xs /\ In q xs /\ p <= c <= q /\ forall x, In x xs -> x <= p \/ q <= x.
Proof.
  intros P [q [Q C]]. destruct (greatest_below c xs P) as [p [Ip [Lp Mp]]].
  destruct (greatest_below (- c) (map Ropp xs)) as [r [Ir [Lr Mr]]]; [exists (- q); split; [apply in_map, Q | lra] |].
  apply in_map_iff in Ir. destruct Ir as [q' [<- Iq]]. exists p, q'. split; [exact Ip |]. split; [exact Iq |].
  split; [lra |]. intros x X. destruct (Rle_dec x c) as [Y | Y]; [left; apply Mp; assumption | right].
  specialize (Mr (- x) (in_map _ _ _ X)). lra.
Qed.

Definition sides_and_kinks (kink : R -> Prop) (u : R * R) : Prop := (fst u = 1 \/ fst u = -1) /\ kink (snd u).

(* Multipliers that are feasible for the ramps with kinks at the data are feasible for all on [-1, 1]. *)
Theorem feasible_at_data k N ds bound :
  is_norm k N -> In (-1) (map fst ds) -> In 1 (map fst ds) ->
  (forall u, sides_and_kinks (fun c => In c (map fst ds)) u -> N (price_of_ramp ds u) <= bound) ->
  forall u, sides_and_kinks (fun c => -1 <= c <= 1) u -> N (price_of_ramp ds u) <= bound.
Proof.
  intros HN A B H [s c] [S C]. cbn [fst snd] in S, C.
  destruct (neighbours (map fst ds) c) as [p [q [P [Q [L M]]]]]; [exists (-1); split; [exact A | lra] |
    exists 1; split; [exact B | lra] |].
  assert (T : exists t, 0 <= t <= 1 /\ c = (1 - t) * p + t * q).
  { destruct (Req_dec p q) as [E | E].
    - exists 0. split; [lra |]. lra.
    - exists ((c - p) / (q - p)). split; [| field; lra].
      split; [apply Rmult_le_reg_r with (q - p) | apply Rmult_le_reg_r with (q - p)]; try lra;
        unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; lra. }
  destruct T as [t [T ->]].
  rewrite (norm_entries k N HN _ (vplus (vscale (1 - t) (price_of_ramp ds (s, p))) (vscale t (price_of_ramp ds (s, q))))).
  - eapply Rle_trans; [apply (norm_triangle k N HN) |]. rewrite !(norm_scales k N HN), !Rabs_pos_eq by lra.
    assert (N (price_of_ramp ds (s, p)) <= bound) by (apply H; split; [exact S | exact P]).
    assert (N (price_of_ramp ds (s, q)) <= bound) by (apply H; split; [exact S | exact Q]). nra.
  - intros j _. apply price_between; [exact S | lra | | exact T]. intros d J. apply M, in_map, J.
Qed.

(* The largest price of all ramps is that of a ramp with its kink at a datum. *)
Theorem largest_price_at_data k N ds G :
  is_norm k N -> In (-1) (map fst ds) -> In 1 (map fst ds) -> (forall d, In d ds -> -1 <= fst d <= 1) ->
  is_max (sides_and_kinks (fun c => In c (map fst ds))) (fun u => N (price_of_ramp ds u)) G ->
  is_max (sides_and_kinks (fun c => -1 <= c <= 1)) (fun u => N (price_of_ramp ds u)) G.
Proof.
  intros HN A B W [[u [[S C] E]] H]. split.
  - exists u. split; [| exact E]. split; [exact S |]. apply in_map_iff in C. destruct C as [d [<- C]]. apply W, C.
  - apply (feasible_at_data k); assumption.
Qed.
