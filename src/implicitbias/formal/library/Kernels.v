(* The kernel theorems, by hand: what each trusted check of certificate/kinds asks implies the sentence that it prints. Not
   among
   what generated files import. *)
From ImplicitBias Require Export Between Functions Networks DualValues Vectors Cells.
From ImplicitBias Require Export MinimumNorm Ramps Margin Variation.
