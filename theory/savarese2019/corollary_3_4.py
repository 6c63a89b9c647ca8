"""Corollary 3.4: the regularised problem has a piecewise-linear minimiser with few pieces, if it has a minimiser."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from implicitbias.claims import Context, Observation, Premise, Step, certificate, claim, seen

from ..observed.cheapest.best_tails import all_best_tails, best_tails, range_of_best_tails
from ..observed.cheapest.cheapest_network import cheapest_with_absolute_loss
from ..observed.data.datasets import DataSet, by_hand, random_batch, through
from ..observed.functions.second_derivative import SecondDerivative, cheapest_exact_network, spline_with_tails


def bent_spline(data: DataSet, l_0: Fraction, l_N: Fraction) -> SecondDerivative:
    """The linear spline through the data with these end slopes, kinks only where it bends."""
    spline = spline_with_tails(data, l_0, l_N)
    return replace(spline, atoms={t: kink for t, kink in spline.atoms.items() if kink})


def spline_with_best_tails(data: DataSet) -> SecondDerivative:
    """The linear spline through the data with optimal end slopes, bent only at the left end, if it must bend."""
    (least, greatest), _ = range_of_best_tails(data.variation, data.a, data.b)
    l_0 = least if greatest == data.a else greatest  # the farther end of a range that ends in a
    return bent_spline(data, l_0, data.b)


def minimisers(context: Context, bent: bool = False) -> list[tuple[DataSet, Fraction, SecondDerivative, bool]]:
    """(data, λ, a spline with breakpoints at the data, whether it is certified to minimise (28)), absolute loss.

    `bent`  where a bend can be shared, the spline with both tails bent; longer data, and no single points
    """
    found = []
    problems = [
        (data, lam)
        for data in (*by_hand(), *random_batch(context.seed % 10**6, context.choose(6, 200)))
        for lam in (Fraction(1, 20), Fraction(1, 2), Fraction(4))
        if data.size > bent
    ]
    if bent:
        ramps = [through(f"ramp of {N} points", [7 + (n % 2) for n in range(N - 1)]) for N in range(2, 11)]
        problems += [(ramp, Fraction(1, 20)) for ramp in ramps]
    for data, lam in problems:
        best = cheapest_with_absolute_loss(data, lam)
        fitted = data.with_labels([best(x) for x in data.x])
        if bent and fitted.tails_bend:
            _, half, _ = all_best_tails(fitted.variation, fitted.a, fitted.b)
            spline = bent_spline(fitted, *half)
        else:
            spline = spline_with_best_tails(fitted)
        cost = cheapest_exact_network(spline)
        loss = sum((abs(Fraction(z) - y) for z, y in zip(fitted.y, data.y, strict=True)), Fraction(0))
        certified = cost is not None and spline.interpolates(fitted) and loss + lam * cost == best.objective
        found.append((data, lam, spline, certified))
    return found


def _pieces(found: list[tuple[DataSet, Fraction, SecondDerivative, bool]]) -> Observation:
    certified = True
    for data, lam, spline, good in found:
        certified = certified and good and set(spline.atoms) <= {Fraction(x) for x in data.x}
        yield seen(len(spline.atoms) + 1, f"{data.label}, λ = {lam}", relation="<=", N=data.size, lam=lam, **data.given)
    yield Premise("every spline minimises (28): its objective is the exact optimum over networks", certified)
    yield Step("the exact minimum of Σ|h(x_n) - y_n| + λ C over networks, by linear programming, dual verified")
    yield Step("the spline through the fitted labels with optimal tails: its objective is the same")


@certificate("minimisers for the absolute loss")
def pieces(context: Context) -> Observation:
    """Pieces of certified minimisers of (28) with breakpoints at the data, both tails bent where they can share it."""
    yield from _pieces(minimisers(context, bent=True))


PIECES = claim(
    "savarese2019.corollary_3_4",
    "Corollary 3.4, equation (28)",
    "A minimiser with few pieces",
    """If (28) has a minimum, a piecewise-linear function with at most N + 1 pieces and breakpoints at the data is a
    minimiser: the linear spline through the fitted labels, with any end slopes that minimise (27). Where both tails
    bend and no inner kink vanishes it has N + 1 pieces. (One point: constants are minimisers, one piece.)""",
    latex=r"\#\text{pieces}\le N+1",
    hypotheses=("λ > 0", "the minimum of (28) is attained", "N ≥ 2"),
    domain=("N >= 2",),
    formula="N + 1",
    symbols={"N": "number of data points"},
    controls={
        "N - 1": "one piece per gap: the tails continue straight on",
        "N - 2": "one piece per kink",
        "N/2 + 1": "kinks merged in pairs",
    },
    checks=(pieces,),
    rests_on=("savarese2019.theorem_3_3",),
)


def fewest_bends(data: DataSet) -> int:
    """The fewest kinks of a least-cost interpolant with breakpoints at the data: those inside, and the ends that must.

    With breakpoints at the data it is the linear spline inside; the cost of every choice of ends that may bend is
    minimised by an exact programme and compared with the cost of the free optimum.
    """
    T, a, b = data.variation, data.a, data.b
    free = best_tails(T, a, b).value
    inside = sum(kink != 0 for kink in data.kinks)
    costs = {  # how many ends bend: the least cost with the others straight on
        0: max(T, abs(a + b)),
        1: min(bent_at_one_end(T, a, b), bent_at_one_end(T, b, a)),
        2: free,
    }
    return inside + min(ends for ends, cost in costs.items() if cost == free)


def bent_at_one_end(T: Fraction, a: Fraction, b: Fraction) -> Fraction:
    """min over l_0 of max(T + |l_0 - a|, |l_0 + b|), as an exact linear programme."""
    from implicitbias.convex.programmes.linear_programme import optimum

    rows = [[1, -1, 0], [-1, -1, 0], [0, 1, -1], [1, 0, -1], [-1, 0, -1]]  # in l_0, u >= |l_0 - a|, z
    return optimum([0, 0, 1], A_ub=rows, b_ub=[a, -a, -T, -b, b], free=True).value


@certificate("pieces that are needed")
def fewest_pieces(context: Context) -> Observation:
    """For interpolation, the fewest pieces that breakpoints at the data allow: at most so many for each data set, and
    the most that any of the searched data sets of N points needs. Pieces of certified minimisers of (28) as well.
    """
    needed: dict[int, int] = {}
    draw = context.random()
    batch = [
        through(f"drawn slopes {i}", [str(base + Fraction(draw.randint(-4, 4), 4)) for _ in range(size - 1)])
        for i in range(context.choose(8, 80))
        for size in range(2, 9)
        for base in (0, draw.choice([-9, 12]))
    ]
    for data in (*by_hand(), *batch):
        pieces_of = fewest_bends(data) + 1
        needed[data.size] = max(needed.get(data.size, 0), pieces_of)
        yield seen(pieces_of, f"interpolation, {data.label}", relation="<=", N=data.size, **data.given)
    for size, most in sorted(needed.items()):
        yield seen(most, f"interpolation, the most of all searched data sets of {size} points", N=size)
    yield from _pieces(minimisers(context))


FEWEST = claim(
    "savarese2019.corollary_3_4_sharp",
    "beside Corollary 3.4",
    "One piece fewer",
    """N pieces suffice in Corollary 3.4, and with breakpoints at the data there are problems of every size that need
    them all, found by search for N ≤ 8. Proof: bend the tails at one end only; where they must bend and no inner kink
    vanishes there are at least N - 1 kinks.""",
    part_of="savarese2019.corollary_3_4",
    latex=r"\#\text{pieces}\le N",
    hypotheses=("λ > 0", "the minimum of (28) is attained"),
    formula="N",
    symbols={"N": "number of data points"},
    controls={
        "N + 1": "kinks at both ends: true, not sharp",
        "N - 1": "straight tails",
        "N + 2": "a free kink on each side",
    },
    checks=(fewest_pieces,),
    rests_on=("savarese2019.corollary_3_4", "savarese2019.equation_27_end_slopes"),
    own=True,
)
