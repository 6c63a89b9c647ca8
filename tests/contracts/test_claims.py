"""What every claim of the catalogue must satisfy, run as a user runs it: at the quick budget, through the runner."""

import json
import sys
from dataclasses import replace

import pytest

from implicitbias.claims.catalogue import load
from implicitbias.claims.check import Budget, Context, Kind
from implicitbias.claims.evidence import Evidence
from implicitbias.claims.statement import Claim, Rule
from implicitbias.judging.judgement import Outcome, judge
from implicitbias.judging.result import ClaimStanding, Result, stand
from implicitbias.judging.verdict import Standing
from implicitbias.report.html.mathml import from_latex
from implicitbias.running.worker import seed_of

CATALOGUE = load()
CLAIMS = {claim.id: claim for claim in CATALOGUE.claims}
THEORY = "implicitbias.theory"

QUICKEST = 100
"""As many checks, those that took the least time, are observed once more."""


@pytest.fixture(scope="session")
def standings(results: list[Result]) -> dict[str, ClaimStanding]:
    return stand(CATALOGUE.claims, results)


@pytest.mark.timeout(900)  # the first of these tests waits for the run of all claims
@pytest.mark.parametrize("claim_id", CLAIMS)
def test_every_claim_stands_as_the_catalogue_expects(claim_id: str, standings: dict[str, ClaimStanding]) -> None:
    found = standings[claim_id]
    if found.standing is Standing.UNDECIDED and all(
        r.verdict.accepts or r.kind is Kind.EXPERIMENT for r in found.results
    ):
        return  # an experiment at the quick budget may say honestly that it cannot tell
    assert found.standing is found.expected, found.reason
    assert not found.survivors


@pytest.mark.parametrize("claim_id", CLAIMS)
def test_every_check_kills_a_control_with_a_counterexample(claim_id: str, standings: dict[str, ClaimStanding]) -> None:
    for result in standings[claim_id].results:
        if not result.verdict.accepts:
            continue
        rejected = [j for j in result.controls.values() if j.outcome is Outcome.REJECTED]
        assert rejected, result.check
        for judgement in rejected:
            assert judgement.counterexample is not None
            found = judgement.counterexample
            assert found.observed != found.candidate or found.margin, (
                "equal to twelve digits: the margin tells them apart"
            )


@pytest.mark.parametrize("claim_id", CLAIMS)
def test_recorded_evidence_judges_the_formula_as_the_run_did(
    claim_id: str, standings: dict[str, ClaimStanding]
) -> None:
    claim = CLAIMS[claim_id]
    for result in standings[claim_id].results:
        if not result.verdict.accepts or result.kind is Kind.PROOF:
            continue  # proofs take sympy some time; the run has judged them once already
        recorded = Evidence.from_json(json.loads(json.dumps(result.evidence.to_json())))
        assert judge(recorded, claim.formula, list(claim.symbols)).outcome is Outcome.ACCEPTED


def test_evidence_is_the_same_when_the_claims_are_taken_away(
    results: list[Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    for result in sorted(results, key=lambda result: result.seconds)[:QUICKEST]:
        claim, check = CLAIMS[result.claim], CLAIMS[result.claim].check(result.check)
        if check.sweep:
            continue
        with monkeypatch.context() as taken:
            taken.delattr(sys.modules[_module_of(claim)], "CLAIMS")
            context = Context(seed_of(0, claim.id, check.name), Budget.QUICK, "cpu", ())
            seen = json.loads(json.dumps(check.observe(context).to_json()))
        assert seen == result.evidence.to_json(), f"{result.claim}: {result.check}"


def _module_of(claim: Claim) -> str:
    return next(
        name
        for name, module in list(sys.modules.items())
        if name.startswith(THEORY) and any(own is claim for own in getattr(module, "CLAIMS", ()))
    )


@pytest.mark.parametrize("claim_id", CLAIMS)
def test_every_claim_is_told_in_full(claim_id: str) -> None:
    claim = CLAIMS[claim_id]
    first = claim.title[0]
    assert first.isupper() or not (first.isascii() and first.isalpha()), "ζ and other symbols keep their case"
    assert len(claim.statement) > 40
    assert from_latex(claim.latex)
    assert claim.statement.rstrip().endswith((".", ")", "!"))
    assert len(claim.controls) >= 2, "one control can fall by luck"
    assert all(control.why for control in claim.controls)
    for check in claim.checks:
        assert check.about
        assert check.acceptance or check.kind is not Kind.EXPERIMENT, "an experiment states its rule beforehand"
    if claim.is_own_result:
        assert claim.flaw is None, "a flaw is something printed"


def test_a_rule_is_judged_by_what_it_predicts_and_not_by_its_name(results: list[Result]) -> None:
    by_claim = {r.claim: r for r in results if r.verdict.accepts}
    for claim in _rule_shaped():
        result = by_claim[claim.id]
        assert isinstance(claim.formula, Rule)
        renamed = replace(claim.formula, name="another name", says="another text")
        assert judge(result.evidence, renamed).outcome is Outcome.ACCEPTED


def _rule_shaped() -> list[Claim]:
    return [claim for claim in CLAIMS.values() if isinstance(claim.formula, Rule)]
