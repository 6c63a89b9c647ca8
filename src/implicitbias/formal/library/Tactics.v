(* One tactic for each kind of goal that generated proofs leave:
     pos      0 < e          nonneg   0 <= e, a <= b, a < b          nonzero   e <> 0
     defined  conjunctions of these, True, x = x (what must hold for a formula to mean something)
     equal    e = e'         with absolute values, maxima, minima, signs, roots, exp, ln, sin, cos, atan, quotients
   Hypotheses about the variables are used; primitives are unfolded. Each ends by solving its goal or by failing, and
   every way that is tried is limited in time (of the clock: generously, as the machine may be busy). *)
From Coq Require Import Reals Lra Psatz Nsatz.
From Coquelicot Require Import Coquelicot.
From ImplicitBias Require Export Cases.
Open Scope R_scope.

Lemma pow_even_pos x n : x <> 0 -> 0 < x ^ (2 * n).
Proof. intros H. rewrite pow_mult. apply pow_lt. rewrite <- Rsqr_pow2. apply Rsqr_pos_lt, H. Qed.

Lemma pow_even_nonneg x n : 0 <= x ^ (2 * n).
Proof. rewrite pow_mult. apply pow_le, pow2_ge_0. Qed.

Lemma square_nonneg x : 0 <= x * x.
Proof. apply Rle_0_sqr. Qed.

Lemma quotient_nonneg x y : 0 <= x -> 0 < y -> 0 <= x / y.
Proof. intros X Y. apply Rmult_le_pos; [exact X | left; apply Rinv_0_lt_compat, Y]. Qed.

Lemma quotient_nonpos x y : 0 <= x -> y < 0 -> x / y <= 0.
Proof. intros X Y. apply Ropp_le_cancel. rewrite Ropp_0, <- Rdiv_opp_r. apply quotient_nonneg; lra. Qed.

Lemma quotient_nonpos_below x y : x <= 0 -> 0 < y -> x / y <= 0.
Proof. intros X Y. assert (0 <= - x / y) by (apply quotient_nonneg; lra). replace (x / y) with (- (- x / y)) by (field; lra). lra. Qed.

Lemma quotient_of_nonpos x y : x <= 0 -> y < 0 -> 0 <= x / y.
Proof. intros X Y. replace (x / y) with (- x / - y) by (field; lra). apply quotient_nonneg; lra. Qed.

Lemma max_pos_l x y : 0 < x -> 0 < Rmax x y.
Proof. intros H. apply Rlt_le_trans with x; [exact H | apply Rmax_l]. Qed.

Lemma max_pos_r x y : 0 < y -> 0 < Rmax x y.
Proof. intros H. apply Rlt_le_trans with y; [exact H | apply Rmax_r]. Qed.

Lemma max_nonneg_l x y : 0 <= x -> 0 <= Rmax x y.
Proof. intros H. apply Rle_trans with x; [exact H | apply Rmax_l]. Qed.

Lemma max_nonneg_r x y : 0 <= y -> 0 <= Rmax x y.
Proof. intros H. apply Rle_trans with y; [exact H | apply Rmax_r]. Qed.

Lemma equal_squares x y : 0 <= x -> 0 <= y -> x * x = y * y -> x = y.
Proof. intros X Y H. apply Rsqr_inj; assumption. Qed.

Lemma exp_ge_1_plus x : 1 + x <= exp x.
Proof. destruct (Req_dec x 0) as [-> | H]; [rewrite exp_0; lra |]. left. apply exp_ineq1, H. Qed.

Lemma ln_le_minus_1 x : 0 < x -> ln x <= x - 1.
Proof. intros H. pose proof (exp_ge_1_plus (ln x)) as E. rewrite exp_ln in E by exact H. lra. Qed.

Lemma ln_nonneg x : 1 <= x -> 0 <= ln x.
Proof. intros H. rewrite <- ln_1. apply ln_le; lra. Qed.

