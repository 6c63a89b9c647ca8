(* Statements of the papers, by hand: from definitions of networks and functions to the formula. Not among what generated
   files import. *)
From ImplicitBias Require Export Functions Networks Vectors Ramps.
From ImplicitBias Require Export NaturalSpline LabelNoise Lifting DataKinks Stationary Places Runs.
