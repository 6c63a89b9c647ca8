"""The table of laws of one variable, and `law`, which reads one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from implicitbias.errors import DataError
from implicitbias.exact.rational import Real
from implicitbias.initialisation.atoms import binary, constant
from implicitbias.initialisation.law import Law
from implicitbias.initialisation.normal import normal
from implicitbias.initialisation.text import read
from implicitbias.initialisation.uniform import uniform

LAWS: dict[str, Callable[..., Law]] = {
    "normal": normal,
    "gaussian": normal,
    "uniform": uniform,
    "binary": binary,
    "rademacher": binary,
    "constant": constant,
}
"""Each law with its names."""


def law(given: Law | Real | Any) -> Law:
    """A law of one variable: as text, a number for a constant, a Law.

    >>> law("uniform(-2,2)").density(np.array([0.0]))
    array([0.25])
    """
    if isinstance(given, Law):
        return given
    if isinstance(given, str):
        found: Law = read(given, LAWS, "law", LAWS)
        return found
    if isinstance(given, int | float):
        return constant(given)
    raise DataError(f"expected a law, as text such as 'normal(0,1)', got {type(given).__name__}")
