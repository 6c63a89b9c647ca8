"""Kinks at the data: units for which they suffice, units for which they do not, wrong witnesses, wrong neighbours."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from implicitbias.errors import FormulaError
from implicitbias.exact.formula import Operation
from implicitbias.theorems.primitives import PRIMITIVES
from implicitbias.theorems.quantity import Quantity, Steps
from implicitbias.theorems.rules.extrema.units_at_data import LargestNorm, LeastVariation
from implicitbias.theorems.setting import NotShownError, RefusedError, Setting

NOT_ACCEPTED = (RefusedError, NotShownError, FormulaError)

HERE = Setting({"V": "nonnegative", "W": "real", "x_1": "real"})
DUALITY = LeastVariation(unit="ramp(s, c, x)", of="all", equals="dual", known="V", first=("-1", "b"), after=("1", "a"))
SEGMENTS = replace(DUALITY, of="data", equals="all", between=("line(y, x, z, a)", "line(y, x, z, b)", "y"))
MARGINS = replace(SEGMENTS, between=("1", "1", "1"), at_least=True)
LARGEST = LargestNorm(unit="ramp(s, c, x)", known="V")


def value(quantity: Quantity, setting: Setting = HERE) -> Operation:
    return quantity.establish(setting, Steps())


@pytest.mark.parametrize(
    "quantity",
    [
        DUALITY,
        SEGMENTS,
        MARGINS,
        LARGEST,
        replace(DUALITY, of="data"),
        replace(DUALITY, of="dual", equals="data"),
        replace(DUALITY, unit="3*ramp(s, c, x)"),
        replace(LARGEST, unit="ramp(s, c, x) - ramp(-s, c, x)/2"),
        replace(SEGMENTS, between=("y", "z", "line(y, a, (z - y)/(b - a), x)")),
        replace(MARGINS, between=("y", "y", "y")),
        replace(MARGINS, between=("2", "1", "1")),
    ],
)
def test_the_value_is_what_is_known(quantity: Quantity) -> None:
    assert value(quantity) == Operation("V")


@pytest.mark.parametrize(
    "unit",
    [
        "ramp(s, c, x)**2",
        "ramp(s, 2*c, x)",
        "ramp(s, c, 2*x)",
        "ramp(s, c + 1, x)",
        "ramp(s, c, x)*c",
        "step(s*(x - c))",
        "relu(s*x - c)",
        "exp(-Abs(x - c))",
        "sqrt(Abs(x - c))",
        "ramp(s, c, x)/c",
        "ramp(s, 0, x)",
        "ramp(s, c, 0)",
        "V*ramp(s, c, x)",
        "W",
        "V",
    ],
)
def test_units_whose_prices_are_not_affine_between_the_data_are_refused(unit: str) -> None:
    for quantity in (LARGEST, DUALITY, SEGMENTS):
        with pytest.raises(NOT_ACCEPTED):
            value(replace(quantity, unit=unit))


@pytest.mark.parametrize(
    "unit", ["Abs(x - c)", "s*(x - c)", "ramp(s, c, x) + ramp(-s, c, x)", "ramp(s, c, x) + 1", "ramp(s, c, x) + x**2"]
)
def test_units_that_do_not_take_any_values_are_refused_though_their_prices_are_affine(unit: str) -> None:
    assert value(replace(LARGEST, unit=unit)) == Operation("V")
    for first in (("-1", "b"), ("1", "b"), ("1", "a"), ("-1", "a")):
        for after in (("-1", "b"), ("1", "b"), ("1", "a"), ("-1", "a")):
            with pytest.raises(NOT_ACCEPTED):
                value(replace(DUALITY, unit=unit, first=first, after=after))


@pytest.mark.parametrize(
    "changes",
    [
        {"first": ("1", "b")},
        {"first": ("1", "a")},
        {"first": ("-1", "a")},
        {"first": ("-1", "(a + b)/2")},
        {"first": ("-1", "b + 1")},
        {"first": ("-2", "b")},
        {"first": ("0", "b")},
        {"first": ("V", "b")},
        {"first": ("-1",)},
        {"first": ()},
        {"after": ("1", "b")},
        {"after": ("-1", "b")},
        {"after": ("-1", "a")},
        {"after": ("1", "(a + b)/2")},
        {"after": ("1", "x_1")},
        {"after": ("1", "a", "a")},
        {"of": "dual"},
        {"of": "none"},
        {"equals": "all"},
        {"known": "2*V"},
        {"known": "W"},
        {"known": "U"},
        {"known": ""},
    ],
)
def test_a_wrong_witness_is_refused_and_a_value_is_not_typed(changes: dict[str, Any]) -> None:
    with pytest.raises(NOT_ACCEPTED):
        value(replace(DUALITY, **changes))


@pytest.mark.parametrize(
    "changes",
    [
        {"between": ("y", "z", "y")},
        {"between": ("y", "z", "(y + z)/2")},
        {"between": ("y", "z", "line(z, a, (y - z)/(b - a), x)")},
        {"between": ("y", "z", "line(y, a, (z - y)/(b - a), x) + 1")},
        {"between": ("y", "y", "z")},
        {"between": ("1", "1", "2")},
        {"between": ("1", "1", "1/2")},
        {"between": ("line(y, x, z, a)", "line(y, x, 2*z, b)", "y")},
        {"between": ("y", "z")},
        {"between": ("1/(y - z)", "1/(y - z)", "1/(y - z)")},
        {"between": ("1", "1", "2"), "at_least": True},
        {"between": ("1", "-1", "1"), "at_least": True},
        {"between": ("1", "-1", "-1/2"), "at_least": True},
        {"between": ("y", "z", "Max(y, z)"), "at_least": True},
    ],
)
def test_further_data_whose_constraints_do_not_follow_from_those_beside_them_are_refused(
    changes: dict[str, Any],
) -> None:
    with pytest.raises(NOT_ACCEPTED):
        value(replace(SEGMENTS, **changes))


def test_a_unit_that_bends_off_its_kink_may_not_leave_data_out() -> None:
    with pytest.raises(NOT_ACCEPTED):
        value(replace(SEGMENTS, unit="relu(s*(x - c) - 1)"))


@pytest.mark.parametrize("formula", ["Max(0, z)**2", "Max(0, z - 1)", "Abs(z)", "z", "Max(0, z) + 1", "0*z"])
def test_another_subject_is_refused(formula: str) -> None:
    other = {**PRIMITIVES, "relu": replace(PRIMITIVES["relu"], formula=formula)}
    for quantity in (DUALITY, SEGMENTS):
        with pytest.raises(NOT_ACCEPTED):
            value(quantity, replace(HERE, vocabulary=other))
