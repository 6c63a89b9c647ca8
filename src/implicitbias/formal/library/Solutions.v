(* Solutions of equations and coefficients of function identities: that they solve, and that an unknown is determined. *)
From Coq Require Import Reals Lra Psatz.
From ImplicitBias Require Import Tactics.
Open Scope R_scope.

(* The less and the greater of two numbers, where a point was chosen beyond both: what is used of them. *)
Ltac name_ends :=
  repeat match goal with
    | H : context [Rmin ?x ?y] |- _ =>
        pose proof (Rmin_l x y); pose proof (Rmin_r x y); let m := fresh "m" in set (m := Rmin x y) in *; clearbody m
    | H : context [Rmax ?x ?y] |- _ =>
        lazymatch x with
        | 0 => fail
        | _ =>
            pose proof (Rmax_l x y); pose proof (Rmax_r x y); let m := fresh "m" in set (m := Rmax x y) in *; clearbody m
        end
    end.

(* Quotients y / x, also of hypotheses, as variables q with y = q x and the sign of q if it is known. *)
Ltac name_quotient y x :=
  lazymatch constr:((y, x)) with
  | (IZR _, IZR _) => fail
  | (_, IZR _) => fail
  | _ =>
      let E := fresh in assert (E : y = y / x * x) by (field; solve [nonzero_by leaf_with_products]);
      try (let P := fresh in assert (P : 0 < y / x) by (pos_by leaf_with_products));
      let q := fresh "q" in set (q := y / x) in *; clearbody q
  end.
Ltac name_all_quotients :=
  repeat match goal with
    | |- context [?y / ?x] => name_quotient y x
    | H : context [?y / ?x] |- _ => name_quotient y x
    end;
  repeat match goal with
    | E : ?x = _ * _ |- _ => is_var x; subst x
    | E : - ?x = ?e |- _ => is_var x; let F := fresh in assert (F : x = - e) by lra; clear E; subst x
    end.

(* Named quotients put back, for what is an equality of rational expressions. *)
Ltac back_to_quotients :=
  repeat match goal with
    | E : ?e = ?q * ?r |- _ =>
        is_var q; assert (q = e / r) by (rewrite E; field; nonzero_by leaf); clear E; subst q
    end.

Ltac one_is :=
  first
    [ lra | (exfalso; lra) | (exfalso; timeout 2 nra) | ring
    | solve [back_to_quotients; field; solve [side]]
    | match goal with _ : ?x - ?q <= 0 |- _ => replace (x - q) with 0 by lra; ring end  (* at a kink *)
    | timeout 2 nra ].

(* The place x left of a kink q, at it, right of it. *)
Ltac around_a_kink :=
  match goal with
  | |- context [Rmax 0 (?x - ?q)] =>
      is_var x; is_var q; destruct (Rtotal_order x q) as [? | [? | ?]]; [| subst x |]; cases_with_products; one_is
  end.

(* What is left of a proof that there is a solution: its domain, its equations. *)
Ltac solve_one :=
  first
    [ exact I
    | timeout 10 (solve [open; same_arguments sqrt; name_roots; name_all_quotients; cases; one_is])
    | timeout 20 (solve [open; same_arguments sqrt; name_roots; name_all_quotients; around_a_kink])
    | timeout 40 (solve [open; same_arguments sqrt; name_roots; name_all_quotients; cases_with_products; one_is])
    | timeout 20 (solve [equal])
    | solve [defined] ].
Ltac solves := cbv beta iota; repeat apply conj; solve_one.

(* u = e because u < e and e < u contradict what holds of u. *)
Ltac beside := exfalso; first [lra | timeout 4 nra].
Ltac settle_end :=
  first
    [ lra
    | lazymatch goal with |- ?u = ?e => destruct (Rtotal_order u e) as [? | [? | ?]]; [beside | assumption | beside] end ].
(* u = e / r for a root r, from what the square of u is. *)
Ltac settle_root :=
  lazymatch goal with
  | S : ?r * ?r = _ |- ?u = ?e / ?r =>
      apply (Rmult_eq_reg_r r); [| nonzero_by leaf];
      transitivity e; [| field; nonzero_by leaf];
      apply equal_squares; [nonneg | nonneg | replace (u * r * (u * r)) with (u * u * (r * r)) by ring; rewrite S; lra]
  end.
Ltac decided_ends :=
  repeat match goal with
    | H : context [sgn ?x] |- _ =>
        first [ replace (sgn x) with 1 in H by (unfold sgn; repeat one_case; lra)
              | replace (sgn x) with (-1) in H by (unfold sgn; repeat one_case; lra)
              | replace (sgn x) with 0 in H by (unfold sgn; repeat one_case; lra) ]
    | H : context [Rabs ?x] |- _ => is_var x; first [rewrite (Rabs_pos_eq x) in H by lra | rewrite (Rabs_left1 x) in H by lra]
    | H : context [Rmin ?x ?y] |- _ => first [rewrite (Rmin_left x y) in H by lra | rewrite (Rmin_right x y) in H by lra]
    | H : context [Rmax ?x ?y] |- _ => first [rewrite (Rmax_left x y) in H by lra | rewrite (Rmax_right x y) in H by lra]
    end.
Ltac settle :=
  decided_ends; decided; name_ends; open; name_roots;
  first
    [ timeout 10 (solve [settle_root])
    | timeout 40 (solve [name_all_quotients; cases_with_products; settle_end]) ].
