"""`implicitbias interpolate --norm tv` as a user runs it."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
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


def test_with_a_penalty_the_loss_is_weighed_against_the_variation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    proof, file = tmp_path / "proof.json", write(tmp_path, B1)
    document = run_json(capsys, file, "--penalty", "0.2", "--certificate", str(proof))
    assert (document["penalty"], document["strong_units"]) == ("1/5", 2)
    assert document["loss"] + 0.2 * document["variation"] == pytest.approx(float(Fraction(document["upper"])))
    assert document["relative_gap"] < 1e-12
    # (2/n)·max|Σ y_i relu(θ·x̃_i)|, twice what the loss with 1/(2n) has
    assert document["largest_penalty"] == pytest.approx(2 * 0.485912657904)
    assert check_file(str(proof)).valid
    assert main(["interpolate", file, "--norm", "tv", "--penalty", "1"]) == 0
    said = capsys.readouterr().out
    assert "nothing is fitted" in said
    assert "none: f = 0" in said


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--norm", "tv", "--penalty", "-1"], "must be positive"),
        (["--norm", "tv", "--penalty", "much"], "--penalty"),
        (["--penalty", "1"], "take all with --norm tv"),
    ],
)
def test_bad_penalties_are_refused(
    arguments: list[str], expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["interpolate", write(tmp_path, B1), *arguments]) == 2
    assert expected in capsys.readouterr().err


def test_points_that_repeat_are_named_where_the_loss_counts_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["interpolate", write(tmp_path, "1,2,0\n3,4,1\n1,2,0\n"), "--norm", "tv", "--penalty", "1"]) == 2
    assert "lines 1, 3 hold the same point" in capsys.readouterr().err


@pytest.mark.parametrize(
    "text",
    ["1,2,3,1\n", "0,0,1\n1,2,0\n2,4,2\n3,6,-1\n", "1,0,0,0,2\n0,1,0,0,-1\n", "1,2,1\n3,4,2\n1,2,1\n", "5,0\n6,0\n"],
    ids=["one point", "points on a line", "more inputs than points", "a point twice", "labels of zero"],
)
def test_degenerate_data_have_an_answer(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, write(tmp_path, text))
    assert document["relative_gap"] < 1e-10


def test_whether_there_are_other_minimisers_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = run_json(capsys, write(tmp_path, B1))
    assert (one["unique"], one["dimension_of_minimisers"], one["contacts"]) == (True, 0, 2)
    generator = np.random.default_rng(2)
    x, y = np.sort(generator.uniform(-2, 2, 8)), generator.standard_normal(8)
    file = write(tmp_path, "".join(f"{a},{b}\n" for a, b in zip(x.tolist(), y.tolist(), strict=True)))
    many = run_json(capsys, file)
    assert (many["unique"], many["dimension_of_minimisers"], many["contacts"]) == (False, 4, 12)
    assert main(["interpolate", file, "--norm", "tv"]) == 0
    assert "a polytope of dimension 4, with units in 12 directions" in capsys.readouterr().out


def test_what_every_minimiser_has_is_written_where_it_is_proved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    proof = tmp_path / "all.json"
    assert run_json(capsys, write(tmp_path, B1), "--all-minimisers", str(proof))["unique"]
    outcome = check_file(str(proof))
    assert outcome.valid
    assert "every minimiser has two atoms of opposite signs" in outcome.statement
    for text, expected in (
        ("0.3,0.1,1\n1.7,-0.2,0\n-0.4,0.9,2\n0.2,0.8,-1\n", "nothing is proved"),
        ("-2,1\n0,0.5\n2,1\n", "no two atoms of opposite signs"),
    ):
        assert main(["interpolate", write(tmp_path, text), "--norm", "tv", "--all-minimisers", str(proof)]) == 2
        assert expected in capsys.readouterr().err
    assert main(["interpolate", write(tmp_path, "0,1\n1,2\n"), "--all-minimisers", str(proof)]) == 2
    assert "belongs to --norm tv" in capsys.readouterr().err


def many(folder: Path, n: int, d: int) -> str:
    x = np.random.default_rng(n).normal(size=(n, d)).round(6)
    names = ",".join(f"x{k}" for k in range(d))
    rows = [",".join(map(str, row)) + f",{abs(row[0]):.3f}" for row in x]
    return write(folder, "\n".join([names + ",y", *rows]) + "\n")


@pytest.mark.parametrize("penalty", [("--penalty", "0.1"), ()])
def test_where_cells_are_too_many_the_certificate_has_cones(
    penalty: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, proof = many(tmp_path, 28, 3), tmp_path / "proof.json"
    document = run_json(capsys, file, *penalty, "--certificate", str(proof))
    assert document["cells"] is None
    assert document["cones"] > 100
    assert 0 < Fraction(document["lower"]) <= Fraction(document["upper"])
    assert document["relative_gap"] < 2e-3
    assert check_file(str(proof)).valid
    claim = json.loads(proof.read_text())["claim"]
    assert Fraction(document["lower"]) <= Fraction(claim["lower"]), "no more is said than is proved"
    assert Fraction(claim["upper"]) <= Fraction(document["upper"])
    assert main(["interpolate", file, *penalty, "--norm", "tv"]) == 0
    said = capsys.readouterr().out
    assert "cones " in said
    assert "certified" in said


def test_too_many_points_or_inputs_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["interpolate", many(tmp_path, 1001, 2), "--norm", "tv", "--penalty", "1"]) == 2
    assert "at most 500 points are taken" in capsys.readouterr().err
    assert main(["interpolate", many(tmp_path, 40, 6), "--norm", "tv"]) == 2
    assert "only 2 to 5 inputs are taken" in capsys.readouterr().err


def test_a_penalty_that_leaves_nothing_is_proved_where_cells_are_many(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = run_json(capsys, many(tmp_path, 28, 3), "--penalty", "1000000")
    assert document["cells"] is None
    assert document["strong_units"] == 0
    assert Fraction(document["lower"]) > 0
    assert document["relative_gap"] < 1e-15
