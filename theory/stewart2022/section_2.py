"""Section 2: from regression to classification by bins, and back by an expectation."""

from __future__ import annotations

import itertools
from fractions import Fraction

from implicitbias.claims.check import Check, Context, Kind
from implicitbias.claims.evidence import Evidence, Identity, Instance, Premise, Step
from implicitbias.claims.statement import OWN_RESULT, Claim, Control, Flaw, Source


def uniform_midpoints(k: int) -> list[Fraction]:
    """λ_1 = 0 < … < λ_k = 1, equally spaced."""
    return [Fraction(j, k - 1) for j in range(k)]


def nearest(y: Fraction, midpoints: list[Fraction]) -> int:
    """The position (from 1) of the leftmost λ_j nearest to y, by trying all."""
    distances = [abs(y - m) for m in midpoints]
    return distances.index(min(distances)) + 1


def observe_labels(context: Context) -> Evidence:
    """The nearest midpoint found by trying all of them: ties, ends and random labels."""
    draw = context.random()
    instances = []
    for k in (2, 3, 4, 5, 11, 25, 50):
        ties = {Fraction(2 * j - 1, 2 * (k - 1)) for j in range(1, k)}
        labels = sorted({Fraction(0), Fraction(1), Fraction(1, 3), *sorted(ties)[:6], max(ties)})
        labels += [Fraction(draw.randint(0, 997), 997) for _ in range(6)]
        labels += [max(ties) + sign * Fraction(1, 10**15) for sign in (1, -1)]
        instances += [Instance(f"y={y}, k={k}", {"y": y, "k": k}, nearest(y, uniform_midpoints(k))) for y in labels]
    return Evidence(instances=tuple(instances), steps=(Step("all k distances in fractions, the first of the least"),))


LABELS = Claim(
    id="stewart2022.section_2_labels",
    source=Source("stewart2022", "Section 2"),
    title="The bin of a label",
    statement=(
        "With k equally spaced midpoints λ_j = (j-1)/(k-1) the label y in [0, 1] falls into bin ⌈y(k-1) - 1/2⌉ + 1: "
        "the nearest midpoint, the left one of two in case of a tie."
    ),
    latex=r"\arg\min_{j}|y-\lambda_j|=\lceil y(k-1)-\tfrac12\rceil+1",
    hypotheses=("k ≥ 2", "0 ≤ y ≤ 1", "bins of uniform size"),
    formula="1 - floor(1/2 - y*(k - 1))",
    symbols={"y": "the label to be binned", "k": "number of bins"},
    controls=(
        Control("1 + floor(y*(k - 1) + 1/2)", "ties to the right, as a digitising routine would have it"),
        Control("Min(k, 1 + floor(y*k))", "[0, 1] cut into k equal parts"),
        Control("1 + floor(y*(k - 1))", "the midpoint to the left, near or not"),
    ),
    checks=(
        Check(
            name="every midpoint tried",
            kind=Kind.CERTIFICATE,
            observe=observe_labels,
            about="the nearest midpoint by brute force in fractions; a label in another bin would refute the formula",
        ),
    ),
)


def derive_bins(context: Context) -> Evidence:
    """Bins of one width whose midpoints are λ_1 = 0 and λ_k = 1, side by side."""
    import sympy

    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import symbol

    m, w = symbol("m", "positive"), symbol("w", "positive")
    d = Derivation()
    d.step("bins of one width w side by side have midpoints at distance w, and there are m = k - 1 steps from 0 to 1")
    (width,) = sympy.solve(sympy.Eq(m * w, 1), w)
    d.identity("so m w = 1", width, 1 / m)
    d.identity("from -w/2 to 1 + w/2", (1 + width / 2) - (-width / 2), (m + 1) / m)
    identity = Identity("k = m + 1", {"m": "positive"}, {"k": "m + 1"}, str((1 + width / 2) + width / 2))
    return Evidence(identities=(identity,), steps=d.steps)


