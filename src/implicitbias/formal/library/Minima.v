(* How a minimum, an infimum, a maximum, a minimiser or a unique solution is shown. *)
From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From ImplicitBias Require Import Quantities.
Open Scope R_scope.

(* Minimum by a point and a gap: f - v is g, and g >= 0. *)
Lemma min_by_gap {A : Type} (D : A -> Prop) (f g : A -> R) (x0 : A) (v : R) :
  D x0 -> f x0 = v -> (forall x, D x -> f x - v = g x) -> (forall x, D x -> 0 <= g x) -> is_min D f v.
Proof.
  intros D0 E G N. split; [exists x0; auto |]. intros x Dx. specialize (G x Dx). specialize (N x Dx). lra.
Qed.

Lemma min_by_bound {A : Type} (D : A -> Prop) (f : A -> R) (x0 : A) (v : R) :
  D x0 -> f x0 = v -> (forall x, D x -> v <= f x) -> is_min D f v.
Proof. intros D0 E L. split; [exists x0; auto | exact L]. Qed.

Lemma max_by_gap {A : Type} (D : A -> Prop) (f g : A -> R) (x0 : A) (v : R) :
  D x0 -> f x0 = v -> (forall x, D x -> v - f x = g x) -> (forall x, D x -> 0 <= g x) -> is_max D f v.
Proof.
  intros D0 E G N. split; [exists x0; auto |]. intros x Dx. specialize (G x Dx). specialize (N x Dx). lra.
Qed.

Lemma max_by_bound {A : Type} (D : A -> Prop) (f : A -> R) (x0 : A) (v : R) :
  D x0 -> f x0 = v -> (forall x, D x -> f x <= v) -> is_max D f v.
Proof. intros D0 E L. split; [exists x0; auto | exact L]. Qed.

(* Infimum by a gap and a path p(e) in D, e > 0, along which the gap is at most e times a constant. *)
Lemma inf_by_gap_and_rate {A : Type} (D : A -> Prop) (f g : A -> R) (p : R -> A) (v c : R) :
  (forall x, D x -> f x - v = g x) -> (forall x, D x -> 0 <= g x) ->
  (forall e, 0 < e -> D (p e)) -> (forall e, 0 < e -> g (p e) <= c * e) -> is_inf D f v.
Proof.
  intros G N P L. split; [intros x Dx; specialize (G x Dx); specialize (N x Dx); lra |].
  intros e He. set (m := Rabs c + 1). assert (M : 0 < m) by (unfold m; pose proof (Rabs_pos c); lra).
  assert (Q : 0 < e / (2 * m)) by (apply Rdiv_lt_0_compat; lra).
  exists (p (e / (2 * m))). split; [apply P, Q |].
  specialize (G _ (P _ Q)). specialize (L _ Q).
  assert (c * (e / (2 * m)) <= m * (e / (2 * m))).
  { apply Rmult_le_compat_r; [lra |]. unfold m. pose proof (Rle_abs c). lra. }
  assert (m * (e / (2 * m)) = e / 2) by (field; lra). lra.
Qed.

(* Infimum by a gap and a path in D along which the values tend to v from the right at 0. *)
Lemma inf_by_gap_and_path {A : Type} (D : A -> Prop) (f g : A -> R) (p : R -> A) (v : R) :
  (forall x, D x -> f x - v = g x) -> (forall x, D x -> 0 <= g x) ->
  (forall e, 0 < e -> D (p e)) -> filterlim (fun e => f (p e)) (at_right 0) (locally v) -> is_inf D f v.
