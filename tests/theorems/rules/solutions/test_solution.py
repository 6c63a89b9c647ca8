"""The only solution of equations: linear, one by one, in a domain; and what is refused."""

from __future__ import annotations

import pytest

from implicitbias.exact.formula import FormulaError, written
from implicitbias.theorems.quantity import Steps
from implicitbias.theorems.rules.solutions.solution import Solution
from implicitbias.theorems.setting import NotShownError, RefusedError, Setting

REALS = {"a": "real", "b": "real"}
POSITIVE = {"a": "positive", "b": "positive"}


def value(solution: Solution, **variables: str) -> str:
    return written(solution.establish(Setting(variables), Steps()))  # type: ignore[arg-type]


def equal(solution: Solution, formula: str, **variables: str) -> bool:
    setting = Setting(variables)  # type: ignore[arg-type]
    setting.zero(setting.read(f"({written(solution.establish(setting, Steps()))}) - ({formula})"), "value")
    return True


def test_linear_equations_are_settled_by_their_determinant() -> None:
    steps = Steps()
    pair = Solution({"y": "real", "z": "real"}, ("a*y + z - 1", "y - z"), "y + z", {"y": "1/(1 + a)", "z": "1/(1 + a)"})
    assert written(pair.establish(Setting({"a": "positive"}), steps)) == "1/(1 + a) + 1/(1 + a)"
    assert any("determinant" in step.formula for step in steps)


def test_one_by_one_the_first_unknown_is_given_in_terms_of_the_next() -> None:
    circle = Solution(
        {"v": "real", "p": "positive"}, ("v*p - b", "p**2*(1 + a**2) - 1"), "v", {"v": "b/p", "p": "1/sqrt(1 + a**2)"}
    )
    assert equal(circle, "b*sqrt(1 + a**2)", **REALS)


def test_a_root_in_the_domain_alone() -> None:
    root = Solution({"y": "positive"}, ("y**2 - a**2",), "y", {"y": "a"})
    assert value(root, a="positive") == "a"


def test_a_strictly_increasing_piecewise_function_has_one_root() -> None:
    kinked = Solution({"y": "real"}, ("y + 2*relu(y) - 3",), "y", {"y": "1"})
    assert value(kinked) == "1"


def test_more_equations_than_unknowns_must_all_hold() -> None:
    assert value(Solution({"y": "real"}, ("y - a", "y**2 - a**2"), "y", {"y": "a"}), a="real") == "a"
    with pytest.raises(RefusedError):
        value(Solution({"y": "real"}, ("y - a", "y**2 - 4"), "y", {"y": "a"}), a="real")


UNSOUND = {
    "not a solution": Solution({"y": "real"}, ("a*y + 1",), "y", {"y": "1/a"}),
    "another root": Solution({"y": "real"}, ("y**2 - a**2",), "y", {"y": "a"}),
    "another root outside of the sign that was looked at": Solution({"y": "real"}, ("y*(y - a)",), "y", {"y": "0"}),
    "a flat piece": Solution({"y": "real"}, ("relu(y)",), "y", {"y": "0"}),
    "an equation that says nothing": Solution({"y": "real"}, ("0*y",), "y", {"y": "a"}),
    "the same equation twice": Solution(
        {"y": "real", "z": "real"}, ("y + z - 1", "2*y + 2*z - 2"), "y", {"y": "1", "z": "0"}
    ),
    "fewer equations than unknowns": Solution({"y": "real", "z": "real"}, ("y - a",), "y", {"y": "a", "z": "0"}),
    "a solution outside of the domain": Solution({"y": "positive"}, ("y + a",), "y", {"y": "-a"}),
    "an equation without a value somewhere": Solution({"y": "real"}, ("1/y - a",), "y", {"y": "1/a"}),
    "an unknown that divides by zero": Solution({"y": "real"}, ("(a - b)*y - 1",), "y", {"y": "1/(a - b)"}),
    "a value that no unknown decides": Solution({"y": "real"}, ("y - a",), "b", {"y": "a"}),
    "a value that no unknown decides, though one is named": Solution({"y": "real"}, ("y - a",), "b + 0*y", {"y": "a"}),
    "wanted where it has no value": Solution({"y": "real"}, ("y - a",), "1/(y - a)", {"y": "a"}),
    "the value typed as wanted but not as solved": Solution({"y": "real"}, ("y - a",), "1/(y - b)", {"y": "a"}),
    "an unknown forgotten": Solution({"y": "real", "z": "real"}, ("y - a", "z - y"), "y", {"y": "a"}),
    "whole numbers, beside which nothing was looked at": Solution({"y": "integer"}, ("y*(y - 1)",), "y", {"y": "0"}),
}


@pytest.mark.parametrize("unsound", UNSOUND.values(), ids=UNSOUND)
def test_unsound_witnesses_are_refused(unsound: Solution) -> None:
    with pytest.raises((RefusedError, NotShownError)):
        value(unsound, **POSITIVE)


def test_an_unknown_may_not_stand_in_its_own_solution() -> None:
    with pytest.raises(FormulaError):
        value(Solution({"y": "real"}, ("y - y",), "y", {"y": "y"}))


def test_a_variable_that_may_be_zero_is_refused_with_the_point() -> None:
    with pytest.raises(RefusedError, match="x = 0"):
        value(Solution({"y": "real"}, ("x*y + 1",), "y", {"y": "-1/x"}), x="real")


@pytest.mark.parametrize("formula", ["-1/x + 1", "1/x", "-x", "-2/x", "-1/x**2"])
def test_another_formula_in_the_solution_and_in_what_is_wanted_is_refused(formula: str) -> None:
    with pytest.raises(RefusedError):
        value(Solution({"y": "real"}, ("x*y + 1",), formula, {"y": formula}), x="positive")


def test_the_equation_decides_not_what_is_typed_beside_it() -> None:
    """With the equation changed as well the value is that of the changed equation."""
    assert value(Solution({"y": "real"}, ("x*y - 1",), "y", {"y": "1/x"}), x="positive") == "1/x"
