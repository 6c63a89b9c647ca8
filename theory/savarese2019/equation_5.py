"""Equations (4) and (5): networks unit by unit, and the units that no rescaling balances."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from implicitbias.claims import Context, Flaw, Interval, Observation, Premise, Rule, Value, certificate, claim, seen

from ..observed.data.draws import of_any_size, signed
from ..observed.units.unit_rescaling import Number, bracketed_minimum, rescaled_cost, unit
from . import errata

ROWS = (((3, 4), 5), ((-5, 12), 13), ((1, 0), 1), ((0, -2), 2), ((8, 15), 17), ((-7, -24), 25))
"""Integer input weights in the plane with an integer norm."""

Unit = tuple[Number, tuple[Number, Number], Number, int]
"""(w₂, w₁, ‖w₁‖, β)."""


@certificate("scales from 2⁻⁴⁰ to 2⁴⁰")
def rescale_with_zero_weights(context: Context) -> Observation:
    """Whether some scale attains the infimum of a unit's cost, zero weights included.

    The cost ½(a²/t+b²t) is convex in t. A bracket of three scales shows that it attains its minimum; a cost that never
    changes attains it too. With a single zero weight it is a multiple of 1/t or of t, so it decreases without attaining
    its infimum.
    """
    cases: list[tuple[Number, Number]] = [
        (0, 0),
        (3, 0),
        (0, 2),
        (1, 1),
        (2, 5),
        (Fraction(1, 9), 0),
        (0, Fraction(1, 9)),
        (Fraction(7, 3), 100),
    ]
    consistent = True
    for a, b in cases:
        costs = [rescaled_cost(a, b, Fraction(2) ** j) for j in range(-40, 41)]
        steps = [later - earlier for earlier, later in pairwise(costs)]
        constant = not any(steps)
        halves = all(2 * later == earlier for earlier, later in pairwise(costs))
        doubles = all(later == 2 * earlier for earlier, later in pairwise(costs))
        found = bracketed_minimum(lambda t, a=a, b=b: rescaled_cost(a, b, t)) is not None  # type: ignore[misc]
        attained = found or constant
        consistent = consistent and attained != ((halves or doubles) and not constant)
        yield seen(attained, f"|w₂|={a}, ‖w₁‖={b}", a=a, b=b)
    yield Premise("each unit is either bracketed, or constant, or exactly proportional to t or 1/t", consistent)


def _networks(context: Context) -> list[list[Unit]]:
    """Networks of two units (w₂, w₁, ‖w₁‖, β) in the plane, from tiny to large; any weight may be zero."""
    draw = context.random()
    fixed: list[list[Unit]] = [
        [(1, (3, 4), 5, 0), (1, (1, 0), 1, 2)],
        [(0, (3, 4), 5, 1), (-2, (8, 15), 17, -3)],
        [(3, (0, 0), 0, 1), (1, (0, -2), 2, 0)],
        [(0, (0, 0), 0, 4), (0, (1, 0), 1, 0)],
        [(-6, (0, 0), 0, -2), (5, (0, 0), 0, 7)],
        [(4, (1, 0), 1, 0), (-1, (-5, 12), 13, 9)],
    ]

    def some() -> Unit:
        (first, second), norm = draw.choice(ROWS)
        size = draw.choice((0, 1, 1, 1)) * of_any_size(draw, -7, 4)
        weight = draw.choice((0, 1, 1, 1, 1)) * signed(draw, -5, 5)
        return weight, (size * first, size * second), size * norm, draw.randint(-9, 9)

    def idle() -> Unit:
        weight, row, norm, bias = some()
        return draw.choice(((0, row, norm, bias), (weight, (0, 0), 0, bias)))

    drawn = [[some(), some()] for _ in range(30)]
    for _ in range(24):
        drawn += [[some(), idle()], [idle(), some()]]
    return fixed + drawn


def _given(units: list[Unit]) -> dict[str, Value]:
    (v1, _, n1, _), (v2, _, n2, _) = units
    return {
        "a1": abs(v1),
        "b1": n1,
        "a2": abs(v2),
        "b2": n2,
        "units": tuple((v, row, bias) for v, row, _, bias in units),
    }


@certificate("rows of norm one")
def unit_rows(context: Context) -> Observation:
    """‖w₂‖₁ of 84 networks rewritten with rows of norm 1: a unit without input weights moves into the output bias, a
    dead one is dropped.
    """
    grid = [(x, y) for x in range(-3, 4) for y in range(-3, 4)]
    same = True
    for units in _networks(context):
        kept = [
            (Fraction(v * n), tuple(Fraction(w, n) for w in row), Fraction(bias, n))
            for v, row, n, bias in units
            if v and n
        ]
        output_bias = sum(v * max(bias, 0) for v, _, n, bias in units if n == 0)
        same = same and all(
            sum(unit(v, row, bias, x) for v, row, _, bias in units) == output_bias + sum(unit(*u, x) for u in kept)
            for x in grid
        )
        same = same and all(sum(w * w for w in row) == 1 for _, row, _ in kept)
        yield seen(sum((abs(v) for v, _, _ in kept), Fraction(0)), _label(units), **_given(units))
    yield Premise("rows of norm 1 and the same function at 49 points, in every case", same)


@certificate("a scale for each unit")
def scale_each_unit(context: Context) -> Observation:
    """The infimum of C over the scales of all units, enclosed; 0 for a unit with a zero weight."""
    for units in _networks(context):
        low = high = Fraction(0)
        for v, _, norm, _ in units:
            found = bracketed_minimum(lambda t, a=v, b=norm: rescaled_cost(a, b, t))  # type: ignore[misc]
            if found is not None:
                low, high = low + found.value.lower, high + found.value.upper
        yield seen(Interval(low, high), _label(units), **_given(units))


def _label(units: list[Unit]) -> str:
    return " and ".join(f"{v}[⟨{row},x⟩{bias:+d}]₊" for v, row, _, bias in units)


LEMMA_1_ZERO_WEIGHTS = claim(
    "savarese2019.lemma_1_zero_weights",
    "Lemma 1 (Appendix A), proof",
    "Units that no rescaling balances",
    """Some rescaling of a unit attains the infimum of its cost if and only if its output weight and its input weights
    are both non-zero or both zero. With exactly one of them zero the cost of the rescaled unit tends to 0 without
    reaching it, and a unit with w₁ = 0 cannot be given a row of norm 1. Lemma 1 stands: a unit with w₂ = 0 can be
    dropped and one with w₁ = 0 is a constant that the output bias takes over, both at no cost.""",
    part_of="savarese2019.lemma_1",
    latex=r"\inf_{c>0}\tfrac12\big((w_2/c)^2+\|c\,w_1\|^2\big)\ \text{attained}\iff (w_2=0\Leftrightarrow w_1=0)",
    formula=Rule(
        "both or neither",
        "attained exactly when |w₂| and ‖w₁‖ are both zero or both non-zero",
        lambda given: (given["a"] == 0) == (given["b"] == 0),
    ),
    flaw=Flaw(errata.LEMMA_1, Rule("always", "every unit is balanced by some scale c > 0", lambda given: True)),
    controls={
        Rule(
            "input weights", "attained exactly when w₁ ≠ 0", lambda given: given["b"] != 0
        ): "only the input weights matter",
        Rule(
            "output weight", "attained exactly when w₂ ≠ 0", lambda given: given["a"] != 0
        ): "only a dead unit is a problem",
        Rule(
            "no zeros",
            "attained exactly when neither weight is zero",
            lambda given: given["a"] != 0 and given["b"] != 0,
        ): "forgets the empty unit",
    },
    checks=(rescale_with_zero_weights,),
    rests_on=("savarese2019.lemma_1",),
)


EQUATION_5 = claim(
    "savarese2019.equation_5",
    "Section 2, equations (4) and (5)",
    "Squared weights as an ℓ₁ norm of output weights",
    """Over all rescalings, unit by unit, the infimum of C(θ) is Σ|w₂ᵢ|·‖w₁ᵢ‖, and this is ‖w₂‖₁ of the same function
    written with rows of norm 1 (units without input weights moved into the output bias). So (4) and (5) are the same
    infimum.""",
    part_of="savarese2019.lemma_1",
    latex=r"\inf_{c_i>0}C(\theta_c)=\sum_i|w_i^{(2)}|\,\|w_i^{(1)}\|_2",
    hypotheses=("shown for two units in the plane; units do not interact",),
    formula="a1*b1 + a2*b2",
    symbols={
        "a1": "|w₂| of the first unit",
        "b1": "‖w₁‖ of the first unit",
        "a2": "|w₂| of the second unit",
        "b2": "‖w₁‖ of the second unit",
    },
    controls={
        "a1 + a2": "the ℓ₁ norm without normalising the rows",
        "sqrt(a1**2 + a2**2)*sqrt(b1**2 + b2**2)": "one common scale for the layer",
        "(a1*b1 + a2*b2)/2": "the half of C kept",
        "Max(a1*b1, a2*b2)": "the largest unit decides",
    },
    checks=(unit_rows, scale_each_unit),
    rests_on=("savarese2019.lemma_1", "savarese2019.lemma_1_zero_weights"),
    formerly=("savarese2019.equation_3",),
)
