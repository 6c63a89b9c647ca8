"""The campaign of fuzzed inputs: what it draws is the same again, and what it must find it finds."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter

import pytest

from benchmarks.campaigns.inputs import KINDS, call_of, plan
from benchmarks.fuzzing.watched import CANARY, _asks_for_json, _is_of_input, _judged


@pytest.mark.parametrize("kind", KINDS)
def test_an_input_is_the_same_again_and_another_for_another_seed(kind):
    drawn = [call_of(kind, number, 0) for number in range(30)]
    assert drawn == [call_of(kind, number, 0) for number in range(30)]
    assert drawn != [call_of(kind, number, 1) for number in range(30)]
    assert len(set(map(repr, drawn))) > 20


def test_every_kind_has_its_share():
    shares = {kind: share for kind, (_, share) in KINDS.items()}
    assert Counter(kind for kind, _ in plan(10 * sum(shares.values()))) == {k: 10 * n for k, n in shares.items()}


@pytest.mark.parametrize(
    ("code", "out", "err", "as_json", "problem"),
    [
        (0, "fine\n", "", False, ""),
        (2, "", "implicitbias: no\n", False, ""),
        (4, "", "a fault", False, "exit code 4"),
        (None, "", "", False, "exit code None"),
        (2, "", "", False, "exit code 2 without a message"),
        (2, "", "x" * 6000, False, "a message of more than 5000 characters"),
        (1, "", "Traceback (most recent call last):", False, "a traceback is printed"),
        (0, "\x1b[31m", "", False, "the control character '\\x1b' is printed raw"),
        (0, '{"cost": NaN}', "", True, "what --json prints is no JSON: NaN is not JSON"),
        (0, '{"cost": 1}', "", True, ""),
    ],
)
def test_what_a_call_may_end_with(code, out, err, as_json, problem):
    assert _judged(code, out, err, as_json) == problem


@pytest.mark.parametrize(("words", "asks"), [("cost --json", 1), ("zeta -- --json", 0), ("zeta --json --help", 0)])
def test_json_is_asked_for_by_an_option_alone(words, asks):
    assert _asks_for_json(words.split()) == asks


def test_code_made_from_an_input_is_told_from_a_claim_file():
    assert _is_of_input(compile(f"{CANARY}()", "<string>", "exec"))
    assert _is_of_input(compile(f"lambda: '{CANARY}'", "<string>", "eval"))
    assert not _is_of_input(compile(f"'{CANARY}'", "claims/square.py", "exec"))
    assert not _is_of_input(compile("x + 1", "<string>", "eval"))


def test_a_small_campaign_finds_nothing():
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.campaigns", "inputs", "--count", "70", "--seed", "5"],
        capture_output=True,
        text=True,
        check=True,
    )
    figures = json.loads(done.stdout)
    assert figures["inputs"] == sum(kind["inputs"] for kind in figures["by_kind"].values()) == 70
    assert figures["found"] == {}
