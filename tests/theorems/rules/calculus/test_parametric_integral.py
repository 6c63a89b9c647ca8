"""Integrals with a parameter: derivative, expansion at infinity; what is refused; that the weight decides."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

import pytest

from implicitbias.theorems.primitives import PRIMITIVES, Primitive, Vocabulary
from implicitbias.theorems.quantity import Quantity, Steps
from implicitbias.theorems.rules.calculus.parametric_integral import IntegralDerivative, IntegralExpansion
from implicitbias.theorems.setting import NotShownError, RefusedError, Setting, minus
from implicitbias.theorems.theorem import assumed

HAT = IntegralDerivative(
    "Max(0, 1 - r*Abs(t))",
    "t",
    "-1",
    "1",
    "r",
    "rho",
    knots=("-1/r", "0", "1/r"),
    antiderivatives=("0", "t**2/2", "-t**2/2", "0"),
    near=("r > 1",),
)
"""∫ of a hat of width 2/r is 1/r."""

FAR = IntegralExpansion(
    "Max(0, 1 - r*Abs(t))*slice_weight(t, d)",
    "t",
    "-1",
    "1",
    "r",
    factor="r",
    scale="1/r",
    knots=("-1", "0", "1"),
    within="1",
    extensions=tuple(
        f"{hat}*sphere_area(d - 2)*(1 - e**2*t**2)**((d - 3)/2)" for hat in ("0", "(1 + t)", "(1 - t)", "0")
    ),
    antiderivatives=("0", "sphere_area(d - 2)*(t + t**2/2)", "sphere_area(d - 2)*(t - t**2/2)", "0"),
)


def beyond_one() -> Setting:
    return assumed(Setting({"rho": "positive"}), "rho > 1")


def any_dimension(vocabulary: Vocabulary = PRIMITIVES) -> Setting:
    return assumed(Setting({"d": "real"}, (), vocabulary), "d >= 2")


def found(quantity: Quantity, value: str, setting: Setting) -> None:
    setting.zero(minus(quantity.establish(setting, Steps()), setting.read(value)), "the value")


def test_the_width_of_a_hat() -> None:
    found(HAT, "-1/rho**2", beyond_one())


def test_a_moving_end() -> None:
    area = IntegralDerivative("r*t", "t", "0", "r", "r", "rho", antiderivatives=("t**2/2",), near=("r > 0",))
    found(area, "3*rho**2/2", beyond_one())


def test_the_limit_in_every_dimension() -> None:
    found(FAR, "sphere_area(d - 2)", any_dimension())


@pytest.mark.parametrize(
    ("why", "quantity"),
    [
        ("a knot left out", replace(HAT, knots=("-1/r", "1/r"), antiderivatives=("0", "t**2/2", "0"))),
        ("half of the interval", replace(HAT, knots=("0", "1/r"), antiderivatives=("t**2/2", "-t**2/2", "0"))),
        ("knots out of order", replace(HAT, knots=("1/r", "0", "-1/r"))),
        ("a knot outside", replace(HAT, knots=("-2", "0", "1/r"))),
        ("another antiderivative", replace(HAT, antiderivatives=("0", "t**2/2", "t**2/2", "0"))),
        ("an antiderivative that jumps", replace(HAT, antiderivatives=("0", "t**2/2 + sign(t)", "-t**2/2", "0"))),
        ("too few antiderivatives", replace(HAT, antiderivatives=("0", "t**2/2", "-t**2/2"))),
        ("nothing known around the point", replace(HAT, near=())),
        ("a condition that fails at the point", replace(HAT, near=("r > 2",))),
        ("a condition that holds at the point alone", replace(HAT, near=("r >= rho",))),
        ("a singular end", IntegralDerivative("r/sqrt(t)", "t", "0", "1", "r", "rho", antiderivatives=("2*sqrt(t)",))),
        ("a pole inside", IntegralDerivative("r/t**2", "t", "-1", "1", "r", "rho", antiderivatives=("-1/t",))),
        ("ends in the wrong order", IntegralDerivative("r*t", "t", "1", "0", "r", "rho", antiderivatives=("t**2/2",))),
    ],
)  # fmt: skip
def test_unsound_witnesses_of_a_derivative_are_refused(why: str, quantity: Quantity) -> None:
    with pytest.raises((RefusedError, NotShownError)):
        quantity.establish(beyond_one(), Steps())


WEIGHT = "sphere_area(d - 2)*(1 - e**2*t**2)**((d - 3)/2)"


@pytest.mark.parametrize(
    ("why", "quantity"),
    [
        ("twice the extension", replace(FAR, extensions=("0", f"2*(1 + t)*{WEIGHT}", f"2*(1 - t)*{WEIGHT}", "0"))),
        ("a knot left out", replace(FAR, knots=("-1", "1"), extensions=("0", f"(1 + t)*{WEIGHT}", "0"),
                                    antiderivatives=("0", "sphere_area(d - 2)*(t + t**2/2)", "0"))),
        ("pieces that move", replace(FAR, scale="1/r**2")),
        ("a scale that may be negative", replace(FAR, scale="2 - r")),
        ("an extension that holds too near only", replace(FAR, within=None)),
        ("odd terms before the second", IntegralExpansion(
            "1/(r + t)", "t", "0", "1", "r", factor="r", order=2, extensions=("1/(1 + e*t)",),
            antiderivatives=("t**3/3",))),
        ("not continuous at the limit", IntegralExpansion(
            "r*exp(-r*t)", "t", "0", "1", "r", extensions=("exp(-t/e)/e",), antiderivatives=("0",))),
        ("a negative order", replace(FAR, order=-1)),
    ],
)  # fmt: skip
def test_unsound_witnesses_of_an_expansion_are_refused(why: str, quantity: Quantity) -> None:
    with pytest.raises((RefusedError, NotShownError)):
        quantity.establish(any_dimension(), Steps())


def test_another_weight_has_another_expansion() -> None:
    """With the exponent of the solid ball's slices the witness does not fit."""
    solid = Primitive("slice_weight", ("t", "d"), "sphere_area(d - 2)*(1 - t**2)**((d - 1)/2)", "of the ball")
    with pytest.raises((RefusedError, NotShownError)):
        FAR.establish(any_dimension(MappingProxyType({**PRIMITIVES, "slice_weight": solid})), Steps())
