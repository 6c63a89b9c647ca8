"""Beside Theorem C.3: what the bridge penalty tends to with depth, and how convex it is."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims.check import Check, Context, Kind
from implicitbias.claims.evidence import Evidence, Identity, Instance, Value
from implicitbias.claims.statement import Claim, Control, Flaw, Source
from implicitbias.exact.rational import Interval

from .observed.programme_49 import penalty


def penalty_limits(context: Context) -> Evidence:
    """lim ‖α‖_{2/L}^{2/L} as L → ∞, by sympy, for exact α."""
    import sympy

    draw = context.random()
    depth = sympy.Symbol("L", positive=True)
    instances = []
    cases: list[list[Fraction]] = [
        [Fraction(2)],
        [Fraction(1, 2), Fraction(0)],
        [Fraction(3), Fraction(-1), Fraction(0)],
    ]
    cases += [[Fraction(draw.randint(-9, 9), draw.randint(1, 5)) for _ in range(draw.randint(2, 7))] for _ in range(8)]
    for alpha in cases:
        parts = [sympy.Rational(abs(a).numerator, abs(a).denominator) for a in alpha]
        limit = sum(sympy.limit(a ** (2 / depth), depth, sympy.oo) for a in parts if a != 0)
        given: dict[str, Value] = {
            "k": sum(a != 0 for a in alpha),
            "n": len(alpha),
            "S": sum(map(abs, alpha), Fraction(0)),
        }
        label = "α=(" + ", ".join(map(str, alpha)) + ")"
        instances.append(Instance(label, given, int(limit)))
    return Evidence(instances=tuple(instances))


def derive_penalty_limit(context: Context) -> Evidence:
    import sympy

    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    a, b, depth = symbol("a", "positive"), symbol("b", "positive"), sympy.Symbol("L", positive=True)
    d = Derivation()
    single = sympy.limit(a ** (2 / depth), depth, sympy.oo)
    d.step("one non-zero weight a > 0", f"lim a^(2/L) = {single}")
    both = sympy.limit(a ** (2 / depth) + b ** (2 / depth), depth, sympy.oo)
    d.step("two; a weight that is zero adds 0 for every L", f"lim a^(2/L) + b^(2/L) = {both}")
    return Evidence(
        identities=(
            Identity("one of three weights", {"a": "positive"}, {"k": "1", "n": "3", "S": "a"}, from_sympy(single)),
            Identity(
                "two of three weights",
                {"a": "positive", "b": "positive"},
                {"k": "2", "n": "3", "S": "a+b"},
                from_sympy(both),
            ),
        ),
        steps=d.steps,
    )


def midpoint_penalty(context: Context) -> Evidence:
    """‖·‖_{2/L}^{2/L} at the midpoint of two unit vectors, where it is 1 at both ends."""
    instances = []
    for depth in (2, 3, 4, 5, 10, 40):
        value = Interval(*penalty([Fraction(1, 2), Fraction(1, 2)], depth))
        observed = value.lower if value.lower == value.upper else value
        instances.append(Instance(f"L={depth}, (½, ½)", {"L": depth}, observed))
    return Evidence(instances=tuple(instances))


def derive_midpoint_penalty(context: Context) -> Evidence:
    import sympy

    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    depth = symbol("L", "positive integer")
    d = Derivation()
    value = 2 * sympy.Rational(1, 2) ** (2 / depth)
    d.step("two weights of ½", f"2·(1/2)^(2/L) = {value}")
    d.identity("each end has a single weight 1", sympy.Integer(1) ** (2 / depth), sympy.Integer(1))
    return Evidence(
        identities=(Identity("all depths", {"L": "positive integer"}, {"L": "L"}, from_sympy(value)),), steps=d.steps
    )


CLAIMS = (
    Claim(
        id="savarese2019.appendix_c_limit",
        source=Source("savarese2019", "after Theorem C.3"),
        title="The bridge penalty tends to the number of active sub-networks",
        statement="As L → ∞, ‖α‖_{2/L}^{2/L} = Σ|α_i|^(2/L) tends to the number of non-zero weights.",
        latex=r"\lim_{L\to\infty}\|\alpha\|_{2/L}^{2/L}=\|\alpha\|_0",
        formula="k",
        symbols={"k": "number of non-zero weights", "n": "number of weights", "S": "Σ|α_i|"},
        controls=(
            Control("n", "zero weights counted as 0⁰ = 1"),
            Control("S", "the penalty at L = 2"),
            Control("Min(S, n)", "between the two"),
        ),
        checks=(
            Check("limits of exact vectors", Kind.CERTIFICATE, penalty_limits, "sympy's limit for exact weights"),
            Check(
                "limit for symbols", Kind.PROOF, derive_penalty_limit, "sympy's limit for arbitrary positive weights"
            ),
        ),
    ),
    Claim(
        id="savarese2019.appendix_c_midpoint",
        source=Source("savarese2019", "proof of Theorem C.3"),
        title="The bridge penalty is not quasi-convex",
        statement=(
            "At the midpoint of two unit vectors ‖·‖_{2/L}^{2/L} is 2^(1-2/L) > 1 for L ≥ 3, but 1 at both ends: "
            "sublevel "
            "sets are not convex. What the proof uses is that the penalty is strictly concave on every orthant."
        ),
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
        controls=(
            Control("2**(2/L)", "the exponent of the ends' sum"),
            Control("2**(1/L)", "exponent 1/L"),
            Control("2 - 2/L", "its tangent at L = 2"),
        ),
        checks=(
            Check("value in balls", Kind.CERTIFICATE, midpoint_penalty, "the penalty at (½, ½)"),
            Check("value for all L", Kind.PROOF, derive_midpoint_penalty, "two weights of ½"),
        ),
    ),
)
