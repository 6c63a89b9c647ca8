(* The whole library: what a generated file imports. *)
From Coq Require Export Reals Lra Psatz List.
From Coquelicot Require Export Coquelicot.
From ImplicitBias Require Export Quantities Minima Units Cases Tactics Limits Derivatives Integrals.
From ImplicitBias Require Export Lists Vectors ListMinima Duality Recurrence Powers Solutions Within Linear Refute.
