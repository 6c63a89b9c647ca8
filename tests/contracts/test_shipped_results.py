"""The results that come with the package are of this catalogue, and show every claim standing as expected."""

from __future__ import annotations

from pathlib import Path

import pytest

from implicitbias.claims.catalogue import load
from implicitbias.claims.statement import Claim
from implicitbias.judging.result import Result
from implicitbias.record import shipped
from implicitbias.record.ledger import Ledger
from implicitbias.record.standings import standings
from implicitbias.report.summary import is_expected

SHARE = 0.95
"""A new claim need not have a shipped result at once: it shows as unchecked."""


def is_older(result: Result, claim: Claim) -> bool:
    """Whether the claim has a printed form or a control that this result was not held against: it was made before."""
    missing = {control.name for control in claim.controls} - result.controls.keys()
    return bool(missing) or (claim.printed is not None and result.printed is None)


def test_they_are_of_this_catalogue_and_as_expected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "cache_folder", lambda: str(tmp_path))
    unpacked = shipped.unpacked()
    assert unpacked is not None, "make snapshot writes the file"
    with Ledger(unpacked, read_only=True) as ledger:
        results = ledger.all_latest(evidence=False)
    catalogue = load()
    checks = {(claim.id, check.name) for claim in catalogue.claims for check in claim.checks}
    known = [result for result in results if (result.claim, result.check) in checks]
    judged = [result for result in known if not is_older(result, catalogue.claim(result.claim))]
    assert len(judged) >= SHARE * len(checks)
    assert all(shipped.is_from_elsewhere(result) for result in results)
    found = standings(catalogue, judged)
    assert [s.claim.id for s in found.values() if len(s.results) == len(s.claim.checks) and not is_expected(s)] == []
