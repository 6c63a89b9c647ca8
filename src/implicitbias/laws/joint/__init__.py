"""Laws of (W, B) at initialisation."""
