"""Standings are computed: every control must fall, each check must fell one, premises must hold, supports stand."""

import json
from dataclasses import replace

import pytest

from implicitbias.claims.check import Check, Context, Kind
from implicitbias.claims.erratum import Edition, Erratum
from implicitbias.claims.evidence import Evidence, Identity, Instance, Premise
from implicitbias.claims.statement import Claim, Control, Flaw, Source
from implicitbias.judging.result import ClaimStanding, Result, assess, stand
from implicitbias.judging.verdict import Standing, Verdict
from implicitbias.report.words import parts_text

DOUBLE = Evidence(instances=tuple(Instance("", {"x": x}, 2 * x) for x in (0, 1, 2)))
ONLY_TWO = Evidence(instances=(Instance("", {"x": 2}, 4),))


def check(evidence: Evidence, name: str = "look", kind: Kind = Kind.CERTIFICATE) -> Check:
    def observe(context: Context) -> Evidence:
        return evidence

    return Check(name, kind, observe)


def claim(*checks: Check, **changes: object) -> Claim:
    base = Claim(
        id="p.double",
        source=Source("p", "(1)"),
        title="doubling",
        statement="f(x) = 2x",
        formula="2*x",
        symbols={"x": "the argument"},
        controls=(Control("x**2", "agrees at 0 and 2"), Control("x", "forgets the 2")),
        checks=checks or (check(DOUBLE),),
    )
    return replace(base, **changes)  # type: ignore[arg-type]


def standing(c: Claim) -> tuple[Standing, str]:
    results = [assess(c, k, k.observe(Context())) for k in c.checks]
    found = stand([c], results)[c.id]
    return found.standing, found.reason


def test_a_claim_whose_controls_all_fall_is_established() -> None:
    assert standing(claim()) == (Standing.ESTABLISHED, "")


def test_a_control_that_survives_breaks_the_claim_and_is_named() -> None:
    found, reason = standing(claim(check(ONLY_TWO)))
    assert found is Standing.BROKEN
    assert "x**2" in reason


def test_a_check_that_rejects_no_control_is_broken_even_if_another_check_kills_them_all() -> None:
    empty = check(Evidence(instances=(Instance("", {"x": 0}, 0),)), "empty")
    found, reason = standing(claim(check(DOUBLE), empty))
    assert found is Standing.BROKEN
    assert "empty" in reason


def test_a_false_formula_is_refuted_with_a_counterexample() -> None:
    found, reason = standing(claim(formula="3*x"))
    assert found is Standing.REFUTED
    assert "x = 1" in reason


def test_a_premise_that_fails_leaves_it_undecided() -> None:
    evidence = replace(DOUBLE, premises=(Premise("loss below 1e-12", False, "0.3"),))
    found, reason = standing(claim(check(evidence)))
    assert found is Standing.UNDECIDED
    assert "loss below 1e-12" in reason


def flaw(printed: str | None) -> Flaw:
    edition = Edition("first edition", "p.txt")
    readings = (edition.prints("page 1", "the scan's text"),)
    return Flaw(
        Erratum("p-e1", "(1)", "x", True, "2x", "a formula changes", "misprint", "none", "2x is meant", readings),
        printed,
    )


def test_a_flaw_is_corrected_when_the_printed_form_falls_and_broken_when_it_does_not() -> None:
    assert standing(claim(flaw=flaw("x")))[0] is Standing.CORRECTED
    assert standing(claim(flaw=flaw("x + x")))[0] is Standing.BROKEN


def test_an_erratum_that_no_candidate_can_say_leaves_the_claim_established() -> None:
    """Nothing printed was refuted: the claim shows the erratum, and corrects no formula."""
    c = claim(flaw=flaw(None))
    assert standing(c)[0] is Standing.ESTABLISHED
    result = assess(c, c.checks[0], DOUBLE)
    assert result.printed is None
    assert stand([c], [result])[c.id].expected is Standing.ESTABLISHED


