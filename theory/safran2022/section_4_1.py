"""Section 4.1: KKT points need not be optima, and the dual function that tells."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import isqrt
from typing import cast

from implicitbias.claims import (
    Attached,
    Context,
    Measured,
    Observation,
    Premise,
    Rule,
    Value,
    certificate,
    claim,
    seen,
    shows,
    theorem,
)
from implicitbias.theorems.rules.extrema.largest_price import LargestPrice

from ..observed.margin.kkt_points import LEGS, Found, accepted, constant, families, searched, two_units

BEYOND = Fraction(1, 10**15)
"""Points are known within 2^-90: D² up to this much above 1 counts as 1."""


def lower_bound(found: Found) -> Fraction:
    """A lower bound of ½|θ|² over all widths, from multipliers of another solver, made feasible for the dual."""
    import numpy as np
    from scipy.optimize import linprog

    from implicitbias.convex.kkt.dual import DualFunction
    from implicitbias.convex.kkt.optimum import margin_optimum

    point = found.point
    at, y = np.array([float(x) for x in point.x]), np.array(point.labels, dtype=float)
    best = margin_optimum(at.tolist(), point.labels)
    if best is None:
        raise ArithmeticError("the data cannot be classified")
    angles = np.concatenate([np.linspace(0, 2 * np.pi, 400), np.arctan2(best.b, best.w)])
    rows = np.maximum(np.outer(np.cos(angles), at) + np.sin(angles)[:, None], 0) * y
    dual = linprog(-np.ones(len(at)), np.concatenate([rows, -rows]), np.ones(2 * len(rows)), method="highs").x
    if dual is None:
        return Fraction(0)
    weights = {i: Fraction(float(weight)) for i, weight in enumerate(dual) if weight > 0}
    square = DualFunction(point.x, point.labels, weights).largest_square
    root = Fraction(isqrt(int(square * 10**24)) + 1, 10**12)
    return sum(weights.values(), Fraction(0)) / root


@certificate("costs against a bound of other origin")
def bounds_of_other_origin(context: Context) -> Observation:
    """Costs of certified points against an exactly feasible better network, or an exact dual bound from another
    solver.
    """
    from implicitbias.convex.kkt.dual import DualFunction, optimality
    from implicitbias.convex.kkt.points import near_multipliers

    draw = context.random()
    points = list(families(draw, context.choose(4, 30)))
    points += searched(draw, dict.fromkeys(range(context.choose(4, 6)), context.choose(2, 8)), share=0.6)
    instances, open_, worse = [], 0, 0
    for found in points:
        answer = optimality(found.point)
        optimal = answer.better is None
        if optimal and lower_bound(found) < found.cost * (1 - Fraction(1, 10**3)):
            open_ += 1  # neither a better network nor a bound that is met
            continue
        worse += not optimal
        dual = DualFunction(found.point.x, found.point.labels, found.point.multipliers)
        square = dual.largest_square
        if not found.point.radius:
            near = DualFunction(found.point.x, found.point.labels, near_multipliers(found.point))
            square = min(square, near.largest_square)
        instances.append(
            seen(
                optimal,
                found.name,
                **{"sup D²": square},
                kinks=found.kinks[1],
                s=found.switches,
                multipliers=len(dual.support),
            )
        )
    yield from instances
    yield Premise("points that are optima, and points that are not", 0 < worse < len(instances), f"{worse} are not")
    yield Premise("most are decided", open_ <= len(points) // 4, f"{open_} of {len(points)} left out")
    yield Measured("points", len(instances))
    yield Measured("not optimal", worse)
    yield Measured("left out", open_)
    yield from (Attached(found.document) for found in points)


def _sup(given: Mapping[str, Value]) -> Fraction:
    return cast(Fraction, given["sup D²"])


OPTIMALITY = claim(
    "safran2022.section_4_1_optimality",
    "Section 4.1, after Theorem 4.1",
    "KKT points that are optimal, and others",
    """A KKT point of problem (4) need not be a global optimum. Let D(u) = Σ λ_i y_i [u·(x_i, 1)]₊ with its multipliers:
    if |D| ≤ 1 for all u of length one, the point is optimal among networks of all widths; if |D| exceeds 1 somewhere
    (and λ is unique), it is not. The units of the point lie at peaks of |D| of height exactly 1.""",
    latex=r"\sup_{|u|=1}\Bigl|\sum_i\lambda_iy_i[u\cdot(x_i,1)]_+\Bigr|\le1\iff\theta\text{ is a global optimum}",
    hypotheses=("multipliers are unique, or those that make sup |D| least are meant",),
    formula=Rule("|D| at most 1", "optimal if and only if sup |D| <= 1", lambda given: _sup(given) <= 1 + BEYOND),
    controls={
        Rule(
            "always", "every KKT point is optimal", lambda given: True
        ): "first-order conditions suffice in convex problems",
        Rule("never", "no KKT point is optimal", lambda given: False): "a non-convex problem",
        Rule(
            "few kinks",
            "optimal if there are at most s kinks",
            lambda given: cast(int, given["kinks"]) <= cast(int, given["s"]),
        ): "simple functions are the cheap ones",
    },
    checks=(bounds_of_other_origin,),
    rests_on=("safran2022.equation_4", "safran2022.equation_4_multipliers"),
    part_of="safran2022.example_1_kkt",
)


@theorem("cone by cone")
def two_units_cones() -> Observation:
    """Largest along the points for t² >= 3, at the constant for t² <= 3, where r = t²."""
    yield shows(
        LargestPrice(
            multipliers=(("-sqrt(r)", "1/sqrt(1 + r)"), ("sqrt(r)", "1/sqrt(1 + r)")),
            at=("Max(0, sign(r - 3))*sqrt(r)", "1"),
        ),
        for_all={"r": "real"},
        assuming=("r >= 1",),
        split=("r - 3",),
        t="sqrt(r)",
    )


@certificate("certified points")
def certified_two_units(context: Context) -> Observation:
    """Sup D² in rationals at points accepted by the kernel."""
    from implicitbias.convex.kkt.dual import DualFunction

    extra = [Fraction(m * m - n * n, 2 * m * n) for m, n in ((5, 2), (7, 2), (9, 4), (11, 2), (13, 6), (12, 5))]
    for t in sorted({t for t in (*LEGS, *extra) if t >= 1}):
        found = accepted(f"t = {t}", two_units(t, 1, 1))
        dual = DualFunction(found.point.x, found.point.labels, found.point.multipliers)
        yield seen(dual.largest_square, f"x = ±{t}", t=t)
        yield Attached(found.document)


TWO_UNITS = claim(
    "safran2022.section_4_1_two_units",
    "next to Theorem 4.1",
    "A KKT point with two kinks, optimal for distant points only",
    """For the points ±t, t ≥ 1, with label 1 the two units along the points, with kinks ±1/t and ½‖θ‖² = 2/√(1 + t²),
    make a KKT point. Its dual function has sup D² = max(1, 4/(1 + t²)): it is a global optimum for t² ≥ 3, but not for
    1 ≤ t² < 3, where the constant unit costs 1. For t = 4/3: sup D² = 36/25.""",
    latex=r"\sup_{|u|=1}D(u)^2=\max\Bigl(1,\frac4{1+t^2}\Bigr)",
    hypotheses=("t ≥ 1, so that each unit is 0 at the other point",),
    formula="Max(1, 4/(1 + t**2))",
    symbols={"t": "distance of both points from 0"},
    controls={
        "1": "every KKT point optimal",
        "4/(1 + t**2)": "the constant direction alone",
        "Max(1, 2/sqrt(1 + t**2))": "|D| instead of D²",
        "Max(1, 4*t**2/(1 + t**2)**2)": "the rays of the points alone",
    },
    checks=(two_units_cones, certified_two_units),
    rests_on=("safran2022.section_4_1_optimality",),
    own=True,
    part_of="safran2022.example_1_kkt",
)


@theorem("cone by cone")
def constant_cones() -> Observation:
    """Largest at the constant for t² <= 3, along the points for t² >= 3, where r = t²."""
    yield shows(
        LargestPrice(
            multipliers=(("-sqrt(r)", "1/2"), ("sqrt(r)", "1/2")),
            at=("Max(0, sign(r - 3))*sqrt(r)", "1"),
        ),
        for_all={"r": "positive"},
        split=("r - 3",),
        t="sqrt(r)",
    )


@certificate("certified points")
def certified_constants(context: Context) -> Observation:
    """Sup D² in rationals, the paper's t = 4 among them."""
    from implicitbias.convex.kkt.dual import DualFunction

    draw = context.random()
    places = [Fraction(4), Fraction(4, 3), Fraction(1), Fraction(2), Fraction(1, 2), Fraction(7, 4), Fraction(12)]
    for t in [*places, *(Fraction(draw.randint(1, 60), draw.randint(1, 12)) for _ in range(8))]:
        found = accepted(f"t = {t}", constant(t))
        dual = DualFunction(found.point.x, found.point.labels, found.point.multipliers)
        yield seen(dual.largest_square, "Example 1" if t == 4 else f"x = ±{t}", t=t)


CONSTANT = claim(
    "safran2022.section_4_1_constant",
    "next to Example 1",
    "How far the limit of Example 1 is from optimal",
    """For the points ±t with label 1 a constant unit with multipliers (1/2, 1/2) is a KKT point, and sup D² = max(1, (1
    + t²)/4): a global optimum for t² ≤ 3 only. In Example 1, t = 4, sup D² = 17/4.""",
    latex=r"\sup_{|u|=1}D(u)^2=\max\Bigl(1,\frac{1+t^2}4\Bigr)",
    hypotheses=("t > 0",),
    formula="Max(1, (1 + t**2)/4)",
    symbols={"t": "distance of both points from 0"},
    controls={
        "1": "the limit of a flow is optimal",
        "(1 + t**2)/4": "one point's cone alone",
        "Max(1, t**2/4)": "the value 2 at (1, 0) for the largest",
        "Max(1, sqrt(1 + t**2)/2)": "|D| instead of D²",
    },
    checks=(constant_cones, certified_constants),
    rests_on=("safran2022.section_4_1_optimality",),
    own=True,
    part_of="safran2022.example_1_kkt",
)
