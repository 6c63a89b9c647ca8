"""The JSON of a report: its shape, exact values exact, one schema number."""

from __future__ import annotations

import io
import json
from fractions import Fraction

from implicitbias import report as reports
from implicitbias.claims.evidence import decode
from implicitbias.report.json import document

VERDICTS = {"PROVED", "DERIVED", "CERTIFIED", "SUPPORTED", "REFUTED", "UNDECIDED", "BROKEN", "SKIPPED"}


def test_the_document_has_the_promised_shape(report):
    stream = io.StringIO()
    reports.write(report, stream, "json")
    found = json.loads(stream.getvalue())
    assert found["schema"] == 1
    assert {"claims", "summary", "provenance"} <= found.keys()
    for claim in found["claims"]:
        assert {"id", "paper", "locator", "title", "standing", "expected", "checks"} <= claim.keys()
        for check in claim["checks"]:
            assert {"name", "kind", "verdict", "reason", "premises", "controls", "measured", "seconds"} <= check.keys()
            assert check["verdict"] in VERDICTS
            assert check["kind"] in {"proof", "certificate", "experiment"}
            assert all({"name", "holds"} <= premise.keys() for premise in check["premises"])
            for control in check["controls"]:
                assert control["verdict"] in {"rejected", "accepted", "undecided"}
                assert (control["counterexample"] is not None) == (control["verdict"] == "rejected")


def test_what_was_tried_is_given_symbol_by_symbol(report):
    certificate, proof = document(report)["claims"][0]["checks"]
    assert certificate["tried"] == {"T": {"from": "1/3", "to": "2"}, "s": {"from": "-3", "to": "1/3"}}
    assert proof["tried"] == {}, "it holds for all values"


def test_the_summary_adds_up(report):
    found = document(report)
    summary = found["summary"]
    assert summary["claims"] == 3 == sum(summary[word] for word in ("corrected", "broken", "unchecked"))
    assert summary["established"] == summary["refuted"] == summary["undecided"] == 0
    assert summary["of_papers"]["claims"] == 2 == summary["of_papers"]["corrected"] + summary["of_papers"]["broken"]
    assert summary["own"]["claims"] == 1 == summary["own"]["unchecked"]
    assert summary["controls"] == {"total": 4, "rejected": 3}
    assert found["provenance"] == {"seed": 0, "budget": "quick"}
    assert found["claims"][0]["checks"][0]["provenance"] == {"check": "primal and dual"}


def test_a_counterexample_can_be_checked_by_hand(report):
    control = document(report)["claims"][0]["checks"][0]["controls"][0]["counterexample"]
    T, s = (Fraction(control["point"][name]) for name in ("T", "s"))
    assert Fraction(control["observed"]) == max(T, abs(s))
    assert Fraction(control["candidate"]) == T + abs(s)
    assert Fraction(control["margin"]) == abs(T + abs(s) - max(T, abs(s)))


def test_measured_numbers_come_back_exactly(report):
    measured = decode(document(report)["claims"][0]["checks"][0]["measured"])
    assert measured == {"cases": 3, "largest gap": Fraction(1, 3), "rate": 0.123456789}
