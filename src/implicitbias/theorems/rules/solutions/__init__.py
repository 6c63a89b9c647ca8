"""Solutions of equations, and of identities for all x."""
