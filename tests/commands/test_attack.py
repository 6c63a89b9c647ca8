"""`attack`: a claim's theorems altered; what became of each, and exit code 1 if something false was accepted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from implicitbias.theorems.attacks.attack import Fate, Trial

EXAMPLES = Path(__file__).parents[1] / "example_theorems"


def test_nothing_false_is_accepted_and_the_trials_are_counted(run):
    ran = run("attack", "tested.cost", "--claims", EXAMPLES, "--workers", 1, "--most", 5)
    assert ran.code == 0
    assert "✓ 5 altered theorems, 0 accepted" in ran.out
    assert "refused" in ran.out


def test_every_trial_is_in_the_document(run):
    ran = run("attack", "tested.typed", "--claims", EXAMPLES, "--workers", 1, "--json")
    document = json.loads(ran.out)
    assert (ran.code, document["accepted"]) == (0, 0)
    assert {"how", "fate", "detail"} == document["trials"][0].keys()
    assert any(trial["fate"] == "independent" for trial in document["trials"])


def test_a_hole_is_listed_and_ends_with_1(run, monkeypatch: pytest.MonkeyPatch):
    accepts = Trial("a gap left out", Fate.ACCEPTED, "2*k is accepted")
    monkeypatch.setattr("implicitbias.commands.claims.attack._tried", lambda *_: [accepts])
    ran = run("attack", "tested.cost", "--claims", EXAMPLES)
    assert ran.code == 1
    assert "✗ 1 altered theorem, 1 accepted" in ran.out
    assert "a gap left out: 2*k is accepted" in ran.out


def test_a_claim_without_theorems_is_told_so(run):
    ran = run("attack", "tested.established", "--claims", EXAMPLES.parent / "example_claims")
    assert ran.code == 2
    assert "no check of tested.established shows a theorem" in ran.err
