(* Definite integrals by pieces and antiderivatives; improper ones by the limit of an antiderivative; the moments of
   the Gaussian of odd order. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From ImplicitBias Require Import Tactics Limits.
Open Scope R_scope.

(* One piece: between a and b the integrand f is g, and G' = g on [a, b]. *)
Lemma integral_piece (f g G : R -> R) (a b : R) :
  a <= b -> (forall x, a < x < b -> f x = g x) -> (forall x, a <= x <= b -> is_derive G x (g x)) ->
  (forall x, a <= x <= b -> Continuity.continuous g x) -> is_RInt f a b (G b - G a).
Proof.
  intros L E D C. apply is_RInt_ext with g.
  - intros x. rewrite Rmin_left, Rmax_right by exact L. intros X. symmetry. apply E, X.
  - apply (is_RInt_derive G g); intros x; rewrite Rmin_left, Rmax_right by exact L; auto.
Qed.

Lemma integral_join (f : R -> R) (a b c v w : R) : is_RInt f a b v -> is_RInt f b c w -> is_RInt f a c (v + w).
Proof. intros V W. apply (is_RInt_Chasles f a b c v w V W). Qed.

Lemma integral_value (f : R -> R) (a b v w : R) : is_RInt f a b v -> v = w -> is_RInt f a b w.
Proof. intros V <-. exact V. Qed.

Lemma is_RInt_unique_value (f : R -> R) (a b v w : R) : is_RInt f a b v -> is_RInt f a b w -> v = w.
Proof. intros V W. rewrite <- (is_RInt_unique f a b v V). apply is_RInt_unique, W. Qed.

(* From a to infinity: F' = f beyond a, F -> l. *)
Lemma integral_to_infinity (f F : R -> R) (a l : R) :
  (forall x, a <= x -> is_derive F x (f x)) -> (forall x, a <= x -> Continuity.continuous f x) -> is_lim F p_infty l ->
  is_RInt_gen f (at_point a) (Rbar_locally p_infty) (l - F a).
Proof.
  intros D C L Q HQ.
  assert (M : is_lim (fun b => F b - F a) p_infty (l - F a)) by (apply is_lim_minus'; [exact L | apply is_lim_const]).
  assert (W := M Q HQ). apply Filter_prod with (fun x => x = a) (fun b => Q (F b - F a) /\ a < b).
  - reflexivity.
  - apply filter_and; [exact W | exists a; auto].
  - intros x b -> [HQb Hb]. exists (F b - F a). split; [| exact HQb]. simpl.
    apply (is_RInt_derive F); intros y; rewrite Rmin_left, Rmax_right by lra; intros [Y _]; [apply D | apply C]; exact Y.
Qed.

Lemma integral_from_minus_infinity (f F : R -> R) (a l : R) :
  (forall x, x <= a -> is_derive F x (f x)) -> (forall x, x <= a -> Continuity.continuous f x) -> is_lim F m_infty l ->
  is_RInt_gen f (Rbar_locally m_infty) (at_point a) (F a - l).
Proof.
  intros D C L Q HQ.
  assert (M : is_lim (fun b => F a - F b) m_infty (F a - l)) by (apply is_lim_minus'; [apply is_lim_const | exact L]).
  assert (W := M Q HQ). apply Filter_prod with (fun b => Q (F a - F b) /\ b < a) (fun x => x = a).
  - apply filter_and; [exact W | exists a; auto].
  - reflexivity.
  - intros b x [HQb Hb] ->. exists (F a - F b). split; [| exact HQb]. simpl.
    apply (is_RInt_derive F); intros y; rewrite Rmin_left, Rmax_right by lra; intros [_ Y]; [apply D | apply C]; exact Y.
Qed.

(* A proper piece and an improper one; two halves of the line. *)
Lemma integral_join_to_infinity (f : R -> R) (a b v w : R) :
  is_RInt f a b v -> is_RInt_gen f (at_point b) (Rbar_locally p_infty) w ->
  is_RInt_gen f (at_point a) (Rbar_locally p_infty) (v + w).
Proof. intros V W. apply (is_RInt_gen_Chasles f b v w); [apply is_RInt_gen_at_point, V | exact W]. Qed.

Lemma integral_over_line (f : R -> R) (a v w : R) :
  is_RInt_gen f (Rbar_locally m_infty) (at_point a) v -> is_RInt_gen f (at_point a) (Rbar_locally p_infty) w ->
  is_RInt_gen f (Rbar_locally m_infty) (Rbar_locally p_infty) (v + w).
Proof. intros V W. apply (is_RInt_gen_Chasles f a v w V W). Qed.

(* The integrand may be written otherwise beyond a. *)
Lemma integral_to_infinity_ext (f g : R -> R) (a v : R) :
  (forall x, a < x -> f x = g x) -> is_RInt_gen g (at_point a) (Rbar_locally p_infty) v ->
  is_RInt_gen f (at_point a) (Rbar_locally p_infty) v.
Proof.
  intros E. apply is_RInt_gen_ext.
  apply Filter_prod with (fun x => x = a) (fun b => a < b); [reflexivity | exists a; auto |].
  intros x b -> Hb y. simpl. rewrite Rmin_left, Rmax_right by lra. intros [Y _]. symmetry. apply E, Y.
Qed.

Lemma integral_gen_value (f : R -> R) F G (v w : R) : is_RInt_gen f F G v -> v = w -> is_RInt_gen f F G w.
Proof. intros V <-. exact V. Qed.

Lemma integral_to_infinity_scale (f : R -> R) (a c v : R) :
  is_RInt_gen f (at_point a) (Rbar_locally p_infty) v ->
  is_RInt_gen (fun x => c * f x) (at_point a) (Rbar_locally p_infty) (c * v).
Proof. intros V. apply (is_RInt_gen_scal f c v V). Qed.

(* A polynomial P with P' = A P - u^k, so that -P(u) exp(-A u) is an antiderivative of u^k exp(-A u). *)
Fixpoint moment_polynomial (A : R) (k : nat) (u : R) : R :=
  match k with
  | O => 1 / A
  | S j => u ^ S j / A + INR (S j) / A * moment_polynomial A j u
  end.

Lemma moment_polynomial_derive A k u :
  A <> 0 -> is_derive (moment_polynomial A k) u (A * moment_polynomial A k u - u ^ k).
Proof.
  intros HA. revert u. induction k; intros u.
  - apply is_derive_ext with (fun _ => 1 / A); [reflexivity |]. auto_derive; trivial. simpl. field; auto.
  - apply is_derive_ext with (fun u => u ^ S k / A + INR (S k) / A * moment_polynomial A k u); [reflexivity |].
    assert (X : ex_derive (moment_polynomial A k) u) by (eexists; apply IHk).
    auto_derive; [tauto |].
    match goal with |- context [Derive ?f u] => replace (Derive f u) with (A * moment_polynomial A k u - u ^ k)
      by (symmetry; apply is_derive_unique; apply IHk) end.
    change (moment_polynomial A (S k) u) with (u ^ S k / A + INR (S k) / A * moment_polynomial A k u).
    cbn [Init.Nat.pred pow]. change (match k with O => 1 | S _ => INR k + 1 end) with (INR (S k)). field; auto.
Qed.

Lemma moment_polynomial_limit A k : 0 < A -> is_lim (fun u => moment_polynomial A k u * exp (- A * u)) p_infty 0.
Proof.
  intros HA. induction k.
  - apply is_lim_ext with (fun u => 1 / A * (u ^ 0 * exp (- A * u))); [intros; simpl; ring |].
    replace (Finite 0) with (Rbar_mult (1 / A) 0) by (simpl; f_equal; ring). apply is_lim_scal_l, exp_beats_pow; auto.
  - apply is_lim_ext with
      (fun u => 1 / A * (u ^ S k * exp (- A * u)) + INR (S k) / A * (moment_polynomial A k u * exp (- A * u))).
    { intros u. change (moment_polynomial A (S k) u) with (u ^ S k / A + INR (S k) / A * moment_polynomial A k u).
      field; lra. }
    replace (Finite 0) with (Finite (1 / A * 0 + INR (S k) / A * 0)) by (f_equal; ring).
    apply is_lim_plus'.
    + apply (is_lim_scal_l _ (1 / A) p_infty 0), exp_beats_pow; auto.
    + apply (is_lim_scal_l _ (INR (S k) / A) p_infty 0); auto.
Qed.

Lemma moment_polynomial_0 A k : A <> 0 -> moment_polynomial A k 0 = INR (fact k) / A ^ S k.
Proof.
  intros HA. induction k; [simpl; field; auto |].
  change (moment_polynomial A (S k) 0) with (0 ^ S k / A + INR (S k) / A * moment_polynomial A k 0).
  rewrite IHk, fact_simpl, mult_INR. cbn [pow]. field; repeat split; auto; apply pow_nonzero; auto.
Qed.

(* The integral over w > 0 of w^(2k+1) exp(-A w^2) is k!/(2 A^(k+1)), for every k. *)
Theorem gaussian_moment A k :
  0 < A ->
  is_RInt_gen (fun w => w ^ (2 * k + 1) * exp (- A * w ^ 2)) (at_point 0) (Rbar_locally p_infty)
    (INR (fact k) / (2 * A ^ S k)).
Proof.
  intros HA.
  pose (F := fun w => - moment_polynomial A k (w ^ 2) * exp (- A * w ^ 2) / 2).
  assert (D : forall w, is_derive F w (w ^ (2 * k + 1) * exp (- A * w ^ 2))).
  { intros w. unfold F. assert (X := moment_polynomial_derive A k (w ^ 2)).
    assert (E : ex_derive (moment_polynomial A k) (w ^ 2)) by (eexists; apply X; lra).
    auto_derive; [tauto |]. replace (w * (w * 1)) with (w ^ 2) by ring.
    match goal with |- context [Derive ?f (w ^ 2)] =>
      replace (Derive f (w ^ 2)) with (A * moment_polynomial A k (w ^ 2) - (w ^ 2) ^ k)
        by (symmetry; apply is_derive_unique; apply X; lra) end.
    replace (w ^ (2 * k + 1)) with (w * (w ^ 2) ^ k) by (rewrite <- pow_mult, Nat.add_1_r; reflexivity).
    simpl (w ^ 2). field. }
  assert (L : is_lim F p_infty 0).
  { unfold F. apply is_lim_ext with (fun w => (- 1 / 2) * (moment_polynomial A k (w ^ 2) * exp (- A * w ^ 2)));
      [intros; field |].
    replace (Finite 0) with (Rbar_mult (- 1 / 2) 0) by (simpl; f_equal; ring). apply is_lim_scal_l.
    apply (is_lim_comp (fun u => moment_polynomial A k u * exp (- A * u)) (fun w => w ^ 2) p_infty 0 p_infty);
      [apply moment_polynomial_limit; auto | | exists 0; intros; discriminate].
    apply is_lim_ext with (fun w => w * w); [intros; ring |].
    replace p_infty with (Rbar_mult p_infty p_infty) at 2 by reflexivity.
    apply is_lim_mult; try apply is_lim_id. exact I. }
  apply integral_gen_value with (0 - F 0).
  - apply integral_to_infinity; [intros; apply D | | exact L].
    intros w _. apply (ex_derive_continuous (fun w => w ^ (2 * k + 1) * exp (- A * w ^ 2))). auto_derive; trivial.
  - unfold F. replace (0 ^ 2) with 0 by ring. rewrite moment_polynomial_0, Rmult_0_r, exp_0 by lra.
    assert (A ^ k <> 0) by (apply pow_nonzero; lra). cbn [pow]. field. repeat split; auto; lra.
Qed.

(* exp (-A w^2) beats every power of w, and so does exp (-A w), times any constant. *)
Lemma decaying A k c : 0 < A -> is_lim (fun w => c * (w ^ k * exp (- A * w))) p_infty 0.
Proof.
  intros HA. replace (Finite 0) with (Rbar_mult c 0) by (simpl; f_equal; ring).
  apply is_lim_scal_l, exp_beats_pow, HA.
Qed.

Lemma decaying_square A k c : 0 < A -> is_lim (fun w => c * (w ^ k * exp (- A * w ^ 2))) p_infty 0.
Proof.
  intros HA. replace (Finite 0) with (Rbar_mult c 0) by (simpl; f_equal; ring). apply is_lim_scal_l.
  apply is_lim_le_le_loc with (fun _ => 0) (fun w => w ^ k * exp (- A * w));
    [| apply is_lim_const | apply exp_beats_pow, HA].
  exists 1. intros w W. assert (P : 0 < w ^ k) by (apply pow_lt; lra). split.
  - apply Rmult_le_pos; [lra | left; apply exp_pos].
  - apply Rmult_le_compat_l; [lra |].
    assert (Z : 0 <= A * (w * (w - 1))) by (apply Rmult_le_pos; [lra | apply Rmult_le_pos; lra]).
    assert (Q : - A * w ^ 2 <= - A * w) by (replace (w ^ 2) with (w * w) by ring; lra).
    destruct Q as [Q | ->]; [left; apply exp_increasing, Q | lra].
Qed.

(* A tail on which f is g, and G' = g. *)
Lemma integral_tail (f g G : R -> R) (a l : R) :
  (forall x, a < x -> f x = g x) -> (forall x, a <= x -> is_derive G x (g x)) ->
  (forall x, a <= x -> Continuity.continuous g x) -> is_lim G p_infty l ->
  is_RInt_gen f (at_point a) (Rbar_locally p_infty) (l - G a).
Proof. intros E D C L. apply integral_to_infinity_ext with g; [exact E | apply integral_to_infinity; assumption]. Qed.

Lemma integral_tail_below (f g G : R -> R) (a l : R) :
  (forall x, x < a -> f x = g x) -> (forall x, x <= a -> is_derive G x (g x)) ->
  (forall x, x <= a -> Continuity.continuous g x) -> is_lim (fun x => G (- x)) p_infty l ->
  is_RInt_gen f (Rbar_locally m_infty) (at_point a) (G a - l).
Proof.
  intros E D C L. apply is_RInt_gen_ext with g.
  - apply Filter_prod with (fun b => b < a) (fun x => x = a); [exists a; auto | reflexivity |].
    intros b x Hb -> y. simpl. rewrite Rmin_left, Rmax_right by lra. intros [_ Y]. symmetry. apply E, Y.
  - apply integral_from_minus_infinity; [exact D | exact C |].
    apply is_lim_ext with (fun x => G (- - x)); [intros; f_equal; ring |].
    apply (is_lim_comp (fun x => G (- x)) Ropp m_infty l p_infty L).
    + apply (is_lim_opp (fun x => x) m_infty m_infty (is_lim_id _)).
    + exists 0. intros; discriminate.
Qed.

Lemma integral_join_below (f : R -> R) (a b v w : R) :
  is_RInt_gen f (Rbar_locally m_infty) (at_point a) v -> is_RInt f a b w ->
  is_RInt_gen f (Rbar_locally m_infty) (at_point b) (v + w).
Proof. intros V W. apply (is_RInt_gen_Chasles f a v w); [exact V | apply is_RInt_gen_at_point, W]. Qed.

Lemma integral_line_unique (f : R -> R) (v w : R) :
  is_RInt_gen f (Rbar_locally m_infty) (Rbar_locally p_infty) v ->
  is_RInt_gen f (Rbar_locally m_infty) (Rbar_locally p_infty) w -> v = w.
Proof.
  intros V W. rewrite <- (is_RInt_gen_unique (V := R_CompleteNormedModule) f v V).
  exact (is_RInt_gen_unique (V := R_CompleteNormedModule) f w W).
Qed.

Lemma integral_to_infinity_unique (f : R -> R) (a v w : R) :
  is_RInt_gen f (at_point a) (Rbar_locally p_infty) v ->
  is_RInt_gen f (at_point a) (Rbar_locally p_infty) w -> v = w.
Proof.
  intros V W. rewrite <- (is_RInt_gen_unique (V := R_CompleteNormedModule) f v V).
  exact (is_RInt_gen_unique (V := R_CompleteNormedModule) f w W).
Qed.

Lemma integral_from_minus_infinity_unique (f : R -> R) (a v w : R) :
  is_RInt_gen f (Rbar_locally m_infty) (at_point a) v ->
  is_RInt_gen f (Rbar_locally m_infty) (at_point a) w -> v = w.
Proof.
  intros V W. rewrite <- (is_RInt_gen_unique (V := R_CompleteNormedModule) f v V).
  exact (is_RInt_gen_unique (V := R_CompleteNormedModule) f w W).
Qed.

(* The hypotheses of one piece, and of a tail: order of the ends, equality inside, derivative, continuity. *)
Ltac piece G g :=
  apply (integral_piece _ (fun x => g x) (fun x => G x)); cbv beta;
  [nonneg | intros; equal | derivative | continuous].

Ltac tail F := apply (integral_to_infinity _ (fun x => F x)); cbv beta; [derivative | continuous | ].

(* A limit of what decays, and of constants, added up. *)
Ltac decays :=
  cbv beta;
  lazymatch goal with
  | |- is_lim (fun w => _ + _) p_infty _ => apply is_lim_plus'; [decays | decays]
  | |- is_lim (fun w => _ * (w ^ _ * exp (- _ * w ^ 2))) p_infty _ => apply decaying_square; pos
  | |- is_lim (fun w => _ * (w ^ _ * exp (- _ * w))) p_infty _ => apply decaying; pos
  | |- _ => apply is_lim_const
  end.

(* Of three exponentials whose exponents add up one is the product of the others. *)
Ltac join_exps :=
  repeat match goal with
  | |- context [exp ?a] => match goal with |- context [exp ?b] => match goal with |- context [exp ?c] =>
      tryif first [constr_eq a b | constr_eq a c | constr_eq b c] then fail else
        replace (exp c) with (exp a * exp b) by (rewrite <- exp_plus; apply f_equal; field; side) end end
  end.

Ltac in_order := first [timeout 10 nonneg | open; name_quotients; nra].

(* Equal on a piece: quotients at its ends as variables, cases, then exponentials and roots as variables. *)
Ltac agree_here :=
  first [linear_end | solve [same_arguments exp; join_exps; name_roots; name_exps; polynomial_end] | exfalso; nra].
Ltac name_ends :=
  repeat match goal with
    | H : context [?y / ?x] |- _ =>
        lazymatch constr:((y, x)) with
        | (IZR _, IZR _) => fail
        | _ =>
            let E := fresh in
            assert (E : y = y / x * x) by (field; solve [nonzero_by leaf_with_products]);
            let q := fresh "q" in set (q := y / x) in *; clearbody q
        end
    end.
Ltac agree :=
  open; pose proof PI_RGT_0;
  first [timeout 5 (solve [field; side]) | timeout 60 (solve [name_ends; cases_with_products; agree_here]) | equal].

Ltac slope := open; pose proof PI_RGT_0; auto_derive; [defined | first [timeout 5 (solve [field; side]) | agree]].

(* The value at the ends: known arguments first. *)
Ltac plain_arguments f := repeat match goal with |- context [f ?a] => progress ring_simplify a end.
Ltac odd_atans :=
  repeat match goal with
    | |- context [atan (-1 / ?y)] => replace (-1 / y) with (- (1 / y)) by (unfold Rdiv; ring)
    | |- context [atan (- ?x / ?y)] => replace (- x / y) with (- (x / y)) by (unfold Rdiv; ring)
    end;
  rewrite ?atan_opp.
Ltac ends :=
  cbv beta; odd_atans; plain_arguments sin; plain_arguments cos; known_values; rewrite ?sin_neg, ?cos_neg;
  first [timeout 5 (solve [field; side]) | timeout 10 (solve [name_roots; name_exps; polynomial_end]) | equal].
