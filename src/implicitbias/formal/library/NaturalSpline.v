(* The natural cubic spline of any number of data: of all functions through them with a continuous second derivative on
   [A, B] it has the least integral of f''^2, and only its values do. It is written as a line and multiples of
   max(0, x - x_i)^3 at the data. (What Jin and Montufar 2023, Theorem 1, minimises where 1/zeta is constant on [A, B].) *)
From Coq Require Import Reals Lra Lia Psatz List.
From Coquelicot Require Import Coquelicot.
From ImplicitBias Require Import Quantities Lists Integrals Functions.
Import ListNotations.
Open Scope R_scope.

(* f, f' have derivatives on [A, B] and f'' is continuous there. *)
Definition smooth (A B : R) (f : R -> R) : Prop := forall x, A <= x <= B ->
  ex_derive f x /\ ex_derive (Derive f) x /\ continuous (Derive (Derive f)) x.
Definition bending (A B : R) (f : R -> R) : R := RInt (fun x => Derive (Derive f) x ^ 2) A B.

(* A line and cubes from their knots on; a knot comes with its coefficient. *)
Definition cubes (p : nat) (cs : list (R * R)) (x : R) : R := sum (fun c => snd c * Rmax 0 (x - fst c) ^ p) cs.
Definition spline (a s : R) (cs : list (R * R)) (x : R) : R := a + s * x + cubes 3 cs x.

(* Natural: also to the right of all knots it is a line. *)
Definition natural (cs : list (R * R)) : Prop := sum snd cs = 0 /\ sum (fun c => snd c * fst c) cs = 0.

(* Derivatives of the cubes. *)

Lemma is_derive_flat (f : R -> R) k : (forall x, Rabs (x - k) <= 1 -> Rabs (f x) <= (x - k) ^ 2) -> is_derive f k 0.
Proof.
  intros H. assert (Z : f k = 0).
  { specialize (H k). rewrite Rminus_eq_0, Rabs_R0, pow_i in H by lia. specialize (H Rle_0_1).
    apply Rabs_le_between in H. lra. }
  apply is_derive_Reals. intros e Pe. assert (P : 0 < Rmin e 1) by (apply Rmin_glb_lt; lra). exists (mkposreal _ P).
  cbn. intros h N L. pose proof (Rmin_l e 1). pose proof (Rmin_r e 1). specialize (H (k + h)).
  replace (k + h - k) with h in H by ring. specialize (H ltac:(lra)). rewrite Z, !Rminus_0_r. unfold Rdiv.
  rewrite Rabs_mult, Rabs_inv. pose proof (Rabs_pos_lt h N) as Q. apply (Rmult_lt_reg_r (Rabs h)); [exact Q |].
  rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. rewrite <- pow2_abs in H. nra.
Qed.

Lemma is_derive_ramp_power p k x :
  is_derive (fun x => Rmax 0 (x - k) ^ S (S p)) x (INR (S (S p)) * Rmax 0 (x - k) ^ S p).
Proof.
  destruct (Rtotal_order x k) as [L | [-> | G]].
  - rewrite Rmax_left, pow_i, Rmult_0_r by (lra || lia). apply (is_derive_ext_loc (fun _ => 0)).
    + assert (P : 0 < k - x) by lra. exists (mkposreal _ P). intros y Y. apply Rabs_lt_between' in Y. cbn in Y.
      rewrite Rmax_left, pow_i; [reflexivity | lia | lra].
    + apply (is_derive_const (K := R_AbsRing) (V := R_NormedModule) 0 x).
  - rewrite Rminus_eq_0, Rmax_left, pow_i, Rmult_0_r by (lra || lia). apply is_derive_flat. intros x X.
    assert (M : 0 <= Rmax 0 (x - k) <= Rabs (x - k)).
    { split; [apply Rmax_l |]. apply Rmax_lub; [apply Rabs_pos | apply Rle_abs]. }
    rewrite Rabs_pos_eq by (apply pow_le; lra). rewrite <- pow2_abs. set (m := Rmax 0 (x - k)) in *.
    assert (E : m ^ p <= 1) by (rewrite <- (pow1 p); apply pow_incr; lra).
    replace (m ^ S (S p)) with (m ^ 2 * m ^ p) by (simpl; ring).
    assert (m ^ 2 <= Rabs (x - k) ^ 2) by (apply pow_incr; lra). pose proof (pow2_ge_0 m). nra.
  - apply (is_derive_ext_loc (fun x => (x - k) ^ S (S p))).
    + assert (P : 0 < x - k) by lra. exists (mkposreal _ P). intros y Y. apply Rabs_lt_between' in Y. cbn in Y.
      rewrite Rmax_right by lra. reflexivity.
    + rewrite Rmax_right by lra. auto_derive; [exact I |]. change (match p with 0%nat => 1 | S _ => INR p + 1 end)
      with (INR (S p)). rewrite !S_INR.
      change ((x - k) ^ S p) with ((x - k) * (x - k) ^ p). unfold Rminus. ring.
Qed.

Lemma is_derive_cubes p cs x : is_derive (cubes (S (S p)) cs) x (INR (S (S p)) * cubes (S p) cs x).
Proof.
  unfold cubes. induction cs as [| [k c] cs IH].
  - cbn [sum fold_right]. rewrite Rmult_0_r. apply (is_derive_const (K := R_AbsRing) (V := R_NormedModule) 0 x).
  - rewrite sum_cons. cbn [fst snd]. rewrite Rmult_plus_distr_l.
    apply (is_derive_ext (fun x => c * Rmax 0 (x - k) ^ S (S p) + sum (fun c => snd c * Rmax 0 (x - fst c) ^ S (S p)) cs));
      [intros; reflexivity |].
    apply (is_derive_plus (K := R_AbsRing) (V := R_NormedModule)); [| exact IH].
    replace (INR (S (S p)) * (c * Rmax 0 (x - k) ^ S p)) with (c * (INR (S (S p)) * Rmax 0 (x - k) ^ S p)) by ring.
    apply is_derive_scal, is_derive_ramp_power.
Qed.

Lemma spline_slope a s cs x : is_derive (spline a s cs) x (s + 3 * cubes 2 cs x).
Proof.
  unfold spline. apply (is_derive_plus (K := R_AbsRing) (V := R_NormedModule) (fun x => a + s * x)).
  - auto_derive; [exact I | ring].
  - replace 3 with (INR 3) by (simpl; ring). apply is_derive_cubes.
Qed.

Lemma spline_bend a s cs x : is_derive (Derive (spline a s cs)) x (6 * cubes 1 cs x).
Proof.
  apply (is_derive_ext (fun x => s + 3 * cubes 2 cs x)); [intros t; symmetry; apply is_derive_unique, spline_slope |].
  replace (6 * cubes 1 cs x) with (0 + 3 * (INR 2 * cubes 1 cs x)) by (simpl; ring).
  apply (is_derive_plus (K := R_AbsRing) (V := R_NormedModule) (fun _ => s));
    [apply (is_derive_const (K := R_AbsRing) (V := R_NormedModule) s x) | apply is_derive_scal, is_derive_cubes].
Qed.

Lemma spline_second a s cs x : Derive (Derive (spline a s cs)) x = 6 * cubes 1 cs x.
Proof. apply is_derive_unique, spline_bend. Qed.

Lemma continuous_cubes cs x : continuous (cubes 1 cs) x.
Proof.
  unfold cubes. induction cs as [| [k c] cs IH]; [apply continuous_const |].
  apply (continuous_ext (fun x => c * Rmax 0 (x - k) + sum (fun c => snd c * Rmax 0 (x - fst c) ^ 1) cs)).
  { intros t. rewrite sum_cons. cbn [fst snd]. rewrite pow_1. reflexivity. }
  apply (continuous_plus (V := R_NormedModule)); [| exact IH].
    apply (continuous_mult (K := R_AbsRing)); [apply continuous_const |].
  apply (continuous_ext (fun x => (x - k + Rabs (x - k)) / 2)).
  { intros t. unfold Rmax, Rabs. destruct (Rle_dec 0 (t - k)), (Rcase_abs (t - k)); lra. }
  apply (continuous_mult (K := R_AbsRing)); [| apply continuous_const].
  assert (D : continuous (fun x => x - k) x)
    by (apply (continuous_minus (V := R_NormedModule)); [apply continuous_id | apply continuous_const]).
  apply (continuous_plus (V := R_NormedModule)); [exact D |]. apply (continuous_comp _ Rabs); [exact D |].
  apply continuous_Rabs.
Qed.

Lemma spline_smooth A B a s cs : smooth A B (spline a s cs).
Proof.
  intros x _. split; [| split].
  - exists (s + 3 * cubes 2 cs x). apply spline_slope.
  - exists (6 * cubes 1 cs x). apply spline_bend.
  - apply (continuous_ext (fun x => 6 * cubes 1 cs x)); [intros; symmetry; apply spline_second |].
    apply (continuous_mult (K := R_AbsRing)); [apply continuous_const | apply continuous_cubes].
Qed.

Lemma integral_same (f g : R -> R) a b v : (forall x, f x = g x) -> is_RInt f a b v -> is_RInt g a b v.
Proof. intros E. apply is_RInt_ext. intros x _. apply E. Qed.

Lemma continuous_same (f g : R -> R) x : (forall x, f x = g x) -> continuous f x -> continuous g x.
Proof. intros E. apply continuous_ext. exact E. Qed.

(* The integral of (x - k)_+ f''. *)
Lemma ramp_against f A B k :
  smooth A B f -> A <= k <= B ->
  is_RInt (fun x => Rmax 0 (x - k) * Derive (Derive f) x) A B ((B - k) * Derive f B - f B + f k).
Proof.
  intros S K. apply (integral_value _ _ _ (0 + ((B - k) * Derive f B - f B - ((k - k) * Derive f k - f k)))); [| ring].
  apply (integral_join _ A k B).
  - apply (integral_value _ _ _ (0 - 0)); [| ring].
    apply (integral_piece _ (fun _ => 0) (fun _ => 0)); [lra | | |].
    + intros x X. rewrite Rmax_left by lra. ring.
    + intros x _. apply (is_derive_const (K := R_AbsRing) (V := R_NormedModule) 0 x).
    + intros x _. apply continuous_const.
  - apply (integral_piece _ (fun x => (x - k) * Derive (Derive f) x) (fun x => (x - k) * Derive f x - f x)); [lra | | |].
    + intros x X. rewrite Rmax_right by lra. reflexivity.
    + intros x X. destruct (S x ltac:(lra)) as [F [G _]]. replace ((x - k) * Derive (Derive f) x)
        with (1 * Derive f x + (x - k) * Derive (Derive f) x - Derive f x) by ring.
      apply (is_derive_minus (K := R_AbsRing) (V := R_NormedModule) (fun x => (x - k) * Derive f x) f);
        [| apply Derive_correct, F].
      apply (is_derive_mult (fun x => x - k) (Derive f) x 1 (Derive (Derive f) x));
        [auto_derive; [exact I | ring] | apply Derive_correct, G | intros; apply Rmult_comm].
    + intros x X. destruct (S x ltac:(lra)) as [_ [_ C]].
      apply (continuous_mult (K := R_AbsRing)); [| exact C].
      apply (continuous_minus (V := R_NormedModule)); [apply continuous_id | apply continuous_const].
Qed.

Lemma cubes_against f A B cs :
  smooth A B f -> (forall c, In c cs -> A <= fst c <= B) ->
  is_RInt (fun x => cubes 1 cs x * Derive (Derive f) x) A B
    (sum (fun c => snd c * ((B - fst c) * Derive f B - f B + f (fst c))) cs).
Proof.
  intros S. induction cs as [| [k c] cs IH]; intros H.
  - cbn [sum fold_right]. apply (integral_same (fun _ => 0)); [intros x; unfold cubes; cbn [sum fold_right]; ring |].
    apply (integral_value _ _ _ ((B - A) * 0)); [| ring]. apply (is_RInt_const (V := R_NormedModule)).
  - rewrite sum_cons. cbn [fst snd].
    apply (integral_same (fun x => c * (Rmax 0 (x - k) * Derive (Derive f) x) + cubes 1 cs x * Derive (Derive f) x)).
    { intros x. unfold cubes. rewrite sum_cons. cbn [fst snd]. rewrite pow_1. ring. }
    apply (is_RInt_plus (V := R_NormedModule)).
    + apply (is_RInt_scal (V := R_NormedModule)). apply ramp_against; [exact S | apply (H (k, c)); left; reflexivity].
    + apply IH. intros e I. apply H. right. exact I.
Qed.

(* So S'' f'' has an integral that f's values at the knots decide. *)
Lemma natural_against f A B cs :
  smooth A B f -> (forall c, In c cs -> A <= fst c <= B) -> natural cs ->
  is_RInt (fun x => cubes 1 cs x * Derive (Derive f) x) A B (sum (fun c => snd c * f (fst c)) cs).
Proof.
  intros S H [Z M]. apply (integral_value _ _ _ _ _ (cubes_against f A B cs S H)).
  transitivity ((B * Derive f B - f B) * sum snd cs - Derive f B * sum (fun c => snd c * fst c) cs
    + sum (fun c => snd c * f (fst c)) cs); [| rewrite Z, M; ring].
  rewrite <- !sum_scale, <- sum_minus, <- sum_plus. apply sum_ext. intros. ring.
Qed.

(* A continuous function that is nowhere negative and has the integral 0 is 0. *)
Lemma integral_zero h A B :
  (forall x, A <= x <= B -> 0 <= h x) -> (forall x, A <= x <= B -> continuous h x) -> is_RInt h A B 0 ->
  forall t, A < t < B -> h t = 0.
Proof.
  intros P C Z t T.
  assert (E : forall l r, A <= l -> l <= r -> r <= B -> ex_RInt h l r).
  { intros l r L M N. apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros x.
    rewrite Rmin_left, Rmax_right by lra.
    intros X. apply C. lra. }
  assert (F : forall u, A < u < B -> is_RInt h A u 0).
  { intros u U. assert (EL := E A u ltac:(lra) ltac:(lra) ltac:(lra)).
    assert (ER := E u B ltac:(lra) ltac:(lra) ltac:(lra)).
    assert (0 <= RInt h A u) by (apply RInt_ge_0; [lra | exact EL | intros; apply P; lra]).
    assert (0 <= RInt h u B) by (apply RInt_ge_0; [lra | exact ER | intros; apply P; lra]).
    assert (Q := integral_join _ _ _ _ _ _ (RInt_correct _ _ _ EL) (RInt_correct _ _ _ ER)).
    assert (W := is_RInt_unique_value _ _ _ _ _ Z Q). apply (integral_value _ _ _ _ _ (RInt_correct _ _ _ EL)).
    change (RInt h A u = 0). lra. }
  assert (D : is_derive (fun _ => 0) t (h t)).
  { apply (is_derive_RInt h (fun _ => 0) A t); [| apply C; lra].
    assert (R : 0 < Rmin (t - A) (B - t)) by (apply Rmin_glb_lt; lra). exists (mkposreal _ R). intros u U.
    apply Rabs_lt_between' in U. cbn in U. pose proof (Rmin_l (t - A) (B - t)). pose proof (Rmin_r (t - A) (B - t)).
    apply F. lra. }
  assert (D0 := is_derive_unique _ _ _ D). assert (D1 := is_derive_unique _ _ _ (is_derive_const (K := R_AbsRing)
    (V := R_NormedModule) 0 t)). cbn in D0, D1. rewrite <- D0. exact D1.
Qed.

(* The spline through the data: the theorem, and that there is one. *)

Lemma sum_at_data f ps cs :
  passes f ps -> map fst cs = map fst ps ->
  forall g, passes g ps -> sum (fun c => snd c * f (fst c)) cs = sum (fun c => snd c * g (fst c)) cs.
Proof.
  intros F E g G. apply sum_ext. intros c I. apply (in_map fst) in I. rewrite E in I. apply in_map_iff in I.
  destruct I as [[x y] [X I]]. cbn in X. rewrite <- X, (F x y I), (G x y I). reflexivity.
Qed.

Lemma bending_integral A B f : smooth A B f -> A <= B -> is_RInt (fun x => Derive (Derive f) x ^ 2) A B (bending A B f).
Proof.
  intros S L. apply (RInt_correct (V := R_CompleteNormedModule)). apply (ex_RInt_continuous (V := R_CompleteNormedModule)).
  intros x. rewrite Rmin_left, Rmax_right by exact L. intros X. destruct (S x X) as [_ [_ C]].
  apply (continuous_same (fun x => Derive (Derive f) x * Derive (Derive f) x)); [intros; ring |].
  apply (continuous_mult (K := R_AbsRing)); exact C.
Qed.

(* The rest of any function: the integral of (f'' - S'')^2. *)
Lemma bending_gap A B a s cs ps f :
  A <= B -> natural cs -> map fst cs = map fst ps -> (forall p, In p ps -> A <= fst p <= B) ->
  passes (spline a s cs) ps -> smooth A B f -> passes f ps ->
  is_RInt (fun x => (Derive (Derive f) x - 6 * cubes 1 cs x) ^ 2) A B (bending A B f - bending A B (spline a s cs)).
Proof.
  intros L N E H P S Q.
  assert (K : forall c, In c cs -> A <= fst c <= B).
  { intros c I. apply (in_map fst) in I. rewrite E in I. apply in_map_iff in I. destruct I as [p [<- I]]. apply H, I. }
  pose proof (natural_against f A B cs S K N) as F. pose proof (spline_smooth A B a s cs) as SS.
  pose proof (natural_against _ A B cs SS K N) as G. rewrite <- (sum_at_data f ps cs Q E _ P) in G.
  set (V := sum (fun c => snd c * f (fst c)) cs) in *. pose proof (bending_integral A B f S L) as IF.
  pose proof (bending_integral A B _ SS L) as IS.
  assert (VS : bending A B (spline a s cs) = 6 * V).
  { apply (is_RInt_unique_value _ _ _ _ _ IS). apply (integral_same (fun x => 6 * (cubes 1 cs x * Derive (Derive
    (spline a s cs)) x))).
    - intros x. rewrite !spline_second. ring.
    - apply (is_RInt_scal (V := R_NormedModule)), G. }
  apply (integral_value _ _ _ (bending A B f + (-12 * V + bending A B (spline a s cs)))); [| lra].
  apply (integral_same (fun x => Derive (Derive f) x ^ 2 + (-12 * (cubes 1 cs x * Derive (Derive f) x)
    + Derive (Derive (spline a s cs)) x ^ 2))).
  { intros x. rewrite !spline_second. ring. }
  apply (is_RInt_plus (V := R_NormedModule)); [exact IF |]. apply (is_RInt_plus (V := R_NormedModule)); [| exact IS].
  apply (is_RInt_scal (V := R_NormedModule)), F.
Qed.

(* Whoever is a natural spline through the data has the least integral, 6 sum of c_i y_i, and only its values do. *)
Theorem natural_spline_least A B a s cs K L rest :
  increasing (fst K) (map fst (L :: rest)) -> A <= fst K -> (forall p, In p (K :: L :: rest) -> fst p <= B) ->
  natural cs -> map fst cs = map fst (K :: L :: rest) -> passes (spline a s cs) (K :: L :: rest) ->
  is_min (fun f => smooth A B f /\ passes f (K :: L :: rest)) (bending A B) (bending A B (spline a s cs))
  /\ bending A B (spline a s cs) = 6 * sum (fun c => snd c * spline a s cs (fst c)) cs
  /\ (forall f, smooth A B f -> passes f (K :: L :: rest) -> bending A B f <= bending A B (spline a s cs) ->
    forall x, A <= x <= B -> f x = spline a s cs x).
Proof.
  intros I HA HB N E P. set (ps := K :: L :: rest) in *.
  assert (W : forall p, In p ps -> A <= fst p <= B).
  { intros p J. split; [| apply HB, J]. destruct J as [<- | J]; [exact HA |].
    pose proof (increasing_least _ _ I (fst p) (in_map fst _ _ J)). lra. }
  assert (KL : fst K < fst L) by apply I. assert (LB := HB L ltac:(right; left; reflexivity)).
  assert (AB : A <= B) by lra.
  assert (G := fun f => bending_gap A B a s cs ps f AB N E W P). assert (SS := spline_smooth A B a s cs).
  split; [| split].
  - split; [exists (spline a s cs); split; [split; assumption | reflexivity] |]. intros f [S Q]. specialize (G f S Q).
    assert (Z := is_RInt_unique _ _ _ _ G).
    assert (0 <= RInt (fun x => (Derive (Derive f) x - 6 * cubes 1 cs x) ^ 2) A B); [| lra].
    apply RInt_ge_0; [exact AB | eexists; exact G | intros; apply pow2_ge_0].
  - apply (is_RInt_unique_value _ _ _ _ _ (bending_integral A B _ SS AB)).
    apply (integral_same (fun x => 6 * (cubes 1 cs x * Derive (Derive (spline a s cs)) x))).
    + intros x. rewrite !spline_second. ring.
    + apply (is_RInt_scal (V := R_NormedModule)). apply natural_against; [exact SS | | exact N].
      intros c J. apply (in_map fst) in J. rewrite E in J. apply in_map_iff in J. destruct J as [p [<- J]]. apply W, J.
  - intros f S Q V. specialize (G f S Q).
    assert (Z : bending A B f - bending A B (spline a s cs) = 0).
    { assert (Z := is_RInt_unique _ _ _ _ G).
      assert (0 <= RInt (fun x => (Derive (Derive f) x - 6 * cubes 1 cs x) ^ 2) A B); [| lra].
      apply RInt_ge_0; [exact AB | eexists; exact G | intros; apply pow2_ge_0]. }
    rewrite Z in G.
    assert (D : forall t, A < t < B -> Derive (Derive f) t = Derive (Derive (spline a s cs)) t).
    { intros t T. rewrite spline_second.
      assert (H : (Derive (Derive f) t - 6 * cubes 1 cs t) ^ 2 = 0); [| rewrite <- Rsqr_pow2 in H;
        apply Rsqr_0_uniq in H; lra].
      apply (integral_zero (fun x => (Derive (Derive f) x - 6 * cubes 1 cs x) ^ 2) A B); [| | exact G | exact T].
      - intros x _. apply pow2_ge_0.
      - intros x X. destruct (S x X) as [_ [_ C]].
        assert (C' : continuous (fun x => Derive (Derive f) x - 6 * cubes 1 cs x) x).
        { apply (continuous_minus (V := R_NormedModule)); [exact C |].
          apply (continuous_mult (K := R_AbsRing)); [apply continuous_const | apply continuous_cubes]. }
        apply (continuous_same (fun x => (Derive (Derive f) x - 6 * cubes 1 cs x) * (Derive (Derive f) x - 6 * cubes
          1 cs x)));
          [intros; ring |]. apply (continuous_mult (K := R_AbsRing)); exact C'. }
    set (g := spline a s cs) in *.
    assert (T : forall k, A <= k <= B -> f k - g k = (f B - g B) - (B - k) * (Derive f B - Derive g B)).
    { intros k X. pose proof (ramp_against f A B k S X) as F. pose proof (ramp_against g A B k SS X) as F'.
      assert (F2 : is_RInt (fun x => Rmax 0 (x - k) * Derive (Derive g) x) A B ((B - k) * Derive f B - f B + f k)).
      { apply (is_RInt_ext (fun x => Rmax 0 (x - k) * Derive (Derive f) x)); [| exact F]. intros x.
        rewrite Rmin_left, Rmax_right by lra. intros Y. rewrite (D x Y). reflexivity. }
      pose proof (is_RInt_unique_value _ _ _ _ _ F' F2). lra. }
    assert (Z1 : f (fst K) - g (fst K) = 0).
    { rewrite (Q (fst K) (snd K)), (P (fst K) (snd K)) by (left; destruct K; reflexivity). ring. }
    assert (Z2 : f (fst L) - g (fst L) = 0).
    { rewrite (Q (fst L) (snd L)), (P (fst L) (snd L)) by (right; left; destruct L; reflexivity). ring. }
    rewrite T in Z1, Z2 by lra. intros x X. specialize (T x X).
    assert (Y : (fst L - fst K) * (Derive f B - Derive g B) = 0) by lra. apply Rmult_integral in Y.
    destruct Y as [Y | Y]; [lra |]. rewrite Y in *. lra.
Qed.

(* There is one. *)

Lemma cubes_append p cs k c x : cubes p (cs ++ [(k, c)]) x = cubes p cs x + c * Rmax 0 (x - k) ^ p.
Proof. unfold cubes. rewrite sum_app, sum_cons, sum_nil. cbn [fst snd]. ring. Qed.

Lemma cubes_beyond cs X h :
  (forall c, In c cs -> fst c <= X) -> 0 <= h ->
  cubes 1 cs (X + h) = cubes 1 cs X + sum snd cs * h
  /\ cubes 2 cs (X + h) = cubes 2 cs X + 2 * cubes 1 cs X * h + sum snd cs * h ^ 2
  /\ cubes 3 cs (X + h) = cubes 3 cs X + 3 * cubes 2 cs X * h + 3 * cubes 1 cs X * h ^ 2 + sum snd cs * h ^ 3.
Proof.
  intros H Ph. unfold cubes. induction cs as [| [k c] cs IH]; [cbn [sum fold_right]; repeat split; ring |].
  destruct IH as [E1 [E2 E3]]; [intros e J; apply H; right; exact J |].
  specialize (H (k, c) (or_introl eq_refl)). cbn [fst] in H. rewrite !sum_cons. cbn [fst snd].
  rewrite E1, E2, E3, !(Rmax_right 0) by lra. repeat split; ring.
Qed.

Lemma cubes_sums cs X :
  (forall c, In c cs -> fst c <= X) -> cubes 1 cs X = X * sum snd cs - sum (fun c => snd c * fst c) cs.
Proof.
  intros H. unfold cubes. induction cs as [| [k c] cs IH]; [cbn [sum fold_right]; ring |].
  rewrite !sum_cons. cbn [fst snd]. rewrite IH by (intros e J; apply H; right; exact J).
  specialize (H (k, c) (or_introl eq_refl)). cbn [fst] in H. rewrite Rmax_right by lra. ring.
Qed.

(* Splines through data up to P, a line at first, whose second derivative M at P can be chosen; the slope there is
   p M + q. *)
Definition ends_at (done : list (R * R)) (P : R * R) (p q : R) : Prop := 0 < p /\ forall M, exists a s cs,
  passes (spline a s cs) (done ++ [P]) /\ map fst cs = map fst done /\
  s + 3 * cubes 2 cs (fst P) = p * M + q /\ 6 * cubes 1 cs (fst P) = M.

Lemma knots_before (done : list (R * R)) (P : R * R) cs :
  (forall k : R * R, In k done -> fst k < fst P) -> map fst cs = map fst done -> forall c : R * R, In c cs -> fst c
    <= fst P.
Proof.
  intros H E c J. apply (in_map fst) in J. rewrite E in J. apply in_map_iff in J. destruct J as [k [<- J]].
  left. apply H, J.
Qed.

Lemma append_passes (done : list (R * R)) (P : R * R) a s cs c :
  (forall k, In k done -> fst k < fst P) -> passes (spline a s cs) (done ++ [P]) ->
  passes (spline a s (cs ++ [(fst P, c)])) (done ++ [P]).
Proof.
  intros H Q x y J. unfold spline. rewrite cubes_append, Rmax_left.
  - rewrite <- (Q x y J). unfold spline. ring.
  - apply in_app_iff in J. destruct J as [J | [-> | []]]; [specialize (H _ J) |]; cbn in *; lra.
Qed.

Lemma spline_continues rest : forall done P p q,
  (forall k, In k done -> fst k < fst P) -> increasing (fst P) (map fst rest) -> ends_at done P p q ->
  exists a s cs, passes (spline a s cs) (done ++ P :: rest) /\ map fst cs = map fst (done ++ P :: rest) /\ natural cs.
Proof.
  induction rest as [| Q rest IH]; intros done P p q H I [Pp F].
  - destruct (F 0) as [a [s [cs [T [E [_ Z]]]]]]. pose proof (knots_before _ _ _ H E) as B.
    exists a, s, (cs ++ [(fst P, - sum snd cs)]). split; [apply append_passes; assumption |]. split.
    + rewrite !map_app, E. reflexivity.
    + rewrite cubes_sums in Z by exact B. unfold natural. rewrite !sum_app, !sum_cons, !sum_nil. cbn [fst snd]. lra.
  - destruct I as [L I]. set (h := fst Q - fst P). assert (Ph : 0 < h) by (unfold h; lra).
    assert (D : 0 < p + h / 3) by lra. set (v := snd Q - snd P - q * h).
    replace (done ++ P :: Q :: rest) with ((done ++ [P]) ++ Q :: rest) by (rewrite <- app_assoc; reflexivity).
    apply (IH _ _ ((h * p / 3 + h ^ 2 / 12) / (p + h / 3)) (q + (p + h / 2) * v / (h * (p + h / 3)))); [| exact I |].
    + intros k J. apply in_app_iff in J. destruct J as [J | [<- | []]]; [specialize (H k J) |]; lra.
    + split; [apply Rdiv_lt_0_compat; [| exact D]; pose proof (Rmult_lt_0_compat h p Ph Pp);
      pose proof (pow_lt h 2 Ph); lra |].
      intros M'. set (M := (v - M' * h ^ 2 / 6) / (h * (p + h / 3))). destruct (F M) as [a [s [cs [T [E [Sl Z]]]]]].
      pose proof (knots_before _ _ _ H E) as B. pose proof (cubes_beyond cs (fst P) h B ltac:(lra)) as [C1 [C2 C3]].
      replace (fst P + h) with (fst Q) in C1, C2, C3 by (unfold h; ring).
      set (e := sum snd cs) in *. set (c := (M' - M) / (6 * h) - e).
      assert (R : Rmax 0 (fst Q - fst P) = h) by (rewrite Rmax_right; [reflexivity | lra]).
      assert (V : M * (h * (p + h / 3)) = v - M' * h ^ 2 / 6) by (unfold M; field; lra).
      assert (Ce : (c + e) * (6 * h) = M' - M) by (unfold c; field; lra).
      assert (Y : spline a s cs (fst P) = snd P).
      { apply (T (fst P) (snd P)). apply in_app_iff. right. left. destruct P. reflexivity. }
      exists a, s, (cs ++ [(fst P, c)]). split; [| split; [| split]].
      * intros x y J. apply in_app_iff in J. destruct J as [J | [J | []]]; [apply (append_passes done P); assumption |].
        subst Q. cbn [fst snd] in *. unfold spline in Y |- *. rewrite cubes_append, R, C3.
        replace x with (fst P + h) by (unfold h; ring).
        assert (X3 : (c + e) * h ^ 3 = (M' - M) * h ^ 2 / 6) by (rewrite <- Ce; field).
        assert (Z2 : 3 * cubes 1 cs (fst P) = M / 2) by lra. unfold v in V. rewrite Z2.
        assert (S' : s * h + 3 * cubes 2 cs (fst P) * h = (p * M + q) * h) by (rewrite <- Sl; ring). nra.
      * rewrite !map_app, E. reflexivity.
      * rewrite cubes_append, R, C2. assert (X2 : (c + e) * h ^ 2 = (M' - M) * h / 6) by (rewrite <- Ce; field).
        transitivity (p * M + q + M * h + (M' - M) * h / 2); [rewrite <- Sl; nra |]. unfold M. field. lra.
      * rewrite cubes_append, R, C1. nra.
Qed.

Theorem natural_spline_exists K L rest :
  increasing (fst K) (map fst (L :: rest)) ->
  exists a s cs, passes (spline a s cs) (K :: L :: rest) /\ map fst cs = map fst (K :: L :: rest) /\ natural cs.
Proof.
  intros [KL I]. set (h := fst L - fst K). assert (Ph : 0 < h) by (unfold h; lra).
  apply (spline_continues rest [K] L (h / 3) ((snd L - snd K) / h)); [intros k [<- | []]; exact KL | exact I |].
  split; [lra |]. intros M. set (s := (snd L - snd K) / h - M * h / 6).
  exists (snd K - s * fst K), s, [(fst K, M / (6 * h))]. unfold spline, cubes. cbn [app map]. split; [| split; [| split]].
  - intros x y [J | [J | []]]; rewrite sum_cons, sum_nil; cbn [fst snd].
    + subst K. cbn [fst snd]. rewrite Rminus_eq_0, Rmax_left by lra. ring.
    + subst L. cbn [fst snd] in *. rewrite Rmax_right by lra. fold h. replace x with (fst K + h) by (unfold h; ring).
      unfold s. field. lra.
  - reflexivity.
  - rewrite sum_cons, sum_nil. cbn [fst snd]. rewrite Rmax_right by (unfold h in Ph; lra). fold h. unfold s. field. lra.
  - rewrite sum_cons, sum_nil. cbn [fst snd]. rewrite Rmax_right by (unfold h in Ph; lra). fold h. field. lra.
Qed.

(* Both together: through any data the natural spline exists, and is what has the least integral. *)
Theorem natural_spline A B K L rest :
  increasing (fst K) (map fst (L :: rest)) -> A <= fst K -> (forall p, In p (K :: L :: rest) -> fst p <= B) ->
  exists a s cs, map fst cs = map fst (K :: L :: rest) /\ natural cs /\ passes (spline a s cs) (K :: L :: rest)
  /\ is_min (fun f => smooth A B f /\ passes f (K :: L :: rest)) (bending A B) (bending A B (spline a s cs))
  /\ (forall f, smooth A B f -> passes f (K :: L :: rest) -> bending A B f <= bending A B (spline a s cs) ->
    forall x, A <= x <= B -> f x = spline a s cs x).
Proof.
  intros I HA HB. destruct (natural_spline_exists K L rest I) as [a [s [cs [P [E N]]]]].
  destruct (natural_spline_least A B a s cs K L rest I HA HB N E P) as [M [_ U]]. exists a, s, cs.
  split; [exact E |]. split; [exact N |]. split; [exact P |]. split; [exact M | exact U].
Qed.
