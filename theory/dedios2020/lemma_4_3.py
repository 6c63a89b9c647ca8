"""Lemma 4.3: on a closed cell the outputs are linear, for two neurons and for measures."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from implicitbias.claims import (
    Context,
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
from implicitbias.exact.vectors import dot
from implicitbias.theorems.rules.sequences.lists import MeasureIntegral
from implicitbias.theorems.rules.values.vectors import VectorValue

from ..observed.measures.cone_measures import Atoms, closed_cells, contains, member, random_atoms
from ..observed.units.neurons import Neuron, Point, random_data


@certificate("pairs within and across cells")
def sums(context: Context) -> Observation:
    """Whether the outputs of two neurons add to those of their sum at all data, within and across enumerated cells."""
    draw = context.random()
    one, zero = Fraction(1), Fraction(0)
    unit: list[Point] = [(zero,), (one,)]
    cases: list[tuple[Point, Point, list[Point]]] = [
        ((one, zero), (-one, one), unit),
        ((one, zero), (one, one), unit),
        ((one, -one), (one, zero), unit),
        ((one, -one), (-one, zero), unit),
        ((one, zero), (-one, zero), unit),
        ((zero, one), (-one, one / 2), unit),
    ]
    for d, n in ((1, 3), (2, 4), (2, 5)):
        data = random_data(draw, n, d)
        cells = closed_cells(data)
        for k in range(context.choose(10, 60)):
            first, second = draw.choice(cells), draw.choice(cells)
            cases.append((member(first, draw), member(first if k % 2 else second, draw), data))
    cell_found = True
    for theta, other, data in cases:
        total = tuple(p + q for p, q in zip(theta, other, strict=True))
        units = [Neuron(v, one) for v in (theta, other, total)]
        adds = all(units[0](x) + units[1](x) == units[2](x) for x in data)
        shared = any(contains(c, theta, data) and contains(c, other, data) for c in closed_cells(data))
        heights = [(units[0].before(x), units[1].before(x)) for x in data]
        cell_found = cell_found and (shared == all(p * q >= 0 for p, q in heights))
        label = f"θ = ({', '.join(map(str, theta))}), θ' = ({', '.join(map(str, other))})"
        yield seen(adds, label, first=tuple(p for p, _ in heights), second=tuple(q for _, q in heights))
    yield Premise("no opposite signs at any datum means a common closed cell, by enumeration", cell_found)


def _signs(given: Mapping[str, Value]) -> list[tuple[Fraction, Fraction]]:
    first, second = given["first"], given["second"]
    if not isinstance(first, tuple) or not isinstance(second, tuple):
        raise TypeError("the instance gives no pre-activations")
    return [(Fraction(p), Fraction(q)) for p, q in zip(first, second, strict=True)]


SUMS = claim(
    "dedios2020.lemma_4_3",
    "Lemma 4.3, discrete version, (16)",
    "Outputs add exactly within a closed cell",
    """The outputs of two parameters add to those of their sum at all data, (16), if and only if they belong to one
    closed cell, walls included: no datum has pre-activations of opposite signs.""",
    latex=r"""[\theta\cdot\tilde x_i]_++[\theta'\cdot\tilde x_i]_+=[(\theta+\theta')\cdot\tilde x_i]_+\ \forall i\iff
    (\theta\cdot\tilde x_i)(\theta'\cdot\tilde x_i)\ge0\ \forall i""",
    formula=Rule(
        "one closed cell",
        "(16) holds at all data if and only if no datum has pre-activations of opposite signs",
        lambda given: all(p * q >= 0 for p, q in _signs(given)),
    ),
    controls={
        Rule("always", "(16) holds for all parameters", lambda given: True): "the ReLU treated as linear",
        Rule(
            "one strict pattern",
            "(16) holds if and only if the same data are strictly active",
            lambda given: all((p > 0) == (q > 0) for p, q in _signs(given)),
        ): "half-open cells: parameters on a shared wall omitted",
        Rule(
            "some shared datum",
            "(16) holds if and only if some datum is active or on the hinge for both",
            lambda given: any(p >= 0 and q >= 0 for p, q in _signs(given)),
        ): "one datum instead of all",
    },
    checks=(sums,),
    rests_on=("dedios2020.appendix_a_lemma_4_3",),
)


