"""`rivals`: ranges, rivals and figures, for people and as JSON."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

STANDINGS = Path(__file__).parents[1] / "example_claims"
SEARCH = ("--claims", STANDINGS, "--workers", 1, "--expressions", 20_000)


def test_a_claim_is_shown_with_its_ranges_and_what_was_tried(run) -> None:
    ran = run("rivals", "tested.established", *SEARCH)
    assert ran.code == 0
    for part in ("values that were tried", "x", "search", "equality", "expressions in"):
        assert part in ran.out
    document = json.loads(run("rivals", "tested.established", "--json", *SEARCH).out)["claims"][0]
    assert document["claim"] == "tested.established"
    assert document["expressions"] >= 20_000
    assert document["inside"] == []
    assert set(document["tried"]["symbols"]) == {"x"}


def test_recorded_evidence_is_taken_as_it_is(run) -> None:
    ran = run("rivals", "tested.established", "--recorded", *SEARCH)
    assert ran.code == 0
    assert "gives no numbers" in ran.out
    run("verify", "tested.established", "--claims", STANDINGS, "--workers", 1)
    assert "no rival" in run("rivals", "tested.established", "--recorded", *SEARCH).out


def test_several_claims_are_a_table_and_a_rule_is_said_to_be_one(run, rules) -> None:
    ran = run("rivals", "--all", "--claims", rules, "--workers", 1, "--expressions", 20_000)
    assert ran.code in (0, 1)
    document = json.loads(run("rivals", "ruled.parity", "--json", "--claims", rules, "--workers", 1).out)["claims"][0]
    assert "a rule is judged" in document["trouble"]
    assert len(document["tried"]["answers"]) == 2


def test_an_interrupted_search_shows_what_it_found(ledger: Path) -> None:
    command = [sys.executable, "-m", "implicitbias", "rivals", "savarese2019", "--recorded", "--workers", "1"]
    running = subprocess.Popen(
        [*command, "--expressions", "2000"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert running.stderr is not None
    for line in running.stderr:
        if line.startswith("[2/"):
            break
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "claims were searched" in err
    assert "savarese2019.lemma_1" in out


def test_nothing_named_is_a_message(run) -> None:
    ran = run("rivals", "--claims", STANDINGS)
    assert ran.code == 2
    assert "--all" in ran.err
