"""Measures over units, cells of parameter space, and their minimisers."""
