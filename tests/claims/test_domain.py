"""The domain of a claim's symbols: conditions in the formula language, refused where they are none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from implicitbias.claims.domain import condition
from implicitbias.claims.wellformed import Found, problems_of
from implicitbias.errors import FormulaError
from implicitbias.exact.formula import written
from tests.benchmarks.test_evidence import square


@pytest.mark.parametrize(
    ("text", "difference", "strict"),
    [("a >= b", "a - b", False), ("a < b", "b - a", True), ("Abs(a) <= 2*b", "2*b - Abs(a)", False)],
)
def test_a_condition_is_a_difference_that_is_not_negative(text: str, difference: str, strict: bool) -> None:
    found = condition(text, ("a", "b"))
    assert (written(found.difference), found.strict) == (difference, strict)


@pytest.mark.parametrize("text", ["a", "a = b", "a < b < 1", "a < c", "a <"])
def test_what_is_no_condition_is_refused(text: str) -> None:
    with pytest.raises(FormulaError):
        condition(text, ("a", "b"))


def test_a_claim_with_a_domain_that_cannot_be_read_is_not_well_formed() -> None:
    good = replace(square(), domain=("x >= 0",))
    bad = replace(square(), domain=("z >= 0",))
    assert not [p for p in problems_of([Found(good, Path("a.py"))]) if "domain" in p.says]
    assert [p for p in problems_of([Found(bad, Path("a.py"))]) if p.says.startswith("the domain")]
