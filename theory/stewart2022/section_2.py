"""Section 2: from regression to classification by bins, and back by an expectation."""

from __future__ import annotations

import itertools
from fractions import Fraction

from implicitbias.claims import Context, Observation, Step, certificate, claim, seen, shows, theorem
from implicitbias.exact.rational import Interval
from implicitbias.theorems.rules.solutions.solution import Solution


def uniform_midpoints(k: int) -> list[Fraction]:
    """λ_1 = 0 < … < λ_k = 1, equally spaced."""
    return [Fraction(j, k - 1) for j in range(k)]


def nearest(y: Fraction, midpoints: list[Fraction]) -> int:
    """The position (from 1) of the leftmost λ_j nearest to y, by trying all."""
    distances = [abs(y - m) for m in midpoints]
    return distances.index(min(distances)) + 1


@certificate("every midpoint tried")
def every_midpoint_tried(context: Context) -> Observation:
    """The nearest midpoint of ties, ends and random labels, by trying all midpoints in fractions."""
    draw = context.random()
    for k in (2, 3, 4, 5, 11, 25, 50):
        ties = {Fraction(2 * j - 1, 2 * (k - 1)) for j in range(1, k)}
        labels = sorted({Fraction(0), Fraction(1), Fraction(1, 3), *sorted(ties)[:6], max(ties)})
        labels += [Fraction(draw.randint(0, 997), 997) for _ in range(6)]
        labels += [max(ties) + sign * Fraction(1, 10**far) for sign in (1, -1) for far in (15, 40)]
        for y in labels:
            yield seen(nearest(y, uniform_midpoints(k)), y=y, k=k)
    yield Step("all k distances in fractions, the first of the least")


LABELS = claim(
    "stewart2022.section_2_labels",
    "Section 2",
    "The bin of a label",
    """With k equally spaced midpoints λ_j = (j-1)/(k-1) the label y in [0, 1] falls into bin ⌈y(k-1) - 1/2⌉ + 1: the
    nearest midpoint, the left one of two in case of a tie.""",
    latex=r"\arg\min_{j}|y-\lambda_j|=\lceil y(k-1)-\tfrac12\rceil+1",
    hypotheses=("k ≥ 2", "0 ≤ y ≤ 1", "bins of uniform size"),
    formula="1 - floor(1/2 - y*(k - 1))",
    symbols={"y": "the label to be binned", "k": "number of bins"},
    controls={
        "1 + floor(y*(k - 1) + 1/2)": "ties to the right, as a digitising routine would have it",
        "Min(k, 1 + floor(y*k))": "[0, 1] cut into k equal parts",
        "1 + floor(y*(k - 1))": "the midpoint to the left, near or not",
    },
    checks=(every_midpoint_tried,),
    part_of="stewart2022.section_6_binning",
)


@theorem("the only bins")
def the_only_bins() -> Observation:
    """The only k adjacent bins of equal width whose midpoints run from 0 to 1: what they cover."""
    bins = Solution(
        unknowns={"l": "real", "w": "positive"},
        equations=("bin_midpoint(l, w, 1)", "bin_midpoint(l, w, k) - 1"),
        of="bin_edge(l, w, k) - bin_edge(l, w, 0)",
        solution={"l": "-1/(2*(k - 1))", "w": "1/(k - 1)"},
    )
    yield shows(bins, for_all={"k": "positive integer"}, assuming=("k >= 2",), k="k")


@certificate("ends of the bins")
def ends_of_the_bins(context: Context) -> Observation:
    """The length of the set of labels within half a spacing of a midpoint, in fractions."""
    for k in (2, 3, 4, 5, 10, 50):
        midpoints = uniform_midpoints(k)
        half = (midpoints[1] - midpoints[0]) / 2
        covered = max(m + half for m in midpoints) - min(m - half for m in midpoints)
        gapless = all(b - a == 2 * half for a, b in itertools.pairwise(midpoints))
        if not gapless:
            raise ArithmeticError("the bins leave gaps")
        yield seen(covered, k=k)


BINS = claim(
    "stewart2022.section_2_bins",
    "Section 2, with Section 6.1",
    "What uniform bins cover",
    """k adjacent bins of equal size whose midpoints run from λ_1 = 0 to λ_k = 1 cover an interval of length k/(k-1):
    only half of the first and half of the last lie in [0, 1].""",
    latex=r"\Big|\bigcup_{j}B_j\Big|=\frac{k}{k-1}",
    hypotheses=("k ≥ 2 (λ_1 = 0 and λ_k = 1 are different bins)", "bins of uniform size"),
    formula="k/(k - 1)",
    symbols={"k": "number of bins"},
    controls={
        "1": "k bins that divide [0, 1] itself",
        "(2*k - 1)/(2*(k - 1))": "only the last bin sticks out",
        "(k + 1)/k": "bins of width 1/k",
        "(k - 1)/k": "half bins at both ends cut away",
    },
    checks=(the_only_bins, ends_of_the_bins),
    part_of="stewart2022.section_6_binning",
)


