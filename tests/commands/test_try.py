"""`try`: a conjecture judged by the claim's own evidence; nothing but formulas is read, and nothing is executed."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from implicitbias.cli import main

STANDINGS = Path(__file__).parents[1] / "example_claims"


OF = ("try", "tested.established", "--claims", str(STANDINGS), "--workers", "1")


@pytest.fixture(scope="module")
def observed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger with what the claim's checks observe."""
    file = tmp_path_factory.mktemp("observed") / "ledger.sqlite"
    assert main([*OF, "--formula=x**2", "--ledger", str(file)]) == 0
    return file


@pytest.fixture
def attempt(run, ledger: Path, observed: Path):
    shutil.copy(observed, ledger)
    return lambda formula, *more: run(*OF, f"--formula={formula}", *more)


def test_an_equal_form_is_accepted_by_every_check(attempt):
    ran = attempt("(x + 1)**2 - 2*x - 1")
    assert ran.code == 0
    assert "✓ ACCEPTED" in ran.out
    assert ran.out.count("✓ accepted") == 2
    assert "for all x (proof): 1 case equal for all values" in ran.out
    assert re.search(r"at integers \(certificate\): 4 instances, x from -2 to \d+\n", ran.out)
    tried = [check["tried"] for check in json.loads(attempt("x**2", "--json").out)["checks"]]
    assert [sorted(symbols) for symbols in tried] == [[], ["x"]]


def test_a_false_formula_is_refuted_by_a_point_that_can_be_checked_by_hand(attempt):
    ran = attempt("x**2 + x", "--json")
    assert ran.code == 1
    document = json.loads(ran.out)
    assert document["verdict"] == "refuted"
    for check in document["checks"]:
        found = check["counterexample"]
        x = int(found["point"]["x"])
        assert (int(found["observed"]), int(found["candidate"])) == (x**2, x**2 + x)


def test_what_was_observed_once_is_not_observed_again(run):
    run(*OF, "--formula=x")
    entries = json.loads(run("history", "established", "--claims", STANDINGS, "--json").out)["history"]
    run(*OF, "--formula=x**2")
    again = json.loads(run("history", "established", "--claims", STANDINGS, "--json").out)["history"]
    assert len(entries) == len(again) == 2


def test_without_evidence_nothing_is_decided(run):
    ran = run("try", "tested.undecided", "--formula=x", "--claims", STANDINGS, "--workers", 1)
    assert ran.code == 3
    assert "? UNDECIDED" in ran.out


@pytest.mark.parametrize(
    "formula",
    ["", " ", "y", "x +", "__import__('os').system('true')", "x.real", "x if x else 1", "(lambda: 1)()", "[x]",
     "x < 1", "'x'", "x**10**10", "9" * 5000, "(" * 500 + "x" + ")" * 500, "+".join("x" * 1500), "x\x00", "1e999999"],
)  # fmt: skip
def test_what_is_no_formula_is_refused_with_a_message(attempt, formula):
    ran = attempt(formula)
    assert ran.code == 2
    assert ran.err.startswith("implicitbias: ")
    assert not ran.out


def test_a_rule_is_shown_with_its_controls_instead(run, rules):
    ran = run("try", "ruled.parity", "--formula", "n", "--claims", rules)
    assert ran.code == 2
    for part in ("states a rule", "even: exactly the even numbers", "all: all numbers"):
        assert part in ran.err
