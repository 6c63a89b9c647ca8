(* Why certificate/parts/cells.py may count: hyperplanes theta.r = 0 through the origin cut R^k into no more cells than
   `count_cells` says, so that as many different ones as it says are all there are. Points off all hyperplanes stand for
   their cells. *)
From Coq Require Import Reals Lra Lia Psatz List Classical.
From Coquelicot Require Import Coquelicot.
From ImplicitBias Require Import Lists Vectors.
Import ListNotations.
Open Scope R_scope.

(* r is a multiple of s, not by 0, in R^k. *)
Definition multiple (k : nat) (r s : vector) : Prop := exists c, c <> 0 /\ forall j, (j < k)%nat -> r j = c * s j.

(* The rows `other` within the hyperplane of `row`, without the coordinate i: `row[k] * other[j] - other[k] * row[j] for
   j != k`. *)
Definition without (i : nat) (v : vector) : vector := fun j => if Nat.ltb j i then v j else v (S j).
Definition within (i : nat) (row other : vector) : vector := without i (fun j => row i * other j - other i * row j).

(* What `count_cells` computes, rule by rule: no rows, one cell; one row more (the rows before it are the list's rest)
   adds the cells within it; zero rows and multiples are left out first (`distinct`). Where it has closed forms, in R^1
   and R^2, these are what the rules give. *)
Inductive counted : nat -> list vector -> nat -> Prop :=
  | counted_none : forall k, counted k [] 1
  | counted_more : forall k i row rows n m, (i < S k)%nat -> row i <> 0 ->
      counted (S k) rows n -> counted k (map (within i row) rows) m -> counted (S k) (row :: rows) (n + m)
  | counted_distinct : forall k rows distinct n,
      (forall r, In r rows -> (forall j, (j < k)%nat -> r j = 0) \/ exists s, In s distinct /\ multiple k r s) ->
      (forall s, In s distinct -> exists r, In r rows /\ multiple k r s) ->
      counted k distinct n -> counted k rows n.

(* Points off all hyperplanes that are not zero, and two that some hyperplane separates. *)
Definition off (k : nat) (rows : list vector) (theta : vector) : Prop :=
  forall r, In r rows -> (exists j, (j < k)%nat /\ r j <> 0) -> dot k r theta <> 0.
Definition separated (k : nat) (rows : list vector) (theta eta : vector) : Prop :=
  exists r, In r rows /\ dot k r theta * dot k r eta < 0.

Lemma dot_ext k u v w z :
  (forall j, (j < k)%nat -> u j = v j) -> (forall j, (j < k)%nat -> w j = z j) -> dot k u w = dot k v z.
Proof. intros H K. apply sum_ext. intros j J. apply in_seq in J. rewrite H, K by lia. reflexivity. Qed.

Lemma dot_multiple k r s c theta : (forall j, (j < k)%nat -> r j = c * s j) -> dot k r theta = c * dot k s theta.
Proof.
  intros H. unfold dot, sum_below. rewrite <- sum_scale. apply sum_ext. intros j J. apply in_seq in J. rewrite H by lia.
    ring.
Qed.

Lemma dot_nonzero k r theta : dot k r theta <> 0 -> exists j, (j < k)%nat /\ r j <> 0.
Proof.
  intros H. apply NNPP. intros N. apply H. unfold dot, sum_below. rewrite (sum_ext _ (fun _ => 0)); [apply sum_zero |].
  intros j J. apply in_seq in J. destruct (Req_dec (r j) 0) as [-> | Q]; [ring |]. exfalso. apply N. exists j. split; [lia
    | exact Q].
Qed.

(* One coordinate taken out of a sum. *)
Lemma sum_without i (u v : vector) k :
  (i < S k)%nat -> sum_below (fun j => u j * v j) (S k) = dot k (without i u) (without i v) + u i * v i.
Proof.
  intros H. induction k.
  - assert (i = 0%nat) by lia. subst i. unfold dot, sum_below. simpl. ring.
  - rewrite sum_below_S. destruct (Nat.eq_dec i (S k)) as [-> | N].
    + f_equal. apply sum_ext. intros j J. apply in_seq in J. unfold without.
      destruct (Nat.ltb_spec j (S k)); [reflexivity | lia].
    + rewrite IHk by lia. unfold dot. rewrite sum_below_S. unfold without at 5 6.
      destruct (Nat.ltb_spec k i); [lia |]. ring.
Qed.

Lemma dot_without i u v k : (i < S k)%nat -> dot (S k) u v = dot k (without i u) (without i v) + u i * v i.
Proof. apply sum_without. Qed.

(* On the hyperplane of row, the restricted rows say what the rows say, times row i. *)
Lemma dot_within k i row other theta :
  (i < S k)%nat -> dot (S k) row theta = 0 -> dot k (within i row other) (without i theta) = row i * dot (S k) other theta.
Proof.
  intros H Z.
  assert (E : dot (S k) (fun j => row i * other j - other i * row j) theta = row i * dot (S k) other theta - other i * dot
    (S k) row theta).
  { unfold dot, sum_below. rewrite <- !sum_scale, <- sum_minus. apply sum_ext. intros. ring. }
  rewrite Z, (dot_without i _ theta k H) in E. unfold within. lra.
Qed.

(* Every two of a list have P. *)
Fixpoint pairwise {X : Type} (P : X -> X -> Prop) (l : list X) : Prop :=
  match l with
  | [] => True
  | a :: rest => (forall b, In b rest -> P a b) /\ pairwise P rest
  end.

Lemma pairwise_app {X : Type} (P : X -> X -> Prop) l m :
  pairwise P l -> pairwise P m -> (forall a b, In a l -> In b m -> P a b) -> pairwise P (l ++ m).
Proof.
  induction l as [| a l IH]; intros L M H; [exact M |]. destruct L as [L1 L2]. split.
  - intros b J. apply in_app_or in J. destruct J as [J | J]; [apply L1, J | apply H; [left; reflexivity | exact J]].
  - apply IH; [exact L2 | exact M |]. intros c b J K. apply H; [right; exact J | exact K].
Qed.

Lemma pairwise_impl {X : Type} (P Q : X -> X -> Prop) l :
  (forall a b, In a l -> In b l -> P a b -> Q a b) -> pairwise P l -> pairwise Q l.
Proof.
  induction l as [| a l IH]; intros H L; [exact I |]. destruct L as [L1 L2]. split.
  - intros b J. apply H; [left; reflexivity | right; exact J | apply L1, J].
  - apply IH; [intros b c J K; apply H; right; assumption | exact L2].
Qed.

(* A list divided by a property: as long together, and its parts as separate as it was. *)
Lemma divided {X : Type} (P : X -> Prop) (Q : X -> X -> Prop) l : pairwise Q l ->
  exists yes no, length l = (length yes + length no)%nat /\ pairwise Q yes /\ pairwise Q no /\
    (forall a, In a yes -> In a l /\ P a) /\ (forall a, In a no -> In a l /\ ~ P a).
Proof.
  induction l as [| a l IH]; intros H.
  - exists [], []. repeat split; try exact I; destruct H0.
  - destruct H as [H1 H2]. destruct (IH H2) as [yes [no [L [Y [N [Sy Sn]]]]]]. destruct (classic (P a)) as [D | D].
    + exists (a :: yes), no. repeat split.
      * simpl. lia.
      * intros b J. apply H1, Sy, J.
      * exact Y.
      * exact N.
      * destruct H as [-> | J]; [left; reflexivity | right; apply Sy, J].
      * destruct H as [-> | J]; [exact D | apply Sy, J].
      * right. apply Sn, H.
      * apply Sn, H.
    + exists yes, (a :: no). repeat split.
      * simpl. lia.
      * exact Y.
      * intros b J. apply H1, Sn, J.
      * exact N.
      * right. apply Sy, H.
      * apply Sy, H.
      * destruct H as [-> | J]; [left; reflexivity | right; apply Sn, J].
      * destruct H as [-> | J]; [exact D | apply Sn, J].
Qed.

(* A list of images, as long and as separate. *)
Lemma images {X Y : Type} (R : X -> Y -> Prop) (P : X -> X -> Prop) (Q : Y -> Y -> Prop) l :
  (forall a, In a l -> exists b, R a b) -> (forall a a' b b', R a b -> R a' b' -> P a a' -> Q b b') -> pairwise P l ->
  exists m, length m = length l /\ pairwise Q m /\ (forall b, In b m -> exists a, In a l /\ R a b).
Proof.
  induction l as [| a l IH]; intros E H L.
  - exists []. repeat split. intros b [].
  - destruct L as [L1 L2]. destruct IH as [m [Lm [Pm Sm]]]; [intros c J; apply E; right; exact J | exact H | exact L2 |].
    destruct (E a (or_introl eq_refl)) as [b B]. exists (b :: m). repeat split.
    + simpl. lia.
    + intros b' J. destruct (Sm b' J) as [a' [J' B']]. apply (H a a' b b' B B' (L1 a' J')).
    + exact Pm.
    + intros b' [<- | J]; [exists a; split; [left; reflexivity | exact B] |].
      destruct (Sm b' J) as [a' [J' B']]. exists a'. split; [right; exact J' | exact B'].
