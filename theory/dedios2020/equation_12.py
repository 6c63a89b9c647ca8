"""Equation (12): the potential of label noise for ReLU neurons."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from implicitbias.claims import Assumption, Context, Observation, certificate, claim, seen, shows, theorem
from implicitbias.theorems.rules.sequences.lists import ListSum

from ..observed.units.neurons import gradient_potential
from ..observed.units.neurons_on_data import averages, neurons_on_data
from ..observed.units.squared_gradient import squared_gradient


@certificate("exact difference quotients")
def mean_squares(context: Context) -> Observation:
    """The mean of |∇φ|² over the data from outputs alone, by exact difference quotients; c = 0 included."""
    found = neurons_on_data(context, context.choose(6, 40))
    found += [(neuron.scaled(Fraction(1), Fraction(0)), data) for neuron, data in found[:3]]
    for neuron, data in found:
        yield seen(
            gradient_potential(neuron, data), f"c={neuron.c}, n={len(data)}, d={len(data[0])}", **averages(neuron, data)
        )


def _potential(**given: Any) -> ListSum:
    """The squared gradients of n data, added up."""
    return ListSum(
        term=squared_gradient("{}", "n"), entries={"z": "real", "Y": "nonnegative"}, length="n", split=("z",), **given
    )


@theorem("gradients added up")
def gradients_added_up() -> Observation:
    """|∇φ|² in c, in b and in every entry of a, added up over the inputs and over the data; n and d are any.

    P is the share of active data; 1 + |x|² >= 1 adds up to B over it, and to R over the rest.
    """
    numbers: dict[str, Assumption] = {**dict.fromkeys("nd", "positive integer"), "c": "real"}
    output, length, rest = "relu(z)**2/n", "step(z)*(1 + Y)/n", "(1 - step(z))*(1 + Y)/n"
    some = {"A": output, "B": length, "R": rest, "P": "step(z)/n"}
    yield shows(
        _potential(where=("z**2 > 0",), totals=some, by={"A": "1", "B": "c**2"}),
        "some data active",
        for_all=numbers | dict.fromkeys("ABPR", "positive"),
        assuming=("P < 1", "P <= B", "1 - P <= R"),
        c="c",
        A="A",
        B="B",
        M="B + R",
        P="P",
    )
    yield shows(
        _potential(where=("z > 0",), totals={"A": output, "B": length}, by={"A": "1", "B": "c**2"}),
        "all data active",
        for_all=numbers | dict.fromkeys("AB", "positive"),
        assuming=("B >= 1",),
        c="c",
        A="A",
        B="B",
        M="B",
        P="1",
    )
    yield shows(
        _potential(where=("z < 0",), totals={"R": rest}, by={}),
        "no datum active",
        for_all=numbers | {"R": "positive"},
        assuming=("R >= 1",),
        c="c",
        A="0",
        B="0",
        M="R",
        P="0",
    )


POTENTIAL = claim(
    "dedios2020.equation_12",
    "Equation (12)",
    "The potential of label noise for a ReLU neuron",
    """Ṽ_b(a, b, c) = E_D[|∇φ|²] = A + c²B with A = E_D[(aᵀx + b)_+²], from the derivative in c, and B = E_D[(1 +
    |x|²)·1{aᵀx + b > 0}], from those in a and b.""",
    latex=r"""\widetilde V_b(a,b,c)=A+c^2B,\quad A=\mathbb E_{\mathcal D}[(a^\top x+b)_+^2],\quad B=\mathbb E_{\mathcal
    D}[(1+|x|^2)\mathbf 1_{a^\top x+b>0}]""",
    hypotheses=(
        """no hinge on a datum: there the gradient does not exist, and the printed indicator (≥ 0) and the one of
        automatic differentiation (> 0) differ""",
    ),
    formula="A + c**2*B",
    symbols={
        "A": "E_D[(aᵀx + b)_+²]",
        "B": "E_D[(1 + |x|²)·1{active}]",
        "c": "output weight",
        "M": "E_D[1 + |x|²] over all data, active or not",
        "P": "the active part of the data",
    },
    controls={
        "A + c**2*M": "the indicator of activity omitted",
        "A + c**2*(B - P)": "the bias omitted: |x|² instead of 1 + |x|²",
        "c**2*(A + B)": "the factor c² kept in the derivative with respect to c",
        "A + Abs(c)*B": "c not squared",
    },
    checks=(gradients_added_up, mean_squares),
    part_of="dedios2020.equation_10",
)
