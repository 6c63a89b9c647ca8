"""The comparison of two ledgers: wording may change, evidence may not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from benchmarks import evidence as benchmark
from benchmarks.evidence import compared, differences
from implicitbias.claims import Context, Curve, Derivation, Measured, Observation, Premise, certificate, proof, seen
from implicitbias.claims.catalogue import Catalogue
from implicitbias.claims.check import Check
from implicitbias.claims.evidence import Identity
from implicitbias.claims.statement import Claim, Control, Source
from implicitbias.judging.result import Result, assess
from implicitbias.judging.verdict import Verdict
from implicitbias.record.ledger import Ledger


@certificate("squares")
def squares(context: Context) -> Observation:
    for x in range(4):
        yield seen(x * x, f"the square of {x}", x=x)
    yield Premise("the axioms hold", True, "as far as is known")
    yield Measured("mean", Fraction(7, 2))
    yield Curve("squares", (0.0, 1.0), (0.0, 1.0))


@proof("algebra")
def algebra(d: Derivation) -> None:
    (p,) = d.symbols(p="positive")
    d.concludes(1 + 2 * p + p**2, "to the right", x=p + 1)


def square(claim_id: str = "toy.square", checks: tuple[Check, ...] = (squares, algebra), **changes: Any) -> Claim:
    controls = (Control("2*x", "right at 0 and 2"), Control("x**3", "right at 0 and 1"))
    claim = Claim(claim_id, Source("toy", "1"), "A square", "The square.", "x**2", controls, checks, symbols={"x": "x"})
    return replace(claim, **changes)


def results(claim: Claim) -> list[Result]:
    return [assess(claim, check, check.observe(Context())) for check in claim.checks]


SQUARE = square()
CATALOGUE = Catalogue((), (SQUARE,))
INSTANCES, PROOF = results(SQUARE)


def changed(**fields: Any) -> Result:
    return replace(INSTANCES, evidence=replace(INSTANCES.evidence, **fields))


def said(before: Result, after: Result) -> str:
    return "\n".join(differences(before, after))


def first(items: Iterable[Any], **changes: Any) -> tuple[Any, ...]:
    head, *rest = items
    return (replace(head, **changes), *rest)


def test_labels_names_and_prose_make_no_difference() -> None:
    seen_ = INSTANCES.evidence
    reworded = changed(
        instances=first(seen_.instances, label="nought squared"),
        premises=(Premise("another name", True, "other words"),),
        measured={"average": Fraction(7, 2)},
        curves=first(seen_.curves, role="y"),
        steps=(),
    )
    assert said(INSTANCES, replace(reworded, reason="in other words", seconds=7.0)) == ""


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"instances": INSTANCES.evidence.instances[1:]}, "instances[0] (4 -> 3)"),
        ({"instances": INSTANCES.evidence.instances[::-1]}, "instances[0]: "),
        ({"instances": first(INSTANCES.evidence.instances, observed=1)}, '[{"x": 0}, 0, "="] -> [{"x": 0}, 1, "="]'),
        ({"instances": first(INSTANCES.evidence.instances, relation="<=")}, '"="] -> '),
        ({"instances": first(INSTANCES.evidence.instances, given={"x": 9})}, '{"x": 9}'),
        ({"premises": (Premise("the axioms hold", False),)}, "premises[0]: true -> false"),
        ({"premises": ()}, "premises[0] (1 -> 0): true -> nothing"),
        ({"measured": {"mean": 3.5}}, 'measured[0]: {"fraction": "7/2"} -> 3.5'),
        ({"curves": first(INSTANCES.evidence.curves, y=(0.0, 2.0))}, "curves[0]"),
        ({"certificates": ({"kind": "none"},)}, "certificates[0] (0 -> 1)"),
    ],
)
def test_evidence_may_not_change(changes: dict[str, Any], says: str) -> None:
    assert says in said(INSTANCES, changed(**changes))


def test_identities_are_compared_as_expressions() -> None:
    def with_identity(**changes: Any) -> Result:
        return replace(PROOF, evidence=replace(PROOF.evidence, identities=first(PROOF.evidence.identities, **changes)))

    assert said(PROOF, with_identity(derived="p*2 + 1 + p**2", label="")) == ""
    assert "identities[0]" in said(PROOF, with_identity(derived="p**2"))
    assert "identities[0]" in said(PROOF, with_identity(given={"x": "p"}))
    assert "identities[0]" in said(PROOF, with_identity(variables={"p": "real"}))
    more = replace(PROOF.evidence, identities=(*PROOF.evidence.identities, Identity("", {}, {"x": "1"}, "1")))
    assert "identities: 1 -> 2" in said(PROOF, replace(PROOF, evidence=more))


def test_verdicts_outcomes_and_counterexamples_are_compared() -> None:
    assert "verdict: CERTIFIED -> UNDECIDED" in said(INSTANCES, replace(INSTANCES, verdict=Verdict.UNDECIDED))
    cube, double = INSTANCES.controls["x**3"], INSTANCES.controls["2*x"]
    assert "control 2*x, counterexample" in said(INSTANCES, _judging("2*x", cube, longer=True))
    assert "control x**3: rejected -> accepted" in said(INSTANCES, _judging("x**3", INSTANCES.formula))
    assert said(INSTANCES, replace(INSTANCES, controls={"a rule, renamed": double, "x**3": cube})) == ""
    assert "control x**3: gone" in said(INSTANCES, replace(INSTANCES, controls={"2*x": double}))


def _judging(name: str, judgement: Any, longer: bool = False) -> Result:
    if longer:
        judgement = replace(judgement, counterexample=replace(judgement.counterexample, point={"x": "1000"}))
    return replace(INSTANCES, controls={**INSTANCES.controls, name: judgement})


def test_checks_of_a_merged_claim_are_looked_for_in_the_claim_it_became_part_of() -> None:
    old = results(square("toy.old"))
    merged = square(formerly=("toy.old",))
    found = compared([*results(SQUARE), *old], results(merged), Catalogue((), (merged,)))
    assert (len(found.same), found.gone, found.new) == (4, {}, ())
    other = replace(old[0], evidence=changed(premises=()).evidence)
    found = compared([other], results(merged), Catalogue((), (merged,)))
    assert found.gone == {("toy.old", "squares"): "toy.square"}
    assert len(found.new) == 2


def test_a_renamed_check_is_recognised_by_its_evidence() -> None:
    renamed = replace(INSTANCES, check="the squares of small numbers")
    found = compared([INSTANCES, PROOF], [renamed], CATALOGUE)
    assert found.same == (("toy.square", "squares"),)
    assert found.gone == {("toy.square", "algebra"): "toy.square"}
    assert found.new == ()


def ledger(path: Path, *recorded: Result) -> str:
    with Ledger(path) as opened:
        for result in recorded:
            opened.append(result)
    return str(path)


def test_the_command_prints_what_differs_and_exits_with_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = ledger(tmp_path / "before.sqlite", INSTANCES, PROOF)
    same = ledger(tmp_path / "same.sqlite", replace(INSTANCES, verdict=Verdict.BROKEN), INSTANCES, PROOF)
    assert benchmark.main([before, same]) == 0
    assert "2 checks have the same evidence, 0 differ, 0 are gone, 0 are new" in capsys.readouterr().out
    after = ledger(tmp_path / "after.sqlite", changed(premises=()))
    assert benchmark.main([before, after]) == 1
    said_ = capsys.readouterr().out
    assert "differs: toy.square: squares\n    premises[0] (1 -> 0)" in said_
    assert "gone:    toy.square: algebra\n" in said_
