"""`verify`: the table, the exit code, the files, what is reused, what an interruption leaves."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

from implicitbias.record.ledger import Ledger
from tests.support.patience import AT_ONCE

STANDINGS = Path(__file__).parents[1] / "example_claims"


@pytest.mark.parametrize(
    ("places", "code"),
    [
        (["tested.established", "tested.corrected"], 0),
        (["tested.refuted"], 1),
        (["tested.broken", "tested.undecided"], 1),
        (["tested.undecided", "tested.established"], 3),
    ],
)
def test_the_exit_code_says_how_the_claims_stand(verify, places, code):
    ran = verify(*places)
    assert ran.code == code
    for place in places:
        word = place.partition(".")[2].upper()
        assert word in ran.out


def test_results_go_to_standard_output_and_progress_to_standard_error(verify):
    ran = verify("corrected")
    assert "[1/1] tested.corrected" in ran.err
    assert "[1/1]" not in ran.out
    assert ran.out.rstrip().endswith("all as expected")


def test_a_refuted_claim_shows_the_point_and_the_two_values(verify):
    ran = verify("tested.refuted")
    assert "observed" in ran.out
    assert "the candidate says" in ran.out


def test_recorded_results_are_reused_until_fresh_ones_are_asked_for(verify):
    assert "recorded" not in verify("corrected", "headline").err
    assert verify("corrected", "headline").err.count("recorded") == 2
    assert "recorded" not in verify("corrected", "headline", "--fresh").err


def test_json_and_junit_files_agree_with_the_table(verify, tmp_path):
    ran = verify("slow_0", "refuted", "--json", tmp_path / "a.json", "--junit", tmp_path / "a.xml")
    document = json.loads((tmp_path / "a.json").read_text())
    assert [(c["id"], c["standing"]) for c in document["claims"]] == [
        ("tested.refuted", "REFUTED"),
        ("tested.slow_0", "ESTABLISHED"),
    ]
    assert document["provenance"]["budget"] == "quick"
    assert "2 claims: 1 established, 1 refuted" in ran.out
    suites = ElementTree.parse(tmp_path / "a.xml").getroot().findall("testsuite")
    assert [s.get("failures") for s in suites] == ["2", "0"]


def test_json_on_standard_output_is_all_there_is(verify):
    ran = verify("corrected", "--json", "-")
    assert json.loads(ran.out)["summary"]["corrected"] == 1


def test_only_the_kinds_asked_for_run_and_count(verify):
    ran = verify("established", "corrected", "--kind", "proof", "--json", "-")
    assert ran.code == 0
    document = json.loads(ran.out)
    assert [c["id"] for c in document["claims"]] == ["tested.established"]
    assert [c["kind"] for c in document["claims"][0]["checks"]] == ["proof"]
    assert verify("corrected", "--kind", "proof").code == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ["tested.nothing"],
        ["--workers", "0"],
        ["--budget", "huge"],
        ["--kind", "guess"],
        ["--seed", "-1"],
        ["--time-limit", "0"],
        ["--json", "/nowhere/a.json"],
        ["--json", "-", "--junit", "-"],
    ],
)
def test_what_cannot_be_asked_for_is_refused_before_anything_runs(verify, ledger, arguments):
    ran = verify(*arguments)
    assert ran.code == 2
    assert ran.err.strip()
    assert not ran.out


def test_a_ledger_that_is_none_is_refused_by_name(run, tmp_path):
    (tmp_path / "text").write_text("no ledger " * 1000)
    ran = run("verify", "--claims", STANDINGS, "--ledger", tmp_path / "text")
    assert ran.code == 2
    assert str(tmp_path / "text") in ran.err


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_an_interrupted_run_shows_and_keeps_what_had_finished(tmp_path):
    ledger = tmp_path / "ledger.sqlite"
    environment = {**os.environ, "IMPLICITBIAS_LEDGER": str(ledger), "TESTED_SECONDS": "60"}
    command = [sys.executable, "-m", "implicitbias", "verify", "tested.corrected", "tested.slow*", "--workers", "1"]
    running = subprocess.Popen(
        [*command, "--claims", str(STANDINGS)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    assert running.stderr is not None
    for line in running.stderr:
        if "[1/" in line:
            break
    began = time.monotonic()
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=30)
    assert running.returncode == 130
    assert time.monotonic() - began < AT_ONCE
    assert "CORRECTED" in out
    assert "what had finished is kept" in out
    assert "Traceback" not in err
    again = subprocess.run(
        [*command[:5], "--claims", str(STANDINGS)], capture_output=True, text=True, env=environment, check=True
    )
    assert again.stderr.count("recorded") == 1


def test_the_number_of_workers_changes_no_verdict_and_no_number(run):
    def document(workers: int) -> dict:
        places = ("established", "corrected", "refuted", "undecided", "broken", "sweep")
        ran = run("verify", *places, "--claims", STANDINGS, "--workers", workers, "--fresh", "--json", "-")
        found = json.loads(ran.out)
        for claim in found["claims"]:
            for check in claim["checks"]:
                del check["seconds"]
        return found

    assert document(1) == document(2)


def test_parts_are_shown_below_their_headline_which_stands_as_the_weakest(verify):
    ran = verify("headline*", "--json", "-")
    assert ran.code == 1, "by the part that is refuted"
    document = json.loads(ran.out)
    whole, case, _, own = document["claims"]
    assert (whole["standing"], whole["whole"], whole["part_of"]) == ("ESTABLISHED", "REFUTED", None)
    assert {word: n for word, n in whole["parts"].items() if n and word != "weakest"} == {
        "total": 3, "established": 1, "corrected": 1, "refuted": 1,
    }  # fmt: skip
    assert whole["parts"]["weakest"]["id"] == own["id"] == "tested.headline_own"
    assert (case["part_of"], own["own_result"]) == ("tested.headline", True)
    shown = verify("headline*").out
    lines = [line for line in shown.split("\n") if "the square, headline" in line]
    assert [line.split()[1] for line in lines[:3]] == ["REFUTED", "ESTABLISHED", "CORRECTED"]
    assert "1 of its 3 parts refuted (headline_own, our own" in shown
    assert "3 claims of the papers: 2 established, 1 corrected" in shown
    assert "1 result of our own: 1 refuted" in shown


def test_a_headline_alone_is_not_made_worse_by_parts_that_were_not_asked_for(verify):
    ran = verify("tested.headline")
    assert ran.code == 0
    assert "3 parts not run" in ran.out
    assert "✓ ESTABLISHED" in ran.out
    verify("tested.headline_own")
    assert "✗ REFUTED" in verify("tested.headline").out, "what is recorded counts"
    assert verify("tested.headline").code == 0, "the exit code is about the claims that were asked for"


def test_a_part_alone_is_shown_below_its_headline(verify):
    lines = verify("headline_case").out.split("\n")
    at = next(i for i, line in enumerate(lines) if "headline  the square, headline" in line)
    assert lines[at].split()[0] == "headline"
    assert "ESTABLISHED" in lines[at + 1]


def test_a_pilot_draws_what_no_run_that_judges_draws_and_records_nothing(run, tmp_path, ledger):
    folder = tmp_path / "drawn"
    folder.mkdir()
    (folder / "drawn.py").write_text(
        """
