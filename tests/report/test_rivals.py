"""The account of a search says of a bound what nothing seen excludes."""

from __future__ import annotations

from fractions import Fraction

import pytest

from implicitbias.claims.catalogue import load
from implicitbias.claims.evidence import Evidence, Instance, Relation
from implicitbias.judging.rivals.confirmed import Rival, Rivals
from implicitbias.judging.rivals.search import search
from implicitbias.report.rivals import headline, told


@pytest.mark.parametrize(
    ("relation", "seen", "words", "factor"),
    [("<=", 3, "a smaller bound", "times about 0.5 "), (">=", 12, "a larger bound", "times about 2 ")],
)
def test_a_bound_that_is_never_met_says_which_constant_would_survive(
    relation: Relation, seen: int, words: str, factor: str
) -> None:
    instances = tuple(Instance("", {"s": s}, Fraction(seen), relation) for s in range(5))
    found = search([Evidence(instances=instances)], "6", ("s",), 5000)
    rivals = Rivals(found, (Rival("5", {"s": "1"}, "6", "5", tried=True),))
    assert f"nothing seen excludes {words}" in headline(rivals)
    notes = [line.note for _, lines in told(load().claim("safran2022.theorem_4_2_segment"), rivals) for line in lines]
    assert [note for note in notes if f"nothing seen excludes the formula {factor}" in note]
