"""The commands that run nothing: list, show, report, history, explain."""

from __future__ import annotations

import json
import sqlite3
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
    verify("corrected", "refuted")
    lines = run("list", "tested.corrected", "refuted", "undecided", "--claims", STANDINGS).out.split("\n")
    assert [line.split()[:3] for line in lines[1:4]] == [
        ["✎", "CORRECTED", "corrected"],
        ["✗", "REFUTED", "refuted"],
        ["·", "UNCHECKED", "undecided"],
    ]
    document = json.loads(run("list", "corrected", "established", "--claims", STANDINGS, "--json").out)
    listed = {claim["id"]: claim for claim in document["claims"]}
    assert listed["tested.corrected"]["standing"] == "CORRECTED"
    assert listed["tested.established"]["kinds"] == ["certificate", "proof"]


def test_show_gives_the_page_and_its_document(run, verify):
    verify("corrected")
    page = run("show", "tested.corrected", "--claims", STANDINGS).out
    for part in ("✎ CORRECTED", "x² + 1", "misprint", "A one too much", "which check rejects which control"):
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
    verify("corrected")
    ran = run("report", "corrected", "--claims", STANDINGS, "--format", form, "--output", tmp_path / "file")
    assert (ran.code, ran.out) == (0, "")
    assert read((tmp_path / "file").read_text()) is not None


def test_the_report_of_the_ledger_is_the_report_of_the_run(run, verify):
    first = verify("refuted", "corrected", "--json", "-")
    second = run("report", "refuted", "corrected", "--format", "json", "--claims", STANDINGS)
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
    assert out.index("✓ CERTIFIED") < out.index("4 instances") < out.index("✗ REFUTED") < out.index("was CERTIFIED")
    assert run("history", "tested.refuted", "--claims", STANDINGS).err.count("never been checked") == 1


def test_explain_says_what_is_fresh_and_why_something_is_stale(run, verify, rules):
    assert "never run" in run("explain", "parity", "--claims", rules).out
    run("verify", "--claims", rules, "--workers", 1)
    out = run("explain", "parity", "--claims", rules).out
    assert "fresh: ✓ CERTIFIED" in out
    assert "4 instances" in out
    assert "seed 7" in run("explain", "parity", "--claims", rules, "--seed", 7).out
    file = rules / "support.py"
    file.write_text(file.read_text() + "# edited\n")
    ran = run("explain", "parity", "--claims", rules, "--json")
    check = json.loads(ran.out)["checks"][0]
    assert not check["fresh"]
    assert any("support.py changed" in reason for reason in check["reasons"])


def test_the_errata_are_listed_by_their_effect_with_what_refutes_the_printed_form(run, verify):
    before = run("list", "--flaws", "--claims", STANDINGS).out
    assert "not yet" in before
    verify("corrected")
    shown = run("list", "--flaws", "--claims", STANDINGS).out
    for part in ("a formula changes: 1", "x² + 1", "A one too much", "tested.corrected", "observed", "wording: 1",
                 "corrected in second edition"):  # fmt: skip
        assert part in shown
    assert shown.index("a formula changes: 1") < shown.index("wording: 1")
    counted = "1 errata change a theorem (0) or a formula (1); apart from these, 0 of a constant or an index, and 1"
    assert counted in " ".join(shown.split())
    document = json.loads(run("list", "--flaws", "--claims", STANDINGS, "--json").out)
    assert document["counts"]["a formula changes"] == 1
    slip, words = document["errata"]
    assert slip["id"] == "tested-e1"
    corrected = next(c for c in slip["claims"] if c["id"] == "tested.corrected")
    assert corrected["refuted_by"]["outcome"] == "rejected"
    assert corrected["printed"] != corrected["corrected"]
    assert (words["claims"], words["mended"]) == ([], "second edition")


def test_errata_are_chosen_by_their_id_by_their_paper_and_by_the_claims_that_show_them(run):
    for pattern, ids in {
        "tested-e2": ["tested-e2"],
        "corrected": ["tested-e1"],
        "tested": ["tested-e1", "tested-e2"],
    }.items():
        found = json.loads(run("list", pattern, "--flaws", "--claims", STANDINGS, "--json").out)["errata"]
        assert [erratum["id"] for erratum in found] == ids
    assert run("list", "nothing-e1", "--flaws", "--claims", STANDINGS).code == 2


def test_claims_without_a_known_flaw_say_so(run):
    ran = run("list", "established", "--flaws", "--claims", STANDINGS)
    assert (ran.code, "no errata are known" in ran.out) == (0, True)


