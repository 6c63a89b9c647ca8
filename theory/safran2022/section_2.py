"""Section 2: the loss is a mean (equation (2)), the output is homogeneous of degree 2 in the parameters."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Derivation, Interval, Measured, Observation, certificate, claim, proof, seen


@certificate("a network on data")
def loss(context: Context) -> Observation:
    """The logistic loss of a network on data, margin by margin, in balls."""
    from implicitbias.exact.enclosure import enclose, lower, upper
    from implicitbias.functions.network import Network

    network = Network([1, -1], [0, 1], [2, -1])
    cases: tuple[tuple[tuple[int | Fraction, ...], tuple[int, ...]], ...] = (
        ((1,), (1,)),
        ((4, 4), (1, 1)),
        ((-2, 3, 3), (-1, 1, 1)),
        ((3, 3, 3, Fraction(1, 2)), (1, 1, 1, -1)),
        ((Fraction(1, 3), 0, 0, 0, 0), (-1, 1, 1, 1, 1)),
        ((5, 5, -1, -1, -1, -1, -1), (-1, -1, -1, -1, -1, -1, -1)),
    )
    for x, y in cases:
        margins = [label * network(Fraction(place)) for place, label in zip(x, y, strict=True)]
        losses = [enclose("log(1 + exp(-q))", q=q) for q in margins]
        n = len(x)
        mean = Interval(sum(map(lower, losses), Fraction(0)) / n, sum(map(upper, losses), Fraction(0)) / n)
        p, q = margins[0], margins[-1]
        yield seen(mean, f"x = {', '.join(map(str, x))}", n=n, a=margins.count(p) if p != q else n, p=p, q=q)


EQUATION_2 = claim(
    "safran2022.equation_2",
    "Equation (2)",
    "The empirical loss is a mean",
    """Where a of n data have margin y_i N(x_i) = p and the others q, the empirical logistic loss is (a·log(1 + e^{-p})
    + (n - a)·log(1 + e^{-q}))/n, with the natural logarithm: a mean over the data. The thresholds 1/(2n) and 1/n are
    thresholds of this mean.""",
    latex=r"L(\theta)=\tfrac1n\sum_i\ell(y_iN_\theta(x_i))",
    formula="(a*log(1 + exp(-p)) + (n - a)*log(1 + exp(-q)))/n",
    symbols={"n": "number of data", "a": "data with margin p", "p": "their margin", "q": "the margin of the others"},
    controls={
        "a*log(1 + exp(-p)) + (n - a)*log(1 + exp(-q))": "the sum over the data",
        "(log(1 + exp(-p)) + log(1 + exp(-q)))/2": "a mean over the two groups",
        "(a*log(1 + exp(p)) + (n - a)*log(1 + exp(q)))/n": "the sign of the margin",
        "(a*log(1 + exp(-p)) + (n - a)*log(1 + exp(-q)))/(n*log(2))": "logarithms to base 2",
        "(a*exp(-p) + (n - a)*exp(-q))/n": "the exponential loss",
    },
    checks=(loss,),
    part_of="safran2022.theorem_2_3",
)


@proof("unit by unit")
def derive_homogeneity(d: Derivation) -> None:
    """An active unit, one that is not, and one at its kink."""
    import sympy

    from implicitbias.exact.symbolic import from_sympy

    w, b, v, x, a, z = d.symbols("w b v x", a="positive", z="positive")
    d.identity(
        "each unit", (a * v) * (a * w * x + a * b), a**2 * v * (w * x + b), "where it is active, before and after"
    )
    d.step("a > 0 leaves active units active; the sum over the units follows")
    for label, argument in (("active", z), ("not active", -z), ("at the kink", sympy.Integer(0))):
        unit, scaled = v * sympy.Max(0, argument), a * v * sympy.Max(0, a * argument)
        d.concludes(
            from_sympy(scaled), label, over={"a": "positive", "v": "real", "z": "positive"}, a="a", N=from_sympy(unit)
        )


@certificate("random networks")
def observe_homogeneity(context: Context) -> Observation:
    """Both networks in rationals."""
    from implicitbias.functions.network import Network

    draw = context.random()
    for a in (Fraction(1), Fraction(2), Fraction(1, 3), Fraction(7, 5), Fraction(10)):
        for _ in range(4):
            w, b, v = ([Fraction(draw.randint(-9, 9), draw.randint(1, 4)) for _ in range(4)] for _ in "wbv")
            x = Fraction(draw.randint(-20, 20), 3)
            scaled = Network([a * t for t in w], [a * t for t in b], [a * t for t in v])
            yield seen(scaled(x), "width 4", a=a, N=Network(w, b, v)(x))
    backward = Network([-1], [0], [-1])(1)
    yield Measured("N_θ(1) for w = v = 1, b = 0", 1)
    yield Measured("N_{-θ}(1): a must be positive", backward)


HOMOGENEITY = claim(
    "safran2022.section_2_homogeneity",
    "after Theorem 2.3, of the scale of θ",
    "The output is homogeneous of degree two",
    """For a > 0 the network with all parameters multiplied by a has the outputs a²·N_θ(x), so the same labels. (a < 0
    is another matter: N_{-θ} is not N_θ.)""",
    latex=r"N_{a\theta}(x)=a^2N_\theta(x),\quad a>0",
    hypotheses=("a > 0",),
    formula="a**2*N",
    symbols={"a": "the factor of all parameters", "N": "N_θ(x)"},
    controls={
        "a*N": "as if only one layer were scaled",
        "a**3*N": "weights, biases and output weights counted as three layers",
        "N": "the directions agree, so the outputs do",
    },
    checks=(derive_homogeneity, observe_homogeneity),
    part_of="safran2022.theorem_2_3",
)


@certificate("kinks of scaled networks")
def breakpoints(context: Context) -> Observation:
    """Exact kinks of one unit, and of width 5 before and after. The first kink of the scaled network, and how many
    regions it has.
    """
    from implicitbias.functions.network import Network
    from implicitbias.functions.regions import linear_regions

    draw = context.random()
    same = 0
    for a in (Fraction(1), Fraction(2), Fraction(1, 3), Fraction(7, 5)):
        for w, b in ((1, 1), (-1, 2), (2, -3), (-5, -1), (3, 0)):
            scaled = Network([a * w], [a * b], [a * draw.choice((-2, 1, 3))])
            (kink,) = linear_regions(scaled).kinks
            yield seen(kink, "one unit", a=a, w=w, b=b)
        w5, b5, v5 = ([draw.choice((-3, -2, -1, 1, 2)) for _ in range(5)] for _ in "wbv")
        before = linear_regions(Network(w5, b5, v5))
        after = linear_regions(Network([a * t for t in w5], [a * t for t in b5], [a * t for t in v5]))
        if before.kinks != after.kinks or before.exact != after.exact:
            raise ArithmeticError(f"kinks move: {w5}, {b5}, {v5}, factor {a}")
        same += 1
    yield Measured("networks of width 5 whose kinks stay", same)


BREAKPOINTS = claim(
    "safran2022.section_2_breakpoints",
    "after Theorem 2.3, of the scale of θ and the partition",
    "Scaling leaves the breakpoints where they are",
    """A unit of a·θ has its breakpoint at -b/w, as the unit of θ, whatever a > 0: the partition into linear regions,
    and so their number, depends on the direction of θ only.""",
    latex=r"-\frac{ab}{aw}=-\frac bw",
    hypotheses=("a > 0", "w ≠ 0, v ≠ 0"),
    formula="-b/w",
    symbols={"a": "the factor of all parameters", "w": "weight", "b": "bias"},
    controls={"-a*b/w": "the bias scaled alone", "-b/(a*w)": "the weight scaled alone", "b/w": "the sign"},
    checks=(breakpoints,),
    part_of="safran2022.theorem_2_3",
)
