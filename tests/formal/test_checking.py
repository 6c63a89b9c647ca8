"""A proof's theorems given to Coq: what is answered, and why not."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from implicitbias.claims.catalogue import load
from implicitbias.claims.check import Context, Kind
from implicitbias.claims.statement import Claim
from implicitbias.formal import coqc
from implicitbias.formal.checking import answer, digest
from implicitbias.formal.coqc import INSTALL, Answer
from implicitbias.formal.terms import NotInCoqError

EXAMPLES = Path(__file__).parents[1] / "example_theorems"
needs_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason=f"coqc is not installed: {INSTALL}")


def parts(name: str, formula: str | None = None) -> tuple:
    """The arguments of `answer` for a claim of the examples, perhaps with another formula."""
    claim: Claim = load(EXAMPLES).claim(name)
    check = next(check for check in claim.checks if check.kind is Kind.PROOF)
    records = tuple(theorem.document for theorem in check.observe(Context()).theorems)
    controls = tuple(control.candidate for control in claim.controls)
    return claim.title, "", claim.id, records, formula or claim.formula, controls


@needs_coq
@pytest.mark.timeout(600)
def test_accepted_with_the_digest_of_the_file_and_the_controls_that_are_excluded() -> None:
    formal = answer(*parts("tested.ramps"))
    assert formal.accepted, formal.reason
    assert set(formal.excluded) == {"y", "2*Max(0, y)"}
    assert formal.axioms == "classical reals"
    assert formal.text == digest(written("tested.ramps"))


@needs_coq
@pytest.mark.timeout(600)
def test_a_false_formula_is_not_accepted_and_the_line_is_said() -> None:
    formal = answer(*parts("tested.ramps", "y + 2*Max(0, y)"))
    assert not formal.accepted
    assert formal.reason.startswith("line ")
    assert formal.excluded == {}


def test_one_control_that_coq_does_not_exclude_is_told_and_the_rest_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    def checked(text: str, **_: object) -> Answer:
        return Answer("_not_2" not in text, 1.0, "" if "_not_2" not in text else "line 9: no", ("t",))

    monkeypatch.setattr(coqc, "check", checked)
    monkeypatch.setattr(coqc, "installed", lambda: coqc.Coq(Path("coqc"), "8", "3", "4"))
    formal = answer(*parts("tested.ramps"))
    assert formal.accepted
    assert set(formal.excluded) == {"y"}
    assert formal.reason == "1 of 2 controls are not excluded in Coq: 2*Max(0, y) (Coq finds no proof)"


def test_theorems_without_any_excluded_control_are_not_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coqc, "check", lambda text, **_: Answer("_not_" not in text, 1.0, ""))
    monkeypatch.setattr(coqc, "installed", lambda: coqc.Coq(Path("coqc"), "8", "3", "4"))
    assert not answer(*parts("tested.ramps")).accepted


def test_without_coq_it_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    coqc.installed.cache_clear()
    monkeypatch.setattr(shutil, "which", lambda _: None)
    formal = answer(*parts("tested.ramps"))
    coqc.installed.cache_clear()
    assert formal.skipped
    assert "apt-get install coq" in formal.reason


def test_what_has_no_counterpart_is_told_without_asking_coq(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise NotInCoqError("no counterpart")

    monkeypatch.setattr("implicitbias.formal.checking.document", refused)
    formal = answer(*parts("tested.ramps"))
    assert (formal.accepted, formal.skipped, formal.reason) == (False, False, "no counterpart")


def written(name: str) -> str:
    from implicitbias.formal.document import document
    from implicitbias.theorems.theorem import Theorem

    title, place, identifier, records, formula, controls = parts(name)
    return document(title, place, identifier, [Theorem.from_json(r) for r in records], formula, controls).text()
