"""Vectors of any dimension through their inner products."""

from __future__ import annotations

from dataclasses import replace

import pytest

from implicitbias.theorems.primitives import PRIMITIVES
from implicitbias.theorems.quantity import Steps
from implicitbias.theorems.rules.values.vectors import VectorValue
from implicitbias.theorems.setting import NotShownError, RefusedError, Setting, minus

SETTING = Setting({"r": "positive", "s": "positive", "k": "real", "l": "real", "x": "real"})
PAIR = VectorValue(
    formula="norm(l*u + (1 - l)*v)**2",
    vectors=("u", "v"),
    products={"u u": "r**2", "u v": "k", "v v": "s**2"},
)


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("norm(l*u + (1 - l)*v)**2", "l**2*r**2 + 2*l*(1 - l)*k + (1 - l)**2*s**2"),
        ("dot(u - dot(u, v)/dot(v, v)*v, v)", "0"),
        ("norm(-u) + norm(v*2)/2", "r + s"),
        ("norm(u + v)**2 + norm(u - v)**2", "2*r**2 + 2*s**2"),
        ("relu(dot(u, v) + l) - relu(-dot(v, u) - l)", "k + l"),
        ("dot(u, v)/norm(u)", "k/r"),
    ],
    ids=["a chord", "a projection", "lengths", "the parallelogram", "a unit", "a cosine"],
)
def test_inner_products_are_bilinear(formula: str, value: str) -> None:
    found = replace(PAIR, formula=formula).establish(SETTING, Steps())
    SETTING.zero(minus(found, SETTING.read(value)), "the value")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"formula": "relu(u)"}, "a number is meant"),
        ({"formula": "relu(k)"}, "holds no vector"),
        ({"formula": "u*v"}, "a number is meant"),
        ({"formula": "dot(u*v, v)"}, "neither a number nor"),
        ({"formula": "dot(u + 1, v)"}, "neither a number nor"),
        ({"formula": "dot(l, v)"}, "a vector is meant"),
        ({"formula": "dot(1/u, v)"}, "neither a number nor"),
        ({"formula": "dot(u, v) + u"}, "a number is meant"),
        ({"formula": "norm(u)**2", "products": {"v v": "s**2"}}, "not given"),
        ({"products": {"u u": "r**2", "u v": "k", "v u": "0", "v v": "s**2"}}, "given twice"),
        ({"products": {"u": "r**2", "u v": "k", "v v": "s**2"}}, "no pair"),
        ({"products": {"u x": "r**2", "u v": "k", "v v": "s**2"}}, "no pair"),
        ({"vectors": ("u", "v", "x")}, "cannot be a vector"),
        ({"formula": "1/(dot(u, u) - s**2)"}, "not nonzero"),
    ],
)
def test_what_is_no_scalar_formula_in_inner_products_is_refused(change: dict[str, object], says: str) -> None:
    with pytest.raises(RefusedError, match=says):
        replace(PAIR, **change).establish(SETTING, Steps())  # type: ignore[arg-type]


def test_division_by_what_may_be_0_is_not_accepted() -> None:
    with pytest.raises(NotShownError, match="nonzero"):
        replace(PAIR, formula="norm(u/l)").establish(SETTING, Steps())


@pytest.mark.parametrize(
    "products",
    [{"u u": "-r**2", "u v": "k", "v v": "s**2"}, {"u u": "r**2", "u v": "r*s + 1", "v v": "s**2"}],
    ids=["negative square", "beyond Cauchy and Schwarz"],
)
def test_products_that_no_vectors_have_are_not_accepted(products: dict[str, str]) -> None:
    with pytest.raises(NotShownError, match="may be empty"):
        replace(PAIR, products=products).establish(SETTING, Steps())


def test_another_dot_product_is_refused() -> None:
    other = {**PRIMITIVES, "dot": replace(PRIMITIVES["dot"], formula="2*u*v")}
    with pytest.raises(RefusedError, match="not those of vectors"):
        PAIR.establish(replace(SETTING, vocabulary=other), Steps())
