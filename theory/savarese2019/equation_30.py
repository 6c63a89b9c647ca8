"""Equations (30)-(33): with a free affine term the problem over measures costs the variation of the slope alone."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from implicitbias.claims import Context, Measured, Observation, Premise, Value, certificate, claim, seen
from implicitbias.exact.vectors import dot, relu

from ..observed.data.datasets import DataSet, by_hand, random_batch, through
from ..observed.data.draws import signed


@certificate("spline and dual vector")
def duality(context: Context) -> Observation:
    """The cost of the linear spline equals the lower bound that a dual vector gives for all measures u.

    If Σν_n = Σν_n x_n = 0 and |P(b)| ≤ 1 for P(b) = Σν_n [x_n - b]_+, every f of (32) through the data has Σν_n y_n = ∫
    P du ≤ ∫|du|. P is linear between the data and vanishes outside, so its values there decide.
    """
    instances, dual_feasible, primal_feasible = [], True, True
    for data in (*by_hand(), *_steep(context, 140), *random_batch(context.seed % 1000, context.choose(24, 300), 9)):
        nu = spline_dual(data)
        heights = [
            sum((n * relu(Fraction(x - b)) for n, x in zip(nu, data.x, strict=True)), Fraction(0)) for b in data.x
        ]
        balanced = sum(nu) == 0 == sum(n * x for n, x in zip(nu, data.x, strict=True))
        dual_feasible &= balanced and all(abs(height) <= 1 for height in heights)
        primal_feasible &= all(linear_spline(data, Fraction(x)) == y for x, y in zip(data.x, data.y, strict=True))
        value = dot(nu, data.y)
        cost = sum((abs(kink) for kink in data.kinks), Fraction(0))
        primal_feasible &= cost == value
        instances.append(seen(value, data.label, **_given(data)))
    yield Premise("Σν = Σνx = 0 and |P| ≤ 1 everywhere", dual_feasible, "P is piecewise linear with knots at the data")
    yield Premise("the linear spline runs through the data and costs Σν_n y_n", primal_feasible)
    yield from instances
    yield Measured("data sets", len(instances))


@certificate("exact linear programmes")
def programme(context: Context) -> Observation:
    """The exact optimum of (33) as a linear programme over atoms at the data, between them and outside, a and c
    free.
    """
    from implicitbias.convex.programmes.linear_programme import optimum

    instances = []
    for data in (*by_hand(), *_steep(context, 10), *random_batch(context.seed % 1000 + 500, context.choose(10, 60), 6)):
        middles = [Fraction(u + v) / 2 for u, v in pairwise(data.x)]
        atoms = sorted([*map(Fraction, data.x), *middles, Fraction(data.x[0]) - 1, Fraction(data.x[-1]) + 1])
        rows = []
        for x in data.x:
            units = [relu(Fraction(x) - b) for b in atoms]
            rows.append([*units, *[-u for u in units], Fraction(x), Fraction(1)])
        costs = [1] * (2 * len(atoms)) + [0, 0]
        free = [False] * (2 * len(atoms)) + [True, True]
        found = optimum(costs, A_eq=rows, b_eq=[Fraction(y) for y in data.y], free=free)
        instances.append(seen(found.value, data.label, **_given(data)))
    yield from instances
    yield Measured("linear programmes", len(instances))


def _steep(context: Context, count: int) -> Iterator[DataSet]:
    """Data of small whole slopes; of slopes that begin or end with 0; and of slopes with a common part of either sign,
    larger or smaller than they vary.
    """
    draw = context.random()
    for i in range(count):
        yield through(f"whole slopes {i}", [draw.randint(-3, 3) for _ in range(1 + i % 5)])
        inner = [str(Fraction(draw.randint(-30, 30), draw.choice((1, 7, 20)))) for _ in range(1 + i % 4)]
        yield through(f"flat ends {i}", [*["0"] * (i % 3 != 1), *inner, *["0"] * (i % 3 != 2)])
        base, bend = (draw.choice((0, 1, 1, 1, 1)) * signed(draw, -5, 6) for _ in range(2))
        slopes = [str(base + bend * Fraction(draw.randint(-9, 9), 9)) for _ in range(1 + i % 6)]
        yield through(f"slopes about {base}, {i}", slopes)


def _given(data: DataSet) -> dict[str, Value]:
    return {"T": data.variation, "A": data.a, "B": data.b, **data.given}


def spline_dual(data: DataSet) -> tuple[Fraction, ...]:
    """ν: the slope changes of the piecewise linear P with P(x_1) = P(x_N) = 0 and P(x_n) = sign κ_n in between."""
    heights = [Fraction((k > 0) - (k < 0)) for k in data.kinks]
    heights = [Fraction(0), *heights, Fraction(0)][: len(data.x)] if len(data.x) > 1 else [Fraction(0)]
    points = list(zip(data.x, heights, strict=True))
    slopes = [Fraction(0), *[(q - p) / Fraction(v - u) for (u, p), (v, q) in pairwise(points)], Fraction(0)]
    return tuple(right - left for left, right in pairwise(slopes))


def linear_spline(data: DataSet, x: Fraction) -> Fraction:
    """y_1 + a (x - x_1) + Σ κ_n [x - x_n]_+: the representation (32) with atoms κ_n at the inner data."""
    bends = sum((k * relu(x - u) for k, u in zip(data.kinks, data.x[1:-1], strict=True)), Fraction(0))
    return data.y[0] + data.a * (x - data.x[0]) + bends


EQUATION_30 = claim(
    "savarese2019.equation_30",
    "Section 4, equations (30)-(33)",
    "Interpolation with a free affine term",
    """Minimise ∫|u| over f(x) = ∫u(b)[x−b]₊ db + ax + c through the data, a and c free, as in (30)–(33). The minimum
    is T = Σ|lₙ₊₁ − lₙ|, attained by the linear spline. Theorem 3.1 has the further term |f′(−∞)+f′(+∞)| because the
    affine part of a network is penalised; here the data's end slopes A and B cost nothing. (The last line of Section 4
    has a comma for the plus sign in that term, a misprint.)""",
    latex=r"\min_u \int|u| = \sum_n |l_{n+1}-l_n|",
    hypotheses=("the data have distinct x",),
    domain=("T >= Abs(A - B)",),
    formula="T",
    symbols={
        "T": "Σ|lₙ₊₁ − lₙ|, lₙ the slopes of the linear spline",
        "A": "l₁, the first slope",
        "B": "l_{N−1}, the last slope",
    },
    controls={
        "Max(T, Abs(A+B))": "the cost of the linear spline with a penalised affine term (Theorem 3.1)",
        "Max(T, (T+Abs(A+B))/2)": "the least cost through the data with a penalised affine term",
        "T + Abs(A)": "the slope a of the affine term would be charged",
        "Abs(B - A)": "the total change of slope: right only for convex or concave data",
    },
    checks=(duality, programme),
)
