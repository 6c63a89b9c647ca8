"""The square, claimed rightly and wrongly."""

import os
import time
from fractions import Fraction

from implicitbias.claims.check import Check, Context, JobOutput, Kind, Sweep
from implicitbias.claims.evidence import Curve, Evidence, Identity, Instance, Premise, Step
from implicitbias.claims.statement import Claim, Control, Flaw, Rule, Source

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


def derived(context: Context) -> Evidence:
    return Evidence(
        identities=(Identity("x² for all x", {"x": "real"}, {"x": "x"}, "x**2"),),
        steps=(
            Step("a square has two equal sides, x_1 = x_2", "x*x = x**2", "sympy: identical"),
            Step("so its area is their product", "Max(x, 0)**2 + Min(x, 0)**2"),
        ),
    )


def measured(context: Context) -> Evidence:
    xs = (0, 1, -2, Fraction(1, 2), 3, -3, 4, Fraction(-5, 2), 5, 6)
    grid = tuple(i / 10 for i in range(-30, 31))
    return Evidence(
        instances=tuple(Instance(f"a square of side {x}", {"x": x}, x * x) for x in xs),
        premises=(Premise("the sides are straight", True, "largest bend 0"),),
        measured={"sides measured": 40, "widths": {"mean": 0.25, "largest": 1.5}},
        certificates=(CERTIFICATE,),
        curves=(
            Curve("parabola", grid, tuple(x * x for x in grid)),
            Curve("chord", (-3.0, 3.0), (9.0, 9.0)),
            Curve("data", (-3.0, -2.0, 0.0, 1.0, 2.5), (9.0, 4.0, 0.0, 1.0, 6.25), "points"),
        ),
    )


def crooked(context: Context) -> Evidence:
    return Evidence(
        instances=(Instance("a square of side 3", {"x": 3}, 9),),
        premises=(Premise("the sides are straight", False, "largest bend 1/10"),),
    )


def zero(context: Context) -> Evidence:
    return Evidence(instances=(Instance("a square of side 0", {"x": 0}, 0),))


def slow(context: Context) -> Evidence:
    time.sleep(float(os.environ.get("SHOWN_SECONDS", "0")))
    return measured(context)


def whole(context: Context) -> Evidence:
    return Evidence(instances=tuple(Instance(f"side {x}", {"side": x}, x == int(x)) for x in (1, 2, Fraction(1, 2))))


def points(context: Context) -> list[dict[str, int]]:
    return [{"x": x} for x in range(4)]


def one_point(parameters: dict[str, int], device: str) -> JobOutput:
    time.sleep(float(os.environ.get("SHOWN_SECONDS", "0")))
    return {"square": parameters["x"] ** 2}


def together(context: Context) -> Evidence:
    return Evidence(
        instances=tuple(Instance(f"x = {x}", {"x": x}, int(o["square"])) for x, o in enumerate(context.outputs))
    )


SYMBOLS = {"x": "the side x_1 of the square"}
CONTROLS = (
    Control("2*x", "the perimeter's growth, right at 0 and 2"),
    Control("Abs(x)**3", "a cube in the place of the square"),
)
EXACT = Check("areas in rationals", Kind.CERTIFICATE, measured, about="ten squares, measured exactly")
PROOF = Check("for all sides", Kind.PROOF, derived, about="the area as a product of equal sides")


def claim(place: str, title: str, *checks: Check, **more: object) -> Claim:
    given = {
        "id": f"shown.{place}",
        "source": Source("shown", place.replace("_", " ").capitalize()),
        "title": title,
        "statement": "A square of side x has the area x²: for all x ∈ ℝ, f(x) = x·x = |x|².",
        "formula": "x**2",
        "controls": CONTROLS,
        "symbols": SYMBOLS,
        "checks": checks,
    }
    return Claim(**{**given, **more})  # type: ignore[arg-type]


CLAIMS = (
    claim("theorem_1", "The area of a square", PROOF, EXACT, hypotheses=("x is a real number", "the plane is flat")),
    claim(
        "theorem_2",
        "The area, as printed",
        EXACT,
        rests_on=("shown.theorem_1",),
        flaw=Flaw("x**2 + 1", "misprint", "A one too many in print.", "certain", "The next line has it right."),
    ),
    claim("theorem_3", "An area with a slip", EXACT, formula="x**2 + x", rests_on=("shown.theorem_1",)),
    claim("theorem_4", "The area of a bent square", Check("bent", Kind.EXPERIMENT, crooked, acceptance="within 1%")),
    claim("theorem_5", "The area of nothing", Check("at zero", Kind.CERTIFICATE, zero)),
    claim("theorem_6", "The area, measured slowly", Check("slowly", Kind.CERTIFICATE, slow, time_limit=30.0)),
    claim(
        "theorem_7",
        "The area, point by point",
        Check("four points", Kind.EXPERIMENT, together, acceptance="all agree", sweep=Sweep(points, one_point)),
    ),
    claim(
        "rule_8",
        "Which sides are whole",
        Check("some sides", Kind.CERTIFICATE, whole),
        formula=Rule("whole", "whole exactly if it is an integer", lambda given: given["side"] == int(given["side"])),
        symbols={},
        controls=(
            Control(Rule("always", "every side is whole", lambda given: True), "forgets the halves"),
            Control(Rule("never", "no side is whole", lambda given: False), "forgets the wholes"),
        ),
        rests_on=("shown.theorem_5",),
    ),
)
