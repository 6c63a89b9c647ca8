"""Limits of formulas at infinity."""

from __future__ import annotations

import pytest

from implicitbias.exact.formula import Operation, parse
from implicitbias.theorems.at_infinity import limit_at_infinity
from implicitbias.theorems.setting import NotShownError, RefusedError, Setting

SETTING = Setting({"a": "positive", "x": "real"})


@pytest.mark.parametrize(
    ("formula", "limit"),
    [
        ("exp(-a*w**2)*w**7", "0"),
        ("w**a*exp(-w)", "0"),
        ("(3*w**2 - w)/(a*w**2 + 1)", "3/a"),
        ("w/(w**2 + 1)", "0"),
        ("atan(a*w) - atan(-w)", "pi"),
        ("erf(-w)", "-1"),
        ("x + exp(1/w)", "x + 1"),
        ("exp(-w**2 + 100*w)", "0"),
        ("sin(w)*exp(-w)", "0"),
    ],
)
def test_limits(formula: str, limit: str) -> None:
    found = limit_at_infinity(SETTING, parse(formula).tree, "w")
    SETTING.zero(Operation("-", (found, parse(limit).tree)), "limit")


@pytest.mark.parametrize(
    "formula",
    [
        "w",
        "sin(w)",
        "exp(x*w)",
        "exp(-x**2*w)",
        "w**2/(w + 1)",
        "log(w)",
        "exp(-w)*exp(w)",
        "exp(-w)/exp(-2*w)",
        "1/(x*w)",
    ],
)
def test_what_has_no_limit_or_is_not_shown_to(formula: str) -> None:
    with pytest.raises((NotShownError, RefusedError)):
        limit_at_infinity(SETTING, parse(formula).tree, "w")
