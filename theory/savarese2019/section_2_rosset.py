"""Section 2, after (11): how many units a minimiser needs for N data points."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

from implicitbias.check import Check, Context, Kind
from implicitbias.claim import OWN_RESULT, Claim, Control, Source
from implicitbias.evidence import Evidence, Instance, Premise, Value

from .observed.cost_programme import Number, interpolation


def random_sets(context: Context, count: int) -> list[tuple[list[Number], list[Number]]]:
    """Data with ramps, plateaus, ties and zigzags among them; one point and two points too."""
    draw = context.random()
    sets: list[tuple[list[Number], list[Number]]] = [
        ([2], [5]),
        ([0, 1], [0, 0]),
        ([0, 1], [0, 3]),
        ([0, 1, 2], [0, 1, 2]),
        ([0, 1, 2], [0, 0, 1]),
        ([0, 1, 2, 3], [0, 0, 0, 0]),
        ([0, 1, 2, 3, 4], [0, 0, 1, 0, 0]),
    ]
    for i in range(count):
        size = 1 + i % 8
        x: list[Number] = sorted(draw.sample(range(-20, 21), size))
        ramp = 5 if i % 3 == 0 else 0
        sets.append((x, [ramp * z + draw.randint(-12, 12) for z in x]))
    return sets


def vertices(context: Context) -> Evidence:
    """Units of the interpolating network at a vertex of the linear programme, for data sets of every size to 8."""
    instances = []
    for x, y in random_sets(context, 48):
        found = interpolation(x, y)
        given: dict[str, Value] = {"N": len(x), "x": tuple(x), "y": tuple(y), "units": found.units}
        instances.append(Instance(f"{len(x)} points", given, len(found.units), "<="))
    return Evidence(instances=tuple(instances))


def zigzags(context: Context) -> Evidence:
    """The fewest units of all minimisers, where the minimiser is unique: zigzag data.

    Where the price ±1 is met at the inner data points alone, a minimiser has its kinks there. So it is the linear
    spline, and each kink κₙ takes one unit, of either orientation, or more. One unit each is enough if and only if the
    signs can be chosen such that Σ±κₙ is the sum of the two end slopes.
    """
    draw = context.random()
    sets: list[tuple[list[Number], list[Number]]] = [([0], [1]), ([0, 1], [0, 1]), ([0, 1, 3], [0, 1, 0])]
    for size in (4, 5, 6, 7, 8):
        for _ in range(2):
            places = [3 * i + draw.randint(0, 1) for i in range(size)]
            heights = [draw.randint(0, 5) + (20 if i % 2 else 0) for i in range(size)]
            sets.append((list(places), list(heights)))
    instances, unique = [], True
    for x_data, y_data in sets:
        x, y = [Fraction(z) for z in x_data], [Fraction(z) for z in y_data]
        found = interpolation(x, y)
        slopes = [(y[i + 1] - y[i]) / (x[i + 1] - x[i]) for i in range(len(x) - 1)]
        kinks = [after - before for before, after in pairwise(slopes)]
        if kinks:
            forward, backward = _prices_at(x, found.prices, 1), _prices_at(x, found.prices, -1)
            inner = all(abs(p) == abs(m) == 1 for p, m in zip(forward[1:-1], backward[1:-1], strict=True))
            signs = all(p * later < 0 for p, later in pairwise(forward[1:-1]))
            ends = max(abs(p[i]) for p in (forward, backward) for i in (0, -1)) < 1
            unique = unique and inner and signs and ends
            s = slopes[0] + slopes[-1]
            one_each = any(
                sum(o * k for o, k in zip(o_s, kinks, strict=True)) == s for o_s in product((1, -1), repeat=len(kinks))
            )
            fewest = len(kinks) + (not one_each)
        else:
            fewest = int(any(slopes))
        if kinks and fewest == len(kinks):
            continue  # lucky data: the orientations fit, one unit less
        given: dict[str, Value] = {"N": len(x), "x": tuple(x), "y": tuple(y)}
        instances.append(Instance(f"zigzag of {len(x)} points: no minimiser has fewer units", given, fewest))
    sizes = {i.given["N"] for i in instances}
    return Evidence(
        instances=tuple(instances),
        premises=(
            Premise("prices ±1 at the inner points, of alternating sign, and strictly between elsewhere", unique),
            Premise("every size from 1 to 8 is there", sizes == set(range(1, 9)), f"{sorted(sizes, key=str)}"),
        ),
    )


def _prices_at(x: list[Fraction], prices: tuple[Fraction, ...], w: int) -> list[Fraction]:
    """Σνₙ[w(xₙ−b)]₊ at the data points b; it is linear between them and constant beyond."""
    return [sum((v * max(w * (z - b), Fraction(0)) for v, z in zip(prices, x, strict=True)), Fraction(0)) for b in x]


CLAIMS = (
    Claim(
        id="savarese2019.section_2_rosset",
        source=Source("savarese2019", "Section 2, after (11), citing Rosset et al. 2007"),
        title="N data points need at most N units",
        statement="For N data points there is a minimiser with at most N units besides the output bias, so from that "
        "width on the "
        "finite problem (10) and the problem over functions (11) have the same value.",
        latex=r"\#\mathrm{supp}(\alpha)\le N",
        hypotheses=(
            "a minimiser exists (see savarese2019.footnote_4)",
            "shown for interpolation; any minimiser interpolates its values",
        ),
        rests_on=("savarese2019.equation_8",),
        formula="N",
        symbols={"N": "the number of data points"},
        controls=(
            Control("N - 2", "one unit for each inner data point"),
            Control("N/2", "one unit for two data points"),
            Control("sqrt(N)", "fewer than the data"),
        ),
        checks=(
            Check(
                "vertices of the linear programme",
                Kind.CERTIFICATE,
                vertices,
                "55 data sets of 1 to 8 points: an exact optimal vertex, its units counted",
            ),
        ),
    ),
    Claim(
        id="savarese2019.section_2_rosset_sharp",
        source=Source(OWN_RESULT, "beside Section 2, after (11): number of units"),
        title="N data points need N−1 units, and some need all of them",
        statement="There is always a minimiser with at most N−1 units, and for every N some data have none with "
        "fewer. Proof: a "
        "vertex of the linear programme has N basic columns and the output bias is one of them. On zigzag data the "
        "linear "
        "spline is the only minimiser; its N−2 kinks take a unit each, and one more unless the signed kinks happen "
        "to add "
        "up to the sum of its end slopes.",
        latex=r"\max_{\text{data}}\min\#\mathrm{units}=N-1",
        hypotheses=("the output bias is free", "one input"),
        rests_on=("savarese2019.section_2_rosset", "savarese2019.section_2_width"),
        formula="N - 1",
        symbols={"N": "the number of data points"},
        controls=(
            Control("N", "the bound of the citation, taken as sharp"),
            Control("N - 2", "one unit for each kink of the spline"),
            Control("N + 1", "the units of the citation with the output bias counted in"),
        ),
        checks=(
            Check(
                "zigzag data",
                Kind.CERTIFICATE,
                zigzags,
                "unique minimisers by strict prices, their units counted over all orientations, N = 1 to 8",
            ),
            Check("vertices of the linear programme", Kind.CERTIFICATE, vertices, "never more on 55 data sets"),
        ),
    ),
)
