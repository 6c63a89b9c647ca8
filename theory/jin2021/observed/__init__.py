"""Shared observations of the claims of this paper: laws, kernels, splines, trained networks."""
