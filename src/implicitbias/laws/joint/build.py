"""`initialisation`, which makes the law of (W, B) from what a user gives, and the table of named laws."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from implicitbias.errors import DataError
from implicitbias.laws.joint.independent import Independent
from implicitbias.laws.joint.joint_law import Initialisation
from implicitbias.laws.one.law import Law
from implicitbias.laws.one.named import Named, offered
from implicitbias.laws.one.table import LAWS, law
from implicitbias.laws.one.text import read

FILES = ("pairs", "correlated_normal", "elliptical")
"""The files of this folder that offer LAWS, in the order in which they are listed."""

KNOWN: tuple[Named[Initialisation], ...] = offered("implicitbias.laws.joint", FILES)

INITIALISATIONS: dict[str, Callable[..., Initialisation]] = {
    name: entry.build for entry in KNOWN for name in entry.names
}
"""Laws of (W, B) by their names."""


def initialisation(weight: Any = None, bias: Any = None, *, joint: Any = None) -> Initialisation:
    """The law of a neuron's weight and bias at initialisation.

    Parameters
    ----------
    weight, bias : str, Law, number or scipy.stats distribution
        Independent laws: text ("normal(0,1)"; mean and standard deviation), a Law, a number for a constant, a frozen
        distribution.
    joint : str or Initialisation
        Instead of both, also as the only argument: text ("correlated_normal(1.5,0.7,0.6)") or what `joint_density(p)`
        makes.

    Returns
    -------
    Initialisation
        With `zeta`, what it is for the spline that wide networks learn.

    Raises
    ------
    DataError
        For laws that are not known, or that leave a part of the pair open.

    Examples
    --------
    >>> initialisation("normal(0,1)", "uniform(-2,2)").zeta(0.0)
    0.3989422804014327
    >>> initialisation("circle(1)").zeta(0.0)
    0.3183098861837907
    """
    if bias is not None:
        if weight is None or joint is not None:
            raise DataError("give a law of the weight and one of the bias, or a joint law of both")
        return Independent(law(weight), law(bias))
    given = joint if joint is not None else weight
    if given is None or (joint is not None and weight is not None):
        raise DataError("give a law of the weight and one of the bias, or a joint law of both")
    if isinstance(given, Initialisation):
        return given
    if isinstance(given, str):
        return _joint(given)
    if isinstance(given, Law):
        raise DataError(f"{given.text} is the law of the weight: give that of the bias too")
    raise DataError(f"expected a joint law, as text such as 'circle(1)', got {type(given).__name__}")


def _joint(text: str) -> Initialisation:
    name = text.split("(")[0].strip()
    if name in LAWS and name not in INITIALISATIONS:
        raise DataError(f"{text.strip()!r} is the law of one variable: give that of the weight and that of the bias")
    found: Initialisation = read(text, INITIALISATIONS, "joint law", LAWS)
    return found
