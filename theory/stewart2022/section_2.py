"""Section 2: from regression to classification by bins, and back by an expectation."""

from __future__ import annotations

import itertools
from fractions import Fraction

from implicitbias.claims import Context, Derivation, Flaw, Observation, Premise, Step, certificate, claim, proof, seen


def uniform_midpoints(k: int) -> list[Fraction]:
    """λ_1 = 0 < … < λ_k = 1, equally spaced."""
    return [Fraction(j, k - 1) for j in range(k)]


def nearest(y: Fraction, midpoints: list[Fraction]) -> int:
    """The position (from 1) of the leftmost λ_j nearest to y, by trying all."""
    distances = [abs(y - m) for m in midpoints]
    return distances.index(min(distances)) + 1


@certificate("every midpoint tried")
def observe_labels(context: Context) -> Observation:
    """The nearest midpoint by brute force in fractions; a label in another bin would refute the formula. The nearest
    midpoint found by trying all of them: ties, ends and random labels.
    """
    draw = context.random()
    for k in (2, 3, 4, 5, 11, 25, 50):
        ties = {Fraction(2 * j - 1, 2 * (k - 1)) for j in range(1, k)}
        labels = sorted({Fraction(0), Fraction(1), Fraction(1, 3), *sorted(ties)[:6], max(ties)})
        labels += [Fraction(draw.randint(0, 997), 997) for _ in range(6)]
        labels += [max(ties) + sign * Fraction(1, 10**15) for sign in (1, -1)]
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
    checks=(observe_labels,),
    part_of="stewart2022.section_6_binning",
)


@proof("midpoints and widths")
def derive_bins(d: Derivation) -> None:
    """Bins of one width whose midpoints are λ_1 = 0 and λ_k = 1, side by side."""
    import sympy

    m, w = d.symbols(m="positive", w="positive")
    d.step("bins of one width w side by side have midpoints at distance w, and there are m = k - 1 steps from 0 to 1")
    (width,) = sympy.solve(sympy.Eq(m * w, 1), w)
    d.identity("so m w = 1", width, 1 / m)
    d.identity("from -w/2 to 1 + w/2", (1 + width / 2) - (-width / 2), (m + 1) / m)
    d.concludes((1 + width / 2) + width / 2, "k = m + 1", over={"m": "positive"}, k="m + 1")


@certificate("ends of the bins")
def observe_bins(context: Context) -> Observation:
    """Where the first bin begins and the last one ends, in fractions. The length of all labels that are nearer than
    half a spacing to a midpoint.
    """
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
    """k bins of one size whose midpoints run from λ_1 = 0 to λ_k = 1 have width 1/(k-1) and cover an interval of length
    k/(k-1), from -1/(2(k-1)) to 1 + 1/(2(k-1)): only one half of the first and of the last lies in [0, 1].""",
    latex=r"\Big|\bigcup_{j}B_j\Big|=\frac{k}{k-1}",
    hypotheses=("k ≥ 2 (λ_1 = 0 and λ_k = 1 cannot be one bin)", "bins of uniform size"),
    formula="k/(k - 1)",
    symbols={"k": "number of bins"},
    flaw=Flaw(
        printed="1",
        word="imprecise wording",
        wrong="bins that divide [0, 1] into equal parts have no midpoints 0 and 1.",
        sure="certain",
        charitable="""Section 6.1 says that the midpoints of the first and the last bin are 0 and 1, and the rule argmin
        |y - λ_j| is precise: the halves that stick out of [0, 1] hold no labels.""",
    ),
    controls={
        "(2*k - 1)/(2*(k - 1))": "only the last bin sticks out",
        "(k + 1)/k": "bins of width 1/k",
        "(k - 1)/k": "half bins at both ends cut away",
    },
    checks=(derive_bins, observe_bins),
    part_of="stewart2022.section_6_binning",
)


@proof("edges midway")
def derive_cell(d: Derivation) -> None:
    """The two edges where two midpoints are equally near, for all spacings. The cell of the labels nearest to the
    middle one of three midpoints a, a + p, a + p + q.
    """

    a, p, q = d.symbols("a", p="positive", q="positive")
    left, right = (a + (a + p)) / 2, ((a + p) + (a + p + q)) / 2
    d.identity("the left edge is as far from both", left - a, (a + p) - left)
    d.identity("the right edge is as far from both", right - (a + p), (a + p + q) - right)
    d.concludes((left + right) / 2, "any three midpoints", u="a", v="a + p", w="a + p + q")


