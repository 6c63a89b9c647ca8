"""The least variation with kinks at the data alone, as a definition with its witness: for any number of data."""

from __future__ import annotations

from implicitbias.theorems.rules.extrema.units_at_data import LeastVariation


def least_with_kinks_at_data() -> LeastVariation:
    """The least ∫Ω(dμ) with kinks at the data; V is that with all kinks between -1 and 1.

    The values at each datum lie in a closed convex set S_i that is not empty. Labels and margins are such sets, the
    Euclidean norm is such an Ω.
    """
    return LeastVariation(unit="ramp(s, c, x)", of="data", equals="all", known="V", first=("-1", "b"), after=("1", "a"))
