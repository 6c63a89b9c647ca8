"""Areas of spheres as text for the formulas in claims. Observations do not use them; they integrate with `sphere`."""

AREA = "2*pi**(d/2)/gamma(d/2)"
"""|S^(d-1)|."""

EQUATOR = "2*pi**((d-1)/2)/gamma((d-1)/2)"
"""|S^(d-2)|, written S_(d-1) in the paper."""
