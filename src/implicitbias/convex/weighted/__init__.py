"""Least variation with other weights, and the set of its minimisers."""
