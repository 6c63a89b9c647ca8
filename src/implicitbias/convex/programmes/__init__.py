"""Solvers; what they return is checked by whoever uses it."""
