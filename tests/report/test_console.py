"""The report on a terminal: every claim in a table, what is not as expected by name, no noise."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.cells import cell_len

from implicitbias import report as reports
from implicitbias.report.summary import Report


def shown(report: Report) -> str:
    stream = io.StringIO()
    reports.write(report, stream)
    return stream.getvalue()


@pytest.mark.parametrize("columns", [40, 60, 80, 120, 160])
def test_no_line_is_wider_than_the_terminal_or_ends_in_blanks(report, columns, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    for line in shown(report).split("\n"):
        assert cell_len(line) <= columns
        assert line == line.rstrip(" ")


def test_every_claim_stands_in_the_table_with_its_checks_and_controls(report, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    lines = shown(report).split("\n")
    row = next(i for i, line in enumerate(lines) if line.startswith("✎ CORRECTED"))
    assert "Theorem 1  The cost of a function [of one variable]" in lines[row]
    assert "certificate ✓ CERTIFIED" in lines[row]
    assert lines[row].endswith("2/2")
    assert "proof       ∴ DERIVED" in lines[row + 1]
    assert "not fully" in lines[row + 1]
    assert "as printed  ✗ REFUTED" in lines[row + 2]
    assert any(line.startswith("· UNCHECKED") and "experiment  · not run" in line for line in lines)


def test_a_surviving_control_is_named_loudly(report):
    assert "THE CONTROL T SURVIVES" in shown(report)
    assert "THE CONTROL 2*T SURVIVES" not in shown(report), "its check has not run"


def test_the_summary_counts_claims_checks_and_controls(report):
    text = shown(report)
    assert "2 claims of the papers: 1 corrected, 1 broken" in text
    assert "1 result of our own: 1 unchecked" in text
    assert "3 of 4 controls rejected" in text
    assert "1 claim not as expected" in text


def test_a_good_run_ends_in_all_as_expected_and_lists_no_trouble(good_report):
    text = shown(good_report)
    assert text.rstrip().endswith("all as expected")
    assert "Not as expected" not in text


def test_an_interrupted_run_says_that_what_finished_is_kept(report):
    assert "what had finished is kept" in shown(replace(report, interrupted=True))


def test_no_escape_codes_reach_a_file(report):
    assert "\x1b" not in shown(report)
