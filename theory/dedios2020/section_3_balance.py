"""Section 3.2 and Section 4 in trained networks: how label noise balances neurons and aligns those of one cell."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from implicitbias.claims import (
    Context,
    Interval,
    Measured,
    Observation,
    Premise,
    Value,
    certificate,
    claim,
    experiment,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.sampling import mean_interval
from implicitbias.exact.vectors import dot
from implicitbias.theorems.rules.solutions.solution import Solution

from ..observed.training.label_noise_runs import SPREAD_C, SPREAD_THETA, Training, on_the_line, run_from, worst_errors
from ..observed.training.samples import LEVEL
from ..observed.units.neurons import (
    Neuron,
    Point,
    activity,
    gradient_potential,
    lifted,
    mean_active_length,
    mean_square_output,
    on_a_wall,
    random_data,
    random_neuron,
)

EFFECTIVE = 0.01
"""Neurons that cost less than this part of the network's Σ 2|c|√(AB) are ignored."""

ALLOWANCE = 0.03
"""Allowance for ln c²: the imbalance that finite ε and time leave."""

FITTED = 0.02
"""Largest error at the data with which a replica counts as interpolating."""

LATELY = Fraction(1, 20)
"""Share of the effective neurons that may have changed their cell recently and not be aligned yet."""

ONE = 0.05
"""Neurons of a cell at a smaller angle (radians) in ([θ·x̃_i]_+, c) count as one."""


def jobs(context: Context) -> list[tuple[str, Training]]:
    """A pair of points on the line, four in the plane, five in space."""
    replicas, long = context.choose((12, 1), (32, 2))
    plane, space = (
        tuple(tuple(map(Fraction, row)) for row in rows)
        for rows in (((1, 0), (0, 1), (-1, -1), (1, 1)), ((1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1), (-1, -1, -1)))
    )
    half, fifth = Fraction(1, 2), Fraction(1, 5)
    one, two = Fraction(1), Fraction(2)
    return [
        ("two points on the line",
         Training(on_the_line([2, -2]), (one, fifth), 20, replicas, 0.01, 0.5, 400_000 * long, context.seed)),
        ("four points in the plane",
         Training(plane, (one, -one, half, two), 20, replicas, 0.005, 1.0, 800_000 * long, context.seed + 1)),
        ("five points in space",
         Training(space, (one, -one, half, two, one), 20, replicas, 0.005, 1.0, 800_000 * long, context.seed + 2)),
    ]  # fmt: skip


def networks(job: Training) -> tuple[Any, Any, Any]:
    """The random start, (theta, c), and the run from it."""
    import numpy as np

    rng = np.random.default_rng([job.seed, 7])
    shape = (job.replicas, job.m)
    theta = SPREAD_THETA * rng.normal(size=(*shape, len(job.x[0]) + 1))
    c = SPREAD_C * rng.normal(size=shape)
    return theta, c, run_from(job, theta, c)


def interpolates(job: Training, run: Any, label: str) -> Premise:
    worst = float(worst_errors(job, run).max())
    return Premise(f"{label}: every replica interpolates", worst < FITTED, f"off by {worst:.3f} at most")


# The balance ----------------------------------------------------------------------------------------------------------


@experiment(
    "neurons of trained networks",
    acceptance="""Fixed after pilot runs: A/B lies in Student's interval for the mean ln c² over replicas (its spread
    around ln A/B), joint level 0.001 over three data sets, widened by 3% for finite ε and time; 12 replicas of 20
    neurons at quick, 32 and twice the steps at full. UNDECIDED unless all replicas interpolate up to 0.02 and the
    half-width is below 5%. Effect: a factor 2 or more.""",
    time_limit=300,
)
def balance(context: Context) -> Observation:
    """Geometric means of A, B, |θ|² and c² over neurons, weighted by cost, and over networks; d = 1, 2, 3."""
    import numpy as np

    from implicitbias.training.effective_loss import moments

    for label, job in jobs(context):
        _, _, run = networks(job)
        theta, c = run.theta[-1], run.c[-1]
        found = moments(theta, job.points)
        costs = found.costs(c)
        effective = costs > EFFECTIVE * costs.sum(axis=1, keepdims=True)
        weights = np.where(effective, costs, 0.0)
        weights /= weights.sum(axis=1, keepdims=True)

        def mean(values: Any, weights: Any = weights, effective: Any = effective) -> Any:
            return (weights * np.log(np.where(effective, values, 1.0))).sum(axis=1)

        logs = {name: mean(v) for name, v in (("A", found.A), ("B", found.B), ("R", found.squares), ("c", c**2))}
        width = float(mean_interval(logs["c"] + logs["B"] - logs["A"], LEVEL, 3).width / 2)
        centre = float(np.mean(logs["c"]))
        ends = sorted(np.exp([centre - width - ALLOWANCE, centre + width + ALLOWANCE]))
        given: dict[str, Value] = {name: Fraction(float(np.exp(np.mean(logs[name])))) for name in "ABR"}
        by_run = np.exp(logs["c"]).tolist()
        yield seen(Interval(Fraction(float(ends[0])), Fraction(float(ends[1]))), label, by_run=by_run, **given)
        yield interpolates(job, run, label)
        yield Premise(f"{label}: the ratio is known to 5%", width < 0.05, f"± {width:.1%}")