def test_a_form_that_no_result_was_held_against_is_undecided_and_not_broken() -> None:
    before = assess(claim(), claim().checks[0], DOUBLE)
    found = stand([claim(flaw=flaw("x"))], [before])["p.double"]
    assert found.standing is Standing.UNDECIDED
    assert found.reason == "the printed form is newer than these results: run the claim again"
    more = claim(controls=(*claim().controls, Control("3*x", "one too many")))
    assert stand([more], [before])["p.double"].standing is Standing.UNDECIDED
    assert "the control 3*x is newer" in stand([more], [before])["p.double"].reason


def test_a_proof_without_an_identity_is_broken() -> None:
    assert standing(claim(check(DOUBLE, kind=Kind.PROOF)))[0] is Standing.BROKEN
    proved = replace(DOUBLE, identities=(Identity("all x", {"x": "real"}, {"x": "x"}, "x + x"),))
    result = assess(claim(), check(proved, kind=Kind.PROOF), proved)
    assert result.verdict is Verdict.DERIVED


def test_nothing_run_is_unchecked_and_half_run_is_undecided() -> None:
    c = claim(check(DOUBLE), check(DOUBLE, "again"))
    assert stand([c], [])[c.id].standing is Standing.UNCHECKED
    half = stand([c], [assess(c, c.checks[0], DOUBLE)])[c.id]
    assert (half.standing, half.reason) == (Standing.UNDECIDED, "not run: again")


def test_fully_established_needs_everything_below_to_stand() -> None:
    low = claim(id="p.low")
    middle = claim(id="p.middle", rests_on=("p.low",))
    top = claim(id="p.top", rests_on=("p.middle",))

    def fully(results: list[Result]) -> tuple[bool, tuple[str, ...]]:
        found = stand([low, middle, top], results)["p.top"]
        return found.fully, found.waits_for

    everything = [assess(c, c.checks[0], DOUBLE) for c in (low, middle, top)]
    assert fully(everything) == (True, ())
    assert fully(everything[1:]) == (False, ("p.low",))


def test_the_kill_matrix_says_which_check_rejects_which_control() -> None:
    c = claim(check(DOUBLE), check(ONLY_TWO, "two"))
    found = stand([c], [assess(c, k, k.observe(Context())) for k in c.checks])[c.id]
    assert found.killed == {"x**2": ("look",), "x": ("look", "two")}


@pytest.mark.parametrize("evidence", [DOUBLE, ONLY_TWO])
def test_a_result_survives_the_round_trip_through_json(evidence: Evidence) -> None:
    c = claim(flaw=flaw("x"))
    result = assess(c, c.checks[0], evidence, seconds=1.5, provenance={"seed": 3})
    assert Result.from_json(json.loads(json.dumps(result.to_json()))) == result


HEADLINE = claim(id="p.whole")
PARTS = (
    claim(id="p.whole_a", part_of="p.whole"),
    claim(id="p.whole_b", part_of="p.whole"),
    claim(id="p.whole_c", part_of="p.whole"),
)


def family(*verdicts: str) -> ClaimStanding:
    """The headline, established, with parts that stand so (empty: not run)."""
    formula = {"refuted": "3*x", "established": "2*x"}
    members = [HEADLINE]
    results = [assess(HEADLINE, HEADLINE.checks[0], DOUBLE)]
    for part, word in zip(PARTS, verdicts, strict=False):
        evidence = ONLY_TWO if word == "broken" else DOUBLE
        if word == "undecided":
            evidence = replace(DOUBLE, premises=(Premise("trained", False),))
        made = replace(part, formula=formula.get(word, "2*x"), flaw=flaw("x") if word == "corrected" else None)
        members.append(made)
        if word:
            results.append(assess(made, made.checks[0], evidence))
    return stand(members, results)["p.whole"]


