"""The number of units of an optimal network: one less than the number of data points."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from implicitbias.claims import Context, Observation, Premise, Step, certificate, claim, seen

from ..observed.cheapest.cheapest_network import cheapest_network, range_at
from ..observed.data.datasets import by_hand, random_batch, random_data
from ..observed.units.unit_counts import vertices, with_the_bias, zigzags


@certificate("sums of kinks")
def unit_counts(context: Context) -> Observation:
    """Units of optimal vertices of the programme; and data on which a subset-sum argument excludes fewer."""
    optimal = True
    for data in (*by_hand(), *random_batch(context.seed % 10**6, context.choose(40, 400), 10)):
        network = cheapest_network(data)
        optimal = optimal and all(network(x) == y for x, y in zip(data.x, data.y, strict=True))
        units = with_the_bias(network.units, data.x)
        yield seen(len(units), data.label, relation="<=", N=data.size, **data.given)
    needed = 0
    for seed in range(context.choose(60, 600)):
        data = random_data(context.seed % 10**6 + seed, 3 + seed % 4)
        alternate = all(k * m < 0 for k, m in pairwise(data.kinks)) and all(data.kinks)
        if data.tails_bend or not alternate or fits_with_one_unit_a_kink(data.kinks, data.a):
            continue
        network = cheapest_network(data)
        middles = [Fraction(u + v) / 2 for u, v in pairwise(data.x)]
        if any(low != high for low, high in (range_at(data, at, network.cost) for at in middles)):
            continue
        needed += 1
        yield seen(
            _fewest(with_the_bias(network.units, data.x), len(data.kinks)),
            f"the fewest units, {data.label}",
            N=data.size,
            **data.given,
        )
    yield Premise("the networks pass through the data", optimal)
    yield Premise("data on which N - 1 units are needed was found", needed > 2, f"{needed} data sets")
    yield Step(
        "the programme has one row per data point and the output bias among its columns: a vertex that has it has N - 1"
        " units or fewer, and one of N units is an edge away from it along which the cost stays"
    )
    yield Step(
        "where the spline is the only minimiser and has N - 2 kinks of alternating sign, N - 2 units would be one per"
        " kink, and the slope at -∞ would be minus the sum of those kinks whose unit is turned left; no choice of "
        "these gives l_1"
    )


def fits_with_one_unit_a_kink(kinks: Sequence[Fraction], a: Fraction) -> bool:
    """Whether some set of kinks adds up to -a: one unit per kink, those of the set turned left."""
    sums = {Fraction(0)}
    for kink in kinks:
        sums |= {total + kink for total in sums}
    return -a in sums


def _fewest(units: Sequence[object], kinks: int) -> int:
    """The fewest units where one per kink does not suffice: the number found, if it is one more."""
    if len(units) < kinks + 1:
        raise ArithmeticError(f"{len(units)} units were found where {kinks + 1} are needed")
    return len(units)


UNITS = claim(
    "savarese2019.theorem_3_3_units",
    "beside the proof of Theorem 3.3",
    "Units of an optimal network",
    """N - 1 units and an output bias suffice for the least cost of interpolating N points, and some data need them all.
    Proof: the programme over measures has an optimal vertex with at most N columns, one of which is the output bias; on
    zigzag data the linear spline is the only minimiser and needs a unit for each of its N - 2 kinks, and one more
    unless the signed kinks add up to the sum of its end slopes. So from that width on (10) and (11) have the same
    value. (After (11) the text says N, citing Rosset et al. 2007, and in the proof of Theorem 3.3 N + 1.)""",
    part_of="savarese2019.theorem_3_3",
    latex=r"\#\text{units}\le N-1",
    hypotheses=("N ≥ 1", "the output bias is free"),
    formula="N - 1",
    symbols={"N": "number of data points"},
    controls={
        "N - 2": "one unit per kink of the spline",
        "N/2": "one unit per two data points",
        "N": "one unit per data point: true, not sharp",
        "N + 1": "one unit per data point and one for the bias: true, not sharp",
    },
    checks=(
        certificate(
            "zigzag data",
            about="unique minimisers by strict prices, their units counted over all orientations, N = 1 to 12",
        )(zigzags),
        certificate(
            "vertices of the programme",
            about="55 data sets of 1 to 12 points: an exact optimal vertex with the output bias never has more",
        )(vertices),
        unit_counts,
    ),
    rests_on=("savarese2019.theorem_3_3", "savarese2019.equation_8", "savarese2019.section_2_width"),
    formerly=("savarese2019.section_2_rosset_sharp", "savarese2019.section_2_rosset"),
    own=True,
)
