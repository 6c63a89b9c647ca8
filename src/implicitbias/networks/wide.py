"""What an infinitely wide network of one input would have learned from the same data."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from implicitbias.errors import DataError
from implicitbias.networks.quantity import Quantity, Section

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from implicitbias.networks.samples import Samples

    Array = NDArray[np.float64]

TITLE = "The infinitely wide network"
GRID = 201
"""Places between the first and the last datum at which functions are compared."""


def section(f: Callable[[Array], Array], samples: Samples, law: Any, assumed: bool) -> tuple[Section, Any]:
    """How far the network is from the limit of gradient descent on the square loss, and that limit.

    f        the network, at places (Q,)
    law      of weights and biases before training
    assumed  whether nobody said that it is this law
    """
    from implicitbias.splines.prediction import predict

    quantities = [_of_law(law, assumed)]
    order = sorted(zip((row[0] for row in samples.inputs), (row[0] for row in samples.outputs), strict=True))
    try:
        found = predict(law, [x for x, _ in order], [y for _, y in order])
        if found.limit is None:
            raise DataError(found.no_limit or "there is no limit")
    except DataError as error:
        return Section(TITLE, (*quantities, Quantity("wide_distance", "distance", None, note=str(error)))), None
    grid = np.linspace(float(order[0][0]), float(order[-1][0]), GRID)
    apart = np.abs(f(grid) - found(grid))
    note = "between the first and the last datum; in doubles"
    quantities += [
        Quantity("wide_loss", "loss", found.final_loss, "½ Σ (f(x) - y)² at the end of training"),
        Quantity("wide_distance", "distance", float(apart.max()), "max |network - limit|", note),
        Quantity("wide_distance_rms", "rms", float(np.sqrt((apart**2).mean())), "√ of mean (network - limit)²", note),
    ]
    return Section(TITLE, tuple(quantities)), found


def _of_law(law: Any, assumed: bool) -> Quantity:
    formula = "before training, from f = 0 on the square loss, all parameters"
    note = "assumed, as torch draws them: --weight and --bias, or --joint, name another" if assumed else ""
    return Quantity("initialisation", "initialisation", str(law.text), formula, note)


def not_available(why: str) -> Section:
    """The section where no limit is computed."""
    return Section(TITLE, (Quantity("wide_distance", "distance", None, note=why),))
