"""The minimiser with the fewest knots: ⌈k/2⌉ for every run of k kinks of one sign."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, pairwise, product

from implicitbias.claims import Context, Observation, Premise, Step, certificate, claim, seen

from ..observed.cheapest.cheapest_network import cheapest_network
from ..observed.data.datasets import DataSet, random_data, through
from ..observed.functions.second_derivative import SecondDerivative, cheapest_exact_network


@dataclass(frozen=True)
class Run:
    """Neighbouring kinks of one sign, none of them zero: the index of the first, their number and sign."""

    first: int
    length: int
    sign: int


def runs(data: DataSet) -> tuple[Run, ...]:
    """The maximal runs of kinks of one sign, in order."""
    found = []
    place = 1
    for sign, group in groupby((k > 0) - (k < 0) for k in data.kinks):
        length = len(list(group))
        if sign:
            found.append(Run(place, length, sign))
        place += length
    return tuple(found)


def merged(data: DataSet) -> dict[Fraction, Fraction]:
    """Slope jumps by place: in each run the kinks 1 and 2, 3 and 4, … merged where the neighbouring chords meet."""
    jumps: dict[Fraction, Fraction] = {}
    for run in runs(data):
        indices = list(range(run.first, run.first + run.length))
        for i in indices[::2]:
            left, kink = Fraction(data.x[i]), data.kinks[i - 1]
            if i + 1 in indices:
                right, other = Fraction(data.x[i + 1]), data.kinks[i]
                left, kink = (kink * left + other * right) / (kink + other), kink + other
            jumps[left] = kink
    return jumps


def disjoint_needs(data: DataSet) -> list[tuple[Fraction, Fraction, int]]:
    """Open intervals, disjoint for each sign, in each of which every minimiser has a knot of that sign.

    At a kink of the spline three data points do not lie on a line, so an interpolant has a knot strictly between the
    outer two;
    a minimiser's second derivative has the sign of the run there.
    """
    needs = []
    for run in runs(data):
        for i in range(run.first, run.first + run.length, 2):
            needs.append((Fraction(data.x[i - 1]), Fraction(data.x[i + 1]), run.sign))
    return needs


@certificate("merged kinks and disjoint places")
def fewest_knots(context: Context) -> Observation:
    """An exact minimiser with few knots, and as many disjoint intervals in which every minimiser has a knot."""
    batch = [through(f"a bowl of {k} kinks", list(range(-k, k + 1, 2))) for k in range(1, 8)]
    batch += [
        through("bowl and hill", [-2, -1, 1, 2, 1, 0, -3]),
        through("a zero kink inside a bowl", [-3, -1, -1, 0, 2]),
        through("hill, bowl, hill", [3, 2, 0, 1, 2, 5, 4, 1], [1, 2, 1, 3, 1, 1, 2, 1]),
        through("long hill, short bowl", [9, 5, 4, 2, -1, -3, -2]),
    ]
    draw = context.random()
    long = (*product((1, 2, 5, 8), repeat=3), *product((1, 2, 4, 6), repeat=2), (8,), (8, 8), (3, 8), (8, 3), (7, 3, 6))
    drawn = [draw.choices((1, 1, 2, 3, 4, 5, 7, 8), k=3 - i % 4 % 3) for i in range(12)]
    batch += [_data_of_runs(draw, lengths) for lengths in (*long, *drawn)]
    batch += [random_data(context.seed % 10**6 + i, 5 + i % 7) for i in range(context.choose(30, 800))]
    instances = []
    sound = True
    for data in batch:
        found = runs(data)
        if data.tails_bend or not 1 <= len(found) <= 3:
            continue
        f = SecondDerivative(merged(data), {}, data.a, Fraction(data.y[0]) - data.a * data.x[0])
        needs = disjoint_needs(data)
        least = cheapest_network(data).cost
        sound = sound and f.interpolates(data) and cheapest_exact_network(f) == least and _disjoint(needs)
        if len(f.atoms) != len(needs):
            raise ArithmeticError(f"{data.label}: {len(f.atoms)} knots suffice, {len(needs)} are needed")
        lengths = [run.length for run in found] + [0, 0]
        instances.append(seen(len(needs), data.label, k_1=lengths[0], k_2=lengths[1], k_3=lengths[2], **data.given))
    yield from instances
    yield Premise("the merged functions pass through the data at least cost; the places are disjoint", sound)
    yield Premise("more than twenty data sets", len(instances) > 20, f"{len(instances)} data sets")
    yield Step("two neighbouring kinks of one sign can be one knot, where the chords on both sides meet")
    yield Step(
        "at every second kink of a run a minimiser has a knot of the run's sign strictly between the "
        "neighbouring points; for one sign these intervals are disjoint, also between runs"
    )


def _data_of_runs(draw: random.Random, lengths: Sequence[int]) -> DataSet:
    """Data with runs of so many kinks, the first up or down, whose straight tails suffice: a + b = 0."""
    kinks: list[Fraction] = []
    sign = draw.choice((1, -1))
    for length in lengths:
        kinks += [sign * Fraction(draw.randint(1, 12), 4) for _ in range(length)]
        sign = -sign
    slopes = [-sum(kinks, Fraction(0)) / 2]
    for kink in kinks:
        slopes.append(slopes[-1] + kink)
    return through(f"runs of {', '.join(map(str, lengths))} kinks", [str(slope) for slope in slopes])


def _disjoint(needs: list[tuple[Fraction, Fraction, int]]) -> bool:
    for sign in (1, -1):
        intervals = sorted((left, right) for left, right, s in needs if s == sign)
        if any(end > start for (_, end), (start, _) in pairwise(intervals)):
            return False
    return True


SPARSEST = claim(
    "savarese2019.theorem_3_3_sparsest",
    "after Theorem 3.3",
    "Fewest knots of a minimiser",
    """With T ≥ |a+b| the minimiser with the fewest knots has ⌈k/2⌉ of them for every maximal run of k neighbouring
    kinks of one sign: up to half as many as the linear spline. (Debarre et al. 2022 show it for ∫|f''| alone, with free
    tails.)""",
    part_of="savarese2019.theorem_3_3",
    latex=r"\min_f\#\text{knots}=\sum_{\text{runs}}\lceil k/2\rceil",
    hypotheses=("T ≥ |a+b|", "stated here for up to three runs"),
    domain=("k_1 >= 1", "k_2 >= 0", "k_3 >= 0", "k_2*k_3 >= k_3"),
    formula="floor((k_1 + 1)/2) + floor((k_2 + 1)/2) + floor((k_3 + 1)/2)",
    symbols={
        "k_1": "kinks in the first run of one sign",
        "k_2": "kinks in the second run (0 if there is none)",
        "k_3": "kinks in the third run (0 if there is none)",
    },
    controls={
        "k_1 + k_2 + k_3": "the linear spline: one knot per kink",
        "floor((k_1 + k_2 + k_3 + 1)/2)": "pairs formed across a change of sign",
        "floor(k_1/2) + floor(k_2/2) + floor(k_3/2)": "rounded down",
        "Min(k_1, 1) + Min(k_2, 1) + Min(k_3, 1)": "one knot per run",
    },
    checks=(fewest_knots,),
    rests_on=("savarese2019.theorem_3_3_uniqueness",),
    own=True,
)