def test_the_list_shows_headlines_and_on_request_their_parts(run):
    short = run("list", "--claims", STANDINGS).out
    assert "headline  the square, headline" in short
    assert "headline_slip" not in short
    assert "3 parts" in short
    assert short.rstrip().endswith("23 of the papers, 1 our own: 21 headlines and 3 parts (list --all shows them)")
    tree = run("list", "--all", "--claims", STANDINGS).out.split("\n")
    at = next(i for i, line in enumerate(tree) if line.split()[:1] == ["headline"])
    assert [line.split()[0] for line in tree[at + 2 : at + 5]] == ["headline_case", "headline_slip", "headline_own"]
    assert "our own result, headline_own" in tree[at + 4]
    assert len(tree[at + 2]) - len(tree[at + 2].lstrip()) > len(tree[at]) - len(tree[at].lstrip())


def test_a_pattern_that_matches_a_part_shows_it_below_its_headline(run):
    lines = run("list", "*_slip", "--claims", STANDINGS).out.rstrip().split("\n")
    assert [line.split()[0] for line in lines[1:]] == ["headline", "3", "headline_slip"]
    assert "headline_slip" not in run("list", "tested", "--claims", STANDINGS).out, "a paper's headlines"


def test_the_list_as_json_has_every_claim_with_its_headline(run, verify):
    found = {c["id"]: c for c in json.loads(run("list", "--claims", STANDINGS, "--json").out)["claims"]}
    assert len(found) == 24
    assert found["tested.headline_own"]["part_of"] == "tested.headline"
    assert found["tested.headline_own"]["own_result"] is True
    assert (found["tested.headline"]["part_of"], found["tested.headline"]["parts"]) == (None, 3)


def test_a_headline_is_listed_as_its_weakest_part_stands(run, verify):
    verify("headline*")
    lines = run("list", "headline", "--claims", STANDINGS).out.split("\n")
    assert lines[1].split()[:3] == ["✗", "REFUTED", "headline"]
    assert "1 of its 3 parts refuted (headline_own, our own result), 1 corrected" in lines[2]
    page = run("show", "headline", "--claims", STANDINGS).out
    assert "✓ ESTABLISHED" in page
    assert "✗ REFUTED with its parts; the weakest, tested.headline_own: at integers: " in page
    assert "✎ CORRECTED    tested.headline_slip" in page
    part = run("show", "headline_own", "--claims", STANDINGS).out
    assert "part of tested.headline  headline, the square, headline" in part
    assert part.startswith("our own result, headline_own")


def test_a_paper_has_a_page_and_a_document(run, verify):
    verify("headline*")
    page = run("show", "tested", "--claims", STANDINGS).out
    for words in ("Claims that tests can rely on", "A. Tester (2000)", "Tests 1", "arXiv:0000.00000",
                  "edition read  the first", "Squares, and what can go wrong with them.", "21 headlines",
                  "23 claims of the paper: 2 established, 1 corrected, 20 unchecked",
                  "1 result of our own: 1 refuted", "tested.headline"):  # fmt: skip
        assert words in page
    document = json.loads(run("show", "tested", "--claims", STANDINGS, "--json").out)
    assert (document["key"], document["venue"], document["edition"]) == ("tested", "Tests 1", "the first")
    assert document["summary"]["own"] == {**dict.fromkeys(document["summary"]["own"], 0), "claims": 1, "refuted": 1}
    whole = next(c for c in document["claims"] if c["id"] == "tested.headline")
    assert (whole["standing"], whole["whole"], whole["parts"]["weakest"]["id"]) == (
        "ESTABLISHED", "REFUTED", "tested.headline_own",
    )  # fmt: skip


def test_a_merged_claim_is_found_by_its_old_id_with_its_old_records(run, verify, tmp_path, ledger):
    verify("tested.merged")
    for command in ("show", "explain"):
        ran = run(command, "tested.merged", "--claims", STANDINGS)
        assert "tested.merged is now part of tested.headline" in ran.err
        assert "tested.headline" in ran.out
    assert run("try", "tested.merged", "--formula=x**2", "--claims", STANDINGS, "--workers", 1).code == 0
    with sqlite3.connect(ledger) as connection:
        rename = "REPLACE(document, '\"tested.headline\"', '\"tested.merged\"')"
        connection.execute(f"UPDATE results SET claim = 'tested.merged', document = {rename}, seal = ''")
    verify("tested.headline", "--fresh")
    entries = json.loads(run("history", "headline", "--claims", STANDINGS, "--json").out)["history"]
    assert [entry["claim"] for entry in entries] == ["tested.merged", "tested.headline"]
    assert "tested.merged" in run("history", "headline", "--claims", STANDINGS).out