@certificate("edges by bisection")
def observe_cell(context: Context) -> Observation:
    """Where the nearest midpoint changes, by halving an interval. The edges of the middle cell by bisection on the
    nearest midpoint, in dyadic fractions.
    """
    from implicitbias.exact.rational import Interval

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
    "Midpoints of bins that are not uniform",
    """The labels nearest to λ_j, between neighbours λ_{j-1} and λ_{j+1}, form an interval whose midpoint is (λ_{j-1} +
    2λ_j + λ_{j+1})/4. It is λ_j where the spacing is uniform and nowhere else: the rule of the nearest λ and bins with
    midpoints λ are two things in general.""",
    latex=r"""\operatorname{mid}\{y:|y-\lambda_j|\le|y-\lambda_l|\ \forall
    l\}=\tfrac14(\lambda_{j-1}+2\lambda_j+\lambda_{j+1})""",
    hypotheses=("λ_{j-1} < λ_j < λ_{j+1}",),
    formula="(u + 2*v + w)/4",
    symbols={"u": "λ_{j-1}", "v": "λ_j", "w": "λ_{j+1}"},
    flaw=Flaw(
        printed="v",
        word="imprecise wording",
        wrong="for λ without uniform spacing the labels nearest to λ_j are not a bin with midpoint λ_j.",
        sure="certain",
        charitable="Figure 1 and Section 6.1 use bins of uniform size, where both agree.",
    ),
    controls={"(u + v + w)/3": "the mean of the three", "(u + w)/2": "midway between the neighbours"},
    checks=(derive_cell, observe_cell),
    part_of="stewart2022.section_6_binning",
)


@proof("common factor cancels")
def derive_expectation(d: Derivation) -> None:
    """The expectation for shifted scores, for all scores and shifts. s(v)ᵀλ for v shifted by any t: the common factor
    cancels.
    """
    import sympy

    p, q, r, t = d.symbols("p q r t")
    scores = [sympy.exp(z + t) for z in (p, q, r)]
    total = sum(scores)
    expected = sum(Fraction(j, 2) * e for j, e in enumerate(scores)) / total
    plain = [sympy.exp(z) for z in (p, q, r)]
    d.identity("a shift of all scores cancels", scores[1] / total, plain[1] / sum(plain))
    d.step("weights e^{v_j}/Σ e^{v_l} are positive and add up to 1: the expectation lies between λ_1 and λ_k")
    d.concludes(
        "(exp(q)/2 + exp(r))/(exp(p) + exp(q) + exp(r))",
        "three bins, scores p, q, r shifted by t",
        a="p + t",
        b="q + t",
        c="r + t",
    )
    d.identity("so the expectation is that of p, q, r", expected, (plain[1] / 2 + plain[2]) / sum(plain))


@certificate("shares in ball arithmetic")
def observe_expectation(context: Context) -> Observation:
    """Softmax by its definition, enclosed rigorously. s(f)ᵀλ in ball arithmetic by its definition, shares first, for
    scores near and far.
    """
    import flint

    from implicitbias.exact.enclosure import from_arb

    draw = context.random()
    cases = [(0, 0, 0), (1, 0, 0), (0, 0, 5), (-30, 0, 30), (7, 7, 7), (100, 101, 99)]
    cases += [tuple(draw.randint(-9, 9) for _ in range(3)) for _ in range(8)]  # type: ignore[misc]
    inside = True
    before = flint.ctx.prec
    flint.ctx.prec = 300
    try:
        for a, b, c in cases:
            powers = [flint.arb(v).exp() for v in (a, b, c)]
            shares = [p / (powers[0] + powers[1] + powers[2]) for p in powers]
            value = from_arb(shares[1] / 2 + shares[2])
            inside = inside and value.lower >= 0 and value.upper <= 1
            yield seen(value, f"scores {a}, {b}, {c}", a=a, b=b, c=c)
    finally:
        flint.ctx.prec = before
    yield Premise("all predictions lie in [0, 1]", inside)


EXPECTATION = claim(
    "stewart2022.section_2_expectation",
    "Section 2",
    "The prediction of a classifier",
    """The expectation s(f(x))ᵀλ of the midpoints under the softmax of the scores is a number in [0, 1] that a common
    shift of the scores leaves alone; for three bins it is (e^b/2 + e^c)/(e^a + e^b + e^c).""",
    latex=r"s(v)^\top\lambda=\frac{\sum_j\lambda_je^{v_j}}{\sum_le^{v_l}}\in[0,1]",
    hypotheses=("stated for k = 3, λ = (0, 1/2, 1)",),
    formula="(exp(b)/2 + exp(c))/(exp(a) + exp(b) + exp(c))",
    symbols={"a": "score of the first bin", "b": "score of the second", "c": "score of the third"},
    controls={
        "exp(b)/2 + exp(c)": "scores that are not normalised",
        "(b/2 + c)/(a + b + c)": "scores for their exponentials",
        "(exp(b)/2 + exp(c))/(1 + exp(b) + exp(c))": "the first score taken for 0",
    },
    checks=(derive_expectation, observe_expectation),
    part_of="stewart2022.section_6_binning",
)


@certificate("integral over every cell")
def floor(context: Context) -> Observation:
    """The mean square distance to the nearest midpoint, integrated exactly. ∫_0^1 (y - λ)² dy with λ the nearest
    midpoint: cell by cell, each cell found from the midpoints.
    """
    for k in (2, 3, 4, 5, 7, 25, 50):
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
    "beside Section 2",
    "The error of knowing the bin alone",
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

"""Section 2 in the paper's order."""
