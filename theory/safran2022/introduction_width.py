"""Section 1: how the width scales with the shortest interval."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from implicitbias.claims import Context, Derivation, Flaw, Interval, Observation, certificate, claim, proof, seen

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


def least_width(R: int, r: int, delta: Fraction, rho: Fraction) -> int:
    """The least whole k with k ρ >= 6144 R⁴ log(24 r/δ), equation (3)."""
    from implicitbias.exact.enclosure import enclose, lower, upper

    needed = enclose("6144*R**4*log(24*r/delta)", R=R, r=r, delta=delta)
    low, high = (ceil(end / rho) for end in (lower(needed), upper(needed)))
    if low != high:
        raise ArithmeticError(f"the enclosure does not tell the least width at ρ = {rho}")
    return high


@certificate("least whole widths")
def whole_widths(context: Context) -> Observation:
    """The least whole widths that (3) allows at lengths l and 1: the ratio of the least real ones, up to one unit."""
    draw = context.random()
    lengths = [Fraction(length) for length in (1, 2, "1/2", 5, "1/10", 40, "1/100")]
    lengths += [Fraction(draw.randint(1, 60), draw.randint(1, 60)) for _ in range(10)]
    for length in lengths:
        R, r, delta = draw.randint(5, 60), draw.randint(1, 30), Fraction(draw.randint(1, 99), 100)
        here, unit = least_width(R, r, delta, length), least_width(R, r, delta, Fraction(1))
        yield seen(Interval(Fraction(here - 1, unit), Fraction(here, unit - 1)), l=length, R=R, r=r, delta=delta)


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
    checks=(width, whole_widths),
    part_of="safran2022.theorem_3_1",
)
