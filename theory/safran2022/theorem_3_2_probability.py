"""Before Theorem 3.2: narrow networks fail with some probability, not surely."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, cast

from implicitbias.claims import Context, Flaw, Measured, Observation, Step, Value, certificate, claim, rule, seen
from implicitbias.exact.vectors import relu

from ..observed.margin.dead_neurons import least_mistakes, most_changes
from ..observed.margin.sign_changes import alternating, crossing_points
from . import errata

if TYPE_CHECKING:
    from implicitbias.functions.network import Network


@rule("from the teacher's width on")
def capable(given: Mapping[str, Value]) -> Value:
    """small loss has positive probability iff k >= r"""
    return cast(int, given["k"]) >= cast(int, given["r"])


@rule("not below 1.3 r")
def never_below(given: Mapping[str, Value]) -> Value:
    """loss below the constant has positive probability only if k >= ⌊1.3 r⌋"""
    return cast(int, given["k"]) >= 13 * cast(int, given["r"]) // 10


@rule("wider than the teacher")
def strictly_wider(given: Mapping[str, Value]) -> Value:
    """only if k > r"""
    return cast(int, given["k"]) > cast(int, given["r"])


@rule("four thirds")
def from_four_thirds(given: Mapping[str, Value]) -> Value:
    """only if k >= 4r/3"""
    return 3 * cast(int, given["k"]) >= 4 * cast(int, given["r"])


@certificate("a ball of initialisations")
def starts(context: Context) -> Observation:
    """A ball of starts around a scaled teacher on which all margins are at least 3, exactly; or a mistake that every
    narrower network makes.
    """
    from implicitbias.functions.network import Network

    for r in (4, 5, 7, 10, 13):
        teacher = alternating(r)
        shift = 3  # to x > 0
        x = [Fraction(p + shift) for p in crossing_points(r)]
        b = [bias - shift * weight for weight, bias in zip(teacher.w, teacher.b, strict=True)]
        for k in sorted({r - 1, r, r + 1, 13 * r // 10 - 1, 13 * r // 10}):
            if k < r:
                possible = least_mistakes(r + 1, most_changes(k)) == 0
            else:
                rest = [Fraction(0)] * (k - r)
                centre = Network([2 * w for w in (*teacher.w, *rest)], [2 * c for c in (*b, *rest)],
                                 [2 * v for v in (*teacher.v, *rest)])  # fmt: skip
                radius = Fraction(1, 10**5)
                possible = least_margin(centre, x, [(-1) ** (i + 1) for i in range(len(x))], radius) >= 3
                yield Measured(f"r = {r}, k = {k}: radius", radius)
            yield seen(possible, r=r, k=k)
    yield Step(
        "every normal initialisation hits the ball with positive probability; there l <= log(1 + e^-3) < 1/16 at t = 0"
    )


def least_margin(centre: Network, x: list[Fraction], labels: list[int], radius: Fraction) -> Fraction:
    """A lower bound of y_i N(x_i) over all parameters with each coordinate within `radius` of the centre's."""
    margins = []
    for place, label in zip(x, labels, strict=True):
        slack, value = radius * (abs(place) + 1), label * centre(place)
        for w, b, v in zip(centre.w, centre.b, centre.v, strict=True):
            unit = relu(w * place + b)
            value -= radius * (unit + slack) + abs(v) * slack
        margins.append(value)
    return min(margins)


SURELY = claim(
    "safran2022.theorem_3_2_probability",
    "before Theorem 3.2, on what gradient flow is not capable of",
    "Success probability of narrow networks",
    """On the distributions of Theorem 3.2 (r >= 4, r + 1 switches) networks of width k reach a population loss below
    any constant with positive probability over the initialisation if and only if k >= r: near a scaled teacher every
    initialisation has small loss from the start, and fewer than r neurons always leave a mistake. For r <= k < 4r/3
    Theorem 3.2 excludes success with probability 1, not success.""",
    latex=r"P(L_D<c)>0\iff k\ge r",
    hypotheses=(
        "normal initialisation of any scales: every ball has positive probability",
        "r >= 4, m = r + 1 switches",
    ),
    formula=capable,
    flaw=Flaw(errata.NOT_CAPABLE, never_below),
    controls={
        strictly_wider: "over-parametrisation in the strict sense",
        from_four_thirds: "where the bound of the theorem becomes 0",
    },
    checks=(starts,),
    rests_on=("safran2022.theorem_3_2", "safran2022.sign_changes"),
    part_of="safran2022.theorem_3_2",
)
