"""Quotations are looked up in the texts they name; what is not found is said, with the edition."""

from __future__ import annotations

import json

import pytest

from .conftest import STANDINGS


@pytest.fixture
def texts(tmp_path):
    (tmp_path / "tested_1.txt").write_text("It is clear that every square is a def-\ninite   *circle*.")
    (tmp_path / "tested_2.txt").write_text("every square is\na square")
    return tmp_path


def test_words_are_found_whatever_the_line_ends_hyphens_and_marks(run, texts):
    ran = run("errata", "--check", texts, "--claims", STANDINGS)
    assert ran.code == 0
    assert "2 of 2 quotations in words found" in ran.out
    assert "1 readings of formulas, each with edition and place" in ran.out


@pytest.mark.parametrize(
    ("file", "text", "says"),
    [
        ("tested_1.txt", "every square is an infinite circle", "not found in tested_1.txt: every square is a"),
        ("tested_2.txt", "every square is a circle", "not found in tested_2.txt: every square is a square"),
        ("tested_1.txt", None, "there is no tested_1.txt"),
    ],
)
def test_words_that_the_text_has_not_are_named_with_their_erratum(run, texts, file, text, says):
    if text is None:
        (texts / file).unlink()
    else:
        (texts / file).write_text(text)
    ran = run("errata", "--check", texts, "--claims", STANDINGS)
    assert ran.code == 1
    assert "tested-e2" in ran.out
    assert says in " ".join(ran.out.split())
    readings = json.loads(run("errata", "--check", texts, "--claims", STANDINGS, "--json").out)["readings"]
    assert [r["erratum"] for r in readings if r["says"]] == ["tested-e2"]
