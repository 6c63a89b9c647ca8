"""Appendix A, proofs of Proposition 3.3 and of Lemma 4.3: ReLUs under addition, step by step."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Observation, certificate, claim, seen, shows, theorem
from implicitbias.exact.formula import Assumption
from implicitbias.exact.vectors import dot, relu
from implicitbias.theorems.rules.values.value import Value

from ..observed.units.neurons import lifted, random_data, random_fraction


def _heights(context: Context, count: int) -> list[tuple[Fraction, Fraction, str]]:
    """Pre-activations of two neurons at a datum: all sign patterns, zeros, and those of neurons on data."""
    draw = context.random()
    values = [Fraction(v) for v in (1, -1, 0, 2, -3)]
    cases = [(p, q, f"p={p}, q={q}") for p in values for q in values]
    for d in (1, 2, 4):
        for _ in range(count):
            (x,) = random_data(draw, 1, d)
            theta, other = (tuple(random_fraction(draw) for _ in range(d + 1)) for _ in range(2))
            cases.append((dot(theta, lifted(x)), dot(other, lifted(x)), f"neurons in dimension {d}"))
    return cases


@certificate("neurons on data")
def convexity_gaps(context: Context) -> Observation:
    """Outputs of neurons and of their means in several dimensions, in fractions."""
    for p, q, label in _heights(context, context.choose(6, 40)):
        yield seen((relu(p) + relu(q)) / 2 - relu((p + q) / 2), label, p=p, q=q)


HEIGHTS: dict[str, Assumption] = {"p": "real", "q": "real"}


@theorem("every order of signs and moduli")
def mean_and_output_of_the_mean() -> Observation:
    """The mean of two outputs minus the output of their mean."""
    gap = Value("(relu(p) + relu(q))/2 - relu((p + q)/2)")
    yield shows(gap, for_all=HEIGHTS, p="p", q="q")


FIRST_LINE = claim(
    "dedios2020.appendix_a_equation_23",
    "Appendix A, (23), first line",
    "The gap in the convexity of the ReLU",
    """At a datum where two neurons have pre-activations p and q, the mean of their outputs exceeds the output of their
    mean by (|p| + |q| - |p+q|)/4 ≥ 0, with equality if and only if p and q do not have opposite signs. So the first
    line of (23) is strict exactly where a wall of the data separates them.""",
    latex=r"\tfrac12[p]_++\tfrac12[q]_+-\big[\tfrac{p+q}2\big]_+=\tfrac14(|p|+|q|-|p+q|)",
    formula="(Abs(p) + Abs(q) - Abs(p + q))/4",
    symbols={"p": "pre-activation of the first neuron", "q": "pre-activation of the second"},
    controls={
        "0": "the ReLU taken as linear",
        "(Abs(p) + Abs(q) - Abs(p + q))/2": "sums instead of means",
        "Min(Abs(p), Abs(q))/2": "the smaller modulus whatever the signs",
    },
    checks=(mean_and_output_of_the_mean, convexity_gaps),
    part_of="dedios2020.proposition_3_3",
)


@certificate("neurons on data")
def sums_of_outputs(context: Context) -> Observation:
    """Outputs of two neurons of one closed cell, hinges on data included, added in fractions."""
    cases = [(p, q, label) for p, q, label in _heights(context, context.choose(20, 90)) if p * q >= 0]
    for p, q, label in cases:
        yield seen(relu(p) + relu(q), label, p=p, q=q)


@theorem("every order of signs")
def outputs_of_one_cell() -> Observation:
    """The sum of two outputs, where the pre-activations do not have opposite signs."""
    yield shows(Value("relu(p) + relu(q)"), for_all=HEIGHTS, assuming=("p*q >= 0",), split=("p", "q"), p="p", q="q")


SUMS = claim(
    "dedios2020.appendix_a_lemma_4_3",
    "Appendix A, proof of Lemma 4.3, discrete version",
    "The two cases of the proof of Lemma 4.3",
    """Two neurons of one closed cell have pre-activations p, q without opposite signs at every datum, and their outputs
    add to [p + q]_+: to 0 where both are inactive, to p + q where both are active.""",
    latex=r"[p]_++[q]_+=[p+q]_+\qquad(pq\ge0)",
    hypotheses=("pq ≥ 0: the same closed cell",),
    domain=("p*q >= 0",),
    formula="Max(p + q, 0)",
    symbols={"p": "pre-activation of the first neuron", "q": "pre-activation of the second"},
    controls={
        "p + q": "the sum without its positive part",
        "Max(p, q, 0)": "the larger output alone",
        "Abs(p + q)": "both cases active",
        "Max(p, 0)*Max(q, 0)": "a product instead of a sum",
    },
    checks=(outputs_of_one_cell, sums_of_outputs),
    part_of="dedios2020.lemma_4_3",
)