Lemma ln_pos x : 1 < x -> 0 < ln x.
Proof. intros H. rewrite <- ln_1. apply ln_increasing; lra. Qed.

Lemma le_by_gap a b g : b - a = g -> 0 <= g -> a <= b.
Proof. intros E N. lra. Qed.

Lemma square_of x : 0 < x -> exists r, 0 < r /\ x = r * r.
Proof. intros H. exists (sqrt x). split; [apply sqrt_lt_R0, H | symmetry; apply sqrt_sqrt; lra]. Qed.

Lemma square_of_negative x : x < 0 -> exists r, 0 < r /\ x = - (r * r).
Proof. intros H. destruct (square_of (- x)) as [r [P E]]; [lra |]. exists r. split; [exact P | lra]. Qed.

Lemma square_of_nonnegative x : 0 <= x -> exists r, 0 <= r /\ x = r * r.
Proof. intros H. exists (sqrt x). split; [apply sqrt_pos | symmetry; apply sqrt_sqrt, H]. Qed.

Lemma root_of_square x : 0 <= x -> sqrt (x ^ 2) = x.
Proof. intros X. apply sqrt_pow2, X. Qed.

Lemma below_quotient x y t : 0 < x -> t < y / x -> t * x < y.
Proof. intros P H. replace y with (y / x * x) by (field; lra). apply Rmult_lt_compat_r; assumption. Qed.

Lemma above_quotient x y t : 0 < x -> y / x < t -> y < t * x.
Proof. intros P H. replace y with (y / x * x) by (field; lra). apply Rmult_lt_compat_r; assumption. Qed.

Lemma at_most_quotient x y t : 0 < x -> t <= y / x -> t * x <= y.
Proof. intros P H. replace y with (y / x * x) by (field; lra). apply Rmult_le_compat_r; lra. Qed.

Lemma at_least_quotient x y t : 0 < x -> y / x <= t -> y <= t * x.
Proof. intros P H. replace y with (y / x * x) by (field; lra). apply Rmult_le_compat_r; lra. Qed.

Lemma at_most_quotient_neg x y t : x < 0 -> t <= y / x -> y <= t * x.
Proof. intros N H. replace y with (y / x * x) by (field; lra). apply Rmult_le_compat_neg_l with (r := x) in H; lra. Qed.

Lemma at_least_quotient_neg x y t : x < 0 -> y / x <= t -> t * x <= y.
Proof. intros N H. replace y with (y / x * x) by (field; lra). apply Rmult_le_compat_neg_l with (r := x) in H; lra. Qed.

(* By the structure of the expression; leaves by linear arithmetic or, with_products, by products of hypotheses. *)
Ltac leaf := first [assumption | lra].
Ltac leaf_with_products := first [assumption | lra | timeout 3 nra].