Proof.
  intros G N P L. split; [intros x Dx; specialize (G x Dx); specialize (N x Dx); lra |].
  intros e He. specialize (L (ball v (mkposreal e He)) (locally_ball v (mkposreal e He))).
  destruct L as [d Hd]. assert (Hp := cond_pos d).
  exists (p (d / 2)). split; [apply P; lra |].
  assert (B : ball v (mkposreal e He) (f (p (d / 2)))).
  { apply Hd; [| lra]. apply Rabs_lt_between'. simpl. lra. }
  apply Rabs_lt_between' in B. simpl in B. lra.
Qed.

(* The path with values h(e), where h is known and continuous at 0: h(0) = v. *)
Lemma inf_by_gap_and_extension {A : Type} (D : A -> Prop) (f g : A -> R) (p : R -> A) (h : R -> R) (v : R) :
  (forall x, D x -> f x - v = g x) -> (forall x, D x -> 0 <= g x) ->
  (forall e, 0 < e -> D (p e)) -> (forall e, 0 < e -> f (p e) = h e) -> continuous h 0 -> h 0 = v -> is_inf D f v.
Proof.
  intros G N P E C H0. apply (inf_by_gap_and_path D f g p v); auto. rewrite <- H0.
  intros Q HQ. destruct (C Q HQ) as [d Hd]. exists d. intros y By Hy. rewrite E by exact Hy. apply Hd, By.
Qed.

Lemma sup_by_gap_and_extension {A : Type} (D : A -> Prop) (f g : A -> R) (p : R -> A) (h : R -> R) (v : R) :
  (forall x, D x -> v - f x = g x) -> (forall x, D x -> 0 <= g x) ->
  (forall e, 0 < e -> D (p e)) -> (forall e, 0 < e -> f (p e) = h e) -> continuous h 0 -> h 0 = v -> is_sup D f v.
Proof.
  intros G N P E C H0. apply is_sup_of_inf.
  apply (inf_by_gap_and_extension D (fun x => - f x) g p (fun e => - h e) (- v)); auto.
  - intros x Dx. rewrite <- G by exact Dx. ring.
  - intros e He. rewrite E by exact He. reflexivity.
  - apply (continuous_opp h 0 C).
  - rewrite H0. reflexivity.
Qed.

(* The path along which the gap is h(e), where h is continuous at 0 and 0 there. *)
Lemma inf_by_gap_along {A : Type} (D : A -> Prop) (f g : A -> R) (p : R -> A) (h : R -> R) (v : R) :
  (forall x, D x -> f x - v = g x) -> (forall x, D x -> 0 <= g x) ->
  (forall e, 0 < e -> D (p e)) -> (forall e, 0 < e -> g (p e) = h e) -> continuous h 0 -> h 0 = 0 -> is_inf D f v.
Proof.
  intros G N P E C H0. apply (inf_by_gap_and_extension D f g p (fun e => v + h e) v); auto.
  - intros e He. rewrite <- E by exact He. specialize (G _ (P e He)). lra.
  - apply (continuous_plus (fun _ => v) h 0); [apply continuous_const | exact C].
  - rewrite H0. lra.
Qed.

Lemma sup_by_gap_along {A : Type} (D : A -> Prop) (f g : A -> R) (p : R -> A) (h : R -> R) (v : R) :
  (forall x, D x -> v - f x = g x) -> (forall x, D x -> 0 <= g x) ->
  (forall e, 0 < e -> D (p e)) -> (forall e, 0 < e -> g (p e) = h e) -> continuous h 0 -> h 0 = 0 -> is_sup D f v.
Proof.
  intros G N P E C H0. apply is_sup_of_inf. apply (inf_by_gap_along D (fun x => - f x) g p h (- v)); auto.
  intros x Dx. rewrite <- G by exact Dx. ring.
Qed.

(* Unique minimiser: the gap vanishes only at the point. *)
Lemma unique_argmin_by_gap {A : Type} (D : A -> Prop) (f g : A -> R) (x0 : A) :
  D x0 -> (forall x, D x -> f x - f x0 = g x) -> (forall x, D x -> 0 <= g x) ->
  (forall x, D x -> g x = 0 -> x = x0) -> is_unique_argmin D f x0.
Proof.
  intros D0 G N U. split; [exact D0 | split]; intros y Dy; specialize (G y Dy); specialize (N y Dy); [lra |].
  intros L. apply U; [exact Dy | lra].
Qed.

Lemma argmin_by_gap {A : Type} (D : A -> Prop) (f g : A -> R) (x0 : A) :
  D x0 -> (forall x, D x -> f x - f x0 = g x) -> (forall x, D x -> 0 <= g x) -> is_argmin D f x0.
Proof. intros D0 G N. split; [exact D0 |]. intros y Dy. specialize (G y Dy). specialize (N y Dy). lra. Qed.

(* h at the only minimiser is v. *)
Definition minimiser_has (D : R -> Prop) (f h : R -> R) (v : R) : Prop :=
  exists x, is_unique_argmin D f x /\ h x = v.

Lemma minimiser_has_unique D f h v w : minimiser_has D f h v -> minimiser_has D f h w -> v = w.
Proof. intros [x [Ux <-]] [y [Uy <-]]. rewrite (is_unique_argmin_unique D f x y Ux Uy). reflexivity. Qed.

(* By a gap that is positive on either side of the point. *)
Lemma minimiser_by_gap (D : R -> Prop) (f g h : R -> R) (x0 v : R) :
  D x0 -> (forall x, D x -> f x - f x0 = g x) -> (forall x, D x -> x0 < x -> 0 < g x) ->
  (forall x, D x -> x < x0 -> 0 < g x) -> h x0 = v -> minimiser_has D f h v.
Proof.
  intros D0 G Above Below H. exists x0. split; [| exact H].
  apply (unique_argmin_by_gap D f g x0 D0 G); intros x Dx;
    destruct (Rtotal_order x x0) as [L | [-> | L]]; try specialize (Below x Dx L); try specialize (Above x Dx L); try lra.
  specialize (G x0 D0). lra.
Qed.

(* Intervals of the line, open, closed or unbounded, are the convex sets of numbers. *)
Definition interval_like (D : R -> Prop) : Prop := forall x y z, D x -> D z -> x <= y <= z -> D y.

(* Minimum over an interval by the sign of the derivative: not rising before m, not falling after it. *)
Lemma argmin_by_slope (D : R -> Prop) (f f' : R -> R) (m : R) :
  interval_like D -> D m -> (forall x, D x -> is_derive f x (f' x)) ->
  (forall x, D x -> x < m -> f' x <= 0) -> (forall x, D x -> m < x -> 0 <= f' x) -> is_argmin D f m.
Proof.
  intros I Dm H L R'. split; [exact Dm |]. intros x Dx. destruct (Rtotal_order x m) as [S | [-> | S]]; [| lra |].
  - destruct (MVT_cor2 f f' x m S) as [c [E C]].
    { intros c Hc. apply is_derive_Reals, H, (I x c m); auto. }
    assert (f' c <= 0) by (apply L; [apply (I x c m); auto; lra | lra]). nra.
  - destruct (MVT_cor2 f f' m x S) as [c [E C]].
    { intros c Hc. apply is_derive_Reals, H, (I m c x); auto. }
    assert (0 <= f' c) by (apply R'; [apply (I m c x); auto; lra | lra]). nra.
Qed.

(* With strict signs the minimiser is unique. *)
Lemma unique_argmin_by_slope (D : R -> Prop) (f f' : R -> R) (m : R) :
  interval_like D -> D m -> (forall x, D x -> is_derive f x (f' x)) ->
  (forall x, D x -> x < m -> f' x < 0) -> (forall x, D x -> m < x -> 0 < f' x) -> is_unique_argmin D f m.
Proof.
  intros I Dm H L R'.
  assert (S : forall x, D x -> x <> m -> f m < f x).
  { intros x Dx N. destruct (Rtotal_order x m) as [S | [S | S]]; [| contradiction |].
    - destruct (MVT_cor2 f f' x m S) as [c [E C]].
      { intros c Hc. apply is_derive_Reals, H, (I x c m); auto. }
      assert (f' c < 0) by (apply L; [apply (I x c m); auto; lra | lra]). nra.
    - destruct (MVT_cor2 f f' m x S) as [c [E C]].
      { intros c Hc. apply is_derive_Reals, H, (I m c x); auto. }
      assert (0 < f' c) by (apply R'; [apply (I m c x); auto; lra | lra]). nra. }
  split; [exact Dm | split].
  - intros x Dx. destruct (Req_dec x m) as [-> | N]; [lra | left; auto].
  - intros x Dx Lx. destruct (Req_dec x m) as [-> | N]; [reflexivity | specialize (S x Dx N); lra].
Qed.

(* A function is convex on D: chords lie above. *)
Definition convex_on (D : R -> Prop) (f : R -> R) : Prop :=
  forall x y t, D x -> D y -> 0 <= t <= 1 -> f ((1 - t) * x + t * y) <= (1 - t) * f x + t * f y.

(* The derivative of a function with f'' >= 0 does not fall; a stationary point of it is a minimiser. *)
Lemma argmin_by_convexity (D : R -> Prop) (f f' f'' : R -> R) (m : R) :
  interval_like D -> D m -> (forall x, D x -> is_derive f x (f' x)) -> (forall x, D x -> is_derive f' x (f'' x)) ->
  (forall x, D x -> 0 <= f'' x) -> f' m = 0 -> is_argmin D f m.
Proof.
  intros I Dm H1 H2 P Z. apply (argmin_by_slope D f f' m I Dm H1).
  - intros x Dx S. destruct (MVT_cor2 f' f'' x m S) as [c [E C]].
    { intros c Hc. apply is_derive_Reals, H2, (I x c m); auto. }
    assert (0 <= f'' c) by (apply P, (I x c m); auto; lra). nra.
  - intros x Dx S. destruct (MVT_cor2 f' f'' m x S) as [c [E C]].
    { intros c Hc. apply is_derive_Reals, H2, (I m c x); auto. }
    assert (0 <= f'' c) by (apply P, (I m c x); auto; lra). nra.
Qed.

(* Where every value of f on D lies above a tangent line of slope 0, its point is a minimiser; for a convex f one
   differentiable point with f' = 0 is enough. *)
Lemma argmin_of_convex (D : R -> Prop) (f : R -> R) (m : R) :
  convex_on D f -> D m -> is_derive f m 0 -> is_argmin D f m.
Proof.
  intros C Dm H. split; [exact Dm |]. intros y Dy. apply Rnot_lt_le. intros L.
  (* The chord from m to y has slope -s < 0; near m, f falls by less than s t. *)
  assert (Hy : y <> m) by (intros ->; lra).
  apply is_derive_Reals in H. assert (E : 0 < (f m - f y) / Rabs (y - m)).
  { apply Rdiv_lt_0_compat; [lra | apply Rabs_pos_lt; lra]. }
  destruct (H _ E) as [d Hd]. assert (Pd := cond_pos d).
  assert (Py : 0 < Rabs (y - m)) by (apply Rabs_pos_lt; lra).
  set (t := Rmin 1 (d / (2 * Rabs (y - m)))).
  assert (T : 0 < t <= 1).
  { unfold t. split; [apply Rmin_pos; [lra | apply Rdiv_lt_0_compat; lra] | apply Rmin_l]. }
  assert (Td : t * Rabs (y - m) <= d / 2).
  { apply Rle_trans with (d / (2 * Rabs (y - m)) * Rabs (y - m)); [| right; field; lra].
    apply Rmult_le_compat_r; [lra | apply Rmin_r]. }
  assert (Hh : t * (y - m) <> 0) by (apply Rmult_integral_contrapositive_currified; lra).
  assert (Ha : Rabs (t * (y - m)) < d) by (rewrite Rabs_mult, (Rabs_pos_eq t) by lra; lra).
  specialize (Hd (t * (y - m)) Hh Ha). specialize (C m y t Dm Dy ltac:(lra)).
  replace ((1 - t) * m + t * y) with (m + t * (y - m)) in C by ring.
  set (q := f (m + t * (y - m)) - f m) in *. assert (Q : q <= - t * (f m - f y)) by (unfold q; lra).
  replace (q / (t * (y - m)) - 0) with (q / (t * (y - m))) in Hd by ring.
  unfold Rdiv in Hd at 1. rewrite Rabs_mult, Rabs_inv, Rabs_mult, (Rabs_pos_eq t) in Hd by lra.
  assert (t * (f m - f y) <= Rabs q) by (rewrite <- Rabs_Ropp; pose proof (Rle_abs (- q)); lra).
  apply (Rmult_lt_compat_r (t * Rabs (y - m))) in Hd; [| apply Rmult_lt_0_compat; lra].
  replace (Rabs q * / (t * Rabs (y - m)) * (t * Rabs (y - m))) with (Rabs q) in Hd by (field; lra).
  replace ((f m - f y) / Rabs (y - m) * (t * Rabs (y - m))) with (t * (f m - f y)) in Hd by (field; lra). lra.
Qed.

(* Nested: the least over pairs is the least of the least over the second entry. *)
Lemma min_of_min {A B : Type} (D : A -> Prop) (E : A -> B -> Prop) (f : A -> B -> R) (inner : A -> R) (v : R) :
  (forall a, D a -> is_min (E a) (f a) (inner a)) -> is_min D inner v ->
  is_min (fun ab => D (fst ab) /\ E (fst ab) (snd ab)) (fun ab => f (fst ab) (snd ab)) v.
Proof.
  intros I [[a [Da Ha]] L]. split.
  - destruct (I a Da) as [[b [Eb Hb]] _]. exists (a, b). simpl. repeat split; auto. lra.
  - intros [a' b'] [Da' Eb']. simpl in *. destruct (I a' Da') as [_ L']. specialize (L' b' Eb'). specialize (L a' Da').
    lra.
Qed.
