(* Why certificate/kinds/margin.py may say what it says: of all sums of ramps with weights in R^k and kinks in [A, B]
   that classify data with one input with margin 1, the smallest sum of Euclidean norms lies where the claim says
   (Stewart et al. 2022, problem 10). *)
From Coq Require Import Reals Lra Lia Psatz List.
From Coquelicot Require Import Coquelicot.
From ImplicitBias Require Import Quantities Units Lists Tactics Duality Between Functions Networks DualValues Ramps Vectors.
Import ListNotations.
Open Scope R_scope.

(* A ramp (s, c, w): the class j gets the score w_j relu(s (x - c)). *)
Definition score (j : nat) (x : R) (r : R * R * vector) : R := let '(s, c, w) := r in w j * relu (s * (x - c)).
Definition scores (rs : list (R * R * vector)) (j : nat) (x : R) : R := sum (score j x) rs.
Definition vector_ramp_allowed (A B : R) (r : R * R * vector) : Prop :=
  let '(s, c, _) := r in (s = 1 \/ s = -1) /\ A <= c <= B.

(* Data (x, label): every score of another class is less by at least 1. *)
Definition classifies (A B : R) (k : nat) (data : list (R * nat)) (rs : list (R * R * vector)) : Prop :=
  (forall r, In r rs -> vector_ramp_allowed A B r) /\
  (forall x y l, In (x, y) data -> (l < k)%nat -> l <> y -> 1 <= scores rs y x - scores rs l x).
Definition norms (k : nat) (rs : list (R * R * vector)) : R := sum (fun r => norm k (snd r)) rs.

(* "Of all sums of ramps with kinks in [A, B] that classify the points into k classes with margin 1, the smallest sum of
   Euclidean norms lies between lower and upper." *)
Definition margin_sentence (A B : R) (k : nat) (data : list (R * nat)) (lower upper : R) : Prop :=
  smallest_between (classifies A B k data) (norms k) lower upper.

(* The dual: a multiplier (i, l, b) for the point i, counted from 0, and a class l. `_alpha`: alpha_i. *)
Definition alpha_of (beta : list (nat * nat * R)) (i label : nat) : vector := fun j =>
  sum (fun e => let '(i', l, b) := e in
    if Nat.eqb i' i then (if Nat.eqb j label then b else 0) - (if Nat.eqb j l then b else 0) else 0) beta.

(* The points scaled, with their alpha. *)
Fixpoint dual_data (scale : R) (beta : list (nat * nat * R)) (i : nat) (data : list (R * nat)) : list (R * vector) :=
  match data with
  | [] => []
  | (x, label) :: rest => (scale * x, alpha_of beta i label) :: dual_data scale beta (S i) rest
  end.

(* `check`: running sums of the alpha from one side, squares compared with the bound at the data and at the end of the
   range. *)
Fixpoint squares_bounded (k : nat) (bound s : R) (mass moment : vector) (ds : list (R * vector)) (last_at : R) : Prop :=
  match ds with
  | [] => let v j := moment j - mass j * (s * last_at) in dot k v v <= bound
  | (x, a) :: rest =>
      (let v j := moment j - mass j * (s * x) in dot k v v <= bound) /\
      squares_bounded k bound s (fun j => mass j + a j) (fun j => moment j + a j * (s * x)) rest last_at
  end.

(* Along any vector w they are bounded by its norm. *)
Lemma squares_bound_along k bound s w last_at ds : forall mass moment,
  squares_bounded k bound s mass moment ds last_at ->
  bounded_along (norm k w * sqrt bound) s (dot k w mass) (dot k w moment) (map (fun d => (fst d, dot k w (snd d))) ds)
    last_at.
Proof.
  assert (One : forall mass moment at_,
    (let v j := moment j - mass j * (s * at_) in dot k v v <= bound) ->
    Rabs (dot k w moment - dot k w mass * (s * at_)) <= norm k w * sqrt bound).
  { intros mass moment at_ H. cbv zeta in H. set (v := fun j => moment j - mass j * (s * at_)) in *.
    replace (dot k w moment - dot k w mass * (s * at_)) with (dot k w v).
    - eapply Rle_trans; [apply dot_abs |]. apply Rmult_le_compat_l; [apply sqrt_pos |]. apply sqrt_le_1_alt, H.
    - unfold v, dot, sum_below. rewrite <- sum_scale_right, <- sum_minus. apply sum_ext. intros. ring. }
  induction ds as [| [x a] ds IH]; intros mass moment H; [apply One, H |]. destruct H as [H1 H2].
  cbn [map bounded_along fst snd]. split; [apply One, H1 |].
  specialize (IH _ _ H2). rewrite !dot_plus, dot_times in IH. exact IH.
Qed.

Lemma dual_data_places scale beta data : forall i, map fst (dual_data scale beta i data) = map (fun d => scale * fst d)
  data.
Proof. induction data as [| [x y] data IH]; intros i; [reflexivity |]. cbn. rewrite IH. reflexivity. Qed.

Lemma increasing_scaled scale xs : forall x, 0 < scale -> increasing x xs -> increasing (scale * x) (map (Rmult scale) xs).
Proof.
  induction xs as [| y xs IH]; intros x P I; [exact I |]. destruct I as [I J]. split; [nra | apply IH; assumption].
Qed.

Lemma last_scaled scale xs : forall x, last (map (Rmult scale) xs) (scale * x) = scale * last xs x.
Proof. induction xs as [| y xs IH]; intros x; [reflexivity |]. cbn [map]. rewrite !last_of_cons. apply IH. Qed.

(* sum over data of alpha_i . w f(x_i), one ramp: what the multipliers pay for it. *)
Lemma sum_indicator k (w : vector) (l : nat) (b : R) :
  (l < k)%nat -> sum_below (fun j => w j * (if Nat.eqb j l then b else 0)) k = b * w l.
Proof.
  intros H. induction k; [lia |]. rewrite sum_below_S. destruct (Nat.eq_dec l k) as [-> | N].
  - rewrite Nat.eqb_refl. replace (sum_below (fun j => w j * (if Nat.eqb j k then b else 0)) k) with 0; [ring |].
    unfold sum_below. rewrite (sum_ext _ (fun _ => 0)); [symmetry; apply sum_zero |].
    intros j J. apply in_seq in J. destruct (Nat.eqb_spec j k); [lia | ring].
  - rewrite IHk by lia. destruct (Nat.eqb_spec k l); [lia | ring].
Qed.

Lemma dot_alpha k w beta i label :
  (label < k)%nat -> (forall i' l b, In (i', l, b) beta -> (l < k)%nat) ->
  dot k w (alpha_of beta i label) =
  sum (fun e => let '(i', l, b) := e in if Nat.eqb i' i then b * (w label - w l) else 0) beta.
