"""Equation (29): the second derivative of a finite network is a sum of atoms, one per unit: their places and masses."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from implicitbias.claims import (
    Context,
    Flaw,
    Measured,
    Observation,
    certificate,
    claim,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.formula import Assumption
from implicitbias.exact.vectors import relu
from implicitbias.theorems.rules.calculus.derivative import Derivative
from implicitbias.theorems.rules.solutions.function_identity import FunctionIdentity

from ..observed.units.slope_jumps import end_lines, jump
from . import errata

SIMPLE_UNITS = (
    (1, 1, 1),
    (1, -1, 1),
    (2, 1, -3),
    (-1, 2, 1),
    (-3, -2, 5),
    (5, Fraction(1, 2), 0),
    (7, -3, Fraction(-1, 4)),
)


def units(context: Context) -> Iterator[tuple[Fraction, Fraction, Fraction]]:
    """Output weight v, input weight w, bias b, none zero where the kink would be lost, biases of both signs."""
    for unit in SIMPLE_UNITS:
        yield Fraction(unit[0]), Fraction(unit[1]), Fraction(unit[2])
    generator = context.random()
    for _ in range(context.choose(60, 600)):
        v, w = (Fraction(generator.choice([-1, 1]) * generator.randint(1, 40), generator.randint(1, 9)) for _ in "vw")
        yield v, w, Fraction(generator.randint(-30, 60), generator.randint(1, 9))


@certificate("where the end lines meet")
def kinks(context: Context) -> Observation:
    """The kink of x ↦ v[wx + b]₊ is where its two end lines meet; both are read off its values."""
    instances = []
    for v, w, b in units(context):
        (left, at_0), (right, also_at_0) = end_lines(lambda x, v=v, w=w, b=b: v * relu(w * x + b))  # type: ignore[misc]
        kink = (at_0 - also_at_0) / (right - left)
        instances.append(seen(kink, f"{v}·[{w}·x + {b}]₊", v=v, w=w, b=b))
    yield from instances
    yield Measured("units", len(instances))


SIGNS: tuple[Assumption, ...] = ("positive", "negative")


def ramp_and_line(of: str) -> FunctionIdentity:
    """The only ramp and line that add up to a unit: f″ of the ramp is its weight times an atom at its kink."""
    left, right = "Min(c, kink(w, b))", "Max(c, kink(w, b))"
    return FunctionIdentity(
        "unit(v, w, b, x)",
        "m*ramp(1, c, x) + d*x + e",
        unknowns={"d": "real", "e": "real", "m": "real", "c": "real"},
        of=of,
        solution={"d": "v*Min(w, 0)", "e": "v*b*Min(sign(w), 0)*(-1)", "m": "v*Abs(w)", "c": "-b/w"},
        at={
            "d": (f"{left} - 1", f"{left} - 2"),
            "e": f"{left} - 1",
            "m": (f"{right} + 1", f"{right} + 2"),
            "c": f"{right} + 1",
        },
    )


@theorem("moments of the second derivative")
def weak_location() -> Observation:
    """The only place of an atom of f″: the only kink with which a ramp and a line make up the unit."""
    for v, w in product(SIGNS, repeat=2):
        yield shows(ramp_and_line("c"), f"v {v}, w {w}", for_all={"v": v, "w": w, "b": "real"}, v="v", w="w", b="b")


@theorem("mass of the second derivative")
def weak_weight() -> Observation:
    """By how much the slope of the unit rises where it bends."""
    for w in SIGNS:
        jump_of_slope = Derivative("unit(v, w, b, x)", "x", at="kink(w, b)", side="jump")
        yield shows(jump_of_slope, f"w {w}", for_all={"v": "real", "w": w, "b": "real"}, v="v", w="w", b="b")


@certificate("slopes at both ends")
def slope_changes(context: Context) -> Observation:
    """f' far to the right minus f' far to the left, from values; and the slope jump of a sum of units at each kink."""
    instances = []
    for v, w, b in units(context):
        (left, _), (right, _) = end_lines(lambda x, v=v, w=w, b=b: v * relu(w * x + b))  # type: ignore[misc]
        instances.append(seen(right - left, f"{v}·[{w}·x + {b}]₊", v=v, w=w, b=b))
    network = [(Fraction(2 - n), Fraction((-1) ** n * (n + 1)), Fraction((n + 1) * (3 * n - 4))) for n in range(6)]
    for v, w, b in network:
        found = jump(lambda x: sum((v * relu(w * x + b) for v, w, b in network), Fraction(0)), -b / w, Fraction(1, 9))
        instances.append(seen(found, "a unit among five others with other kinks", v=v, w=w, b=b))
    yield from instances
    yield Measured("units", len(instances))


EQUATION_29 = claim(
    "savarese2019.equation_29",
    "Section 4, equation (29)",
    "Place of a kink",
    """The second derivative of the network (1) with one input, h(x) = Σ vᵢ[wᵢx + bᵢ]₊ + c, is a sum of atoms, one per
    unit: the unit's atom lies at −bᵢ/wᵢ, the zero of its argument.""",
    part_of="savarese2019.equation_30",
    latex=r"u \approx \sum_i w^{(2)}_i |w^{(1)}_i|\, \delta_{-b^{(1)}_i / w^{(1)}_i}",
    hypotheses=("w ≠ 0",),
    formula="-b/w",
    symbols={"b": "the unit's bias b⁽¹⁾ᵢ", "w": "the unit's input weight w⁽¹⁾ᵢ", "v": "the unit's output weight w⁽²⁾ᵢ"},
    flaw=Flaw(errata.SIGN_OF_THE_BIAS, "b/w"),
    controls={
        "-b": "the input weight forgotten: right only for w = 1",
        "-b/Abs(w)": "the place would not depend on the orientation",
        "-v*b/w": "the output weight would move the kink",
    },
    checks=(weak_location, kinks),
)


WEIGHTS = claim(
    "savarese2019.equation_29_weights",
    "Section 4, equation (29)",
    "Mass of a kink",
    """In (29) the atom of the unit v[wx + b]₊ has the mass v|w|: the slope rises by v|w| at the kink, for units of both
    orientations and for every bias.""",
    part_of="savarese2019.equation_30",
    latex=r"h'(+\infty) - h'(-\infty) = v\,|w|",
    hypotheses=("w ≠ 0",),
    formula="v*Abs(w)",
    symbols={"v": "the unit's output weight w⁽²⁾ᵢ", "w": "the unit's input weight w⁽¹⁾ᵢ", "b": "the unit's bias b⁽¹⁾ᵢ"},
    controls={
        "v*w": "the sign of the input weight kept: wrong for backward units",
        "Abs(v*w)": "the sign of the output weight lost: the unit's cost, not its bend",
        "v": "right only for |w| = 1, as in (9)",
        "v*Abs(w)*sign(b)": "the bias would decide the sign",
    },
    checks=(weak_weight, slope_changes),
)
