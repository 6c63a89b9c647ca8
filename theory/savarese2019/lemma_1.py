"""Lemma 1 (Appendix A): the cheapest rescaling of a unit, its scale, and the excess cost of any other.

Coq: Networks.v, weight_norm_min (docs/formal.md).
"""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import (
    Assumption,
    Context,
    Interval,
    Measured,
    Observation,
    Premise,
    certificate,
    claim,
    seen,
    shows,
    theorem,
)
from implicitbias.theorems.rules.extrema.extremum import Maximum, Minimum
from implicitbias.theorems.rules.extrema.minimiser import Minimiser

from ..observed.units.unit_rescaling import bracketed_minimum, rescaled_cost, weights

SYMBOLS = {"a": "|w₂|, modulus of the unit's output weight", "b": "‖w₁‖₂, norm of its input weights (not its bias)"}


def _bracketed(context: Context, what: str) -> Observation:
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
        instances.append(seen(observed, f"|w₂|={a}, ‖w₁‖={b}", a=a, b=b))
    yield from instances
    yield Premise("three scales bracket the minimum, in every case", bracketed)
    yield Measured(
        "widest enclosure", float(max(i.observed.width for i in instances if isinstance(i.observed, Interval)))
    )


@certificate("bracketed over all scales")
def bracket_the_cost(context: Context) -> Observation:
    """The least cost over all scales of 24 units, bracketed in rationals by convexity alone."""
    yield from _bracketed(context, "cost")


@certificate("bracketed scale")
def bracket_the_scale(context: Context) -> Observation:
    """The squared scale at which the cost is least, enclosed between rationals."""
    yield from _bracketed(context, "squared scale")


@certificate("bracketed excess")
def bracket_the_excess(context: Context) -> Observation:
    """The cost of the unit as it is minus the enclosed minimum."""
    yield from _bracketed(context, "excess")


WEIGHTS: dict[str, Assumption] = {"a": "positive", "b": "positive"}
OVER: dict[str, Assumption] = {"t": "positive"}
RESCALED = "unit_cost(a/t, b*t)"
LEAST_SCALE = {"t": "sqrt(a)/sqrt(b)"}


@theorem("stationary scale and square")
def the_cost() -> Observation:
    """The least cost over all scales: the rest of the cost is a square."""
    yield shows(Minimum(RESCALED, OVER, LEAST_SCALE, ("(a/t - b*t)**2/2",)), for_all=WEIGHTS, a="a", b="b")


@theorem("stationary scale")
def the_scale() -> Observation:
    """The only scale at which the cost is least: the square vanishes nowhere else."""
    gap = ("((sqrt(a) - sqrt(b)*t)*(sqrt(a) + sqrt(b)*t))**2/(2*t**2)",)
    yield shows(Minimiser("t**2", RESCALED, OVER, LEAST_SCALE, gap), for_all=WEIGHTS, a="a", b="b")


@theorem("the square at scale one")
def the_excess() -> Observation:
    """The most that a rescaling saves."""
    saved = f"unit_cost(a, b) - {RESCALED}"
    yield shows(Maximum(saved, OVER, LEAST_SCALE, ("(a/t - b*t)**2/2",)), for_all=WEIGHTS, a="a", b="b")


POSITIVE = ("w₂ ≠ 0 and w₁ ≠ 0 (the other case: savarese2019.lemma_1_zero_weights)",)

LEMMA_1 = claim(
    "savarese2019.lemma_1",
    "Lemma 1 (Appendix A)",
    "The least cost of a unit over its rescalings",
    """Among all rescalings of one ReLU unit (input weights and bias times c, output weight over c), the least of ½(w₂²
    + ‖w₁‖²) is |w₂|·‖w₁‖. Summed over units this turns the sum of squares in (4) into the ℓ₁ norm in (5).""",
    latex=r"\min_{c>0}\tfrac12\big(w_2^2/c^2+c^2\|w_1\|^2\big)=|w_2|\,\|w_1\|",
    hypotheses=POSITIVE,
    formula="a*b",
    symbols=SYMBOLS,
    controls={
        "a*b/2": "the half of C kept",
        "(a**2 + b**2)/2": "the cost of the unit as it is",
        "2*a*b": "the squares without the half",
        "Min(a, b)**2": "the smaller weight decides",
    },
    checks=(bracket_the_cost, the_cost),
    rests_on=("savarese2019.equation_1",),
)


SCALE = claim(
    "savarese2019.lemma_1_scale",
    "Lemma 1 (Appendix A), proof",
    "The scale that balances a unit",
    """The rescaling of least cost multiplies the input weights by c with c² = |w₂|/‖w₁‖: it makes the weights of both
    layers equally large.""",
    part_of="savarese2019.lemma_1",
    latex=r"c_i^2=|w_i^{(2)}|/\|w_i^{(1)}\|_2",
    hypotheses=POSITIVE,
    formula="a/b",
    symbols=SYMBOLS,
    controls={
        "b/a": "the scale of the output weight instead",
        "sqrt(a/b)": "c itself, not its square",
        "a**2/b**2": "the ratio of the squares",
        "1/b**2": "the scale that gives rows of norm 1",
    },
    checks=(bracket_the_scale, the_scale),
    rests_on=("savarese2019.lemma_1",),
)


EXCESS = claim(
    "savarese2019.lemma_1_excess",
    "Lemma 1 (Appendix A), proof",
    "Excess cost of an unbalanced unit",
    """A unit costs ½(|w₂| − ‖w₁‖)² more than its best rescaling: it is optimal exactly if it is balanced.""",
    part_of="savarese2019.lemma_1",
    latex=r"\tfrac12(w_2^2+\|w_1\|^2)-|w_2|\|w_1\|=\tfrac12(|w_2|-\|w_1\|)^2",
    hypotheses=POSITIVE,
    formula="(a - b)**2/2",
    symbols=SYMBOLS,
    controls={
        "(a - b)**2": "without the half",
        "Abs(a**2 - b**2)/2": "difference of the squares",
        "Abs(a - b)": "difference of the weights",
        "(a - b)**2/(a + b)": "relative excess",
    },
    checks=(bracket_the_excess, the_excess),
    rests_on=("savarese2019.lemma_1",),
)
