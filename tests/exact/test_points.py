"""The points at which formulas are compared hold the zeros, ties and borders that a simplification passes over."""

from __future__ import annotations

from fractions import Fraction

import pytest

from implicitbias.exact.formula import Assumption, parse
from implicitbias.exact.points import allows, special_points


def points(formula: str, **variables: str) -> list[dict[str, Fraction]]:
    return list(special_points(variables, [parse(formula, variables).tree]))  # type: ignore[arg-type]


def test_every_variable_is_zero_at_some_point_and_tied_to_every_other() -> None:
    found = points("x + y", x="real", y="real")
    assert any(p["x"] == 0 != p["y"] for p in found)
    assert any(p["y"] == 0 != p["x"] for p in found)
    assert any(p["x"] == 0 == p["y"] for p in found)
    assert any(p["x"] == p["y"] != 0 for p in found)
    assert any(p["x"] == -p["y"] != 0 for p in found)


def test_points_stay_in_the_domain() -> None:
    found = points("x/(y - 2*n) + sqrt(x - 3)", x="positive", y="nonnegative", n="positive integer")
    assert all(p["x"] > 0 and p["y"] >= 0 and p["n"] > 0 and p["n"].denominator == 1 for p in found)


def test_denominators_radicands_and_ties_of_a_maximum_vanish_at_some_point() -> None:
    assert any(p["x"] == 3 * p["y"] - 1 for p in points("1/(x - 3*y + 1)", x="real", y="real"))
    assert any(p["x"] ** 2 == 4 for p in points("sqrt(x**2 - 4)", x="real"))
    assert any(2 * p["x"] == p["y"] + 5 for p in points("Max(2*x, y + 5)", x="real", y="real"))


@pytest.mark.parametrize(
    ("domain", "inside", "outside"),
    [
        ("real", [-1, 0, "1/2"], []),
        ("nonnegative", [0, "1/2"], [-1]),
        ("positive", ["1/2"], [0, -1]),
        ("negative", ["-1/2"], [0, 1]),
        ("integer", [-1, 0], ["1/2"]),
        ("positive integer", [1], [0, "1/2", -1]),
        ("nonnegative integer", [0, 1], ["1/2", -1]),
    ],
)
def test_a_domain_allows_what_its_name_says(domain: Assumption, inside: list[str], outside: list[str]) -> None:
    assert all(allows(domain, Fraction(value)) for value in inside)
    assert not any(allows(domain, Fraction(value)) for value in outside)


@pytest.mark.parametrize("domain", ["postive", "", "Real", "natural integer", "positive  integer"])
@pytest.mark.parametrize("value", [Fraction(-1), Fraction(1, 2)])
def test_a_misspelt_domain_is_an_error_and_not_every_number(domain: str, value: Fraction) -> None:
    with pytest.raises(ValueError, match=r"is no domain of a variable: allowed are real, nonnegative, positive"):
        allows(domain, value)  # type: ignore[arg-type]


def test_the_points_are_the_same_whatever_was_asked_before_and_nobody_changes_them() -> None:
    first = points("x/(y - 1)", x="real", y="positive")
    for point in points("x*y", x="real", y="positive"):
        point["x"] = Fraction(99)
    assert points("x/(y - 1)", x="real", y="positive") == first
