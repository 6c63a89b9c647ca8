(* Functions of one real variable by their slopes: the total turn (the total variation of the slope, that is the integral of
   |f''| as a measure), the slopes at both ends, and functions that are linear between knots.

   A point is a pair (x, y). Lists of points are written first :: rest, so that none is empty. *)
From Coq Require Import Reals Lra Psatz List Classical.
From Coquelicot Require Import Coquelicot.
From ImplicitBias Require Import Quantities Units Lists Duality.
Import ListNotations.
Open Scope R_scope.

(* The slope of the line through two points. *)
Definition slope (P Q : R * R) : R := (snd Q - snd P) / (fst Q - fst P).

(* The slopes between neighbouring points of P :: ps. *)
Fixpoint slopes (P : R * R) (ps : list (R * R)) : list R :=
  match ps with
  | [] => []
  | Q :: rest => slope P Q :: slopes Q rest
  end.

(* |l_2 - l_1| + |l_3 - l_2| + ... over l :: ls. *)
Fixpoint turn (l : R) (ls : list R) : R :=
  match ls with
  | [] => 0
  | m :: rest => Rabs (m - l) + turn m rest
  end.

(* The same for a list that may be empty. *)
Definition turn_of (ls : list R) : R :=
  match ls with
  | [] => 0
  | l :: rest => turn l rest
  end.

(* x < the first of xs < the second < ... *)
Fixpoint increasing (x : R) (xs : list R) : Prop :=
  match xs with
  | [] => True
  | y :: rest => x < y /\ increasing y rest
  end.

(* The points of the graph of f over xs. *)
Fixpoint graph (f : R -> R) (xs : list R) : list (R * R) :=
  match xs with
  | [] => []
  | x :: rest => (x, f x) :: graph f rest
  end.

(* What f turns between the points of a list. *)
Definition turn_at (f : R -> R) (x : R) (xs : list R) : R := turn_of (slopes (x, f x) (graph f xs)).

(* The total turn of f, that is the total variation of its slope: the supremum over all increasing lists of points. For
   an f whose f'' is a finite measure this is the integral of |f''|; else there is no such number. *)
Definition is_variation (f : R -> R) (T : R) : Prop :=
  is_sup (fun xs : R * list R => increasing (fst xs) (snd xs)) (fun xs => turn_at f (fst xs) (snd xs)) T.

(* f'(-oo) and f'(+oo). *)
Definition is_left_slope (f : R -> R) (l : R) : Prop := is_lim (fun x => f x / x) m_infty l.
Definition is_right_slope (f : R -> R) (r : R) : Prop := is_lim (fun x => f x / x) p_infty r.

(* f goes through the points. *)
Definition passes (f : R -> R) (ps : list (R * R)) : Prop := forall x y, In (x, y) ps -> f x = y.

(* Lists. *)

Lemma turn_nonneg ls : forall l, 0 <= turn l ls.
Proof.
  induction ls as [| m rest IH]; intros l; simpl; [lra |].
  pose proof (Rabs_pos (m - l)). specialize (IH m). lra.
Qed.

Lemma turn_of_nonneg ls : 0 <= turn_of ls.
Proof. destruct ls; simpl; [lra | apply turn_nonneg]. Qed.

Lemma turn_last ls : forall l r, turn l (ls ++ [r]) = turn l ls + Rabs (r - last ls l).
Proof.
  induction ls as [| m rest IH]; intros l r; [simpl; lra |].
  change (turn l ((m :: rest) ++ [r])) with (Rabs (m - l) + turn m (rest ++ [r])).
  change (turn l (m :: rest)) with (Rabs (m - l) + turn m rest). rewrite IH, last_of_cons. lra.
Qed.

