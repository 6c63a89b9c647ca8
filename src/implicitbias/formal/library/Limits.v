(* Limits at infinity, at a point, from the right at a point: by a function that extends the given one continuously. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From ImplicitBias Require Import Tactics.
Open Scope R_scope.

(* The limit from the right, and from the left, at a point. *)
Definition is_right_limit (f : R -> R) (a l : R) : Prop := filterlim f (at_right a) (locally l).
Definition is_left_limit (f : R -> R) (a l : R) : Prop := filterlim f (at_left a) (locally l).

Lemma is_right_limit_unique f a l m : is_right_limit f a l -> is_right_limit f a m -> l = m.
Proof. apply (filterlim_locally_unique f l m). Qed.

Lemma is_left_limit_unique f a l m : is_left_limit f a l -> is_left_limit f a m -> l = m.
Proof. apply (filterlim_locally_unique f l m). Qed.

Lemma limit_unique f x (l m : R) : is_lim f x l -> is_lim f x m -> l = m.
Proof. intros L M. apply is_lim_unique in L, M. rewrite L in M. injection M. auto. Qed.

(* lim_{x -> oo} f(x) = g(0) where f(1/e) = g(e) for e > 0 and g is continuous at 0. *)
Lemma limit_at_infinity (f g : R -> R) (l : R) :
  (forall e, 0 < e -> f (/ e) = g e) -> continuous g 0 -> g 0 = l -> is_lim f p_infty l.
Proof.
  intros E C <-. apply is_lim_ext_loc with (fun x => g (/ x)).
  - exists 0. intros x Hx. rewrite <- E by (apply Rinv_0_lt_compat; auto). rewrite Rinv_inv; reflexivity.
  - apply (filterlim_comp _ _ _ Rinv g (Rbar_locally' p_infty) (locally 0) (locally (g 0))); [| exact C].
    apply (is_lim_inv (fun x => x) p_infty p_infty (is_lim_id _)). discriminate.
Qed.

Lemma limit_at_minus_infinity (f g : R -> R) (l : R) :
  (forall e, e < 0 -> f (/ e) = g e) -> continuous g 0 -> g 0 = l -> is_lim f m_infty l.
Proof.
  intros E C <-. apply is_lim_ext_loc with (fun x => g (/ x)).
  - exists 0. intros x Hx. rewrite <- E by (apply Rinv_lt_0_compat; auto). rewrite Rinv_inv; reflexivity.
  - apply (filterlim_comp _ _ _ Rinv g (Rbar_locally' m_infty) (locally 0) (locally (g 0))); [| exact C].
    apply (is_lim_inv (fun x => x) m_infty m_infty (is_lim_id _)). discriminate.
Qed.

(* Where the equation holds only beyond some point: for all 0 < e < d. *)
Lemma limit_at_infinity_near (f g : R -> R) (l d : R) :
  0 < d -> (forall e, 0 < e < d -> f (/ e) = g e) -> continuous g 0 -> g 0 = l -> is_lim f p_infty l.
Proof.
  intros D E C <-. apply is_lim_ext_loc with (fun x => g (/ x)).
  - exists (/ d). intros x Hx. assert (P : 0 < / d) by (apply Rinv_0_lt_compat; lra).
    assert (X : 0 < / x) by (apply Rinv_0_lt_compat; lra).
    rewrite <- E; [rewrite Rinv_inv; reflexivity |]. split; [exact X |].
    rewrite <- (Rinv_inv d). apply Rinv_lt_contravar; [| exact Hx]. apply Rmult_lt_0_compat; lra.
  - apply (filterlim_comp _ _ _ Rinv g (Rbar_locally' p_infty) (locally 0) (locally (g 0))); [| exact C].
    apply (is_lim_inv (fun x => x) p_infty p_infty (is_lim_id _)). discriminate.
Qed.

(* lim_{x -> a} f(x) = g(a) where f = g except at a, and g is continuous there. *)
Lemma limit_at_point (f g : R -> R) (a l : R) :
  (forall x, x <> a -> f x = g x) -> continuous g a -> g a = l -> is_lim f a l.
Proof.
  intros E C <-. apply is_lim_ext_loc with g.
  - exists (mkposreal 1 Rlt_0_1). intros x _ N. symmetry. apply E, N.
  - apply is_lim_continuity, continuity_pt_filterlim, C.
Qed.

Lemma right_limit_at_point (f g : R -> R) (a l : R) :
  (forall x, a < x -> f x = g x) -> continuous g a -> g a = l -> is_right_limit f a l.
Proof.
  intros E C <- Q HQ. destruct (C Q HQ) as [d Hd]. exists d. intros x Bx Ax. rewrite E by exact Ax. apply Hd, Bx.
Qed.

Lemma left_limit_at_point (f g : R -> R) (a l : R) :
  (forall x, x < a -> f x = g x) -> continuous g a -> g a = l -> is_left_limit f a l.
Proof.
  intros E C <- Q HQ. destruct (C Q HQ) as [d Hd]. exists d. intros x Bx Ax. rewrite E by exact Ax. apply Hd, Bx.
Qed.

(* Between two functions with the same limit, from some point on. *)
Lemma limit_at_infinity_between (f lower upper : R -> R) (l m : R) :
  (forall x, m < x -> lower x <= f x <= upper x) -> is_lim lower p_infty l -> is_lim upper p_infty l ->
  is_lim f p_infty l.
Proof. intros B L U. apply is_lim_le_le_loc with lower upper; [exists m; exact B | exact L | exact U]. Qed.

(* exp(-A u) beats every power of u. *)
Lemma exp_beats_pow A k : 0 < A -> is_lim (fun u => u ^ k * exp (- A * u)) p_infty 0.
Proof.
  intros HA.
  assert (I : forall B, 0 < B -> is_lim (fun u => - B * u) p_infty m_infty).
  { intros B HB. replace m_infty with (Rbar_mult (- B) p_infty); [apply is_lim_scal_l, is_lim_id |].
    unfold Rbar_mult, Rbar_mult'. destruct (Rle_dec 0 (- B)); [exfalso; lra | reflexivity]. }
  assert (L1 : forall B, 0 < B -> is_lim (fun u => u * exp (- B * u)) p_infty 0).
  { intros B HB. apply is_lim_ext with (fun u => (- / B) * ((- B * u) * exp (- B * u))); [intros; field; lra |].
    replace (Finite 0) with (Rbar_mult (- / B) (Finite 0)) by (simpl; f_equal; ring).
    apply is_lim_scal_l.
    apply (is_lim_comp (fun y => y * exp y) (fun u => - B * u) p_infty 0 m_infty).
    - apply is_lim_mul_exp_m.
    - apply I, HB.
    - exists 0. intros; discriminate. }
  destruct k.
  - apply is_lim_ext with (fun u => exp (- A * u)); [intros; simpl; ring |].
    apply (is_lim_comp exp (fun u => - A * u) p_infty 0 m_infty);
      [apply is_lim_exp_m | apply I, HA | exists 0; intros; discriminate].
  - assert (HB : 0 < A / INR (S k)) by (apply Rdiv_lt_0_compat; [lra | apply lt_0_INR, Nat.lt_0_succ]).
    apply is_lim_ext with (fun u => (u * exp (- (A / INR (S k)) * u)) ^ S k).
    + intros u. rewrite Rpow_mult_distr. f_equal. rewrite <- Rpower_pow by apply exp_pos.
      unfold Rpower. rewrite ln_exp. f_equal. field. apply not_0_INR. discriminate.
    + assert (Z : 0 = 0 ^ S k) by (simpl; ring). rewrite Z. unfold is_lim. cbn [Rbar_locally].
      apply (filterlim_comp _ _ _ (fun u => u * exp (- (A / INR (S k)) * u)) (fun y => y ^ S k)
               (Rbar_locally' p_infty) (locally 0) (locally (0 ^ S k))); [exact (L1 _ HB) |].
      apply (ex_derive_continuous (fun y : R => y ^ S k) 0). auto_derive. trivial.
Qed.

(* Continuity and derivatives of expressions: what auto_derive asks for is shown, and the derivative compared. *)
Ltac continuous :=
  intros; cbv beta;
  lazymatch goal with
  | |- Continuity.continuous ?f ?x =>
      apply (@ex_derive_continuous R_AbsRing R_NormedModule f x);
      try (progress autounfold with primitives); auto_derive; defined
  end.

Ltac derivative :=
  intros; cbv beta; try (progress autounfold with primitives); auto_derive; [defined | equal].
