"""`implicitbias interpolate` as a user runs it."""

from __future__ import annotations

import json
import random
import time
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from implicitbias.certificate.kernel import check_file
from implicitbias.cli import main
from implicitbias.convex.programmes.linear_programme import optimum


def write(folder: Path, text: str | bytes) -> str:
    file = folder / "points.csv"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(file)


def run_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["interpolate", *arguments, "--json"]) == 0
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    return document


def test_the_document_says_everything_in_exact_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path, "x,y\n-2.7,-8.2\n-1.8,-5.3\n2,5.9\n4.9,14.6\n")
    document = run_json(capsys, file)
    assert document == {
        "schema": 1,
        "source": file,
        "points": 4,
        "cost": "560/171",
        "cost_decimal": "3.27485380117",
        "unique": False,
        "regime": "end slopes",
        "interior_variation": "56/171",
        "end_line_sum": "56/9",
        "correction": "56/19",
        "end_slopes": [["47/171", "3"], ["29/9", "1/19"]],
        "free_intervals": [],
        "free_outside": True,
        "knots": ["-27/10", "-9/5", "2", "49/10"],
        "values": ["-41/5", "-53/10", "59/10", "73/5"],
        "slopes": ["47/171", "29/9", "56/19", "3", "3"],
        "certified": True,
        "certificate": None,
    }


@pytest.mark.parametrize("regime", ["interior variation", "end slopes"])
def test_random_data_agree_with_an_exact_programme(
    regime: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = random.Random(regime)
    x = [Fraction(v, 8) for v in sorted(rng.sample(range(-99, 99), 12))]
    y = [Fraction(rng.randint(-99, 99), 4) for _ in x]
    if regime == "end slopes":
        y = [5 * v + Fraction(rng.randint(-1, 1), 64) for v in x]
    file = write(tmp_path, "".join(f"{float(v)!r},{float(w)!r}\n" for v, w in zip(x, y, strict=True)))
    document = run_json(capsys, file)
    ramps = [[max(Fraction(0), sign * (at - b)) for sign in (1, -1) for b in x] for at in x]
    rows = [[*row, *(-v for v in row), Fraction(1)] for row in ramps]
    units = 4 * len(x)
    exact = optimum([1] * units + [0], rows, y, free=[False] * units + [True]).value
    assert Fraction(document["cost"]) == exact
    assert document["regime"] == regime
    slopes = [Fraction(slope) for slope in document["slopes"]]
    assert max(sum(abs(q - p) for p, q in pairwise(slopes)), abs(slopes[0] + slopes[-1])) == exact


def test_people_read_the_cost_the_function_and_where_it_is_free(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["interpolate", write(tmp_path, "0,0\n1,0\n2,1\n3,0\n4,0\n5,3\n")]) == 0
    said = capsys.readouterr().out
    assert "cost        7, the smallest" in said
    assert "f'(-∞) = 0, f'(+∞) = 3, and no other pair" in said
    assert "no: the functions that attain it differ between 3 and 4" in said
    assert main(["interpolate", write(tmp_path, "0,0\n1,1\n2,0\n")]) == 0
    assert "yes: the linear spline is the only function" in capsys.readouterr().out
    assert main(["interpolate", write(tmp_path, "0,0\n1,3\n")]) == 0
    said = capsys.readouterr().out
    assert "from (0, 3) to (3, 0)" in said
    assert "differ outside the data" in said


def test_the_certificate_is_written_whole_and_passes_the_checker(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    proof = tmp_path / "proof.json"
    proof.write_text("something older")
    document = run_json(capsys, write(tmp_path, "0,0\n1,1/3\n2,0\n"), "--certificate", str(proof))
    assert document["certificate"] == str(proof)
    outcome = check_file(str(proof))
    assert outcome.valid
    assert "the 3 data points" in outcome.statement
    assert json.loads(proof.read_text())["claim"]["value"] == document["cost"] == "2/3"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["points.csv", "proof.json"]


def test_nothing_is_claimed_when_the_checker_refuses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from implicitbias.convex.minimum_norm import interpolants as minimum_norm

    def wrong(*_: object) -> dict[str, Any]:
        return {"format": "implicitbias certificate"}

    monkeypatch.setattr(minimum_norm.Interpolant, "certificate", wrong)
    proof = tmp_path / "proof.json"
    assert main(["interpolate", write(tmp_path, "0,0\n1,1\n"), "--certificate", str(proof)]) == 4
    said = capsys.readouterr()
    assert "the checker refuses the certificate" in said.err
    assert said.out == ""
    assert not proof.exists()


@pytest.mark.parametrize("target", ["missing/proof.json", "."])
def test_a_certificate_that_cannot_be_written_is_no_traceback(
    target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path, "0,0\n1,1\n")
    assert main(["interpolate", file, "--certificate", str(tmp_path / target)]) == 2
    said = capsys.readouterr()
    assert "the certificate cannot be written to" in said.err
    assert said.out == ""
    assert [entry.name for entry in tmp_path.iterdir()] == ["points.csv"]


def test_columns_are_chosen_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path, "a,b,c\n9,0,1\n8,1,0\n7,2,1\n")
    assert run_json(capsys, file, "--x", "b", "--y", "c")["cost"] == "2"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("0,0\n1,nan\n", "line 2"),
        ("0,0\ninf,1\n", "line 2"),
        ("0,0\n1,1\n1,1\n", "remove one"),
        ("0,0\n1,1\n1,2\n", "no function has two values"),
        ("0,0\n2,1\n1,2\n", "sort the lines by x"),
        ("0,0\n", "one point"),
        ("", "no data"),
        ("x,y\n", "no points"),
        ("0\n1\n", "1 column"),
        ("0,1e308\n1,1\n", "1e308"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "not text"),
    ],
)
def test_bad_input_is_a_message_and_exit_code_2(
    text: str | bytes, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["interpolate", write(tmp_path, text)]) == 2
    said = capsys.readouterr()
    assert says in said.err
    assert "Traceback" not in said.err
    assert said.out == ""


@pytest.mark.parametrize("kind", ["rough", "nearly straight"])
def test_twenty_thousand_points_with_their_certificate_take_seconds(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(0)
    x = np.sort(rng.uniform(size=20_000)).tolist()
    y = [repr(v) for v in rng.normal(size=20_000).tolist()]
    if kind == "nearly straight":
        noise = rng.integers(0, 2, size=20_000).tolist()
        y = [str(Fraction(repr(v)) * 3 + Fraction(n, 10**30)) for v, n in zip(x, noise, strict=True)]
    file = write(tmp_path, "".join(f"{v!r},{w}\n" for v, w in zip(x, y, strict=True)))
    proof = tmp_path / "proof.json"
    start = time.process_time()
    assert main(["interpolate", file, "--certificate", str(proof)]) == 0
    # About one second on an idle machine (six for 10⁵ points: the time is proportional), of this process alone.
    assert time.process_time() - start < 10
    assert ("≈3," in capsys.readouterr().out) == (kind == "nearly straight")
    assert check_file(str(proof)).valid
