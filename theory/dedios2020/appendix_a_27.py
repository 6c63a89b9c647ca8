"""Appendix A, proof of Lemma 4.5: the map φ, which moves every atom halfway to the centre of mass, and (27)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from implicitbias.claims import (
    Context,
    Flaw,
    Interval,
    Observation,
    Premise,
    Step,
    certificate,
    claim,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.vectors import dot
from implicitbias.theorems.rules.sequences.lists import Mean

from ..observed.measures.chords import non_negative_multiples
from ..observed.measures.cone_measures import Atoms, closed_cells, member
from ..observed.units.neurons import Neuron, Point, random_data, random_unit_vector
from . import errata


def _measures(context: Context, count: int, one_sign: bool) -> list[Atoms]:
    """Probability measures on closed cells, with weights of one sign or of both."""
    draw = context.random()
    one, zero, half = Fraction(1), Fraction(0), Fraction(1, 2)
    found = [
        Atoms((Neuron((one, zero), one), Neuron((-one, one), one)), (half, half)),
        Atoms((Neuron((one, zero), -one), Neuron((-10 * one, 11 * one), -one)), (half, half)),
        Atoms((Neuron((one, one), one), Neuron((2 * one, 2 * one), 3 * one)), (half, half)),
        Atoms((Neuron((10 * one, zero), one), Neuron((-10 * one, one), one)), (half, half)),
    ]
    if not one_sign:
        found.append(Atoms((Neuron((one, zero), one), Neuron((-one, one), -one)), (half, half)))
    while len(found) < count:
        d = draw.choice((1, 2))
        cone = draw.choice(closed_cells(random_data(draw, d + 1, d)))
        sign = draw.choice((1, -1))
        weights = [Fraction(draw.randint(1, 6), 2) * (sign if one_sign else draw.choice((1, -1))) for _ in range(3)]
        shares = [draw.randint(1, 5) for _ in weights]
        neurons = tuple(Neuron(member(cone, draw), c) for c in weights)
        measure = Atoms(neurons, tuple(Fraction(share, sum(shares)) for share in shares))
        if any(measure.moment()):
            found.append(measure)
    return found


def _sign(measure: Atoms) -> Fraction:
    """The sign of the centre of mass: that of the larger part of the mass |c|."""
    total = sum((m * neuron.c for m, neuron in zip(measure.masses, measure.neurons, strict=True)), Fraction(0))
    return Fraction(1 if total >= 0 else -1)


def _halfway(measure: Atoms) -> Atoms:
    """φ_*μ: every atom goes to ((α + |c|a)/2, (β + |c|b)/2, ±1), ±(α, β) the moment of μ."""
    sign = _sign(measure)
    centre = [sign * value for value in measure.moment()]
    moved = tuple(
        Neuron(tuple((p + abs(neuron.c) * t) / 2 for p, t in zip(centre, neuron.theta, strict=True)), sign)
        for neuron in measure.neurons
    )
    return Atoms(moved, measure.masses)


@certificate("measures on enumerated cells")
def moments_moved(context: Context) -> Observation:
    """Moments of φ_*μ, entry by entry, for measures of one and of both signs, in fractions."""
    for n, measure in enumerate(_measures(context, context.choose(14, 60), one_sign=False)):
        sign = _sign(measure)
        moved = _halfway(measure)
        moduli = [
            sum(
                (
                    m * abs(neuron.c) * neuron.theta[k]
                    for m, neuron in zip(measure.masses, measure.neurons, strict=True)
                ),
                Fraction(0),
            )
            for k in range(len(measure.neurons[0].theta))
        ]
        for k, (entry, before, modulus) in enumerate(zip(moved.moment(), measure.moment(), moduli, strict=True)):
            yield seen(entry, f"measure {n + 1}, entry {k + 1}", M=before, K=sign * modulus)


@theorem("atom by atom")
def moved_atoms() -> Observation:
    """Every neuron of any law moved half way to the centre: the mean of its moment, one entry, for both signs."""
    for sign, label in (("1", "centre of sign +"), ("-1", "centre of sign -")):
        yield shows(
            Mean(
                term=f"moment({sign}, ({sign}*M + Abs(c)*a)/2)",
                entries={"c": "real", "a": "real"},
                totals={"M": "moment(c, a)", "K": f"{sign}*Abs(c)*a"},
                by={"K": "1/2"},
                each="M/2",
            ),
            label,
            for_all={"M": "real", "K": "real"},
            M="M",
            K="K",
        )


MOMENTS = claim(
    "dedios2020.appendix_a_equation_27_moments",
    "Appendix A, proof of Lemma 4.5, the map φ",
    "The map φ keeps the moments of measures with one sign",
    """For a measure μ with moment M = ∫ca dμ and φ(a, b, c) = ((α + |c|a)/2, (β + |c|b)/2, ±1), ±(α, β) the moment of
    μ, the image φ_*μ has the moment (M + K)/2 with K = ±∫|c|a dμ. It is M if all c have the sign ±; for mixed signs it
    need not be: (1, 0) and (-1, 1) with weights 1 and -1 and mass 1/2 each have M = 1, K = 0.""",
    latex=r"\int c\,a\,d(\phi_*\mu)=\tfrac12(M+K),\qquad M=\int ca\,d\mu,\ K=\pm\int|c|\,a\,d\mu",
    hypotheses=("μ is a probability measure",),
    formula="(M + K)/2",
    symbols={"M": "∫ca dμ, one entry of the moment", "K": "±∫|c|a dμ, the same entry with moduli"},
    flaw=Flaw(errata.ONE_PER_CELL, "M"),
    controls={
        "K": "every atom moved to the centre",
        "M/2": "the centre of mass alone",
        "Max(M, K)": "the larger of both",
    },
    checks=(moved_atoms, moments_moved),
    part_of="dedios2020.lemma_4_5",
)


def _cost(neurons: Sequence[Neuron], masses: Sequence[Fraction]) -> Fraction | Interval:
    """Σ mass·|c|·‖θ‖."""
    from implicitbias.exact.enclosure import enclose

    parts = [f"{m * abs(u.c)}*sqrt({dot(u.theta, u.theta)})" for m, u in zip(masses, neurons, strict=True)]
    return enclose(" + ".join(parts))


RARE = Fraction(1, 10**12)
"""The mass of the far atoms that nearly attain the bound: it is missed by less than this share of it."""


def _nearly_attaining(context: Context) -> list[Atoms]:
    """Almost all mass at one θ, and rare atoms far out to both sides, orthogonal to θ: in one closed half-space.

    The image of a far atom costs half of what the atom does, and as the mass of these atoms tends to 0 the cost of the
    image tends to (W + U)/2, whatever W and U - W are.
    """
    draw = context.random()
    found = []
    for size in (Fraction(0), Fraction(1, 5), Fraction(1), Fraction(7), Fraction(60)):
        for excess in (Fraction(1, 4), Fraction(4, 3), Fraction(20)):
            u = random_unit_vector(draw, 2)
            far = tuple(excess / RARE * t for t in (-u[1], u[0]))
            near = Neuron(tuple(size / (1 - RARE) * t for t in u), Fraction(1))
            neurons = (near, Neuron(far, Fraction(1)), Neuron(tuple(-t for t in far), Fraction(1)))
            found.append(Atoms(neurons, (1 - RARE, RARE / 2, RARE / 2)))
    return found


@certificate("measures of one sign")
def cost(context: Context) -> Observation:
    """Costs of μ, of its image φ_*μ and of the single atom ν_0, in one closed cell each, enclosed."""
    from implicitbias.exact.enclosure import Comparison, compare

    jensen = True
    measures = _measures(context, context.choose(16, 60), one_sign=True) + _nearly_attaining(context)
    for n, measure in enumerate(measures):
        moved = _halfway(measure)
        centre: Point = measure.moment()
        single = _cost([Neuron(centre, Fraction(1))], [Fraction(1)])
        before = _cost(measure.neurons, measure.masses)
        after = _cost(moved.neurons, moved.masses)
        concentrated = all(
            non_negative_multiples([_sign(measure) * value for value in centre], unit.theta) for unit in measure.neurons
        )
        jensen = jensen and (concentrated or compare(single, after) is Comparison.LESS)
        label = f"measure {n + 1}" + (", on one half-plane" if concentrated else "")
        yield seen(after, label, relation="=" if concentrated else "<=", W=single, U=before)
    yield Premise("no image is cheaper than the single atom, as Jensen's inequality says", jensen)
    yield Step("weights of one sign, so that φ keeps the moments; w = ‖θ‖, all three costs enclosed")


COST = claim(
    "dedios2020.appendix_a_equation_27",
    "Appendix A, (27)",
    "What the map φ saves",
    """For a measure μ with weights of one sign and the single atom ν_0 with its moments, ⟨V, φ_*μ⟩ is at most the mean
    of ⟨V, ν_0⟩ and ⟨V, μ⟩, strictly less unless μ is concentrated on the half-plane of ν_0 or ν_0 costs nothing, and at
    least ⟨V, ν_0⟩. So if μ were another minimiser, ⟨V, μ⟩ = ⟨V, ν_0⟩, its image would be cheaper than the cheapest: a
    contradiction. For all W < U the mean is approached, by rare atoms far out.""",
    latex=r"""\langle V,\nu_0\rangle\le\langle V,\phi_*\mu\rangle\le\tfrac12\big(\langle V,\nu_0\rangle+\langle
    V,\mu\rangle\big)\quad(W=\langle V,\nu_0\rangle,\ U=\langle V,\mu\rangle)""",
    hypotheses=("all weights have one sign", "w is 1-homogeneous and convex; evaluated for w = ‖θ‖"),
    domain=("0 <= W", "W <= U"),
    formula="(W + U)/2",
    symbols={"W": "⟨V, ν_0⟩", "U": "⟨V, μ⟩"},
    flaw=Flaw(errata.EQUATION_27, "W"),
    controls={
        "(3*W + U)/4": "more than half of the difference saved",
        "sqrt(W*U)": "the geometric mean",
        "2*W*U/(W + U)": "the harmonic mean",
    },
    checks=(cost,),
    part_of="dedios2020.lemma_4_5",
    rests_on=("dedios2020.appendix_a_equation_27_moments", "dedios2020.definition_3_2"),
)
