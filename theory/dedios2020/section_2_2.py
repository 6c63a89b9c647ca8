"""Section 2.2: problems (5) and (6), the Representer Theorem, and that minimisers are many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
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
    certificate,
    claim,
    seen,
)
from implicitbias.claims.statement import Candidate
from implicitbias.exact.vectors import dot, rank, relu

from ..observed.cheapest.function_programme import cheapest_function
from ..observed.measures.exact_cases import (
    ABSCISSAE,
    by_hand,
    diamond,
    two_signs_on_walls,
    two_signs_one_pattern,
    with_idle_data,
    zigzag,
)
from ..observed.measures.minimisers import further_cases, known_cases, vertex
from . import errata


@certificate("two programmes on the line")
def equal_values(context: Context) -> Observation:
    """(5) among functions, by a linear programme in rationals; (6) over measures, by cone programmes and cells."""
    from implicitbias.convex.minimum_norm.interpolants import min_norm_interpolant
    from implicitbias.convex.variation.least import tv_interpolant

    draw = context.random()
    everywhere, narrow = True, Fraction(0)
    known = [c for c in known_cases(context.seed, context.choose(6, 30)) if c.d == 1]
    cases = [(case, Fraction(1)) for case in known[: context.choose(7, 40)]]
    # one and two data: the line through them is free for R or B, and V is what remains
    cases += [(known[k], Fraction(draw.randint(-60, 60) or 1, draw.choice((2, 9, 70)))) for k in (0, 0, 0, 1, 1, 2) * 3]
    for k, (case, size) in enumerate(cases):
        x, y = [point[0] for point in case.points], tuple(size * v for v in case.y)
        functions = cheapest_function(x, y, ABSCISSAE)
        everywhere = everywhere and functions.everywhere
        measures = tv_interpolant([(t,) for t in x], y)
        narrow = max(narrow, measures.gap)
        free = min_norm_interpolant(x, y).cost
        line_free = cheapest_function(x, y, ABSCISSAE, line_free=True).value
        interval = Interval(measures.lower, measures.upper)
        label = f"{case.label} times {size}" if size != 1 else case.label
        yield seen(interval, label, V=functions.value, R=free, B=line_free, x=tuple(x), y=y)
        if k < 4:
            yield Attached(measures.certificate())
    yield Premise("among functions, kinks anywhere else save nothing", everywhere)
    yield Premise("the bounds over measures are closer than 1e-9", narrow < Fraction(1, 10**9), f"{float(narrow):.1e}")
    yield Step("(5): slope jumps and a constant, priced as functions on the line; prices checked between the data")
    yield Step("(6): cone programmes over the cells, made exact from both sides")


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
    domain=("V > 0",),
    formula="V",
    symbols={"V": "least norm of a function through the data, over the whole line"},
    controls=FREE,
    checks=(equal_values,),
)


@certificate("vertices of the set of minimisers")
def representer(context: Context) -> Observation:
    """A vertex by exact linear programming over all contacts; equality where the minimiser is the only one."""
    draw = context.random()
    rich = 0
    for k, case in enumerate((*known_cases(context.seed, context.choose(8, 60)), further_cases()[0])):
        rich += sum(1 for m in case.masses if m) > case.n
        atoms = sum(1 for m in vertex(case, [draw.randint(1, 9) for _ in case.contacts]) if m)
        forced = case.unique and len(case.contacts) == case.n
        yield seen(
            atoms, case.label, relation="=" if forced else "<=", n=case.n, d=case.d, S=case.cells, T=len(case.contacts)
        )
        if k < 4:
            yield Attached(case.document())
    yield Premise("some data have minimisers with more than n neurons too", rich > 0, f"{rich} data sets")
    yield Step("all minimisers: masses at the contacts of an optimal dual")
    yield Step("a vertex of this polytope has independent features at the n data: n atoms at most")
    yield Step("where the only minimiser has n atoms the bound is attained")


REPRESENTER = claim(
    "dedios2020.section_2_2_representer",
    "Section 2.2, Representer Theorem",
    "A minimiser with at most n neurons",
    """Some minimiser of the variation norm through n data has at most n neurons, and for some data none has fewer: the
    exclusive or on (±1, 0), (0, ±1) needs four. Not every minimiser is so sparse.""",
    latex=r"\min_\mu\#\operatorname{supp}\mu\le n",
    formula="n",
    symbols={"n": "number of data", "d": "dimension", "S": "number of cells", "T": "directions of all minimisers"},
    controls={
        "n - 1": "one fewer always does",
        "d + 1": "as many as a neuron has parameters",
        "S/2": "one neuron for every other cell",
        "T + 1": "a bound that nothing attains",
    },
    checks=(representer,),
    part_of="dedios2020.equation_5_and_6",
    rests_on=("dedios2020.corollary_4_6",),
)


def affine_dimension(vectors: Sequence[Sequence[Fraction]]) -> int:
    return rank([[a - b for a, b in zip(v, vectors[0], strict=True)] for v in vectors[1:]])


@certificate("span of the vertices")
def many(context: Context) -> Observation:
    """Minimisers found by exact linear programmes, the rank of their differences against T - r."""
    draw = context.random()
    places = [Fraction(a, b) for a, b in ((-12, 5), (-4, 3), (-8, 15), (7, 24), (21, 20), (15, 8))]
    longer = [zigzag(places[:k], (places[0] - 1, places[k - 1] + 1)) for k in (2, 5, 6)]
    dimensions = set()
    certificates: list[Mapping[str, Any]] = []
    idle = [
        with_idle_data(by_hand()[4], more) for more in ((2, -2), (Fraction(1, 3), Fraction(-1, 5), Fraction(1, 7), 3))
    ]
    for case in (*longer, *idle, *known_cases(context.seed, context.choose(4, 30))):
        found = [case.masses]
        for _ in range(0 if case.unique else context.choose(12, 40)):
            found.append(vertex(case, [draw.randint(-9, 9) + 9 for _ in case.contacts]))
        dimension = affine_dimension(found)
        dimensions.add(dimension)
        yield seen(dimension, case.label, T=len(case.contacts), r=case.rank, n=case.n, d=case.d, y=case.y)
        if not case.unique and len(certificates) < 4:
            certificates.append(case.document())
    yield Premise("some sets of minimisers have dimension 2 or more", {2, 3} <= dimensions)
    yield Step("minimisers by exact linear programmes in random directions; the dimension of what they span")
    yield Step("on the line a kink may be shared by a ramp to the right and one to the left at one price")
    yield from map(Attached, certificates)


@certificate("idle neurons added")
def extreme(context: Context) -> Observation:
    """Extreme points of the solutions of (6) in P(Θ), with 0, 1, 2, … idle neurons: independence decides."""
    draw = context.random()
    solved = True
    for case in (*by_hand()[:3], two_signs_on_walls(), two_signs_one_pattern(), diamond()):
        largest = 0
        for idle in range(4):
            share = Fraction(1, idle + 1)
            measure = [
                (share * abs(z) / case.value, (1 if z > 0 else -1) * case.value / share, c.theta)
                for z, c in zip(case.masses, case.contacts, strict=True)
            ]
            for _ in range(idle):
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
    """The minimisers ν fill a polytope of dimension T - r, where T directions are open to them and r is the rank of the
    features of these at the data (where some minimiser uses all T): one minimiser if T = r, else many. On the line
    zigzags of K kinks have T = 2K and r = K + 2, so from three kinks on there are many. (The remark before Lemma 4.5
    that convex functions have a unique minimiser needs strict convexity.)""",
    latex=r"\dim\{\nu:\text{minimiser}\}=T-r",
    hypotheses=("some minimiser has mass at every contact",),
    formula="T - r",
    symbols={
        "T": "directions open to minimisers",
        "r": "rank of their features at the data",
        "n": "number of data",
        "d": "dimension of the inputs",
    },
    controls={
        "0": "the minimiser is always the only one",
        "T - n": "data counted instead of the rank",
        "Max(0, T - n)": "data counted instead of the rank, and never fewer than one minimiser",
        "Max(0, T - r - 1)": "one less",
        "Max(0, n - 2*d - 2)": "told by the number of data",
    },
    checks=(many,),
    part_of="dedios2020.equation_5_and_6",
    rests_on=("dedios2020.corollary_4_6",),
)
