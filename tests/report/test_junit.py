"""The JUnit of a report: counts that add up, failures where a claim is not as expected."""

from __future__ import annotations

import io
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from implicitbias import report as reports
from implicitbias.judging.verdict import Standing, Verdict
from implicitbias.report.summary import Report


def tree(report: Report) -> ElementTree.Element:
    stream = io.StringIO()
    reports.write(report, stream, "junit")
    return ElementTree.fromstring(stream.getvalue())


def test_counts_agree_with_the_cases_below(report):
    root = tree(report)
    suites = root.findall("testsuite")
    assert [s.get("name") for s in suites] == ["paper2020.theorem_1", "paper2020.equation_2", "paper2020.lemma_3"]
    for attribute, tag in (("tests", None), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        for element in (*suites, root):
            cases = list(element.iter("testcase"))
            found = cases if tag is None else [c for c in cases if c.find(tag) is not None]
            assert element.get(attribute) == str(len(found))


def test_a_surviving_control_is_an_error_of_its_claim(report):
    suite = tree(report).findall("testsuite")[1]
    standing = next(c for c in suite.findall("testcase") if c.get("name") == "standing")
    assert "no check rejects the control T" in (standing.findtext("error") or "")


def test_a_good_report_has_no_failures(good_report):
    root = tree(good_report)
    assert (root.get("failures"), root.get("errors"), root.get("skipped")) == ("0", "0", "0")


@pytest.mark.parametrize(
    ("verdict", "standing", "tag"),
    [
        (Verdict.REFUTED, Standing.REFUTED, "failure"),
        (Verdict.BROKEN, Standing.BROKEN, "error"),
        (Verdict.UNDECIDED, Standing.UNDECIDED, "skipped"),
        (Verdict.SKIPPED, Standing.UNDECIDED, "skipped"),
    ],
)
def test_each_verdict_has_its_tag(good_report, verdict, standing, tag):
    one = good_report.standings[0]
    result = replace(one.results[0], verdict=verdict, reason="because <of> this")
    root = tree(Report((replace(one, standing=standing, results=(result, one.results[1])),), good_report.papers))
    cases = root.findall("testsuite/testcase")
    assert "because <of> this" in (cases[0].find(tag).get("message") or "")
    assert cases[-1].find(tag) is not None


def test_what_xml_cannot_hold_is_replaced(good_report):
    one = good_report.standings[0]
    result = replace(one.results[0], verdict=Verdict.BROKEN, reason="a bell \x07 and a null \x00")
    assert tree(Report((replace(one, results=(result,)),), good_report.papers)) is not None
