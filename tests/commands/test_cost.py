"""`implicitbias cost` as a user runs it."""

from __future__ import annotations

import io
import json
import math
import sys
import time
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from implicitbias.cli import main
from implicitbias.commands.data.enclosures import as_json, as_text, decimal_interval
from implicitbias.exact.rational import Interval


def write(folder: Path, text: str | bytes) -> str:
    file = folder / "points.csv"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(file)


def run_json(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> dict[str, Any]:
    assert main(["cost", *arguments, "--json"]) == code
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    return document


def test_a_spline_is_continued_with_its_end_slopes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, write(tmp_path, "x,y\n0,0\n0.1,0.3\n0.3,0.1\n"))
    assert document["schema"] == 1
    assert document["points"] == 3
    assert document["total_variation"]["exact"] == "4"
    assert document["end_slope_sum"]["exact"] == "2"
    assert document["cost"] == {"exact": "4", "formula": None, "decimal": "4", "interval": None}
    assert [slope["exact"] for slope in document["end_slopes"]] == ["3", "-1"]


def test_given_slopes_replace_those_of_the_end_pieces(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path, "x,y\n0,0\n1,1\n")
    document = run_json(capsys, file, "--left-slope", "-1/3", "--right-slope", "5")
    assert document["total_variation"]["exact"] == "16/3"
    assert document["end_slope_sum"]["exact"] == "14/3"
    assert document["local_cost"]["exact"] == "16/3"
    one_point = run_json(capsys, write(tmp_path, "0,7\n"), "--left-slope", "1", "--right-slope", "1")
    assert (one_point["cost"]["exact"], one_point["local_cost"]["exact"]) == ("2", "1")


def test_words_and_document_agree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path, "t,a,b\n0,9,0\n3,9,1\n4,9,2\n")
    assert main(["cost", file, "--x", "t", "--y", "b"]) == 0
    shown = capsys.readouterr().out
    assert "2/3 ≈ 0.666666666667" in shown
    assert "4/3 ≈ 1.33333333333" in shown
    assert run_json(capsys, file, "--x", "1", "--y", "3")["cost"]["exact"] == "4/3"


def test_standard_input_is_a_dash(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"0,0\n1,1\n2,0\n")))
    assert run_json(capsys, "-")["cost"]["exact"] == "2"


@pytest.mark.parametrize(
    ("formula", "cost"),
    [("abs(x)", "2"), ("x", "2"), ("max(0,x)", "1"), ("abs(x) - abs(x-1)", "4"), ("tanh(x)", "2")],
)
def test_formulas_with_a_rational_cost(formula: str, cost: str, capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, "--formula", formula)
    assert (document["status"], document["cost"]["exact"]) == ("finite", cost)


def test_an_irrational_cost_is_enclosed_and_given_in_closed_form(capsys: pytest.CaptureFixture[str]) -> None:
    cost = run_json(capsys, "--formula", "exp(-x**2/2)")["cost"]
    assert (cost["exact"], cost["formula"], cost["decimal"]) == (None, "4*exp(-1/2)", "2.42612263885")
    lower, upper = (Fraction(end) for end in cost["interval"])
    with localcontext(prec=60):
        assert lower < Fraction(4 * Decimal("-0.5").exp()) < upper < lower + Fraction(1, 10**20)


def test_an_infinite_cost_says_why_and_is_no_failure(capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, "--formula", "x**2")
    assert (document["status"], document["cost"]) == ("infinite", None)
    assert main(["cost", "--formula", "x**2"]) == 0
    assert "R̄ = ∞: f' is unbounded" in capsys.readouterr().out


def test_both_readings_are_told_where_they_differ(capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, "--formula", "log(1+x**2)")
    assert document["cost"]["exact"] == "4"
    assert document["sup_norm"] == {"status": "infinite", "has_asymptotes": False}
    assert main(["cost", "--formula", "log(1+x**2)"]) == 0
    assert "definition (6)" in capsys.readouterr().out
    assert main(["cost", "--formula", "tanh(x)"]) == 0
    assert "definition (6)" not in capsys.readouterr().out