Lemma slopes_append ps : forall P Q, slopes P (ps ++ [Q]) = slopes P ps ++ [slope (last ps P) Q].
Proof.
  induction ps as [| P' rest IH]; intros P Q; [reflexivity |].
  change (slope P P' :: slopes P' (rest ++ [Q]) = slope P P' :: (slopes P' rest ++ [slope (last (P' :: rest) P) Q])).
  rewrite IH, last_of_cons. reflexivity.
Qed.

Lemma graph_app f xs ys : graph f (xs ++ ys) = graph f xs ++ graph f ys.
Proof. induction xs as [| x rest IH]; [reflexivity |]. cbn [app graph]. rewrite IH. reflexivity. Qed.

(* What the ends of the list of slopes add is as near as they are. *)
Lemma turn_ends ls l l' r r' : turn l (ls ++ [r]) <= turn l' (ls ++ [r']) + Rabs (l - l') + Rabs (r - r').
Proof.
  assert (H : Rabs (l - l') = Rabs (l' - l)) by apply Rabs_minus_sym. rewrite !turn_last.
  destruct ls as [| m rest].
  - simpl. pose proof (Rabs_triang (r' - l') ((r - r') + (l' - l))) as A.
    pose proof (Rabs_triang (r - r') (l' - l)) as B.
    replace (r' - l' + (r - r' + (l' - l))) with (r - l) in A by ring. lra.
  - rewrite !last_of_cons. cbn [turn].
    pose proof (Rabs_triang (m - l') (l' - l)) as A. replace (m - l' + (l' - l)) with (m - l) in A by ring.
    pose proof (Rabs_triang (r' - last rest m) (r - r')) as B.
    replace (r' - last rest m + (r - r')) with (r - last rest m) in B by ring. lra.
Qed.

Lemma increasing_append xs : forall x y, increasing x xs -> last xs x < y -> increasing x (xs ++ [y]).
Proof.
  induction xs as [| z rest IH]; intros x y; [simpl; auto |]. rewrite last_of_cons.
  intros [L I] H. split; [exact L | apply IH; assumption].
Qed.

Lemma increasing_least xs : forall x, increasing x xs -> forall y, In y xs -> x < y.
Proof.
  induction xs as [| z rest IH]; intros x; simpl; [contradiction |].
  intros [L I] y [<- | J]; [exact L | apply Rlt_trans with z; [exact L | apply IH; assumption]].
Qed.

(* Limits at the ends, as numbers. *)

Lemma is_lim_at_infinity_near f (l e : R) :
  is_lim f p_infty l -> 0 < e -> exists X, forall x, X < x -> Rabs (f x - l) < e.
Proof. intros L E. apply is_lim_spec in L. exact (L (mkposreal e E)). Qed.

Lemma is_lim_at_minus_infinity_near f (l e : R) :
  is_lim f m_infty l -> 0 < e -> exists X, forall x, x < X -> Rabs (f x - l) < e.
Proof. intros L E. apply is_lim_spec in L. exact (L (mkposreal e E)). Qed.

(* (f x - v) / (x - a) has the limit of f x / x. *)
Lemma chord_right f r a v : is_right_slope f r -> is_lim (fun x => (f x - v) / (x - a)) p_infty r.
Proof.
  intros L.
  assert (I : forall c : R, is_lim (fun x => c * / x) p_infty 0).
  { intros c. replace (Finite 0) with (Rbar_mult c 0) by (simpl; f_equal; ring). apply is_lim_scal_l.
    apply (is_lim_inv (fun x => x) p_infty p_infty (is_lim_id _)). discriminate. }
  apply (is_lim_ext_loc (fun x => (f x / x - v * / x) / (1 - a * / x))).
  - exists (Rmax 0 a). intros x X. pose proof (Rmax_l 0 a). pose proof (Rmax_r 0 a). field. split; lra.
  - replace (Finite r) with (Rbar_div (Finite (r - 0)) (Finite (1 - 0))).
    + apply is_lim_div; [apply is_lim_minus'; [exact L | apply I] | apply is_lim_minus'; [apply is_lim_const | apply I] |
      |].
      * simpl. intros E. injection E. lra.
      * simpl. exact Logic.I.
    + simpl. f_equal. field.
Qed.

