"""`implicitbias margin` as a user runs it."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from implicitbias.certificate.kernel import check_file
from implicitbias.cli import main
from implicitbias.convex.margin.arithmetic import Balls
from implicitbias.convex.margin.classifier import MaxMargin, max_margin

WORDS = "x,label\n-1,cat\n-0.5,dog\n0,owl\n0.5,dog\n1,cat\n"


def write(folder: Path, text: str) -> str:
    file = folder / "labels.csv"
    file.write_text(text)
    return str(file)


def run_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["margin", *arguments, "--json"]) == 0
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    return document


def test_labels_may_be_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, write(tmp_path, WORDS))
    assert document["classes"] == ["cat", "dog", "owl"]
    assert Fraction(document["lower"]) <= Fraction("13.5035193094") <= Fraction(document["upper"])
    assert document["relative_gap"] < 1e-8
    assert document["support"] == [-1, -0.5, 0, 0.5, 1]
    assert [region["class"] for region in document["regions"]] == ["cat", "dog", "owl", "dog", "cat"]
    assert document["certified"] is True
    assert abs(document["margin"] * document["value"] - 1) < 1e-12
    score = [0.0, 0.0, 0.0]
    for ramp in document["ramps"]:
        height = max(0, -ramp["kink"] if ramp["side"] == "right" else ramp["kink"])
        score = [s + height * w for s, w in zip(score, ramp["weights"], strict=True)]
    assert min(score[2] - score[0], score[2] - score[1]) >= 1 - 1e-9


def test_people_read_the_value_its_bounds_the_support_and_the_classifier(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["margin", write(tmp_path, WORDS)]) == 0
    said = capsys.readouterr().out
    assert "5 points of" in said
    assert "3 classes" in said
    assert "value       13.5035193," in said
    assert "certified between 13.5035193" in said
    assert "5 of 5 points" in said
    assert "owl  from -0.25 to 0.25" in said
    assert "o⠉" in said or "o⣀" in said


def test_the_certificate_passes_the_checker(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    proof = tmp_path / "proof.json"
    document = run_json(capsys, write(tmp_path, WORDS), "--certificate", str(proof))
    assert document["certificate"] == str(proof)
    outcome = check_file(str(proof))
    assert outcome.valid
    assert "into 3 classes with margin 1" in outcome.statement
    assert main(["check-certificate", str(proof)]) == 0


def test_bins_turn_regression_into_classes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path, "".join(f"{i / 10},{abs(i / 10)}\n" for i in range(-10, 11)))
    document = run_json(capsys, file, "--bins", "5")
    assert len(document["classes"]) == 5
    assert len(document["support"]) == 18
    assert abs(document["value"] / 130.11823146 - 1) < 1e-8
    scaled = write(tmp_path, "".join(f"{i / 10},{abs(i) * 7 - 3}\n" for i in range(-10, 11)))
    assert main(["margin", scaled, "--bins", "5", "--json"]) == 0
    said = capsys.readouterr()
    assert "scaled" in said.err
    assert abs(json.loads(said.out)["value"] / 130.11823146 - 1) < 1e-8


def test_numbers_are_classes_by_value_and_in_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_json(capsys, write(tmp_path, "0,10\n0.5,2\n1,2.0\n"))["classes"] == ["2", "10"]


def test_lines_need_no_order_and_may_repeat_a_point(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["margin", write(tmp_path, "1,b\n-1,a\n0,a\n-1,a\n"), "--json"]) == 0
    said = capsys.readouterr()
    assert "1 repeated" in said.err
    assert json.loads(said.out)["points"] == 3


@pytest.mark.parametrize("seed", range(3))
def test_hidden_optima_are_bracketed_for_many_classes(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = random.Random(seed)
    k = rng.choice([7, 12, 20])
    x = sorted(rng.sample(range(-999, 1000), 30))
    labels = [rng.randrange(k) for _ in x]
    document = run_json(capsys, write(tmp_path, "".join(f"{v / 1000},c{w}\n" for v, w in zip(x, labels, strict=True))))
    again = max_margin([Fraction(-v, 1000) for v in reversed(x)], labels[::-1])
    assert Fraction(document["lower"]) <= again.upper
    assert again.lower <= Fraction(document["upper"])
    assert document["relative_gap"] < 1e-8


@pytest.mark.parametrize(
    ("text", "options", "says"),
    [
        ("-1,a\n0,a\n1,a\n", (), "one class only"),
        ("0,a\n", (), "one class only"),
        ("0,a\n0,b\n1,a\n", (), "'a' on line 1 and 'b' on line 2"),
        ("0,a\n1,nan\n", (), "line 2: the label is nan"),
        ("0,1\n1,NaN\n", (), "line 2: the label is NaN"),
        ("0,a\n1,\n", (), "line 2: the label is missing"),
        ("0,a\n1\n", (), "line 2: the label is missing"),
        ("nan,a\n1,b\n", (), "line 1"),
        ("", (), "no data"),
        ("x,label\n", (), "no points"),
        ("0\n1\n", (), "1 column"),
        ("0,a\n1,b\n", ("--bins", "3"), "words"),
        ("0,0\n1,1\n", ("--bins", "1"), "between 2 and"),
        ("0,0\n1,1\n", ("--bins", "1000000"), "between 2 and"),
        ("0,a\n2,b\n", ("--kinks", "0:1"), "widen the range"),
        ("0,a\n2,b\n", ("--kinks", "1"), "range A:B"),
        ("0,a\n2,b\n", ("--kinks", "1:nan"), "--kinks"),
        ("0,a\n1,b\n", ("--certificate", "-"), "name a file"),
        ("0,a\n1,b\n", ("--label", "animal"), "no column 'animal'"),
    ],
)
def test_bad_input_is_a_message_and_exit_code_2(
    text: str, options: tuple[str, ...], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["margin", write(tmp_path, text), *options]) == 2
    said = capsys.readouterr()
    assert says in said.err
    assert "Traceback" not in said.err
    assert said.out == ""


@pytest.mark.parametrize("bins", [500, 5000])
def test_more_classes_than_points_are_an_answer(bins: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, write(tmp_path, "-1,0\n0,0.5\n1,1\n"), "--bins", str(bins))
    assert len(document["classes"]) == bins
    assert document["relative_gap"] < 1e-8


def test_one_point_a_class_is_an_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, write(tmp_path, "".join(f"{i},c{i}\n" for i in range(6))))
    assert len(document["support"]) == 6
    assert document["relative_gap"] < 1e-8


def test_too_many_points_that_matter_are_refused_by_their_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = random.Random(0)
    file = write(tmp_path, "".join(f"{i},{rng.randrange(3)}\n" for i in range(60_000)))
    assert main(["margin", file]) == 2
    assert "more than the 80000 that are solved for" in capsys.readouterr().err


def test_many_points_in_few_runs_are_an_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, write(tmp_path, "".join(f"{i},{i // 4000}\n" for i in range(12_000))))
    assert len(document["support"]) == 6
    assert document["points"] == 12_000


def test_nothing_is_claimed_when_the_checker_refuses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    true = MaxMargin.certificate

    def forged(found: MaxMargin) -> dict[str, Any]:
        document = true(found)
        document["claim"]["upper"] = document["claim"]["lower"]
        return document

    monkeypatch.setattr(MaxMargin, "certificate", forged)
    proof = tmp_path / "proof.json"
    assert main(["margin", write(tmp_path, WORDS), "--certificate", str(proof)]) == 4
    said = capsys.readouterr()
    assert "the checker refuses the certificate" in said.err
    assert said.out == ""
    assert not proof.exists()


def test_bounds_far_apart_are_undecided(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from implicitbias.convex.margin import programme as margin_programme

    monkeypatch.setattr(margin_programme, "FIRST", {"tolerance": 1e-3})
    monkeypatch.setattr(margin_programme, "STARTS", ())
    monkeypatch.setattr(Balls, "most", 0)
    monkeypatch.setattr(margin_programme, "ATTEMPTS", ({"tolerance": 1e-3},))
    assert main(["margin", write(tmp_path, WORDS), "--json"]) == 3
    said = capsys.readouterr()
    assert "more than 1e-08" in said.err
    document = json.loads(said.out)
    assert Fraction(document["lower"]) <= Fraction("13.5035193094") <= Fraction(document["upper"])
