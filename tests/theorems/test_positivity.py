"""Combinations of products that are at least 0: found where there is one, and exact."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import flint
import pytest
from hypothesis import given
from hypothesis import strategies as st

from implicitbias.exact.formula import parse
from implicitbias.theorems.positivity import Signs, _combination
from implicitbias.theorems.sign import Hypothesis, Sign

RING = flint.fmpq_mpoly_ctx.get(["x", "y"])
MONOMIALS = st.tuples(st.integers(0, 2), st.integers(0, 2))
POLYNOMIALS = st.dictionaries(MONOMIALS, st.integers(-3, 3).filter(bool), min_size=1, max_size=3)


@given(st.lists(st.tuples(POLYNOMIALS, st.integers(0, 3)), min_size=1, max_size=6))
def test_a_combination_that_there_is_is_found_exactly(terms: list[tuple[dict[tuple[int, int], int], int]]) -> None:
    products = [RING.from_dict(polynomial) for polynomial, _ in terms]
    target = sum((p * weight for p, (_, weight) in zip(products, terms, strict=True)), RING.from_dict({}))
    found = _combination(target, products, [False] * len(products))
    assert found is not None
    assert min(found) >= 0
    weights = [flint.fmpq(c.numerator, c.denominator) for c in found]
    assert sum((p * c for p, c in zip(products, weights, strict=True)), RING.from_dict({})) == target


def test_what_no_other_product_cancels_takes_no_part() -> None:
    x, y = RING.gens()
    assert _combination(x, [x + y, x + y**2], [False, False]) is None
    assert _combination(x, [x + y, x - y, x + y**2], [False] * 3) == [Fraction(1, 2), Fraction(1, 2), 0]
    assert _combination(x - x, [x + y, y], [True, True]) == [0, 0]


X_LESS_Y = parse("x - y").tree
DIFFERENT = [
    ({"x": "real", "y": "real"}, (), None),
    ({"x": "real", "y": "real"}, (("x - y", True),), Sign.POSITIVE),
    ({"x": "real", "y": "real"}, (("x - y", False),), Sign.NONNEGATIVE),
    ({"x": "real", "y": "real"}, (("y - x", True),), Sign.NEGATIVE),
    ({"x": "positive", "y": "negative"}, (), Sign.POSITIVE),
    ({"x": "positive", "y": "real"}, (), None),
    ({"y": "real", "x": "real"}, (("x - y", True),), Sign.POSITIVE),
    ({"y": "positive", "x": "negative"}, (), Sign.NEGATIVE),
    ({"x": "real", "y": "nonnegative"}, (("x - 2*y", True),), Sign.POSITIVE),
    ({"x": "real", "y": "real"}, (("x - 2*y", True),), None),
    ({"x": "real", "y": "real"}, (("x - sqrt(2)", True), ("sqrt(2) - y", True)), Sign.POSITIVE),
    ({"x": "real", "y": "real"}, (("x - sqrt(2)", True), ("sqrt(3) - y", True)), None),
]
"""Domains, hypotheses (strict or not), the sign of x - y."""


@pytest.mark.parametrize("order", [DIFFERENT, DIFFERENT[::-1]])
def test_what_is_asked_of_some_hypotheses_is_not_answered_by_others(
    order: list[tuple[Any, Any, Any]],
) -> None:
    """Answers are kept for all settings: each must be that of its own domains, hypotheses and roots."""
    for variables, hypotheses, expected in order:
        signs = Signs(variables, tuple(Hypothesis(parse(text).tree, strict) for text, strict in hypotheses))
        assert signs.of(X_LESS_Y) is expected, (variables, hypotheses)