def observe_bins(context: Context) -> Evidence:
    """The length of all labels that are nearer than half a spacing to a midpoint."""
    instances = []
    for k in (2, 3, 4, 5, 10, 50):
        midpoints = uniform_midpoints(k)
        half = (midpoints[1] - midpoints[0]) / 2
        covered = max(m + half for m in midpoints) - min(m - half for m in midpoints)
        gapless = all(b - a == 2 * half for a, b in itertools.pairwise(midpoints))
        if not gapless:
            raise ArithmeticError("the bins leave gaps")
        instances.append(Instance(f"k={k}", {"k": k}, covered))
    return Evidence(instances=tuple(instances))


BINS = Claim(
    id="stewart2022.section_2_bins",
    source=Source("stewart2022", "Section 2, with Section 6.1"),
    title="What uniform bins cover",
    statement=(
        "k bins of one size whose midpoints run from λ_1 = 0 to λ_k = 1 have width 1/(k-1) and cover an interval of "
        "length k/(k-1), from -1/(2(k-1)) to 1 + 1/(2(k-1)): only one half of the first and of the last lies in [0, 1]."
    ),
    latex=r"\Big|\bigcup_{j}B_j\Big|=\frac{k}{k-1}",
    hypotheses=("k ≥ 2 (λ_1 = 0 and λ_k = 1 cannot be one bin)", "bins of uniform size"),
    formula="k/(k - 1)",
    symbols={"k": "number of bins"},
    flaw=Flaw(
        printed="1",
        word="imprecise wording",
        wrong="bins that divide [0, 1] into equal parts have no midpoints 0 and 1.",
        sure="certain",
        charitable=(
            "Section 6.1 says that the midpoints of the first and the last bin are 0 and 1, and the rule argmin |y - "
            "λ_j| "
            "is precise: the halves that stick out of [0, 1] hold no labels."
        ),
    ),
    controls=(
        Control("(2*k - 1)/(2*(k - 1))", "only the last bin sticks out"),
        Control("(k + 1)/k", "bins of width 1/k"),
        Control("(k - 1)/k", "half bins at both ends cut away"),
    ),
    checks=(
        Check(
            name="midpoints and widths",
            kind=Kind.PROOF,
            observe=derive_bins,
            about="the width that k midpoints from 0 to 1 force, for all k",
        ),
        Check(
            name="ends of the bins",
            kind=Kind.CERTIFICATE,
            observe=observe_bins,
            about="where the first bin begins and the last one ends, in fractions",
        ),
    ),
)


def derive_cell(context: Context) -> Evidence:
    """The cell of the labels nearest to the middle one of three midpoints a, a + p, a + p + q."""
    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import symbol

    a, p, q = symbol("a"), symbol("p", "positive"), symbol("q", "positive")
    left, right = (a + (a + p)) / 2, ((a + p) + (a + p + q)) / 2
    d = Derivation()
    d.identity("the left edge is as far from both", left - a, (a + p) - left)
    d.identity("the right edge is as far from both", right - (a + p), (a + p + q) - right)
    identity = Identity(
        "any three midpoints",
        {"a": "real", "p": "positive", "q": "positive"},
        {"u": "a", "v": "a + p", "w": "a + p + q"},
        str((left + right) / 2),
    )
    return Evidence(identities=(identity,), steps=d.steps)


def observe_cell(context: Context) -> Evidence:
    """The edges of the middle cell by bisection on the nearest midpoint, in dyadic fractions."""
    from implicitbias.exact.rational import Interval

    draw = context.random()
    cases = [(0, Fraction(1, 2), 1), (0, Fraction(1, 4), 1), (0, Fraction(7, 8), 1)]
    cases += [(0, Fraction(draw.randint(1, 99), 100), 1) for _ in range(9)]
    instances = []
    for u, v, w in cases:
        three = [Fraction(u), Fraction(v), Fraction(w)]
        left = _edge(three, Fraction(v), Fraction(u))
        right = _edge(three, Fraction(v), Fraction(w))
        middle = Interval((left[0] + right[0]) / 2, (left[1] + right[1]) / 2)
        instances.append(Instance(f"λ = {u}, {v}, {w}", {"u": u, "v": v, "w": w}, middle))
    return Evidence(instances=tuple(instances), steps=(Step("60 halvings between a label inside and one outside"),))


