"""A closed form of zeta as a formula, and the text functions that put such formulas together."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from implicitbias.laws.one.law import Array


@dataclass(frozen=True)
class ClosedForm:
    """zeta in the formula language.

    formula  in x, valid for all real x, or as `where` says
    sides    the two parts, from W < 0 and from W > 0, in floating point, accurate to rounding for all x
    exact    zeta at a rational number, if zeta is rational there
    """

    formula: str
    sides: Callable[[Array], tuple[Array, Array]] | None = None
    where: str = ""
    exact: Callable[[Fraction], Fraction | None] | None = None


def bracketed(text: str) -> str:
    """The text as one factor of a formula.

    >>> bracketed("2"), bracketed("-2"), bracketed("sqrt(0.1)"), bracketed("1/3")
    ('2', '(-2)', 'sqrt(0.1)', '(1/3)')
    """
    plain = text.replace(".", "").isdigit()
    called = text.endswith(")") and text.split("(")[0].isalpha() and text.count("(") == 1
    return text if plain or called else f"({text})"


_ONE_TIMES = re.compile(r"(?<![\w./])(?<!\*\*)1(?:\*\*\d+)?\*(?!\*)")
_POWER_OF_ONE = re.compile(r"(?<![\w.])1\*\*\d+")


def tidy(formula: str) -> str:
    """The formula without factors and powers of 1.

    >>> tidy("2*1**3*s/(1*x + 1**2)**2"), tidy("1/(1*x)"), tidy("x/1*y")
    ('2*s/(x + 1)**2', '1/(x)', 'x/1*y')
    """
    return _POWER_OF_ONE.sub("1", _ONE_TIMES.sub("", formula))
