"""The square, claimed rightly and wrongly."""

import os
import time
from fractions import Fraction

from implicitbias.claims import (
    Attached,
    Check,
    Claim,
    Context,
    Curve,
    Derivation,
    Edition,
    Erratum,
    Flaw,
    JobOutput,
    Measured,
    Observation,
    Point,
    Premise,
    Step,
    certificate,
    claim,
    experiment,
    proof,
    rule,
    seen,
)

CERTIFICATE = {
    "format": "implicitbias certificate",
    "version": 1,
    "kind": "minimum-norm interpolation",
    "data": {"x": ["0"], "y": ["3"]},
    "primal": {"function": {"knots": ["0"], "values": ["3"], "left_slope": "0", "right_slope": "0"}},
    "dual": {"p": ["0"]},
    "claim": {"value": "0", "unique": True, "end_slopes": [["0", "0"], ["0", "0"]]},
    "digest": "602a60210f8e95177ac7f6e3a74a97e224db2e41b5dea6807bf64b3ff7aac2ad",
}


@proof("for all sides", about="the area as a product of equal sides")
def for_all_sides(d: Derivation) -> Observation:
    (x,) = d.symbols("x")
    d.concludes(x * x, "x² for all x", x=x)
    yield Step("a square has two equal sides, x_1 = x_2", "x*x = x**2", "sympy: identical")
    yield Step("so its area is their product", "Max(x, 0)**2 + Min(x, 0)**2")


@certificate("areas in rationals", about="ten squares, measured exactly")
def in_rationals(context: Context) -> Observation:
    yield from measured()


@certificate("slowly", time_limit=30.0)
def slowly(context: Context) -> Observation:
    time.sleep(float(os.environ.get("SHOWN_SECONDS", "0")))
    yield from measured()


def measured() -> Observation:
    for x in (0, 1, -2, Fraction(1, 2), 3, -3, 4, Fraction(-5, 2), 5, 6):
        yield seen(x * x, f"a square of side {x}", x=x)
    yield Premise("the sides are straight", True, "largest bend 0")
    yield Measured("sides measured", 40)
    yield Measured("widths", {"mean": 0.25, "largest": 1.5})
    yield Attached(CERTIFICATE)
    grid = tuple(i / 10 for i in range(-30, 31))
    yield Curve("parabola", grid, tuple(x * x for x in grid))
    yield Curve("chord", (-3.0, 3.0), (9.0, 9.0))
    yield Curve("data", (-3.0, -2.0, 0.0, 1.0, 2.5), (9.0, 4.0, 0.0, 1.0, 6.25), "points")


@experiment("bent", acceptance="within 1%")
def bent(context: Context) -> Observation:
    yield seen(9, "a square of side 3", x=3)
    yield Premise("the sides are straight", False, "largest bend 1/10")


@certificate("at zero")
def at_zero(context: Context) -> Observation:
    yield seen(0, "a square of side 0", x=0)


@certificate("some sides")
def some_sides(context: Context) -> Observation:
    for side in (1, 2, Fraction(1, 2)):
        yield seen(side == int(side), f"side {side}", side=side)


@certificate("without names")
def without_names(context: Context) -> Observation:
    for x in (1, Fraction(1, 3), 3):
        yield seen(x * x, x=x)


def points(context: Context) -> list[Point]:
    return [{"x": x} for x in range(4)]


def one_point(parameters: Point, device: str) -> JobOutput:
    time.sleep(float(os.environ.get("SHOWN_SECONDS", "0")))
    return {"square": parameters["x"] ** 2}


@experiment("four points", points, one_point, acceptance="all agree")
def four_points(context: Context) -> Observation:
    for x, output in enumerate(context.outputs):
        yield seen(int(output["square"]), f"x = {x}", x=x)


@rule("whole", "whole exactly if it is an integer")
def is_whole(given: dict[str, Fraction]) -> bool:
    return given["side"] == int(given["side"])


def area(place: str, title: str, *checks: Check, **more: object) -> Claim:
    given: dict[str, object] = {
        "formula": "x**2",
        "symbols": {"x": "the side x_1 of the square"},
        "controls": {
            "2*x": "the perimeter's growth, right at 0 and 2",
            "Abs(x)**3": "a cube in the place of the square",
        },
    }
    statement = "A square of side x has the area x²: for all x ∈ ℝ, f(x) = x·x = |x|²."
    locator = place.replace("_", " ").capitalize()
    return claim(f"shown.{place}", locator, title, statement, checks=checks, **{**given, **more})  # type: ignore[arg-type]


ONE_TOO_MANY = Erratum(
    "shown-e1",
    "Theorem 2",
    "x² + 1",
    True,
    "x²",
    "a formula changes",
    "misprint",
    "None: the next line has it right.",
    "The square alone is meant.",
    (Edition("first edition", "shown.txt").prints("page 1", "the picture of the page"),),
)
THEOREM_1 = area(
    "theorem_1",
    "The area of a square",
    for_all_sides,
    in_rationals,
    hypotheses=("x is a real number", "the plane is flat"),
)
THEOREM_2 = area(
    "theorem_2",
    "The area, as printed",
    in_rationals,
    rests_on=("shown.theorem_1",),
    flaw=Flaw(ONE_TOO_MANY, "x**2 + 1"),
)
THEOREM_3 = area("theorem_3", "An area with a slip", in_rationals, formula="x**2 + x", rests_on=("shown.theorem_1",))
THEOREM_4 = area("theorem_4", "The area of a bent square", bent)
THEOREM_5 = area("theorem_5", "The area of nothing", at_zero)
THEOREM_6 = area("theorem_6", "The area, measured slowly", slowly)
THEOREM_7 = area("theorem_7", "The area, point by point", four_points)
RULE_8 = area(
    "rule_8",
    "Which sides are whole",
    some_sides,
    formula=is_whole,
    symbols={},
    controls={
        rule("always", "every side is whole")(lambda given: True): "forgets the halves",
        rule("never", "no side is whole")(lambda given: False): "forgets the wholes",
    },
    rests_on=("shown.theorem_5",),
)
LEMMA_9 = area("lemma_9", "The area in cases", in_rationals)
LEMMA_9_SMALL = area(
    "lemma_9_small", "Small sides", without_names, part_of="shown.lemma_9", rests_on=("shown.lemma_9",)
)
LEMMA_9_BENT = area("lemma_9_bent", "Bent sides", bent, part_of="shown.lemma_9", own=True)
