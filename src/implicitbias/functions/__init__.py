"""Functions of one variable: piecewise linear, two-layer networks, and what they cost."""
