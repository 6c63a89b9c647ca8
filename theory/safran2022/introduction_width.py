"""Section 1: how the width scales with the shortest interval."""

from __future__ import annotations

from implicitbias.claims import Derivation, Flaw, claim, proof

from . import errata


@proof("the width of (3)")
def width(d: Derivation) -> None:
    """The ratio of the least widths at lengths l and 1."""
    from implicitbias.exact.symbolic import from_sympy, symbol, to_sympy

    k = to_sympy("6144*R**4*log(24*r/delta)/l", dict.fromkeys(("R", "r", "delta", "l"), "positive"))
    length = symbol("l", "positive")
    ratio = k / k.subs(length, 1)
    d.identity("the least width in (3), times the length of the shortest interval", ratio * length, ratio / ratio)
    d.concludes(from_sympy(ratio), "all lengths", over={"l": "positive"}, l="l")


WIDTH = claim(
    "safran2022.introduction_width",
    "Section 1, on the sufficient width",
    "Width and the shortest interval",
    """The width that Theorem 3.1 asks for grows as the inverse of the length ρ of the shortest interval on which the
    labels do not change: an interval of length l asks for 1/l times the width that length 1 asks for.""",
    latex=r"k\ge 6144\,R^4\log(24r/\delta)/\rho\propto\rho^{-1}",
    formula="1/l",
    symbols={"l": "length of the shortest interval"},
    flaw=Flaw(errata.WIDTH_AND_LENGTH, "l"),
    controls={
        "1/l**2": "the two ends of the interval counted separately",
        "1/sqrt(l)": "an intermediate rate",
        "1": "no dependence on the length",
    },
    checks=(width,),
    part_of="safran2022.theorem_3_1",
)
