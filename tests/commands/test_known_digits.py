"""Digits that are printed are digits that are known; what a flow found is in its document."""

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import implicitbias as ib
from implicitbias.commands.data.enclosures import as_json, as_text
from implicitbias.commands.data.margin_flow import bends
from implicitbias.commands.data.zeta import penalty_digits
from implicitbias.convex.biases.interpolant import bias_penalised_interpolant
from implicitbias.convex.kkt.points import KKTPoint, KKTUnit
from implicitbias.exact.rational import Interval


def test_a_decimal_ends_where_the_enclosure_does() -> None:
    def decimal(low: str, high: str) -> object:
        found = as_json(Interval(Fraction(low), Fraction(high)))
        assert found is not None
        return found["decimal"]

    assert decimal("3.331", "3.347") == "3.3"
    assert decimal("5.9", "12.6") is None
    assert decimal("1.23456789012344", "1.23456789012345") == "1.23456789012"
    assert decimal("-0.5001", "-0.4999") == "-0.5"
    assert as_text(Interval(Fraction(6), Fraction(12)), "pi**2") == "pi**2 = 9 ± 3e+00"
    assert penalty_digits(Interval(Fraction(2), Fraction("2.002")), None) == "0.5"
    assert penalty_digits(Interval(Fraction(0), Fraction(1)), None) is None


def test_a_cost_that_is_enclosed_widely_has_few_digits(run: Callable[..., Any]) -> None:
    ran = run("cost", "--formula", "sin(x)/(1+x**2)", "--json")
    cost = json.loads(ran.out)["cost"]
    low, high = (float(end) for end in cost["interval"])
    assert low < 3.3359 < high
    assert cost["decimal"] is None or len(cost["decimal"]) - 2 < -np.log10((high - low) / high) + 1.5


def test_results_are_called_with_numbers_and_arrays() -> None:
    at = np.array([[0.5, np.nan], [1.5, -1.0]])
    exact = ib.min_norm_interpolant([0, 1, 2], [0, 1, 0])
    assert (exact(Fraction(1, 2)), exact(0.5)) == (Fraction(1, 2), 0.5)
    for found in (exact, ib.ramp_interpolant([0, 1, 2], [0, 1, 0]), bias_penalised_interpolant([0, 1, 2], [0, 1, 0])):
        values = found(at)
        assert np.array_equal(np.isnan(values), np.isnan(at))
        assert values[0, 0] == pytest.approx(float(found(Fraction(1, 2))), rel=1e-12)
    classes = ib.max_margin([0, 1, 2], ["a", "b", "a"])
    found = classes.classify(np.array([[0.0, 1.0], [2.0, 1.0]]))
    assert found.tolist() == [["a", "b"], ["a", "b"]]
    assert [classes.classify(t) for t in (0, 1, 2)] == ["a", "b", "a"]


def test_units_with_one_kink_bend_together() -> None:
    units = (
        KKTUnit(1, Fraction(2), frozenset({1}), {}),
        KKTUnit(1, Fraction(3), frozenset({1}), {}),
        KKTUnit(-1, Fraction(1), frozenset({0}), {}),
    )
    point = KKTPoint((Fraction(-1), Fraction(1)), (-1, 1), {0: Fraction(1), 1: Fraction(1, 2)}, units)
    assert bends(point) == [(-1.0, 2.5), (1.0, -1.0)]


def test_a_flow_s_document_holds_parameters_and_multipliers(tmp_path: Path, run: Callable[..., Any]) -> None:
    data = tmp_path / "labelled.csv"
    data.write_text("x,label\n-2,a\n-1,b\n1,b\n2,a\n")
    ran = run("margin", data, "--flow", "--json")
    document = json.loads(ran.out)
    limit = document["limit"]
    assert limit is not None
    x = np.array([-2.0, -1.0, 1.0, 2.0])
    f = sum(u["v"] * np.maximum(u["w"] * x + u["b"], 0) for u in limit["units"])
    margins = np.array([document["labels"][k] for k in "abba"]) * f
    assert margins.min() == pytest.approx(1, abs=1e-6)
    assert sum(u["v"] ** 2 for u in limit["units"]) == pytest.approx(limit["cost"])
    assert sum(m["value"] for m in limit["multipliers"]) == pytest.approx(limit["cost"], rel=1e-6), "Σλ = ½|θ|²"
    assert [m["x"] for m in limit["multipliers"]] == limit["support"]
    places = [bend["x"] for bend in limit["bends"]]
    assert places == sorted(set(places))
