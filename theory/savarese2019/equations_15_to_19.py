"""Proof of theorem 3.1, (15) to (19): a function split into its second derivative, an affine part, and the mass."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import product

from implicitbias.claims.check import Check, Context, Kind
from implicitbias.claims.evidence import Evidence, Identity, Instance, Premise
from implicitbias.claims.statement import Claim, Control, Flaw, Source
from implicitbias.exact.formula import Assumption

UNIT: dict[str, Assumption] = {"u": "real", "v": "real", "x": "real", "b": "real", "c": "real"}
DEFINITION = "u*Max(x - b, 0) + v*Max(b - x, 0) + c"


def split_of_a_unit(context: Context) -> Evidence:
    """[x - b]_+ and [b - x]_+ as half of |x - b| plus or minus (x - b); both sides are linear in the measure."""
    import sympy

    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import symbol

    x, b = symbol("x"), symbol("b")
    d = Derivation()
    d.identity("a forward unit", sympy.Max(x - b, 0), (abs(x - b) + (x - b)) / 2)
    d.identity("a backward unit", sympy.Max(b - x, 0), (abs(x - b) - (x - b)) / 2)
    d.step("both sides are linear in α, so it suffices to compare one threshold with masses u and v")
    given = {"A": "(u + v)*Abs(x - b)", "B": "(u - v)*(x - b)", "c": "c"}
    return Evidence(identities=(Identity("one threshold", UNIT, given, DEFINITION),), steps=d.steps)


def values_of_measures(context: Context) -> Evidence:
    """f(x) by its definition (15), at points on every piece and far outside."""
    from .observed.discrete_measures import measures

    instances = []
    for label, alpha in measures(context.random(), context.choose(12, 100)):
        for x in (*alpha.places, Fraction(-1000), Fraction(1000)):
            distance = _total(p * abs(x - b) for p, b in zip(alpha.sum, alpha.thresholds, strict=True))
            shift = _total(q * (x - b) for q, b in zip(alpha.difference, alpha.thresholds, strict=True))
            given = {"A": distance, "B": shift, "c": alpha.constant, "x": x, **alpha.in_words()}
            instances.append(Instance(f"{label} at x = {x}", given, alpha(x)))
    return Evidence(instances=tuple(instances), measured={"values": len(instances)})


def _total(terms: Iterable[Fraction]) -> Fraction:
    return sum(terms, Fraction(0))


SPLIT = Claim(
    id="savarese2019.equation_16",
    source=Source("savarese2019", "(15), (16)"),
    title="Even and odd part of a representation",
    statement=(
        "f(x) = ½∫α₊(b)|x - b| db + ½∫α₋(b)(x - b) db + c with α₊ = α(1,·) + α(-1,·) and α₋ = α(1,·) - α(-1,·): "
        "α₋ adds "
        "an affine function only."
    ),
    latex=r"f(x)=\tfrac12\int\alpha_+(b)|x-b|\,db+\tfrac12\int\alpha_-(b)(x-b)\,db+c",
    hypotheses=("∫|b| d|α| is finite, or the two integrals are taken together",),
    formula="A/2 + B/2 + c",
    symbols={"A": "∫ α₊(b)|x - b| db", "B": "∫ α₋(b)(x - b) db", "c": "output bias"},
    controls=(
        Control("A + B + c", "without the halves"),
        Control("A/2 - B/2 + c", "the orientation of α₋ reversed"),
        Control("A/2 + c", "the affine part forgotten"),
    ),
    checks=(
        Check("one threshold, symbolic masses", Kind.PROOF, split_of_a_unit, "linear in α, so one threshold suffices"),
        Check("values of exact networks", Kind.CERTIFICATE, values_of_measures, "by the definition of the network"),
    ),
)


def constant_of_a_unit(context: Context) -> Evidence:
    """What is left of f(x) after ½∫f''|x - b| and ½(∫α_-)x are taken away, for one threshold."""
    import sympy

    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol, to_sympy

    u, v, x, b = symbol("u"), symbol("v"), symbol("x"), symbol("b")
    d = Derivation()
    value = to_sympy(DEFINITION, UNIT)
    left = value - (u + v) * abs(x - b) / 2 - (u - v) * x / 2
    at_threshold = sympy.expand(left.subs(x, b))
    d.step("what is left after the first two terms of (17), at x = b", f"{at_threshold}")
    d.identity("and it is the same at every other x", left, at_threshold)
    given = {"m": "b*(u - v)", "c": "c"}
    return Evidence(identities=(Identity("one threshold", UNIT, given, from_sympy(at_threshold)),), steps=d.steps)


def constants_of_measures(context: Context) -> Evidence:
    """f(x) - ½∫f''|x - b| - ½ s x, at several x: it must not depend on x, and is the constant of (17)."""
    from .observed.discrete_measures import measures

    instances, constant_everywhere, telling = [], True, 0
    for label, alpha in measures(context.random(), context.choose(25, 150)):
        left = {
            alpha(x)
            - _total(p * abs(x - b) for p, b in zip(alpha.sum, alpha.thresholds, strict=True)) / 2
            - _total(alpha.difference) * x / 2
            for x in (*alpha.places, Fraction(-77), Fraction(1000))
        }
        constant_everywhere &= len(left) == 1
        moment = _total(q * b for q, b in zip(alpha.difference, alpha.thresholds, strict=True))
        telling += moment != 0
        instances.append(Instance(label, {"m": moment, "c": alpha.constant, **alpha.in_words()}, min(left)))
    return Evidence(
        instances=tuple(instances),
        premises=(Premise("what is left does not depend on x", constant_everywhere),),
        measured={"measures": len(instances), "with ∫bα₋ ≠ 0": telling},
    )


CONSTANT = Claim(
    id="savarese2019.equation_17",
    source=Source("savarese2019", "(17)"),
    title="Constant term of a representation",
    statement=(
        "In f(x) = ½∫f''(b)|x - b| db + (½∫α₋ db) x + constant, the constant is -½∫bα₋(b) db + c. It carries the same "
        "factor ½ as the linear term."
    ),
    latex=r"f(x)=\tfrac12\int f''(b)|x-b|\,db+\tfrac x2\int\alpha_-\,db-\tfrac12\int b\,\alpha_-\,db+c",
    hypotheses=("∫|b| d|α| is finite",),
    rests_on=("savarese2019.equation_14", "savarese2019.equation_16"),
    formula="-m/2 + c",
    symbols={"m": "∫ b α₋(b) db", "c": "output bias of the representation"},
    flaw=Flaw(
        printed="-m + c",
        word="misprint",
        wrong="The factor ½ of the line before is missing in the constant term: [x - 1]₊ would get the constant "
        "-1, not -½.",
        sure="certain",
        charitable="nothing depends on it: the constant is absorbed by the free output bias in the next sentence",
    ),
    controls=(
        Control("m/2 + c", "the sign of the threshold lost"),
        Control("c", "the shift forgotten"),
        Control("-m/2 + c/2", "the half taken of the whole bracket"),
    ),
    checks=(
        Check("one threshold, symbolic masses", Kind.PROOF, constant_of_a_unit, "what is left is the same at every x"),
        Check(
            "exact networks with ∫bα₋ ≠ 0",
            Kind.CERTIFICATE,
            constants_of_measures,
            "the constant of exact networks, measured at several x",
        ),
    ),
)


def end_slopes_by_algebra(context: Context) -> Evidence:
    """Slopes far to the left and far to the right of two thresholds that carry both orientations."""
    import sympy

    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    masses = {name: symbol(name) for name in ("u1", "u2", "v1", "v2")}
    h, g = symbol("h", "positive"), symbol("g", "positive")
    d = Derivation()

    def f(y: sympy.Expr) -> sympy.Expr:
        return (
            masses["u1"] * sympy.Max(y, 0) + masses["v1"] * sympy.Max(-y, 0)
            + masses["u2"] * sympy.Max(y - g, 0) + masses["v2"] * sympy.Max(g - y, 0)
        )  # fmt: skip

    right = sympy.expand((f(g + 2 * h) - f(g + h)) / h)
    left = sympy.expand((f(-h) - f(-2 * h)) / h)
    d.step(
        "two thresholds, 0 and g; to the right of both only forward units are active, to the left only backward ones"
    )
    d.identity("slope on the right", f(g + 2 * h) - f(g + h), right * h)
    d.identity("slope on the left", f(-h) - f(-2 * h), left * h)
    return Evidence(
        identities=(
            Identity(
                "two thresholds",
                dict.fromkeys(masses, "real"),
                {"U": "u1 + u2", "V": "v1 + v2"},
                from_sympy(sympy.expand(left + right)),
            ),
        ),
        steps=d.steps,
    )


def end_slopes_by_values(context: Context) -> Evidence:
    """f'(-∞) + f'(+∞) of exact networks, from values outside all thresholds."""
    from .observed.discrete_measures import measures

    instances = [
        Instance(
            label,
            {"U": _total(alpha.forward), "V": _total(alpha.backward), **alpha.in_words()},
            alpha.slope(alpha.places[0]) + alpha.slope(alpha.places[-1]),
        )
        for label, alpha in measures(context.random(), context.choose(25, 150))
    ]
    return Evidence(instances=tuple(instances), measured={"networks": len(instances)})


END_SLOPES = Claim(
    id="savarese2019.equation_18",
    source=Source("savarese2019", "(18)"),
    title="Sum of the end slopes",
    statement="f'(-∞) + f'(+∞) = ∫α₋ = ∫α(1,b) db - ∫α(-1,b) db: the end slopes fix the total mass of α₋, "
    "nothing else.",
    latex=r"f'(-\infty)+f'(+\infty)=\int\alpha_-(b)\,db",
    hypotheses=("α has finite mass",),
    rests_on=("savarese2019.equation_13",),
    formula="U - V",
    symbols={"U": "∫ α(1,b) db", "V": "∫ α(-1,b) db"},
    controls=(
        Control("U + V", "∫α₊, which is the difference f'(+∞) - f'(-∞)"),
        Control("V - U", "orientations exchanged"),
        Control("(U - V)/2", "the half of (17) taken along"),
    ),
    checks=(
        Check("difference quotients outside", Kind.PROOF, end_slopes_by_algebra, "two thresholds, symbolic masses"),
        Check(
            "end slopes of exact networks", Kind.CERTIFICATE, end_slopes_by_values, "from values outside all thresholds"
        ),
    ),
)


def mass_by_algebra(context: Context) -> Evidence:
    """|α(1,b)| + |α(-1,b)| with α(w,b) = (α_+ + w α_-)/2 put in."""
    import sympy

    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    u, v = symbol("u"), symbol("v")
    d = Derivation()
    d.identity("α(1,b) from sum and difference", ((u + v) + (u - v)) / 2, u, "½(α₊ + α₋) = α(1,b)")
    d.identity("α(-1,b) from sum and difference", ((u + v) - (u - v)) / 2, v, "½(α₊ - α₋) = α(-1,b)")
    larger, rest = symbol("a", "nonnegative") + symbol("b", "nonnegative"), symbol("b", "nonnegative")
    d.step("the mass at a threshold, in the eight cases of signs and of the larger of the two", "|α(1,b)| + |α(-1,b)|")
    identities = []
    for i, j in product((1, -1), repeat=2):
        for plus, minus in ((i * larger, j * rest), (i * rest, j * larger)):
            mass = sympy.Abs((plus + minus) / 2) + sympy.Abs((plus - minus) / 2)
            d.identity(f"α₊ = {plus}, α₋ = {minus}", mass, larger)
            given = {"p": from_sympy(plus), "q": from_sympy(minus)}
            variables: dict[str, Assumption] = {"a": "nonnegative", "b": "nonnegative"}
            identities.append(Identity(f"α₊ = {plus}, α₋ = {minus}", variables, given, from_sympy(larger)))
    return Evidence(identities=tuple(identities), steps=d.steps)


def mass_of_measures(context: Context) -> Evidence:
    """The mass at every threshold of exact measures, forward and backward counted separately."""
    from .observed.discrete_measures import measures

    instances = []
    for label, alpha in measures(context.random(), context.choose(15, 100)):
        for p, q, u, v in zip(alpha.sum, alpha.difference, alpha.forward, alpha.backward, strict=True):
            instances.append(Instance(label, {"p": p, "q": q, "α(1,b)": u, "α(-1,b)": v}, abs(u) + abs(v)))
    return Evidence(instances=tuple(instances), measured={"thresholds": len(instances)})


MASS = Claim(
    id="savarese2019.equation_19",
    source=Source("savarese2019", "(19)"),
    title="Density of the cost",
    statement=(
        "|α(1,b)| + |α(-1,b)| = ½(|α₊ + α₋| + |α₊ - α₋|) = max(|α₊|, |α₋|) at every b, so that "
        "|α|₁ = ∫max(|f''|, |α₋|)."
    ),
    latex=r"\|\alpha\|_1=\tfrac12\int\bigl(|f''+\alpha_-|+|f''-\alpha_-|\bigr)\,db=\int\max(|f''|,|\alpha_-|)\,db",
    rests_on=("savarese2019.equation_14",),
    formula="Max(Abs(p), Abs(q))",
    symbols={"p": "α₊(b) = f''(b)", "q": "α₋(b)"},
    controls=(
        Control("Abs(p) + Abs(q)", "sum and difference counted as two units"),
        Control("(Abs(p) + Abs(q))/2", "their mean"),
        Control("Abs(p + q)/2", "forward units alone"),
        Control("Abs(p)", "the variation of f' alone"),
    ),
    checks=(
        Check("sum and difference put in", Kind.PROOF, mass_by_algebra, "real α₊ and α₋ of any sign"),
        Check("masses of exact measures", Kind.CERTIFICATE, mass_of_measures, "at every threshold"),
    ),
)

CLAIMS: tuple[Claim, ...] = (SPLIT, CONSTANT, END_SLOPES, MASS)