@theorem("edges as far from both midpoints")
def edges_midway() -> Observation:
    """The middle of the cell of the labels nearest to v: its edges e, f are as far from v as from its neighbours."""
    yield shows(
        Solution(
            unknowns={"e": "real", "f": "real"},
            equations=("dot(e - u, e - u) - dot(e - v, e - v)", "dot(f - v, f - v) - dot(f - w, f - w)"),
            of="(e + f)/2",
            solution={"e": "(u + v)/2", "f": "(v + w)/2"},
        ),
        for_all={"u": "real", "v": "real", "w": "real"},
        assuming=("u < v", "v < w"),
        u="u",
        v="v",
        w="w",
    )


@certificate("edges by bisection")
def edges_by_bisection(context: Context) -> Observation:
    """The edges of the middle cell by bisection on the nearest midpoint, in dyadic fractions."""
    draw = context.random()
    cases = [(0, Fraction(1, 2), 1), (0, Fraction(1, 4), 1), (0, Fraction(7, 8), 1)]
    cases += [(0, Fraction(draw.randint(1, 99), 100), 1) for _ in range(9)]
    for u, v, w in cases:
        three = [Fraction(u), Fraction(v), Fraction(w)]
        left = _edge(three, Fraction(v), Fraction(u))
        right = _edge(three, Fraction(v), Fraction(w))
        middle = Interval((left[0] + right[0]) / 2, (left[1] + right[1]) / 2)
        yield seen(middle, f"λ = {u}, {v}, {w}", u=u, v=v, w=w)
    yield Step("60 halvings between a label inside and one outside")


def _edge(three: list[Fraction], inside: Fraction, outside: Fraction) -> tuple[Fraction, Fraction]:
    own = three[1]
    for _ in range(60):
        middle = (inside + outside) / 2
        if all(abs(middle - own) <= abs(middle - m) for m in three):
            inside = middle
        else:
            outside = middle
    return min(inside, outside), max(inside, outside)


MIDPOINTS = claim(
    "stewart2022.section_2_midpoints",
    "Section 2",
    "Midpoints of non-uniform bins",
    """The labels nearest to λ_j, between neighbours λ_{j-1} and λ_{j+1}, form an interval whose midpoint is (λ_{j-1} +
    2λ_j + λ_{j+1})/4. It is λ_j where the spacing is uniform and only there: in general the rule of the nearest λ
    does not give bins with midpoints λ.""",
    latex=r"""\operatorname{mid}\{y:|y-\lambda_j|\le|y-\lambda_l|\ \forall
    l\}=\tfrac14(\lambda_{j-1}+2\lambda_j+\lambda_{j+1})""",
    hypotheses=("λ_{j-1} < λ_j < λ_{j+1}",),
    formula="(u + 2*v + w)/4",
    symbols={"u": "λ_{j-1}", "v": "λ_j", "w": "λ_{j+1}"},
    controls={
        "v": "the label taken for the midpoint: right for uniform bins",
        "(u + v + w)/3": "the mean of the three",
        "(u + w)/2": "midway between the neighbours",
    },
    checks=(edges_midway, edges_by_bisection),
    part_of="stewart2022.section_6_binning",
)


@certificate("integral over every cell")
def floor(context: Context) -> Observation:
    """∫_0^1 (y - λ)² dy, λ the midpoint nearest to y, exactly and cell by cell."""
    for k in (*range(2, 33), 50, 75, 100):
        midpoints = uniform_midpoints(k)
        edges = [Fraction(0), *((a + b) / 2 for a, b in itertools.pairwise(midpoints)), Fraction(1)]
        total = Fraction(0)
        for left, right in itertools.pairwise(edges):
            own = midpoints[nearest((left + right) / 2, midpoints) - 1]
            total += ((right - own) ** 3 - (left - own) ** 3) / 3
        yield seen(total, k=k)
    yield Step("∫(y - λ)² over a cell is ((r - λ)³ - (l - λ)³)/3")


FLOOR = claim(
    "stewart2022.section_2_quantisation",
    "next to Section 2",
    "The quantisation error",
    """A model that knows a label's bin and predicts its midpoint has, for labels uniform on [0, 1], mean square error
    1/(12(k-1)²) exactly, the two half bins included: RMSE 0.00589 for k = 50. Proof: a cell of width w = 1/(k-1) gives
    w³/12, each half cell w³/24, in all (k-1) w³/12.""",
    latex=r"\int_0^1\min_j(y-\lambda_j)^2\,dy=\frac1{12(k-1)^2}",
    hypotheses=("k ≥ 2", "uniform bins", "labels uniform on [0, 1]"),
    formula="1/(12*(k - 1)**2)",
    symbols={"k": "number of bins"},
    controls={
        "1/(12*k**2)": "bins of width 1/k",
        "1/(4*(k - 1)**2)": "the largest error for the mean",
        "(k - 7/4)/(12*(k - 1)**3)": "the best constants in the half bins, not the midpoints",
    },
    checks=(floor,),
    part_of="stewart2022.section_6_binning",
    own=True,
)
