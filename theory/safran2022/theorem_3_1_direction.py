"""Next to Theorem 3.1: which frozen features let the output weights fit the labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import permutations, product
from random import Random
from typing import Any

from implicitbias.claims import Context, Measured, Observation, Premise, Rule, Value, certificate, claim, rule, seen
from implicitbias.exact.vectors import relu

ALWAYS, SOMETIMES, NEVER = "always", "for some orders and positions", "never"
Unit = tuple[Fraction, Fraction]
RUNS, KNOTS, LEFT, RIGHT, SPAN = (
    "inner runs",
    "inner runs with a knot",
    "knots open to the left",
    "knots open to the right",
    "dimension spanned by the units active everywhere",
)
POSITIONS = 0
"""Of the positions that are tried in every run: where both answers are possible, random ones may show only one."""
EXAMPLE = (
    ((-5, -4, -3), (-1, 0), (2, 3), (5, 6), (7, 8, 9)),
    ((1, Fraction(1, 10)), (1, Fraction(-14, 5)), (-1, Fraction(53, 10)), (1, 13)),
)
"""Runs and units (w, b), one of them active everywhere: the output weights fit the labels all the same."""


def spread(draw: Random, runs: int) -> list[list[Fraction]]:
    """Points in runs, two to four each, at random distances."""
    points, at = [], Fraction(-5)
    for _ in range(runs):
        points.append([at])
        for _ in range(draw.randint(1, 3)):
            points[-1].append(points[-1][-1] + Fraction(draw.randint(1, 12), draw.randint(1, 4)))
        at = points[-1][-1] + Fraction(draw.randint(1, 12), draw.randint(1, 4))
    return points


def units_of(draw: Random, runs: Sequence[Sequence[Fraction]], sides: Sequence[int], span: int) -> list[Unit]:
    """A unit with its knot inside each inner run (side 0: none), and units active everywhere that span `span`
    dimensions; where this is one, there may be two that are parallel.
    """
    units = []
    for run, side in zip(runs[1:-1], sides, strict=True):
        knot = run[0] + (run[-1] - run[0]) * Fraction(draw.randint(1, 19), 20)
        if side:
            units.append((Fraction(side), -side * knot))
    far = max(abs(runs[0][0]), abs(runs[-1][-1]))
    active = []
    for slope in ((draw.choice((-1, 0, 1)),), (1, -1))[span - 1] if span else ():
        size = slope * Fraction(draw.randint(1, 4), 4)
        active.append((size, abs(size) * far + Fraction(draw.randint(1, 40), 4)))
    if span == 1 and draw.random() < 0.5:
        active.append((3 * active[0][0], 3 * active[0][1]))
    return units + active


def separable(runs: Sequence[Sequence[Fraction]], units: Sequence[Unit]) -> bool:
    """Whether some output weights give all margins >= 1, by a linear programme in rationals."""
    from implicitbias.convex.programmes.linear_programme import Optimum, minimise

    rows = [[(-1) ** number * relu(w * at + b) for w, b in units] for number, run in enumerate(runs) for at in run]
    found = minimise([Fraction(0)] * len(units), A_ub=rows, b_ub=[Fraction(-1)] * len(rows), free=True)
    return isinstance(found, Optimum)


def orders(left: int, right: int, empty: int) -> list[tuple[int, ...]]:
    """All orders of knots open to the left, to the right, and of inner runs without a knot."""
    return sorted(set(permutations((-1,) * left + (1,) * right + (0,) * empty)))


def counts(most: int) -> Iterator[tuple[int, int, int, int]]:
    """(left, right, inner runs without a knot, dimension of the active ones)."""
    for inner in range(1, most + 1):
        for empty in (0, 1) if inner < most else (0,):
            for left in range(inner - empty + 1):
                for span in (0, 1, 2):
                    yield left, inner - empty - left, empty, span


@certificate("programmes in rationals")
def output_weights(context: Context) -> Observation:
    """Linear programmes in rationals, each with output weights of margins >= 1 or multipliers that exclude them: for
    every order of the knots, at positions that are the same in every run and then at random ones, until both answers
    were seen; and for one example of both.
    """
    draw, tried = context.random(), 0
    for left, right, empty, span in counts(4):
        answers: set[bool] = set()
        same = Random(POSITIONS)
        for source, sides in product([same] * 5 + [draw] * context.choose(2, 20), orders(left, right, empty)):
            if len(answers) < 2:
                runs = spread(source, left + right + empty + 2)
                answers.add(separable(runs, units_of(source, runs, sides, span)))
                tried += 1
        word = SOMETIMES if len(answers) > 1 else ALWAYS if True in answers else NEVER
        given: dict[str, Value] = {
            RUNS: left + right + empty,
            KNOTS: left + right,
            LEFT: left,
            RIGHT: right,
            SPAN: span,
        }
        yield seen(word, **given)
    yield Measured("programmes", tried)
    runs = [[Fraction(at) for at in run] for run in EXAMPLE[0]]
    fitted = separable(runs, [(Fraction(w), Fraction(b)) for w, b in EXAMPLE[1]])
    yield Premise("one unit active everywhere can be enough: three knots, one of them open to the left", fitted)


def _every(given: Mapping[str, Any]) -> bool:
    return bool(given[KNOTS] == given[RUNS])


def _two_slopes_outside(given: Mapping[str, Any]) -> bool:
    """Whether the functions are two-dimensional left of all knots and right of all knots."""
    return bool(min(given[LEFT], given[RIGHT]) + given[SPAN] >= 2)


@rule("a knot a run, two dimensions outside")
def _separable(given: Mapping[str, Any]) -> Value:
    """never where an inner run has no knot, where the units are one-dimensional on one side of all knots, or with three
    units one of which is active everywhere; always where two dimensions are active everywhere; else for some orders and
    positions of the knots
    """
    if not _every(given) or not _two_slopes_outside(given):
        return NEVER
    if given[SPAN] == 2:
        return ALWAYS
    return NEVER if given[RUNS] + given[SPAN] == 3 else SOMETIMES


@rule("two active ones are needed")
def _two_are_needed(given: Mapping[str, Any]) -> Value:
    """separable iff every inner run has a knot and two dimensions are active everywhere"""
    return ALWAYS if _every(given) and given[SPAN] == 2 else NEVER


@rule("active ones are enough")
def _active_ones_are_enough(given: Mapping[str, Any]) -> Value:
    """two units active everywhere are enough"""
    return ALWAYS if given[SPAN] == 2 else _separable.predict(given)


@rule("knots are enough")
def _knots_are_enough(given: Mapping[str, Any]) -> Value:
    """a knot in every inner run is enough"""
    return ALWAYS if _every(given) else NEVER


@rule("one active one is enough")
def _one_is_enough(given: Mapping[str, Any]) -> Value:
    """as the rule, but one unit active everywhere is as good as two where there are knots open to both sides"""
    return ALWAYS if given[SPAN] == 1 and _separable.predict(given) == SOMETIMES else _separable.predict(given)


@rule("three units as well")
def _three_units_as_well(given: Mapping[str, Any]) -> Value:
    """as the rule, without the exception of three units"""
    if not _every(given) or not _two_slopes_outside(given):
        return NEVER
    return ALWAYS if given[SPAN] == 2 else SOMETIMES


DIRECTION = claim(
    "safran2022.theorem_3_1_direction",
    "next to Theorem 3.1, the proof sketch",
    "Frozen features that can fit the labels",
    """The paper asks for three breakpoints in each constant segment and four units active on all data; then a direction
    of output weights lowers the loss. Enough is one breakpoint inside each inner run of equal labels and two units that
    are active everywhere and not parallel, whatever the number of points: they span every piecewise linear function
    with these kinks, and one that alternates between the kinks, heights chosen so that its zeros lie between the runs,
    has the right signs. Needed is less. Without a kink in an inner run the function is straight across it. To the left
    of all knots it is made of the units open to the left and of those active everywhere, and it must change sign there:
    they span two dimensions, and so do those on the right. With this, one unit active everywhere or none is enough for
    some orders and positions of the knots and not for others (seen with up to four inner runs); two knots and one
    active unit never are, as at both knots the function has the sign of the active unit's weight.""",
    latex=r"\exists u\ \forall i:\ y_i\textstyle\sum_j u_j[w_jx_i+b_j]_+\ge1",
    hypotheses=(
        "inner runs: neither the first nor the last; one at least; at most one knot in each, strictly inside, none "
        "between the runs",
        "a missing kink is missing between the neighbouring runs as well",
    ),
    formula=_separable,
    controls={
        Rule(
            "three knots a run",
            "only three knots in each run and four units active everywhere are enough",
            lambda g: NEVER,
        ): "the paper's sufficient condition taken for a necessary one",
        _two_are_needed: "the sufficient condition here taken for a necessary one",
        _active_ones_are_enough: "knots in some runs are as good as in all",
        _knots_are_enough: "no unit active everywhere",
        _one_is_enough: "positions do not matter",
        _three_units_as_well: "the necessary conditions taken for sufficient ones",
    },
    checks=(output_weights,),
    own=True,
    part_of="safran2022.theorem_3_1",
)
