"""Formulas on arrays against their exact enclosures, one place at a time."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from implicitbias.errors import FormulaError
from implicitbias.exact.enclosure import enclose, to_arb
from implicitbias.formulas.on_arrays import on_arrays

PLACES = [Fraction(n, 8) for n in (1, 3, 4, 7)]

FORMULAS = [
    "x**2/3 - 2*x + 1/7",
    "Max(x, 1/2, 1-x) + Min(x, 1/3)",
    "Abs(x - 1/4) * sign(x - 2/3) + floor(3*x)",
    "sqrt(x) + exp(-x) + log(x) + (1+x)**(2/3)",
    "sin(x) + 2*cos(x) + 4*tan(x)",
    "asin(x) + 2*acos(x) + 4*atan(x)",
    "sinh(x) + 2*cosh(x) + 4*tanh(x)",
    "erf(x) + gamma(1+x)",
    "pi + E**2 + 0*x",
    "5/3",
]


@pytest.mark.parametrize("formula", FORMULAS)
def test_doubles_agree_with_the_enclosures(formula: str) -> None:
    expected = [float(to_arb(enclose(formula, x=place))) for place in PLACES]
    values = on_arrays(formula)(np.array([[float(place) for place in PLACES]] * 2))
    assert values.shape == (2, len(PLACES))
    assert values == pytest.approx(np.array([expected] * 2), rel=1e-14)


def test_where_there_is_no_value_there_is_no_number() -> None:
    assert not np.isfinite(on_arrays("log(x)")(np.array([-1.0, 0.0]))).any()
    assert not np.isfinite(on_arrays("1/x")(np.array(0.0)))


def test_numbers_beyond_the_range_of_doubles_are_refused() -> None:
    with pytest.raises(FormulaError, match=r"exceeds 1\.8e308"):
        on_arrays("x*1" + "0" * 400)(np.ones(1))