Ltac pos_by leaf :=
  lazymatch goal with
  | |- ?x > 0 => change (0 < x); pos_by leaf
  | |- 0 < _ * _ =>
      first [ apply Rmult_lt_0_compat; pos_by leaf
            | rewrite <- Rmult_opp_opp; apply Rmult_lt_0_compat; solve [leaf] | solve [leaf] ]
  | |- 0 < _ / _ =>
      first [ apply Rdiv_lt_0_compat; pos_by leaf
            | unfold Rdiv; rewrite <- Rmult_opp_opp; apply Rmult_lt_0_compat; [solve [leaf]
              | apply Ropp_0_gt_lt_contravar; apply Rinv_lt_0_compat; solve [leaf] ] | solve [leaf] ]
  | |- 0 < / _ => apply Rinv_0_lt_compat; pos_by leaf
  | |- 0 < ?x ^ ?n =>
      first [ apply pow_lt; pos_by leaf
            | let h := eval compute in (Nat.div2 n) in change (0 < x ^ (2 * h)); apply pow_even_pos; nonzero_by leaf
            | solve [leaf] ]
  | |- 0 < exp _ => apply exp_pos
  | |- 0 < Rpower _ _ => apply exp_pos
  | |- 0 < cosh _ => unfold cosh; apply Rdiv_lt_0_compat; [apply Rplus_lt_0_compat; apply exp_pos | lra]
  | |- 0 < sqrt _ => apply sqrt_lt_R0; pos_by leaf
  | |- 0 < ln _ => apply ln_pos; solve [leaf]
  | |- 0 < Rabs _ => apply Rabs_pos_lt; nonzero_by leaf
  | |- 0 < PI => apply PI_RGT_0
  | |- 0 < INR (S _) => apply lt_0_INR, Nat.lt_0_succ
  | |- 0 < INR _ => apply lt_0_INR; lia
  | |- 0 < Rmax _ _ => first [apply max_pos_l; pos_by leaf | apply max_pos_r; pos_by leaf]
  | |- 0 < Rmin _ _ => apply Rmin_pos; pos_by leaf
  | |- 0 < - _ => solve [leaf]
  | |- 0 < _ + _ =>
      first [ solve [leaf]
            | apply Rplus_lt_le_0_compat; [pos_by leaf | nonneg_by leaf]
            | apply Rplus_le_lt_0_compat; [nonneg_by leaf | pos_by leaf] ]
  | |- 0 < _ => solve [leaf]
  end
with nonneg_by leaf :=
  lazymatch goal with
  | |- ?x >= 0 => apply Rle_ge; nonneg_by leaf
  | |- 0 <= ?x * ?x => apply square_nonneg
  | |- 0 <= _ * _ =>
      first [ apply Rmult_le_pos; nonneg_by leaf
            | rewrite <- Rmult_opp_opp; apply Rmult_le_pos; solve [leaf] | solve [leaf] ]
  | |- 0 <= _ / _ =>
      first [ apply quotient_nonneg; [nonneg_by leaf | pos_by leaf]
            | apply Rmult_le_pos; [nonneg_by leaf | nonneg_by leaf] | solve [leaf] ]
  | |- 0 <= / _ => left; apply Rinv_0_lt_compat; pos_by leaf
  | |- 0 <= ?x ^ ?n =>
      first [ let h := eval compute in (Nat.div2 n) in change (0 <= x ^ (2 * h)); apply pow_even_nonneg
            | apply pow_le; nonneg_by leaf | solve [leaf] ]
  | |- 0 <= exp _ => left; apply exp_pos
  | |- 0 <= Rpower _ _ => left; apply exp_pos
  | |- 0 <= cosh _ => left; pos_by leaf
  | |- 0 <= sqrt _ => apply sqrt_pos
  | |- 0 <= ln _ => apply ln_nonneg; solve [leaf]
  | |- 0 <= Rabs _ => apply Rabs_pos
  | |- 0 <= PI => left; apply PI_RGT_0
  | |- 0 <= INR _ => apply pos_INR
  | |- 0 <= Rmax _ _ => first [apply max_nonneg_l; nonneg_by leaf | apply max_nonneg_r; nonneg_by leaf | solve [leaf]]
  | |- 0 <= Rmin _ _ => apply Rmin_glb; nonneg_by leaf
  | |- 0 <= _ + _ => first [solve [leaf] | apply Rplus_le_le_0_compat; nonneg_by leaf]
  | |- 0 <= _ => solve [leaf]
  end
