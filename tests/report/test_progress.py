"""Progress goes to standard error: bars on a terminal, a plain line a check anywhere else."""

from __future__ import annotations

import io
import itertools

import pytest

from implicitbias.report.progress import Bars, Lines, display
from implicitbias.report.words import console_for
from implicitbias.running.events import Cached, Finished, JobDone, Started


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def checks(report):
    return [(s.claim, check.name) for s in report.standings for check in s.claim.checks]


def test_a_stream_that_is_no_terminal_gets_a_line_a_check(report, checks):
    stream = io.StringIO()
    show = display(checks, stream)
    assert isinstance(show, Lines)
    with show:
        show(Started("paper2020.theorem_1", "primal and dual"))
        show(Finished(report.results[0]))
        show(Cached(report.results[1]))
    assert stream.getvalue() == (
        "[1/4] paper2020.theorem_1 · primal and dual: ✓ CERTIFIED  0.25 s\n"
        "[2/4] paper2020.theorem_1 · derivation: ∴ DERIVED  recorded\n"
    )


def test_a_terminal_sees_papers_counts_and_what_runs_now(report, checks, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    stream = Terminal()
    show = Bars(checks, console_for(stream, width=100))
    with show:
        show(Started("paper2020.theorem_1", "primal and dual"))
        show(JobDone("paper2020.theorem_1", "primal and dual", 2, 9))
        show.bars.refresh()
        show(Finished(report.results[0]))
        show.bars.refresh()
    text = stream.getvalue()
    assert "theorem_1 · primal and dual (3 of 9)" in text
    assert "1/4 checks" in text
    assert "CERTIFIED" not in text, "what accepts needs no line of its own"


def test_durations_are_said_as_people_say_them():
    from implicitbias.report.words import seconds

    said = [seconds(s) for s in (0, 0.05, 0.0999, 0.5, 9.96, 59.7, 60, 3599.6, 7200)]
    assert said == ["0 ms", "50 ms", "0.1 s", "0.5 s", "10 s", "1 min 0 s", "1 min 0 s", "1 h 0 min", "2 h 0 min"]
    assert all(a != b for a, b in itertools.pairwise(said[:5]))
