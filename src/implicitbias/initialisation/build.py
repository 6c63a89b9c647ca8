"""`initialisation`: the law of (W, B) from what a user gives."""

from __future__ import annotations

from typing import Any

from implicitbias.errors import DataError
from implicitbias.initialisation.independent import Independent
from implicitbias.initialisation.initialisation import Initialisation
from implicitbias.initialisation.laws import law


def initialisation(weight: Any, bias: Any = None) -> Initialisation:
    """The law of a neuron's weight and bias, independent where two laws are given.

    >>> initialisation("normal(0,1)", "uniform(-2,2)").zeta(0.0)
    0.3989422804014327
    """
    if bias is not None:
        return Independent(law(weight), law(bias))
    raise DataError("give two laws")