@certificate("weights at which the potential is least")
def least_at_balance(context: Context) -> Observation:
    """The c² for which Ṽ_b, by difference quotients, is the same at the rescalings 2 and 1/2 and less at 1.

    Ṽ_b at two values of c determines it: along (λθ, c/λ) it is affine in c².
    """
    draw = context.random()
    least = True
    for k in range(context.choose(80, 200)):
        data = random_data(draw, 1 + k % 7, 1 + k % 3)
        size, near = (Fraction(draw.randint(1, 9), draw.choice((1, 3, 8, 40))) for _ in range(2))
        data = [tuple(near * t for t in x) for x in data]
        theta = tuple(size * t for t in _direction(draw, data, k % 4))

        def off(square: int, theta: Point = theta, data: list[Point] = data) -> Fraction:
            ends = (_rescaled(theta, Fraction(square), scale, data) for scale in (Fraction(2), Fraction(1, 2)))
            return next(ends) - next(ends)

        found = off(0) / (off(0) - off(1))
        sides = [_rescaled(theta, found, scale, data) for scale in (Fraction(1), Fraction(2), Fraction(1, 2))]
        least = least and sides[0] < sides[1] == sides[2]
        given = {"A": mean_square_output(theta, data), "B": mean_active_length(theta, data), "R": dot(theta, theta)}
        yield seen(found, f"n={len(data)}, d={len(data[0])}", **given)
    yield Premise("Ṽ_b is less at the neuron itself than at both", least)


def _direction(draw: Random, data: list[Point], kind: int) -> Point:
    """A random direction; or near that of a datum, where A/B comes near R; or active at few data, where B is small."""
    theta = random_neuron(draw, data).theta
    if kind == 1:
        near = tuple(t + s * Fraction(draw.randint(1, 9), 40) for t, s in zip(lifted(data[0]), theta, strict=True))
        return near if not on_a_wall(near, data) and activity(near, data) else theta
    if kind > 1 and any(theta[:-1]):
        heights = sorted({dot(theta[:-1], x) for x in data}, reverse=True)
        share = Fraction(draw.randint(1, 9), 10)
        hinge = share * heights[0] + (1 - share) * (heights[1] if len(heights) > 1 else heights[0] - 1)
        return (*theta[:-1], -hinge)
    return theta


def _rescaled(theta: Point, square: Fraction, scale: Fraction, data: list[Point]) -> Fraction:
    """Ṽ_b at (λθ, c/λ) for c² = `square`: affine in c², so known from c = 1 and c = 2."""
    one, two = (gradient_potential(Neuron(theta, Fraction(c)).scaled(scale, 1 / scale), data) for c in (1, 2))
    return one + (square - 1) * (two - one) / 3


@theorem("as much at a scale as at its inverse")
def even() -> Observation:
    """The q = c² for which Ṽ_b is the same at the rescalings s and 1/s: λ²A + qB/λ², convex in ln λ, is least at 1."""
    balanced = Solution(
        {"q": "positive"},
        ("label_noise_potential(s**2*A, B, sqrt(q)/s) - label_noise_potential(A/s**2, B, s*sqrt(q))",),
        "q",
        {"q": "A/B"},
    )
    yield shows(
        balanced,
        for_all=dict.fromkeys(("A", "B", "s", "r"), "positive"),
        assuming=("s - 1 > 0",),
        A="A",
        B="B",
        R="A/B + r",
    )


BALANCE = claim(
    "dedios2020.section_3_balance",
    "Section 3.2, the rescaling before (13)",
    "Networks trained with label noise are balanced at c² = A/B",
    """The neurons of networks trained by Algorithm 1 reach c² = A/B, A = E_D[(aᵀx + b)_+²], B = E_D[(1 +
    |x|²)·1{active}]: where Ṽ_b is least over rescalings. Weight decay leads to c² = |a|² + b² instead, which is never
    less.""",
    latex="c_j^2=A_j/B_j",
    hypotheses=("as ε → 0, after a long slow time",),
    formula="A/B",
    symbols={"A": "E_D[(aᵀx + b)_+²]", "B": "E_D[(1 + |x|²)·1{active}]", "R": "|a|² + b²"},
    domain=("A > 0", "B > 0", "A <= R*B"),
    controls={
        "R": "the balance of weight decay",
        "A": "a balance of outputs, without the lengths of the inputs",
        "2*A/B": "twice the square in c",
        "sqrt(A/B)": "|c| for c²",
    },
    checks=(even, least_at_balance, balance),
    part_of="dedios2020.equation_10",
    rests_on=("dedios2020.equation_13_balance", "dedios2020.section_3_drift"),
)