with nonzero_by leaf :=
  lazymatch goal with
  | |- 0 <> 0 => exfalso; solve [leaf] (* by what contradicts itself; the sides exchanged again it would not end *)
  | |- 0 <> _ => apply not_eq_sym; nonzero_by leaf
  | |- _ * _ <> 0 => apply Rmult_integral_contrapositive_currified; nonzero_by leaf
  | |- _ / _ <> 0 => apply Rmult_integral_contrapositive_currified; nonzero_by leaf
  | |- _ ^ _ <> 0 => first [apply pow_nonzero; nonzero_by leaf | solve [leaf]]
  | |- / _ <> 0 => apply Rinv_neq_0_compat; nonzero_by leaf
  | |- - _ <> 0 => apply Ropp_neq_0_compat; nonzero_by leaf
  | |- Rabs _ <> 0 => apply Rabs_no_R0; nonzero_by leaf
  | |- _ <> 0 =>
      first [ assumption | lra | (apply Rgt_not_eq; pos_by leaf)
            | (apply Rlt_not_eq; apply Ropp_lt_cancel; rewrite Ropp_0; first [solve [leaf] | pos_by leaf])
            | solve [leaf]
            | (apply Rgt_not_eq; leaf) | (apply Rlt_not_eq; leaf) ]
  end.

(* What is known of a root: r r = x, and its sign; then the root is a variable. *)
Ltac name_root x :=
  let H := fresh in assert (H : 0 <= x) by (nonneg_by leaf_with_products);
  let P := fresh in
  first [assert (P : 0 < sqrt x) by (apply sqrt_lt_R0; pos_by leaf_with_products) | pose proof (sqrt_pos x) as P];
  let S := fresh in pose proof (sqrt_sqrt x H) as S;
  let r := fresh "r" in set (r := sqrt x) in *; clearbody r.
Ltac name_roots :=
  repeat match goal with
    | |- context [sqrt ?x] => lazymatch x with context [sqrt _] => fail | _ => name_root x end
    | H : context [sqrt ?x] |- _ => lazymatch x with context [sqrt _] => fail | _ => name_root x end
    end.

(* Side conditions that field leaves. *)
Ltac side := repeat split; try solve [nonzero_by leaf | nonzero_by leaf_with_products | pos_by leaf | nonneg_by leaf].

(* Roots taken away: a positive variable below a root becomes a square; roots of products and quotients are split;
   any other root is a variable r with r r = the radicand. What is left is rational. *)
Ltac known_root e :=
  match goal with
  | S : ?r * ?r = ?known |- _ => replace e with known by ring; rewrite <- S, (sqrt_square r) by (nonneg_by leaf)
  end.
Ltac square_variable e :=
  first
    [ (assert (0 < e) by assumption; let r := fresh "r" in destruct (square_of e) as [r [? ->]]; [assumption |])
    | (let r := fresh "r" in destruct (square_of_nonnegative e) as [r [? ->]]; [assumption |]) ].
Ltac one_root e :=
  first
    [ lazymatch e with
      | ?x * ?x => rewrite (sqrt_square x) by (nonneg_by leaf)
      | ?x ^ 2 => rewrite (root_of_square x) by (nonneg_by leaf)
      | ?x * ?y => rewrite (sqrt_mult x y) by (nonneg_by leaf)
      | ?x / ?y => rewrite (sqrt_div x y) by (first [nonneg_by leaf | pos_by leaf])
      | 1 => rewrite sqrt_1
      | 0 => rewrite sqrt_0
      | - ?x => is_var x; let r := fresh "r" in destruct (square_of_negative x) as [r [? ->]]; [assumption |];
          rewrite ?Ropp_involutive
      | _ => tryif is_var e then square_variable e else known_root e
      end
    | name_root e ].
Ltac roots_away :=
  repeat match goal with H : context [sqrt _] |- _ => revert H end;
  rewrite ?Ropp_involutive;
  repeat match goal with
    | |- context [sqrt ?e] => lazymatch e with context [sqrt _] => fail | _ => one_root e end
    end;
  intros.

(* Hypotheses t < y/x, y/x < t without the quotient. *)
Ltac quotients_away :=
  repeat match goal with
    | H : _ < _ / ?x |- _ => apply below_quotient in H; [| solve [pos_by leaf]]
    | H : _ / ?x < _ |- _ => apply above_quotient in H; [| solve [pos_by leaf]]
    | H : _ <= _ / ?x |- _ =>
        first [apply at_most_quotient in H; [| solve [pos_by leaf]] | apply at_most_quotient_neg in H; [| assumption]]
    | H : _ / ?x <= _ |- _ =>
        first [apply at_least_quotient in H; [| solve [pos_by leaf]] | apply at_least_quotient_neg in H; [| assumption]]
    end.

