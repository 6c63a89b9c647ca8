"""Problem (4) of Stewart et al. (2022): the bias counts in the norm of a unit."""
