"""The points at which formulas are compared hold the zeros, ties and borders that a simplification passes over."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.exact.formula import parse
from implicitbias.exact.points import special_points


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
