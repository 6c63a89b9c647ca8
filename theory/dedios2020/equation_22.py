"""Equation (22): the penalised problem on the sphere, and the factor between its λ and that of (7)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
from implicitbias.exact.formula import Assumption
from implicitbias.theorems.rules.sequences.lists import Mean
from implicitbias.theorems.rules.values.composition import Composition

from ..observed.data.draws import evenly


def _vertex(f: Callable[[Fraction], Fraction]) -> Fraction:
    """Where the parabola through f(-1), f(0), f(1) is least."""
    low, middle, high = f(Fraction(-1)), f(Fraction(0)), f(Fraction(1))
    return (low - high) / (2 * (low - 2 * middle + high))


def _mean_square(h: Sequence[Fraction], y: Sequence[Fraction], t: Fraction) -> Fraction:
    return sum(((t * p - q) ** 2 for p, q in zip(h, y, strict=True)), Fraction(0)) / len(h)


@certificate("parabolas")
def masses(context: Context) -> Observation:
    """The λ of (7) with the minimiser of (22), for masses t ≥ 0 on one neuron of the sphere with outputs h."""
    draw = context.random()
    one = Fraction(1)
    cases = [
        ([one], [one], Fraction(1, 2)),
        ([one, one], [one, 2 * one], one),
        ([one, 2 * one], [one, one], Fraction(1, 10)),
    ]
    for k, size in enumerate(evenly(-7, 7, context.choose(90, 180))):
        n = 1 + k % 7
        h = [Fraction(draw.randint(0, 9), 3) for _ in range(n)]
        y = [size * draw.randint(1, 9) for _ in range(n)]
        cases.append((h, y, size * Fraction(draw.randint(1, 9), 10)))
    count, inside = 0, True
    for h, y, penalty in cases:
        if not any(h):
            continue

        def of_22(t: Fraction, h: list[Fraction] = h, y: list[Fraction] = y, penalty: Fraction = penalty) -> Fraction:
            return _mean_square(h, y, t) + penalty * t

        best = _vertex(of_22)
        if best <= 0:
            continue  # no neuron at all: the penalty does not show
        # the slope of the half square loss of (7) at this mass: what a penalty there must balance
        slope = (_mean_square(h, y, best + 1) / 2 - _mean_square(h, y, best - 1) / 2) / 2
        inside, count = inside and -slope > 0, count + 1
        yield seen(-slope, f"n={len(h)}, λ={penalty}", l=penalty, n=len(h))
    yield Premise("every minimiser has a neuron, so that the penalty shows", inside and count > 3)
    yield Step("parabolas in the mass t, known from three values")


@theorem("stationary masses")
def stationary_masses() -> Observation:
    """The penalty with which (7) is half of (22) for all networks and data: what half of (22) less the mean loss of (7)
    leaves for each unit of V = |c|‖θ‖.
    """
    rest = Mean(
        term="((z - y)**2 + l*V)/2 - squared_loss(z, y)",
        entries={"z": "real", "y": "real"},
        totals={"Z": "z"},
        by={},
        each="l*V/2",
    )
    names: dict[str, Assumption] = {"l": "positive", "V": "positive", "n": "positive integer", "Z": "real"}
    yield shows(Composition("rest/V", {"rest": rest}), for_all=names, l="l", n="n")


PENALTY = claim(
    "dedios2020.equation_22",
    "Equation (22), against (7)",
    "Half the penalty for half the square",
    """(22) has the square loss without the factor 1/2 that (7) names as its example: its objective at λ is twice that
    of (7), with V = |c|‖θ‖, at λ/2, so that both have the same minimisers for a penalty in (7) of half the size.""",
    latex=r"\mathcal L^{(22)}_\lambda=2\,\mathcal L^{(7)}_{\lambda/2}\quad(l=\lambda)",
    hypotheses=("ℓ(x, y) = ½|x - y|² in (7)", "V = |c|‖θ‖"),
    formula="l/2",
    symbols={"l": "λ of (22)", "n": "number of data"},
    controls={
        "l": "equal penalties",
        "2*l": "the factor on the wrong side",
        "l/(2*n)": "a sum over the data in one of them",
    },
    checks=(stationary_masses, masses),
    part_of="dedios2020.corollary_4_8",
    rests_on=("dedios2020.equation_4",),
)
