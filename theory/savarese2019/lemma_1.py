"""Lemma 1 (Appendix A): what the best rescaling of a unit costs, where it is, and what any other wastes."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims.check import Check, Context, Kind
from implicitbias.claims.evidence import Evidence, Identity, Instance, Premise
from implicitbias.claims.statement import Claim, Control, Source
from implicitbias.exact.rational import Interval

from .observed.unit_rescaling import bracketed_minimum, rescaled_cost, weights

SYMBOLS = {
    "a": "|w₂|, modulus of the unit's output weight",
    "b": "‖w₁‖₂, norm of its input weights (not its bias)",
}


def _bracketed(context: Context, what: str) -> Evidence:
    draw = context.random()
    pairs = weights(lambda: Fraction(draw.randint(1, 60), draw.randint(1, 12)), 16)
    instances, width, bracketed = [], [], True
    for a, b in pairs:
        found = bracketed_minimum(lambda t, a=a, b=b: rescaled_cost(a, b, t))  # type: ignore[misc]
        if found is None:
            bracketed = False
            continue
        unscaled = rescaled_cost(a, b, Fraction(1))
        observed = {
            "cost": found.value,
            "squared scale": found.place,
            "excess": Interval(unscaled - found.value.upper, unscaled - found.value.lower),
        }[what]
        width.append(observed.width)
        instances.append(Instance(f"|w₂|={a}, ‖w₁‖={b}", {"a": a, "b": b}, observed))
    return Evidence(
        instances=tuple(instances),
        premises=(Premise("three scales bracket the minimum, in every case", bracketed),),
        measured={
            "widest enclosure": float(max(i.observed.width for i in instances if isinstance(i.observed, Interval)))
        },
    )


def bracket_the_cost(context: Context) -> Evidence:
    """The least cost over all scales, enclosed."""
    return _bracketed(context, "cost")


def bracket_the_scale(context: Context) -> Evidence:
    """The squared scale at which the cost is least, enclosed."""
    return _bracketed(context, "squared scale")


def bracket_the_excess(context: Context) -> Evidence:
    """What the unit as it is costs above the least, enclosed."""
    return _bracketed(context, "excess")


def _derived(what: str) -> Evidence:
    """Stationary scale, the cost there, and that no other scale is cheaper."""
    import sympy

    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    a, b, t = (symbol(name, "positive") for name in ("a", "b", "t"))
    cost = (a**2 / t + b**2 * t) / 2
    d = Derivation()
    d.step("w₁ multiplied by √t, w₂ divided by √t", f"C(t) = {cost}")
    (scale,) = sympy.solve(sympy.Eq(sympy.diff(cost, t), 0), t)
    d.step("the only stationary scale", f"t = {scale}")
    least = sympy.simplify(cost.subs(t, scale))
    d.step("the cost there", f"C = {least}")
    gap = (a - b * t) ** 2 / (2 * t)
    d.identity("any other scale costs more by a square over a positive number", cost - least, gap)
    derived = {"cost": least, "squared scale": scale, "excess": sympy.factor(gap.subs(t, 1))}[what]
    identity = Identity(
        f"{what} for all positive weights",
        {"a": "positive", "b": "positive"},
        {"a": "a", "b": "b"},
        from_sympy(derived),
    )
    return Evidence(identities=(identity,), steps=d.steps)


def derive_the_cost(context: Context) -> Evidence:
    return _derived("cost")


def derive_the_scale(context: Context) -> Evidence:
    return _derived("squared scale")


def derive_the_excess(context: Context) -> Evidence:
    return _derived("excess")


POSITIVE = ("w₂ ≠ 0 and w₁ ≠ 0 (the other case: savarese2019.lemma_1_zero_weights)",)

CLAIMS = (
    Claim(
        id="savarese2019.lemma_1",
        source=Source("savarese2019", "Lemma 1 (Appendix A)"),
        title="The least cost of a unit over its rescalings",
        statement="Among all rescalings of one ReLU unit (input weights and bias times c, output weight over c), the "
        "least of "
        "½(w₂² + ‖w₁‖²) is |w₂|·‖w₁‖. Summed over units this turns the sum of squares in (4) into the ℓ₁ norm in (5).",
        latex=r"\min_{c>0}\tfrac12\big(w_2^2/c^2+c^2\|w_1\|^2\big)=|w_2|\,\|w_1\|",
        hypotheses=POSITIVE,
        rests_on=("savarese2019.equation_1",),
        formula="a*b",
        symbols=SYMBOLS,
        controls=(
            Control("a*b/2", "the half of C kept"),
            Control("(a**2 + b**2)/2", "the cost of the unit as it is"),
            Control("2*a*b", "the squares without the half"),
            Control("Min(a, b)**2", "the smaller weight decides"),
        ),
        checks=(
            Check(
                "bracketed over all scales",
                Kind.CERTIFICATE,
                bracket_the_cost,
                "24 units: rational bracket of the minimum, by convexity alone",
            ),
            Check(
                "stationary scale and square",
                Kind.PROOF,
                derive_the_cost,
                "stationary cost, and the rest of the cost as a square",
            ),
        ),
    ),
    Claim(
        id="savarese2019.lemma_1_scale",
        source=Source("savarese2019", "Lemma 1 (Appendix A), proof"),
        title="The scale that balances a unit",
        statement="The rescaling of least cost multiplies the input weights by c with c² = |w₂|/‖w₁‖: it makes both "
        "layers' "
        "weights of the unit equally large.",
        latex=r"c_i^2=|w_i^{(2)}|/\|w_i^{(1)}\|_2",
        hypotheses=POSITIVE,
        rests_on=("savarese2019.lemma_1",),
        formula="a/b",
        symbols=SYMBOLS,
        controls=(
            Control("b/a", "the scale of the output weight instead"),
            Control("sqrt(a/b)", "c itself, not its square"),
            Control("a**2/b**2", "unit by unit ratio of the squares"),
            Control("1/b**2", "the scale that gives rows of norm 1"),
        ),
        checks=(
            Check("bracketed scale", Kind.CERTIFICATE, bracket_the_scale, "the minimiser enclosed between rationals"),
            Check("stationary scale", Kind.PROOF, derive_the_scale, "the stationary scale, solved for"),
        ),
    ),
    Claim(
        id="savarese2019.lemma_1_excess",
        source=Source("savarese2019", "Lemma 1 (Appendix A), proof"),
        title="What an unbalanced unit wastes",
        statement="A unit costs ½(|w₂| − ‖w₁‖)² more than its best rescaling: nothing exactly when it is balanced. "
        "So at every "
        "minimum of (10) with λ > 0 each unit is balanced.",
        latex=r"\tfrac12(w_2^2+\|w_1\|^2)-|w_2|\|w_1\|=\tfrac12(|w_2|-\|w_1\|)^2",
        hypotheses=POSITIVE,
        rests_on=("savarese2019.lemma_1",),
        formula="(a - b)**2/2",
        symbols=SYMBOLS,
        controls=(
            Control("(a - b)**2", "without the half"),
            Control("Abs(a**2 - b**2)/2", "difference of the squares"),
            Control("Abs(a - b)", "difference of the weights"),
            Control("(a - b)**2/(a + b)", "relative excess"),
        ),
        checks=(
            Check("bracketed excess", Kind.CERTIFICATE, bracket_the_excess, "cost as it is minus the enclosed minimum"),
            Check("the square at scale one", Kind.PROOF, derive_the_excess, "the remainder of the cost at t = 1"),
        ),
    ),
)
