"""Section 4: the two implicit biases where they can be computed by hand."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from implicitbias.claims import (
    Context,
    Interval,
    Observation,
    Premise,
    Step,
    certificate,
    claim,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.formula import Assumption
from implicitbias.theorems.rules.calculus.derivative import Derivative
from implicitbias.theorems.rules.extrema.cheapest import CheapestUnits
from implicitbias.theorems.rules.solutions.solution import Solution

from ..observed.cheapest.circle import bracket


def _length(sign: str) -> str:
    """√2 times the length of the labels of one sign (Max: positive, Min: negative), 1 if there are none."""
    root = f"sqrt(2*({sign}(y, 0)**2 + {sign}(z, 0)**2))"
    return f"({root} + 1 - sign({root}))"


@theorem("units and multipliers")
def units_and_multipliers() -> Observation:
    """One unit for the labels of each sign, and multipliers that price no unit above its cost."""
    yield shows(
        CheapestUnits(
            data=(("-1", "y"), ("1", "z")),
            cost="Abs(v)*sqrt(w**2 + b**2)",
            network=(
                {"v": "1", "w": "(Max(z, 0) - Max(y, 0))/2", "b": "(Max(z, 0) + Max(y, 0))/2"},
                {"v": "-1", "w": "(Min(y, 0) - Min(z, 0))/2", "b": "-(Min(y, 0) + Min(z, 0))/2"},
            ),
            multipliers=tuple(f"Max({at}, 0)/{_length('Max')} + Min({at}, 0)/{_length('Min')}" for at in ("y", "z")),
        ),
        for_all={"y": "real", "z": "real"},
        split=("y", "z"),
        y="y",
        z="z",
    )


@certificate("bracketed optimum")
def bracketed_optimum(context: Context) -> Observation:
    """Problem (4) for x = ∓1: exact units through the points, multipliers priced over the whole circle."""
    labels: list[tuple[int, Fraction | int]] = [
        (1, 1),
        (1, -1),
        (0, 2),
        (1, Fraction(1, 2)),
        (1, Fraction(-1, 2)),
        (-3, -4),
        (-5, 12),
        (7, 1),
    ]
    widths = []
    for y, z in labels:
        found = bracket((-1, 1), (y, z))
        widths.append(found.upper - found.lower)
        yield seen(found.interval, f"y = ({y}, {z})", y=y, z=z)
    narrow = max(widths) < Fraction(1, 10**5)
    yield Premise("bounds closer than 1e-5", narrow, f"widest {float(max(widths)):.1e}")


TWO_POINTS = claim(
    "stewart2022.section_4_1_two_points",
    "next to problem (4) and footnote 3",
    "Problem (4) for two orthogonal data",
    """For the data (-1, 1) and (1, 1), the only orthogonal pair of length √2, the value of (4) is √(Σ_{y>0} y²/2) +
    √(Σ_{y<0} y²/2): one unit serves all labels of a sign. Proof: the unit through the positive values costs
    √((p²+q²)/2), and α = (p, q)/√(2(p²+q²)) prices no unit above 1. (In general y² is divided by ‖x‖²: Boursier et al.
    2022.)""",
    latex=r"V_{(4)}=\sqrt{\textstyle\sum_{y_i>0}y_i^2/2}+\sqrt{\textstyle\sum_{y_i<0}y_i^2/2}",
    hypotheses=("x_1 = -1, x_2 = 1, with x_d = 1 appended",),
    formula="sqrt((Max(y, 0)**2 + Max(z, 0)**2)/2) + sqrt((Min(y, 0)**2 + Min(z, 0)**2)/2)",
    symbols={"y": "y_1", "z": "y_2"},
    controls={
        "sqrt((y**2 + z**2)/2)": "one unit for labels of both signs",
        "(Abs(y) + Abs(z))/sqrt(2)": "one unit for each label",
        "(Abs(y) + Abs(z))/2": "problem (9) for the same data",
    },
    checks=(units_and_multipliers, bracketed_optimum),
    part_of="stewart2022.equation_9",
    own=True,
)


@theorem("the only partner")
def the_only_partner() -> Observation:
    """The only (y, 1) and (z, 1) orthogonal to (x, 1): their scalar product with each other, for both signs of x."""
    signs: tuple[Assumption, ...] = ("positive", "negative")
    for sign in signs:
        partners = Solution(
            unknowns={"y": "real", "z": "real"},
            equations=("plane_dot(x, 1, y, 1)", "plane_dot(x, 1, z, 1)"),
            of="plane_dot(y, 1, z, 1)",
            solution={"y": "-1/x", "z": "-1/x"},
        )
        yield shows(partners, f"x {sign}", for_all={"x": sign}, x="x")


@certificate("partners on a grid")
def partners_on_a_grid(context: Context) -> Observation:
    """Searches the partners among many fractions."""
    for x in (1, -1, 2, Fraction(-1, 2), Fraction(1, 3), -5, Fraction(7, 10)):
        grid = {Fraction(p, q) for p in range(-40, 41) for q in range(1, 15)}
        partners = [y for y in grid if 1 + x * y == 0]
        if len(partners) != 1:
            raise ArithmeticError(f"{len(partners)} partners of {x} on the grid")
        yield seen(1 + partners[0] * partners[0], x=x)
    yield Step("all orthogonal partners among fractions up to 40/14")


FOOTNOTE_3 = claim(
    "stewart2022.footnote_3",
    "next to footnote 3",
    "Orthogonal data in one dimension",
    """Data (x, 1), (x', 1), (x'', 1) are never pairwise orthogonal: the two partners of (x, 1) have the scalar product
    1 + 1/x² with each other. So the proof for orthonormal data that footnote 3 mentions covers at most two points in
    the one-dimensional setting of Section 5 (and none of length 1 but x = 0).""",
    latex=r"x x'=x x''=-1\ \Rightarrow\ 1+x'x''=1+x^{-2}>0",
    hypotheses=("d = 2, x_d = 1", "x ≠ 0 (for x = 0 there is no partner at all)"),
    formula="1 + 1/x**2",
    symbols={"x": "the first of the three"},
    controls={
        "0": "three orthogonal data in the plane",
        "1 - 1/x**2": "the partners taken for each other's mirror images",
        "1 + x**2": "the length of (x, 1) itself",
    },
    checks=(the_only_partner, partners_on_a_grid),
    part_of="stewart2022.equation_9",
    own=True,
)


@theorem("derivative of the loss")
def derivative_of_the_loss() -> Observation:
    """The derivative of the cross-entropy along the ray, its m = k - 1 other scores s, for all t, s and k ≥ 2."""
    loss = "-log(softmax(s + z, m*exp(s)))"
    yield shows(
        Derivative(loss, "z", "t"),
        for_all={"t": "real", "s": "real", "m": "positive integer"},
        t="t",
        k="m + 1",
    )


@certificate("difference quotients")
def difference_quotients(context: Context) -> Observation:
    """The slope of a convex function between its difference quotients to the left and to the right."""
    import flint

    from implicitbias.exact.enclosure import from_arb

    before = flint.ctx.prec
    flint.ctx.prec = 200
    try:
        for k in (2, 3, 10, 50):
            for t in (Fraction(1, 2), Fraction(1), Fraction(3), Fraction(10)):
                h = Fraction(1, 10**6)
                left, here, right = (_loss(t + shift, k) for shift in (-h, Fraction(0), h))
                quotients = [from_arb((here - left) * 10**6), from_arb((right - here) * 10**6)]
                slope = Interval(quotients[0].lower, quotients[1].upper)
                yield seen(slope, t=t, k=k)
    finally:
        flint.ctx.prec = before
    yield Step("-log softmax of (t, 0, …, 0), in balls of 200 bits")


def _loss(t: Fraction, k: int) -> Any:
    import flint

    own = flint.arb(flint.fmpq(t.numerator, t.denominator)).exp()
    return -(own / (own + (k - 1))).log()


DIRECTION = claim(
    "stewart2022.section_4_2_direction",
    "Section 4.2, before problem (5)",
    "The cross-entropy along a solution of problem (5)",
    """Where t times a solution of (5) has all margins equal to t, the cross-entropy has slope -(k-1)/(e^t + k - 1) <
    0 in t: no solution of (5) is a stationary point.""",
    latex=r"\frac{d}{dt}\log\big(1+(k-1)e^{-t}\big)=-\frac{k-1}{e^{t}+k-1}",
    hypotheses=("all margins of the solution are equal to 1, as for two points with different labels",),
    formula="-(k - 1)/(exp(t) + k - 1)",
    symbols={"t": "the factor of the solution", "k": "number of classes"},
    controls={
        "0": "the loss at rest at a solution of (5) itself",
        "-1/(exp(t) + 1)": "two classes, however many there are",
        "-(k - 1)/(exp(t) + k)": "one class counted twice",
        "-(k - 1)*exp(-t)": "the slope for large t",
    },
    checks=(derivative_of_the_loss, difference_quotients),
    part_of="stewart2022.appendix_a",
)