# Alignment ------------------------------------------------------------------------------------------------------------


@experiment(
    "different neurons of a cell",
    acceptance="""Fixed after pilot runs: neurons of at least 1% of Σ 2|c|√(AB); of one active set and sign, those
    within 0.05 radians of the most expensive one in ([θ·x̃_i]_+, c) count as one. Over all networks of a data set (12
    at quick, 32 at full) the number of groups is that of different neurons, or less by at most 5% of all neurons: those
    that changed their cell recently. UNDECIDED unless groups hold 1.5 neurons on average, three in four neurons of a
    group differed at the start, and all networks interpolate up to 0.02.""",
    time_limit=300,
)
def alignment(context: Context) -> Observation:
    """Different neurons of all cells and signs before and after training, by what the data see of them."""
    from implicitbias.training.effective_loss import moments
    from implicitbias.training.effective_neurons import by_cell

    for label, job in jobs(context):
        before, first, run = networks(job)
        counts = {"start": [0, 0, 0], "end": [0, 0, 0]}
        widest = 0.0
        for when, theta, c in (("start", before, first), ("end", run.theta[-1], run.c[-1])):
            costs = moments(theta, job.points).costs(c)
            for k in range(job.replicas):
                for group in by_cell(theta[k], c[k], job.points, costs[k], EFFECTIVE):
                    counts[when][0] += 1
                    counts[when][1] += len(group.neurons)
                    counts[when][2] += different(theta[k], c[k], job.points, group.neurons)
                    if when == "end":
                        widest = max(widest, group.spread)
        groups, neurons, directions = counts["end"]
        observed = Interval(directions - LATELY * neurons, Fraction(directions))
        yield seen(
            observed, f"{label}, {job.replicas} networks", groups=groups, neurons=neurons, R=job.replicas, n=len(job.y)
        )
        yield interpolates(job, run, label)
        yield Premise(
            f"{label}: cells hold several neurons, which differed at the start",
            neurons > 1.5 * groups and counts["start"][2] > 0.75 * counts["start"][1],
            f"{neurons} in {groups} groups; at the start {counts['start'][2]} of {counts['start'][1]} differed",
        )
        yield Measured(f"{label}: widest angle in a group", widest)


def different(theta: Any, c: Any, points: Any, neurons: tuple[int, ...]) -> int:
    """The number of these neurons, those at an angle below ONE in ([θ·x̃_i]_+, c) counted once."""
    import numpy as np

    from implicitbias.training.effective_neurons import clusters

    rows = np.column_stack([np.maximum(theta[list(neurons)] @ points.T, 0), c[list(neurons)]])
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return len(clusters(rows, np.ones(len(rows)), angle=ONE))


ALIGNMENT = claim(
    "dedios2020.section_4_alignment",
    "next to Section 4, one neuron per cell",
    "Label noise aligns neurons of one active set and sign",
    """In networks trained by Algorithm 1 all effective neurons of one active set and one sign of c have become
    multiples of each other, as far as the data see them (up to a few that changed their cell recently): ([θ·x̃_i]_+)_i
    and c lie on one line. The same linear map acts on all of them at every step, and its products contract.""",
    latex=r"S(\theta_j)=S(\theta_k),\ c_jc_k>0\;\Rightarrow\;(X\theta_j)_+:c_j=(X\theta_k)_+:c_k",
    hypotheses=("after a long slow time", "neurons of at least 1% of the network's cost, angles up to 0.05"),
    formula="groups",
    symbols={
        "groups": "active sets with a sign of c that occur, summed over the networks",
        "neurons": "effective neurons, summed over the networks",
        "R": "number of networks",
        "n": "number of data",
    },
    controls={
        "neurons": "no alignment: as many as there are neurons",
        "R*n": "one neuron for each datum",
        "R*(n + 1)": "one neuron for each parameter of an affine function and the rest",
        "(groups + neurons)/2": "half of them aligned",
    },
    checks=(alignment,),
    part_of="dedios2020.equation_10",
    rests_on=("dedios2020.algorithm_1_contraction",),
    own=True,
)
