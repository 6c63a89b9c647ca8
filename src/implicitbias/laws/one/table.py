"""The table of laws of one variable, and `law`, which reads one."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

from implicitbias.errors import DataError
from implicitbias.exact.rational import Real
from implicitbias.laws.one.atoms import binary, constant
from implicitbias.laws.one.laplace import exponential, laplace
from implicitbias.laws.one.law import Law
from implicitbias.laws.one.normal import normal
from implicitbias.laws.one.parameter import Parameter, positive
from implicitbias.laws.one.scipy_law import from_scipy, is_scipy_law
from implicitbias.laws.one.student_t import cauchy, student_t
from implicitbias.laws.one.text import read
from implicitbias.laws.one.truncated import truncated, truncated_normal
from implicitbias.laws.one.uniform import uniform


def pytorch() -> Law:
    """What torch.nn.Linear(1, n) draws weights and biases from: U(-1, 1)."""
    return uniform(1)


def kaiming_normal() -> Law:
    """Kaiming's normal weights for ReLU units with one input: variance 2."""
    return normal(0, "sqrt(2)")


def kaiming_uniform() -> Law:
    """Kaiming's uniform weights for ReLU units with one input: variance 2."""
    return uniform("sqrt(6)")


def xavier_normal(width: Parameter | Real) -> Law:
    """Xavier's (Glorot's) normal weights of a layer from one input to so many units: variance 2/(1 + width)."""
    return normal(0, f"sqrt(2/(1+({positive(width, 'the width')})))")


def xavier_uniform(width: Parameter | Real) -> Law:
    """Xavier's (Glorot's) uniform weights of a layer from one input to so many units: variance 2/(1 + width)."""
    return uniform(f"sqrt(6/(1+({positive(width, 'the width')})))")


LAWS: dict[str, Callable[..., Law]] = {
    "normal": normal,
    "gaussian": normal,
    "uniform": uniform,
    "binary": binary,
    "rademacher": binary,
    "constant": constant,
    "laplace": laplace,
    "student_t": student_t,
    "cauchy": cauchy,
    "exponential": exponential,
    "truncated": truncated,
    "truncated_normal": truncated_normal,
    "pytorch": pytorch,
    "kaiming_normal": kaiming_normal,
    "kaiming_uniform": kaiming_uniform,
    "xavier_normal": xavier_normal,
    "xavier_uniform": xavier_uniform,
}
"""Each law with its names."""


def law(given: Law | Real | Any) -> Law:
    """A law of one variable: as text, a number for a constant, a Law.

    >>> law("uniform(-2,2)").moment(2)
    1.3333333333333333
    """
    if isinstance(given, Law):
        return given
    if isinstance(given, str):
        found: Law = read(given, LAWS, "law", LAWS)
        return found
    if isinstance(given, int | float | Fraction | Decimal):
        return constant(given)
    if is_scipy_law(given):
        return from_scipy(given)
    raise DataError(
        f"expected a law, as text such as 'normal(0,1)' or a frozen scipy.stats distribution, "
        f"got {type(given).__name__}"
    )
