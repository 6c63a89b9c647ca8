"""Section 2.2: problems (5) and (6), the Representer Theorem, and that minimisers are many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any

from implicitbias.claims import (
    Attached,
    Context,
    Flaw,
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
from implicitbias.exact.vectors import dot, rank, relu

from ..observed.cheapest.function_programme import cheapest_function
from ..observed.data.draws import evenly
from ..observed.measures.exact_cases import (
    ABSCISSAE,
    Case,
    by_hand,
    diamond,
    fan,
    plane_cases,
    two_signs_one_pattern,
    zigzag,
)
from ..observed.measures.extended_cases import extended
from ..observed.measures.minimisers import further_cases, known_cases, vertex
from . import errata


@certificate("two programmes on the line")
def equal_values(context: Context) -> Observation:
    """(5) among functions, by a linear programme in rationals; (6) over measures, by cone programmes and cells, and
    between them by masses and a dual of equal value in rationals."""
    from implicitbias.convex.minimum_norm.interpolants import min_norm_interpolant
    from implicitbias.convex.variation.least import tv_interpolant

    draw = context.random()
    everywhere, narrow = True, Fraction(0)
    known = [c for c in known_cases(context.seed, context.choose(6, 30)) if c.d == 1]
    cases = [(case, Fraction(1)) for case in known[: context.choose(7, 40)]]
    # one and two data: the line through them is free for R or B, and V is what remains
    cases += [(known[k], Fraction(draw.randint(-60, 60) or 1, draw.choice((2, 9, 70)))) for k in (0, 0, 0, 1, 1, 2) * 3]
    programmes = len(cases)
    costs = (*evenly(-7, 7, 120), *(Fraction(k, 37) for k in range(9, 149)))
    cases += [(known[k % 3], least / known[k % 3].value) for k, least in enumerate(costs)]
    for k, (case, size) in enumerate(cases):
        x, y = [point[0] for point in case.points], tuple(size * v for v in case.y)
        functions = cheapest_function(x, y, ABSCISSAE)
        everywhere = everywhere and functions.everywhere
        if k < programmes:
            measures = tv_interpolant([(t,) for t in x], y)
            narrow = max(narrow, measures.gap)
            cost: Value = Interval(measures.lower, measures.upper)
        else:
            cost = case.times(size).value
        free = min_norm_interpolant(x, y).cost
        line_free = cheapest_function(x, y, ABSCISSAE, line_free=True).value
        label = f"{case.label} times {size}" if size != 1 else case.label
        yield seen(cost, label, V=functions.value, R=free, B=line_free, x=tuple(x), y=y)
        if k < 4:
            yield Attached(measures.certificate())
    yield Premise("among functions, kinks anywhere else save nothing", everywhere)
    yield Premise("the bounds over measures are closer than 1e-9", narrow < Fraction(1, 10**9), f"{float(narrow):.1e}")
    yield Step("(5): slope jumps and a constant, priced as functions on the line; prices checked between the data")
    yield Step("(6): cone programmes over the cells, made exact from both sides")
    yield Step("or masses at the contacts of a dual that is feasible on all cells, for labels of many sizes")


FREE: dict[Candidate, str] = {
    Rule("R", "the same with biases free, max(∫|f''|, |f'(-∞) + f'(+∞)|)", lambda given: given["R"]): (
        "the weight |a|, biases free"
    ),
    Rule("B", "the same with a line added at no cost", lambda given: given["B"]): "lines are free",
    "V**2": "the potential squared",
    "2*V": "weight decay without its half",
}

EQUAL = claim(
    "dedios2020.equation_5_and_6",
    "problems (5) and (6)",
    "The same minimum over functions and over measures",
    """The least norm of a function through the data, (5), is the least cost of a measure with these outputs at the
    data, (6), for V = |c|‖θ‖ with the bias in θ.""",
    latex=r"\min\{\|f\|_V:f(x_i)=y_i\}=\min\{\langle V,\mu\rangle:\langle\phi_{x_i},\mu\rangle=y_i\}",
    hypotheses=("one input",),
    domain=("V > 0",),
    formula="V",
    symbols={"V": "least norm of a function through the data, over the whole line"},
    controls=FREE,
    checks=(equal_values,),
)


PLACES = tuple(Fraction(a, b) for a, b in ((-12, 5), (-4, 3), (-3, 4), (-8, 15), (7, 24), (21, 20), (15, 8)))
"""Kinks of zigzags: √(1 + t²) is rational."""


def zigzag_of(kinks: int) -> Case:
    places = PLACES[:kinks]
    return zigzag(places, (places[0] - 1, places[-1] + 1))


@certificate("vertices of the set of minimisers")
def representer(context: Context) -> Observation:
    """A vertex by exact linear programming over all contacts.

    For 1 to 9 data, in one to three dimensions, data whose only minimiser has as many neurons.
    """
    draw = context.random()
    rich = 0
    for k, known in enumerate((*known_cases(context.seed, context.choose(8, 60)), further_cases()[0])):
        rich += sum(1 for m in known.masses if m) > known.n
        atoms = sum(1 for m in vertex(known, [draw.randint(1, 9) for _ in known.contacts]) if m)
        yield seen(atoms, known.label, relation="<=", n=known.n, d=known.d)
        if k < 4:
            yield Attached(known.document())
    forced = True
    for known in (diamond(), *(extended(fan(n), dimensions=more) for n in range(1, 10) for more in range(3))):
        forced = forced and known.unique
        yield seen(sum(1 for m in vertex(known, [1] * len(known.contacts)) if m), known.label, n=known.n, d=known.d)
    yield Premise("where the bound is attained the minimiser is the only one", forced)
    yield Premise("some data have minimisers with more than n neurons too", rich > 0, f"{rich} data sets")
    yield Step("all minimisers: masses at the contacts of an optimal dual")
    yield Step("a vertex of this polytope has independent features at the n data: n atoms at most")


REPRESENTER = claim(
    "dedios2020.section_2_2_representer",
    "Section 2.2, Representer Theorem",
    "A minimiser with at most n neurons",
    """Some minimiser of the variation norm through n data has at most n neurons, and for some data of every number n
    none has fewer: the only minimiser has n, as for the exclusive or on (±1, 0), (0, ±1). Not every minimiser is so
    sparse.""",
    latex=r"\min_\mu\#\operatorname{supp}\mu\le n",
    formula="n",
    symbols={"n": "number of data", "d": "dimension"},
    controls={
        "n - 1": "one fewer always does",
        "Min(n, d + 1)": "as many as a neuron has parameters",
        "Max(n - d, 1)": "one for the bias and every slope comes free",
        "n + 1": "a bound that nothing attains",
    },
    checks=(representer,),
    part_of="dedios2020.equation_5_and_6",
    rests_on=("dedios2020.corollary_4_6",),
)


def affine_dimension(vectors: Sequence[Sequence[Fraction]]) -> int:
    return rank([[a - b for a, b in zip(v, vectors[0], strict=True)] for v in vectors[1:]])


def dimension_of(known: Case, draw: Random, count: int) -> int:
    """The dimension of the set of minimisers, spanned by those that exact programmes find in random directions."""
    found = [known.masses]
    for _ in range(0 if known.unique else count):
        found.append(vertex(known, [draw.randint(0, 18) for _ in known.contacts]))
    return affine_dimension(found)


@certificate("span of the vertices")
def many(context: Context) -> Observation:
    """Minimisers for zigzags found by exact linear programmes, the rank of their differences; idle data added, and
    dimensions."""
    draw = context.random()
    certificates: list[Mapping[str, Any]] = []
    idle = [(Fraction(k, 7),) for k in (1, -2, 9, -16, 30, 2, -3, 10, -40, 50)]
    counted, count = True, context.choose(8, 40)
    for kinks in range(1, 8):
        for turn, others in enumerate((0, 4, 10 - kinks)):
            known = extended(zigzag_of(kinks), idle[:others], (turn + kinks) % 3)
            counted = counted and (len(known.contacts), known.rank) == (2 * kinks, min(2 * kinks, kinks + 2))
            yield seen(dimension_of(known, draw, kinks + 1), known.label, K=kinks, n=known.n, y=known.y)
            if not known.unique and len(certificates) < 4:
                certificates.append(known.document())
    drawn = known_cases(context.seed, context.choose(4, 30))
    linear = all(dimension_of(known, draw, count) == len(known.contacts) - known.rank for known in drawn)
    yield Premise("T = 2K directions are open, of rank K + 2, or 2K where that is less", counted)
    yield Premise("T - r is the dimension for other data as well", linear, f"{len(drawn)} data sets")
    yield Step("minimisers by exact linear programmes in random directions; the dimension of what they span")
    yield Step("on the line a kink may be shared by a ramp to the right and one to the left at one price")
    yield from map(Attached, certificates)


@certificate("idle neurons added")
def extreme(context: Context) -> Observation:
    """Extreme points of the solutions of (6) in P(Θ), with 0, 1, 2, … idle neurons: independence decides."""
    draw = context.random()
    solved = True
    idle = [(Fraction(k, 7),) for k in (1, -2, 9, -16, 30)]
    known_ones = [extended(fan(r), idle[: n - r], more) for r in range(1, 6) for n in range(r, 7) for more in range(3)]
    known_ones += [*by_hand()[:4], two_signs_one_pattern(), diamond(), *plane_cases()[3:5]]
    for case in known_ones:
        largest = 0
        for more in range(4):
            share = Fraction(1, more + 1)
            measure = [
                (share * abs(z) / case.value, (1 if z > 0 else -1) * case.value / share, c.theta)
                for z, c in zip(case.masses, case.contacts, strict=True)
            ]
            for _ in range(more):
                theta = tuple(Fraction(draw.randint(-9, 9)) for _ in range(case.d + 1))
                measure.append((share, Fraction(0), theta))
            outputs = [[c * relu(dot(t, x)) for _, c, t in measure] for x in case.points]
            costs = [abs(c) for _, c, _ in measure]
            sums = [
                sum((q * v for (q, _, _), v in zip(measure, row, strict=True)), Fraction(0))
                for row in [*outputs, costs]
            ]
            solved = solved and tuple(sums[:-1]) == case.y and sums[-1] == case.value
            # mass one, outputs and cost leave no direction to move in: an extreme point
            if rank([[Fraction(1)] * len(measure), *outputs, costs]) == len(measure):
                largest = max(largest, len(measure))
        yield seen(largest, case.label, r=case.rank, n=case.n, d=case.d, V=case.value)
    yield Premise("every measure solves (6)", solved)
    yield Step("a solution Σ q_k δ is extreme iff the vectors (1, outputs, cost) of its atoms are independent")
    yield Step("on solutions the cost is p·outputs, so their rank is r + 1 at most; an idle neuron supplies the 1")


EXTREME = claim(
    "dedios2020.section_2_2_extreme_points",
    "Section 2.2, extreme points of the solution set of (6)",
    "Extreme points in P(Θ) have one more atom",
    """Extreme points of the solutions of (6), which are probability measures on Θ, have up to r + 1 atoms, r ≤ n the
    rank of the features, since mass one is a further constraint: for x = 0, y = 1 the measure ½δ + ½δ' with c = 0 and c
    = 2, θ = (0, 1), is an extreme point with two atoms. For signed measures on the sphere, problem (20), it is at most
    n.""",
    latex=r"\max_{\mu\in\operatorname{ext}}\#\operatorname{supp}\mu=r+1",
    hypotheses=("the minimiser on the sphere is the only one",),
    formula="r + 1",
    symbols={"r": "rank of the features of all contacts", "n": "number of data", "d": "dimension of the inputs"},
    flaw=Flaw(errata.EXTREME_POINTS, "Min(r + 1, n)"),
    controls={
        "r": "the constraint on the mass omitted",
        "r + 2": "the cost counted as a further constraint",
        "d + 1": "as many as parameters",
    },
    checks=(extreme,),
    part_of="dedios2020.equation_5_and_6",
    rests_on=("dedios2020.section_2_2_representer",),
)


MANY = claim(
    "dedios2020.section_2_2_unicity",
    "Section 2.2, problem (6) generally lacks unicity",
    "The number of minimisers",
    """A zigzag of K kinks on a line in R^d, with any further data, has minimisers ν that fill a polytope of dimension
    max(0, K - 2): from three kinks on there are many. T = 2K directions are open to them, a ramp to the right and one
    to the left at every kink, and r = min(2K, K + 2) is the rank of their features at the data: the dimension is T -
    r, as for all data whose minimisers use T directions of rank r. (The remark before Lemma 4.5 that convex functions
    have a unique minimiser needs strict convexity.)""",
    latex=r"\dim\{\nu:\text{minimiser}\}=T-r=\max(0,K-2)",
    hypotheses=("at every kink t the height is ±√(1 + t²), in turn", "some minimiser has mass at every contact"),
    formula="Max(0, K - 2)",
    symbols={"K": "kinks", "n": "number of data"},
    domain=("n >= K + 2",),
    controls={
        "0": "the minimiser is always the only one",
        "Max(0, 2*K - n)": "data counted instead of the rank",
        "Max(0, K - 1)": "a freedom for every kink but one",
        "K": "a ramp to the right or to the left at every kink, freely",
        "n - 2 - Min(K, 2)": "told by the number of data",
    },
    checks=(many,),
    part_of="dedios2020.equation_5_and_6",
    rests_on=("dedios2020.corollary_4_6",),
)
