(* Multipliers on data with one input, summed by parts: what the slopes between the data are multiplied with, for
   numbers p :: pl at the points P :: ps, as many. *)
From Coq Require Import Reals Lra Psatz List.
From Coquelicot Require Import Coquelicot.
From ImplicitBias Require Import Quantities Units Lists Duality Functions.
Import ListNotations.
Open Scope R_scope.

(* sum nu_n y_n, nu_n the changes of slope of the function that is p_n at the data, summed by parts: minus the sum of
   (p_(n+1) - p_n) times the slopes. *)
Fixpoint dual_value (P : R * R) (p : R) (ps : list (R * R)) (pl : list R) : R :=
  match ps, pl with
  | Q :: ps, q :: pl => (p - q) * slope P Q + dual_value Q q ps pl
  | _, _ => 0
  end.

(* Weak duality, for whatever the slopes l and r at the ends are. *)
Lemma dual_value_at_most h c ps : forall P p pl l r,
  length pl = length ps -> (forall q, In q (p :: pl) -> Rabs (q - h) <= c) ->
  dual_value P p ps pl - (p - h) * l + (last pl p - h) * r <= c * turn l (slopes P ps ++ [r]).
Proof.
  assert (W : forall u v, Rabs u <= c -> u * v <= c * Rabs v).
  { intros u v H. rewrite Rmult_comm. apply weighted_price, H. }
  induction ps as [| Q ps IH]; intros P p pl l r E H; destruct pl as [| q pl]; try discriminate.
  - simpl. pose proof (W (p - h) (r - l) (H p (or_introl eq_refl))). lra.
  - cbn [dual_value slopes app turn]. rewrite last_of_cons.
    assert (A := IH Q q pl (slope P Q) r (eq_add_S _ _ E) (fun q' J => H q' (or_intror J))).
    pose proof (W (p - h) (slope P Q - l) (H p (or_introl eq_refl))). lra.
Qed.

(* The same of a function's values. *)
Fixpoint dual_value_of (f : R -> R) (x p : R) (xs pl : list R) : R :=
  match xs, pl with
  | y :: xs, q :: pl => (p - q) * slope (x, f x) (y, f y) + dual_value_of f y q xs pl
  | _, _ => 0
  end.

Lemma dual_value_passing f ps : forall P p pl,
  passes f (P :: ps) -> dual_value P p ps pl = dual_value_of f (fst P) p (map fst ps) pl.
Proof.
  induction ps as [| [y v] ps IH]; intros [x u] p pl H; destruct pl as [| q pl]; try reflexivity.
  cbn [dual_value dual_value_of map fst]. rewrite (IH (y, v) q pl) by (intros a b J; apply H; right; exact J).
  rewrite (H x u) by (left; reflexivity). rewrite (H y v) by (right; left; reflexivity). reflexivity.
Qed.

Lemma dual_value_of_plus f g xs : forall x p pl,
  dual_value_of (fun x => f x + g x) x p xs pl = dual_value_of f x p xs pl + dual_value_of g x p xs pl.
Proof.
  induction xs as [| y xs IH]; intros x p pl; destruct pl as [| q pl]; cbn [dual_value_of]; try lra.
  rewrite slope_plus, IH. ring.
Qed.

Lemma dual_value_of_scale c f xs : forall x p pl, dual_value_of (fun x => c * f x) x p xs pl = c * dual_value_of f x p xs
  pl.
Proof.
  induction xs as [| y xs IH]; intros x p pl; destruct pl as [| q pl]; cbn [dual_value_of]; try lra.
  rewrite slope_scale, IH. ring.
Qed.

Lemma dual_value_of_ext f g xs : (forall x, f x = g x) -> forall x p pl, dual_value_of f x p xs pl = dual_value_of g x p xs
  pl.
Proof.
  intros E. induction xs as [| y xs IH]; intros x p pl; destruct pl as [| q pl]; cbn [dual_value_of]; try reflexivity.
  rewrite !E, IH. reflexivity.
Qed.

(* What has the slope a at all data and between. *)
Lemma dual_value_of_slope f a xs : forall x p pl,
  length pl = length xs -> increasing x xs -> (forall y z, x <= y < z -> slope (y, f y) (z, f z) = a) ->
  dual_value_of f x p xs pl = a * (p - last pl p).
Proof.
  induction xs as [| y xs IH]; intros x p pl E I H; destruct pl as [| q pl]; try discriminate; [simpl; ring |].
  destruct I as [I J]. cbn [dual_value_of]. rewrite last_of_cons, H by lra.
  rewrite (IH y q pl (eq_add_S _ _ E) J); [ring |]. intros u v K. apply H. lra.
Qed.

(* The ramps to the right. *)

Lemma ramp_slope_beyond t y z : t <= y < z -> slope (y, Rmax 0 (y - t)) (z, Rmax 0 (z - t)) = 1.
Proof. intros H. unfold slope. cbn [fst snd]. rewrite !Rmax_right by lra. field. lra. Qed.