(* Equal as rational expressions, given the squares that are known. *)
Ltac rational_end :=
  first
    [ reflexivity | ring | (field; solve [side])
    | lazymatch goal with
      | A : ?a * ?a = _, B : ?b * ?b = _ |- _ =>
          first [field [A B] | field [A] | field [B]]; solve [side]
      | A : ?a * ?a = _ |- _ => field [A]; solve [side]
      end
    | lra ].

(* Exponentials as positive variables. *)
Ltac name_exps :=
  repeat match goal with
    | |- context [exp ?x] =>
        let P := fresh in pose proof (exp_pos x) as P; let e := fresh "e" in set (e := exp x) in *; clearbody e
    end.

(* Reciprocals of positive expressions as positive variables i with x i = 1. *)
Ltac name_reciprocals :=
  unfold Rdiv in *;
  repeat match goal with
    | |- context [/ ?x] =>
        let P := fresh in
        assert (P : 0 < / x) by (apply Rinv_0_lt_compat; pos_by leaf_with_products);
        let E := fresh in assert (E : x * / x = 1) by (apply Rinv_r; nonzero_by leaf_with_products);
        let i := fresh "i" in set (i := / x) in *; clearbody i
    end.

(* Quotients y / x as variables q with y = q x, whatever the sign of x. *)
Ltac name_quotient y x :=
  lazymatch constr:((y, x)) with
  | (IZR _, IZR _) => fail
  | _ =>
      let E := fresh in
      assert (E : y = y / x * x) by (field; solve [nonzero_by leaf_with_products]);
      let q := fresh "q" in set (q := y / x) in *; clearbody q
  end.
Ltac name_quotients :=
  repeat match goal with
    | |- context [?y / ?x] => name_quotient y x
    | H : context [?y / ?x] |- _ => name_quotient y x
    end.

Ltac name_sines :=
  repeat match goal with
    | |- context [sin ?x] =>
        let E := fresh in pose proof (sin2_cos2 x) as E; unfold Rsqr in E;
        let s := fresh "s" in let c := fresh "c" in
        set (s := sin x) in *; set (c := cos x) in *; clearbody s c
    end.

(* Arguments of f that are equal as rational expressions are made the same. *)
Ltac same_arguments f :=
  repeat (progress match goal with
    | |- context [f ?a] =>
        match goal with
        | |- context [f ?b] =>
            tryif constr_eq a b then fail else
              (let H := fresh in assert (H : f b = f a) by (apply (f_equal f); field; solve [side]); rewrite H; clear H)
        end
    end).

(* exp of a sum as a product, exp of a difference as a quotient, exp of 0. *)
Ltac split_exps :=
  repeat match goal with
    | |- context [exp (- ?x)] => rewrite (exp_Ropp x)
    | |- context [exp (- ?x / ?y)] => replace (- x / y) with (- (x / y)) by (field; solve [side])
    | |- context [exp (- ?x * ?y)] => replace (- x * y) with (- (x * y)) by ring
    | |- context [exp (?x + ?y)] => rewrite (exp_plus x y)
    | |- context [exp (?x - ?y)] => replace (x - y) with (x + - y) by ring
    | |- context [exp (2 * ?x)] => replace (2 * x) with (x + x) by ring
    | |- context [exp (ln ?x)] => rewrite (exp_ln x) by (pos_by leaf_with_products)
    end;
  rewrite ?exp_0, ?ln_exp.

