"""Classification: gradient flow, KKT points of the margin problem, sign changes."""