Lemma flipped_limit f (l : R) : is_lim f m_infty l -> is_lim (fun x => f (- x)) p_infty l.
Proof.
  intros L. apply (is_lim_comp f (fun x => - x) p_infty l m_infty L); [| exists 0; intros; discriminate].
  apply (is_lim_opp (fun x => x) p_infty p_infty), is_lim_id.
Qed.

Lemma flipped_limit_back f (l : R) : is_lim f p_infty l -> is_lim (fun x => f (- x)) m_infty l.
Proof.
  intros L. apply (is_lim_comp f (fun x => - x) m_infty l p_infty L); [| exists 0; intros; discriminate].
  apply (is_lim_opp (fun x => x) m_infty m_infty), is_lim_id.
Qed.

Lemma chord_left f l a v : is_left_slope f l -> is_lim (fun x => (f x - v) / (x - a)) m_infty l.
Proof.
  intros L. assert (F := flipped_limit _ _ L).
  assert (C : is_right_slope (fun x => - f (- x)) l).
  { unfold is_right_slope. revert F. apply is_lim_ext_loc. exists 0. intros x X. field. lra. }
  apply (is_lim_ext_loc (fun x => (- f (- - x) - - v) / (- x - - a))).
  - exists (Rmin 0 a). intros x X. pose proof (Rmin_l 0 a). pose proof (Rmin_r 0 a). rewrite Ropp_involutive. field. lra.
  - apply (flipped_limit_back (fun x => (- f (- x) - - v) / (x - - a))). apply (chord_right _ l (- a) (- v) C).
Qed.

(* The total turn counts the slopes at both ends. *)
Theorem turn_with_ends f T l r x xs :
  is_variation f T -> is_left_slope f l -> is_right_slope f r -> increasing x xs ->
  turn l (slopes (x, f x) (graph f xs) ++ [r]) <= T.
Proof.
  intros [B _] L Rr I. set (ls := slopes (x, f x) (graph f xs)). apply le_epsilon. intros e E.
  set (z := last xs x).
  destruct (is_lim_at_minus_infinity_near _ l (e / 2) (chord_left f l x (f x) L)) as [M HM]; [lra |].
  destruct (is_lim_at_infinity_near _ r (e / 2) (chord_right f r z (f z) Rr)) as [N HN]; [lra |].
  set (lo := Rmin M x - 1). set (hi := Rmax N z + 1).
  assert (Lo : lo < M /\ lo < x) by (unfold lo; pose proof (Rmin_l M x); pose proof (Rmin_r M x); lra).
  assert (Hi : N < hi /\ z < hi) by (unfold hi; pose proof (Rmax_l N z); pose proof (Rmax_r N z); lra).
  specialize (HM lo (proj1 Lo)). specialize (HN hi (proj1 Hi)).
  assert (J : increasing lo (x :: xs ++ [hi])).
  { split; [tauto | apply increasing_append; [exact I | exact (proj2 Hi)]]. }
  specialize (B (lo, x :: xs ++ [hi]) J). unfold turn_at in B. cbn [fst snd graph slopes turn_of] in B.
  rewrite graph_app in B. cbn [graph] in B. rewrite slopes_append in B.
  assert (Z : last (graph f xs) (x, f x) = (z, f z)).
  { unfold z. clear. revert x. induction xs as [| y rest IH]; intros x; [reflexivity |].
    cbn [graph]. rewrite !last_of_cons. apply IH. }
  rewrite Z in B. fold ls in B.
  eapply Rle_trans; [apply (turn_ends ls l (slope (lo, f lo) (x, f x)) r (slope (z, f z) (hi, f hi))) |].
  unfold slope. cbn [fst snd].
  replace (Rabs (l - (f x - f lo) / (x - lo))) with (Rabs ((f lo - f x) / (lo - x) - l)).
  2: { rewrite Rabs_minus_sym. f_equal. field. lra. }
  rewrite (Rabs_minus_sym r). unfold slope in B. cbn [fst snd] in B. lra.
Qed.

