"""`implicitbias predict` of a table with several inputs, as a user runs it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from implicitbias.laws.isotropic.build import isotropic_law
from implicitbias.splines.several_inputs.limit import several_inputs_limit

X = [[-1.0, -1], [1, 1], [0, 0], [-1, 1], [1, -1]]
Y = [1.5, 1.5, 0.5, -0.5, -0.5]
SPHERE = ("--weight", "sphere(1)", "--bias", "uniform(-2,2)")
GAUSSIAN = ("--weight", "normal(0,1)", "--bias", "normal(0,1)")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "square.csv"
    path.write_text("a,b,y\n" + "".join(f"{a},{b},{y}\n" for (a, b), y in zip(X, Y, strict=True)))
    return path


@pytest.mark.parametrize(
    ("options", "given"),
    [((), {}), (("--adjust", "exact"), {"adjust": "exact"}), (("--time", "5"), {"time": 5.0})],
    ids=str,
)
@pytest.mark.parametrize("law", [SPHERE, GAUSSIAN], ids=["sphere", "normal"])
def test_the_document_holds_the_limit(run: Callable[..., Any], table: Path, law: Any, options: Any, given: Any) -> None:
    done = run("predict", table, *law, "--json", *options, "--at", "0.5,-0.5", "-1,0")
    assert done.code == 0, done.err
    document = json.loads(done.out)
    expected = several_inputs_limit(X, Y, isotropic_law(law[1], law[3]), **given)
    assert document["at"] == [[0.5, -0.5], [-1, 0]]
    assert np.allclose(document["prediction"], expected([[0.5, -0.5], [-1, 0]]), atol=1e-14)
    assert document["inputs"] == ["a", "b"]
    assert document["time"] == given.get("time")


def test_by_default_the_places_are_the_data(run: Callable[..., Any], table: Path) -> None:
    done = run("predict", table, *SPHERE)
    assert done.code == 0
    assert "inputs a, b; W ~ sphere(1), B ~ uniform(-2,2)" in done.out
    assert [float(line.split()[-1]) for line in done.out.splitlines()[-5:]] == pytest.approx(Y)


def test_named_columns_are_one_input(run: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "three.csv"
    path.write_text("a,b,y\n0,5,1\n1,6,0\n2,5,1\n")
    done = run("predict", path, *GAUSSIAN, "--x", "a", "--y", "y", "--json")
    assert done.code == 0
    assert "spline" in json.loads(done.out)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--weight", "uniform(-1,1)", "--bias", "normal(0,1)"), "with several inputs the laws are"),
        (("--weight", "sphere(1)", "--bias", "uniform(-1,1)"), "datum 1 lies 1.41421 from the origin"),
        ((*GAUSSIAN, "--at", "3"), "places with 2 coordinates"),
        (("--zeta", "1"), "--zeta belongs to one input"),
        ((*GAUSSIAN, "--train", "64"), "--train belongs to one input"),
        ((), "with several inputs give --weight"),
        ((*GAUSSIAN, "--adjust", "some"), "adjust is one of"),
    ],
    ids=str,
)
def test_what_cannot_be_answered_is_refused_in_words(
    run: Callable[..., Any], table: Path, arguments: Any, says: str
) -> None:
    done = run("predict", table, *arguments)
    assert done.code == 2
    assert says in done.err
