"""What holds for every format of reports: it writes any report, the same text each time, and a whole document."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from implicitbias import report as reports
from implicitbias.cli import main
from implicitbias.judging.result import stand
from implicitbias.report import FORMATS, TERMINAL
from implicitbias.report.summary import Report
from tests.report.conftest import CORRECTED, NOT_RUN, PAPER, SURVIVED, results_of


def _report(*claims, ran=(), **options) -> Report:
    return Report(tuple(stand(claims, results_of(*ran)).values()), (PAPER,), **options)


REPORTS = {
    "nothing at all": Report(()),
    "nothing has run": _report(NOT_RUN),
    "all as expected": _report(CORRECTED, ran=(CORRECTED,)),
    "some of everything": _report(CORRECTED, SURVIVED, NOT_RUN, ran=(CORRECTED, SURVIVED)),
    "interrupted": _report(CORRECTED, SURVIVED, NOT_RUN, ran=(SURVIVED,), interrupted=True),
    "some kinds only": _report(CORRECTED, NOT_RUN, ran=(CORRECTED,), partial=True),
}

VOID = {"meta", "link", "br", "hr", "img", "input"}


MAY_STAY_OPEN = {"td", "th", "tr", "li", "dt", "dd", "tbody", "thead", "p"}
"""Elements that end with what they are in, if nothing ends them before."""


class _Balanced(HTMLParser):
    """Every tag that is opened is closed, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag, attrs) -> None:
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs) -> None:
        """Such as `<path/>`."""

    def handle_endtag(self, tag) -> None:
        while self.open and self.open[-1] != tag and self.open[-1] in MAY_STAY_OPEN:
            self.open.pop()
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag


def _html(text: str) -> None:
    parser = _Balanced()
    parser.feed(text)
    parser.close()
    assert text.startswith("<!DOCTYPE html>")
    assert not parser.open


PARSERS: dict[str, Callable[[str], object]] = {
    "json": json.loads,
    "junit": ElementTree.fromstring,
    "badge": ElementTree.fromstring,
    "html": _html,
}
"""What reads a format; a format without an entry is plain text."""


def written(report: Report, form: str) -> str:
    stream = io.StringIO()
    reports.write(report, stream, form)
    return stream.getvalue()


@pytest.mark.parametrize("name", REPORTS)
@pytest.mark.parametrize("form", FORMATS)
def test_a_report_is_written_the_same_each_time_and_its_own_parser_reads_it(form: str, name: str) -> None:
    text = written(REPORTS[name], form)
    assert text == written(REPORTS[name], form)
    assert text.endswith("\n")
    PARSERS.get(form, str)(text)


@pytest.mark.parametrize("form", [form for form in FORMATS if form != "badge"])
def test_it_says_what_was_tried(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "160")  # no line is broken across the cells of a table
    text = " ".join(written(REPORTS["all as expected"], form).split())
    assert "3 instances, T from 1/3 to 2, s from -3 to 1/3" in text
    assert "2 cases equal for all values" in text


@pytest.mark.parametrize("form", FORMATS)
def test_the_commands_offer_it(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "--help"]) == 0
    assert FORMATS[form] in " ".join(capsys.readouterr().out.split())
    assert main(["verify", "--help"]) == 0
    assert (f"--{form} FILE" in capsys.readouterr().out) is (form != TERMINAL)
