"""Laws of (W, B) at initialisation, and the curvature penalty 1/ζ that training from them implies."""
