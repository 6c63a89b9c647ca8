"""Next to Theorem 3.1: which frozen features let the output weights fit the labels."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from random import Random
from typing import Any

from implicitbias.claims import Context, Observation, Rule, Value, certificate, claim, rule, seen
from implicitbias.exact.vectors import relu


def features(
    draw: Random, runs: int, missing: bool, always: int, turn: int
) -> tuple[list[Fraction], list[int], list[tuple[Fraction, Fraction]]]:
    """Points in runs of alternating labels; units with a knot in each inner run, and units that are active everywhere.

    missing  whether one of the inner runs has no knot
    turn     0: knots open to either side at random; 1: all to the right
    """
    x, y, inner, at = [], [], [], Fraction(-5)
    for run in range(runs):
        points = [at + Fraction(j) for j in range(draw.randint(2, 4))]
        x += points
        y += [1 if run % 2 else -1] * len(points)
        if 0 < run < runs - 1:
            inner.append(points[0] + (points[-1] - points[0]) * Fraction(draw.randint(1, 9), 10))
        at = points[-1] + Fraction(draw.randint(1, 3))
    if missing:
        inner.pop(draw.randrange(len(inner)))
    units = []
    for knot in inner:
        side = 1 if turn else draw.choice([-1, 1])
        units.append((Fraction(side), -side * knot))
    bound = max(abs(p) for p in x)
    for number in range(always):
        slope = Fraction(draw.randint(1, 4), 4) * (-1) ** number
        units.append((slope, abs(slope) * bound + Fraction(draw.randint(1, 5))))
    return x, y, units


@certificate("programmes in rationals")
def output_weights(context: Context) -> Observation:
    """Linear programmes in rationals: output weights with all margins >= 1, or multipliers that exclude them."""
    from implicitbias.convex.programmes.linear_programme import Optimum, minimise

    draw = context.random()
    kinds = ((False, 2, 0), (False, 4, 0), (True, 2, 0), (True, 6, 0), (False, 1, 1))
    for case in range(context.choose(20, 120)):
        missing, always, turn = kinds[case % len(kinds)]
        runs = draw.randint(3, 6)
        x, y, units = features(draw, runs, missing, always, turn)
        rows = [[-label * relu(w * at + b) for w, b in units] for at, label in zip(x, y, strict=True)]
        found = minimise([Fraction(0)] * len(units), A_ub=rows, b_ub=[Fraction(-1)] * len(x), free=True)
        word = "separable" if isinstance(found, Optimum) else "not separable"
        yield seen(
            word,
            f"{runs} runs, {len(units)} units, case {case}",
            **{
                "inner runs": runs - 2,
                "inner runs with a knot": runs - 2 - missing,
                "always active": always,
                "knots open to the right alone": bool(turn),
            },
            units=len(units),
            points=len(x),
        )


@rule("one knot a run, two active")
def _separable(given: Mapping[str, Any]) -> Value:
    """separable iff every inner run has a knot and two units or more are active everywhere"""
    every = given["inner runs with a knot"] == given["inner runs"]
    return "separable" if every and given["always active"] >= 2 else "not separable"


@rule("active ones are enough")
def _active_ones_are_enough(given: Mapping[str, Any]) -> Value:
    """two units active everywhere are enough"""
    return "separable" if given["always active"] >= 2 else "not separable"


@rule("as many units as points")
def _as_many_units_as_points(given: Mapping[str, Any]) -> Value:
    """separable iff there are as many units as points"""
    return "separable" if given["units"] >= given["points"] else "not separable"


DIRECTION = claim(
    "safran2022.theorem_3_1_direction",
    "next to Theorem 3.1, the proof sketch",
    "Frozen features that can fit the labels",
    """The paper asks for three breakpoints in each constant segment and four units active on all data; then a direction
    of output weights lowers the loss. Enough is one breakpoint inside each inner run of equal labels and two units that
    are active everywhere and not parallel, whatever the number of points: they span every piecewise linear function
    with these kinks, and one that alternates between ±1 at the kinks, heights chosen so that its zeros lie between the
    runs, has the right signs. It is necessary too: without a kink between the neighbours of an inner run the function
    is straight across it; and with one such unit and kinks all open to the right the sign to the left of the first kink
    is one.""",
    latex=r"\exists u\ \forall i:\ y_i\textstyle\sum_j u_j[w_jx_i+b_j]_+\ge1",
    hypotheses=(
        """inner runs: neither the first nor the last; three runs at least, so that the first kink has a switch to its
        left""",
        "a missing kink is missing between the neighbouring runs as well",
    ),
    formula=_separable,
    controls={
        Rule(
            "three knots a run",
            "only three knots in each run and four units active everywhere are enough",
            lambda g: "not separable",
        ): "the paper's sufficient condition taken for a necessary one",
        _active_ones_are_enough: "knots in some runs are as good as in all",
        Rule(
            "knots are enough",
            "a knot in every inner run is enough",
            lambda g: "separable" if g["inner runs with a knot"] == g["inner runs"] else "not separable",
        ): "no unit active everywhere",
        _as_many_units_as_points: "extreme over-parametrisation: interpolation of arbitrary labels",
    },
    checks=(output_weights,),
    own=True,
    part_of="safran2022.theorem_3_1",
)
