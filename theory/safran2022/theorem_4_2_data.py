"""Theorem 4.2, its hypotheses: label switches s and teacher width r, strict labels, the threshold of the loss."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

from implicitbias.claims import Context, Derivation, Flaw, Observation, Step, certificate, claim, proof, seen

from ..observed.margin.sign_change_proofs import attained, two_of_each
from ..observed.margin.sign_changes import PLACES


@proof("pieces of the teacher")
def derive_switches(d: Derivation) -> None:
    """The bound by pieces, and teachers that reach it for all r >= 4."""
    d.step("y_i N*(x_i) > 0: label switches are strict sign changes of N* along x_1 < … < x_n")
    d.step("r units make at most r + 1 pieces with one strict change each", "s <= r + 1")
    two_of_each(d)
    attained(d)
    d.step("so s = r + 1 occurs for every r >= 4; for r <= 3 s is at most r - 1")
    d.concludes("m + 4 + 1", "r = m + 4: the largest s", over={"m": "nonnegative integer"}, r="m + 4")


@certificate("data of explicit teachers")
def observe_switches(context: Context) -> Observation:
    """Switches counted on data; the most over all units with kinks on three grids. Data sets labelled by explicit
    teachers, strictly; and the most switches that any output weights give.
    """
    from ..observed.margin.sign_changes import alternating, crossing_points, search

    for r in (4, 5, 6, 9, 17):
        teacher = alternating(r)
        values = [teacher(Fraction(x)) for x in crossing_points(r)]
        if any(value == 0 for value in values):
            raise ArithmeticError(f"the teacher of width {r} vanishes on its data")
        labels = [1 if value > 0 else -1 for value in values]
        switches = sum(a != b for a, b in pairwise(labels))
        yield seen(switches, f"x = {', '.join(map(str, crossing_points(r)))}", r=r)
    for places in PLACES:
        for r in (1, 2, 3, 4, 5):
            most = search(r, places[:5], strict=True).most
            yield seen(most, f"most over kinks among {places[:5]}", relation="=" if r >= 4 else "<=", r=r)


SWITCHES = claim(
    "safran2022.theorem_4_2_switches",
    "Theorem 4.2, the note on label switches",
    "Label switches against the width of the teacher",
    """Data with y_i N*(x_i) > 0 for a teacher of width r have at most s = r + 1 label switches, and s = r + 1 occurs
    for every r >= 4: x = -2, 0, 1, 2, 3, 5 with the teacher -3[x]_+ + 4[x-1]_+ - 4[2-x]_+ + 3[3-x]_+ of width 4 has
    five. Statements about the data should be made in s, not in r.""",
    latex=r"|\{i:y_i\ne y_{i+1}\}|\le r+1",
    hypotheses=("x_1 < … < x_n", "y_i N*(x_i) > 0"),
    formula="r + 1",
    symbols={"r": "width of the teacher"},
    flaw=Flaw(
        printed="r",
        word="false statement",
        wrong="r kinks make r + 1 pieces, each of which can switch: the six points above switch five times with r = 4.",
        sure="certain",
        charitable="""for r <= 3 even r - 1 is right, and O(r) is not touched; the theorem's 32r + 67 has room for one
        switch more (a sharper count of regions at every KKT point is proved beside Theorem 4.2).""",
    ),
    controls={
        "r - 1": "units facing one way only",
        "r + 2": "both ends of the line counted beside the pieces",
        "2*r": "two switches a unit",
    },
    checks=(derive_switches, observe_switches),
    rests_on=("safran2022.sign_changes",),
    part_of="safran2022.theorem_4_2",
)


@certificate("all samples from a grid")
def observe_strict(context: Context) -> Observation:
    """Samples listed one by one, teachers in rationals. All samples of n points of a uniform distribution on a grid:
    how many have y_i N*(x_i) > 0 throughout.
    """
    from implicitbias.functions.network import Network

    teachers = (
        ("[x]_+", Network([1], [0], [1])),
        ("[x - 1/2]_+ - 2[x - 1]_+", Network([1, 1], [Fraction(-1, 2), -1], [1, -2])),
        ("1", Network([0], [1], [1])),
        ("[-x - 1]_+ + [x - 1]_+", Network([-1, 1], [-1, -1], [1, 1])),
    )
    grid = [Fraction(j, 4) for j in (-7, -5, -3, -1, 1, 3, 5, 7)]
    for name, teacher in teachers:
        strict = {x: teacher(x) != 0 for x in grid}
        share = Fraction(sum(strict.values()), len(grid))
        for n in (1, 2, 3, 4):
            good = sum(all(strict[x] for x in sample) for sample in product(grid, repeat=n))
            yield seen(Fraction(good, len(grid) ** n), f"N* = {name}", p=share, n=n)
    yield Step("D uniform on ±1/4, ±3/4, ±5/4, ±7/4; all samples listed")


STRICT = claim(
    "safran2022.theorem_4_2_strict_teacher",
    "Theorem 4.2 as used for Corollary 5.1 and Theorem 2.3",
    "How often a sample satisfies the strict hypothesis",
    """Theorem 4.2 supposes y_i N*(x_i) > 0 for all data, Assumption 2.2 and Corollary 5.1 only y_i = sign(N*(x_i)) with
    sign(0) = -1. A sample of n has the strict property with probability p^n, p = P(N*(x) ≠ 0): for N* = [x]_+ and a
    symmetric distribution 2^-n. What the proof uses is the number of switches, at most r + 1 in both cases, so
    supposing y_i = sign(N*(x_i)) in Theorem 4.2 repairs the step.""",
    latex=r"P(\forall i:y_iN^*(x_i)>0)=P(N^*(x)\ne 0)^n",
    hypotheses=("independent data", "y = sign(N*(x)), sign(0) = -1"),
    formula="p**n",
    symbols={"p": "P(N*(x) ≠ 0)", "n": "sample size"},
    flaw=Flaw(
        printed="1",
        word="incomplete proof",
        wrong="""Theorem 4.2 is applied to samples that satisfy only y_i = sign(N*(x_i)); teachers that vanish with
        positive probability give samples to which it does not apply as stated.""",
        sure="certain",
        charitable="right for teachers that vanish with probability 0; the argument needs the number of switches only.",
    ),
    controls={
        "p": "one datum decides for all",
        "1 - (1 - p)**n": "some datum is strict",
        "p**(n - 1)": "switches between neighbours counted",
    },
    checks=(observe_strict,),
    rests_on=("safran2022.introduction_sign_changes",),
    part_of="safran2022.theorem_4_2",
)


@proof("infimum over stuck starts")
def derive_threshold(d: Derivation) -> None:
    """The limit of the losses of the counterexample, all n."""
    import sympy

    from implicitbias.exact.symbolic import from_sympy

    q, n = d.symbols("q", n="positive integer")
    loss = sympy.log(1 + sympy.exp(-q))
    d.step("below log 2/n every margin is positive, and Theorem 4.1 applies")
    d.step("x_1 = -1 < x_2 < … < x_n in [1, 2], all labels 1 by the teacher of one constant neuron, w = v = A, b = 0")
    d.step("N(x_1) = 0 for ever (see the stuck flow), and n·L -> log 2 as A grows", f"{sympy.limit(loss, q, sympy.oo)}")
    infimum = loss.subs(q, 0) / n
    d.concludes(from_sympy(infimum), "all n", over={"n": "positive integer"}, n="n")


@certificate("stuck starts")
def observe_threshold(context: Context) -> Observation:
    """Losses in balls of starts that stay above log 2/n for ever; one below the candidate refutes it."""
    from implicitbias.functions.network import Network

    from ..observed.margin.stuck import mean_loss, stuck, stuck_loss

    yield seen(mean_loss(Network([0], [0], [0]), [1], [1], "logistic"), "θ = 0", n=1)
    for n in (1, 2, 3, 7, 50, 200):
        network, x, y = stuck(n, spaced=True)
        if sorted(set(x)) != x:
            raise ArithmeticError(f"the data do not increase: {x}")
        label = f"{n} increasing data, N(x_1) = 0 for ever"
        yield seen(mean_loss(network, x, y, "logistic"), label, relation=">=", n=n)
        yield seen(stuck_loss(n, spaced=True), label, relation=">=", n=n)


THRESHOLD = claim(
    "safran2022.theorem_4_2_threshold",
    "Theorem 4.2 and Corollary 5.1, the loss at t_0",
    "The logistic loss below which the flow reaches zero loss",
    """For the logistic loss and data x_1 < … < x_n labelled strictly by a teacher, L(θ(t_0)) < log 2/n is the condition
    that makes gradient flow reach zero loss; between log 2/n and 1/n there are starts from which it never does, for
    every n >= 1, with the data of a teacher of width 1.""",
    latex=r"L(\theta(t_0))<\tfrac{\log 2}n",
    hypotheses=("logistic loss with the natural logarithm",),
    formula="log(2)/n",
    symbols={"n": "number of data"},
    flaw=Flaw(
        printed="1/n",
        word="convention slip",
        wrong="""1/n is the threshold of the exponential loss; for the natural logistic loss it is log 2/n. The same 1/n
        stands in Theorem 4.2, in Corollary 5.1 and in the contributions; Theorem 3.1 delivers 1/(2n) < log 2/n, so
        Theorem 2.3 is not affected.""",
        sure="certain",
        charitable="right with logarithms to base 2, and for the exponential loss.",
    ),
    controls={
        "log(2)": "the sum of the losses",
        "1/(2*n)": "what Theorem 3.1 delivers, taken as sharp",
        "log(2)/(n + 1)": "one datum more",
    },
    checks=(derive_threshold, observe_threshold),
    rests_on=("safran2022.theorem_4_1", "safran2022.theorem_4_1_stuck_flow"),
    part_of="safran2022.theorem_4_2",
)
