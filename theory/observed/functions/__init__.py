"""Functions with known derivatives, and the bump of Claim 5.2."""