def _edge(three: list[Fraction], inside: Fraction, outside: Fraction) -> tuple[Fraction, Fraction]:
    own = three[1]
    for _ in range(60):
        middle = (inside + outside) / 2
        if all(abs(middle - own) <= abs(middle - m) for m in three):
            inside = middle
        else:
            outside = middle
    return min(inside, outside), max(inside, outside)


MIDPOINTS = Claim(
    id="stewart2022.section_2_midpoints",
    source=Source("stewart2022", "Section 2"),
    title="Midpoints of bins that are not uniform",
    statement=(
        "The labels nearest to λ_j, between neighbours λ_{j-1} and λ_{j+1}, form an interval whose midpoint is "
        "(λ_{j-1} + 2λ_j + λ_{j+1})/4. It is λ_j where the spacing is uniform and nowhere else: the rule of the "
        "nearest λ and bins with midpoints λ are two things in general."
    ),
    latex=(
        r"\operatorname{mid}\{y:|y-\lambda_j|\le|y-\lambda_l|\ \forall "
        r"l\}=\tfrac14(\lambda_{j-1}+2\lambda_j+\lambda_{j+1})"
    ),
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
    controls=(
        Control("(u + v + w)/3", "the mean of the three"),
        Control("(u + w)/2", "midway between the neighbours"),
    ),
    checks=(
        Check(
            name="edges midway",
            kind=Kind.PROOF,
            observe=derive_cell,
            about="the two edges where two midpoints are equally near, for all spacings",
        ),
        Check(
            name="edges by bisection",
            kind=Kind.CERTIFICATE,
            observe=observe_cell,
            about="where the nearest midpoint changes, by halving an interval",
        ),
    ),
)


def derive_expectation(context: Context) -> Evidence:
    """s(v)ᵀλ for v shifted by any t: the common factor cancels."""
    import sympy

    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import symbol

    p, q, r, t = (symbol(name) for name in "pqrt")
    scores = [sympy.exp(z + t) for z in (p, q, r)]
    total = sum(scores)
    expected = sum(Fraction(j, 2) * e for j, e in enumerate(scores)) / total
    plain = [sympy.exp(z) for z in (p, q, r)]
    d = Derivation()
    d.identity("a shift of all scores cancels", scores[1] / total, plain[1] / sum(plain))
    d.step("weights e^{v_j}/Σ e^{v_l} are positive and add up to 1: the expectation lies between λ_1 and λ_k")
    identity = Identity(
        "three bins, scores p, q, r shifted by t",
        {"p": "real", "q": "real", "r": "real", "t": "real"},
        {"a": "p + t", "b": "q + t", "c": "r + t"},
        "(exp(q)/2 + exp(r))/(exp(p) + exp(q) + exp(r))",
    )
    d.identity("so the expectation is that of p, q, r", expected, (plain[1] / 2 + plain[2]) / sum(plain))
    return Evidence(identities=(identity,), steps=d.steps)


def observe_expectation(context: Context) -> Evidence:
    """s(f)ᵀλ in ball arithmetic by its definition, shares first, for scores near and far."""
    import flint

    from implicitbias.exact.enclosure import from_arb

    draw = context.random()
    cases = [(0, 0, 0), (1, 0, 0), (0, 0, 5), (-30, 0, 30), (7, 7, 7), (100, 101, 99)]
    cases += [tuple(draw.randint(-9, 9) for _ in range(3)) for _ in range(8)]  # type: ignore[misc]
    instances, inside = [], True
    before = flint.ctx.prec
    flint.ctx.prec = 300
    try:
        for a, b, c in cases:
            powers = [flint.arb(v).exp() for v in (a, b, c)]
            shares = [p / (powers[0] + powers[1] + powers[2]) for p in powers]
            value = from_arb(shares[1] / 2 + shares[2])
            inside = inside and value.lower >= 0 and value.upper <= 1
            instances.append(Instance(f"scores {a}, {b}, {c}", {"a": a, "b": b, "c": c}, value))
    finally:
        flint.ctx.prec = before
    return Evidence(instances=tuple(instances), premises=(Premise("all predictions lie in [0, 1]", inside),))


