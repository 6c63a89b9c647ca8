"""Problem (4): what makes a KKT point, all equations and inequalities together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, cast

from implicitbias.claims import Attached, Context, Measured, Observation, Premise, Rule, Value, certificate, claim, seen
from implicitbias.exact.vectors import relu

from ..observed.margin.kkt_points import constant, families, make, valley, with_point

if TYPE_CHECKING:
    from implicitbias.convex.kkt.points import KKTPoint


def _given(point: KKTPoint) -> dict[str, Value]:
    """The numbers of a point, from which the rules below compute everything."""
    return {
        "x": point.x,
        "y": point.labels,
        "lam": tuple(point.multipliers.get(i, Fraction(0)) for i in range(len(point.x))),
        "sign of v": tuple(unit.sign for unit in point.units),
        "v²": tuple(unit.square for unit in point.units),
        "σ'": tuple(
            tuple(unit.contacts.get(i, Fraction(i in unit.active)) for i in range(len(point.x))) for unit in point.units
        ),
    }


def _near_misses(point: KKTPoint) -> list[tuple[str, KKTPoint]]:
    found: list[tuple[str, KKTPoint]] = []
    first = point.units[0]
    i, weight = next(iter(point.multipliers.items()))
    found.append(
        ("a multiplier off by 1/1000", replace(point, multipliers={**point.multipliers, i: weight + Fraction(1, 1000)}))
    )
    found.append(("v² doubled", replace(point, units=tuple(replace(u, square=2 * u.square) for u in point.units))))
    found.append(("a label flipped", replace(point, labels=(-point.labels[0], *point.labels[1:]))))
    found.append(("all labels flipped", replace(point, labels=tuple(-y for y in point.labels))))
    if first.contacts:
        for share in (0, 1):
            shares = {i: Fraction(share) for i in first.contacts}
            changed = tuple(replace(u, contacts={i: Fraction(share) for i in u.contacts}) for u in point.units)
            found.append((f"all σ'(0) = {share}", replace(point, units=changed)))
            found.append(
                (
                    f"σ'(0) = {share} in one unit",
                    replace(point, units=(replace(first, contacts=shares), *point.units[1:])),
                )
            )
    return found


@certificate("certified points and near misses")
def near_misses(context: Context) -> Observation:
    """The kernel's answer for points in closed form, which it accepts, and for near misses, which it refuses; it works
    with |s|² and balls, never with v.
    """
    points = list(families(context.random(), context.choose(8, 60)))
    half = Fraction(1, 2)
    forged = [
        (
            "|s| = 4: (5) and (6) hold, v has no part in it",
            make((0,), (1,), {0: Fraction(4)}, ((1, Fraction(1, 4), (0,), {}),)),
        ),
        (
            "margins 2 at points with multipliers",
            make((-1, 1), (1, 1), {0: half, 1: half}, ((1, Fraction(2), (0, 1), {}),)),
        ),
        ("a point with the wrong label", with_point(valley(Fraction(4, 3)), Fraction(5), -1)),
        ("a point with the wrong label", with_point(constant(Fraction(1)), Fraction(1, 2), -1)),
    ]
    for found in points[:12]:
        forged += [(f"{found.name}: {what}", point) for what, point in _near_misses(found.point)]
    instances = [seen(True, found.name, **_given(found.point)) for found in points]
    for name, point in forged:
        _, refusal = point.certified()
        instances.append(seen(not refusal, name, **_given(point)))
    fractional = sum(any(0 < c < 1 for unit in found.point.units for c in unit.contacts.values()) for found in points)
    yield from instances
    yield Premise("some points need a derivative strictly between 0 and 1 at a kink on a data point", fractional >= 2)
    yield Premise("near misses are refused", sum(not i.observed for i in instances) >= 20)
    yield Measured("KKT points", len(points))
    yield Measured("near misses", len(forged))
    yield Measured("with a fractional derivative", fractional)
    yield from (Attached(found.document) for found in points[:7])


Numbers = Mapping[str, Any]


def _directions(given: Numbers, shares: list[list[Fraction]]) -> list[tuple[Fraction, Fraction]]:
    """(w_j, b_j)/v_j by equations (5) and (6)."""
    found = []
    for row in shares:
        parts = [k * y * c for k, y, c in zip(given["lam"], given["y"], row, strict=True)]
        slope = sum((p * x for p, x in zip(parts, given["x"], strict=True)), Fraction(0))
        found.append((slope, sum(parts, Fraction(0))))
    return found


def _is_kkt(
    given: Mapping[str, Value],
    kinks: Fraction | None = None,
    third: bool = True,
    slack: bool = True,
    feasible: bool = True,
) -> bool:
    """All conditions; `kinks` replaces the derivative at a kink, the flags leave a condition out."""
    numbers = cast(Numbers, given)
    x, y, lam = numbers["x"], numbers["y"], numbers["lam"]
    shares = [list(row) for row in numbers["σ'"]]
    directions = _directions(numbers, shares)
    margins = [Fraction(0)] * len(x)
    for row, (slope, offset), sign, square in zip(shares, directions, numbers["sign of v"], numbers["v²"], strict=True):
        pull = Fraction(0)
        for i, at in enumerate(x):
            height = sign * (slope * at + offset)  # (w x + b)/|v|
            if (height > 0 and row[i] != 1) or (height < 0 and row[i] != 0):
                return False
            if height == 0 and (not 0 <= row[i] <= 1 or (kinks is not None and lam[i] and row[i] != kinks)):
                return False
            margins[i] += y[i] * sign * square * relu(height)
            pull += lam[i] * y[i] * relu(height)  # Σ λ y [w x + b]_+ over |v|
        if third and pull != sign:
            return False
    if feasible and min(margins) < 1:
        return False
    return all(k >= 0 and (not slack or not k or margin == 1) for k, margin in zip(lam, margins, strict=True))


KKT = claim(
    "safran2022.equation_4",
    "problem (4), equations (5) and (6)",
    "KKT points of the margin problem",
    """θ with multipliers λ is a KKT point of min ½‖θ‖² subject to y_i N(x_i) ≥ 1 if and only if all margins are at
    least 1, λ ≥ 0 vanishes where a margin exceeds 1, and every unit has w_j = Σ λ_i y_i v_j σ'_ij x_i, b_j = Σ λ_i y_i
    v_j σ'_ij and v_j = Σ λ_i y_i [w_j x_i + b_j]₊, where σ'_ij is 1 for an active unit, 0 for an inactive one, and any
    number of [0, 1] at its kink. Kinks of limits often lie on data points, with σ' strictly between 0 and 1: a checker
    that fixes σ'(0) refuses them.""",
    latex=r"""w_j=\sum_i\lambda_iy_iv_j\sigma'_{ij}x_i,\quad b_j=\sum_i\lambda_iy_iv_j\sigma'_{ij},\quad
    v_j=\sum_i\lambda_iy_i[w_jx_i+b_j]_+""",
    hypotheses=("Clarke's subdifferential; different σ'_ij are independent, as each occurs in one term only",),
    formula=Rule(
        "all conditions", "margins, complementary slackness, and three equations per unit", lambda given: _is_kkt(given)
    ),
    controls={
        Rule(
            "σ'(0) = 0", "the derivative at a kink is 0", lambda given: _is_kkt(given, kinks=Fraction(0))
        ): "automatic differentiation's choice",
        Rule(
            "σ'(0) = 1", "the derivative at a kink is 1", lambda given: _is_kkt(given, kinks=Fraction(1))
        ): "the other choice",
        Rule(
            "without the equation for v", "(5) and (6) only, as printed", lambda given: _is_kkt(given, third=False)
        ): "the text prints two of three equations",
        Rule(
            "without slackness", "multipliers anywhere", lambda given: _is_kkt(given, slack=False)
        ): "stationarity alone",
        Rule(
            "without feasibility", "margins not checked", lambda given: _is_kkt(given, feasible=False)
        ): "points without a multiplier forgotten",
    },
    checks=(near_misses,),
    see_also=("savarese2019.lemma_1", "stewart2022.theorem_1_classification"),
    part_of="safran2022.theorem_4_1",
)
