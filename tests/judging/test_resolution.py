"""What an experiment leaves open agrees with whom the judge accepts."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from implicitbias.claims.evidence import Evidence, Instance, Relation
from implicitbias.exact.formula import parse
from implicitbias.exact.rational import Interval
from implicitbias.judging.judge import judge
from implicitbias.judging.judgement import Outcome
from implicitbias.judging.resolution import resolution

SIZES = st.fractions(min_value=Fraction(1, 50), max_value=1, max_denominator=100)


def open_factors(text: str) -> list[Fraction]:
    return [Fraction(end) for end in re.findall(r"\d+(?:[./]\d+)?", text.split("c, c")[1])]


@given(st.lists(st.tuples(st.integers(-5, 5).filter(bool), SIZES, SIZES), min_size=1, max_size=4))
def test_the_ends_are_where_the_judge_turns(seen: list[tuple[int, Fraction, Fraction]]) -> None:
    instances = tuple(Instance("", {"s": s}, Interval(3 * s - below, 3 * s + above)) for s, below, above in seen)
    evidence = Evidence(instances=instances)
    low, high = open_factors(resolution(evidence, parse("3*s", ["s"])))
    for factor, accepted in (
        (low, True),
        (high, True),
        (low - Fraction(1, 900), False),
        (high + Fraction(1, 900), False),
    ):
        found = judge(evidence, f"({factor})*3*s", ["s"]).outcome
        if factor > 0:
            assert found is (Outcome.ACCEPTED if accepted else Outcome.REJECTED)


@pytest.mark.parametrize(
    ("observed", "relation", "says"),
    [
        (6, "=", ""),
        ("a word", "=", ""),
        (Fraction(9, 2), "<=", "leaves open the formula times c, c from 3/4 on"),
        (9, ">=", "leaves open the formula times c, c from 0 to 3/2"),
    ],
)
def test_bounds_and_what_is_exact(observed: int | Fraction | str, relation: Relation, says: str) -> None:
    evidence = Evidence(instances=(Instance("", {"s": 2}, observed, relation),))
    assert resolution(evidence, parse("3*s", ["s"])) == says


def test_zero_tells_nothing_of_a_factor() -> None:
    evidence = Evidence(instances=(Instance("", {"s": 0}, Interval(Fraction(-1), Fraction(1))),))
    assert resolution(evidence, parse("3*s", ["s"])) == ""
