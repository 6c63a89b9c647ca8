"""Section 2.2: problems (5) and (6), the Representer Theorem, and that minimisers are many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from implicitbias.claims.check import Check, Context, Kind
from implicitbias.claims.evidence import Evidence, Instance, Premise, Step, Value
from implicitbias.claims.statement import Claim, Control, Flaw, Source
from implicitbias.exact.rational import Interval


def observe_equal_values(context: Context) -> Evidence:
    """(5) among functions, by a linear programme in rationals; (6) over measures, by cone programmes and cells."""
    from implicitbias.convex.minimum_norm.interpolants import min_norm_interpolant
    from implicitbias.convex.variation.least import tv_interpolant

    from .observed.exact_cases import ABSCISSAE
    from .observed.function_programme import cheapest_function
    from .observed.minimisers import known_cases

    instances: list[Instance] = []
    certificates: list[Mapping[str, Any]] = []
    everywhere, narrow = True, Fraction(0)
    for case in [c for c in known_cases(context.seed, context.choose(6, 30)) if c.d == 1][: context.choose(8, 40)]:
        x = [point[0] for point in case.points]
        functions = cheapest_function(x, case.y, ABSCISSAE)
        everywhere = everywhere and functions.everywhere
        measures = tv_interpolant([(t,) for t in x], case.y)
        narrow = max(narrow, measures.gap)
        given: dict[str, Value] = {
            "V": functions.value,
            "R": min_norm_interpolant(x, case.y).cost,
            "B": cheapest_function(x, case.y, ABSCISSAE, line_free=True).value,
            "x": tuple(x),
            "y": case.y,
        }
        instances.append(Instance(case.label, given, Interval(measures.lower, measures.upper)))
        if len(certificates) < 4:
            certificates.append(measures.certificate())
    return Evidence(
        instances=tuple(instances),
        premises=(
            Premise("among functions, kinks anywhere else save nothing", everywhere),
            Premise(
                "the bounds over measures are closer than 1e-9", narrow < Fraction(1, 10**9), f"{float(narrow):.1e}"
            ),
        ),
        steps=(
            Step("(5): slope jumps and a constant, priced as functions on the line; prices checked between the data"),
            Step("(6): cone programmes over the cells, made exact from both sides"),
        ),
        certificates=tuple(certificates),
    )


EQUAL = Claim(
    id="dedios2020.equation_5_and_6",
    source=Source("dedios2020", "problems (5) and (6)"),
    title="Functions or measures: one minimum",
    statement=(
        "The least norm of a function through the data, (5), is the least cost of a measure with these outputs at the "
        "data, (6), for V = |c|‖θ‖ with the bias in θ."
    ),
    latex=r"\min\{\|f\|_V:f(x_i)=y_i\}=\min\{\langle V,\mu\rangle:\langle\phi_{x_i},\mu\rangle=y_i\}",
    formula="V",
    symbols={
        "V": "least norm of a function through the data, over the whole line",
        "R": "the same with biases free, max(∫|f''|, |f'(-∞) + f'(+∞)|)",
        "B": "the same with a line added at no cost",
    },
    controls=(
        Control("R", "the weight |a|, biases free"),
        Control("B", "lines are free"),
        Control("V**2", "the potential squared"),
        Control("2*V", "weight decay without its half"),
    ),
    checks=(
        Check(
            name="two programmes on the line",
            kind=Kind.CERTIFICATE,
            observe=observe_equal_values,
            about="a linear programme among functions against certified bounds over measures",
        ),
    ),
)


def observe_representer(context: Context) -> Evidence:
    from .observed.minimisers import further_cases, known_cases, vertex

    draw = context.random()
    instances: list[Instance] = []
    certificates: list[Mapping[str, Any]] = []
    rich = 0
    for case in (*known_cases(context.seed, context.choose(8, 60)), further_cases()[0]):
        rich += sum(1 for m in case.masses if m) > case.n
        atoms = sum(1 for m in vertex(case, [draw.randint(1, 9) for _ in case.contacts]) if m)
        given: dict[str, Value] = {"n": case.n, "d": case.d, "S": case.cells, "T": len(case.contacts)}
        forced = case.unique and len(case.contacts) == case.n
        instances.append(Instance(case.label, given, atoms, "=" if forced else "<="))
        if len(certificates) < 4:
            certificates.append(case.document())
    return Evidence(
        instances=tuple(instances),
        premises=(Premise("some data have minimisers with more than n neurons too", rich > 0, f"{rich} data sets"),),
        steps=(
            Step("all minimisers: masses at the contacts of an optimal dual"),
            Step("a vertex of this polytope has independent features at the n data: n atoms at most"),
            Step("where the only minimiser has n atoms the bound is attained"),
        ),
        certificates=tuple(certificates),
    )


REPRESENTER = Claim(
    id="dedios2020.section_2_2_representer",
    source=Source("dedios2020", "Section 2.2, Representer Theorem"),
    title="A minimiser with at most n neurons",
    statement=(
        "Some minimiser of the variation norm through n data has at most n neurons, and for some data none has fewer: "
        "the exclusive or on (±1, 0), (0, ±1) needs four. Not every minimiser is so sparse."
    ),
    latex=r"\min_\mu\#\operatorname{supp}\mu\le n",
    rests_on=("dedios2020.corollary_4_6",),
    formula="n",
    symbols={"n": "number of data", "d": "dimension", "S": "number of cells", "T": "directions of all minimisers"},
    controls=(
        Control("n - 1", "one fewer always does"),
        Control("d + 1", "as many as a neuron has parameters"),
        Control("S/2", "one neuron for every other cell"),
        Control("T + 1", "a bound that nothing attains"),
    ),
    checks=(
        Check(
            name="vertices of the set of minimisers",
            kind=Kind.CERTIFICATE,
            observe=observe_representer,
            about=(
                "a vertex by exact linear programming over all contacts; equality where the minimiser is the only one"
            ),
        ),
    ),
)


def affine_dimension(vectors: Sequence[Sequence[Fraction]]) -> int:
    from .observed.contact_sets import rank

    return rank([[a - b for a, b in zip(v, vectors[0], strict=True)] for v in vectors[1:]])


def observe_many(context: Context) -> Evidence:
    from .observed.exact_cases import zigzag
    from .observed.minimisers import known_cases, vertex

    draw = context.random()
    places = [Fraction(a, b) for a, b in ((-12, 5), (-4, 3), (-8, 15), (7, 24), (21, 20), (15, 8))]
    longer = [zigzag(places[:k], (places[0] - 1, places[k - 1] + 1)) for k in (2, 5, 6)]
    instances: list[Instance] = []
    certificates: list[Mapping[str, Any]] = []
    for case in (*longer, *known_cases(context.seed, context.choose(4, 30))):
        found = [case.masses]
        for _ in range(0 if case.unique else context.choose(12, 40)):
            found.append(vertex(case, [draw.randint(-9, 9) + 9 for _ in case.contacts]))
        given: dict[str, Value] = {"T": len(case.contacts), "r": case.rank, "n": case.n, "d": case.d, "y": case.y}
        instances.append(Instance(case.label, given, affine_dimension(found)))
        if not case.unique and len(certificates) < 4:
            certificates.append(case.document())
    return Evidence(
        instances=tuple(instances),
        premises=(
            Premise("some sets of minimisers have dimension 2 or more", {2, 3} <= {i.observed for i in instances}),
        ),
        steps=(
            Step("minimisers by exact linear programmes in random directions; the dimension of what they span"),
            Step("on the line a kink may be shared by a ramp to the right and one to the left at one price"),
        ),
        certificates=tuple(certificates),
    )


MANY = Claim(
    id="dedios2020.section_2_2_unicity",
    source=Source("dedios2020", "Section 2.2, problem (6) generally lacks unicity"),
    title="How many minimisers there are",
    statement=(
        "The minimisers ν fill a polytope of dimension T - r, where T directions are open to them and r is the rank of "
        "the features of these at the data (where some minimiser uses all T): one minimiser if T = r, else many. On "
        "the line zigzags of K kinks have T = 2K and r = K + 2, so from three kinks on there are many. (That convex "
        "functions have a unique minimiser, as it is put before Lemma 4.5, wants strictly convex ones.)"
    ),
    latex=r"\dim\{\nu:\text{minimiser}\}=T-r",
    hypotheses=("some minimiser has mass at every contact",),
    rests_on=("dedios2020.corollary_4_6",),
    formula="T - r",
    symbols={
        "T": "directions open to minimisers",
        "r": "rank of their features at the data",
        "n": "number of data",
        "d": "dimension of the inputs",
    },
    controls=(
        Control("0", "the minimiser is always the only one"),
        Control("T - n", "data counted instead of the rank"),
        Control("Max(0, T - r - 1)", "one less"),
        Control("Max(0, n - 2*d - 2)", "told by the number of data"),
    ),
    checks=(
        Check(
            name="span of the vertices",
            kind=Kind.CERTIFICATE,
            observe=observe_many,
            about="minimisers found by exact linear programmes, the rank of their differences against T - r",
        ),
    ),
)


def observe_extreme(context: Context) -> Evidence:
    """Extreme points of the solutions of (6) in P(Θ), with 0, 1, 2, … idle neurons: independence decides."""
    from .observed.contact_sets import rank, relu
    from .observed.exact_cases import by_hand, diamond, two_signs_on_walls, two_signs_one_pattern

    draw = context.random()
    instances, solved = [], True
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
            outputs = [[c * relu(t, x) for _, c, t in measure] for x in case.points]
            costs = [abs(c) for _, c, _ in measure]
            sums = [
                sum((q * v for (q, _, _), v in zip(measure, row, strict=True)), Fraction(0))
                for row in [*outputs, costs]
            ]
            solved = solved and tuple(sums[:-1]) == case.y and sums[-1] == case.value
            # mass one, outputs and cost leave no direction to move in: an extreme point
            if rank([[Fraction(1)] * len(measure), *outputs, costs]) == len(measure):
                largest = max(largest, len(measure))
        given: dict[str, Value] = {"r": case.rank, "n": case.n, "d": case.d, "V": case.value}
        instances.append(Instance(case.label, given, largest))
    return Evidence(
        instances=tuple(instances),
        premises=(Premise("every measure solves (6)", solved),),
        steps=(
            Step("a solution Σ q_k δ is extreme iff the vectors (1, outputs, cost) of its atoms are independent"),
            Step("on solutions the cost is p·outputs, so their rank is r + 1 at most; an idle neuron supplies the 1"),
        ),
    )


EXTREME = Claim(
    id="dedios2020.section_2_2_extreme_points",
    source=Source("dedios2020", "Section 2.2, extreme points of the solution set of (6)"),
    title="Extreme points in P(Θ) have one atom more",
    statement=(
        "Extreme points of the solutions of (6), which are probability measures on Θ, have up to r + 1 atoms, r ≤ n "
        "the rank of the features, since mass one is a further constraint: for x = 0, y = 1 the measure ½δ + ½δ' with "
        "c = 0 and c = 2, θ = (0, 1), is an extreme point with two atoms. For signed measures on the sphere, problem "
        "(20), it is at most n."
    ),
    latex=r"\max_{\mu\in\operatorname{ext}}\#\operatorname{supp}\mu=r+1",
    hypotheses=("the minimiser on the sphere is the only one",),
    rests_on=("dedios2020.section_2_2_representer",),
    formula="r + 1",
    symbols={"r": "rank of the features of all contacts", "n": "number of data", "d": "dimension of the inputs"},
    flaw=Flaw(
        printed="Min(r + 1, n)",
        word="imprecise wording",
        wrong="n atoms hold on the sphere; in P(Θ) an atom with c = 0 can be added, and the point stays extreme.",
        sure="certain",
        charitable="the conclusion drawn, that n neurons suffice, is right.",
    ),
    controls=(
        Control("r", "the constraint on the mass forgotten"),
        Control("r + 2", "the cost counted as a further constraint"),
        Control("d + 1", "as many as parameters"),
    ),
    checks=(
        Check(
            name="idle neurons added",
            kind=Kind.CERTIFICATE,
            observe=observe_extreme,
            about="solutions with idle neurons; independence of their atoms' vectors decides, in rationals",
        ),
    ),
)

CLAIMS: tuple[Claim, ...] = (EQUAL, REPRESENTER, EXTREME, MANY)
