"""Equation (1): where a network bends, and the sign that makes labels of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import cast

from implicitbias.claims import Context, Measured, Observation, Premise, Rule, Step, Value, certificate, claim, seen

from ..observed.units.unit_lists import Unit, value


def _bends(units: Sequence[Unit]) -> tuple[Fraction, ...]:
    """The points without a derivative, from values alone: slopes on both sides of all places of units."""
    places = sorted({-b / w for w, b, _ in units if w})
    if not places:
        return ()
    around = [places[0] - 1, *places, places[-1] + 1]
    slopes = []
    for left, right in pairwise(around):
        one, other = (2 * left + right) / 3, (left + 2 * right) / 3
        slopes.append((value(units, other) - value(units, one)) / (other - one))
    return tuple(x for x, (before, after) in zip(places, pairwise(slopes), strict=True) if before != after)


def _networks(context: Context) -> list[tuple[str, list[Unit]]]:
    F = Fraction
    named: list[tuple[str, list[tuple[int, int, int]]]] = [
        ("one unit", [(1, 0, 1)]),
        ("two units", [(1, 0, 1), (1, -1, 1)]),
        ("duplicates", [(1, -1, 1), (2, -2, 3)]),
        ("opposite duplicates", [(1, -1, 2), (2, -2, -1)]),
        ("right and left at one place, no kink left", [(1, -1, 2), (-1, 1, -2)]),
        ("right and left at one place, a kink", [(1, -1, 2), (-1, 1, 2)]),
        ("w = 0: a constant", [(0, 1, 5), (1, 2, 1)]),
        ("v = 0: a unit that is nothing", [(1, 3, 0), (1, 2, 1)]),
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
    """Exact values of networks with duplicates, cancelling pairs, zero weights; another set of kinks refutes."""
    fewer = 0
    for name, units in _networks(context):
        rows: dict[str, Value] = {key: tuple(unit[n] for unit in units) for n, key in enumerate("wbv")}
        bends = _bends(units)
        fewer += len(bends) < len(units)
        yield seen(bends, name, **rows)
    yield Step("values of N at two points in every gap between the places -b/w give the slopes there")
    yield Measured("networks with fewer breakpoints than units", fewer)


def _units(given: Mapping[str, Value]) -> list[Unit]:
    rows = [cast(Sequence[Fraction], given[key]) for key in "wbv"]
    return [(w, b, v) for w, b, v in zip(*rows, strict=True)]


def _merged(given: Mapping[str, Value]) -> dict[Fraction, Fraction]:
    jumps: dict[Fraction, Fraction] = {}
    for w, b, v in _units(given):
        if w:
            place = -Fraction(b) / w
            jumps[place] = jumps.get(place, Fraction(0)) + v * abs(w)
    return jumps


EQUATION_1 = claim(
    "safran2022.equation_1",
    "equation (1) and the definition of breakpoints",
    "The breakpoints of a network",
    """N(x) = Σ_j v_j[w_j x + b_j]₊ has no derivative exactly where units with w_j ≠ 0 bend, at -b_j/w_j, and the jumps
    v_j|w_j| of all units with that place do not add up to 0. There are k + 1 linear regions at most, and fewer where
    units share a place, cancel, or have w_j = 0 or v_j = 0: a right and a left unit at one place with v|w| and -v|w|
    leave a straight line.""",
    latex=r"\{x:N'(x-)\ne N'(x+)\}=\Bigl\{t:\sum_{j:\,-b_j/w_j=t}v_j|w_j|\ne0\Bigr\}",
    formula=Rule(
        "places where jumps do not cancel",
        "the different -b/w of units with w ≠ 0 whose Σ v|w| is not 0",
        lambda given: tuple(sorted(place for place, jump in _merged(given).items() if jump)),
    ),
    controls={
        Rule(
            "every unit",
            "-b/w of every unit with w ≠ 0",
            lambda given: tuple(sorted(-b / w for w, b, _ in _units(given) if w)),
        ): "k units, so k + 1 regions",
        Rule(
            "different places", "the different -b/w, whatever cancels", lambda given: tuple(sorted(_merged(given)))
        ): "equal places merged, and none left out",
        Rule(
            "signed slopes", "the places whose Σ v w is not 0", lambda given: _by_slope(given)
        ): "the jump of a left unit is v|w|, not v w",
    },
    checks=(breakpoints,),
    part_of="safran2022.theorem_2_3",
)


def _by_slope(given: Mapping[str, Value]) -> tuple[Fraction, ...]:
    sums: dict[Fraction, Fraction] = {}
    for w, b, v in _units(given):
        if w:
            sums[-Fraction(b) / w] = sums.get(-Fraction(b) / w, Fraction(0)) + v * w
    return tuple(sorted(place for place, total in sums.items() if total))


@certificate("outputs of networks")
def sign(context: Context) -> Observation:
    """The definition at exact outputs, zeros among them. Labels read off the words `1 if z > 0, else -1`, of outputs of
    networks that vanish on intervals among them.
    """
    draw = context.random()
    instances, closed = [], 0
    teacher: list[Unit] = [(Fraction(1), Fraction(0), Fraction(1))]
    for x in (Fraction(0), Fraction(-1), Fraction(2), Fraction(1, 10**6)):
        z = value(teacher, x)
        instances.append(seen(1 if z > 0 else -1, f"N* = [x]₊ at x = {x}", z=z))
    for _ in range(12):
        units: list[Unit] = [
            (Fraction(draw.randint(-3, 3)), Fraction(draw.randint(-2, 2)), Fraction(draw.choice((-2, -1, 1, 3))))
            for _ in range(draw.randint(1, 4))
        ]
        x = Fraction(draw.randint(-6, 6), 2)
        z = value(units, x)
        instances.append(seen(1 if z > 0 else -1, f"a network at x = {x}", z=z))
        closed += z == 0
    yield from instances
    yield Premise("outputs 0, below and above occur", {i.observed for i in instances} == {1, -1})
    yield Measured("outputs that are 0", closed + 2)


SIGN = claim(
    "safran2022.section_2_sign",
    "Section 2, Notations",
    "The sign of zero is -1",
    """Labels are sign(z) = 1 for z > 0 and -1 otherwise, sign(0) = -1 included: the places with label 1 form an open
    set, and where a teacher vanishes on an interval, as [x]₊ does on x ≤ 0, the label is -1.""",
    latex=r"\operatorname{sign}(z)=2\lfloor(1+\operatorname{sgn}z)/2\rfloor-1,\qquad\operatorname{sgn}0=0",
    formula="2*floor((1 + sign(z))/2) - 1",
    symbols={"z": "the output of a network; `sign` is the usual sign, with sign(0) = 0"},
    controls={
        "sign(z)": "the usual sign: 0 at 0, no label at all",
        "1 - 2*floor((1 - sign(z))/2)": "1 for z >= 0: {label 1} would be closed",
        "-sign(z)": "labels exchanged",
    },
    checks=(sign,),
    part_of="safran2022.theorem_2_3",
)
