"""Problem (20) in the plane, solved on the sphere without the cells of the data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import cast

from implicitbias.claims import Attached, Context, Observation, Rule, Step, Value, certificate, claim, seen
from implicitbias.claims.statement import Candidate

from ..observed.measures.contact_sets import Point
from ..observed.measures.exact_cases import plane_cases
from ..observed.measures.sphere_programme import least_on_the_sphere

WITHIN = 1e-3
"""How much the dual of the sphere may exceed 1: the bounds are about as far apart."""


@certificate("subdivided sphere")
def on_the_sphere(context: Context) -> Observation:
    """Linear programmes over directions of the sphere and bounds on triangles, against a dual on all cells.

    The labels are those of drawn masses at the contacts of the dual, of sizes from 0.001 to 1000, most from ¼ to 4.
    """
    draw = context.random()
    cases, count = plane_cases(), context.choose(84, 420)
    found_for: list[list[Point]] = [[] for _ in cases]
    for k in range(count):
        case = cases[k % len(cases)]
        shares = [Fraction(draw.randint(1, 12)) for _ in case.contacts]
        share = (k + draw.random()) / count
        value = Fraction(round(1000 * (10 ** (6 * share - 3) if k % 4 == 0 else 16**share / 4)) or 1, 1000)
        masses = tuple(c.sign * value * s / sum(shares) for c, s in zip(case.contacts, shares, strict=True))
        known = replace(case, masses=masses)
        bounds = least_on_the_sphere(known.points, known.y, WITHIN, found_for[k % len(cases)])
        yield seen(bounds, known.label, V=known.value, x=known.points, y=known.y)
        if k < len(cases):
            yield Attached(known.document())
    yield Step("V: from a dual that is feasible on every cell, in rationals")
    yield Step("from above: an exact linear programme over rational directions, more where the dual exceeds 1")
    yield Step("from below: p·y over a bound of |g|, triangle by triangle, in floating point with a margin of 1e-9")


def _sizes(given: Mapping[str, Value]) -> Value:
    return sum((abs(v) for v in cast(tuple[Fraction, ...], given["y"])), Fraction(0))


CONTROLS: dict[Candidate, str] = {
    Rule("labels", "Σ|y_i|", _sizes): "a neuron for each datum, its slope one",
    "V*251/250": "more than what was enclosed is lost",
    "V*249/250": "the dual exceeds 1 between the cells",
    "V**2": "the total variation squared",
    "2*V": "each sign paid for itself",
}

SPHERE = claim(
    "dedios2020.equation_20_cells",
    "problem (20), and after it",
    "Nothing is lost by looking at cells alone",
    """The finite programme over the cells of the data has the value of (20) over all measures on the sphere: bounds
    from directions anywhere on S² and from a subdivision into triangles, which know nothing of cells, enclose it to
    within two parts in a thousand or so, for data in the plane with minimisers inside cells, on walls and on rays.""",
    latex=r"\min_{\nu\in\mathcal M(\mathbb S^2)}\|\nu\|_{TV}=\max\{p^\top y:\|\Pi_{C_s}(\pm v_s)\|\le1\}",
    hypotheses=("d = 2", "w = |θ|"),
    domain=("V > 0",),
    formula="V",
    symbols={"V": "the value by a dual on all cells"},
    controls=CONTROLS,
    checks=(on_the_sphere,),
    part_of="dedios2020.corollary_4_6",
)
