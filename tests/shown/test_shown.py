"""What a notebook shows is short, obeys nothing that stands in it, and draws the numbers that are computed."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from fractions import Fraction
from html.parser import HTMLParser
from typing import Any

import matplotlib
import numpy as np
import pytest

import implicitbias as ib
from implicitbias.convex.penalised.fit import penalised_function
from implicitbias.errors import MissingExtraError
from implicitbias.shown.shown import said, table
from implicitbias.splines.raw_data import raw_data_limit

matplotlib.use("Agg")
from matplotlib import pyplot

X, Y = [0, 1, 2, 4], [0, 3, 1, 1]
LAW = ib.initialisation("normal(0,1)", "uniform(-5,5)")
FUNCTIONS: dict[str, Any] = {
    "PiecewiseLinear": ib.PiecewiseLinear([0, 2], [1, 0], -1, "1/2"),
    "Interpolant": ib.min_norm_interpolant(X, Y),
    "RampInterpolant": ib.ramp_interpolant(X, Y),
    "PenalisedFunction": penalised_function(X, Y, "1/10"),
    "AdaptiveSpline": ib.AdaptiveSpline(X, Y),
    "SmoothingSpline": ib.SmoothingSpline(X, Y),
    "KernelInterpolant": raw_data_limit(LAW, X, Y),
}
OTHERS: dict[str, Any] = {
    "MaxMargin": ib.max_margin(X, [0, 1, 1, 0]),
    "Optimality": ib.AdaptiveSpline(X, Y).optimality(),
    "SeveralInputsLimit": ib.several_inputs_limit(
        [[0, 0], [1, 0], [0, 1], [1, 2]], Y, ib.isotropic_law("normal(0,1)", "normal(0,1)")
    ),
}


class Tags(HTMLParser):
    """Every tag and attribute that a browser would see, and the text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen |= {tag, *(name for name, _ in attrs)}

    def handle_data(self, data: str) -> None:
        self.text += data + " "


@pytest.fixture(autouse=True)
def _close_what_was_drawn() -> Iterator[None]:
    yield
    pyplot.close("all")


@pytest.mark.parametrize(("name", "shown"), [*FUNCTIONS.items(), *OTHERS.items()])
def test_a_result_is_a_short_line_and_a_small_table(name: str, shown: Any) -> None:
    assert len(repr(shown)) < 250
    assert name in repr(shown)
    html = shown._repr_html_()
    assert len(html) < 2500
    tags = Tags(html)
    assert tags.seen <= {"table", "caption", "tr", "th", "td", "scope", "style"}
    assert name in tags.text


def test_the_tables_tell_the_numbers() -> None:
    assert "7 " in Tags(FUNCTIONS["Interpolant"]._repr_html_()).text
    assert FUNCTIONS["Interpolant"].cost == 7
    text = Tags(FUNCTIONS["PiecewiseLinear"]._repr_html_()).text
    assert re.search(r"pieces\s+3\s.*∫\|f''\|\s+3/2\s", text)
    assert "0: 1/2, 2: 1" in text


def test_what_is_written_in_them_is_not_obeyed() -> None:
    html = table("<script>alert(1)</script>", {"<b>": "<img src=x onerror=alert(1)>", "&": "\x1b[31m\u202e", "'": '"'})
    tags = Tags(html)
    assert tags.seen <= {"table", "caption", "tr", "th", "td", "scope", "style"}
    assert "<script>alert(1)</script>" in tags.text
    assert "\x1b" not in html
    assert "\u202e" not in html
    labels = ib.max_margin([0, 1], ["<script>", "b"])
    assert "script" not in Tags(labels._repr_html_()).seen


def test_long_numbers_are_short() -> None:
    assert said(Fraction(10**400, 3)) == "beyond 1e308"
    assert said(Fraction(1, 10**400)) == "nearly 0"
    assert said(np.float64(1 / 3)) == "0.333333"
    assert len(said("x" * 10**6)) <= 60
    many = ib.min_norm_interpolant(range(5000), [k * k % 7 for k in range(5000)])
    assert "data=5000" in repr(many)
    assert "cost" not in many._repr_html_()


@pytest.mark.parametrize(("name", "function"), FUNCTIONS.items())
def test_a_function_draws_the_values_that_it_has(name: str, function: Any) -> None:
    ax = function.plot()
    lines = {line.get_label(): line for line in ax.lines}
    x, y = lines[name].get_data()
    assert np.array_equal(y, np.asarray(getattr(function, "function", function)(x), dtype=float))
    assert len(x) > 500
    if name != "PiecewiseLinear":
        assert lines["data"].get_xdata().tolist() == X
        assert x[0] < 0 < 4 < x[-1]
    kinks = [float(at) for at, _ in getattr(function, "function", function).kinks] if "kinks" in lines else []
    assert ("kinks" in lines) == (name in list(FUNCTIONS)[:4])
    assert not kinks or lines["kinks"].get_xdata().tolist() == kinks
    assert set(kinks) <= set(x)
    _, (_, right) = pyplot.subplots(1, 2)
    assert function.plot(right) is right


def test_a_line_and_a_constant_are_drawn_too() -> None:
    assert len(ib.PiecewiseLinear.affine(1, 2).plot().lines) == 1
    assert ib.min_norm_interpolant([5], [1]).plot().lines


def test_an_inspection_draws_its_picture() -> None:
    found = ib.inspect({"w": [[1.0], [1.0]], "b": [0.0, -1.0], "v": [2.0, -3.0]}, [0, 1, 2], [1, 2, 0])
    labels = [line.get_label() for line in found.plot().lines]
    assert labels[0] == "the network"
    assert {"kinks", "data"} <= set(labels)
    assert ib.inspect({"w": [[1.0, 2.0]], "b": [0.0], "v": [2.0]}).plot().lines


@pytest.mark.parametrize("drawn", [FUNCTIONS["PiecewiseLinear"], FUNCTIONS["AdaptiveSpline"]])
def test_without_matplotlib_it_is_said_what_to_install(drawn: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=re.escape("pip install 'implicitbias[plot]'")):
        drawn.plot()
