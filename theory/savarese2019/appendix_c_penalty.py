"""Beside Theorem C.3: what the bridge penalty tends to with depth, and how convex it is."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Derivation, Flaw, Interval, Observation, certificate, claim, proof, seen

from ..observed.cheapest.programme_49 import penalty


@certificate("limits of exact vectors")
def penalty_limits(context: Context) -> Observation:
    """sympy's limit for exact weights. lim ‖α‖_{2/L}^{2/L} as L → ∞, by sympy, for exact α."""
    import sympy

    draw = context.random()
    depth = sympy.Symbol("L", positive=True)
    cases: list[list[Fraction]] = [
        [Fraction(2)],
        [Fraction(1, 2), Fraction(0)],
        [Fraction(3), Fraction(-1), Fraction(0)],
    ]
    cases += [[Fraction(draw.randint(-9, 9), draw.randint(1, 5)) for _ in range(draw.randint(2, 7))] for _ in range(8)]
    for alpha in cases:
        parts = [sympy.Rational(abs(a).numerator, abs(a).denominator) for a in alpha]
        limit = sum(sympy.limit(a ** (2 / depth), depth, sympy.oo) for a in parts if a != 0)
        label = "α=(" + ", ".join(map(str, alpha)) + ")"
        yield seen(int(limit), label, k=sum(a != 0 for a in alpha), n=len(alpha), S=sum(map(abs, alpha), Fraction(0)))


@proof("limit for symbols")
def penalty_limit(d: Derivation) -> None:
    """sympy's limit for arbitrary positive weights."""
    import sympy

    from implicitbias.exact.symbolic import from_sympy

    a, b = d.symbols(a="positive", b="positive")
    depth = sympy.Symbol("L", positive=True)
    single = sympy.limit(a ** (2 / depth), depth, sympy.oo)
    d.step("one non-zero weight a > 0", f"lim a^(2/L) = {single}")
    both = sympy.limit(a ** (2 / depth) + b ** (2 / depth), depth, sympy.oo)
    d.step("two; a weight that is zero adds 0 for every L", f"lim a^(2/L) + b^(2/L) = {both}")
    d.concludes(from_sympy(single), "one of three weights", over={"a": "positive"}, k="1", n="3", S="a")
    d.concludes(from_sympy(both), "two of three weights", k="2", n="3", S="a+b")


@certificate("value in balls")
def midpoint_penalty(context: Context) -> Observation:
    """The penalty at (½, ½). ‖·‖_{2/L}^{2/L} at the midpoint of two unit vectors, where it is 1 at both ends."""
    for depth in (2, 3, 4, 5, 10, 40):
        value = Interval(*penalty([Fraction(1, 2), Fraction(1, 2)], depth))
        observed = value.lower if value.lower == value.upper else value
        yield seen(observed, f"L={depth}, (½, ½)", L=depth)


@proof("value for all L")
def derive_midpoint_penalty(d: Derivation) -> None:
    """Two weights of ½."""
    import sympy

    from implicitbias.exact.symbolic import from_sympy

    (depth,) = d.symbols(L="positive integer")
    value = 2 * sympy.Rational(1, 2) ** (2 / depth)
    d.step("two weights of ½", f"2·(1/2)^(2/L) = {value}")
    d.identity("each end has a single weight 1", sympy.Integer(1) ** (2 / depth), sympy.Integer(1))
    d.concludes(from_sympy(value), "all depths", L="L")


APPENDIX_C_LIMIT = claim(
    "savarese2019.appendix_c_limit",
    "after Theorem C.3",
    "The bridge penalty tends to the number of active sub-networks",
    "As L → ∞, ‖α‖_{2/L}^{2/L} = Σ|α_i|^(2/L) tends to the number of non-zero weights.",
    part_of="savarese2019.theorem_c_3",
    latex=r"\lim_{L\to\infty}\|\alpha\|_{2/L}^{2/L}=\|\alpha\|_0",
    formula="k",
    symbols={"k": "number of non-zero weights", "n": "number of weights", "S": "Σ|α_i|"},
    controls={"n": "zero weights counted as 0⁰ = 1", "S": "the penalty at L = 2", "Min(S, n)": "between the two"},
    checks=(penalty_limits, penalty_limit),
)


APPENDIX_C_MIDPOINT = claim(
    "savarese2019.appendix_c_midpoint",
    "proof of Theorem C.3",
    "The bridge penalty is not quasi-convex",
    """At the midpoint of two unit vectors ‖·‖_{2/L}^{2/L} is 2^(1-2/L) > 1 for L ≥ 3, but 1 at both ends: sublevel sets
    are not convex. What the proof uses is that the penalty is strictly concave on every orthant.""",
    part_of="savarese2019.theorem_c_3",
    latex=r"\left\|\tfrac12 e_1+\tfrac12 e_2\right\|_{2/L}^{2/L}=2^{1-2/L}",
    formula="2**(1-2/L)",
    symbols={"L": "number of layers"},
    flaw=Flaw(
        printed="1",
        word="imprecise wording",
        wrong="The penalty is called quasi-convex; then its value at the midpoint could not exceed 1.",
        sure="certain",
        charitable="‖·‖_p with p < 1 is a quasi-norm; that word is meant, and the proof needs neither.",
    ),
    controls={
        "2**(2/L)": "the exponent of the ends' sum",
        "2**(1/L)": "exponent 1/L",
        "2 - 2/L": "its tangent at L = 2",
    },
    checks=(midpoint_penalty, derive_midpoint_penalty),
)
