"""`implicitbias interpolate --norm tv` as a user runs it."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from implicitbias.certificate.kernel import check_file
from implicitbias.cli import main

B1 = "u,v,y\n-4/3,5/4,0\n-4/3,-5/4,0\n4,1,1\n4,-1,-1\n"


def write(folder: Path, text: str) -> str:
    file = folder / "points.csv"
    file.write_text(text)
    return str(file)


def run_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["interpolate", *arguments, "--norm", "tv", "--json"]) == 0
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    return document


def test_bounds_units_and_a_certificate_that_the_checker_accepts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    proof = tmp_path / "proof.json"
    document = run_json(capsys, write(tmp_path, B1), "--certificate", str(proof))
    assert Fraction(document["lower"]) <= Fraction(5, 4) <= Fraction(document["upper"])
    assert document["relative_gap"] < 1e-12
    assert (document["inputs"], document["cells"], document["strong_units"]) == (["u", "v"], 14, 2)
    assert check_file(str(proof)).valid
    for x, y in (((Fraction(4), Fraction(-1)), -1), ((Fraction(-4, 3), Fraction(5, 4)), 0)):
        value = sum(
            Fraction(unit["c"])
            * max(Fraction(0), sum((Fraction(a) * t for a, t in zip(unit["a"], x, strict=True)), Fraction(unit["b"])))
            for unit in document["units"]
        )
        assert value == y


def test_people_read_the_bounds_and_the_units(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["interpolate", write(tmp_path, B1), "--norm", "tv"]) == 0
    said = capsys.readouterr().out
    assert "between 1.25 and 1.25" in said
    assert "0.48" in said


def test_columns_are_chosen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path, "a,y,b,c\n0,1,5,2\n1,3,7,0\n")
    assert run_json(capsys, file)["inputs"] == ["a", "b", "c"]
    chosen = run_json(capsys, file, "--x", "c,a", "--y", "b")
    assert (chosen["inputs"], chosen["label"]) == (["c", "a"], "b")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0,1,2\n0,1,3\n", "another label"),
        ("1\n2\n", "needs a column of inputs"),
        ("0,x\n1,2\n", "line 1, column 2"),
    ],
)
def test_bad_data_are_refused(text: str, expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["interpolate", write(tmp_path, text), "--norm", "tv"]) == 2
    assert expected in capsys.readouterr().err


def test_labels_that_are_all_zero_cost_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, write(tmp_path, "1,2,0\n3,4,0\n"))
    assert (document["lower"], document["upper"], document["units"]) == ("0", "0", [])