Ltac split_lns :=
  repeat match goal with
    | |- context [ln (?x * ?y)] => rewrite (ln_mult x y) by (pos_by leaf_with_products)
    | |- context [ln (?x / ?y)] => rewrite (ln_div x y) by (pos_by leaf_with_products)
    | |- context [ln (/ ?x)] => rewrite (ln_Rinv x) by (pos_by leaf_with_products)
    | |- context [ln (?x ^ ?n)] => rewrite (ln_pow x n) by (pos_by leaf_with_products)
    | |- context [ln (exp ?x)] => rewrite (ln_exp x)
    | |- context [exp (ln ?x)] => rewrite (exp_ln x) by (pos_by leaf_with_products)
    end;
  rewrite ?ln_1; cbn [INR].

(* 1/(1/e) as e, 1/(1/e)^2 as e^2: for what is looked at near infinity. *)
Ltac undo_inverses := unfold Rdiv in *; rewrite ?pow_inv, ?Rinv_mult, ?pow_inv, ?Rinv_inv.

(* Known values: arguments that are 0, PI, 1 as rational expressions are found by ring_simplify-free replacement. *)
Ltac known_values :=
  repeat match goal with
    | |- context [exp ?a] => lazymatch a with 0 => fail | _ => replace a with 0 by (field; solve [side]) end
    | |- context [sin ?a] => lazymatch a with 0 => fail | _ => replace a with 0 by (field; solve [side]) end
    | |- context [cos ?a] => lazymatch a with 0 => fail | _ => replace a with 0 by (field; solve [side]) end
    | |- context [atan ?a] => lazymatch a with 0 => fail | _ => replace a with 0 by (field; solve [side]) end
    | |- context [sin ?a] => lazymatch a with PI => fail | _ => replace a with PI by (field; solve [side]) end
    | |- context [cos ?a] => lazymatch a with PI => fail | _ => replace a with PI by (field; solve [side]) end
    | |- context [ln ?a] => lazymatch a with 1 => fail | _ => replace a with 1 by (field; solve [side]) end
    | |- context [sqrt ?a] => lazymatch a with 0 => fail | _ => replace a with 0 by (field; solve [side]) end
    | |- context [sqrt ?a] => lazymatch a with 1 => fail | _ => replace a with 1 by (field; solve [side]) end
    | |- context [sin (?k * -1)] => replace (k * -1) with (- k) by ring
    | |- context [cos (?k * -1)] => replace (k * -1) with (- k) by ring
    | |- context [atan (?k * -1)] => replace (k * -1) with (- k) by ring
    end;
  rewrite ?exp_0, ?sin_0, ?cos_0, ?atan_0, ?sin_PI, ?cos_PI, ?ln_1, ?sqrt_0, ?sqrt_1, ?sin_neg, ?cos_neg, ?atan_opp.

(* Ends of a proof of an equality. *)
Ltac linear_end := first [reflexivity | ring | lra | (field; solve [side]) | (exfalso; lra)].
Ltac product_end := first [linear_end | timeout 3 nra].
Ltac polynomial_end :=
  first [ linear_end
        | (field_simplify_eq; [first [lra | solve [cbn [Rpow_def.pow] in *; timeout 4 nsatz] | timeout 4 nra] | solve [side]])
        | timeout 4 nra | (exfalso; timeout 3 nra) | solve [cbn [Rpow_def.pow] in *; timeout 4 nsatz] ].

(* Absolute values, maxima and minima whose case is known. *)
Ltac shown := first [lra | solve [nonneg_by leaf] | solve [apply Ropp_le_cancel; rewrite Ropp_0; nonneg_by leaf]].
Ltac decided :=
  repeat match goal with
    | |- context [Rmax ?a ?b] => first [rewrite (Rmax_right a b) by shown | rewrite (Rmax_left a b) by shown]
    | |- context [Rmin ?a ?b] => first [rewrite (Rmin_left a b) by shown | rewrite (Rmin_right a b) by shown]
    | |- context [Rabs ?a] => first [rewrite (Rabs_pos_eq a) by shown | rewrite (Rabs_left1 a) by shown]
    end.

