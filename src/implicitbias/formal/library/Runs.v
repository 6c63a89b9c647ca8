(* How many kinks a network has where its margin is stationary (Safran, Vardi and Lee 2022, Theorem 4.2, by a proof of our
   own): at most six places in every run of one label, whatever the width, so at most 6 s + 7 linear regions for s
     switches of
   the label. *)
From Coq Require FinFun.
From Coq Require Import Reals Lra Lia Psatz List Classical.
From Coquelicot Require Import Coquelicot.
From ImplicitBias Require Import Functions Networks Stationary Places.
Import ListNotations.
Open Scope R_scope.

(* An interval whose data have the label 1. *)
Definition interval (J : R -> Prop) : Prop := forall x y z, J x -> J z -> x <= y <= z -> J y.
Definition all_labels (data : list datum) (J : R -> Prop) (l : R) : Prop :=
  forall d, In d data -> J (at_x d) -> label d = l.
Definition kink_in (us : list (R * R * R)) (side : R * R * R -> Prop) (J : R -> Prop) (b : R) : Prop :=
  J b /\ exists u, In u us /\ side u /\ kink u = b.
Definition right_sign (us : list (R * R * R)) (side : R * R * R -> Prop) (J : R -> Prop) : Prop :=
  forall u, In u us -> side u -> J (kink u) -> 0 < output_weight u.

Lemma pairs_in data us J b b' :
  kkt data us -> interval J -> all_labels data J 1 -> kink_in us faces_right J b -> kink_in us faces_right J b' -> b < b' ->
  (exists t, support data t /\ b < t < b') \/ (support data b /\ support data b').
