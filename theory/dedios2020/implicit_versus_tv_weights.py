"""Section 4, implicit versus total-variation regularisation: which weights see a translation of the data."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from implicitbias.claims import Context, Flaw, Interval, Observation, certificate, claim, seen, shows, theorem
from implicitbias.exact.vectors import dot
from implicitbias.theorems.rules.extrema.extremum import Infimum
from implicitbias.theorems.rules.sequences.lists import ListSum
from implicitbias.theorems.rules.values.composition import Composition
from implicitbias.theorems.rules.values.vectors import VectorValue

from ..observed.units.neurons import (
    Neuron,
    Point,
    activity,
    mean_active_length,
    mean_square_output,
    random_data,
    random_fraction,
    random_neuron,
)
from ..observed.units.rescaling import least_potential
from . import errata


def _moved(data: Sequence[Point], shift: Point) -> list[Point]:
    return [tuple(v + t for v, t in zip(x, shift, strict=True)) for x in data]


def _follows(neuron: Neuron, shift: Point) -> Neuron:
    """The neuron that computes on moved data what this one does on the data: (a, b - a·t)."""
    a, b = neuron.theta[:-1], neuron.theta[-1]
    return Neuron((*a, b - dot(a, shift)), neuron.c)


def _cases(context: Context, count: int) -> list[tuple[Neuron, list[Point], Point]]:
    draw = context.random()
    one, zero = Fraction(1), Fraction(0)
    cases: list[tuple[Neuron, list[Point], Point]] = [
        (Neuron((one, one), one), [(zero,)], (one,)),
        (Neuron((one, one), one), [(zero,), (one,)], (one,)),
        (Neuron((one, one), -2 * one), [(zero,), (one,)], (-3 * one,)),
        (Neuron((2 * one, -one), one), [(zero,), (one,)], (zero,)),
    ]
    for d, n in ((1, 3), (2, 4), (3, 4)):
        for _ in range(count):
            data = random_data(draw, n, d)
            cases.append((random_neuron(draw, data), data, tuple(random_fraction(draw) for _ in range(d))))
    return cases


@certificate("minima on moved data")
def moved_minima(context: Context) -> Observation:
    """V_b² of the neuron that follows moved data, from (12) by difference quotients, minimised over λ."""
    for neuron, data, shift in _cases(context, context.choose(4, 30)):
        follower, moved = _follows(neuron, shift), _moved(data, shift)
        found = least_potential(follower, moved).value
        active = [x for x in data if neuron.before(x) > 0]
        label = f"n={len(data)}, d={len(shift)}, t = ({', '.join(map(str, shift))})"
        yield seen(
            Interval(max(found.lower, Fraction(0)) ** 2, found.upper**2),
            label,
            A=mean_square_output(neuron.theta, data),
            B=mean_active_length(neuron.theta, data),
            K=sum((dot(shift, x) for x in active), Fraction(0)) / len(data),
            P=activity(neuron.theta, data),
            q=dot(shift, shift),
            c=neuron.c,
        )


@theorem("data moved")
def data_moved() -> Observation:
    """V_b² of the neuron that follows n moved data in any dimension: the potential (12) added up, least over λ."""
    moved = VectorValue(
        formula="label_noise_potential(relu(l*(dot(a, x + t) + (b - dot(a, t))))**2,"
        " step(dot(a, x + t) + (b - dot(a, t)))*(1 + dot(x + t, x + t)), c/l)/n",
        vectors=("a", "x", "t"),
        products={"a x": "p", "a t": "w", "x x": "Y", "x t": "k", "t t": "q"},
    )
    potential = ListSum(
        term=moved,
        entries={"p": "real", "Y": "nonnegative", "k": "real"},
        where=("(p + b)**2 > 0",),
        length="n",
        totals={
            "A": "relu(p + b)**2/n",
            "S": "step(p + b)*Y/n",
            "K": "step(p + b)*k/n",
            "P": "step(p + b)/n",
        },
        by={"A": "l**2", "S": "c**2/l**2", "K": "2*c**2/l**2", "P": "(1 + q)*c**2/l**2"},
        split=("p + b",),
    )
    lengths = "(P + S + 2*K + P*q)"
    least = Infimum(
        potential,
        {"l": "positive"},
        {"l": f"sqrt(Abs(c)*sqrt({lengths})/sqrt(A)) + e"},
        (f"(l*sqrt(A) - Abs(c)*sqrt({lengths})/l)**2",),
    )
    yield shows(
        Composition("V**2", {"V": least}),
        for_all={
            "n": "positive integer",
            "A": "positive",
            "P": "positive",
            **dict.fromkeys("Sq", "nonnegative"),
            **dict.fromkeys(("K", "b", "c", "w"), "real"),
        },
        assuming=("P + S + 2*K + P*q > 0", "P <= 1", "K**2 <= P*q*S"),
        split=("c",),
        A="A",
        B="P + S",
        K="K",
        P="P",
        q="q",
        c="c",
    )


TRUE = claim(
    "dedios2020.implicit_versus_tv_true",
    "Section 4, implicit versus TV regularisation, first item",
    "The true label-noise weight under translations",
    """For data moved by t and the neuron (a, b - a·t) that follows them, V_b² = 4c²A(B + 2K + P|t|²) with A, B, P =
    E[1{active}] and K = E[(t·x)1{active}] on the data before: the true weight 2|c|√(AB) is not invariant under
    translations of the inputs. One datum at 0 moved to 1: 2|y| becomes 2√2|y|.""",
    latex=r"V_b^2\big|_{x+t}=4c^2A\,\big(B+2K+P\,|t|^2\big)\quad(q=|t|^2)",
    hypotheses=("no hinge on a datum", "some datum is active"),
    formula="4*c**2*A*(B + 2*K + P*q)",
    symbols={
        "A": "E_D[(aᵀx + b)_+²]",
        "B": "E_D[(1 + |x|²)·1{active}]",
        "K": "E_D[(t·x)·1{active}]",
        "P": "the active part of the data",
        "q": "|t|²",
        "c": "output weight",
    },
    flaw=Flaw(errata.EQUATION_13, "4*c**2*A*B"),
    controls={
        "4*c**2*A*(B + P*q)": "the mixed term omitted",
        "4*c**2*A*(B + 2*K + q)": "inactive data moved as well",
        "c**2*A": "the printed weight",
    },
    checks=(data_moved, moved_minima),
    part_of="dedios2020.implicit_versus_tv_translation",
    rests_on=("dedios2020.equation_13",),
)
