"""`implicitbias interpolate --norm` as a user runs it."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from implicitbias.certificate.kernel import check_file
from implicitbias.cli import main
from implicitbias.convex.programmes.linear_programme import optimum

POINTS = "x,y\n-1,0\n-0.5,0\n0.5,1\n1,3\n"


def write(folder: Path, text: str) -> str:
    file = folder / "points.csv"
    file.write_text(text)
    return str(file)


def run_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["interpolate", *arguments, "--json"]) == 0
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    return document


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("wide", [False, True])
def test_problem_9_equals_an_exact_programme(
    seed: int, wide: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = random.Random(seed)
    x = [Fraction(v, 20) for v in sorted(rng.sample(range(-20, 21), 8))]
    y = [Fraction(rng.randint(-99, 99), 4) + rng.choice([0, 30]) for _ in x]
    A, B = (Fraction(-3), Fraction(2)) if wide else (Fraction(-1), Fraction(1))
    file = write(tmp_path, "".join(f"{float(v)!r},{float(w)!r}\n" for v, w in zip(x, y, strict=True)))
    proof = tmp_path / "proof.json"
    options = ["--kinks", "-3:2"] if wide else []
    document = run_json(capsys, file, "--norm", "problem-9", "--certificate", str(proof), *options)
    ramps = [
        [max(Fraction(0), at - c) for c in sorted({A, *x})] + [max(Fraction(0), c - at) for c in sorted({*x, B})]
        for at in x
    ]
    rows = [[*row, *(-v for v in row)] for row in ramps]
    assert Fraction(document["cost"]) == optimum([1] * len(rows[0]), rows, y).value
    assert sum(abs(Fraction(ramp["weight"])) for ramp in document["ramps"]) == Fraction(document["cost"])
    assert check_file(str(proof)).valid
    assert document["kinks"] == [str(A), str(B)]


def test_the_three_norms_differ(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path, POINTS)
    assert run_json(capsys, file)["cost"] == run_json(capsys, file, "--norm", "representation-cost")["cost"] == "4"
    assert run_json(capsys, file, "--norm", "problem-9")["cost"] == "4"
    other = run_json(capsys, file, "--norm", "problem-4")
    assert Fraction(other["lower"]) ** 2 <= 17 <= Fraction(other["upper"]) ** 2
    constant = write(tmp_path, "-1,1\n1,1\n")
    assert run_json(capsys, constant)["cost"] == "0"
    assert run_json(capsys, constant, "--norm", "problem-9")["cost"] == "1"


def test_people_read_the_ramps(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["interpolate", write(tmp_path, POINTS), "--norm", "problem-9"]) == 0
    said = capsys.readouterr().out
    assert "cost      4, the smallest Σ|w|" in said
    assert "right  -0.5       1" in said
    assert "yes, among optima with kinks at the data" in said
    assert main(["interpolate", write(tmp_path, POINTS), "--norm", "problem-4"]) == 0
    said = capsys.readouterr().out
    assert f"{sqrt(17):.12f}"[:11] in said
    assert "right  0.25  4.12311" in said


@pytest.mark.parametrize("norm", ["problem-9", "problem-4"])
def test_the_certificate_passes_the_checker(norm: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    proof = tmp_path / "proof.json"
    assert run_json(capsys, write(tmp_path, POINTS), "--norm", norm, "--certificate", str(proof))["certified"] is True
    assert main(["check-certificate", str(proof)]) == 0
    assert "through the 4 data points" in capsys.readouterr().out


def test_data_beyond_the_unit_interval_have_kinks_between_their_ends(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = run_json(capsys, write(tmp_path, "0,1\n4,1\n"), "--norm", "problem-9")
    assert document["kinks"] == ["0", "4"]
    assert document["cost"] == "1/2"


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--kinks", "0:1"), "belongs to --norm problem-9"),
        (("--norm", "problem-9", "--kinks", "0:1"), "widen the range"),
        (("--norm", "problem-9", "--kinks", "0-1"), "range A:B"),
        (("--norm", "problem-10"), "problem-10"),
    ],
)
def test_bad_options_are_a_message_and_exit_code_2(
    options: tuple[str, ...], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["interpolate", write(tmp_path, POINTS), *options]) == 2
    said = capsys.readouterr()
    assert says in said.err
    assert said.out == ""