def test_what_cannot_be_decided_ends_with_exit_code_3(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_json(capsys, "--formula", "exp(exp(x))", code=3)["status"] == "undecided"


def test_a_time_limit_ends_the_search(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def never(formula: str) -> None:
        while True:
            pass

    monkeypatch.setattr("implicitbias.formulas.smooth.formula_cost", never)
    started = time.process_time()
    document = run_json(capsys, "--formula", "tanh(x)", "--time-limit", "0.2", code=3)
    assert time.process_time() - started < 10
    assert "0.2 s" in document["reason"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("0,1\n1,nan\n", "line 2, column 2: 'nan' is not a number"),
        ("0,1\ninf,2\n", "line 2, column 1: 'inf' is not a number"),
        ("0,1\n0,1\n", "with the same y"),
        ("0,1\n0,2\n", "with y=1.0 and y=2.0"),
        ("1,1\n0,2\n", "sort the lines by x"),
        ("0,1\n", "one point"),
        ("", "holds no data"),
        (b"\x7fELF\0\0", "is not text"),
        ("0,1\n1,1e308\n", "1e308 is outside"),
        ("0,1\n1,-1e308\n", "-1e308 is outside"),
    ],
)
def test_bad_data_ends_with_exit_code_2_and_a_message(
    text: str | bytes, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["cost", write(tmp_path, text)]) == 2
    captured = capsys.readouterr()
    assert says in captured.err
    assert captured.out == ""
    assert "Traceback" not in captured.err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "either a CSV file"),
        (["points.csv", "--formula", "x"], "not both"),
        (["--formula", "x", "--y", "1"], "--y belongs to a CSV file"),
        (["--formula", ""], "the formula is empty"),
        (["--formula", "__import__('os').system('true')"], "not part of the formula language"),
        (["--formula", "1/x"], "x = 0: division by zero"),
        (["nowhere.csv"], "there is no file nowhere.csv"),
        (["nowhere.csv", "--left-slope", "steep"], "--left-slope: 'steep' is not a number"),
    ],
)
def test_bad_usage_ends_with_exit_code_2_and_a_message(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["cost", *arguments]) == 2
    assert says in capsys.readouterr().err


def test_a_hundred_thousand_points_take_seconds_and_are_enclosed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(5)
    x = np.cumsum(rng.integers(1, 10**6, 100_000))
    y = rng.integers(-(10**6), 10**6, 100_000)
    file = write(tmp_path, "".join(f"{a / 1000:.3f},{b}\n" for a, b in zip(x, y, strict=True)))
    started = time.process_time()
    document = run_json(capsys, file)
    assert time.process_time() - started < 30
    slopes = np.diff(y) / (np.diff(x) / 1000)
    T = document["total_variation"]
    assert T["exact"] is None  # its denominator has some 10⁴ digits
    lower, upper = (Fraction(end) for end in T["interval"])
    assert lower < upper < lower * (1 + Fraction(1, 10**25))
    assert float(T["decimal"]) == pytest.approx(np.abs(np.diff(slopes)).sum(), rel=1e-9)


def test_numbers_are_written_so_that_nothing_is_claimed_too_precisely() -> None:
    third = Fraction(1, 3)
    assert decimal_interval(third, 5) == ("0.33333", "0.33334")
    assert decimal_interval(-third, 5) == ("-0.33334", "-0.33333")
    for number in (Fraction(10**40 + 1, 7), Fraction(-1, 10**9 + 7), Fraction(1, 3 * 10**90), Fraction(999_999, 10**6)):
        lower, upper = (Fraction(end) for end in decimal_interval(number, 12))
        assert lower <= number <= upper
        assert upper - lower <= abs(number) / 10**10
    assert as_json(Fraction(1, 3)) == {"exact": "1/3", "formula": None, "decimal": "0.333333333333", "interval": None}
    long = Fraction(10**4100 + 1, 3)
    assert as_json(long)["exact"] is None  # type: ignore[index]
    for width in (Fraction(1, 10**k) for k in range(1, 70, 6)):
        centre, _, radius = as_text(Interval(third, third + width)).partition(" ± ")
        low, high = Fraction(centre) - Fraction(radius), Fraction(centre) + Fraction(radius)
        assert low <= third < third + width <= high, width


@pytest.mark.parametrize(
    ("formula", "total", "slopes"),
    [("abs(x)*2**pi", 2 * 2**math.pi, 0.0), ("abs(x) + x*3**sqrt(2)", 2.0, 2 * 3 ** math.sqrt(2))],
)
def test_a_power_of_constants_may_be_irrational(run, formula, total, slopes):
    found = json.loads(run("cost", "--formula", formula, "--json").out)
    assert float(found["total_variation"]["decimal"]) == pytest.approx(total, rel=1e-10)
    assert float(found["end_slope_sum"]["decimal"]) == pytest.approx(slopes, rel=1e-10)