(* The same, by products of hypotheses: slower. *)
Ltac shown_by_products :=
  first
    [ lra
    | solve [nonneg_by leaf_with_products]
    | solve [apply quotient_nonpos; leaf_with_products]
    | solve [apply quotient_nonpos_below; leaf_with_products]
    | solve [apply quotient_of_nonpos; leaf_with_products] ].
Ltac decided_by_products :=
  repeat match goal with
    | |- context [Rmax ?a ?b] =>
        first [rewrite (Rmax_right a b) by shown_by_products | rewrite (Rmax_left a b) by shown_by_products]
    | |- context [Rabs ?a] =>
        first [rewrite (Rabs_pos_eq a) by shown_by_products | rewrite (Rabs_left1 a) by shown_by_products]
    end.

Ltac by_roots ends :=
  lazymatch goal with |- context [sqrt _] => idtac | H : context [sqrt _] |- _ => idtac end;
  decided; cases; roots_away; quotients_away; ends.

Ltac equal_after_opening :=
  first
    [ timeout 20 (solve [by_roots rational_end])
    | timeout 8 (solve [quotients_away; progress decided; linear_end])
    | timeout 8 (solve [linear_end])
    | timeout 8 (solve [cases; linear_end])
    | timeout 20 (solve [progress decided_by_products; cases; linear_end])
    | timeout 8 (solve [known_values; linear_end])
    | timeout 8 (solve [known_values; same_arguments exp; same_arguments sin; same_arguments cos; linear_end])
    | timeout 8 (solve [known_values; same_arguments sqrt; same_arguments ln; same_arguments atan; linear_end])
    | timeout 8 (solve [cases_with_products; product_end])
    | timeout 8 (solve [name_roots; polynomial_end])
    | timeout 8 (solve [unfold sinh, cosh, tanh, Rpower in *; split_exps; name_exps; polynomial_end])
    | timeout 20 (solve [progress decided; same_arguments exp; split_exps; name_exps; field; solve [side]])
    | timeout 8 (solve [split_lns; same_arguments ln; linear_end])
    | timeout 8 (solve [unfold Rpower in *; same_arguments exp; same_arguments ln; linear_end])
    | timeout 8 (solve [known_values; same_arguments exp; name_roots; name_exps; polynomial_end])
    | timeout 8 (solve [undo_inverses; same_arguments sqrt; same_arguments exp; same_arguments ln; name_roots; name_exps;
                        polynomial_end])
    | timeout 8 (solve [name_sines; polynomial_end])
    | timeout 8 (solve [rewrite ?Rabs_mult; split_nonzero; cases; polynomial_end])
    | timeout 8 (solve [cases; subst; name_roots; polynomial_end])
    | timeout 8 (solve [same_arguments sqrt; cases; name_roots; polynomial_end])
    | timeout 8 (solve [apply equal_squares;
        [nonneg_by leaf_with_products | nonneg_by leaf_with_products | name_roots; polynomial_end]])
    | timeout 8 (solve [split_nonzero; name_quotients; cases_with_products; product_end])
    | timeout 8 (solve [split_nonzero; signs; cases_with_products; product_end])
    | timeout 8 (solve [rewrite ?(Rmax_comm _ 0), ?(Rmin_comm _ 0); same_arguments (Rmax 0); linear_end])
    | timeout 8 (solve [rewrite ?Ropp_involutive; split_lns; same_arguments ln; linear_end]) ].

