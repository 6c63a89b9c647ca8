"""Corollary 4.8: minimisers of the penalised problem solve the interpolation problem through their own outputs."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import cycle
from typing import TYPE_CHECKING, Any

from implicitbias.claims import (
    Attached,
    Context,
    Interval,
    Observation,
    Premise,
    Rule,
    Step,
    Value,
    certificate,
    claim,
    seen,
)
from implicitbias.claims.statement import Candidate
from implicitbias.exact.vectors import dot, relu

from ..observed.data.draws import evenly, of_any_size
from ..observed.measures.contact_sets import lift, touching
from ..observed.measures.minimisers import left_at, steady_cases, steady_until

if TYPE_CHECKING:
    from implicitbias.convex.variation.penalised import PenalisedFit

SHARES = (Fraction(1, 9), Fraction(1, 2), Fraction(8, 9))
"""λ in parts of that up to which the dual does not move."""


@certificate("interpolation of the outputs")
def restricted(context: Context) -> Observation:
    """The interpolation problem solved through the outputs of the penalised minimiser, both certified."""
    from implicitbias.convex.variation.least import tv_interpolant
    from implicitbias.convex.variation.penalised import penalised_fit

    draw = context.random()
    certificates: list[Mapping[str, Any]] = []
    optimal = True
    for case in steady_cases():
        few = (Fraction(1, 40), Fraction(1, 2), Fraction(19, 20)) if case.n < 3 else (draw.choice(SHARES),)
        for share in context.choose(few, SHARES):
            size = Fraction(draw.randint(1, 60), draw.choice((6, 30, 100)))
            penalty = 2 * share * size * steady_until(case)
            y = tuple(size * v for v in case.y)
            fit = penalised_fit(case.x, y, penalty)
            outputs = tuple(v - case.n * penalty / 2 * q for v, q in zip(y, case.p, strict=True))
            missed = [a - b for a, b in zip(outputs, y, strict=True)]
            through = tv_interpolant(case.x, outputs)
            # these outputs are the minimiser's: with the cost just found they reach the certified minimum
            reached = dot(missed, missed) / case.n + penalty * through.upper
            optimal = optimal and reached - fit.lower <= Fraction(1, 10**11) * (1 + reached)
            given: dict[str, Value] = {"P": dot(case.p, outputs), "V": size * case.value, "lam": penalty}
            interval = Interval(through.lower, through.upper)
            yield seen(interval, f"{case.label} times {size}, λ = {penalty}", **given, y=y, outputs=outputs)
            if len(certificates) < 3:
                certificates += [fit.certificate(), through.certificate()]
    for case, cost in zip(cycle(steady_cases()), evenly(-4, 5, context.choose(160, 320)), strict=False):
        # y - f = (nλ/2)p with p the dual of the masses, which are the minimiser's then: both values in rationals
        share = Fraction(draw.randint(1, 99), 100)
        kept = left_at(case, share * steady_until(case))
        solved = kept.times(cost / kept.value)
        paid = sum(map(abs, solved.masses), Fraction(0))
        given = {
            "P": paid,
            "V": case.value * cost / kept.value,
            "lam": 2 * share * steady_until(case) * cost / kept.value,
        }
        yield seen(dot(case.p, solved.y), f"{case.label}, masses and dual", **given, outputs=solved.y)
    yield Premise("the outputs attain the certified penalised minimum to 1e-11", optimal)
    yield Step("a minimiser stays one if only measures with its own outputs compete, and then the loss is constant")
    yield Step("its outputs are f = y - (nλ/2)p with p the dual, and its variation is p·f")
    yield from map(Attached, certificates)


@certificate("random data")
def generic(context: Context) -> Observation:
    """Random data in one to three dimensions: a penalised network, and the least variation through its outputs.

    Labels of any size; and of sizes at which the networks cost what stands on a scale from ¼ to 16.

    As min (22) ≤ loss + λV(f) for every f, V(f) ≥ P - gap/λ: V(f) is enclosed together with P.
    """
    from implicitbias.convex.variation.penalised import penalised_fit
    from implicitbias.convex.weighted.least import weighted_interpolant

    draw = context.random()
    narrow = Fraction(0)
    sizes = context.choose(((1, 4), (1, 5), (2, 4), (2, 5), (3, 4)), ((1, 6), (2, 5), (2, 6), (3, 5)) * 3)
    aims = evenly(-2, 4, 10)
    for (d, n), aim in (*((size, None) for size in (*sizes, *((1, 2), (1, 3)) * 4)), *(((1, 2), t) for t in aims)):
        points: list[tuple[Fraction, ...]] = []
        while len(set(points)) < n:
            points = [tuple(Fraction(draw.randint(-9, 9), 4) for _ in range(d)) for _ in range(n)]
        y = [Fraction(draw.randint(-8, 8) or 1) for _ in range(n)]
        penalty = Fraction(1, draw.randint(10, 40))
        if aim is None:
            size = of_any_size(draw, -5, 5)
        else:  # labels and penalty times t: the network times t
            size = aim / sum((unit.cost for unit in penalised_fit(points, y, penalty).units), Fraction(0))
        y, penalty = [size * label for label in y], size * penalty
        fit = penalised_fit(points, y, penalty)
        outputs = [sum((unit(x) for unit in fit.units), Fraction(0)) for x in fit.points]
        through, before = weighted_interpolant(points, outputs), weighted_interpolant(points, y)
        slack = (fit.upper - fit.lower) / penalty
        narrow = max(narrow, slack / before.upper)
        paid = sum((unit.cost for unit in fit.units), Fraction(0))
        label = f"{n} random points in dimension {d}, λ = {penalty}"
        yield seen(
            Interval(through.lower, through.upper + slack),
            label,
            P=paid,
            V=before.lower,
            lam=penalty,
            y=tuple(y),
            x=tuple(points),
        )
        yield Attached(fit.certificate())
    yield Premise("enclosures narrower than 1e-9, relative", narrow < Fraction(1, 10**9), f"{float(narrow):.1e}")
    yield Step("min (22) ≤ (1/n)|f - y|² + λV(f), and the network found exceeds it by the gap at most")


def _number(given: Mapping[str, Value], name: str) -> Fraction:
    """A given number, the middle of it if it is an interval."""
    found = given[name]
    if isinstance(found, Interval):
        return (found.lower + found.upper) / 2
    if isinstance(found, Fraction | int):
        return Fraction(found)
    raise TypeError(f"{name} is no number: {found!r}")


def _penalty(given: Mapping[str, Value]) -> Value:
    return _number(given, "lam") * _number(given, "P")


def _shrunk(given: Mapping[str, Value]) -> Value:
    return _number(given, "V") - _number(given, "lam")


OTHERS: dict[Candidate, str] = {
    Rule("labels", "V, the value of (20) for the labels themselves", lambda given: given["V"]): (
        "the labels themselves interpolated"
    ),
    Rule("penalty", "λP", _penalty): "the penalty, with its λ",
    Rule("shrunk", "V - λ", _shrunk): "shrunk by λ",
    "2*P": "the penalty of (7) with the loss of (22)",
}

RESTRICTED = claim(
    "dedios2020.corollary_4_8",
    "Corollary 4.8, (28) and (29)",
    "A penalised minimiser interpolates its own outputs at least cost",
    """The total variation P of a minimiser of the penalised problem (22) is the value of the interpolation problem (20)
    with its outputs f(x_i) in place of the y_i. So what Theorem 4.2 says about solutions of (20) holds for penalised
    minimisers for every λ > 0: all of them together use finitely many neurons. (Where the proof ends in equation (5),
    problem (6) is meant; in (28) λ is part of the weight.)""",
    latex=r"\|\nu_\lambda\|_{TV}=\min\{\|\nu\|_{TV}:f_\nu(x_i)=f_{\nu_\lambda}(x_i)\}",
    domain=("P >= 0",),
    formula="P",
    symbols={"P": "total variation of the penalised minimiser"},
    controls=OTHERS,
    checks=(restricted, generic),
    rests_on=("dedios2020.theorem_4_2", "dedios2020.equation_7_limit"),
)


def _idle_from(fit: PenalisedFit) -> Fraction:
    """From what penalty on none of these neurons alone saves loss, about."""
    slopes = [
        abs(sum((v * relu(dot(unit.theta, x)) for v, x in zip(fit.y, fit.points, strict=True)), Fraction(0)))
        / Fraction(float(dot(unit.theta, unit.theta)) ** 0.5)
        for unit in fit.units
    ]
    return 2 * max(slopes) / len(fit.y)


MOST_FITS = 60
"""Fits of one data set; about ten decide."""


@certificate("penalties on both sides")
def threshold(context: Context) -> Observation:
    """Two penalties within 1 %: at one certified bounds show 0 beaten, at the other that nothing beats it.

    Where to look next is guessed from the neurons of the last fit that beats 0; what is certified there decides.
    """
    from implicitbias.convex.variation.penalised import penalised_fit

    draw = context.random()
    small = Fraction(1, 8)
    data: list[tuple[list[tuple[int, ...]], list[Fraction | int]]] = [
        ([(0,)], [small]),
        ([(0,)], [14 * small]),
        ([(2, 2)], [-6]),
        ([(-1,), (1,)], [1, 1]),
        ([(-1,), (1,)], [1, -1]),
        ([(0,), (2,)], [30, 25]),
        ([(-2,), (0,), (2,)], [2 * small, small, 2 * small]),
        ([(1, 0), (-1, 0), (0, 1), (0, -1)], [1, 1, -1, -1]),
        ([(-2,), (-1,), (0,), (1,), (2,), (3,)], [0, small, 0, -small, 0, 0]),
    ]
    # one and two data, G² of all sizes
    for k, size in enumerate(evenly(-5, 7, context.choose(40, 90))):
        places = draw.sample(range(-3, 4), 1 + (k % 4 == 0))
        data.append(
            ([(t,) for t in places], [size * draw.randint(2, 9) * (-1) ** draw.randint(0, 1) / 9 for _ in places])
        )
    for d, n in context.choose(((1, 4), (2, 4)), ((1, 4), (1, 6), (2, 5), (3, 5))):
        points: list[tuple[int, ...]] = []
        while len(set(points)) < n:
            points = [tuple(draw.randint(-4, 4) for _ in range(d)) for _ in range(n)]
        data.append((points, [draw.randint(-5, 5) or 1 for _ in range(n)]))
    for k, (points, labels) in enumerate(data):
        y = [Fraction(v) for v in labels]
        n, mean = len(y), sum((v**2 for v in y), Fraction(0)) / len(y)
        square = touching([lift(x) for x in points], y).largest
        # at this penalty the loss of every fit saves less than its variation costs
        reach = sum((abs(v) * (1 + sum(map(abs, x))) for x, v in zip(points, y, strict=True)), Fraction(0))
        low, high, at = Fraction(0), 2 * reach / n, reach / n / 10
        fits: dict[Fraction, PenalisedFit] = {}
        while low < high * Fraction(99, 100) or high not in fits:
            fits[at] = fit = penalised_fit(points, y, at)
            if fit.upper < mean * (1 - Fraction(1, 10**9)):
                low, guess = at, _idle_from(fit) * Fraction(251, 250)
            elif mean - fit.lower <= mean / 10**12:
                high, guess = at, at * Fraction(248, 250)
            elif len(fits) < MOST_FITS:  # hardly any distance from the threshold: a look beside it
                at *= Fraction(1003, 1000)
                continue
            else:
                raise ArithmeticError(f"at the penalty {at} the bounds decide nothing")
            last = high * Fraction(248, 250) if high in fits else high
            guess = Fraction(round(guess * 2**20), 2**20)
            at = min(guess, last) if low < guess and low else (low + high) / 2
        yield seen(
            Interval(low, high),
            f"{n} points in dimension {len(points[0])}, y = {tuple(y)}",
            G2=square,
            n=n,
            x=tuple(points),
            y=tuple(y),
        )
        if k < 3:
            yield from (Attached(fits[end].certificate()) for end in (low, high))
    yield Step("at the upper end 0 is a minimiser, at the lower one it is not", "relative margins 1e-12 and 1e-9")
    yield Step("0 is a minimiser iff (2/(nλ))y is a feasible dual", "|Σ y_i [θ·x̃_i]_+| ≤ (nλ/2)|θ| for all θ")
    yield Step("G is the largest |Σ y_i [θ·x̃_i]_+| on the sphere, by exact projections on all cells")


THRESHOLD = claim(
    "dedios2020.corollary_4_8_threshold",
    "next to Corollary 4.8",
    "The penalty from which the minimiser is zero",
    """The minimiser of (22) is ν = 0 exactly where λ ≥ (2/n) G, G the largest |Σ y_i [θ·x̃_i]_+| over unit θ. (With the
    half of (7) it is G/n.) Proof: at 0 the dual is (2/(nλ))y, and this is when it is feasible. Beyond the threshold the
    corollary is empty.""",
    latex=r"\nu_\lambda=0\iff\lambda\ge\frac2n\max_{|\theta|=1}\Big|\sum_iy_i(\theta\cdot\tilde x_i)_+\Big|",
    domain=("G2 > 0", "n >= 1"),
    formula="2*sqrt(G2)/n",
    symbols={"G2": "G²", "n": "number of data"},
    controls={
        "sqrt(G2)/n": "the loss of (7), with its half",
        "2*sqrt(G2)": "the sum of losses instead of their mean",
        "2*sqrt(G2/n)": "the root of the mean",
        "2*G2/n": "the square of G",
    },
    checks=(threshold,),
    part_of="dedios2020.corollary_4_8",
    rests_on=("dedios2020.corollary_4_8",),
    own=True,
)
