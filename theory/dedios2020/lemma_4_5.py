"""Lemma 4.5: the cheapest measures on a cell with given moments."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import (
    Context,
    Flaw,
    Observation,
    Step,
    certificate,
    claim,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.formula import Assumption
from implicitbias.exact.vectors import dot
from implicitbias.theorems.rules.sequences.programme import ListProgramme

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


@theorem("a linear form for each case")
def linear_forms() -> Observation:
    """The least cost of any number of atoms c at θ = u e + v e', u, v >= 0, with the moment s e + t e', not 0: one
    atom along the moment if st >= 0, one on each wall otherwise. In an orthonormal basis that begins with e.
    """
    squared = "s**2 + t**2 + 2*g*s*t"
    length = f"sqrt({squared})"
    along, across = f"((s + g*t)/{length})", f"((t + g*s)/{length})"
    names: dict[str, Assumption] = {"s": "real", "t": "real", "g": "real"}
    for assuming, sign, other in (
        (("s >= 0", "t >= 0", f"{squared} > 0"), "1", "1"),
        (("s <= 0", "t <= 0", f"{squared} > 0"), "-1", "-1"),
        (("s > 0", "t < 0"), "1", "-1"),
        (("s < 0", "t > 0"), "-1", "1"),
    ):
        one = sign == other
        walls = ({"c": "s", "u": "1", "v": "0"}, {"c": "t", "u": "0", "v": "1"})
        least = ListProgramme(
            cost="path_cost(c, pair_norm(u + g*v, sqrt(1 - g**2)*v))",
            free={"c": "real", "u": "nonnegative", "v": "nonnegative"},
            wanted={"s": "moment(c, u)", "t": "moment(c, v)"},
            added=({"c": sign, "u": f"{sign}*s", "v": f"{sign}*t"},) if one else walls,
            multipliers={"s": along, "t": across} if one else {"s": sign, "t": other},
            gap=(f"(1 - g**2)*(c*(u*t - v*s)/{length})**2",) if one else ("2*(1 + g)*c**2*u*v",),
            squared=True,
        )
        yield shows(
            least, ", ".join(assuming[:2]), for_all=names, assuming=("g > -1", "g < 1", *assuming), s="s", t="t", g="g"
        )


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