from implicitbias.claims import Measured, claim, experiment, seen


@experiment("draws", acceptance="never")
def draws(context):
    yield Measured("seed", context.seed)
    yield seen(1, x=1)


CLAIM = claim("drawn.claim", "a", "A", "x is x.", formula="x", symbols={"x": "a number"}, controls={"2*x": "b"},
              checks=(draws,))
"""
    )

    def seed_of(*options):
        file = tmp_path / "out.json"
        assert run("verify", "--workers", 1, "--claims", folder, "--json", file, *options).code == 0
        [found] = json.loads(file.read_text())["claims"]
        return found["checks"][0]["measured"]["seed"]

    drawn = [seed_of("--pilot", "--seed", seed) for seed in (0, 1)]
    assert not ledger.exists() or Ledger(ledger).all_latest() == ()
    drawn += [seed_of("--seed", seed) for seed in (0, 1)]
    assert len(set(drawn)) == 4
    assert len(Ledger(ledger).all_latest()) == 1


def test_how_much_is_shown_is_chosen(verify):
    places = ("corrected", "refuted", "headline*")
    every = verify("-v", *places).out
    headlines = verify(*places).out
    line = verify("-q", *places)
    assert "instances, x from" in every
    assert "instances, x from" not in headlines
    assert len(headlines.splitlines()) < len(every.splitlines())
    for shown in (every, headlines, line.out):
        assert "Not as expected" in shown
    assert not line.err
    assert len(line.out.partition("Not as expected")[0].splitlines()) == 0
    assert "6 claims, 6 checks: 2 not as expected (" in line.out
    refused = verify("-v", "-q")
    assert refused.code == 2
    assert "use one of the two" in refused.err


def test_fail_fast_ends_at_the_first_check_that_does_not_accept(verify, ledger):
    ran = verify("--fail-fast")
    assert ran.code in (1, 3)
    assert "interrupted: what had finished is kept" in ran.out
    with Ledger(ledger) as kept:
        assert sum(not result.verdict.accepts for result in kept.all_latest()) == 1
    assert verify("--fail-fast", "tested.established").code == 0


def test_a_mistyped_paper_is_named(run):
    assert "Did you mean the paper savarese2019?" in run("verify", "savarse2019").err


def test_a_folder_without_claims_is_refused(tmp_path, run):
    """The folder above is easily given by mistake: nothing checked is no success."""
    (tmp_path / "claims" / "paper").mkdir(parents=True)
    ran = run("verify", "--claims", tmp_path)
    assert ran.code == 2
    assert "holds no claims" in ran.err
