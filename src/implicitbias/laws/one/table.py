"""The table of laws of one variable, and `law`, which reads one."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

from implicitbias.errors import DataError
from implicitbias.exact.rational import Real
from implicitbias.laws.one.atoms import constant
from implicitbias.laws.one.law import Law
from implicitbias.laws.one.named import Named, offered
from implicitbias.laws.one.scipy_law import from_scipy, is_scipy_law
from implicitbias.laws.one.text import read

FILES = ("normal", "uniform", "atoms", "laplace", "student_t", "truncated", "layers")
"""The files of this folder that offer LAWS, in the order in which they are listed."""

KNOWN: tuple[Named[Law], ...] = offered("implicitbias.laws.one", FILES)

LAWS: dict[str, Callable[..., Law]] = {name: entry.build for entry in KNOWN for name in entry.names}
"""Each law by its names."""

IN_SCIPY = {name: build for entry in KNOWN for name, build in entry.scipy.items()}
"""scipy's laws that are known here in ball arithmetic too."""


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
        return from_scipy(given, IN_SCIPY)
    raise DataError(
        f"expected a law, as text such as 'normal(0,1)' or a frozen scipy.stats distribution, "
        f"got {type(given).__name__}"
    )
