"""The badge says how many claims stand, in words and in colour, and is well-formed SVG."""

from __future__ import annotations

import io
from xml.etree import ElementTree

from implicitbias import report as reports
from implicitbias.report.badge import GREEN, GREY, RED
from implicitbias.report.summary import Report


def badge(report: Report) -> tuple[str, str]:
    stream = io.StringIO()
    reports.write(report, stream, "badge")
    root = ElementTree.fromstring(stream.getvalue())
    rectangle = root.find("{http://www.w3.org/2000/svg}rect")
    assert rectangle is not None
    return root.get("aria-label") or "", rectangle.get("fill") or ""


def test_a_good_report_is_green(good_report):
    s = good_report.standings[0]
    assert badge(good_report) == (f"claims: 1 {s.standing.lower()}", GREEN)


def test_a_broken_claim_turns_it_red_and_an_open_one_grey(report):
    assert badge(report) == ("claims: 1 corrected, 1 broken; our own: 1 unchecked", RED)
    assert badge(Report(report.standings[:1] + report.standings[2:]))[1] == GREY
    assert badge(Report(())) == ("claims: none", GREY)
