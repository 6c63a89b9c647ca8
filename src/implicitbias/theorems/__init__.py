"""Theorems: a quantity by its definition and a witness; a rule checks the witness and computes the value."""
