"""Lemma 4.5: the cheapest measures on a cell with given moments."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Derivation, Flaw, Observation, Step, certificate, claim, proof, seen
from implicitbias.exact.formula import Assumption
from implicitbias.exact.vectors import dot

from ..observed.cheapest.cone_programme import least_cost, unit_rays
from ..observed.measures.cone_measures import closed_cells
from ..observed.units.neurons import Point
from . import errata

LEGS = ((0, 1), (3, 4), (-3, 4), (4, 3), (5, 12), (-5, 12), (-8, 15), (12, 5))
"""Inputs p/q with p² + q² a square: the walls of their cells have rational lengths."""


@certificate("directions of enumerated cells")
def programmes(context: Context) -> Observation:
    """Least costs on closed cells of one input between exact linear programmes, for moments in and outside ±C."""
    draw = context.random()
    one, half = Fraction(1), Fraction(1, 2)
    sets: list[list[Point]] = [[(Fraction(0),), (Fraction(3, 4),)]]
    for n in (3, 2, 3)[: context.choose(1, 3)]:
        sets.append([(Fraction(p, q),) for p, q in draw.sample(LEGS, n)])
    for data in sets:
        for cone in closed_cells(data):
            first, second = unit_rays(cone.rays)
            moments = [(one, one), (one, -one)]
            moments += [(Fraction(draw.randint(1, 8), 4), draw.choice((-1, 1)) * half * draw.randint(0, 5))]
            for s, t in moments:
                at = tuple(s * p + t * q for p, q in zip(first, second, strict=True))
                label = f"x = {', '.join(str(x[0]) for x in data)}, cell {set(cone.active) or '{}'}"
                yield seen(least_cost(first, second, at), label, s=s, t=t, g=dot(first, second))
    yield Step("exact linear programmes over 65 unit directions of the cell, both signs of each")


@proof("a linear form for each case")
def linear_forms(d: Derivation) -> None:
    """A dual vector for opposite signs, Cauchy and Schwarz for equal ones, for all moments and angles of the cell."""
    import sympy

    p, q, k, u, v = d.symbols(p="positive", q="positive", k="positive", u="nonnegative", v="nonnegative")
    g = (1 - k) / (1 + k)
    d.step("unit rays e, e' with e·e' = g in (-1, 1), g = (1-k)/(1+k), k > 0; the moment is m = s·e + t·e'")
    square = u**2 + v**2 + 2 * g * u * v
    d.identity("on the cell, θ = u·e + v·e', u, v ≥ 0: |θ|² - (u - v)²", square - (u - v) ** 2, 2 * (1 + g) * u * v)
    d.nonnegative("so the linear form with value 1 at e and -1 at e' is at most |θ| in modulus", sympy.factor(1 + g))
    d.step("st < 0: this form bounds the cost of m from below by |s| + |t|; the atoms s·e and t·e' attain it")
    d.step("st ≥ 0: m or -m lies in the cell; the form m/|m| bounds the cost by |m|; one atom attains it")
    domain: dict[str, Assumption] = dict.fromkeys(("p", "q", "k"), "positive")
    single = sympy.sqrt(sympy.cancel(p**2 + q**2 + 2 * g * p * q))
    for label, s, t, derived in (
        ("both positive", "p", "q", single),
        ("both negative", "-p", "-q", single),
        ("opposite", "p", "-q", p + q),
        ("opposite the other way", "-p", "q", p + q),
    ):
        d.concludes(derived, label, over=domain, s=s, t=t, g="(1 - k)/(1 + k)")


LEMMA = claim(
    "dedios2020.lemma_4_5",
    "Lemma 4.5",
    "The cheapest measure on a cell",
    """For w = ‖θ‖, one input and a closed cell with unit rays e, e', e·e' = g, the least cost of a measure on the cell
    with moment m = s·e + t·e' is |m| = √(s²+t²+2gst) for st ≥ 0, one atom; for st < 0 it is |s| + |t| > |m|, two atoms
    of opposite signs on the two walls, since then m is in neither C nor -C and no single neuron of the cell has it. For
    x ∈ {0, 1}, the all-active cell and m = (1, -1/2) it is (1 + √2)/2. One atom of each sign suffices on every closed
    cell, by Lemma A.1 for each sign.""",
    latex=r"\min_{\int c\,\theta\,d\mu=s\,e+t\,e'}\int|c|\,\|\theta\|\,d\mu=\sqrt{(|s|+|t|)^2-2(1-g)\max(st,0)}",
    hypotheses=("d = 1", "μ is supported on the closed cell", "c may have either sign"),
    formula="sqrt((Abs(s) + Abs(t))**2 - 2*(1 - g)*Max(s*t, 0))",
    symbols={"s": "coordinate of the moment along e", "t": "coordinate along e'", "g": "e·e'"},
    flaw=Flaw(errata.ONE_PER_CELL, "sqrt(s**2 + t**2 + 2*g*s*t)"),
    controls={
        "Abs(s) + Abs(t)": "atoms on the two walls, always",
        "Abs(s + t)": "mass transferred from one sign to the other at no cost",
        "sqrt(s**2 + t**2 + 2*g*Abs(s*t))": "opposite signs treated as equal ones",
    },
    checks=(linear_forms, programmes),
    rests_on=("dedios2020.lemma_4_3_measures", "dedios2020.lemma_a_1", "dedios2020.lemma_a_1_signs"),
)
