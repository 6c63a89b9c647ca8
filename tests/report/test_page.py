"""A claim as a page: everything a reader needs to judge it, with the counterexamples and the kill matrix."""

from __future__ import annotations

import io

import pytest
from rich.cells import cell_len

from implicitbias.report.page import page
from implicitbias.report.words import show


@pytest.fixture
def text(report):
    def at(index: int, width: int = 100) -> str:
        stream = io.StringIO()
        show(page(report.standings[index], report.papers[0], report.standings), stream, width)
        return stream.getvalue()

    return at


def test_the_page_shows_statement_symbols_hypotheses_and_flaw(text):
    shown = text(0)
    for part in ("Theorem 1", "✎ CORRECTED", "The least cost is the larger", "f is continuous", "max(T, |s|)",
                 "the total variation of f′", "max(T, s)", "misprint", "max(T, |s|)", "The bars are lost",
                 "the text says |s|"):  # fmt: skip
        assert part in shown


def test_every_control_shows_why_it_tempts_and_what_rejects_it(text):
    shown = text(0)
    assert "T + |s|  both seem to be paid for" in shown
    assert "✗ checks 1 and 2: case 1 at T = 2, s = -3: observed 3, the candidate says 5 (off by 2)" in shown


def test_the_kill_matrix_has_a_row_a_control_and_a_column_a_check(text):
    rows = [line.split() for line in text(0).split("which check rejects")[1].split("\n")]
    assert ["check", "1", "2"] in rows
    assert ["T", "+", "|s|", "✗", "✗"] in rows
    assert ["as", "printed", "✗", "✗"] in rows
    assert ["T", "✓"] in [line.split() for line in text(1).split("\n")]


def test_a_surviving_control_is_named_and_one_that_no_check_has_met_is_not(text):
    assert "THE CONTROL T SURVIVES" in text(1)
    assert "SURVIVES" not in text(2)


def test_a_claim_that_was_not_run_shows_its_acceptance_rule(text):
    shown = text(2)
    assert "the interval lies within [0.9, 1.1]" in shown
    assert "our own result, beside Lemma 3  A sharper bound" in shown


@pytest.mark.parametrize("width", [40, 80, 120])
def test_the_page_keeps_within_its_width(text, width):
    for i in range(3):
        assert all(cell_len(line) <= width for line in text(i, width).split("\n"))
