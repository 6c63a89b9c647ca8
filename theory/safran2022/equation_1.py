"""Equation (1): where a network has its breakpoints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import cast

from implicitbias.claims import Context, Measured, Observation, Rule, Step, Value, certificate, claim, seen

from ..observed.units.unit_lists import Unit, value


def kinks(units: Sequence[Unit]) -> tuple[Fraction, ...]:
    """The points without a derivative, from values alone: slopes on both sides of all places -b/w."""
    places = sorted({-b / w for w, b, _ in units if w})
    if not places:
        return ()
    around = [places[0] - 1, *places, places[-1] + 1]
    slopes = []
    for left, right in pairwise(around):
        one, other = (2 * left + right) / 3, (left + 2 * right) / 3
        slopes.append((value(units, other) - value(units, one)) / (other - one))
    return tuple(x for x, (before, after) in zip(places, pairwise(slopes), strict=True) if before != after)


def networks(context: Context) -> list[tuple[str, list[Unit]]]:
    """Networks with duplicates, cancelling pairs and zero weights, and random ones, by name."""
    F = Fraction
    named: list[tuple[str, list[tuple[int, int, int]]]] = [
        ("one unit", [(1, 0, 1)]),
        ("two units", [(1, 0, 1), (1, -1, 1)]),
        ("duplicates", [(1, -1, 1), (2, -2, 3)]),
        ("opposite duplicates", [(1, -1, 2), (2, -2, -1)]),
        ("right and left at one place, no kink left", [(1, -1, 2), (-1, 1, -2)]),
        ("right and left at one place, a kink", [(1, -1, 2), (-1, 1, 2)]),
        ("w = 0: a constant", [(0, 1, 5), (1, 2, 1)]),
        ("v = 0: a unit without effect", [(1, 3, 0), (1, 2, 1)]),
        ("all cancels", [(1, 2, 1), (1, 2, -1), (0, -1, 4)]),
        ("|x - 1| three times", [(1, -1, 1), (-1, 1, 1), (3, -3, 1)]),
    ]
    found = [(name, [(F(w), F(b), F(v)) for w, b, v in units]) for name, units in named]
    draw = context.random()
    for n in range(context.choose(30, 300)):
        units = []
        for _ in range(draw.randint(1, 7)):
            w = F(draw.randint(-3, 3), draw.randint(1, 2))
            units.append((w, -w * draw.randint(-2, 2) if w else F(draw.randint(-2, 2)), F(draw.randint(-3, 3))))
        found.append((f"random {n + 1}", units))
    return found


@certificate("slopes on both sides")
def breakpoints(context: Context) -> Observation:
    """Slopes from exact values of networks with duplicates, cancelling pairs and zero weights."""
    fewer = 0
    for name, units in networks(context):
        rows: dict[str, Value] = {key: tuple(unit[n] for unit in units) for n, key in enumerate("wbv")}
        found = kinks(units)
        fewer += len(found) < len(units)
        yield seen(found, name, **rows)
    yield Step("values of N at two points in every gap between the places -b/w give the slopes there")
    yield Measured("networks with fewer breakpoints than units", fewer)


def _units(given: Mapping[str, Value]) -> list[Unit]:
    rows = [cast(Sequence[Fraction], given[key]) for key in "wbv"]
    return [(w, b, v) for w, b, v in zip(*rows, strict=True)]


def _jumps(given: Mapping[str, Value], signed: bool = False) -> dict[Fraction, Fraction]:
    """Σ v|w| by place -b/w; Σ v w if `signed`."""
    jumps: dict[Fraction, Fraction] = {}
    for w, b, v in _units(given):
        if w:
            place = -Fraction(b) / w
            jumps[place] = jumps.get(place, Fraction(0)) + v * (w if signed else abs(w))
    return jumps


EQUATION_1 = claim(
    "safran2022.equation_1",
    "equation (1) and the definition of breakpoints",
    "The breakpoints of a network",
    """N(x) = Σ_j v_j[w_j x + b_j]₊ has no derivative exactly at the places -b_j/w_j of units with w_j ≠ 0 at which the
    jumps v_j|w_j| of all units with that place do not add up to 0. There are at most k + 1 linear regions, and fewer
    where units share a place, cancel, or have w_j = 0 or v_j = 0: a right and a left unit at one place with v|w| and
    -v|w| leave a straight line.""",
    latex=r"\{x:N'(x-)\ne N'(x+)\}=\Bigl\{t:\sum_{j:\,-b_j/w_j=t}v_j|w_j|\ne0\Bigr\}",
    formula=Rule(
        "places where jumps do not cancel",
        "the different -b/w of units with w ≠ 0 whose Σ v|w| is not 0",
        lambda given: tuple(sorted(place for place, jump in _jumps(given).items() if jump)),
    ),
    controls={
        Rule(
            "every unit",
            "-b/w of every unit with w ≠ 0",
            lambda given: tuple(sorted(-b / w for w, b, _ in _units(given) if w)),
        ): "k units, so k + 1 regions",
        Rule(
            "different places", "the different -b/w, whatever cancels", lambda given: tuple(sorted(_jumps(given)))
        ): "equal places merged, and none left out",
        Rule(
            "signed slopes",
            "the places whose Σ v w is not 0",
            lambda given: tuple(sorted(place for place, jump in _jumps(given, signed=True).items() if jump)),
        ): "the jump of a left unit is v|w|, not v w",
    },
    checks=(breakpoints,),
    part_of="safran2022.theorem_2_3",
)