EXPECTATION = Claim(
    id="stewart2022.section_2_expectation",
    source=Source("stewart2022", "Section 2"),
    title="The prediction of a classifier",
    statement=(
        "The expectation s(f(x))ᵀλ of the midpoints under the softmax of the scores is a number in [0, 1] that a "
        "common "
        "shift of the scores leaves alone; for three bins it is (e^b/2 + e^c)/(e^a + e^b + e^c)."
    ),
    latex=r"s(v)^\top\lambda=\frac{\sum_j\lambda_je^{v_j}}{\sum_le^{v_l}}\in[0,1]",
    hypotheses=("stated for k = 3, λ = (0, 1/2, 1)",),
    formula="(exp(b)/2 + exp(c))/(exp(a) + exp(b) + exp(c))",
    symbols={"a": "score of the first bin", "b": "score of the second", "c": "score of the third"},
    controls=(
        Control("exp(b)/2 + exp(c)", "scores that are not normalised"),
        Control("(b/2 + c)/(a + b + c)", "scores for their exponentials"),
        Control("(exp(b)/2 + exp(c))/(1 + exp(b) + exp(c))", "the first score taken for 0"),
    ),
    checks=(
        Check(
            name="common factor cancels",
            kind=Kind.PROOF,
            observe=derive_expectation,
            about="the expectation for shifted scores, for all scores and shifts",
        ),
        Check(
            name="shares in ball arithmetic",
            kind=Kind.CERTIFICATE,
            observe=observe_expectation,
            about="softmax by its definition, enclosed rigorously",
        ),
    ),
)


def observe_floor(context: Context) -> Evidence:
    """∫_0^1 (y - λ)² dy with λ the nearest midpoint: cell by cell, each cell found from the midpoints."""
    instances = []
    for k in (2, 3, 4, 5, 7, 25, 50):
        midpoints = uniform_midpoints(k)
        edges = [Fraction(0), *((a + b) / 2 for a, b in itertools.pairwise(midpoints)), Fraction(1)]
        total = Fraction(0)
        for left, right in itertools.pairwise(edges):
            own = midpoints[nearest((left + right) / 2, midpoints) - 1]
            total += ((right - own) ** 3 - (left - own) ** 3) / 3
        instances.append(Instance(f"k={k}", {"k": k}, total))
    return Evidence(instances=tuple(instances), steps=(Step("∫(y - λ)² over a cell is ((r - λ)³ - (l - λ)³)/3"),))


FLOOR = Claim(
    id="stewart2022.section_2_quantisation",
    source=Source(OWN_RESULT, "beside Section 2"),
    title="The error of knowing the bin alone",
    statement=(
        "A model that knows a label's bin and predicts its midpoint has, for labels uniform on [0, 1], mean square "
        "error "
        "1/(12(k-1)²) exactly, the two half bins included: RMSE 0.00589 for k = 50. Proof: a cell of width w = 1/(k-1) "
        "gives w³/12, each half cell w³/24, in all (k-1) w³/12."
    ),
    latex=r"\int_0^1\min_j(y-\lambda_j)^2\,dy=\frac1{12(k-1)^2}",
    hypotheses=("k ≥ 2", "uniform bins", "labels uniform on [0, 1]"),
    formula="1/(12*(k - 1)**2)",
    symbols={"k": "number of bins"},
    controls=(
        Control("1/(12*k**2)", "bins of width 1/k"),
        Control("1/(4*(k - 1)**2)", "the largest error for the mean"),
        Control("(k - 7/4)/(12*(k - 1)**3)", "the best constants in the half bins, not the midpoints"),
    ),
    checks=(
        Check(
            name="integral over every cell",
            kind=Kind.CERTIFICATE,
            observe=observe_floor,
            about="the mean square distance to the nearest midpoint, integrated exactly",
        ),
    ),
)

CLAIMS: tuple[Claim, ...] = (LABELS, BINS, MIDPOINTS, EXPECTATION, FLOOR)
"""Section 2 in the paper's order."""
