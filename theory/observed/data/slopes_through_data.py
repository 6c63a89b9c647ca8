"""Theorem 3.3 of savarese2019 as a definition with its witness: slopes that pass through any number of data."""

from __future__ import annotations

from implicitbias.theorems.rules.extrema.extremum import Minimum
from implicitbias.theorems.rules.sequences.chain import CheapestChain
from implicitbias.theorems.rules.sequences.programme import ListProgramme
from implicitbias.theorems.rules.values.at_values import AtValues
from implicitbias.theorems.rules.values.composition import Composition

LEAST = "T + Abs(a - l_0) + Abs(b - l_N)"
"""The least variation of the slope, what the linear spline has."""


def beyond(turn: str) -> AtValues:
    """The least Σ|v| over finitely many kinks, wherever they are, at which the slope turns by `turn` altogether."""
    anywhere = ListProgramme(
        cost="path_cost(v, 1)",
        free={"v": "real"},
        wanted={"turn": "v"},
        added=({"v": "turn"},),
        multipliers={"turn": "sign(turn)"},
    )
    return AtValues(of=anywhere, over={"turn": "real"}, at={"turn": turn}, value="Abs(turn)", split=("turn",))


def between(rise: str, turn: str) -> AtValues:
    """The same over kinks between two neighbouring data, at them included, c of the way from one to the other, where
    the mean slope exceeds the first one by `rise`.
    """
    inside = ListProgramme(
        cost="path_cost(v, 1)",
        free={"v": "real", "c": "nonnegative"},
        where=("c <= 1",),
        wanted={"turn": "v", "rise": "v*ramp(1, c, 1)"},
        added=({"v": "rise", "c": "0"}, {"v": "turn - rise", "c": "1"}),
        multipliers={"turn": "sign(turn - rise)", "rise": "sign(rise) - sign(turn - rise)"},
    )
    return AtValues(
        of=inside,
        over={"rise": "real", "turn": "real"},
        at={"rise": rise, "turn": turn},
        value="Abs(rise) + Abs(turn - rise)",
        split=("rise", "turn - rise"),
    )


def least_variation() -> CheapestChain:
    """The least variation of the slope of all piecewise-linear functions through the data, with l_0 and l_N at the
    ends: u is the slope at a datum, w that at the next, l the mean slope from one to the other. What turns at a datum
    may be counted on either side of it. The data are known by T, a and b alone.
    """
    return CheapestChain(
        stage=between("l - u", "w - u"),
        start=beyond("u - l_0"),
        end=beyond("l_N - u"),
        state="u",
        following="w",
        entry={"l": "real"},
        known={"T": ("0", "T + Abs(l - b)"), "a": ("l", "a"), "b": ("l", "l")},
        least="T + Abs(a - l_0) + Abs(u - b)",
        at_first="l_0",
        at="b",
        at_last="b",
    )


def least_cost_through_data() -> Minimum:
    """The least cost max(∫|f″|, |l_0 + l_N|) of these functions: their variation is the least one, or exceeds it."""
    return Minimum(
        Composition("spline_cost(V + excess, l_0 + l_N)", {"V": least_variation()}),
        over={"excess": "nonnegative"},
        at={"excess": "0"},
        gap=(f"spline_cost({LEAST} + excess, l_0 + l_N) - spline_cost({LEAST}, l_0 + l_N)",),
    )
