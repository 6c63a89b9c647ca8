"""Section 4: weights for which Theorems 4.2 and 4.7 fail, or are empty."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from implicitbias.claims import Attached, Context, Interval, Observation, Premise, Step, certificate, claim, seen
from implicitbias.exact.vectors import rational_root, root_above

from ..observed.measures.exact_cases import case
from ..observed.measures.minimisers import busiest_pattern

X = (Fraction(-3, 2), Fraction(-1, 2), Fraction(1, 2), Fraction(3, 2))
Y = (Fraction(1), Fraction(0), Fraction(0), Fraction(1))
PRICES = (1, -1, -1, 1)
"""The dual on these data: Σ p = Σ p x = 0, p·y = 2."""


def bias_free_dual(p: Sequence[int]) -> bool:
    """|Σ p_i [±(x_i - t)]_+| <= 1 for all t, constants at no cost: checked where the price has kinks, and beyond."""
    if sum(p) != 0 or sum(q * x for q, x in zip(p, X, strict=True)) != 0:
        return False
    prices = [
        sum((q * max(Fraction(0), side * (x - t)) for q, x in zip(p, X, strict=True)), Fraction(0))
        for t in (*X, X[0] - 1, X[-1] + 1)
        for side in (1, -1)
    ]
    return max(map(abs, prices)) <= 1


@certificate("minimisers with many hinges")
def many_atoms(context: Context) -> Observation:
    """Minimisers of Σ|c||a| with m ramps to either side between the two inner data; atoms in one open cell counted."""
    from implicitbias.convex.minimum_norm.interpolants import min_norm_interpolant

    found = min_norm_interpolant(X, Y)
    optimal = bias_free_dual(PRICES) and found.cost == 2
    for m in (1, 2, 3, 5, 8, context.choose(20, 200)):
        # hinges in (-½, ½), symmetric
        hinges = [Fraction(2 * k - m + 1, 2 * m + 2) for k in range(m)]
        # (c, a, b): |x - h| is a ramp to the right and one to the left
        atoms = [(Fraction(1, m), Fraction(s), -s * h) for h in hinges for s in (1, -1)] + [
            (Fraction(-1, 2), Fraction(0), Fraction(1))
        ]
        through = all(
            sum((c * max(Fraction(0), a * x + b) for c, a, b in atoms), Fraction(0)) == y
            for x, y in zip(X, Y, strict=True)
        )
        optimal = optimal and through and sum(abs(c * a) for c, a, _ in atoms) == found.cost
        cells: dict[tuple[tuple[bool, ...], bool], set[Fraction]] = {}
        for c, a, b in atoms:
            heights = [a * x + b for x in X]
            if a and all(heights):  # strictly inside an open cell
                cells.setdefault((tuple(h > 0 for h in heights), c > 0), set()).add(-b / a)
        yield seen(max(map(len, cells.values())), f"{m} hinges", m=m, n=len(X), S=2 * len(X), cost=found.cost)
    yield Premise("each passes through the data at the certified least cost, 2", optimal)
    yield Premise("the minimiser is certified not to be the only one", not found.unique)
    yield Step("f = (1/m) Σ|x - h_k| - ½ with hinges symmetric in (-½, ½) has the labels 1, 0, 0, 1, at cost 2")
    yield Step("p = (1, -1, -1, 1): p·y = 2, and no unit is priced above |a|")
    yield Attached(found.certificate())


MANY = claim(
    "dedios2020.weights_that_fail_no_bias",
    "Section 4, implicit versus TV regularisation",
    "Without the bias in the weight, any number of neurons in one cell",
    """For V = |c|‖a‖ Theorems 4.2 and 4.7 fail: on x = ±½, ±3/2 with y = 0, 0, 1, 1 there is for every m a minimiser
    with m neurons of one sign strictly inside one open cell, and one with a continuum: hinges anywhere in (-½, ½),
    symmetric, share the cost 2.""",
    latex=r"V=|c|\|a\|:\ \forall m\ \exists\,\text{minimiser},\ \#\{j:\theta_j\in\operatorname{int}C,\ c_j>0\}=m",
    formula="m",
    symbols={"m": "hinges between the inner data", "n": "number of data", "S": "number of cells"},
    controls={
        "1": "Theorem 4.7 for this weight",
        "Min(m, n)": "no more than data",
        "Min(m, 2*(S - 1))": "the bound of Theorem 4.2",
        "2*m": "left and right ramps in one cell",
    },
    checks=(many_atoms,),
    part_of="dedios2020.theorem_4_2",
    formerly=("dedios2020.weights_that_fail_bias_counted",),
)


@certificate("costs of single neurons")
def no_minimiser(context: Context) -> Observation:
    """Costs w(A, 1), w = |θ| - a, of networks of one neuron through x = 0, y = 1, between rational roots."""
    positive = True
    for A in (Fraction(0), Fraction(3, 4), Fraction(12, 5), Fraction(1), Fraction(-2), Fraction(50), Fraction(10**6)):
        square = 1 + A**2
        high = root_above(square)
        cost = Interval(square / high - A, high - A)
        positive = positive and cost.lower > 0
        yield seen(cost, A=A)
    yield Premise("no network costs 0", positive)
    yield Step("the neuron (A, 1) with c = 1 has the output 1 at x = 0")
    yield Step("w = |θ| - a is 0 only on the ray a > 0, b = 0, whose neurons output 0 at x = 0: cost 0 is not attained")
    yield Step("√(1+A²) - A < 1/(2A) for A > 0: the infimum is 0")


NO_MINIMISER = claim(
    "dedios2020.weights_that_fail_existence",
    "next to Theorem 4.2, existence of minimisers",
    "An effectively strictly convex weight without a minimiser",
    """w = ‖θ‖ - a is 1-homogeneous and effectively strictly convex, and through x = 0, y = 1 there is no minimiser: the
    neuron (A, 1) costs √(1+A²) - A, which tends to 0, and nothing costs 0. Theorem 4.2 is then empty; it needs w
    positive on active neurons, as the total variation is.""",
    latex=r"w(A,1)=\sqrt{1+A^2}-A\to0",
    formula="sqrt(1 + A**2) - A",
    symbols={"A": "slope of the neuron, its bias being 1"},
    controls={
        "sqrt(1 + A**2)": "the total variation",
        "1/(2*A)": "the limit taken for the value",
        "1": "one neuron of bias 1, whatever its slope",
        "sqrt(1 + A**2) - Abs(A)": "even in the slope",
    },
    checks=(no_minimiser,),
    part_of="dedios2020.theorem_4_2",
    rests_on=("dedios2020.theorem_4_2",),
    own=True,
)

SLOPES = (
    Fraction(4, 5),
    Fraction(12, 13),
    Fraction(15, 17),
    Fraction(24, 25),
    Fraction(21, 29),
    Fraction(40, 41),
    Fraction(35, 37),
)
"""Tilts s with √(1 - s²) rational, above 1/√2."""


@certificate("tilted programmes")
def tilt(context: Context) -> Observation:
    """Values for w = |θ| - s b on x = ∓1, y = ∓1 from cone programmes; the minimiser from its dual in rationals."""
    from implicitbias.convex.weighted.least import weighted_interpolant
    from implicitbias.convex.weighted.weights import tilted

    inside = True
    for s in SLOPES:
        found = weighted_interpolant([(-1,), (1,)], [-1, 1], tilted([0, -s]))
        q = rational_root(1 - s**2) / 2
        exact = case(f"s = {s}", [(-1,), (1,)], [-q, q], [1, 1], (0, -s))
        inside = inside and exact.unique and busiest_pattern(exact, True) == busiest_pattern(exact, False) == 2
        inside = inside and all(len(c.cells) == 1 for c in exact.contacts)
        yield seen(Interval(found.lower, found.upper), s=s)
    for s in context.choose((Fraction(3, 4), Fraction(9, 10)), (Fraction(3, 4), Fraction(9, 10), Fraction(99, 100))):
        found = weighted_interpolant([(-1,), (1,)], [-1, 1], tilted([0, -s]))
        yield seen(Interval(found.lower, found.upper), s=s)
    yield Premise("the only minimiser has two opposite atoms strictly inside one open cell", inside)
    yield Step("inside the cell b > |a| the dual's form is 2q·a, and |(2q, s)| = 1 there at (±2q, s)", "2q = √(1 - s²)")
    yield Step("s > |2q| puts both inside the cell")


TILT = claim(
    "dedios2020.weights_that_fail_tilt",
    "next to Figure 1 and Theorem 4.7",
    "Two neurons inside one open cell",
    """For w = ‖θ‖ - s b, 1/√2 < s < 1, positive and effectively strictly convex, the only minimiser through (-1, -1)
    and (1, 1) has two neurons of opposite sign along (±√(1-s²), s), both strictly inside the open cell b > |a|: no
    convention on walls makes one neuron per cell correct for general weights. Its value is √(1-s²).""",
    latex=r"w=\|\theta\|-sb:\quad V=\sqrt{1-s^2},\quad\theta_\pm=(\pm\sqrt{1-s^2},\,s)",
    hypotheses=("1/√2 < s < 1",),
    formula="sqrt(1 - s**2)",
    symbols={"s": "tilt of the weight"},
    controls={
        "1 - s": "the weight of the bias alone",
        "sqrt(1 - s)": "s for its square",
        "1/sqrt(2)": "the value at s = 1/√2",
        "1 - s**2": "the root omitted",
    },
    checks=(tilt,),
    part_of="dedios2020.figure_1_cells",
    rests_on=("dedios2020.figure_1_cells",),
    own=True,
)
