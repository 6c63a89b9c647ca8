"""Signs that follow from domains and hypotheses, and that answers which are kept belong to their own questions."""

from __future__ import annotations

from typing import Any

import pytest

from implicitbias.exact.formula import parse
from implicitbias.theorems.positivity import Signs
from implicitbias.theorems.sign import Hypothesis, Sign

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
