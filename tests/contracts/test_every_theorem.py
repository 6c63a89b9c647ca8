"""Properties of every theorem of the catalogue, and of some examples: no false formula, wrong witness, other subject or
contradiction gets past the rules.

Their results are those of one run (`make verify`'s, if it was before); a few theorems are observed here again. Three
attacks on each theorem, drawn by its fingerprint; all of them if IMPLICITBIAS_ATTACKS is `all`, as in `make nightly`.
"""

from __future__ import annotations

import inspect
import json
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from implicitbias.claims.catalogue import load
from implicitbias.claims.check import Check, Context, Kind
from implicitbias.claims.evidence import Evidence, Proven
from implicitbias.claims.statement import Claim, Control
from implicitbias.exact.enclosure import NoValueError, evaluate
from implicitbias.exact.formula import parse
from implicitbias.judging.conclusions import judge_conclusion
from implicitbias.judging.judgement import Outcome
from implicitbias.judging.result import Result, assess
from implicitbias.judging.verdict import Verdict
from implicitbias.record.ledger import Ledger
from implicitbias.running.runner import run
from implicitbias.theorems.attacks.attack import Stated, attack, holes
from implicitbias.theorems.dependence import otherwise
from implicitbias.theorems.established import Conclusion
from implicitbias.theorems.points import points_of
from implicitbias.theorems.primitives import read
from implicitbias.theorems.sign import Hypothesis
from implicitbias.theorems.theorem import Theorem, cases, establish

FOLDER = Path(__file__).parents[1] / "example_theorems"
ResultOf = Callable[[str], Result]
MOST = None if os.environ.get("IMPLICITBIAS_ATTACKS") == "all" else 3
AGAIN = 10
"""One check in so many is observed here as well."""

pytestmark = pytest.mark.timeout(900)  # a theorem of many points and attacks takes minutes on a slow, busy machine


def _takes_nothing(check: Check) -> bool:
    """Whether the check was made by `@theorem`: its function takes nothing, those of other checks take one thing."""
    return not inspect.signature(check.observe).parameters


CHECKS = {
    f"{claim.id}: {check.name}": (claim, check)
    for claim in (*load().claims, *load(FOLDER).claims)
    for check in claim.checks
    if _takes_nothing(check)
}
EXAMPLES = {name for name in CHECKS if name.startswith("tested.")}


@pytest.fixture(scope="session")
def result_of(request: pytest.FixtureRequest, ledger: Ledger) -> Callable[[str], Result]:
    """The results of all theorems that are looked at: recorded ones, the runner's, or an example's."""
    asked = {item.callspec.params.get("name", "") for item in request.session.items if hasattr(item, "callspec")}
    claims = {claim.id: claim for name, (claim, _) in CHECKS.items() if name in asked and name not in EXAMPLES}
    found = {f"{r.claim}: {r.check}": r for r in run(claims.values(), kinds=(Kind.PROOF,), ledger=ledger)}

    @cache
    def of(name: str) -> Result:
        return found[name] if name in found else assess(*CHECKS[name], afresh(name))

    return of


@cache
def afresh(name: str) -> Evidence:
    return CHECKS[name][1].observe(Context())


def theorems(evidence: Evidence) -> list[tuple[Proven, Theorem]]:
    return [(proven, Theorem.from_json(proven.document)) for proven in evidence.theorems]


def controls_of(claim: Claim) -> list[str]:
    candidates = [c.candidate if isinstance(c, Control) else c for c in claim.controls]
    return [c for c in candidates if isinstance(c, str)]


def hypotheses_of(conclusion: Conclusion) -> tuple[Hypothesis, ...]:
    both = ((conclusion.positive, True), (conclusion.nonnegative, False))
    return tuple(Hypothesis(parse(text, conclusion.variables).tree, strict) for texts, strict in both for text in texts)


@pytest.mark.parametrize("name", CHECKS)
def test_nothing_false_is_accepted(name: str, result_of: ResultOf) -> None:
    claim, _ = CHECKS[name]
    for proven, theorem in theorems(result_of(name).evidence):
        stated = Stated(theorem, str(claim.formula), controls_of(claim), proven.conclusions)
        found = list(attack(stated, MOST, seed=int(proven.digest, 16)))
        assert found
        assert not holes(found)


@pytest.mark.parametrize("name", CHECKS)
def test_every_step_is_shown_and_some_control_is_rejected(name: str, result_of: ResultOf) -> None:
    result = result_of(name)
    assert not [p for p in result.evidence.premises if not p.holds]
    assert result.verdict in (Verdict.PROVED, Verdict.DERIVED)
    assert result.controls_rejected


