"""The inequality of Theorem 3.1, and (23), from which it follows: variation and one slope bound the cost."""

from __future__ import annotations

from itertools import pairwise

from implicitbias.claims import (
    Context,
    Measured,
    Observation,
    certificate,
    claim,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.formula import Assumption
from implicitbias.theorems.rules.extrema.extremum import Maximum

from ..observed.cheapest.cheapest_measure import cheapest_measure
from ..observed.functions.piecewise_linear_cases import in_words, random_cases, simple_cases, with_room

END_SLOPES = "(y - up + down) + (y + rise - fall)"
"""f'(-∞) + f'(+∞) where f'(x) = y, and f' goes up and down by `up` and `down` left of x, by `rise` and `fall` right."""


def largest(of: str) -> Observation:
    """The largest value, for f'(x) = ±D and total variation T: f' moves away from 0 on the way to both ends."""
    signs: tuple[tuple[Assumption, str, str], ...] = (("nonnegative", "y", "down"), ("negative", "-y", "up"))
    changes: dict[str, Assumption] = dict.fromkeys(("up", "down", "rise", "fall"), "nonnegative")
    for domain, slope, away in signs:
        yield shows(
            Maximum(
                of,
                over=changes,
                at=dict.fromkeys(("up", "down", "fall"), "0") | {away: "T"},
                gap=(f"T + 2*{slope} - {of}",),
                subject_to={"rise": "up + down + rise + fall - T"},
            ),
            f"f'(x) {domain}",
            for_all={"T": "nonnegative", "y": domain},
            T="T",
            D=slope,
        )


@theorem("both end slopes from one")
def farthest_end_slopes() -> Observation:
    """The largest |s| over all rises and falls of f' on either side of x that make up T, for both signs of f'(x)."""
    yield from largest(f"norm({END_SLOPES})")


@certificate("end slopes of exact functions")
def end_slopes_of_functions(context: Context) -> Observation:
    """|s| of exact functions, against D = |f'(x)| on every piece; equality where f' moves off zero to both sides."""
    instances = []
    for label, f in simple_cases() + random_cases(context.random(), context.choose(5, 40)):
        for i, slope in enumerate(f.slopes):
            sign = 1 if slope > 0 or (slope == 0 and f.end_slope_sum >= 0) else -1
            off_zero = all(sign * (b - a) >= 0 for a, b in pairwise(f.slopes[i:])) and all(
                sign * (b - a) <= 0 for a, b in pairwise(f.slopes[: i + 1])
            )
            instances.append(
                seen(
                    abs(f.end_slope_sum),
                    label,
                    relation="=" if off_zero else "<=",
                    T=f.total_variation,
                    D=abs(slope),
                    slopes=f.slopes,
                    s=f.end_slope_sum,
                )
            )
    attained = sum(i.relation == "=" for i in instances)
    yield from instances
    yield Measured("pieces", len(instances))
    yield Measured("attained on", attained)


@theorem("largest cost at given variation and slope")
def bound_attained() -> Observation:
    """The largest cost over all rises and falls of f' on either side of x that make up T; where it is attained f' moves
    away from 0 to both sides, so that |f'(x)| is the least slope.
    """
    yield from largest(f"spline_cost(T, {END_SLOPES})")


@certificate("cost by linear programme")
def bound_on_functions(context: Context) -> Observation:
    """The exact cost by linear programme, against T and the least |slope|; equality where f' moves away from zero."""
    instances = []
    for label, f in simple_cases() + random_cases(context.random(), context.choose(4, 30)):
        steepness = min(abs(slope) for slope in f.slopes)
        slopes = f.slopes
        valley = slopes.index(min(slopes, key=abs))
        sign = 1 if slopes[valley] >= 0 else -1
        rising = all(sign * (b - a) >= 0 for a, b in pairwise(slopes[valley:]))
        falling = all(sign * (b - a) <= 0 for a, b in pairwise(slopes[: valley + 1]))
        cost = cheapest_measure(f, with_room(f)).cost
        instances.append(
            seen(
                cost,
                label,
                relation="=" if steepness == 0 or (rising and falling) else "<=",
                T=f.total_variation,
                D=steepness,
                **in_words(f),
            )
        )
    attained = sum(i.relation == "=" for i in instances)
    yield from instances
    yield Measured("attained in", attained)
    yield Measured("of", len(instances))


INEQUALITY = claim(
    "savarese2019.theorem_3_1_inequality",
    "Theorem 3.1, inequality, and (23)",
    "Bound by variation and least slope",
    """|f'(-∞) + f'(+∞)| ≤ 2|f'(x)| + ∫|f''| at every x where f is differentiable, attained if f' moves away from zero
    on both sides of x. Hence R̄(f) ≤ ∫|f''| + 2 inf|f'|.""",
    part_of="savarese2019.theorem_3_1",
    latex=r"\bar R(f)\le\int|f''|+2\inf_x|f'(x)|",
    hypotheses=("∫|f''| is finite", "the infimum runs over points where f is differentiable"),
    formula="T + 2*D",
    symbols={
        "T": "∫|f''|, the total variation of f'",
        "D": "|f'(x)|, or for the cost inf|f'| over the points where f is differentiable",
    },
    controls={
        "T + D": "one of the two end slopes forgotten: f = x costs 2, with T = 0, D = 1",
        "2*T + 2*D": "the variation counted towards both ends",
        "Max(T, 2*D)": "a maximum, as in the theorem itself",
        "T": "no least slope",
        "2*D": "the variation forgotten",
    },
    checks=(bound_attained, bound_on_functions, farthest_end_slopes, end_slopes_of_functions),
    rests_on=("savarese2019.theorem_3_1",),
    formerly=("savarese2019.equation_23",),
)
