"""Theorem 3.3 with equations (26) and (27): the linear spline with optimal tails has the least cost.

Coq: MinimumNorm.v, minimum_norm_of_networks, minimum_norm_of_weights (docs/formal.md).
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from implicitbias.claims import (
    Attached,
    Context,
    Interval,
    Observation,
    Premise,
    Step,
    certificate,
    claim,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.vectors import dot

from ..observed.cheapest.best_tails import all_best_tails
from ..observed.cheapest.cheapest_network import cheapest_network, holds_for_every_kink
from ..observed.data.datasets import TAILS, DataSet, by_hand, random_batch, random_data
from ..observed.data.slopes_through_data import least_cost_through_data

WITH_BOTH_REGIMES = "data with T < |a+b| and with T >= |a+b|, and with T = |a+b|"


@certificate("cheapest networks over kinks everywhere")
def least_cost(context: Context) -> Observation:
    """The least cost of a network through the data, by linear programming over kinks everywhere, dual verified."""
    generator = context.random()
    certified = True
    batch = (*by_hand(), *random_batch(context.seed % 10**6, context.choose(40, 400), 9))
    for data in batch:
        network = cheapest_network(data, _anywhere(generator, data))
        certified = certified and _is_optimal(data, network, holds_for_every_kink(data.x, network.dual))
        for l_0, l_N in all_best_tails(data.variation, data.a, data.b):
            yield seen(network.cost, data.label, **data.symbols, l_0=l_0, l_N=l_N, **data.given)
    yield Premise("every dual vector prices every kink in (-∞, ∞) at 1 or less, and the gap is 0", certified)
    yield both_regimes(batch)
    yield Step(
        "networks with kinks at the data, between them, outside and at random places, of both orientations: "
        "the cheapest one through the data, in rationals"
    )
    yield Step(
        "its dual vector ν has Σ ν_n = 0, so Σ ν_n [w(x_n - t)]_+ is linear in t between neighbouring data "
        "points and constant outside: |…| <= 1 at the data points is |…| <= 1 for all t, and Σ ν_n y_n is a "
        "lower bound for every network of any width"
    )
    yield Step(
        "l_0 and l_N: minimisers of (27) found by another linear programme, both ends of their set and its middle"
    )


def _anywhere(generator: random.Random, data: DataSet) -> list[Fraction]:
    span = Fraction(data.x[-1] - data.x[0] + 1)
    return [Fraction(data.x[0]) + span * Fraction(generator.randint(-30, 130), 101) for _ in range(4)]


def _is_optimal(data: DataSet, network: Any, dual_holds: bool) -> bool:
    interpolates = all(network(x) == y for x, y in zip(data.x, data.y, strict=True))
    value = dot(network.dual, data.y)
    return interpolates and dual_holds and value == network.cost


def both_regimes(batch: tuple[DataSet, ...]) -> Premise:
    """At least a quarter of the data bends the tails, a quarter does not, and the boundary is there."""
    bent = sum(data.tails_bend for data in batch)
    boundary = sum(data.variation == abs(data.a + data.b) > 0 for data in batch)
    return Premise(
        WITH_BOTH_REGIMES,
        4 * bent >= len(batch) and 4 * (len(batch) - bent) >= len(batch) and boundary > 0,
        f"{bent} of {len(batch)} with T < |a+b|, {boundary} with T = |a+b| > 0",
    )


@certificate("cheapest networks with given end slopes")
def least_cost_with_tails(context: Context) -> Observation:
    """The least cost of a network through the data whose slopes at -∞ and +∞ are given, by the same programme."""
    generator = context.random()
    batch = [data for data in by_hand() if data.size > 1]
    batch += [random_data(context.seed % 10**6 + i, 2 + i % 4, "ramp" if i % 2 else "generic") for i in range(12)]
    for i, data in enumerate(batch):
        tails = [(data.a - turn, data.b - other) for turn, other in _turns(generator, i, data.variation)]
        left, right = ((-1, -1), (1, -1), (-1, 1))[i % 3]  # and tails that go the other way than the piece beside them
        f, g = (Fraction(generator.randint(2, 20), 9) for _ in range(2))
        tails.append((left * f * data.a, right * g * data.b))
        for l_0, l_N in tails:
            network = cheapest_network(data, _anywhere(generator, data)[:2], (l_0, l_N))
            if network.end_slopes != (l_0, l_N) or any(network(x) != y for x, y in zip(data.x, data.y, strict=True)):
                raise ArithmeticError(f"the network through {data.label} misses a point or an end slope")
            yield seen(network.cost, f"given tails, {data.label}", **data.symbols, l_0=l_0, l_N=l_N, **data.given)
    yield Step(
        "two more rows, the sums of the amplitudes to the left and to the right; their multipliers are p_w(t) outside "
        "the data, and the bound at the data points is again the bound for all t"
    )


def _turns(generator: random.Random, i: int, T: Fraction) -> Iterator[tuple[Fraction, Fraction]]:
    """Two pairs (a - l_0, b - l_N): of all signs, each larger in turn, of equal sizes, zero, below T and above it."""
    signs = ((1, 1), (1, -1), (-1, 1), (-1, -1))
    for j in (0, 1):
        left, right = signs[(i + 2 * j + i // 4) % 4]
        size, second = (Fraction(generator.randint(1, 60), generator.choice((7, 20, 60))) for _ in range(2))
        if i % 3 == j:
            size, second = size * T or size, second * T or second
        if (i + j) % 5 == 0:
            second = size
        if (i + j) % 7 == 0:
            size *= i % 2
        yield left * size, right * second


@certificate("certificates for longer data")
def kernel_certificates(context: Context) -> Observation:
    """Primal-dual certificates for up to 80 points, each checked again by the trusted kernel."""
    from implicitbias.certificate.kernel import check_certificate
    from implicitbias.convex.minimum_norm.interpolants import min_norm_interpolant

    documents = []
    refused = []
    seed = context.seed % 10**6
    long = [random_data(seed + N, N, kind) for N in (20, 40, 80) for kind in ("generic", "ramp")]
    steep = [d.with_labels([y + 40 * x for x, y in zip(d.x, d.y, strict=True)]) for d in (long[0], long[3], long[5])]
    for data in (*by_hand(), *long, *steep):
        document = min_norm_interpolant(data.x, data.y).certificate()
        outcome = check_certificate(document)
        if not outcome.valid:
            refused.append(f"{data.label}: {outcome.reason}")
            continue
        documents.append(document)
        value = _certified_value(document["claim"]["value"])
        for l_0, l_N in all_best_tails(data.variation, data.a, data.b):
            yield seen(value, data.label, **data.symbols, l_0=l_0, l_N=l_N)
    yield Premise("the kernel accepts every certificate", not refused, "; ".join(refused))
    yield from map(Attached, documents[:8])
    yield Step("primal function and dual vector, recomputed from the data by the kernel in integers")


def _certified_value(value: Any) -> Fraction | Interval:
    if isinstance(value, str):
        return Fraction(value)
    return Interval(Fraction(value["at_least"]), Fraction(value["at_most"]))


@theorem("from datum to datum")
def any_number_of_data() -> Observation:
    """The least cost of a function that is linear between finitely many kinks, by Theorem 3.1, through any number of
    data, with given slopes at -∞ and +∞: the variation of its slope, interval by interval, by induction on the data.
    """
    yield shows(
        least_cost_through_data(),
        for_all={"T": "nonnegative", "a": "real", "b": "real", "l_0": "real", "l_N": "real"},
        assuming=("T >= a - b", "T >= b - a"),
        **{name: name for name in TAILS},
    )


@certificate("pieces of random splines")
def piece_count(context: Context) -> Observation:
    """Pieces of the spline between the first and the last data point, all slopes different."""
    from implicitbias.functions.piecewise_linear import PiecewiseLinear

    for N in range(2, 45):
        data = next(d for d in (random_data(context.seed % 10**6 + i, N) for i in range(99)) if _no_zero_kink(d))
        spline = PiecewiseLinear.from_points(data.x, data.y)
        inside = sum(jump != 0 for jump in spline.jumps) + 1  # straight tails: no kinks at the ends
        yield seen(inside, data.label, N=N)
    yield Step("the pieces on [x_1, x_N] of the spline in lowest terms")


def _no_zero_kink(data: DataSet) -> bool:
    return all(data.kinks)


EQUATION_26 = claim(
    "savarese2019.equation_26",
    "equation (26)",
    "Pieces between the data points",
    """The middle line of (26), f̃(x) = y_n + l_n(x - x_n) on [x_n, x_{n+1}], holds for n = 1, …, N-1: between N data
    points lie N-1 pieces.""",
    part_of="savarese2019.theorem_3_3",
    latex=r"\#\{\text{pieces on}\ [x_1,x_N]\}=N-1",
    hypotheses=("no three neighbouring points on a line",),
    formula="N - 1",
    symbols={"N": "number of data points"},
    controls={
        "N": "the right tail counted among the inner slopes",
        "N - 2": "the kinks inside instead of the pieces",
        "N + 1": "all pieces, both tails included",
    },
    checks=(piece_count,),
)


THEOREM_3_3 = claim(
    "savarese2019.theorem_3_3",
    "Theorem 3.3, equation (27)",
    "The linear spline has the least cost",
    """Among all functions through (x_1,y_1), …, (x_N,y_N) none costs less than the linear spline whose end slopes l_0,
    l_N minimise max(Σ|l_{n+1}-l_n|, |l_0+l_N|); that value is the least cost of an interpolating network of any
    width. For any l_0, l_N it is the least cost among the networks with these slopes at -∞ and +∞.""",
    latex=r"\min_{f(x_n)=y_n}\bar R(f)=\min_{l_0,l_N}\max\Big(\sum_{n=0}^{N-1}|l_{n+1}-l_n|,\,|l_0+l_N|\Big)",
    hypotheses=("x_1 < … < x_N", "N ≥ 2, or l_0 and l_N minimise (27)"),
    domain=("T >= Abs(a - b)",),
    formula="Max(T + Abs(a - l_0) + Abs(b - l_N), Abs(l_0 + l_N))",
    symbols=TAILS,
    controls={
        "Max(T, Abs(a + b))": "the spline continued straight on: l_0 = l_1 and l_N = l_{N-1}",
        "T + Abs(a) + Abs(b)": "flat tails: l_0 = l_N = 0",
        "T": "the kinks inside the data alone",
        "(T + Abs(a + b))/2": "the value of one regime in both",
        "T + Abs(a - l_0) + Abs(b - l_N) + Abs(l_0 + l_N)": "both terms added",
        "Max(T + Abs(a - l_0), Abs(l_0 + l_N))": "the kink at the last point left out",
        "Max(T + Abs(a - l_0 + b - l_N), Abs(l_0 + l_N))": "the two outer kinks added before the bars",
        "Max(T + Max(Abs(a - l_0), Abs(b - l_N)), Abs(l_0 + l_N))": "the larger of the two outer kinks",
        "Max(Max(T + Abs(a - l_0), Abs(b - l_N)), Abs(l_0 + l_N))": "the last kink beside the others, not added",
    },
    checks=(any_number_of_data, least_cost, least_cost_with_tails, kernel_certificates),
    rests_on=("savarese2019.theorem_3_1",),
)