(* Sums of functions turn at most as much as their terms together; what is linear does not turn. *)

Lemma slope_plus f g x y :
  slope (x, f x + g x) (y, f y + g y) = slope (x, f x) (y, f y) + slope (x, g x) (y, g y).
Proof. unfold slope. cbn [fst snd]. unfold Rdiv. ring. Qed.

Lemma slope_scale c f x y : slope (x, c * f x) (y, c * f y) = c * slope (x, f x) (y, f y).
Proof. unfold slope. cbn [fst snd]. unfold Rdiv. ring. Qed.

Lemma turn_plus f g xs : forall x l m,
  turn (l + m) (slopes (x, f x + g x) (graph (fun x => f x + g x) xs))
  <= turn l (slopes (x, f x) (graph f xs)) + turn m (slopes (x, g x) (graph g xs)).
Proof.
  induction xs as [| y rest IH]; intros x l m; [simpl; lra |].
  cbn [graph slopes turn]. rewrite slope_plus.
  set (a := slope (x, f x) (y, f y)). set (b := slope (x, g x) (y, g y)).
  specialize (IH y a b). pose proof (Rabs_triang (a - l) (b - m)) as A.
  replace (a - l + (b - m)) with (a + b - (l + m)) in A by ring. lra.
Qed.

Lemma turn_at_plus f g x xs : turn_at (fun x => f x + g x) x xs <= turn_at f x xs + turn_at g x xs.
Proof.
  unfold turn_at. destruct xs as [| y rest]; [simpl; lra |].
  cbn [graph slopes turn_of]. rewrite slope_plus. apply turn_plus.
Qed.

Lemma turn_scale c f xs : forall x l,
  turn (c * l) (slopes (x, c * f x) (graph (fun x => c * f x) xs))
  = Rabs c * turn l (slopes (x, f x) (graph f xs)).
Proof.
  induction xs as [| y rest IH]; intros x l; [simpl; ring |].
  cbn [graph slopes turn]. rewrite slope_scale.
  rewrite IH. rewrite <- Rmult_minus_distr_l, Rabs_mult. ring.
Qed.

Lemma turn_at_scale c f x xs : turn_at (fun x => c * f x) x xs = Rabs c * turn_at f x xs.
Proof.
  unfold turn_at. destruct xs as [| y rest]; [simpl; ring |].
  cbn [graph slopes turn_of]. rewrite slope_scale. apply turn_scale.
Qed.

Lemma turn_at_ext f g x xs : (forall x, f x = g x) -> turn_at f x xs = turn_at g x xs.
Proof.
  intros E. unfold turn_at. rewrite E. do 2 f_equal. induction xs as [| y rest IH]; [reflexivity |]. cbn [graph]. rewrite
    E, IH. reflexivity.
Qed.

Lemma turn_linear a c xs : forall x, increasing x xs ->
  turn a (slopes (x, a * x + c) (graph (fun x => a * x + c) xs)) = 0.
Proof.
  induction xs as [| y rest IH]; intros x; [reflexivity |]. intros [L I].
  cbn [graph slopes turn].
  assert (E : slope (x, a * x + c) (y, a * y + c) = a) by (unfold slope; cbn [fst snd]; field; lra).
  rewrite E. rewrite (IH y I), Rminus_eq_0, Rabs_R0. lra.
Qed.

Lemma turn_at_linear a c x xs : increasing x xs -> turn_at (fun x => a * x + c) x xs = 0.
Proof.
  destruct xs as [| y rest]; [reflexivity |]. intros [L I]. unfold turn_at. cbn [graph slopes turn_of].

  assert (E : slope (x, a * x + c) (y, a * y + c) = a) by (unfold slope; cbn [fst snd]; field; lra).
  rewrite E. apply turn_linear, I.
Qed.

(* A unit max(0, w x + b): its slope grows from Rmin 0 w to Rmax 0 w. *)

