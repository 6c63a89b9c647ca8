"""`implicitbias zeta` as a user runs it."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from implicitbias.commands.data.zeta import certain_digits
from implicitbias.exact.rational import Interval

Run = Callable[..., Any]


def test_the_line_of_the_readme(run: Run) -> None:
    ran = run("zeta", "--weight", "normal(0,1)", "--bias", "uniform(-2,2)", "--at", "0", "0.5", "1")
    assert ran.code == 0
    assert "0.39894228040143267794" in ran.out
    assert "0.39773780836954870977" in ran.out
    assert "0.23696938086186852209" in ran.out
    assert "4.21995447835" in ran.out
    assert "supp ζ       (-∞, ∞)" in ran.out


def test_points_are_negative_numbers_fractions_and_decimals_taken_exactly(run: Run) -> None:
    ran = run("zeta", "--joint", "uniform(1,2)", "--at", "-3", "-0.1", "1/3", "-7/2", "2.5", "--json")
    document = json.loads(ran.out)
    assert document["schema"] == 1
    assert [value["x"] for value in document["values"]] == ["-3", "-0.1", "1/3", "-7/2", "2.5"]
    exact = [Fraction(value["exact"]) for value in document["values"]]
    assert exact == [
        Fraction(1, 81),
        Fraction(1, 16),
        Fraction(1, 16),
        Fraction(1) / Fraction(7, 2) ** 4,
        Fraction(16, 625),
    ]
    for value in document["values"]:
        low, high = (Fraction(end) for end in value["enclosure"])
        assert low <= Fraction(value["exact"]) <= high
        assert value["penalty"] == pytest.approx(1 / float(Fraction(value["exact"])))
    assert document["moments"] == pytest.approx(
        {"weight_second_moment": 1 / 3, "mixed_second_moment": 0, "bias_second_moment": 4 / 3}
    )
    assert document["support"] == [[None, None]]


def test_at_may_be_repeated_and_stand_before_the_laws(run: Run) -> None:
    ran = run("zeta", "--at", "1", "--at", "-2", "--weight", "binary(1)", "--bias", "uniform(-1.5,1.5)", "--json")
    document = json.loads(ran.out)
    assert [value["zeta"] for value in document["values"]] == [pytest.approx(1 / 3), 0.0]
    assert document["values"][1]["penalty"] is None
    assert document["support"] == [[-1.5, 1.5]]


def test_a_joint_law_in_the_text(run: Run) -> None:
    ran = run("zeta", "--joint", "correlated_normal(1.5,0.7,0.6)", "--at", "0", "-1.5", "2")
    assert ran.code == 0
    for digits in ("1.571541380930", "0.02812954545", "0.002615965224"):
        assert digits in ran.out


def test_a_gap_in_the_support_is_shown(run: Run) -> None:
    ran = run("zeta", "--weight", "binary(1)", "--bias", "uniform(1,2)")
    assert "[-2, -1] ∪ [1, 2]" in ran.out


def test_the_laws_are_listed(run: Run) -> None:
    ran = run("zeta", "--laws")
    assert ran.code == 0
    for shown in ("normal(mean, deviation)", "correlated_normal(", "student_t(", "circle("):
        assert shown in ran.out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--weight", "normal(0,1)"), "give --weight and --bias"),
        (("--weight", "normal(0,1)", "--bias", "normal(0,1)", "--joint", "circle(1)"), "not both"),
        (("--weight", "norml(0,1)", "--bias", "normal(0,1)", "--at", "0"), "Did you mean normal"),
        (("--weight", "normal(0,-1)", "--bias", "normal(0,1)", "--at", "0"), "must be positive, got -1"),
        (("--weight", "normal(0,1)", "--bias", "constant(0)", "--at", "0"), "Dirac's delta"),
        (("--weight", "student_t(3)", "--bias", "normal(0,1)", "--at", "0"), "zeta(0) is not finite"),
        (("--joint", "circle(1)", "--at", "nan"), "not a number"),
        (("--joint", "circle(1)", "--at", "1e400"), "beyond what a double can hold"),
        (("--joint", "circle(1)", "--att", "1"), "no option --att"),
        (("--joint", "circle(1)", "1"), "write --at 1"),
        (("--joint", "normal(0,1)", "--at", "1"), "one variable"),
    ],
)
def test_what_a_user_gets_wrong_ends_with_two(run: Run, arguments: tuple[str, ...], says: str) -> None:
    ran = run("zeta", *arguments)
    assert ran.code == 2
    assert says in ran.err
    assert ran.out == ""


def test_infinite_moments_are_said(run: Run) -> None:
    ran = run("zeta", "--weight", "student_t(2)", "--bias", "normal(0,1)", "--at", "1")
    assert ran.code == 0
    assert "kernel of the wide network does not exist" in ran.out


def test_only_digits_that_are_certain_are_shown() -> None:
    assert certain_digits(Interval(Fraction("0.33331"), Fraction("0.33334")), None) == "0.3333"
    assert certain_digits(Interval(Fraction("0.1"), Fraction("0.9")), None) == "between 0.1 and 0.9"
    assert certain_digits(Interval(Fraction(0), Fraction(0)), Fraction(1, 3)) == "0.33333333333333333333"


def test_the_laws_are_listed_as_json_too(run):
    found = json.loads(run("zeta", "--laws", "--json").out)
    assert "normal(mean, deviation)" in [entry["law"] for entry in found["laws"]]
    assert all(entry["says"] for entry in found["laws"])
