"""The exit code: 0 as expected, 1 refuted or broken or a printed form that holds, 3 only undecided, 130 interrupted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from implicitbias.judging.result import ClaimStanding
from implicitbias.judging.verdict import Standing, Verdict
from implicitbias.report.summary import Report, exit_code


@pytest.fixture
def with_standing(good_report):
    def make(*standings: Standing) -> Report:
        one: ClaimStanding = good_report.standings[0]
        return Report(tuple(replace(one, standing=standing) for standing in standings), good_report.papers)

    return make


@pytest.mark.parametrize(
    ("standings", "code"),
    [
        ((Standing.CORRECTED,), 0),
        ((Standing.CORRECTED, Standing.REFUTED), 1),
        ((Standing.BROKEN,), 1),
        ((Standing.BROKEN, Standing.UNDECIDED), 1),
        ((Standing.UNDECIDED, Standing.CORRECTED), 3),
        ((Standing.UNCHECKED,), 3),
        ((), 0),
    ],
)
def test_the_exit_code_tells_the_worst(with_standing, standings, code):
    assert exit_code(with_standing(*standings)) == code


def test_a_claim_with_a_known_flaw_that_stands_as_printed_is_no_success(with_standing):
    assert exit_code(with_standing(Standing.ESTABLISHED)) == 1


def test_an_interrupted_run_ends_with_130(with_standing):
    assert exit_code(replace(with_standing(Standing.BROKEN), interrupted=True)) == 130


def test_checks_that_were_not_asked_for_are_not_missed(good_report):
    one = good_report.standings[0]
    half = replace(one, standing=Standing.UNDECIDED, results=one.results[:1])
    assert exit_code(replace(good_report, standings=(half,), partial=True)) == 0
    assert exit_code(replace(good_report, standings=(half,), partial=False)) == 3
    doubtful = replace(half, results=(replace(one.results[0], verdict=Verdict.UNDECIDED),))
    assert exit_code(replace(good_report, standings=(doubtful,), partial=True)) == 3


def test_provenance_is_what_all_results_share(report):
    assert report.provenance == {"seed": 0, "budget": "quick"}
