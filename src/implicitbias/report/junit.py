"""The report as JUnit XML, for continuous integration: one suite per claim, one case per check.

A check that is refuted is a failure, a broken one an error, an undecided or skipped one is skipped. The standing of the
claim is a case of its own, which fails if some control survives or the printed form is not refuted. Characters that XML
cannot contain are replaced where the report leaves (`implicitbias.report.write`).
"""

from __future__ import annotations

from typing import TextIO
from xml.etree import ElementTree

from implicitbias.judging.result import ClaimStanding, Result
from implicitbias.judging.verdict import Standing, Verdict
from implicitbias.report.summary import Report, is_expected, survivors
from implicitbias.report.words import parts_text, why


def write(report: Report, stream: TextIO) -> None:
    root = ElementTree.Element("testsuites", {"name": "implicitbias"})
    for s in report.standings:
        root.append(_suite(s, report.partial))
    for attribute in ("tests", "failures", "errors", "skipped"):
        root.set(attribute, str(sum(int(suite.get(attribute, "0")) for suite in root)))
    root.set("time", f"{sum(r.seconds for r in report.results):.3f}")
    ElementTree.indent(root)
    stream.write('<?xml version="1.0" encoding="utf-8"?>\n')
    stream.write(ElementTree.tostring(root, encoding="unicode"))
    stream.write("\n")


def _suite(s: ClaimStanding, partial: bool) -> ElementTree.Element:
    suite = ElementTree.Element("testsuite", {"name": s.claim.id})
    properties = ElementTree.SubElement(suite, "properties")
    given = {
        "standing": s.standing,
        "expected": s.expected,
        "locator": s.claim.source.locator,
        "own result": "yes" if s.claim.is_own_result else "",
        "part of": s.claim.part_of,
        "parts": parts_text(s),
    }
    for name, value in ((name, value) for name, value in given.items() if value):
        ElementTree.SubElement(properties, "property", {"name": name, "value": str(value)})
    for result in s.results:
        suite.append(_case(result))
    ran = {result.check for result in s.results}
    for check in s.claim.checks:
        if check.name not in ran:
            case = ElementTree.SubElement(suite, "testcase", {"classname": s.claim.id, "name": check.name, "time": "0"})
            ElementTree.SubElement(case, "skipped", {"message": "not run"})
    standing = ElementTree.SubElement(suite, "testcase", {"classname": s.claim.id, "name": "standing", "time": "0"})
    if not is_expected(s, partial):
        message = f"{s.standing}, expected {s.expected}: {s.reason}"
        tag = {Standing.BROKEN: "error", Standing.REFUTED: "failure"}.get(s.standing)
        if s.standing in (Standing.UNDECIDED, Standing.UNCHECKED):
            tag = "skipped"
        outcome = ElementTree.SubElement(standing, tag or "failure", {"message": message})
        outcome.text = "\n".join(f"no check rejects the control {name}" for name in survivors(s))
    cases = suite.findall("testcase")
    suite.set("tests", str(len(cases)))
    for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(attribute, str(sum(case.find(tag) is not None for case in cases)))
    suite.set("time", f"{sum(r.seconds for r in s.results):.3f}")
    return suite


def _case(result: Result) -> ElementTree.Element:
    case = ElementTree.Element(
        "testcase",
        {"classname": result.claim, "name": result.check, "time": f"{result.seconds:.3f}"},
    )
    tags = {Verdict.REFUTED: "failure", Verdict.BROKEN: "error"}
    if not result.verdict.accepts:
        message = f"{result.verdict}: {result.reason}"
        ElementTree.SubElement(case, tags.get(result.verdict, "skipped"), {"message": message})
    lines = [f"{result.kind}: {result.verdict}  {result.reason}".rstrip()]
    lines += [f"control {name}: {j.outcome}  {why(j)}".rstrip() for name, j in result.controls.items()]
    ElementTree.SubElement(case, "system-out").text = "\n".join(lines)
    return case
