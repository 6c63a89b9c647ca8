"""Areas of spheres as text for the formulas of claims. No observation reads them; `sphere` integrates."""

AREA = "2*pi**(d/2)/gamma(d/2)"
"""|S^(d-1)|."""

EQUATOR = "2*pi**((d-1)/2)/gamma((d-1)/2)"
"""|S^(d-2)|, which the paper writes S_(d-1)."""