Proof.
  intros K I A [Jb [u [U [F <-]]]] [Jb' [u' [U' [F' <-]]]] L. apply (pair_rule_right data us u u' K U U' F F' L).
  intros d D X. apply (A d D), (I (kink u) _ (kink u')); assumption.
Qed.

Lemma wrong_alone data us J u0 :
  kkt data us -> interval J -> all_labels data J 1 -> In u0 us -> faces_right u0 -> J (kink u0) -> ~ 0 < output_weight u0 ->
  forall u, In u us -> faces_right u -> J (kink u) -> kink u = kink u0.
Proof.
  intros K I A U0 F0 J0 N u U F Ju. destruct (Rtotal_order (kink u) (kink u0)) as [L | [E | G]];
    [exfalso | exact E | exfalso].
  - apply N. apply (pair_rule_right data us u u0 K U U0 F F0 L). intros d D X.
    apply (A d D), (I (kink u) _ (kink u0)); assumption.
  - apply N. apply (pair_rule_right data us u0 u K U0 U F0 F G). intros d D X.
    apply (A d D), (I (kink u0) _ (kink u)); assumption.
Qed.

(* The places of the units that face right, in an interval of one label. *)
Lemma convex_family data us J bs :
  kkt data us -> interval J -> all_labels data J 1 -> NoDup bs -> (forall b, In b bs -> kink_in us faces_right J b) ->
  (forall p q, J p -> J q -> right_sign us live (fun x => p < x < q)) ->
  exists os ts, ordered os /\ (length bs <= length os)%nat /\ (forall b, In b os -> In b bs) /\ ordered ts
    /\ (forall t, In t ts <-> support data t /\ J t)
    /\ (forall b b', In b os -> In b' os -> b < b' -> paired ts b b')
    /\ (forall p t q b, In p ts -> In t ts -> In q ts -> p < t < q -> In b os -> ~ p < b < q).
Proof.
  intros K I A N H C. destruct (ordered_list (fun _ => True) bs) as [os [O E]].
  destruct (ordered_list (fun t => support data t /\ J t) (map at_x data)) as [ts [T F]]. exists os, ts.
  assert (S : forall t, In t ts <-> support data t /\ J t).
  { intros t. rewrite F. split; [tauto |]. intros [[d [D [M X]]] Jt]. split; [| split; [exists d; auto | exact Jt]].
    rewrite <- X. apply in_map, D. }
  assert (Sub : forall b, In b os -> In b bs) by (intros b B; apply E, B).
  split; [exact O |]. split; [apply NoDup_incl_length; [exact N | intros b B; apply E; auto] |]. split; [exact Sub |].
  split; [exact T |]. split; [exact S |]. split.
  - intros b b' B B' L. pose proof (H b (Sub b B)) as Kb. pose proof (H b' (Sub b' B')) as Kb'.
    destruct (pairs_in data us J b b' K I A Kb Kb' L) as [[t [St X]] | [Sb Sb']]; [left | right].
    + exists t. split; [apply S; split; [exact St |]; apply (I b _ b'); [apply Kb | apply Kb' | lra] | exact X].
    + split; apply S; split; try assumption; [apply Kb | apply Kb'].
  - intros p t q b P T' Q L B X. destruct (H b (Sub b B)) as [_ [u [U [Fu <-]]]]. apply S in P, T', Q.
    apply (no_kink_between data us p t q u K (proj1 P) (proj1 T') (proj1 Q) L); [| | exact U | left; exact Fu | exact X].
    + intros d D Y. apply (A d D), (I p _ q); tauto.
    + intros u' U' L' X'. apply (C p q (proj2 P) (proj2 Q) u' U' L' X').
Qed.

Lemma family_right data us J bs :
  kkt data us -> interval J -> all_labels data J 1 -> NoDup bs -> (forall b, In b bs -> kink_in us faces_right J b) ->
  right_sign us faces_right J ->
  (right_sign us faces_left J -> (length bs <= 3)%nat)
  /\ (forall b0, (forall u, In u us -> faces_left u -> J (kink u) -> kink u = b0) -> (length bs <= 5)%nat).
Proof.
  intros K I A N H Right. split.
  - intros Left. destruct (convex_family data us J bs K I A N H) as [os [ts [O [L [Sub [T [S [P F]]]]]]]].
    + intros p q Jp Jq u U [F | F] X; [apply Right | apply Left]; try assumption; apply (I p _ q); tauto || lra.
    + destruct (places_of_a_stretch os ts O T P F) as [M _].
      assert (most_places (length ts) <= 3)%nat by (destruct (length ts) as [| [| [| ?]]]; cbn; lia). lia.
  - intros b0 Left. destruct (split_by (fun b => b <= b0) bs N) as [l1 [l2 [N1 [N2 [E [B1 B2]]]]]].
    assert (I1 : interval (fun x => J x /\ x <= b0)) by (intros x y z [X _] [Z Z'] Y; split; [apply (I x _ z) | ];
      tauto || lra).
    assert (I2 : interval (fun x => J x /\ b0 <= x)) by (intros x y z [X X'] [Z _] Y; split; [apply (I x _ z) | ];
      tauto || lra).
    destruct (convex_family data us (fun x => J x /\ x <= b0) l1 K I1) as [os [ts [O [L [Sub [T [S [P F]]]]]]]].
    + intros d D [X _]. apply A; assumption.
    + exact N1.
    + intros b B. destruct (B1 b B) as [B' Lb]. destruct (H b B') as [Jb Ex]. split; [split; assumption | exact Ex].
    + intros p q [Jp _] [Jq Lq] u U [F | F] X; [apply Right; try assumption; apply (I p _ q); tauto || lra |].
      exfalso. assert (Y : kink u = b0) by (apply Left; try assumption; apply (I p _ q); tauto || lra). lra.
    + destruct (convex_family data us (fun x => J x /\ b0 <= x) l2 K I2) as [os' [ts' [O' [L' [Sub' [T' [S' [P' F']]]]]]]].
      * intros d D [X _]. apply A; assumption.
      * exact N2.
      * intros b B. destruct (B2 b B) as [B' Lb]. destruct (H b B') as [Jb Ex].
        split; [split; [assumption | lra] | exact Ex].
      * intros p q [Jp Lp] [Jq _] u U [G | G] X; [apply Right; try assumption; apply (I p _ q); tauto || lra |].
        exfalso. assert (Y : kink u = b0) by (apply Left; try assumption; apply (I p _ q); tauto || lra). lra.
      * assert (Q : (length os + length os' <= 5)%nat); [| lia].
        apply (places_around_a_cut os os' ts ts' b0); try assumption.
        -- intros b B. apply B1, Sub, B.
        -- intros b B. apply Sub', B2 in B. lra.
        -- intros t J0. apply S in J0. tauto.
        -- intros t J0. apply S' in J0. tauto.
        -- intros b b' B B' Lt. apply Sub, B1 in B. apply Sub', B2 in B'.
           pose proof (H b (proj1 B)) as Kb. pose proof (H b' (proj1 B')) as Kb'.
           assert (In' : forall t, support data t -> J t -> In t (ts ++ ts')).
           { intros t St Jt. apply in_app_iff. destruct (Rle_dec t b0); [left; apply S | right; apply S'];
             repeat split; try assumption; lra. }
           destruct (pairs_in data us J b b' K I A Kb Kb' Lt) as [[t [St X]] | [Sb Sb']]; [left | right].
           ++ exists t. split; [| exact X]. apply In'; [exact St |]. apply (I b _ b'); [apply Kb | apply Kb' | lra].
           ++ split; apply In'; try assumption; [apply Kb | apply Kb'].
Qed.

Lemma mirrored_interval J : interval J -> interval (fun x => J (- x)).
Proof. intros I x y z X Z Y. apply (I (- z) _ (- x)); tauto || lra. Qed.

Lemma mirrored_labels data J l : all_labels data J l -> all_labels (map mirrored data) (fun x => J (- x)) l.
Proof.
  intros A d D X. apply in_map_iff in D. destruct D as [e [<- D]]. unfold mirrored, at_x in X. cbn [fst snd] in X.
  rewrite Ropp_involutive in X. exact (A e D X).
Qed.

Lemma wrong_alone_left data us J u0 :
  kkt data us -> interval J -> all_labels data J 1 -> In u0 us -> faces_left u0 -> J (kink u0) -> ~ 0 < output_weight u0 ->
  forall u, In u us -> faces_left u -> J (kink u) -> kink u = kink u0.
Proof.
  intros K I A U0 F0 J0 N u U F Ju.
  pose proof (wrong_alone (map mirrored data) (map mirrored_unit us) (fun x => J (- x)) (mirrored_unit u0)) as W.
  specialize (W (mirrored_kkt _ _ K) (mirrored_interval _ I) (mirrored_labels _ _ _ A) (in_map _ _ _ U0)).
  rewrite mirrored_right, mirrored_kink, mirrored_weight, Ropp_involutive in W.
  specialize (W F0 J0 N (mirrored_unit u) (in_map _ _ _ U)). rewrite mirrored_right, mirrored_kink, Ropp_involutive in W.
  specialize (W F Ju). lra.
Qed.

Lemma opposite_distinct l : NoDup l -> NoDup (map Ropp l).
Proof. intros N. apply FinFun.Injective_map_NoDup; [intros x y E; lra | exact N]. Qed.

Lemma family_left data us J bs :
  kkt data us -> interval J -> all_labels data J 1 -> NoDup bs -> (forall b, In b bs -> kink_in us faces_left J b) ->
  right_sign us faces_left J ->
  (right_sign us faces_right J -> (length bs <= 3)%nat)
  /\ (forall b0, (forall u, In u us -> faces_right u -> J (kink u) -> kink u = b0) -> (length bs <= 5)%nat).
Proof.
  intros K I A N H Left. rewrite <- (map_length Ropp bs).
  destruct (family_right (map mirrored data) (map mirrored_unit us) (fun x => J (- x)) (map Ropp bs)) as [X Y].
  - apply mirrored_kkt, K.
  - apply mirrored_interval, I.
  - apply mirrored_labels, A.
  - apply opposite_distinct, N.
  - intros b B. apply in_map_iff in B. destruct B as [c [<- B]]. destruct (H c B) as [Jc [u [U [F E]]]]. split.
    + rewrite Ropp_involutive. exact Jc.
    + exists (mirrored_unit u). split; [apply in_map, U |]. split; [apply mirrored_right, F |]. rewrite mirrored_kink, E.
      reflexivity.
  - intros u U F Ju. apply in_map_iff in U. destruct U as [e [<- U]]. rewrite mirrored_kink, Ropp_involutive in Ju.
    rewrite mirrored_weight. apply Left; [exact U | apply mirrored_right, F | exact Ju].
  - split.
    + intros R. apply X. intros u U F Ju. apply in_map_iff in U. destruct U as [e [<- U]].
      rewrite mirrored_kink, Ropp_involutive in Ju. rewrite mirrored_weight.
      apply R; [exact U | apply mirrored_left, F | exact Ju].
    + intros b0 R. apply (Y (- b0)). intros u U F Ju. apply in_map_iff in U. destruct U as [e [<- U]].
      rewrite mirrored_kink, Ropp_involutive in *. f_equal. apply R; [exact U | apply mirrored_left, F | exact Ju].
Qed.

Lemma kinks_of_a_positive_run data us J ks :
  kkt data us -> interval J -> all_labels data J 1 -> NoDup ks -> (forall k, In k ks -> kink_in us live J k) ->
  (length ks <= 6)%nat.
Proof.
  intros K I A N H. destruct (split_by (fun k => exists u, In u us /\ faces_right u /\ kink u = k) ks N)
    as [rs [ls [Nr [Nl [E [Hr Hl]]]]]].
  assert (Kr : forall b, In b rs -> kink_in us faces_right J b).
  { intros b B. destruct (Hr b B) as [B' Ex]. split; [apply (H b B') | exact Ex]. }
  assert (Kl : forall b, In b ls -> kink_in us faces_left J b).
  { intros b B. destruct (Hl b B) as [B' No]. destruct (H b B') as [Jb [u [U [[F | F] X]]]].
    - exfalso. apply No. exists u. auto.
    - split; [exact Jb |]. exists u. auto. }
  assert (One : forall (l : list R) b0, NoDup l -> (forall b, In b l -> b = b0) -> (length l <= 1)%nat).
  { intros [| x [| y l]] b0 D S; cbn; try lia. exfalso. inversion D as [| ? ? Nx ?]. apply Nx. left.
    rewrite (S x), (S y) by (cbn; tauto). reflexivity. }
  assert (Right : right_sign us faces_right J \/ exists b0, forall u, In u us -> faces_right u -> J (kink u) -> kink
    u = b0).
  { destruct (classic (right_sign us faces_right J)) as [R | R]; [left; exact R | right].
    apply not_all_ex_not in R. destruct R as [u0 R]. assert (X : In u0 us /\ faces_right u0 /\ J (kink u0) /\ ~ 0 <
      output_weight u0) by tauto.
    exists (kink u0). apply (wrong_alone data us J u0); tauto. }
  assert (Left : right_sign us faces_left J \/ exists b0, forall u, In u us -> faces_left u -> J (kink u) -> kink u = b0).
  { destruct (classic (right_sign us faces_left J)) as [R | R]; [left; exact R | right].
    apply not_all_ex_not in R. destruct R as [u0 R]. assert (X : In u0 us /\ faces_left u0 /\ J (kink u0) /\ ~ 0 <
      output_weight u0) by tauto.
    exists (kink u0). apply (wrong_alone_left data us J u0); tauto. }
  pose proof (family_right data us J rs K I A Nr Kr) as Fr. pose proof (family_left data us J ls K I A Nl Kl) as Fl.
  assert (Or : forall b0, (forall u, In u us -> faces_right u -> J (kink u) -> kink u = b0) -> (length rs <= 1)%nat).
  { intros b0 S. apply (One rs b0 Nr). intros b B. destruct (Kr b B) as [Jb [u [U [F <-]]]]. apply S; assumption. }
  assert (Ol : forall b0, (forall u, In u us -> faces_left u -> J (kink u) -> kink u = b0) -> (length ls <= 1)%nat).
  { intros b0 S. apply (One ls b0 Nl). intros b B. destruct (Kl b B) as [Jb [u [U [F <-]]]]. apply S; assumption. }
  destruct Right as [R | [b0 R]], Left as [L | [c0 L]].
  - pose proof (proj1 (Fr R) L). pose proof (proj1 (Fl L) R). lia.
  - pose proof (proj2 (Fr R) c0 L). pose proof (Ol c0 L). lia.
  - pose proof (proj2 (Fl L) b0 R). pose proof (Or b0 R). lia.
  - pose proof (Or b0 R). pose proof (Ol c0 L). lia.
Qed.

(* At most six places of kinks in an interval whose data have one label. *)
Theorem kinks_of_a_run data us J l ks :
  kkt data us -> interval J -> all_labels data J l -> l = 1 \/ l = -1 -> NoDup ks ->
  (forall k, In k ks -> kink_in us live J k) -> (length ks <= 6)%nat.
Proof.
  intros K I A [-> | ->] N H; [apply (kinks_of_a_positive_run data us J ks); assumption |].
  apply (kinks_of_a_positive_run (map flipped data) (map flipped_unit us) J ks);
    [apply flipped_kkt, K | exact I | | exact N |].
  - intros d D X. apply in_map_iff in D. destruct D as [e [<- D]]. specialize (A e D X). unfold flipped, label.
    cbn [fst snd].
    unfold label in A. rewrite A. ring.
  - intros k Kk. destruct (H k Kk) as [Jk [[[v w] b] [U [F E]]]]. split; [exact Jk |]. exists (- v, w, b).
    split; [apply (in_map flipped_unit _ _ U) |]. split; [| exact E].
    destruct F as [[V W] | [V W]]; [left | right]; split; lra || exact W.
Qed.

(* Data from left to right, and how often the label switches. *)
Fixpoint sorted (d : datum) (ds : list datum) : Prop :=
  match ds with [] => True | e :: r => at_x d <= at_x e /\ sorted e r end.
Fixpoint switches (d : datum) (ds : list datum) : nat :=
  match ds with [] => 0 | e :: r => (if Req_EM_T (label d) (label e) then 0 else 1) + switches e r end.

Lemma sorted_least ds : forall d, sorted d ds -> forall e, In e (d :: ds) -> at_x d <= at_x e.
Proof.
  induction ds as [| f r IH]; intros d S e [<- | J]; try lra; [contradiction |]. destruct S as [L S].
  specialize (IH f S e J). lra.
Qed.

(* One interval more than switches covers the line, each with data of one label. *)
Lemma intervals_of_runs ds : forall d, sorted d ds ->
  (forall a b, In a (d :: ds) -> In b (d :: ds) -> at_x a = at_x b -> label a = label b) ->
  exists J0 Js, length Js = switches d ds /\ interval J0 /\ all_labels (d :: ds) J0 (label d)
    /\ (forall x, x <= at_x d -> J0 x)
    /\ (forall J, In J Js -> interval J /\ (exists e, In e (d :: ds) /\ all_labels (d :: ds) J (label e))
      /\ forall x, J x -> at_x d < x)
    /\ (forall x, J0 x \/ exists J, In J Js /\ J x).
Proof.
  induction ds as [| e r IH]; intros d S Same.
  - exists (fun _ => True), []. split; [reflexivity |]. split; [intros ? ? ? _ _ _; exact I |].
    split; [intros f [<- | []] _; reflexivity |]. split; [intros; exact I |].
      split; [intros J [] | intros x; left; exact I].
  - destruct S as [L S]. destruct (IH e S) as [J0 [Js [Len [I0 [A0 [Low [Each Cover]]]]]]].
    { intros a b Ia Ib. apply Same; right; assumption. }
    cbn [switches]. destruct (Req_EM_T (label d) (label e)) as [E | E].
    + exists J0, Js. split; [exact Len |]. split; [exact I0 |]. split; [| split; [| split; [| exact Cover]]].
      * intros f [<- | F] X; [reflexivity | rewrite E; apply A0; assumption].
      * intros x X. apply Low. lra.
      * intros J IJ. destruct (Each J IJ) as [Int [[g [G Ag]] Above]]. split; [exact Int |]. split.
        -- exists g. split; [right; exact G |]. intros f [<- | F] X; [specialize (Above _ X); lra | apply Ag; assumption].
        -- intros x X. specialize (Above x X). lra.
    + assert (D : at_x d < at_x e).
      { destruct L as [L | L]; [exact L |]. exfalso. apply E. apply Same; cbn; tauto. }
      set (m := (at_x d + at_x e) / 2). exists (fun x => x <= m), ((fun x => J0 x /\ m < x) :: Js).
      split; [cbn; rewrite Len; reflexivity |]. split; [intros x y z X Z Y; lra |].
      split; [| split; [intros x X; unfold m; lra | split]].
      * intros f [<- | F] X; [reflexivity |]. exfalso. pose proof (sorted_least r e S f F). unfold m in X. lra.
      * intros J [<- | IJ].
        -- split; [intros x y z [X X'] [Z _] Y; split; [apply (I0 x y z); assumption | lra] |]. split.
           ++ exists e. split; [right; left; reflexivity |].
              intros f [<- | F] [X X']; [unfold m in X'; lra | apply A0; assumption].
           ++ intros x [_ X]. unfold m in X. lra.
        -- destruct (Each J IJ) as [Int [[g [G Ag]] Above]]. split; [exact Int |]. split.
           ++ exists g. split; [right; exact G |]. intros f [<- | F] X; [specialize (Above _ X); lra | apply Ag;
             assumption].
           ++ intros x X. specialize (Above x X). lra.
      * intros x. destruct (Rle_dec x m) as [X | X]; [left; exact X | right]. destruct (Cover x) as [C | [J [IJ C]]].
        -- exists (fun x => J0 x /\ m < x). split; [left; reflexivity | split; [exact C | lra]].
        -- exists J. split; [right; exact IJ | exact C].
Qed.

Lemma kinks_of_intervals data us Js : forall ks,
  kkt data us -> (forall J, In J Js -> interval J /\ exists l, (l = 1 \/ l = -1) /\ all_labels data J l) -> NoDup ks ->
  (forall k, In k ks -> (exists J, In J Js /\ J k) /\ exists u, In u us /\ live u /\ kink u = k) ->
  (length ks <= 6 * length Js)%nat.
Proof.
  induction Js as [| J Js IH]; intros ks K A N H.
  - destruct ks as [| k ks]; [cbn; lia |]. destruct (H k (or_introl eq_refl)) as [[J [[] _]] _].
  - destruct (split_by J ks N) as [k1 [k2 [N1 [N2 [E [H1 H2]]]]]].
    destruct (A J (or_introl eq_refl)) as [I [l [L Al]]].
    assert (B1 : (length k1 <= 6)%nat).
    { apply (kinks_of_a_run data us J l k1 K I Al L N1). intros k J1. destruct (H1 k J1) as [J1' Jk].
      split; [exact Jk | apply (H k J1')]. }
    assert (B2 : (length k2 <= 6 * length Js)%nat).
    { apply IH; [exact K | intros J' I'; apply A; right; exact I' | exact N2 |]. intros k J2.
      destruct (H2 k J2) as [J2' No].
      destruct (H k J2') as [[J' [[<- | I'] Jk]] Ex]; [contradiction |]. split; [exists J'; auto | exact Ex]. }
    cbn [length]. lia.
Qed.

(* At most six places of kinks a run: 6 (s + 1) for s switches, whatever the width. *)
Theorem kinks_by_switches d ds us ks :
  kkt (d :: ds) us -> sorted d ds -> NoDup ks -> (forall k, In k ks -> exists u, In u us /\ live u /\ kink u = k) ->
  (length ks <= 6 * (switches d ds + 1))%nat.
Proof.
  intros K S N H. destruct (intervals_of_runs ds d S) as [J0 [Js [Len [I0 [A0 [_ [Each Cover]]]]]]].
  { intros a b Ia Ib E. destruct K as [D _]. destruct (D a Ia) as [[Ya | Ya] [_ [Ma _]]], (D b Ib) as [[Yb | Yb] [_
    [Mb _]]];
      rewrite Ya, Yb in *; rewrite E in Ma; lra. }
  assert (Lab : forall e, In e (d :: ds) -> label e = 1 \/ label e = -1) by (intros e J; apply (proj1 K e J)).
  replace (switches d ds + 1)%nat with (length (J0 :: Js)) by (cbn; lia).
    apply (kinks_of_intervals (d :: ds) us); try assumption.
  - intros J [<- | J']; [split; [exact I0 |]; exists (label d); split; [apply Lab; left; reflexivity | exact A0] |].
    destruct (Each J J') as [Int [[e [E Ae]] _]]. split; [exact Int |]. exists (label e). split; [apply Lab, E | exact Ae].
  - intros k Kk. split; [| apply H, Kk]. destruct (Cover k) as [C | [J [J' C]]]; [exists J0 | exists J]; cbn; auto.
Qed.

(* Theorem 4.2 there: a teacher of width r switches its sign at most r + 1 times, so there are at most 32 r + 67 regions. *)
Corollary regions_by_width d ds us ks r :
  kkt (d :: ds) us -> sorted d ds -> NoDup ks -> (forall k, In k ks -> exists u, In u us /\ live u /\ kink u = k) ->
  (switches d ds <= r + 1)%nat -> (length ks + 1 <= 6 * r + 13)%nat /\ (6 * r + 13 <= 32 * r + 67)%nat.
Proof. intros K S N H W. pose proof (kinks_by_switches d ds us ks K S N H). lia. Qed.
