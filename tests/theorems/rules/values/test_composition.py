"""A formula in other quantities."""

from __future__ import annotations

import pytest

from implicitbias.theorems.quantity import Steps
from implicitbias.theorems.rules.extrema.extremum import Minimum
from implicitbias.theorems.rules.values.composition import Composition
from implicitbias.theorems.setting import RefusedError, Setting, minus
from implicitbias.theorems.theorem import Theorem

SETTING = Setting({"a": "positive", "b": "positive"})
LEAST = Minimum("unit_cost(a*l, b/l)", {"l": "positive"}, {"l": "sqrt(b/a)"}, ("(a*l - b/l)**2/2",))


def test_the_square_of_a_minimum_beside_a_term() -> None:
    found = Composition("relu(b) + m**2", {"m": LEAST}).establish(SETTING, Steps())
    SETTING.zero(minus(found, SETTING.read("b + a**2*b**2")), "the value")


def test_a_part_that_is_wrong_is_refused() -> None:
    wrong = Minimum("unit_cost(a*l, b/l)", {"l": "positive"}, {"l": "sqrt(b/a)"}, ("(a*l - b/l)**2",))
    with pytest.raises(RefusedError):
        Composition("m", {"m": wrong}).establish(SETTING, Steps())


def test_a_formula_without_a_value_is_refused() -> None:
    with pytest.raises(RefusedError, match="nonzero"):
        Composition("1/(m - a*b)", {"m": LEAST}).establish(SETTING, Steps())


def test_a_formula_typed_in_the_place_of_its_parts_is_refused() -> None:
    with pytest.raises(RefusedError, match="does not stand in the formula"):
        Composition("2*a*b", {"m": LEAST}).establish(SETTING, Steps())


def test_a_part_named_like_a_variable_is_refused() -> None:
    with pytest.raises(ValueError, match="taken"):
        Composition("a", {"a": LEAST}).establish(SETTING, Steps())


def test_primitives_of_the_parts_count_as_those_of_the_theorem() -> None:
    stated = Theorem("", Composition("m**2", {"m": LEAST}), SETTING.variables, {"a": "a", "b": "b"})
    assert stated.primitives == {"unit_cost"}
    assert Theorem.from_json(stated.to_json()).quantity == stated.quantity