@pytest.mark.parametrize(
    ("parts", "whole", "weakest"),
    [
        (("established", "established"), Standing.ESTABLISHED, None),
        (("corrected", "corrected"), Standing.ESTABLISHED, None),
        (("established", "refuted"), Standing.REFUTED, "p.whole_b"),
        (("undecided", "refuted", "refuted"), Standing.REFUTED, "p.whole_b"),
        (("refuted", "broken"), Standing.BROKEN, "p.whole_b"),
        (("undecided", ""), Standing.UNDECIDED, "p.whole_a"),
        (("", "established"), Standing.UNCHECKED, "p.whole_a"),
        ((), Standing.ESTABLISHED, None),
    ],
)
def test_a_headline_stands_as_the_weakest_of_itself_and_its_parts(parts, whole, weakest) -> None:
    found = family(*parts)
    assert found.standing is Standing.ESTABLISHED, "its own checks say what they said"
    assert found.whole is whole
    assert (found.weakest.claim.id if found.weakest else None) == weakest


def test_a_corrected_headline_with_established_parts_is_corrected() -> None:
    whole = replace(HEADLINE, flaw=flaw("x"))
    results = [assess(c, c.checks[0], DOUBLE) for c in (whole, PARTS[0])]
    assert stand([whole, PARTS[0]], results)["p.whole"].whole is Standing.CORRECTED


def test_a_conjecture_is_never_established_and_nothing_is_by_it() -> None:
    guess = claim(conjecture=True)
    assert standing(guess)[0] is Standing.OPEN
    assert standing(claim(conjecture=True, formula="x"))[0] is Standing.REFUTED
    resting = replace(guess, id="p.resting", rests_on=("p.double",), conjecture=False)
    found = stand([guess, resting], [assess(c, c.checks[0], DOUBLE) for c in (guess, resting)])
    assert found["p.double"].expected is Standing.OPEN
    assert found["p.resting"].standing is Standing.ESTABLISHED
    assert not found["p.resting"].fully
    assert found["p.resting"].waits_for == ("p.double",)


def test_a_conjecture_beside_a_theorem_does_not_weaken_it() -> None:
    part = replace(PARTS[0], conjecture=True)
    found = stand([HEADLINE, part], [assess(c, c.checks[0], DOUBLE) for c in (HEADLINE, part)])["p.whole"]
    assert found.whole is Standing.ESTABLISHED
    assert found.weakest is None
    assert parts_text(found) == "its one part open"


@pytest.mark.parametrize(
    ("parts", "says"),
    [
        ((), ""),
        (("established",), "1 part, established"),
        (("established", "established"), "2 parts, all established"),
        (("established", "corrected", "corrected"), "2 of its 3 parts corrected"),
        (("corrected",), "its one part corrected"),
        (("corrected", "established", "refuted"), "1 of its 3 parts refuted (whole_c), 1 corrected"),
        (("", "", "corrected"), "2 of its 3 parts not run (whole_a), 1 corrected"),
    ],
)
def test_the_parts_are_counted_in_words_and_the_weakest_is_named(parts, says) -> None:
    assert parts_text(family(*parts)) == says


def test_parts_that_were_neither_asked_for_nor_ever_checked_make_a_report_no_worse() -> None:
    found = family("corrected", "", "")
    assert found.whole is Standing.UNCHECKED
    alone = found.within({"p.whole"})
    assert (alone.whole, parts_text(alone)) == (Standing.ESTABLISHED, "its one part corrected, 2 more not run")
    asked = found.within({"p.whole", "p.whole_b"})
    assert asked.whole is Standing.UNCHECKED
    refuted = family("refuted").within({"p.whole"})
    assert refuted.whole is Standing.REFUTED, "what is recorded counts"


def test_a_part_knows_its_headline_and_counts_no_part_of_its_own() -> None:
    found = family("established")
    assert found.headline is None
    assert found.parts[0].headline is not None
    assert found.parts[0].headline.id == "p.whole"
    assert found.parts[0].parts == ()


def test_an_observation_without_anything_to_judge_is_broken() -> None:
    assert standing(claim(check(Evidence(measured={"rate": 1}))))[0] is Standing.BROKEN
    without = Evidence(premises=(Premise("trained", False),))
    assert standing(claim(check(without)))[0] is Standing.UNDECIDED
