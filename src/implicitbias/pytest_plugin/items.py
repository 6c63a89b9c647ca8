"""The tests that a claim makes: one for each check, one for its printed form, one for each control."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest

from implicitbias.claims.check import Check
from implicitbias.claims.statement import Candidate, Claim, candidate_name
from implicitbias.errors import UserError
from implicitbias.judging.judgement import Judgement, Outcome
from implicitbias.judging.result import Result
from implicitbias.judging.verdict import Verdict


class Results(Protocol):
    """Where a test asks for what a check found."""

    def result(self, claim: Claim, check: Check) -> Result: ...


class OneClaim(pytest.Collector):
    """A claim, as the collector of its tests."""

    claim: Claim
    results: Results

    @classmethod
    def of(cls, parent: pytest.Collector, claim: Claim, results: Results) -> OneClaim:
        found: OneClaim = cls.from_parent(parent, name=claim.id)
        found.claim, found.results = claim, results
        return found

    def collect(self) -> Iterator[pytest.Item]:
        claim = self.claim
        for check in claim.checks:
            item: CheckItem = CheckItem.from_parent(self, name=check.name)
            item.check = check
            item.add_marker(str(check.kind))
            yield item
        if claim.printed is not None:
            yield FalseItem.of(self, "printed", claim.printed)
        for control in claim.controls:
            yield FalseItem.of(self, "control", control.candidate)


class ClaimItem(pytest.Item):
    """One test about a claim."""

    parent: OneClaim

    @property
    def claim(self) -> Claim:
        return self.parent.claim

    def result(self, check: Check) -> Result:
        return self.parent.results.result(self.claim, check)

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.path, None, f"{self.claim.id} · {self.name}"

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, NotAsClaimedError):
            return f"{self.claim.id}  {self.claim.title}\n{excinfo.value}"
        if isinstance(excinfo.value, UserError):  # a ledger that cannot be opened, …
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)


class NotAsClaimedError(Exception):
    """What a test of a claim found. The message is for people, without a traceback."""


class CheckItem(ClaimItem):
    """Passes where the check accepts the claim."""

    check: Check

    def runtest(self) -> None:
        result = self.result(self.check)
        if result.verdict in (Verdict.UNDECIDED, Verdict.SKIPPED):
            pytest.skip(f"{result.verdict}: {result.reason}")
        if not result.verdict.accepts:
            raise NotAsClaimedError(f"{result.verdict}: {result.reason}")
        self.add_report_section("call", "found", f"{result.verdict}  {result.reason}")


class FalseItem(ClaimItem):
    """Passes where some check rejects the candidate; the checks are asked in their order until one does."""

    candidate: Candidate

    @classmethod
    def of(cls, parent: OneClaim, kind: str, candidate: Candidate) -> FalseItem:
        item: FalseItem = cls.from_parent(parent, name=f"{kind} {candidate_name(candidate)}")
        item.candidate = candidate
        item.add_marker(kind)
        return item

    def runtest(self) -> None:
        said = []
        for check in self.claim.checks:
            judgement = self._judgement(self.result(check))
            if judgement and judgement.outcome is Outcome.REJECTED:
                self.add_report_section("call", "rejected", f"by {check.name}: {judgement.counterexample}")
                return
            said.append(f"  {check.name}: {judgement.outcome if judgement else 'no answer'}")
        raise NotAsClaimedError("\n".join([f"no check rejects the {self.name}:", *said]))

    def _judgement(self, result: Result) -> Judgement | None:
        return (
            result.printed
            if self.candidate == self.claim.printed
            else result.controls.get(candidate_name(self.candidate))
        )
