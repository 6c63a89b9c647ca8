"""Products of gradients: what is found and what is refused."""

from __future__ import annotations

import pytest

from implicitbias.theorems.quantity import Steps
from implicitbias.theorems.rules.calculus.gradient_product import GradientProduct
from implicitbias.theorems.setting import NotShownError, RefusedError, Setting, minus
from implicitbias.theorems.theorem import assumed

POINT = {"v_": "v", "w_": "w", "b_": "b"}
UNIT = "unit(v_, w_, b_, x)"


def unit_at(*hypotheses: str) -> Setting:
    setting = Setting(dict.fromkeys("vwbx", "real"))
    for text in hypotheses:
        setting = assumed(setting, text)
    return setting


@pytest.mark.parametrize(
    ("hypothesis", "value"), [("w*x + b > 0", "(w*x + b)**2 + v**2*(1 + x**2)"), ("w*x + b < 0", "0")]
)
def test_the_squared_gradient_of_a_unit(hypothesis: str, value: str) -> None:
    setting = unit_at(hypothesis)
    squared = GradientProduct(UNIT, UNIT, tuple(POINT), POINT).establish(setting, Steps())
    setting.zero(minus(squared, setting.read(value)), "the value")


@pytest.mark.parametrize(
    ("why", "of", "hypotheses"),
    [
        ("the side of the kink is open", UNIT, ()),
        ("the kink is not excluded", UNIT, ("w*x + b >= 0",)),
        ("a root at its end", "sqrt(w_*x + b_)", ("w*x + b >= 0",)),
        ("a jump", "v_*sign(w_)", ()),
        ("steps", "floor(v_)", ()),
        ("steps that a maximum hides", "Max(v_, v_ - 1 - floor(w_)**2)", ()),
    ],
)
def test_what_is_not_smooth_is_refused(why: str, of: str, hypotheses: tuple[str, ...]) -> None:
    with pytest.raises((RefusedError, NotShownError)):
        GradientProduct(of, "v_", tuple(POINT), POINT).establish(unit_at(*hypotheses), Steps())


def test_the_point_gives_every_variable() -> None:
    with pytest.raises(ValueError, match="each of"):
        GradientProduct(UNIT, UNIT, tuple(POINT), {"v_": "v"}).establish(unit_at("w*x + b > 0"), Steps())