Proof.
  intros Hy Hl. unfold dot, alpha_of. induction beta as [| [[i' l] b] beta IH].
  - unfold sum_below. rewrite (sum_ext _ (fun _ => 0)); [apply sum_zero |]. intros j _. simpl. ring.
  - rewrite sum_cons, <- IH by (intros a c d J; apply (Hl a c d); right; exact J). clear IH.
    destruct (Nat.eqb i' i) eqn:E.
    + replace (b * (w label - w l)) with (b * w label - b * w l) by ring.
      rewrite <- (sum_indicator k w label b Hy), <- (sum_indicator k w l b) by (apply (Hl i' l b); left; reflexivity).
      unfold sum_below. rewrite <- sum_minus, <- sum_plus. apply sum_ext. intros j _. rewrite sum_cons, E. ring.
    + unfold sum_below. rewrite Rplus_0_l. apply sum_ext. intros j _. rewrite sum_cons, E. ring.
Qed.

(* Points with their numbers, from 0. *)
Lemma In_numbered {X : Type} (ps : list X) i p : nth_error ps i = Some p -> In (i, p) (combine (seq 0 (length ps)) ps).
Proof.
  intros H. replace i with (0 + i)%nat by lia. revert i H. generalize 0%nat.
  induction ps as [| q ps IH]; intros n i H; [destruct i; discriminate |]. destruct i as [| i]; cbn [length seq combine].
  - left. rewrite Nat.add_0_r. cbn in H. congruence.
  - right. replace (n + S i)%nat with (S n + i)%nat by lia. apply IH, H.
Qed.

Lemma numbered_In {X : Type} (ps : list X) i p : In (i, p) (combine (seq 0 (length ps)) ps) -> nth_error ps i = Some p.
Proof.
  assert (G : forall n, In (i, p) (combine (seq n (length ps)) ps) -> (n <= i)%nat /\ nth_error ps (i - n) = Some p).
  { induction ps as [| q ps IH]; intros n H; [destruct H |]. cbn [length seq combine] in H. destruct H as [H | H].
    - injection H. intros -> ->. rewrite Nat.sub_diag. split; [lia | reflexivity].
    - destruct (IH (S n) H) as [L N]. split; [lia |]. replace (i - n)%nat with (S (i - S n)) by lia. exact N. }
  intros H. destruct (G 0%nat H) as [_ N]. rewrite Nat.sub_0_r in N. exact N.
Qed.

Lemma sum_at_least {X : Type} (f : X -> R) l a v : In a l -> v <= f a -> (forall b, In b l -> 0 <= f b) -> v <= sum f l.
Proof.
  induction l as [| b l IH]; [intros [] |]. intros J H N. rewrite sum_cons.
  assert (N' : forall c, In c l -> 0 <= f c) by (intros c K; apply N; right; exact K). destruct J as [-> | J].
  - pose proof (sum_nonneg f l N'). lra.
  - specialize (IH J H N'). specialize (N b (or_introl eq_refl)). lra.
Qed.

(* Kernel theorem. `check`: x increases; labels below k; A <= data <= B; the primal `classifies` (the weights are u
   times integers, `primal_unit * (row[label] - score) < scale` is refused, points and kinks multiplied by scale) and
   each norm is below its root rounded up, sqrt(square 2^(2 bits)) + 1 over 2^bits (`_norm_above`); each multiplier
   names a point and another class and is not negative (v times an integer); the squares of the running sums are at most
   (scale / v)^2 (the checker takes the whole part of this: they are integers); the claim has lower <= v * total and
   upper >= u * the sum of the norms above. *)
Theorem margin_by_multipliers A B k x y data scale u v bits (rs : list (R * R * vector)) roots beta lower upper :
  increasing x (map fst data) -> A <= x -> last (map fst data) x <= B ->
  (forall x' y', In (x', y') ((x, y) :: data) -> (y' < k)%nat) ->
  0 < scale -> 0 < u -> 0 < v ->
  classifies A B k ((x, y) :: data) (map (fun r => (fst r, fun j => u * snd r j)) rs) ->
  length roots = length rs ->
  (forall r root, In (r, root) (combine rs roots) -> 0 <= root /\ dot k (snd r) (snd r) * 2 ^ (2 * bits) <= root ^ 2) ->
  (forall i l b, In (i, l, b) beta ->
     0 <= b /\ (l < k)%nat /\ exists x' y', nth_error ((x, y) :: data) i = Some (x', y') /\ l <> y') ->
  let ds := dual_data scale beta 0 ((x, y) :: data) in
  let zero := fun _ : nat => 0 in
  squares_bounded k ((scale / v) ^ 2) 1 zero zero (rev ds) (scale * A) ->
  squares_bounded k ((scale / v) ^ 2) (-1) zero zero ds (scale * B) ->
  lower <= v * sum snd beta ->
  u * (sum (fun root => root) roots / 2 ^ bits) <= upper ->
  margin_sentence A B k ((x, y) :: data) lower upper.
Proof.
  intros I LA LB HY PS PU PV Cl ER HR HB ds zero S1 S2 L M. split.
  - intros qs [Q1 Q2]. apply Rle_trans with (1 := L).
    set (all := (x, y) :: data) in *.
    (* the price of one ramp *)
    assert (Price : forall s c w, s = 1 \/ s = -1 -> A <= c <= B ->
      sum (fun d => dot k w (snd d) * Rmax 0 (s * (fst d - scale * c))) ds <= norm k w * (scale / v)).
    { intros s c w Hs C.
      assert (Bd : 0 <= norm k w * sqrt ((scale / v) ^ 2)) by (apply Rmult_le_pos; apply sqrt_pos).
      assert (Q : sqrt ((scale / v) ^ 2) = scale / v).
      { rewrite <- Rsqr_pow2. apply sqrt_Rsqr. left. apply Rdiv_lt_0_compat; assumption. }
      set (al := map (fun d => dot k w (snd d)) ds).
      assert (Z : dot k w zero = 0).
      { unfold dot, zero, sum_below. rewrite (sum_ext _ (fun _ => 0)); [apply sum_zero | intros; ring]. }
      assert (Ed : map (fun d : R * vector => (fst d, dot k w (snd d))) ds
        = combine (scale * x :: map (Rmult scale) (map fst data)) al).
      { unfold al. replace (scale * x :: map (Rmult scale) (map fst data)) with (map fst ds).
        - clear. induction ds as [| d ds IH]; [reflexivity |]. cbn. rewrite IH. reflexivity.
        - unfold ds. rewrite dual_data_places. unfold all. cbn. rewrite map_map. reflexivity. }
      pose proof (squares_bound_along k _ 1 w _ _ _ _ S1) as T1. pose proof (squares_bound_along k _ (-1) w _ _ _ _ S2) as
        T2.
      rewrite Z in T1, T2. rewrite map_rev, Ed in T1. rewrite Ed in T2.
      pose proof (price_bounded_by_running_sums (scale * A) (scale * B) (norm k w * sqrt ((scale / v) ^ 2))
        (scale * x) (map (Rmult scale) (map fst data)) al Bd (increasing_scaled _ _ _ PS I)) as W.
      assert (W1 := W ltac:(apply Rmult_le_compat_l; lra)).
      rewrite last_scaled in W1. assert (W2 := W1 ltac:(apply Rmult_le_compat_l; lra) T1 T2 s (scale * c) Hs).
      assert (W3 : Rabs (ramp_price s (combine (scale * x :: map (Rmult scale) (map fst data)) al) (scale * c))
        <= norm k w * sqrt ((scale / v) ^ 2)) by (apply W2; split; apply Rmult_le_compat_l; lra).
      rewrite <- Ed, Q in W3. unfold ramp_price in W3. rewrite sum_map in W3. cbn [fst snd] in W3.
      eapply Rle_trans; [apply Rle_abs | exact W3]. }
    (* what all ramps pay, data by data *)
    assert (Paid : v / scale * sum (fun r => sum (fun d => dot k (snd r) (snd d)
        * Rmax 0 (fst (fst r) * (fst d - scale * snd (fst r)))) ds) qs <= norms k qs).
    { unfold norms. rewrite <- sum_scale. apply sum_le. intros [[s c] w] J. destruct (Q1 _ J) as [Hs C]. cbn [fst snd].
      specialize (Price s c w Hs C).
      apply (Rmult_le_compat_l (v / scale)) in Price; [| left; apply Rdiv_lt_0_compat; assumption].
      eapply Rle_trans; [exact Price |]. right. field. split; lra. }
    apply Rle_trans with (2 := Paid).
    assert (Data : forall i ps, (forall x' y', In (x', y') ps -> (y' < k)%nat) ->
      sum (fun r => sum (fun d => dot k (snd r) (snd d) * Rmax 0 (fst (fst r) * (fst d - scale * snd (fst r))))
        (dual_data scale beta i ps)) qs
      = scale * sum (fun e => let '(i', l, b) := e in
          sum (fun p => if Nat.eqb i' (fst p) then b * (scores qs (snd (snd p)) (fst (snd p)) - scores qs l (fst (snd p)))
            else 0)
            (combine (seq i (length ps)) ps)) beta).
    { intros i ps. revert i. induction ps as [| [x' y'] ps IH]; intros i H.
      - transitivity 0; [exact (sum_zero qs) |]. symmetry. apply Rmult_eq_0_compat_l. rewrite <- (sum_zero beta).
        apply sum_ext. intros [[i' l] b] _. reflexivity.
      - cbn [dual_data length seq combine].
        rewrite (sum_ext _ (fun r => dot k (snd r) (alpha_of beta i y') * Rmax 0 (fst (fst r) * (scale * x' - scale * snd
          (fst r)))
          + sum (fun d => dot k (snd r) (snd d) * Rmax 0 (fst (fst r) * (fst d - scale * snd (fst r))))
              (dual_data scale beta (S i) ps))) by (intros; rewrite sum_cons; reflexivity).
        rewrite sum_plus, IH by (intros a b J; apply (H a b); right; exact J).
        match goal with |- _ + scale * ?X = scale * ?Y => assert (EY : Y = sum (fun e =>
          let '(i', l, b) := e in if Nat.eqb i' i then b * (scores qs y' x' - scores qs l x') else 0) beta + X) end.
        { rewrite <- sum_plus. apply sum_ext. intros [[i' l] b] _. reflexivity. }
        rewrite EY, Rmult_plus_distr_l. f_equal. clear EY.
        rewrite (sum_ext _ (fun r => scale * sum (fun e => let '(i', l, b) := e in
          if Nat.eqb i' i then b * (score y' x' r - score l x' r) else 0) beta)).
        + rewrite sum_scale. f_equal. rewrite sum_swap. apply sum_ext. intros [[i' l] b] _. destruct (Nat.eqb i' i).
          * unfold scores. rewrite <- sum_minus, <- sum_scale. reflexivity.
          * apply sum_zero.
        + intros [[s c] w] _. cbn [fst snd]. rewrite dot_alpha.
          * rewrite <- sum_scale_right, <- sum_scale. apply sum_ext. intros [[i' l] b] _. destruct (Nat.eqb i' i); [| ring].
            unfold score, relu. replace (s * (scale * x' - scale * c)) with (scale * (s * (x' - c))) by ring.
            rewrite rectifier_scale by lra. ring.
          * apply (H x' y'). left. reflexivity.
          * intros a l b J. apply (HB a l b J). }
    unfold ds. rewrite (Data 0%nat all HY). rewrite <- Rmult_assoc. replace (v / scale * scale) with v by (field; lra).
    apply Rmult_le_compat_l; [lra |]. apply sum_le. intros [[i l] b] J. cbn [snd].
    destruct (HB i l b J) as [Pb [Hl [x' [y' [N D]]]]].
    apply (sum_at_least _ _ (i, (x', y')) b).
    + exact (In_numbered all i (x', y') N).
    + cbn [fst snd]. rewrite Nat.eqb_refl. specialize (Q2 x' y' l (nth_error_In _ _ N) Hl D). nra.
    + intros [i' [x2 y2]] J'. cbn [fst snd]. destruct (Nat.eqb_spec i i') as [E | E]; [subst i' | lra].
      apply numbered_In in J'. rewrite N in J'. injection J'. intros <- <-.
      specialize (Q2 x' y' l (nth_error_In _ _ N) Hl D). nra.
  - exists (map (fun r => (fst r, fun j => u * snd r j)) rs). split; [exact Cl |]. apply Rle_trans with (2 := M).
    unfold norms. rewrite sum_map. cbn [snd]. clear - PU ER HR. revert roots ER HR.
    induction rs as [| [[s c] w] rs IH]; intros [| root roots] E H; try discriminate; [simpl; lra |].
    rewrite !sum_cons. cbn [snd].
    assert (P : 0 < 2 ^ bits) by (apply pow_lt; lra).
    destruct (H (s, c, w) root (or_introl eq_refl)) as [H1 H2]. cbn [snd] in H2.
    assert (N : norm k (fun j => u * w j) <= u * (root / 2 ^ bits)).
    { unfold norm. apply Rle_trans with (sqrt ((u * (root / 2 ^ bits)) ^ 2)).
      - apply sqrt_le_1_alt. replace (dot k (fun j => u * w j) (fun j => u * w j)) with (u ^ 2 * dot k w w)
          by (unfold dot, sum_below; rewrite <- sum_scale; apply sum_ext; intros; ring).
        rewrite Rpow_mult_distr. apply Rmult_le_compat_l; [apply pow2_ge_0 |].
        apply (Rmult_le_reg_r (2 ^ (2 * bits))); [apply pow_lt; lra |].
        replace ((root / 2 ^ bits) ^ 2 * 2 ^ (2 * bits)) with (root ^ 2); [exact H2 |].
        replace (2 * bits)%nat with (bits + bits)%nat by lia. rewrite pow_add. field. lra.
      - rewrite <- Rsqr_pow2, sqrt_Rsqr; [lra |]. apply Rmult_le_pos; [lra |]. apply quotient_nonneg; lra. }
    specialize (IH roots (eq_add_S _ _ E) (fun r t J => H r t (or_intror J))).
    replace (u * ((root + sum (fun root => root) roots) / 2 ^ bits))
      with (u * (root / 2 ^ bits) + u * (sum (fun root => root) roots / 2 ^ bits)) by (field; lra).
    lra.
Qed.
