"""`implicitbias margin --norm tv`: two classes, several inputs."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from implicitbias.certificate.kernel import check_file
from implicitbias.cli import main

XOR = "u,v,kind\n-1,-1,cat\n-1,1,dog\n1,-1,dog\n1,1,cat\n2,2,cat\n"


def write(folder: Path, text: str) -> str:
    file = folder / "points.csv"
    file.write_text(text)
    return str(file)


def test_bounds_units_and_a_certificate_that_the_checker_accepts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    proof = tmp_path / "proof.json"
    assert main(["margin", write(tmp_path, XOR), "--norm", "tv", "--json", "--certificate", str(proof)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert Fraction(document["lower"]) ** 2 <= 8 <= Fraction(document["upper"]) ** 2
    assert document["classes"] == {"cat": -1, "dog": 1}
    assert (document["support"], document["strong_units"], document["inputs"]) == (4, 4, ["u", "v"])
    assert document["margin_decimal"] == repr(1 / float(document["cost_decimal"]))
    assert check_file(str(proof)).valid


def test_people_read_bounds_margin_and_units(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["margin", write(tmp_path, XOR), "--norm", "tv"]) == 0
    said = capsys.readouterr().out
    assert "f >= 1 at dog and f <= -1 at cat" in said
    assert "4 of 5 points decide" in said


def test_labels_that_are_numbers_come_in_their_order_and_columns_are_chosen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path, "y,a,b\n10,0,1\n9,1,0\n10,2,2\n")
    assert main(["margin", file, "--norm", "tv", "--json", "--x", "b,a"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["classes"], document["inputs"], document["label"]) == ({"9": -1, "10": 1}, ["b", "a"], "y")


@pytest.mark.parametrize(
    ("text", "arguments", "expected"),
    [
        ("0,1,a\n1,1,b\n2,2,c\n", [], "has 3: a, b, c"),
        ("0,1,a\n1,1,a\n", [], "has 1: a"),
        ("0,1,a\n0,1,b\n", [], "another label"),
        ("0,1,a\n1,1,\n", [], "the label is missing"),
        (XOR, ["--bins", "2"], "--bins belong"),
        (XOR, ["--kinks", "0:1"], "--kinks belong"),
    ],
)
def test_what_is_no_such_problem_is_refused(
    text: str, arguments: list[str], expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["margin", write(tmp_path, text), "--norm", "tv", *arguments]) == 2
    assert expected in capsys.readouterr().err
