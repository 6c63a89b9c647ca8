"""Section 4, consequences for gradient descent: the curvature that the dual has around the atoms of minimisers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from implicitbias.claims import (
    Context,
    Observation,
    Premise,
    Step,
    certificate,
    claim,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.vectors import dot, relu
from implicitbias.theorems.rules.calculus.derivative import Derivative
from implicitbias.theorems.rules.sequences.lists import ListSum
from implicitbias.theorems.rules.solutions.solution import Solution
from implicitbias.theorems.rules.values.composition import Composition

from ..observed.measures.contact_sets import in_cell
from ..observed.measures.exact_cases import case, fan
from ..observed.measures.extended_cases import extended
from ..observed.measures.minimisers import further_cases, known_cases, signs

Vector = tuple[Fraction, ...]


def dual_function(p: Sequence[Fraction], points: Sequence[Vector], theta: Sequence[Fraction]) -> Fraction:
    """g(θ) = Σ p_i [θ·x̃_i]_+."""
    return dot(p, [relu(dot(theta, x)) for x in points])


def tangents(theta: Vector) -> list[Vector]:
    """Rational unit vectors orthogonal to the rational unit vector θ: the reflection that takes an axis to θ."""
    size = len(theta)
    k = next(i for i in range(size) if abs(theta[i]) < 1)
    v = [t - int(i == k) for i, t in enumerate(theta)]
    square = sum((t * t for t in v), Fraction(0))
    return [tuple(int(i == j) - 2 * v[i] * v[j] / square for i in range(size)) for j in range(size) if j != k]


@certificate("moved contacts")
def moved_contacts(context: Context) -> Observation:
    """What |g| loses where contacts inside a cell are moved along great circles by angles of half-tangent t."""
    draw = context.random()
    inside, unit_length = True, True
    for known in (*known_cases(context.seed, context.choose(6, 40)), further_cases()[0]):
        for contact in known.contacts:
            if len(contact.cells) > 1 or any(dot(contact.theta, x) == 0 for x in known.points):
                continue
            pattern = known.touch.patterns[contact.cells[0]]
            for tangent in tangents(contact.theta):
                t = Fraction(draw.choice((1, -1)), draw.randint(1, 6))
                while True:
                    moved = tuple(
                        ((1 - t**2) * a + 2 * t * b) / (1 + t**2) for a, b in zip(contact.theta, tangent, strict=True)
                    )
                    if in_cell(known.points, pattern, moved):
                        break
                    t /= 2
                unit_length = unit_length and dot(moved, moved) == 1 and dot(tangent, contact.theta) == 0
                inside = inside and in_cell(known.points, pattern, moved)
                loss = 1 - contact.sign * dual_function(known.p, known.points, moved)
                yield seen(loss, known.label, t=t, n=known.n, d=known.d, theta=contact.theta)
    yield Premise("unit vectors within the closed cell", inside and unit_length)
    yield Step("inside its cell g is v·θ' with v = ±θ, the gradient: so |g| is the cosine of the angle")


@theorem("the dual's form inside a cell")
def form_inside_a_cell() -> Observation:
    """In the plane of θ and a tangent τ the dual is v·θ' on the cell; at the atom it is 1 and stationary, which fixes
    v; then its fall towards θ' = cos·θ + sin·τ.
    """
    fall = Solution(
        unknowns={"v": "real", "w": "real"},
        equations=("plane_dot(v, w, 1, 0) - 1", "plane_dot(v, w, 0, 1)"),
        of="1 - plane_dot(v, w, (1 - t**2)/(1 + t**2), 2*t/(1 + t**2))",
        solution={"v": "1", "w": "0"},
    )
    yield shows(fall, for_all={"t": "real"}, t="t")


INTERIOR = claim(
    "dedios2020.section_4_curvature_inside",
    "Section 4, consequences for gradient descent",
    "Curvature at an atom inside its cell",
    """At an atom strictly inside its cell |g| falls off as the cosine of the angle: 1 - |g| = 1 - cos φ = 2t²/(1+t²),
    t = tan(φ/2), in every direction, as long as the cell is not left.""",
    latex=r"1-|g(\theta')|=1-\cos\varphi=\frac{2t^2}{1+t^2},\quad t=\tan(\varphi/2)",
    hypotheses=("w = |θ|", "θ' in the closed cell of θ"),
    formula="2*t**2/(1 + t**2)",
    symbols={"t": "tangent of half the angle to the atom"},
    controls={
        "2*t**2": "the second-order term for the whole",
        "t**2/(1 + t**2)": "half the curvature",
        "4*t**2/(1 + t**2)**2": "the square of the sine",
        "2*Abs(t)/(1 + t**2)": "a kink, as on walls",
    },
    checks=(form_inside_a_cell, moved_contacts),
    part_of="dedios2020.section_4_training_value",
    rests_on=("dedios2020.corollary_4_6",),
)


@certificate("slopes off the wall")
def walls(context: Context) -> Observation:
    """Contacts on one wall, moved off it to both sides along x̃_i; among them walls of data at price 0."""
    downhill, sided = True, 0
    cases = [*known_cases(context.seed, context.choose(6, 40)), further_cases()[0]]
    for neurons in (1, 2, 4):
        plain = fan(neurons)
        hinges = [(-c.theta[1] / c.theta[0],) for c in plain.contacts]
        cases += [extended(known, hinges) for known in (plain, case("the other sign", plain.x, [-q for q in plain.p]))]
    for known in cases:
        for contact in known.contacts:
            at = signs(known, contact)
            if at.count(0) != 1:
                continue
            i = at.index(0)
            normal = known.points[i]
            step = Fraction(1)
            while any(
                s and s * dot([a + side * step * b for a, b in zip(contact.theta, normal, strict=True)], x) < 0
                for side in (1, -1)
                for s, x in zip(at, known.points, strict=True)
            ):
                step /= 2
            slopes = [
                contact.sign
                * (
                    dual_function(
                        known.p, known.points, [a + side * step * b for a, b in zip(contact.theta, normal, strict=True)]
                    )
                    - dual_function(known.p, known.points, contact.theta)
                )
                / step
                for side in (1, -1)
            ]
            downhill = downhill and max(slopes) <= 0
            sided += min(slopes) < 0 and slopes[0] != slopes[1]
            yield seen(
                sum(slopes, Fraction(0)),
                f"{known.label}, hinge at datum {i + 1}",
                s=contact.sign,
                p=known.p[i],
                X=dot(normal, normal),
                d=known.d,
            )
    yield Premise("|g| falls, or stays to first order, on both sides", downhill)
    yield Premise("the two sides differ somewhere", sided > 0, f"at {sided} atoms")
    yield Step("on the active side g has p_i[θ·x̃_i]_+ more than on the idle one, and else is linear")
    yield Step("so the two slopes away from the wall add up to what p_i brings", "s p_i |x̃_i|²")


@theorem("slopes on both sides")
def both_slopes() -> Observation:
    """s·g at θ + z·x̃_i, summed over all data x̃ at h = θ·x̃, k = x̃_i·x̃: the jump of its slope at z = 0.

    P adds up p|k| over the data on the hinge, so it is p_i X for datum i alone. The two slopes away from the wall add
    up to the jump.
    """
    jumps = ListSum(
        term=Derivative("q*relu(h + z*k)", "z", "0", side="jump"),
        entries=dict.fromkeys(("q", "h", "k"), "real"),
        length="n",
        totals={"P": "(1 - sign(h)**2)*q*Abs(k)"},
        by={"P": "1"},
        split=("h", "k"),
    )
    yield shows(
        Composition("s*jumps", {"jumps": jumps}),
        for_all={"n": "positive integer", "s": "real", "P": "real", "X": "positive"},
        assuming=("s*P <= 0", "X >= 1"),
        s="s",
        p="P/X",
        X="X",
    )


WALLS = claim(
    "dedios2020.section_4_curvature_walls",
    "next to Section 4, consequences for gradient descent",
    "The kink of the dual at an atom with a hinge on a datum",
    """At an atom of sign s whose hinge is on datum i alone, |g| falls to both sides of the wall, to first order: the
    two slopes along ±x̃_i are not positive and add up to s p_i|x̃_i|², so s p_i ≤ 0. There is a kink where p_i ≠ 0.""",
    latex=r"\partial_{+\tilde x_i}|g|+\partial_{-\tilde x_i}|g|=s\,p_i\,|\tilde x_i|^2\le0",
    hypotheses=("w = |θ|", "one datum on the hinge"),
    formula="s*p*X",
    symbols={
        "s": "sign of the atom",
        "p": "p_i of the datum on the hinge",
        "X": "|x̃_i|² = 1 + |x_i|²",
    },
    domain=("s*p <= 0", "X >= 1"),
    controls={
        "0": "smooth at walls",
        "p*X": "the sign of the atom omitted",
        "s*p*sqrt(X)": "the length instead of its square",
        "s*p*(X - 1)": "the bias omitted",
        "2*s*p*X": "the same kink on both sides",
    },
    checks=(both_slopes, walls),
    part_of="dedios2020.section_4_training_value",
    rests_on=("dedios2020.corollary_4_6",),
    own=True,
)