@pytest.mark.parametrize("name", CHECKS)
def test_a_proof_whose_definition_depends_on_no_primitive_is_derived_at_best(name: str, result_of: ResultOf) -> None:
    result = result_of(name)
    made = theorems(result.evidence)
    bare = [t for _, t in made if not t.primitives.difference(t.independent_of)]
    assert result.verdict is (Verdict.DERIVED if bare or any(t.words for _, t in made) else Verdict.PROVED)


@pytest.mark.parametrize("name", [*sorted(CHECKS.keys() - EXAMPLES)[::AGAIN], *sorted(EXAMPLES)])
def test_what_is_observed_here_is_what_the_runner_found(name: str, result_of: ResultOf) -> None:
    assert assess(*CHECKS[name], afresh(name)).verdict is result_of(name).verdict
    written = json.loads(json.dumps(afresh(name).to_json()))
    assert Evidence.from_json(written).theorems == afresh(name).theorems == result_of(name).evidence.theorems


@pytest.mark.parametrize("name", CHECKS)
def test_what_a_theorem_is_indifferent_to_does_not_change_its_value(name: str, result_of: ResultOf) -> None:
    claim, _ = CHECKS[name]
    for _, theorem in theorems(result_of(name).evidence):
        for primitive in theorem.indifferent_to:
            for how, vocabulary in otherwise(primitive):
                found = establish(theorem, vocabulary)
                outcomes = {judge_conclusion(c, parse(str(claim.formula))).outcome for c in found.conclusions}
                assert outcomes == {Outcome.ACCEPTED}, how


@pytest.mark.parametrize("name", CHECKS)
def test_the_record_comes_back_from_json_with_its_fingerprint(name: str, result_of: ResultOf) -> None:
    evidence = result_of(name).evidence
    written = json.loads(json.dumps(evidence.to_json()))
    assert Evidence.from_json(written).theorems == evidence.theorems
    for proven, theorem in theorems(result_of(name).evidence):
        assert Theorem.from_json(json.loads(json.dumps(proven.document))) == theorem
        assert theorem.digest == proven.digest


@pytest.mark.parametrize("name", CHECKS)
def test_hypotheses_hold_somewhere_and_every_case_has_exact_points(name: str, result_of: ResultOf) -> None:
    for proven, theorem in theorems(result_of(name).evidence):
        split_off = Theorem(theorem.label, theorem.quantity, theorem.for_all, {}, theorem.assuming)
        for _, setting in cases(split_off):
            assert any(True for _ in points_of(setting.variables, setting.hypotheses, ())), theorem.assuming
        for conclusion in proven.conclusions:
            assert any(_has_values(conclusion, point) for point in _points(conclusion)), conclusion.label


def _points(conclusion: Conclusion):  # type: ignore[no-untyped-def]
    return points_of(conclusion.variables, hypotheses_of(conclusion), ())


def _has_values(conclusion: Conclusion, point) -> bool:  # type: ignore[no-untyped-def]
    try:
        for text in (*conclusion.given.values(), conclusion.value):
            evaluate(parse(text, point), point)
    except NoValueError:
        return False
    return True


@pytest.mark.parametrize("name", CHECKS)
def test_every_symbol_of_the_claim_is_given_in_the_theorem_s_variables(name: str, result_of: ResultOf) -> None:
    claim, _ = CHECKS[name]
    for _, theorem in theorems(result_of(name).evidence):
        assert theorem.given.keys() == claim.symbols.keys()
        for text in theorem.given.values():
            read(text, theorem.for_all)


@pytest.mark.parametrize("name", CHECKS)
def test_some_theorem_leaves_a_symbol_free(name: str, result_of: ResultOf) -> None:
    """A theorem in which every symbol is a number is an instance, however many are yielded."""
    free = [
        read(text, theorem.for_all).names
        for _, theorem in theorems(result_of(name).evidence)
        for text in theorem.given.values()
    ]
    assert any(free)


def test_the_example_that_types_its_answer_is_derived() -> None:
    claim, check = CHECKS["tested.typed: the expression itself"]
    result = assess(claim, check, check.observe(Context()))
    assert result.verdict is Verdict.DERIVED
    assert result.formula is not None
    assert result.formula.outcome is Outcome.ACCEPTED
    steps = [step for t in result.evidence.theorems for step in t.steps]
    assert ("the definition does not depend on", "relu") in [(step.says, step.formula) for step in steps]
