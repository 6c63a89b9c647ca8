"""Combinations of products that are at least 0: found where there is one, and exact."""

from __future__ import annotations

from fractions import Fraction

import flint
from hypothesis import given
from hypothesis import strategies as st

from implicitbias.theorems.combinations import combination

RING = flint.fmpq_mpoly_ctx.get(["x", "y"])
MONOMIALS = st.tuples(st.integers(0, 2), st.integers(0, 2))
POLYNOMIALS = st.dictionaries(MONOMIALS, st.integers(-3, 3).filter(bool), min_size=1, max_size=3)


@given(st.lists(st.tuples(POLYNOMIALS, st.integers(0, 3)), min_size=1, max_size=6))
def test_a_combination_that_there_is_is_found_exactly(terms: list[tuple[dict[tuple[int, int], int], int]]) -> None:
    products = [RING.from_dict(polynomial) for polynomial, _ in terms]
    target = sum((p * weight for p, (_, weight) in zip(products, terms, strict=True)), RING.from_dict({}))
    found = combination(target, products, [False] * len(products))
    assert found is not None
    assert min(found) >= 0
    weights = [flint.fmpq(c.numerator, c.denominator) for c in found]
    assert sum((p * c for p, c in zip(products, weights, strict=True)), RING.from_dict({})) == target


def test_what_no_other_product_cancels_takes_no_part() -> None:
    x, y = RING.gens()
    assert combination(x, [x + y, x + y**2], [False, False]) is None
    assert combination(x, [x + y, x - y, x + y**2], [False] * 3) == [Fraction(1, 2), Fraction(1, 2), 0]
    assert combination(x - x, [x + y, y], [True, True]) == [0, 0]
