"""Functions of one input with the least loss plus penalty, and shape constraints, between exact bounds."""
