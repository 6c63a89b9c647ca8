"""Appendix B: sigmoids near a step, and Barron's norm against the cost of ReLU networks."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Derivation, Interval, Observation, Premise, certificate, claim, proof, seen


@certificate("bisection in balls")
def steepness(context: Context) -> Observation:
    """The least w for which sup over |x| >= delta of |σ(wx) - H(x)| is at most epsilon, by bisection in ball
    arithmetic.

    The supremum is taken where it is largest: |σ(wx) - H(x)| = σ(-w|x|) falls with |x|, so at |x| = delta.
    """
    from implicitbias.exact.enclosure import Comparison, compare, enclose

    draw = context.random()
    cases = [(Fraction(1, 4), Fraction(1)), (Fraction(1, 10), Fraction(1, 2)), (Fraction(1, 3), Fraction(2))]
    cases += [(Fraction(draw.randint(1, 49), 100), Fraction(draw.randint(1, 30), 10)) for _ in range(9)]
    decided = True
    for epsilon, delta in cases:
        low, high = Fraction(0), Fraction(2**12)
        for _ in range(90):
            w = (low + high) / 2
            order = compare(enclose("1/(1 + exp(w*delta))", w=w, delta=delta), epsilon)
            decided = decided and order is not Comparison.UNKNOWN
            low, high = (w, high) if order is Comparison.GREATER else (low, w)
        observed = Interval(low, high)
        yield seen(observed, epsilon=epsilon, delta=delta)
    yield Premise("every comparison of the bisection is proved", decided)


@proof("monotone error")
def derive_steepness(d: Derivation) -> None:
    """Where the error is largest, and when it equals ε."""
    import sympy

    delta, w, odds, x = d.symbols(delta="positive", w="positive", o="positive", x="positive")
    error = 1 / (1 + sympy.exp(w * x))
    d.identity("on the right the error is that on the left", 1 - 1 / (1 + sympy.exp(-w * x)), error)
    slope = sympy.diff(error, x)
    d.nonnegative("the error falls with the distance from the step", -slope, "-d/dx 1/(1+exp(w x)) >= 0")
    epsilon = 1 / (2 + odds)  # 0 < epsilon < 1/2, so that a positive w is needed at all
    (least,) = sympy.solve(sympy.Eq(error.subs(x, delta), epsilon), w)
    d.step("so the supremum over |x| >= δ is attained at δ; equal to ε = 1/(2+o) for", f"w = {least}")
    d.identity("that w gives the error ε at δ", error.subs(x, delta).subs(w, least), epsilon)
    d.concludes(
        least,
        "0 < ε < 1/2 and δ > 0, with ε = 1/(2+o)",
        over={"o": "positive", "delta": "positive"},
        epsilon="1/(2+o)",
        delta="delta",
    )


@certificate("extrema of f'")
def cosine_variation(context: Context) -> Observation:
    """∫|f''| of f(x) = cos(w x) over n half periods, from the enclosed values of f' at the ends of each."""
    from implicitbias.exact.enclosure import enclose

    for w in (Fraction(1), Fraction(2), Fraction(1, 3), Fraction(7, 2)):
        for n in (1, 2, 5, 40):
            # f' = -w sin(w x) is monotone between its extrema at x = (k + 1/2) pi / w
            total = [enclose("Abs(w*sin((k+1/2)*pi) - w*sin((k-1/2)*pi))", w=w, k=k) for k in range(n)]
            low = sum((t.lower if isinstance(t, Interval) else t for t in total), Fraction(0))
            high = sum((t.upper if isinstance(t, Interval) else t for t in total), Fraction(0))
            yield seen(Interval(low, high), f"cos({w}x) over {n} half periods", w=w, n=n)


@proof("integral of |f''|")
def derive_cosine_variation(d: Derivation) -> None:
    """One half period integrated, n of them added."""
    import sympy

    x, w, n = d.symbols("x", w="positive", n="positive integer")
    f = sympy.cos(w * x)
    second = sympy.diff(f, x, 2)
    d.identity("the second derivative", second, -(w**2) * sympy.cos(w * x))
    half = sympy.integrate(w**2 * sympy.cos(w * x), (x, -sympy.pi / (2 * w), sympy.pi / (2 * w)))
    d.step("|f''| over the half period where cos(w x) >= 0; by periodicity over every other", f"∫|f''| = {half}")
    d.concludes(
        n * half,
        "all frequencies and numbers of half periods",
        over={"w": "positive", "n": "positive integer"},
        w="w",
        n="n",
    )


STEP = claim(
    "savarese2019.appendix_b_step",
    "Appendix B",
    "Weight of a sigmoid close to a step",
    """The logistic unit σ(w x) is within ε of the step H(x) at all |x| ≥ δ exactly when w ≥ log((1-ε)/ε)/δ. So the
    hidden weights grow without bound as ε → 0 or δ → 0, although the output weight stays 1.""",
    part_of="savarese2019.appendix_b_barron",
    latex=r"""\sup_{|x|\ge\delta}|\sigma(wx)-H(x)|\le\varepsilon \iff w\ge
    \tfrac1\delta\log\tfrac{1-\varepsilon}{\varepsilon}""",
    hypotheses=("0 < ε < 1/2", "δ > 0"),
    formula="log((1-epsilon)/epsilon)/delta",
    symbols={"epsilon": "ε, the largest error allowed", "delta": "δ, half the width of the excepted interval"},
    controls={
        "log(1/epsilon)/delta": "the leading term for small ε",
        "1/delta": "the width only",
        "delta*log((1-epsilon)/epsilon)": "δ as a factor",
    },
    checks=(steepness, derive_steepness),
)


BARRON = claim(
    "savarese2019.appendix_b_barron",
    "Appendix B",
    "Barron's norm does not bound the cost",
    """For f(x) = cos(w x) Barron's constant is |w|. The total variation of f' over n half periods is 2 n w: it grows
    without bound with the length of the interval, so R̄(f) = ∞ on ℝ. Barron's norm bounds approximation on a ball of
    given radius; it is not the cost of ReLU networks.""",
    latex=r"\int_{n\ \text{half periods}} |f''|\,dx = 2nw,\qquad f(x)=\cos(wx)",
    hypotheses=("w > 0",),
    formula="2*n*w",
    symbols={"n": "number of half periods covered", "w": "frequency, also Barron's constant of cos(w x)"},
    controls={
        "w": "the cost would be Barron's constant",
        "2*w": "bounded for every interval",
        "n*w": "each monotone piece of f' counted only from zero",
    },
    checks=(cosine_variation, derive_cosine_variation),
)