@certificate("measures with matched moments")
def predictions(context: Context) -> Observation:
    """Predictions of signed measures on enumerated cells, atom by atom; pairs of measures with equal moments."""
    draw = context.random()
    twins = True
    for d, n in ((1, 2), (1, 4), (2, 4)):
        data = random_data(draw, n, d)
        for cone in closed_cells(data)[: context.choose(8, 60)]:
            measure = random_atoms(cone, draw, draw.randint(1, 4))
            # the same moments by other atoms: a pair that cancels is added, masses are halved and weights doubled
            spare = member(cone, draw)
            doubled = [neuron.scaled(Fraction(1), Fraction(2)) for neuron in measure.neurons]
            pair = [Neuron(spare, Fraction(s)) for s in (3, -3)]
            other = Atoms((*doubled, *pair), (*(m / 2 for m in measure.masses), Fraction(1, 4), Fraction(1, 4)))
            twins = twins and other.moment() == measure.moment()
            for i, x in enumerate(data):
                for found in (measure, other):
                    moment, plain = found.moment(), found.plain_moment()
                    label = f"cell {set(cone.active) or '{}'}, datum {i}, {len(found.neurons)} atoms"
                    yield seen(
                        found(x),
                        label,
                        s=int(i in cone.active),
                        K=dot(moment[:-1], x),
                        N=moment[-1],
                        k=dot(plain[:-1], x),
                        n=plain[-1],
                    )
    yield Premise("the second measure has the moments of the first", twins)


@theorem("term by term")
def on_one_side() -> Observation:
    """What a neuron of the cell says at the datum is linear in (ca, cb), so its integral is known from theirs."""
    for s, side in (("1", "p + b >= 0"), ("0", "p + b <= 0")):
        yield shows(
            MeasureIntegral(
                term=VectorValue(formula="c*relu(dot(a, x) + b)", vectors=("a", "x"), products={"a x": "p"}),
                entries={"c": "real", "p": "real", "b": "real"},
                where=(side,),
                totals={"K": "moment(c, p)", "N": "moment(c, b)", "k": "p", "n": "b"},
                by={"K": s, "N": s},
            ),
            "active" if s == "1" else "inactive",
            for_all=dict.fromkeys(("K", "N", "k", "n"), "real"),
            s=s,
            K="K",
            N="N",
            k="k",
            n="n",
        )


MEASURES = claim(
    "dedios2020.lemma_4_3_measures",
    "Lemma 4.3, continuous version, (17), (18), (24), (25)",
    "On a closed cell moments decide all predictions",
    """A measure on a closed cell predicts xᵀ∫ca dμ + ∫cb dμ at the data that are active on the cell, and 0 at the
    others: measures with equal moments (18) agree on all data, whatever their masses, signs and supports.""",
    latex=r"""\langle\phi_{x_i},\mu\rangle=s_i\Big(x_i^\top\!\!\int ca\,d\mu+\int cb\,d\mu\Big)\quad(s_i\in\{0,1\},\
    K=x_i^\top\!\textstyle\int ca,\ N=\int cb)""",
    hypotheses=("μ is supported on one closed cell",),
    formula="s*(K + N)",
    symbols={
        "s": "1 where the datum is active inside the cell, else 0",
        "K": "xᵀ∫ca dμ",
        "N": "∫cb dμ",
        "k": "xᵀ∫a dμ, without c",
        "n": "∫b dμ, without c",
    },
    controls={
        "s*(k + n)": "moments of (a, b) without the output weight",
        "K + N": "inactive data predicted linearly as well",
        "Max(K + N, 0)": "one neuron with weight 1 at the moment: wrong for negative moments",
    },
    checks=(on_one_side, predictions),
    part_of="dedios2020.lemma_4_3",
    rests_on=("dedios2020.lemma_4_3",),
)
