"""What a candidate says of each instance: its value, whether it agrees, and how far apart the two are."""

from fractions import Fraction

import pytest

from implicitbias.claims.evidence import Instance, Relation, Value
from implicitbias.claims.statement import Rule
from implicitbias.errors import UserError
from implicitbias.exact.rational import Interval
from implicitbias.judging.beside import beside
from implicitbias.judging.judgement import Outcome

HALF = Fraction(1, 2)
WIDE = Interval(Fraction(0), Fraction(1))


def instance(observed: Value, relation: Relation = "=", **given: Value) -> Instance:
    return Instance("", given, observed, relation)


@pytest.mark.parametrize(
    ("observed", "relation", "says", "outcome", "apart"),
    [
        (4, "=", "4", Outcome.ACCEPTED, "equal"),
        (5, "=", "4", Outcome.REJECTED, "off by 1"),
        (4, "<=", "4", Outcome.ACCEPTED, "met"),
        (HALF, "<=", "4", Outcome.ACCEPTED, "3.5 below"),
        (HALF, ">=", "4", Outcome.REJECTED, "off by 3.5"),
        (Fraction(17, 4), ">=", "4", Outcome.ACCEPTED, "0.25 above"),
        (Interval(Fraction(3), Fraction(5)), "=", "4", Outcome.ACCEPTED, "within 1"),
        (WIDE, "<=", "4", Outcome.ACCEPTED, "3 below"),
    ],
)
def test_numbers_are_compared_by_their_distance(
    observed: Value, relation: Relation, says: str, outcome: Outcome, apart: str
) -> None:
    (found,) = beside([instance(observed, relation, x=2)], "x**2", ["x"])
    assert (found.words, found.outcome, found.apart) == (says, outcome, apart)


def test_the_distance_of_enclosures_is_that_of_their_ends_at_most() -> None:
    (found,) = beside([instance(WIDE, "=", x=2)], "x/4", ["x"])
    assert (found.says, found.apart) == (HALF, "within 0.5")


def test_a_rule_is_asked_and_what_is_no_number_is_the_same_or_differs() -> None:
    rule = Rule("parity", "whether x is even", lambda given: given["x"] % 2 == 0)  # type: ignore[operator]
    found = beside([instance(True, x=2), instance(True, x=3)], rule)
    assert [(one.words, one.outcome, one.apart) for one in found] == [
        ("yes", Outcome.ACCEPTED, "the same"),
        ("no", Outcome.REJECTED, "differs"),
    ]


@pytest.mark.parametrize(("formula", "given"), [("1/x", {"x": 0}), ("x", {}), ("x", {"x": "a word"})])
def test_where_a_formula_has_no_value_it_says_why(formula: str, given: dict[str, Value]) -> None:
    (found,) = beside([instance(1, "=", **given)], formula, ["x"])
    assert found.says is None
    assert found.words.startswith("nothing: ")


def test_a_rule_that_fails_on_older_evidence_says_nothing() -> None:
    (found,) = beside([instance(1, y=2)], Rule("side", "the side", lambda given: given["x"]))
    assert (found.words, found.outcome) == ("nothing: KeyError: 'x'", Outcome.UNDECIDED)


def test_a_formula_outside_the_language_is_refused() -> None:
    with pytest.raises(UserError):
        beside([instance(1, "=", x=1)], "x.real", ["x"])
