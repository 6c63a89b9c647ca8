(* Places of kinks and of supports on a line, as lists: how many places two rules allow.
  Between two places lies a support, or
   both are supports; between three supports lies no place. *)
From Coq Require Import Reals Lra Lia Psatz List Classical.
From Coquelicot Require Import Coquelicot.
From ImplicitBias Require Import Functions.
Import ListNotations.
Open Scope R_scope.

Definition ordered (l : list R) : Prop := match l with [] => True | x :: r => increasing x r end.
Definition paired (ts : list R) (b b' : R) : Prop := (exists t, In t ts /\ b < t < b') \/ (In b ts /\ In b' ts).

(* At most 1, 2, 3, 2 places for 0, 1, 2, 3 and more supports. *)
Definition most_places (supports : nat) : nat := match supports with 0 => 1 | 1 => 2 | 2 => 3 | _ => 2 end.

Theorem places_of_a_stretch bs ts :
  ordered bs -> ordered ts -> (forall b b', In b bs -> In b' bs -> b < b' -> paired ts b b') ->
  (forall p t q b, In p ts -> In t ts -> In q ts -> p < t < q -> In b bs -> ~ p < b < q) ->
  (length bs <= most_places (length ts))%nat
  /\ (length bs = 3%nat -> exists b1 t1 b2 t2 b3, bs = [b1; b2; b3] /\ ts = [t1; t2] /\ b1 < t1 < b2 /\ b2 < t2 < b3).
Proof.
  intros B T P F. destruct bs as [| b1 [| b2 bs]].
  - split; [cbn; lia | discriminate].
  - split; [destruct ts as [| ? [| ? [| ? ?]]]; cbn; lia | discriminate].
  - destruct B as [L B].
    pose proof (P b1 b2 (or_introl eq_refl) (or_intror (or_introl eq_refl)) L) as P1.
    destruct bs as [| b3 bs].
    + split; [| discriminate]. destruct ts as [| t1 [| t2 [| t3 ts]]]; cbn; try lia.
      destruct P1 as [[t [[] _]] | [[] _]].
    + destruct B as [L' B].
      pose proof (P b2 b3 (or_intror (or_introl eq_refl)) (or_intror (or_intror (or_introl eq_refl))) L') as P2.
      destruct ts as [| t1 [| t2 [| t3 ts]]].
      * destruct P1 as [[t [[] _]] | [[] _]].
      * exfalso. destruct P1 as [[t [[<- | []] X]] | [[<- | []] [E | []]]]; [| lra].
        destruct P2 as [[t [[<- | []] X']] | [[<- | []] [E | []]]]; lra.
      * destruct T as [Lt _]. assert (Q : b1 < t1 < b2 /\ b2 < t2 < b3).
        { destruct P1 as [[t [[<- | [<- | []]] X]] | [[<- | [<- | []]] [E | [E | []]]]];
            destruct P2 as [[t' [[<- | [<- | []]] X']] | [[E' | [E' | []]] [E'' | [E'' | []]]]]; lra. }
        destruct bs as [| b4 bs].
        -- split; [cbn; lia |]. intros _. exists b1, t1, b2, t2, b3. repeat split; lra.
        -- exfalso. destruct B as [L'' _].
           pose proof (P b3 b4 ltac:(cbn; tauto) ltac:(cbn; tauto) L'') as P3.
           destruct P3 as [[t [[<- | [<- | []]] X]] | [[E | [E | []]] [E' | [E' | []]]]]; lra.
      * exfalso. set (all := t1 :: t2 :: t3 :: ts) in *.
        assert (Low : forall t, In t all -> t1 <= t).
        { intros t [<- | J]; [lra |]. left. apply (increasing_least _ _ T t J). }
        assert (High : exists m, In m all /\ forall t, In t all -> t <= m).
        { clear. assert (H : forall l (x : R), exists m, In m (x :: l) /\ forall t, In t (x :: l) -> t <= m).
          { induction l as [| y l IH]; intros x; [exists x; split; [left; reflexivity | intros t [<- | []]; lra] |].
            destruct (IH y) as [m [J M]]. destruct (Rle_dec x m) as [X | X].
            - exists m. split; [right; exact J |]. intros t [<- | K]; [exact X | apply M, K].
            - exists x. split; [left; reflexivity |]. intros t [<- | K]; [lra | specialize (M t K); lra]. }
          apply H. }
        destruct High as [m [Im M]]. destruct T as [T1 [T2 T3]].
        assert (m2 : t2 < m). { assert (t3 <= m) by (apply M; right; right; left; reflexivity). lra. }
        assert (Out : forall b, In b (b1 :: b2 :: b3 :: bs) -> ~ t1 < b < m).
        { intros b J. apply (F t1 t2 m b); [left; reflexivity | right; left; reflexivity | exact Im | lra | exact J]. }
        assert (O2 := Out b2 ltac:(cbn; tauto)).
        destruct (Rle_dec b2 t1) as [X | X].
        -- destruct P1 as [[t [J Y]] | [J _]]; [specialize (Low t J) | specialize (Low b1 J)]; lra.
        -- destruct P2 as [[t [J Y]] | [_ J]]; [specialize (M t J) | specialize (M b3 J)]; lra.
Qed.

(* A cut: one place of the other family lets the net bend the other way there. *)
Theorem places_around_a_cut bs bs' ts ts' b0 :
  ordered bs -> ordered bs' -> ordered ts -> ordered ts' ->
  (forall b, In b bs -> b <= b0) -> (forall b, In b bs' -> b0 < b) ->
  (forall t, In t ts -> t <= b0) -> (forall t, In t ts' -> b0 <= t) ->
  (forall b b', In b bs -> In b' bs -> b < b' -> paired ts b b') ->
  (forall b b', In b bs' -> In b' bs' -> b < b' -> paired ts' b b') ->
  (forall b b', In b bs -> In b' bs' -> b < b' -> paired (ts ++ ts') b b') ->
  (forall p t q b, In p ts -> In t ts -> In q ts -> p < t < q -> In b bs -> ~ p < b < q) ->
  (forall p t q b, In p ts' -> In t ts' -> In q ts' -> p < t < q -> In b bs' -> ~ p < b < q) ->
  (length bs + length bs' <= 5)%nat.
Proof.
  intros B B' T T' L L' M M' P P' Q F F'.
  destruct (places_of_a_stretch bs ts B T P F) as [A C], (places_of_a_stretch bs' ts' B' T' P' F') as [A' C'].
  assert (U : forall n, (most_places n <= 3)%nat) by (intros [| [| [| n]]]; cbn; lia).
  pose proof (U (length ts)). pose proof (U (length ts')).
  destruct (Nat.eq_dec (length bs) 3) as [E | E]; [| lia]. destruct (Nat.eq_dec (length bs') 3) as [E' | E']; [| lia].
  exfalso. destruct (C E) as [b1 [t1 [b2 [t2 [b3 [-> [-> [X Y]]]]]]]], (C' E') as [c1 [s1 [c2 [s2 [c3 [-> [-> [X'
    Y']]]]]]]].
  assert (Lb := L b3 ltac:(cbn; tauto)). assert (Lc := L' c1 ltac:(cbn; tauto)).
  destruct (Q b3 c1 ltac:(cbn; tauto) ltac:(cbn; tauto) ltac:(lra)) as [[t [J Z]] | [J J']].
  - destruct J as [<- | [<- | [<- | [<- | []]]]]; lra.
  - assert (M1 := M' s1 ltac:(cbn; tauto)). destruct J as [<- | [<- | [<- | [<- | []]]]]; lra.
Qed.

(* Lists of places without order. *)

Lemma increasing_weaker x y l : x <= y -> increasing y l -> increasing x l.
Proof. destruct l as [| z l]; [trivial |]. intros L [M I]. split; [lra | exact I]. Qed.

Fixpoint insert (x : R) (l : list R) : list R :=
  match l with [] => [x] | y :: r => if Rlt_dec x y then x :: y :: r else y :: insert x r end.

Lemma insert_in x l t : In t (insert x l) <-> x = t \/ In t l.
Proof. induction l as [| y l IH]; cbn; [tauto |]. destruct (Rlt_dec x y); cbn; tauto. Qed.

Lemma insert_increasing x l : forall z, increasing z l -> z < x -> ~ In x l -> increasing z (insert x l).
Proof.
  induction l as [| y l IH]; intros z I L N; [split; [exact L | exact I] |]. destruct I as [M I]. cbn.
  destruct (Rlt_dec x y) as [X | X]; [repeat split; assumption |]. split; [exact M |]. apply IH; [exact I | |].
  - destruct (Req_dec x y) as [E | E]; [exfalso; apply N; left; symmetry; exact E | lra].
  - intros J. apply N. right. exact J.
Qed.

Lemma ordered_list (P : R -> Prop) l : exists ts, ordered ts /\ forall t, In t ts <-> In t l /\ P t.
Proof.
  induction l as [| x l [ts [O E]]]; [exists []; split; [exact I | cbn; tauto] |].
  destruct (classic (P x)) as [Q | Q]; [destruct (In_dec Req_EM_T x ts) as [J | J] |].
  - exists ts. split; [exact O |]. intros t. rewrite E. cbn. split; [tauto |]. intros [[<- | K] H]; [apply E, J | tauto].
  - exists (insert x ts). split.
    + destruct ts as [| y ts]; [exact I |]. cbn. destruct (Rlt_dec x y) as [X | X]; [split; assumption |].
      apply insert_increasing; [exact O | | intros K; apply J; right; exact K].
      destruct (Req_dec x y) as [F | F]; [exfalso; apply J; left; symmetry; exact F | lra].
    + intros t. rewrite insert_in, E. cbn. split; [intros [<- | K]; tauto | tauto].
  - exists ts. split; [exact O |]. intros t. rewrite E. cbn. split; [tauto |]. intros [[<- | K] H]; [contradiction | tauto].
Qed.

Lemma split_by (P : R -> Prop) l : NoDup l -> exists l1 l2, NoDup l1 /\ NoDup l2 /\ (length l = length l1 + length l2)%nat
  /\ (forall x, In x l1 -> In x l /\ P x) /\ (forall x, In x l2 -> In x l /\ ~ P x).
Proof.
  induction l as [| x l IH]; intros N.
  - exists [], []. split; [constructor |]. split; [constructor |]. split; [reflexivity |]. split; intros y [].
  - inversion N as [| ? ? Nx Nl]. subst. destruct (IH Nl) as [l1 [l2 [N1 [N2 [E [A B]]]]]].
    destruct (classic (P x)) as [Q | Q].
    + exists (x :: l1), l2. split; [constructor; [intros J; apply Nx, A, J | exact N1] |]. split; [exact N2 |].
      split; [cbn; lia |]. split; [intros y [<- | J]; [split; [left; reflexivity | exact Q] | destruct (A y J); cbn;
        tauto] |].
      intros y J. destruct (B y J). cbn. tauto.
    + exists l1, (x :: l2). split; [exact N1 |]. split; [constructor; [intros J; apply Nx, B, J | exact N2] |].
      split; [cbn; lia |]. split; [intros y J; destruct (A y J); cbn; tauto |].
      intros y [<- | J]; [split; [left; reflexivity | exact Q] | destruct (B y J); cbn; tauto].
Qed.
