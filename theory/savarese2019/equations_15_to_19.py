"""Proof of Theorem 3.1, (15) to (19): a function split into its second derivative, an affine part, and the mass."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from implicitbias.claims import (
    Context,
    Derivation,
    Flaw,
    Measured,
    Observation,
    Premise,
    certificate,
    claim,
    proof,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.formula import Assumption
from implicitbias.theorems.rules.sequences.lists import MeasureIntegral
from implicitbias.theorems.rules.solutions.solution import Solution
from implicitbias.theorems.rules.values.composition import Composition

from ..observed.measures.discrete_measures import measures
from . import errata

THRESHOLD: dict[str, Assumption] = {"u": "real", "v": "real", "b": "real"}
"""A threshold b with the densities u = α(1, b) and v = α(-1, b) of both orientations."""

DENSITY = "u*ramp(1, b, x) + v*ramp(-1, b, x)"
"""What a threshold adds to f(x)."""


@theorem("one threshold, symbolic masses")
def split_of_a_unit() -> Observation:
    """Both orientations at a threshold as half of |x - b| and half of x - b; integrated against any measure."""
    network = MeasureIntegral(
        term=DENSITY,
        entries=THRESHOLD,
        totals={"A": "(u + v)*Abs(x - b)", "B": "(u - v)*(x - b)"},
        by={"A": "1/2", "B": "1/2"},
    )
    yield shows(
        Composition("f + c", {"f": network}), for_all=dict.fromkeys(("x", "A", "B", "c"), "real"), A="A", B="B", c="c"
    )


@certificate("values of exact networks")
def values_of_measures(context: Context) -> Observation:
    """f(x) by its definition (15), at points on every piece and far outside."""
    instances = []
    for label, alpha in measures(context.random(), context.choose(12, 100)):
        for x in (*alpha.places, Fraction(-1000), Fraction(1000)):
            distance = _total(p * abs(x - b) for p, b in zip(alpha.sum, alpha.thresholds, strict=True))
            shift = _total(q * (x - b) for q, b in zip(alpha.difference, alpha.thresholds, strict=True))
            instances.append(
                seen(alpha(x), f"{label} at x = {x}", A=distance, B=shift, c=alpha.constant, x=x, **alpha.in_words())
            )
    yield from instances
    yield Measured("values", len(instances))


def _total(terms: Iterable[Fraction]) -> Fraction:
    return sum(terms, Fraction(0))


SPLIT = claim(
    "savarese2019.equation_16",
    "(15), (16)",
    "Even and odd part of a representation",
    """f(x) = ½∫α₊(b)|x - b| db + ½∫α₋(b)(x - b) db + c with α₊ = α(1,·) + α(-1,·) and α₋ = α(1,·) - α(-1,·): α₋ adds an
    affine function only.""",
    part_of="savarese2019.theorem_3_1",
    latex=r"f(x)=\tfrac12\int\alpha_+(b)|x-b|\,db+\tfrac12\int\alpha_-(b)(x-b)\,db+c",
    hypotheses=("∫|b| d|α| is finite, or the two integrals are taken together",),
    formula="A/2 + B/2 + c",
    symbols={"A": "∫ α₊(b)|x - b| db", "B": "∫ α₋(b)(x - b) db", "c": "output bias"},
    controls={
        "A + B + c": "without the halves",
        "A/2 - B/2 + c": "the orientation of α₋ reversed",
        "A/2 + c": "the affine part forgotten",
    },
    checks=(split_of_a_unit, values_of_measures),
)


@theorem("one threshold, symbolic masses")
def constant_of_a_unit() -> Observation:
    """What f(x) - ½∫f''|x - b| - ½(∫α_-)x has of every threshold, for any measure and every x."""
    left = MeasureIntegral(
        term=f"{DENSITY} - (u + v)*Abs(x - b)/2 - (u - v)*x/2",
        entries=THRESHOLD,
        totals={"m": "b*(u - v)"},
        by={"m": "-1/2"},
    )
    yield shows(Composition("f + c", {"f": left}), for_all=dict.fromkeys(("x", "m", "c"), "real"), m="m", c="c")


@certificate("exact networks with ∫bα₋ ≠ 0")
def constants_of_measures(context: Context) -> Observation:
    """f(x) - ½∫f''|x - b| - ½ s x of exact networks at several x: constant in x, as (17) needs."""
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
        instances.append(seen(min(left), label, m=moment, c=alpha.constant, **alpha.in_words()))
    yield from instances
    yield Premise("what is left does not depend on x", constant_everywhere)
    yield Measured("measures", len(instances))
    yield Measured("with ∫bα₋ ≠ 0", telling)


CONSTANT = claim(
    "savarese2019.equation_17",
    "(17)",
    "Constant term of a representation",
    """In f(x) = ½∫f''(b)|x - b| db + (½∫α₋ db) x + constant, the constant is -½∫bα₋(b) db + c. It carries the same
    factor ½ as the linear term.""",
    part_of="savarese2019.theorem_3_1",
    latex=r"f(x)=\tfrac12\int f''(b)|x-b|\,db+\tfrac x2\int\alpha_-\,db-\tfrac12\int b\,\alpha_-\,db+c",
    hypotheses=("∫|b| d|α| is finite",),
    formula="-m/2 + c",
    symbols={"m": "∫ b α₋(b) db", "c": "output bias of the representation"},
    flaw=Flaw(errata.EQUATION_17, "-m + c"),
    controls={
        "m/2 + c": "the sign of the threshold lost",
        "c": "the shift forgotten",
        "-m/2 + c/2": "the half taken of the whole bracket",
    },
    checks=(constant_of_a_unit, constants_of_measures),
    rests_on=("savarese2019.equation_14", "savarese2019.equation_16"),
)


@proof("difference quotients outside")
def end_slopes_by_algebra(d: Derivation) -> None:
    """Slopes far to the left and far to the right of two thresholds that carry both orientations, symbolic masses."""
    import sympy

    from implicitbias.exact.symbolic import symbol

    masses = {name: symbol(name) for name in ("u1", "u2", "v1", "v2")}
    h, g = d.symbols(h="positive", g="positive")

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
    d.concludes(
        sympy.expand(left + right), "two thresholds", over=dict.fromkeys(masses, "real"), U="u1 + u2", V="v1 + v2"
    )


@certificate("end slopes of exact networks")
def end_slopes_by_values(context: Context) -> Observation:
    """f'(-∞) + f'(+∞) of exact networks, from values outside all thresholds."""
    instances = [
        seen(
            alpha.slope(alpha.places[0]) + alpha.slope(alpha.places[-1]),
            label,
            U=_total(alpha.forward),
            V=_total(alpha.backward),
            **alpha.in_words(),
        )
        for label, alpha in measures(context.random(), context.choose(25, 150))
    ]
    yield from instances
    yield Measured("networks", len(instances))


END_SLOPES = claim(
    "savarese2019.equation_18",
    "(18)",
    "Sum of the end slopes",
    "f'(-∞) + f'(+∞) = ∫α₋ = ∫α(1,b) db - ∫α(-1,b) db: the end slopes fix the total mass of α₋, nothing else.",
    part_of="savarese2019.theorem_3_1",
    latex=r"f'(-\infty)+f'(+\infty)=\int\alpha_-(b)\,db",
    hypotheses=("α has finite mass",),
    formula="U - V",
    symbols={"U": "∫ α(1,b) db", "V": "∫ α(-1,b) db"},
    controls={
        "U + V": "∫α₊, which is the difference f'(+∞) - f'(-∞)",
        "V - U": "orientations exchanged",
        "(U - V)/2": "the factor ½ of (17) kept",
    },
    checks=(end_slopes_by_algebra, end_slopes_by_values),
    rests_on=("savarese2019.equation_13",),
)


@theorem("sum and difference put in")
def mass_by_algebra() -> Observation:
    """What both orientations at a threshold cost, given their sum and their difference, for all signs."""
    mass = Solution(
        unknowns={"u": "real", "v": "real"},
        equations=("u + v - p", "u - v - q"),
        of="path_cost(u, 1) + path_cost(v, -1)",
        solution={"u": "(p + q)/2", "v": "(p - q)/2"},
    )
    yield shows(mass, for_all={"p": "real", "q": "real"}, p="p", q="q")


@certificate("masses of exact measures")
def mass_of_measures(context: Context) -> Observation:
    """The mass at every threshold of exact measures, forward and backward counted separately."""
    instances = []
    for label, alpha in measures(context.random(), context.choose(15, 100)):
        for p, q, u, v in zip(alpha.sum, alpha.difference, alpha.forward, alpha.backward, strict=True):
            instances.append(seen(abs(u) + abs(v), label, p=p, q=q, **{"α(1,b)": u, "α(-1,b)": v}))
    yield from instances
    yield Measured("thresholds", len(instances))


MASS = claim(
    "savarese2019.equation_19",
    "(19)",
    "Density of the cost",
    "|α(1,b)| + |α(-1,b)| = ½(|α₊ + α₋| + |α₊ - α₋|) = max(|α₊|, |α₋|) at every b, so that |α|₁ = ∫max(|f''|, |α₋|).",
    part_of="savarese2019.theorem_3_1",
    latex=r"\|\alpha\|_1=\tfrac12\int\bigl(|f''+\alpha_-|+|f''-\alpha_-|\bigr)\,db=\int\max(|f''|,|\alpha_-|)\,db",
    formula="Max(Abs(p), Abs(q))",
    symbols={"p": "α₊(b) = f''(b)", "q": "α₋(b)"},
    controls={
        "Abs(p) + Abs(q)": "sum and difference counted as two units",
        "(Abs(p) + Abs(q))/2": "their mean",
        "Abs(p + q)/2": "forward units alone",
        "Abs(p)": "the variation of f' alone",
    },
    checks=(mass_by_algebra, mass_of_measures),
    rests_on=("savarese2019.equation_14",),
)
