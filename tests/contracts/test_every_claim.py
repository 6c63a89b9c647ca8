"""Properties of every claim in the catalogue, run as a user runs it: at the quick budget, through the runner."""

import ast
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from implicitbias import theory
from implicitbias.claims.catalogue import load
from implicitbias.claims.check import Budget, Context, Kind
from implicitbias.claims.evidence import Evidence
from implicitbias.claims.statement import Claim, Rule
from implicitbias.exact.rational import Interval, decimal_text
from implicitbias.judging.judge import judge
from implicitbias.judging.judgement import Judgement, Outcome
from implicitbias.judging.result import ClaimStanding, Result, stand
from implicitbias.judging.verdict import Standing, Verdict
from implicitbias.report.html.mathml import from_latex
from implicitbias.running.worker import seed_of

CATALOGUE = load()
CLAIMS = {claim.id: claim for claim in CATALOGUE.claims}
THEORY = "implicitbias.theory"

FOLDER = Path(theory.__file__).parent
FILES = sorted(FOLDER.rglob("*.py"))
RECORDS = {"Claim", "Check"}

SETS = {
    ("savarese2019.equation_21", "slopes of the minimum in s"),
    ("savarese2019.claim_5_2", "bound far out"),
}
"""The least and the greatest of all subgradients, which enclose no one number; a limit that is 0, between 0 and a bound
below all controls."""

QUICKEST = 100
"""This many checks, the fastest ones, are observed a second time."""
NOTHING = Fraction(1, 10**25)
"""An end of an enclosure that is nearer to 0 than this is compared as 0."""


@pytest.fixture(scope="session")
def standings(results: list[Result]) -> dict[str, ClaimStanding]:
    return stand(CATALOGUE.claims, results)


@pytest.mark.parametrize("claim_id", CLAIMS)
def test_every_claim_stands_as_the_catalogue_expects(claim_id: str, standings: dict[str, ClaimStanding]) -> None:
    found = standings[claim_id]
    if found.standing is Standing.UNDECIDED and all(
        r.verdict.accepts or r.kind is Kind.EXPERIMENT for r in found.results
    ):
        return  # at the quick budget an experiment may be undecided
    assert found.standing is found.expected, found.reason
    assert not found.survivors


def test_enclosures_of_certificates_are_narrow(results: list[Result]) -> None:
    """What is observed as anything between two ends is known to 1 in 100 of the largest value in the evidence."""
    for result in results:
        if result.kind is not Kind.CERTIFICATE or (result.claim, result.check) in SETS:
            continue
        values = [i.observed for i in result.evidence.instances if isinstance(i.observed, int | Fraction | Interval)]
        ends = [(v.lower, v.upper) if isinstance(v, Interval) else (v, v) for v in values]
        largest = max((max(abs(low), abs(high)) for low, high in ends), default=0)
        assert all(100 * (high - low) <= largest for low, high in ends), f"{result.claim} · {result.check}"


@pytest.mark.parametrize("claim_id", CLAIMS)
def test_what_is_called_a_conjecture_is_one_and_is_never_established(claim_id: str) -> None:
    claim = CLAIMS[claim_id]
    called = "conjecture" in f"{claim.title} {claim.statement.partition('.')[0]}".lower()
    assert claim.conjecture is called
    accepted = [Result(claim_id, check.name, check.kind, Verdict.CERTIFIED, "") for check in claim.checks]
    killed = {control.name: Judgement(Outcome.REJECTED) for control in claim.controls}
    found = stand([claim], [replace(result, controls=killed) for result in accepted])[claim_id]
    assert (found.standing is Standing.OPEN) is claim.conjecture


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
            continue  # slow in sympy, and already judged in the run
        recorded = Evidence.from_json(json.loads(json.dumps(result.evidence.to_json())))
        assert judge(recorded, claim.formula, list(claim.symbols)).outcome is Outcome.ACCEPTED


