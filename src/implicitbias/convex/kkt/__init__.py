"""KKT points of the margin problem for networks of one input."""