Ltac nonneg_after_opening :=
  lazymatch goal with
  | |- _ <= _ => idtac | |- _ < _ => idtac | |- _ >= _ => idtac | |- _ > _ => idtac
  end;
  first
    [ timeout 8 (solve [lra])
    | timeout 8 (solve [nonneg_by leaf | pos_by leaf])
    | timeout 20 (solve [by_roots ltac:(first [lra | nonneg_by leaf | pos_by leaf])])
    | timeout 8 (solve [cases; lra])
    | timeout 8 (solve [nonneg_by leaf_with_products | pos_by leaf_with_products])
    | timeout 8 (solve [nra])
    | timeout 8 (solve [cases; first [lra | nonneg_by leaf | pos_by leaf | timeout 3 nra]])
    | timeout 8 (solve [name_roots; first [lra | nonneg_by leaf | pos_by leaf | nra]])
    | timeout 8 (solve [name_reciprocals; first [lra | nra]])
    | timeout 8 (solve [name_roots; name_reciprocals; first [lra | nra]])
    | timeout 8 (solve [cases; name_quotients; first [lra | timeout 3 nra]])
    | timeout 8 (solve [split_nonzero; cases_with_products; first [lra | nra]])
    | timeout 8 (solve [cases; name_roots; name_reciprocals; first [lra | nra]])
    | timeout 8 (solve [rewrite ?exp_ln by (pos_by leaf_with_products); first [lra | pos_by leaf | nonneg_by leaf]]) ].

(* Whole numbers as real numbers. *)
Ltac whole_numbers :=
  repeat match goal with
    | n : nat |- _ =>
        lazymatch goal with
        | _ : 1 <= INR n |- _ => fail
        | _ : 0 <= INR n |- _ => fail
        | H : (1 <= n)%nat |- _ => assert (1 <= INR n) by (apply (le_INR 1); exact H)
        | _ => pose proof (pos_INR n)
        end
    end.

(* A stated gap may be nonnegative only by turning a <= b into 0 <= b - a. *)
Ltac nonneg :=
  open; pose proof PI_RGT_0;
  first [nonneg_after_opening
        | apply Rminus_le_0; timeout 8 (solve [nonneg_by leaf | field_simplify; nonneg_by leaf_with_products])].

Ltac pos := nonneg.

Ltac nonzero_after_opening :=
  first
    [ timeout 8 (solve [nonzero_by leaf])
    | timeout 8 (solve [nonzero_by leaf_with_products])
    | timeout 8 (solve [apply Rgt_not_eq; nra | apply Rlt_not_eq; nra])
    | timeout 8 (solve [cases; nonzero_by leaf_with_products])
    | timeout 8 (solve [name_roots; nonzero_by leaf_with_products])
    | timeout 8 (solve [name_exps; nonzero_by leaf_with_products]) ].

Ltac nonzero := open; pose proof PI_RGT_0; nonzero_after_opening.

Ltac equal := open; pose proof PI_RGT_0; equal_after_opening.

(* Any of these, conjunctions included. *)
Ltac defined :=
  open; pose proof PI_RGT_0; repeat match goal with |- _ /\ _ => split end;
  lazymatch goal with
  | |- True => exact I
  | |- _ <> _ =>
      first [nonzero_after_opening | intros ?; timeout 8 (solve [cases; lra | nra])]
  | |- @eq R _ _ => equal_after_opening
  | |- _ \/ _ => first [solve [left; defined] | solve [right; defined]]
  | |- _ -> _ => defined
  | |- _ => first [nonneg_after_opening | assumption | solve [eauto 3]]
  end.

(* a <= b by a gap: b - a = g, and g is nonnegative as it stands (squares, products of nonnegative factors). *)
Ltac by_gap g := apply (le_by_gap _ _ g); [equal | nonneg].

(* x = e from an equation that is linear in x, in every case. *)
Ltac solved :=
  first
    [ solve [cases; first [lra | field_simplify_eq; first [lra | solve [side] | timeout 5 nra]]]
    | repeat match goal with |- context [ln (?x + 1)] => replace (x + 1) with (1 + x) by ring end;
      rewrite ?Ropp_involutive in *;
      repeat match goal with H : context [exp (ln ?x)] |- _ => rewrite (exp_ln x) in H by (pos_by leaf) end; lra ].

(* A hypothesis that cannot be: in every cell. *)
Ltac contradicted := exfalso; cases; first [lra | timeout 5 nra].
