"""The campaign of forged certificates: what it counts, and that its truth tells true from false."""

from __future__ import annotations

import json
from typing import Any

import pytest

from benchmarks.campaigns import certificates
from benchmarks.forging.examples import examples
from benchmarks.forging.truth import said, why_false
from implicitbias.certificate.kernel import all_kinds, check_certificate


def test_a_short_campaign_finds_nothing_false() -> None:
    figures: dict[str, Any] = certificates.run(120, 5)
    assert (figures["false_accepted"], figures["exceptions"], figures["open"]) == (0, 0, 0)
    assert sum(sum(tally.values()) for tally in figures["by_kind"].values()) == 120
    assert set(figures["by_kind"]) == set(all_kinds())
    assert figures["worst_seconds"] < certificates.LIMIT


def test_forgeries_are_those_of_their_number() -> None:
    assert certificates.forgery(17, 3) == certificates.forgery(17, 3)
    assert certificates.forgery(17, 3) != certificates.forgery(17, 4)


def test_the_truth_is_seen_and_what_is_false_is_seen_too() -> None:
    kinds = set()
    for document in examples():
        if document["kind"] in kinds:
            continue
        kinds.add(document["kind"])
        statement = check_certificate(document).statement
        assert why_false(document, statement) == ""
        if document["kind"] != "KKT point of the margin problem":
            low, _ = said(statement)
            altered = f"the smallest of all is {low * 1.5 + 1}; as claimed"
            assert why_false(document, altered) != "" or "√" in json.dumps(document)
    assert kinds == set(all_kinds())


def test_a_checker_that_accepts_all_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were enclosures of any width accepted, as they once were, the campaign would say so."""
    true = certificates.checked

    def credulous(text: bytes) -> Any:
        outcome = true(text)
        if outcome is None or outcome.valid or "claim.value" not in outcome.reason:
            return outcome
        value = json.loads(text)["claim"]["value"]
        number = value["at_least"] if isinstance(value, dict) else value
        return type(outcome)(True, "", f"the smallest value is {number}; as claimed")

    monkeypatch.setattr(certificates, "checked", credulous)
    assert certificates.run(400, 1)["false_accepted"]