Qed.

(* At most as many points are separated, two by two, as are counted. *)
Theorem counted_at_most k rows n :
  counted k rows n -> forall points, (forall p, In p points -> off k rows p) -> pairwise (separated k rows) points ->
  (length points <= n)%nat.
Proof.
  induction 1 as [k | k i row rows n m Hi Hr _ IHn _ IHm | k rows distinct n Hd Hs _ IH]; intros points O Sep.
  - destruct points as [| p [| q points]]; simpl; try lia. destruct Sep as [Sep _].
    destruct (Sep q (or_introl eq_refl)) as [r [[] _]].
  - (* one hyperplane more *)
    assert (Nz : exists j, (j < S k)%nat /\ row j <> 0) by (exists i; auto).
    destruct (divided (fun p => 0 < dot (S k) row p) _ points Sep) as [T [F [L [ST [SF [IT IF]]]]]].
    assert (NF : forall p, In p F -> dot (S k) row p < 0).
    { intros p J. destruct (IF p J) as [J' N]. pose proof (O p J' row (or_introl eq_refl) Nz). lra. }
    assert (ST' : pairwise (separated (S k) rows) T).
    { revert ST. apply pairwise_impl. intros p q Jp Jq [r [[<- | Jr] Q]]; [| exists r; auto].
      pose proof (proj2 (IT p Jp)). pose proof (proj2 (IT q Jq)). nra. }
    assert (SF' : pairwise (separated (S k) rows) F).
    { revert SF. apply pairwise_impl. intros p q Jp Jq [r [[<- | Jr] Q]]; [| exists r; auto].
      pose proof (NF p Jp). pose proof (NF q Jq). nra. }
    destruct (divided (fun p => exists q, In q T /\ ~ separated (S k) rows q p) _ F SF') as [B [A [L' [SB [SA [IB IA]]]]]].
    (* those that no point on the other side goes with *)
    assert (C1 : (length (T ++ A) <= n)%nat).
    { apply IHn.
      - intros p J r Jr. apply in_app_or in J. destruct J as [J | J].
        + apply O; [apply IT, J | right; exact Jr].
        + apply O; [apply IF, IA, J | right; exact Jr].
      - apply pairwise_app; [exact ST' | exact SA |]. intros p q Jp Jq. apply NNPP. intros N. apply (proj2 (IA q Jq)).
        exists p. auto. }
    (* the others cross the hyperplane *)
    assert (Cross : forall p, In p B -> exists q, dot (S k) row q = 0 /\
      forall r, In r rows -> (exists j, (j < S k)%nat /\ r j <> 0) -> 0 < dot (S k) r p * dot (S k) r q).
    { intros p J. destruct (IB p J) as [JF [t [Jt N]]]. set (f := dot (S k) row t). set (g := - dot (S k) row p).
      assert (Pf : 0 < f) by apply (proj2 (IT t Jt)). assert (Pg : 0 < g) by (unfold g; pose proof (NF p JF); lra).
      exists (fun j => f * p j + g * t j).
      assert (E : forall r, dot (S k) r (fun j => f * p j + g * t j) = f * dot (S k) r p + g * dot (S k) r t).
      { intros r. unfold dot, sum_below. rewrite <- !sum_scale, <- sum_plus. apply sum_ext. intros. ring. }
      split; [rewrite E; unfold f, g; ring |]. intros r Jr Nr. rewrite E.
      pose proof (O p (proj1 (IF p JF)) r (or_intror Jr) Nr) as Op.
      pose proof (O t (proj1 (IT t Jt)) r (or_intror Jr) Nr) as Ot.
      assert (P : 0 <= dot (S k) r t * dot (S k) r p).
      { apply Rnot_lt_le. intros Q. apply N. exists r. auto. }
      assert (Q : 0 < dot (S k) r p * dot (S k) r p) by (apply Rsqr_pos_lt in Op; exact Op).
      assert (0 < f * (dot (S k) r p * dot (S k) r p)) by (apply Rmult_lt_0_compat; assumption).
      assert (0 <= g * (dot (S k) r t * dot (S k) r p)) by (apply Rmult_le_pos; lra). lra. }
    destruct (images (fun p w => exists q, w = without i q /\ dot (S k) row q = 0 /\
        forall r, In r rows -> (exists j, (j < S k)%nat /\ r j <> 0) -> 0 < dot (S k) r p * dot (S k) r q)
      (separated (S k) rows) (separated k (map (within i row) rows)) B) as [M [LM [SM IM]]].
    + intros p J. destruct (Cross p J) as [q Q]. exists (without i q), q. auto.
    + intros p p' w w' [q [-> [Z Q]]] [q' [-> [Z' Q']]] [r [Jr D]].
      assert (Nr : exists j, (j < S k)%nat /\ r j <> 0).
      { apply (dot_nonzero (S k) r p). intros E. rewrite E in D. lra. }
      specialize (Q r Jr Nr). specialize (Q' r Jr Nr).
      exists (within i row r). split; [apply in_map, Jr |].
      rewrite (dot_within k i row r q Hi Z), (dot_within k i row r q' Hi Z').
      assert (P : 0 < row i * row i) by (apply Rsqr_pos_lt in Hr; exact Hr).
      set (a := dot (S k) r p) in *. set (b := dot (S k) r p') in *. set (c := dot (S k) r q) in *. set (d := dot (S k) r
        q') in *.
      assert (c * d < 0).
      { apply Rnot_le_lt. intros K. assert (0 < (a * c) * (b * d)) by (apply Rmult_lt_0_compat; assumption).
        assert (0 <= (- (a * b)) * (c * d)) by (apply Rmult_le_pos; lra). lra. }
      assert (0 < (row i * row i) * - (c * d)) by (apply Rmult_lt_0_compat; lra). lra.
    + exact SB.
    + assert (C2 : (length M <= m)%nat).
      { apply IHm; [| exact SM]. intros w J r Jr [j [Hj N]]. destruct (IM w J) as [p [Jp [q [-> [Z Q]]]]].
        apply in_map_iff in Jr. destruct Jr as [other [<- Jo]]. rewrite (dot_within k i row other q Hi Z).
        assert (No : exists j, (j < S k)%nat /\ other j <> 0).
        { apply NNPP. intros E. apply N.
          assert (Zo : forall l, (l < S k)%nat -> other l = 0).
          { intros l Ll. apply NNPP. intros El. apply E. exists l. auto. }
          unfold within, without. destruct (Nat.ltb_spec j i); rewrite !Zo by lia; ring. }
        specialize (Q other Jo No). intros E. apply Rmult_integral in E. destruct E as [E | E]; [contradiction |].
        rewrite E in Q. lra. }
      rewrite app_length in C1. lia.
  - (* multiples left out *)
    apply IH.
    + intros p J s Js [j [Hj N]]. destruct (Hs s Js) as [r [Jr [c [Hc E]]]].
      assert (Nr : exists j, (j < k)%nat /\ r j <> 0).
      { exists j. split; [exact Hj |]. rewrite E by exact Hj. intros Z. apply Rmult_integral in Z. tauto. }
      pose proof (O p J r Jr Nr) as Op. rewrite (dot_multiple k r s c p E) in Op. intros Z. rewrite Z in Op. lra.
    + revert Sep. apply pairwise_impl. intros p q _ _ [r [Jr D]]. destruct (Hd r Jr) as [Z | [s [Js [c [Hc E]]]]].
      * exfalso. assert (Y : dot k r p <> 0) by (intros Y; rewrite Y in D; lra).
        destruct (dot_nonzero k r p Y) as [j [Hj N]]. apply N, Z, Hj.
      * exists s. split; [exact Js |]. rewrite !(dot_multiple k r s c _ E) in D.
        assert (P : 0 < c * c) by (apply Rsqr_pos_lt in Hc; exact Hc).
        apply Rnot_le_lt. intros K. assert (0 <= (c * c) * (dot k s p * dot k s q)) by (apply Rmult_le_pos; lra). lra.
Qed.

(* The closed forms of `count_cells`: `1 + bool(distinct)` in R^1, `max(1, 2 * len(distinct))` in R^2. *)

Lemma counted_in_line_none rows : (forall r, In r rows -> r 0%nat = 0) -> counted 1 rows 1.
Proof.
  intros H. apply (counted_distinct 1 rows [] 1); [| intros s [] | apply counted_none].
  intros r J. left. intros j Hj. replace j with 0%nat by lia. apply H, J.
Qed.

Lemma counted_in_line_some rows s : In s rows -> s 0%nat <> 0 -> counted 1 rows (1 + 1).
Proof.
  intros J N. apply (counted_distinct 1 rows [s]).
  - intros r Jr. destruct (Req_dec (r 0%nat) 0) as [Z | Z].
    + left. intros j Hj. replace j with 0%nat by lia. exact Z.
    + right. exists s. split; [left; reflexivity |]. exists (r 0%nat / s 0%nat). split.
      * unfold Rdiv. apply Rmult_integral_contrapositive_currified; [exact Z | apply Rinv_neq_0_compat, N].
      * intros j Hj. replace j with 0%nat by lia. field. exact N.
  - intros t [<- | []]. exists s. split; [exact J |]. exists 1. split; [lra |]. intros. ring.
  - apply (counted_more 0 0 s [] 1 1); [lia | exact N | apply counted_none | apply counted_none].
Qed.

Lemma counted_in_plane rows :
  (forall r, In r rows -> exists j, (j < 2)%nat /\ r j <> 0) -> pairwise (fun r s => ~ multiple 2 s r) rows ->
  counted 2 rows (Nat.max 1 (2 * length rows)).
Proof.
  induction rows as [| r rows IH]; intros H P; [apply counted_none |]. destruct P as [P1 P2].
  destruct (H r (or_introl eq_refl)) as [i [Hi Ni]].
  assert (IH' := IH (fun s J => H s (or_intror J)) P2). destruct rows as [| s rows].
  - apply (counted_more 1 i r [] 1 1); [exact Hi | exact Ni | apply counted_none | apply counted_none].
  - replace (Nat.max 1 (2 * length (r :: s :: rows))) with (Nat.max 1 (2 * length (s :: rows)) + (1 + 1))%nat by (simpl
    length; lia).
    apply (counted_more 1 i r _ _ _ Hi Ni IH').
    apply (counted_in_line_some _ (within i r s)); [left; reflexivity |].
    intros Z. apply (P1 s (or_introl eq_refl)). destruct (H s (or_intror (or_introl eq_refl))) as [l [Hl Nl]].
    unfold within, without in Z. destruct i as [| [| i]]; [| | lia]; cbn in Z.
    + exists (s 0%nat / r 0%nat). split.
      * intros C. assert (s 0%nat = 0) by (replace (s 0%nat) with (s 0%nat / r 0%nat * r 0%nat) by (field; exact Ni);
        rewrite C; ring).
        rewrite H0 in Z. assert (r 0%nat * s 1%nat = 0) by lra. apply Rmult_integral in H1.
        destruct l as [| [| l]]; [tauto | tauto | lia].
      * intros j Hj. destruct j as [| [| j]]; [field; exact Ni | | lia].
        apply (Rmult_eq_reg_l (r 0%nat)); [| exact Ni]. replace (r 0%nat * (s 0%nat / r 0%nat * r 1%nat)) with (s 0%nat * r
          1%nat) by (field; exact Ni). lra.
    + exists (s 1%nat / r 1%nat). split.
      * intros C. assert (s 1%nat = 0) by (replace (s 1%nat) with (s 1%nat / r 1%nat * r 1%nat) by (field; exact Ni);
        rewrite C; ring).
        rewrite H0 in Z. assert (r 1%nat * s 0%nat = 0) by lra. apply Rmult_integral in H1.
        destruct l as [| [| l]]; [tauto | tauto | lia].
      * intros j Hj. destruct j as [| [| j]]; [| field; exact Ni | lia].
        apply (Rmult_eq_reg_l (r 1%nat)); [| exact Ni]. replace (r 1%nat * (s 1%nat / r 1%nat * r 0%nat)) with (s 1%nat * r
          0%nat) by (field; exact Ni). lra.
Qed.

(* As many different cells as are counted are all there are: every theta lies in one of them, or on its boundary. *)

Lemma counted_positive k rows n : counted k rows n -> (1 <= n)%nat.
Proof. induction 1; lia. Qed.

Lemma small_step k rows (theta p : vector) :
  exists e, 0 < e /\ forall x, In x rows -> dot k x theta <> 0 -> forall t, 0 < t <= e ->
    0 < dot k x theta * (dot k x theta + t * dot k x p).
Proof.
  induction rows as [| r rows [e [P H]]]; [exists 1; split; [lra | intros x []] |].
  destruct (Req_dec (dot k r theta) 0) as [Z | Z].
  - exists e. split; [exact P |]. intros x [<- | J] N; [contradiction | apply H; assumption].
  - set (a := dot k r theta) in *. set (b := dot k r p).
    assert (Pa : 0 < Rabs a) by (apply Rabs_pos_lt, Z). assert (Pb : 0 <= Rabs b) by apply Rabs_pos.
    assert (Q : 0 < Rabs a / (Rabs b + 1)) by (apply Rdiv_lt_0_compat; lra).
    exists (Rmin e (Rabs a / (Rabs b + 1))). split; [apply Rmin_pos; assumption |].
    intros x [<- | J] N t [T1 T2].
    + fold a b. assert (T : t * (Rabs b + 1) <= Rabs a).
      { apply Rle_trans with (Rabs a / (Rabs b + 1) * (Rabs b + 1)).
        - apply Rmult_le_compat_r; [lra |]. apply Rle_trans with (1 := T2). apply Rmin_r.
        - right. field. lra. }
      assert (S : Rabs (t * b) < Rabs a) by (rewrite Rabs_mult, (Rabs_right t) by lra; lra).
      revert S Pa. unfold Rabs. destruct (Rcase_abs (t * b)), (Rcase_abs a); intros; nra.
    + apply H; [exact J | exact N |]. split; [exact T1 |]. apply Rle_trans with (1 := T2). apply Rmin_l.
Qed.

Theorem all_listed k rows n points :
  counted k rows n -> (forall x, In x rows -> exists j, (j < k)%nat /\ x j <> 0) ->
  (forall p, In p points -> forall x, In x rows -> dot k x p <> 0) -> pairwise (separated k rows) points ->
  (n <= length points)%nat ->
  forall theta, exists p, In p points /\ forall x, In x rows -> 0 <= dot k x p * dot k x theta.
Proof.
  intros C Nz O P L theta. apply NNPP. intros N.
  assert (J0 : exists p0, In p0 points).
  { destruct points as [| p0 rest]; [pose proof (counted_positive _ _ _ C); simpl in L; lia |]. exists p0. left.
    reflexivity. }
  destruct J0 as [p0 J0].
  destruct (small_step k rows theta p0) as [e [Pe H]].
  set (near := (fun j => theta j + e * p0 j) : vector).
  assert (D : forall x, dot k x near = dot k x theta + e * dot k x p0).
  { intros x. unfold near, dot, sum_below. rewrite <- sum_scale, <- sum_plus. apply sum_ext. intros. ring. }
  assert (B : (length (near :: points) <= n)%nat); [| cbn [length] in B; lia].
  apply (counted_at_most k rows n C).
  - intros p [<- | J] r Jr Nr; [| apply O; assumption]. rewrite D.
    destruct (Req_dec (dot k r theta) 0) as [Z | Z].
    + rewrite Z. pose proof (O p0 J0 r Jr) as Q. intros W. assert (W' : e * dot k r p0 = 0) by lra.
      apply Rmult_integral in W'. destruct W' as [W' | W']; [lra | contradiction].
    + specialize (H r Jr Z e ltac:(lra)). intros W. rewrite W in H. lra.
  - split; [| exact P]. intros p J.
    assert (X : exists x, In x rows /\ dot k x p * dot k x theta < 0).
    { apply NNPP. intros Q. apply N. exists p. split; [exact J |]. intros x Jx. apply Rnot_lt_le. intros Y. apply Q. exists
      x. auto. }
    destruct X as [x [Jx X]]. exists x. split; [exact Jx |]. rewrite D.
    assert (Z : dot k x theta <> 0) by (intros Z; rewrite Z in X; lra).
    specialize (H x Jx Z e ltac:(lra)). set (a := dot k x theta) in *. set (b := dot k x p) in *. set (c := a + e * dot k x
      p0) in *.
    apply Rnot_le_lt. intros K. assert (Y : 0 < (- (b * a)) * (a * c)) by (apply Rmult_lt_0_compat; lra).
    assert (A2 : 0 <= a * a) by (pose proof (Rle_0_sqr a); exact H0).
    assert (0 <= (c * b) * (a * a)) by (apply Rmult_le_pos; lra). lra.
Qed.