Lemma unit_slope w b x y :
  x < y -> Rmin 0 w <= slope (x, Rmax 0 (w * x + b)) (y, Rmax 0 (w * y + b)) <= Rmax 0 w.
Proof.
  intros L. unfold slope. cbn [fst snd]. set (d := y - x). assert (D : 0 < d) by (unfold d; lra).
  assert (E : w * y + b = (w * x + b) + w * d) by (unfold d; ring). rewrite E. set (u := w * x + b).
  assert (Q : forall q v, v * d = q -> q / d = v) by (intros q v <-; field; lra).
  split.
  - apply Rmult_le_reg_r with d; [exact D |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    unfold Rmin, Rmax. destruct (Rle_dec 0 w), (Rle_dec 0 u), (Rle_dec 0 (u + w * d)); nra.
  - apply Rmult_le_reg_r with d; [exact D |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    unfold Rmin, Rmax. destruct (Rle_dec 0 w), (Rle_dec 0 u), (Rle_dec 0 (u + w * d)); nra.
Qed.

Lemma unit_slope_grows w b x y z :
  x < y -> y < z ->
  slope (x, Rmax 0 (w * x + b)) (y, Rmax 0 (w * y + b)) <= slope (y, Rmax 0 (w * y + b)) (z, Rmax 0 (w * z + b)).
Proof.
  intros L M. set (t := (y - x) / (z - x)).
  assert (T : 0 <= t <= 1).
  { unfold t. split; [apply Rdiv_le_0_compat; lra |]. apply Rmult_le_reg_r with (z - x); [lra |].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (C := rectifier_convex (w * x + b) (w * z + b) t T).
  replace ((1 - t) * (w * x + b) + t * (w * z + b)) with (w * y + b) in C by (unfold t; field; lra).
  set (X := Rmax 0 (w * x + b)) in *. set (Y := Rmax 0 (w * y + b)) in *. set (Z := Rmax 0 (w * z + b)) in *.
  assert (C' : Y * (z - x) <= (z - y) * X + (y - x) * Z).
  { apply Rle_trans with (((1 - t) * X + t * Z) * (z - x)); [apply Rmult_le_compat_r; lra |].
    right. unfold t. field. lra. }
  unfold slope. cbn [fst snd]. apply Rmult_le_reg_r with ((y - x) * (z - y)); [apply Rmult_lt_0_compat; lra |].
  replace ((Y - X) / (y - x) * ((y - x) * (z - y))) with ((Y - X) * (z - y)) by (field; lra).
  replace ((Z - Y) / (z - y) * ((y - x) * (z - y))) with ((Z - Y) * (y - x)) by (field; lra). lra.
Qed.

Lemma unit_turn w b xs : forall x y, x < y -> increasing y xs ->
  turn (slope (x, Rmax 0 (w * x + b)) (y, Rmax 0 (w * y + b)))
    (slopes (y, Rmax 0 (w * y + b)) (graph (fun x => Rmax 0 (w * x + b)) xs))
  <= Rmax 0 w - slope (x, Rmax 0 (w * x + b)) (y, Rmax 0 (w * y + b)).
Proof.
  induction xs as [| z rest IH]; intros x y L I; [simpl; pose proof (unit_slope w b x y L); lra |].
  destruct I as [M I]. cbn [graph slopes turn]. specialize (IH y z M I). pose proof (unit_slope_grows w b x y z L M).
  rewrite Rabs_right by lra. lra.
Qed.

Lemma turn_at_unit w b x xs : increasing x xs -> turn_at (fun x => Rmax 0 (w * x + b)) x xs <= Rabs w.
Proof.
  destruct xs as [| y rest]; [intros _; apply Rabs_pos |]. intros [L I]. unfold turn_at. cbn [graph slopes turn_of].
  pose proof (unit_turn w b rest x y L I). pose proof (unit_slope w b x y L).
  assert (E : Rmax 0 w - Rmin 0 w = Rabs w).
  { unfold Rmax, Rmin, Rabs. destruct (Rle_dec 0 w), (Rcase_abs w); lra. }
  lra.
Qed.

(* The total turn exists where what f turns is bounded. *)
Theorem variation_exists f C :
  (forall x xs, increasing x xs -> turn_at f x xs <= C) -> exists T, is_variation f T /\ T <= C.
Proof.
  intros H.
  set (E := fun v => exists xs : R * list R, increasing (fst xs) (snd xs) /\ turn_at f (fst xs) (snd xs) = v).
  destruct (completeness E) as [T [U L]].
  - exists C. intros v [[x xs] [I <-]]. apply H, I.
  - exists 0, (0, []). split; [exact Logic.I | reflexivity].
  - exists T. split; [split |].
    + intros xs I. apply U. exists xs. auto.
    + intros e P. apply NNPP. intros N. assert (T <= T - e); [| lra]. apply L. intros v [xs [I <-]].
      apply Rnot_lt_le. intros Q. apply N. exists xs. auto.
    + apply L. intros v [[x xs] [I <-]]. apply H, I.
Qed.

Lemma is_variation_ext f g T : (forall x, f x = g x) -> is_variation f T -> is_variation g T.
Proof.
  intros E [U L]. split.
  - intros xs I. rewrite <- (turn_at_ext f g _ _ E). apply U, I.
  - intros e P. destruct (L e P) as [xs [I Q]]. exists xs. rewrite <- (turn_at_ext f g _ _ E). auto.
Qed.

Lemma is_variation_unique f T S : is_variation f T -> is_variation f S -> T = S.
Proof. apply is_sup_unique. Qed.

Lemma is_left_slope_ext f g l : (forall x, f x = g x) -> is_left_slope f l -> is_left_slope g l.
Proof. intros E. apply is_lim_ext. intros x. rewrite E. reflexivity. Qed.

Lemma is_right_slope_ext f g l : (forall x, f x = g x) -> is_right_slope f l -> is_right_slope g l.
Proof. intros E. apply is_lim_ext. intros x. rewrite E. reflexivity. Qed.

Lemma is_left_slope_unique f l m : is_left_slope f l -> is_left_slope f m -> l = m.
Proof. intros A B. apply is_lim_unique in A. apply is_lim_unique in B. congruence. Qed.

Lemma is_right_slope_unique f l m : is_right_slope f l -> is_right_slope f m -> l = m.
Proof. intros A B. apply is_lim_unique in A. apply is_lim_unique in B. congruence. Qed.

(* Linear beyond some point: its slope there. *)

Lemma linear_to_the_right f a c X : (forall x, X <= x -> f x = a * x + c) -> is_right_slope f a.
Proof.
  intros H. apply (is_lim_ext_loc (fun x => a + c * / x)).
  - exists (Rmax 0 X). intros x L. pose proof (Rmax_l 0 X). pose proof (Rmax_r 0 X). rewrite H by lra. field. lra.
  - replace (Finite a) with (Finite (a + 0)) by (f_equal; ring).
    apply is_lim_plus'; [apply is_lim_const |].
    replace (Finite 0) with (Rbar_mult c 0) by (simpl; f_equal; ring). apply is_lim_scal_l.
    apply (is_lim_inv (fun x => x) p_infty p_infty (is_lim_id _)). discriminate.
Qed.

Lemma linear_to_the_left f a c X : (forall x, x <= X -> f x = a * x + c) -> is_left_slope f a.
Proof.
  intros H. apply (is_lim_ext_loc (fun x => a + c * / x)).
  - exists (Rmin 0 X). intros x L. pose proof (Rmin_l 0 X). pose proof (Rmin_r 0 X). rewrite H by lra. field. lra.
  - replace (Finite a) with (Finite (a + 0)) by (f_equal; ring).
    apply is_lim_plus'; [apply is_lim_const |].
    replace (Finite 0) with (Rbar_mult c 0) by (simpl; f_equal; ring). apply is_lim_scal_l.
    apply (is_lim_inv (fun x => x) m_infty m_infty (is_lim_id _)). discriminate.
Qed.
