"""The proof of Theorem C.3: the bridge penalty is not quasi-convex."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import (
    Context,
    Interval,
    Observation,
    certificate,
    claim,
    seen,
    shows,
    theorem,
)
from implicitbias.theorems.rules.values.value import Value

from ..observed.cheapest.programme_49 import penalty


@certificate("value in balls")
def midpoint_penalty(context: Context) -> Observation:
    """‖·‖_{2/L}^{2/L} at the midpoint of two unit vectors, at which it is 1."""
    for depth in (2, 3, 4, 5, 10, 40):
        value = Interval(*penalty([Fraction(1, 2), Fraction(1, 2)], depth))
        observed = value.lower if value.lower == value.upper else value
        yield seen(observed, f"L={depth}, (½, ½)", L=depth)


@theorem("value for all L")
def derive_midpoint_penalty() -> Observation:
    """The penalty of the mean of (1, 0) and (0, 1), for every depth."""
    middle = Value("bridge_penalty((1 + 0)/2, L) + bridge_penalty((0 + 1)/2, L)")
    yield shows(middle, for_all={"L": "positive integer"}, L="L")


APPENDIX_C_MIDPOINT = claim(
    "savarese2019.appendix_c_midpoint",
    "proof of Theorem C.3",
    "The bridge penalty is not quasi-convex",
    """At the midpoint of two unit vectors ‖·‖_{2/L}^{2/L} is 2^(1-2/L) > 1 for L ≥ 3, but 1 at both ends: sublevel sets
    are not convex. What the proof uses is that the penalty is strictly concave on every orthant.""",
    part_of="savarese2019.theorem_c_3",
    latex=r"\left\|\tfrac12 e_1+\tfrac12 e_2\right\|_{2/L}^{2/L}=2^{1-2/L}",
    formula="2**(1-2/L)",
    symbols={"L": "number of layers"},
    controls={
        "1": "a quasi-convex penalty",
        "2**(2/L)": "the exponent of the ends' sum",
        "2**(1/L)": "exponent 1/L",
        "2 - 2/L": "its tangent at L = 2",
    },
    checks=(midpoint_penalty, derive_midpoint_penalty),
)
