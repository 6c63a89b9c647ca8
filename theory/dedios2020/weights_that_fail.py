"""Section 4: weights for which Theorems 4.2 and 4.7 fail, or are empty."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from implicitbias.claims import Attached, Context, Interval, Observation, Premise, Step, certificate, claim, seen
from implicitbias.exact.vectors import rational_root, root_above

from ..observed.cheapest.usable_columns import usable_columns
from ..observed.data.draws import evenly
from ..observed.measures.exact_cases import case
from ..observed.measures.minimisers import busiest_pattern

X = (Fraction(-3, 2), Fraction(-1, 2), Fraction(1, 2), Fraction(3, 2))
PRICES = (1, -1, -1, 1)
"""The dual on these data with labels |x| - ½: Σ p = Σ p x = 0, p·y = 2."""


def bias_free_dual(x: Sequence[Fraction], p: Sequence[int]) -> bool:
    """|Σ p_i [±(x_i - t)]_+| <= 1 for all t, constants at no cost: checked where the price has kinks, and beyond."""
    if sum(p) != 0 or sum(q * t for q, t in zip(p, x, strict=True)) != 0:
        return False
    prices = [
        sum((q * max(Fraction(0), side * (v - t)) for q, v in zip(p, x, strict=True)), Fraction(0))
        for t in (*x, x[0] - 1, x[-1] + 1)
        for side in (1, -1)
    ]
    return max(map(abs, prices)) <= 1


@certificate("hinges that minimisers use")
def many_atoms(context: Context) -> Observation:
    """Exact programmes over ramps of both directions and signs with m hinges between the two inner data and others at
    and beyond the data: which of them some minimiser of Σ|c||a| uses, counted for each open cell and sign.

    Four to eight data on the graph of |x| - ½.
    """
    from implicitbias.convex.minimum_norm.interpolants import min_norm_interpolant

    draw = context.random()
    cheapest = True
    for m in (*range(context.choose(17, 30)), *context.choose((), (100,))):
        for n in range(4, 9):
            if m > 4 and n > 4 and (m + n) % 3:
                continue
            x = sorted((*X, *(Fraction(2 * s + 3, 2) * (-1) ** s for s in range(1, n - 3))))
            y = [abs(t) - Fraction(1, 2) for t in x]
            found = min_norm_interpolant(x, y)
            before = x.index(X[0])
            dual = (*(0 for _ in range(before)), *PRICES, *(0 for _ in range(n - 4 - before)))
            cheapest = cheapest and found.cost == 2 and bias_free_dual(x, dual)
            if m == 4:
                yield Attached(found.certificate())
            inner = {s * Fraction(t, 1000) for t in draw.sample(range(1, 500), m // 2) for s in (1, -1)}
            inner |= {Fraction(0)} if m % 2 else set()
            hinges = sorted({*inner, *x, *(Fraction(s * draw.randint(51, 400), 100) for s in (1, 1, -1, -1))})
            ramps = [(c, a, -a * t) for t in hinges for a in (1, -1) for c in (1, -1)]
            # the constant, of either sign, at no cost
            rows = [[*(c * max(Fraction(0), a * t + b) for c, a, b in ramps), 1] for t in x]
            costs = [1] * len(ramps) + [0]
            used = usable_columns(costs, rows, y, range(len(ramps)), free=[False] * len(ramps) + [True])
            cells: Counter[tuple[tuple[bool, ...], int]] = Counter()
            for c, a, b in (ramps[i] for i in used):
                heights = [a * t + b for t in x]
                if all(heights):  # strictly inside an open cell
                    cells[tuple(h > 0 for h in heights), c] += 1
            yield seen(max(cells.values(), default=0), f"{m} hinges, {n} data", m=m, n=n)
    yield Premise("the least cost is 2, by a programme and by a dual", cheapest)
    yield Step("f = (1/m) Σ|x - h_k| - ½ with hinges symmetric in (-½, ½) has the labels, at cost 2")
    yield Step("p = (1, -1, -1, 1): p·y = 2, and no unit is priced above |a|")


MANY = claim(
    "dedios2020.weights_that_fail_no_bias",
    "Section 4, implicit versus TV regularisation",
    "Without the bias in the weight, any number of neurons in one cell",
    """For V = |c|‖a‖ Theorems 4.2 and 4.7 fail: on x = ±½, ±3/2 with y = 0, 0, 1, 1, and on further points of |x| - ½,
    some minimiser uses any m symmetric hinges in (-½, ½), of one sign strictly inside one open cell, and one uses a
    continuum. Hinges beyond the inner data are not used strictly inside a cell.""",
    latex=r"V=|c|\|a\|:\ \forall m\ \exists\,\text{minimiser},\ \#\{j:\theta_j\in\operatorname{int}C,\ c_j>0\}=m",
    formula="m",
    symbols={"m": "hinges between the inner data", "n": "number of data"},
    controls={
        "1": "Theorem 4.7 for this weight",
        "Min(m, n)": "no more than data",
        "Min(m, 2*(2*n - 1))": "the bound 2(S-1) of Theorem 4.2",
        "2*m": "left and right ramps in one cell",
        "m + 1": "one more hinge, beyond the inner data",
    },
    checks=(many_atoms,),
    part_of="dedios2020.theorem_4_2",
    formerly=("dedios2020.weights_that_fail_bias_counted",),
)


@certificate("the cheapest of steep neurons")
def no_minimiser(context: Context) -> Observation:
    """The least cost Σ c w, w = |θ| - a, of networks through x = 0, y = 1 whose neurons have slopes up to A for bias 1:
    an exact programme over many such neurons, between rational roots. Negative and small slopes, and up to 10⁶."""
    from implicitbias.convex.programmes.linear_programme import Optimum, minimise

    draw = context.random()
    positive = True
    largest = [Fraction(t) for t in (0, "3/4", "12/5", 1, -2, 50, 10**6)]
    largest += [
        Fraction(draw.choice((1, -1)) * draw.randint(1, 99), 10 ** (k % 4)) for k in range(context.choose(24, 90))
    ]
    largest += [s * t for t in evenly(-7, 5, context.choose(40, 90)) for s in (1, -1)]
    near = (Fraction(0), Fraction(1, 7), Fraction(-1, 40), Fraction(1, 900))
    largest += [s * (k + t) for k in (1, 2, 3) for t in near for s in (1, -1)]
    for A in largest:
        slopes = [A, *(A - Fraction(draw.randint(1, 99), draw.choice((3, 50, 900))) for _ in range(9))]
        biases = [Fraction(draw.randint(1, 20), draw.randint(1, 20)) for _ in slopes]  # a neuron costs b·w(a/b, 1)
        prices = []
        for t, b in zip(slopes, biases, strict=True):
            high = root_above(1 + t**2)
            prices.append(Interval(b * ((1 + t**2) / high - t), b * (high - t)))
        ends = []
        for costs in ([v.lower for v in prices], [v.upper for v in prices]):
            found = minimise(costs, [biases], [1])
            if not isinstance(found, Optimum):
                raise ArithmeticError("no network has the output 1")
            ends.append(found.value)
        positive = positive and ends[0] > 0
        yield seen(Interval(*ends), A=A)
    yield Premise("no network costs 0", positive)
    yield Step("a neuron (a, b) with b ≤ 0 has no output at x = 0, and w ≥ 0")
    yield Step("w = |θ| - a is 0 only on the ray a > 0, b = 0, whose neurons output 0 at x = 0: cost 0 is not attained")
    yield Step("√(1+A²) - A falls in A, and is less than 1/(2A) for A > 0: the infimum is 0")


NO_MINIMISER = claim(
    "dedios2020.weights_that_fail_existence",
    "next to Theorem 4.2, existence of minimisers",
    "An effectively strictly convex weight without a minimiser",
    """w = ‖θ‖ - a is 1-homogeneous and effectively strictly convex, and through x = 0, y = 1 there is no minimiser: for
    slopes a ≤ Ab the least cost is √(1+A²) - A, that of the neuron (A, 1), which tends to 0, and nothing costs 0.
    Theorem 4.2 is then empty; it needs w positive on active neurons, as the total variation is.""",
    latex=r"\min_{a\le Ab}\sum_jc_jw(\theta_j)=w(A,1)=\sqrt{1+A^2}-A\to0",
    formula="sqrt(1 + A**2) - A",
    symbols={"A": "the largest slope of neurons with bias 1"},
    controls={
        "sqrt(1 + A**2)": "the total variation",
        "1/(2*A)": "the limit taken for the value",
        "1": "one neuron of bias 1, whatever its slope",
        "sqrt(1 + A**2) - Abs(A)": "even in the slope",
        "Min(1, sqrt(1 + A**2) - A)": "the neuron of slope 0 is always allowed",
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
    draw = context.random()
    between = [Fraction(708 + 30 * k + draw.randint(3, 29), 1000) for k in range(9)]
    for s in (*between, Fraction(9, 10), *context.choose((), (Fraction(99, 100),))):
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
