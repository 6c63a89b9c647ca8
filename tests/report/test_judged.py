"""The view of a judgement: the claim's and the printed form's values beside what was observed."""

from dataclasses import replace

from implicitbias.claims.evidence import Instance
from implicitbias.judging.judgement import Outcome
from implicitbias.judging.result import Result
from implicitbias.report.judged import LONGEST, rows
from tests.report.conftest import CORRECTED, NOT_RUN, results_of


def first(*instances: Instance) -> Result:
    """The first result of the corrected claim, with other instances if some are given."""
    found = results_of(CORRECTED)[0]
    return replace(found, evidence=replace(found.evidence, instances=instances)) if instances else found


def test_every_instance_has_what_was_seen_what_the_claim_says_and_what_is_printed() -> None:
    found = rows(CORRECTED, first(), 9)
    assert [(row.where, row.given, row.observed, row.says, row.apart) for row in found] == [
        ("case 0", "T = 1, s = 0", "1", "1", "equal"),
        ("case 1", "T = 2, s = -3", "3", "3", "equal"),
        ("case 2", "T = 1/3, s = 1/3", "1/3", "1/3", "equal"),
    ]
    assert all(row.outcome is Outcome.ACCEPTED for row in found)
    assert [(row.printed, row.refuted) for row in found] == [("1", False), ("2", True), ("1/3", False)]


def test_so_many_are_shown_from_a_place_on_and_none_is_printed_where_nothing_is_wrong() -> None:
    (row,) = rows(CORRECTED, first(), 1, first=1)
    assert row.where == "case 1"
    assert {row.printed for row in rows(NOT_RUN, first(), 9)} == {""}


def test_bounds_long_values_and_data_in_a_label_are_put_in_words() -> None:
    (row,) = rows(CORRECTED, first(Instance("x = [('1/2',), ('0', '1')]", {"T": 10**200, "s": 0}, 1, "<=")), 1)
    assert row.says.startswith("at most ")
    assert row.where == "x = [(1/2), (0, 1)]"
    assert len(row.given) <= len("T = , s = 0") + LONGEST


def test_another_candidate_stands_beside_the_claim_and_falls_where_it_does() -> None:
    assert [(row.other, row.falls) for row in rows(CORRECTED, first(), 9, other="T")] == [
        ("1", False),
        ("2", True),
        ("1/3", False),
    ]
    assert {(row.other, row.falls) for row in rows(CORRECTED, first(), 9)} == {("", False)}