def test_evidence_is_the_same_when_the_claims_are_taken_away(
    results: list[Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No module of the theory has its claims any more: an observation that looks one up fails or differs."""
    quickest = sorted(results, key=lambda result: result.seconds)[:QUICKEST]
    with monkeypatch.context() as taken:
        held = list(_values_with_claims())
        assert {claim.id for _, _, claims in held for claim in claims} == set(CLAIMS)
        for module, name, _ in held:
            taken.delattr(module, name)
        for result in quickest:
            check = CLAIMS[result.claim].check(result.check)
            if check.sweep:
                continue
            context = Context(seed_of(0, result.claim, check.name), Budget.QUICK, "cpu", ())
            again, before = (_recorded(evidence) for evidence in (check.observe(context), result.evidence))
            assert _in_digits(again) == _in_digits(before), f"{result.claim}: {result.check}"


def _recorded(evidence: Evidence) -> Any:
    """As the ledger keeps it."""
    return json.loads(json.dumps(evidence.to_json()))


def _in_digits(document: Any) -> Any:
    """Ends of intervals to twelve digits, and those about 0 as 0.

    flint keeps quadrature nodes at the highest precision ever asked for in a process, so that the last digits of a
    rigorous enclosure depend on what was computed before.
    """
    if isinstance(document, dict):
        if document.keys() == {"interval"}:
            ends = [Fraction(end) for end in document["interval"]]
            return [decimal_text(end, 12) if abs(end) > NOTHING else "0" for end in ends]
        return {name: _in_digits(value) for name, value in document.items()}
    return [_in_digits(value) for value in document] if isinstance(document, list) else document


def _values_with_claims() -> Iterator[tuple[ModuleType, str, list[Claim]]]:
    """The module-level values that are claims or hold some: module, name, claims."""
    for module in [module for name, module in sys.modules.items() if name.startswith(THEORY)]:
        for name, value in list(vars(module).items()):
            claims = [v for v in (value if isinstance(value, tuple | list) else (value,)) if isinstance(v, Claim)]
            if claims:
                yield module, name, claims


@pytest.mark.parametrize("claim_id", CLAIMS)
def test_every_claim_is_told_in_full(claim_id: str) -> None:
    claim = CLAIMS[claim_id]
    first = claim.title[0]
    assert first.isupper() or not (first.isascii() and first.isalpha()), "ζ and other symbols keep their case"
    assert len(claim.statement) > 40
    assert from_latex(claim.latex)
    assert claim.statement.rstrip().endswith((".", ")", "!"))
    assert len(claim.controls) >= 2, "a single control may be rejected by luck"
    assert all(control.why for control in claim.controls)
    for check in claim.checks:
        assert check.about
        assert check.acceptance or check.kind is not Kind.EXPERIMENT, "an experiment states its acceptance rule"


@pytest.mark.parametrize("claim_id", CLAIMS)
def test_every_result_of_our_own_says_what_it_stands_beside_and_has_no_printed_form(claim_id: str) -> None:
    claim = CLAIMS[claim_id]
    if claim.is_own_result:
        assert claim.source.locator.startswith(("beside ", "next to ", "after "))
        assert claim.flaw is None, "only a printed form can have a flaw"
    else:
        assert claim.source.paper == claim.paper, "a claim cites the paper in whose folder it stands"
        assert claim.source.locator


def test_every_claim_is_a_headline_or_a_part_of_one() -> None:
    parts = [part.id for headline in CATALOGUE.headlines for part in CATALOGUE.parts_of(headline.id)]
    assert sorted([*parts, *(headline.id for headline in CATALOGUE.headlines)]) == sorted(CLAIMS)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(FOLDER)))
def test_every_file_of_the_theory_uses_the_one_notation(path: Path) -> None:
    """Claims and checks are written by `claim`, `@proof`, `@certificate` and `@experiment`, and collected nowhere."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in RECORDS, f"line {node.lineno}: {node.func.id}(…)"
        if isinstance(node, ast.Name):
            assert node.id != "CLAIMS", f"line {node.lineno}"


def test_a_rule_is_judged_by_what_it_predicts_and_not_by_its_name(results: list[Result]) -> None:
    by_claim = {r.claim: r for r in results if r.verdict.accepts}
    for claim in _rule_shaped():
        result = by_claim[claim.id]
        assert isinstance(claim.formula, Rule)
        renamed = replace(claim.formula, name="another name", says="another text")
        assert judge(result.evidence, renamed).outcome is Outcome.ACCEPTED


def _rule_shaped() -> list[Claim]:
    return [claim for claim in CLAIMS.values() if isinstance(claim.formula, Rule)]
