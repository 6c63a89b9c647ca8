"""The commands that run nothing: list, show, report, history, explain."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

STANDINGS = Path(__file__).parents[1] / "example_claims"


def test_before_anything_ran_the_list_has_no_standings(run, ledger):
    ran = run("list", "--claims", STANDINGS)
    assert ran.code == 0
    assert "established" in ran.out
    assert "UNCHECKED" not in ran.out
    assert not ledger.exists(), "looking makes no ledger"


def test_the_list_shows_the_last_standing(run, verify):
    verify("established", "refuted")
    lines = run("list", "tested.established", "refuted", "undecided", "--claims", STANDINGS).out.split("\n")
    assert [line.split()[:3] for line in lines[1:4]] == [
        ["✓", "ESTABLISHED", "established"],
        ["✗", "REFUTED", "refuted"],
        ["·", "UNCHECKED", "undecided"],
    ]
    document = json.loads(run("list", "established", "--claims", STANDINGS, "--json").out)
    assert document["claims"][0]["standing"] == "ESTABLISHED"
    assert document["claims"][0]["kinds"] == ["certificate", "proof"]


def test_show_gives_the_page_and_its_document(run, verify):
    verify("corrected")
    page = run("show", "tested.corrected", "--claims", STANDINGS).out
    for part in ("✎ CORRECTED", "x**2 + 1", "misprint", "a one too much", "which check rejects which control"):
        assert part in page
    document = json.loads(run("show", "corrected", "--claims", STANDINGS, "--json").out)
    assert document["flaw"]["refuted_by"] == ["at integers"]
    assert document["formula"] == {"formula": "x**2"}
    assert {c["formula"]: c["rejected_by"] for c in document["controls"]} == {
        "2*x": ["at integers"],
        "x**3": ["at integers"],
    }


def test_a_rule_is_shown_by_its_words(run, rules):
    assert "exactly the even numbers" in run("show", "ruled.parity", "--claims", rules).out


def test_an_unknown_claim_is_answered_with_the_nearest(run):
    ran = run("show", "tested.establishd", "--claims", STANDINGS)
    assert ran.code == 2
    assert "Did you mean tested.established" in ran.err


@pytest.mark.parametrize(("form", "read"), [("json", json.loads), ("junit", ElementTree.fromstring)])
def test_a_report_in_every_format_can_be_read_back(run, verify, tmp_path, form, read):
    verify("established")
    ran = run("report", "established", "--claims", STANDINGS, "--format", form, "--output", tmp_path / "file")
    assert (ran.code, ran.out) == (0, "")
    assert read((tmp_path / "file").read_text()) is not None


def test_the_report_of_the_ledger_is_the_report_of_the_run(run, verify):
    first = verify("established", "corrected", "--json", "-")
    second = run("report", "established", "corrected", "--format", "json", "--claims", STANDINGS)
    assert json.loads(first.out) == json.loads(second.out)


def test_the_report_of_one_claim_is_its_page(run, verify):
    verify("broken")
    ran = run("report", "tested.broken", "--claims", STANDINGS)
    assert "which check rejects which control" in ran.out
    assert ran.code == 1


def test_a_report_on_nothing_says_so(run):
    ran = run("report", "--claims", STANDINGS)
    assert ran.code == 3
    assert "implicitbias verify" in ran.err


def test_the_history_says_when_a_verdict_changed(run, tmp_path, verify, rules):
    run("verify", "--claims", rules, "--workers", 1)
    file = rules / "support.py"
    file.write_text(file.read_text().replace("n % 2 == 0) for", "n % 2 == 1) for"))
    run("verify", "--claims", rules, "--workers", 1)
    out = run("history", "parity", "--claims", rules).out
    assert out.index("✓ CERTIFIED") < out.index("✗ REFUTED") < out.index("was CERTIFIED")
    assert run("history", "tested.refuted", "--claims", STANDINGS).err.count("never been checked") == 1


def test_explain_says_what_is_fresh_and_why_something_is_stale(run, verify, rules):
    assert "never run" in run("explain", "parity", "--claims", rules).out
    run("verify", "--claims", rules, "--workers", 1)
    assert "fresh: ✓ CERTIFIED" in run("explain", "parity", "--claims", rules).out
    assert "seed 7" in run("explain", "parity", "--claims", rules, "--seed", 7).out
    file = rules / "support.py"
    file.write_text(file.read_text() + "# edited\n")
    ran = run("explain", "parity", "--claims", rules, "--json")
    check = json.loads(ran.out)["checks"][0]
    assert not check["fresh"]
    assert any("support.py changed" in reason for reason in check["reasons"])


def test_the_flaws_are_listed_with_what_refutes_the_printed_form(run, verify):
    before = run("list", "--flaws", "--claims", STANDINGS).out
    assert "not yet" in before
    verify("corrected")
    shown = run("list", "--flaws", "--claims", STANDINGS).out
    assert "CORRECTED" in shown
    assert "observed" in shown
    found = json.loads(run("list", "--flaws", "--claims", STANDINGS, "--json").out)["flaws"]
    corrected = next(f for f in found if f["id"] == "tested.corrected")
    assert corrected["refuted_by"]["outcome"] == "rejected"
    assert corrected["printed"] != corrected["corrected"]


def test_claims_without_a_known_flaw_say_so(run):
    ran = run("list", "established", "--flaws", "--claims", STANDINGS)
    assert (ran.code, "nothing wrong is known" in ran.out) == (0, True)
