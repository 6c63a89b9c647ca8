"""What an infinitely wide network would have learned from the same data."""

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
ASSUMED = "pytorch()"
"""The initialisation of one input where none is named."""
GRID = 201
"""Places between the first and the last datum at which functions are compared."""


def law_of(inputs: int, law: Any) -> Any:
    """The law before training; where None is given torch's, with several inputs a normal one with its variances.

    law  an Initialisation or what names one; with several inputs an IsotropicLaw. Both may be a pair (weight, bias).

    Raises DataError for laws that are of another number of inputs.
    """
    from implicitbias.laws.isotropic.build import isotropic_law
    from implicitbias.laws.isotropic.gaussian import GaussianUnits
    from implicitbias.laws.isotropic.isotropic_law import IsotropicLaw
    from implicitbias.laws.joint.build import initialisation
    from implicitbias.laws.joint.joint_law import Initialisation

    parts = law if isinstance(law, tuple) else (law,)
    if inputs > 1:
        if law is None:
            return GaussianUnits(*[float((3 * inputs) ** -0.5)] * 2)
        if isinstance(law, Initialisation):
            raise DataError(
                f"{law.text} is a law of one input, and the network has {inputs}: give --weight and --bias, or "
                "ib.isotropic_law(...)"
            )
        return isotropic_law(*parts)
    if isinstance(law, IsotropicLaw):
        raise DataError(f"{law.text} is a law of several inputs, and the network has one: take ib.initialisation(...)")
    return initialisation(*([ASSUMED] if law is None else parts))


def section(f: Callable[[Array], Array], samples: Samples, law: Any, assumed: bool) -> tuple[Section, Any]:
    """How far the network is from the limit of gradient descent on the square loss, and that limit.

    f        the network, at places (Q,)
    law      of weights and biases before training
    assumed  whether nobody said that it is this law
    """
    from implicitbias.splines.prediction import predict

    note = "assumed, as torch draws them: --weight and --bias, or --joint, name another"
    quantities = [_of_law(law, assumed, note)]
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


MOST = 2000
"""Data of several inputs: more take long."""
PAIRS = 100
BETWEEN = (0.25, 0.5, 0.75)
"""Where on the segments between pairs of data functions of several inputs are compared."""


def section_of_several(f: Callable[[Array], Array], samples: Samples, law: Any, assumed: bool) -> Section:
    """The same with several inputs: f at (Q, d), `law` as `isotropic_law` makes it."""
    from implicitbias.splines.several_inputs.limit import several_inputs_limit

    assert samples.y is not None
    note = "assumed, normal with the variances that torch draws with: --weight and --bias name another"
    quantities = [_of_law(law, assumed, note)]
    x, y = samples.x, samples.y[:, 0]
    try:
        if len(x) > MOST:
            raise DataError(f"{len(x)} points are given, and {MOST} at most are taken")
        found = several_inputs_limit(x, y, law)
    except DataError as error:
        return Section(TITLE, (*quantities, Quantity("wide_distance", "distance", None, note=str(error))))
    places = np.vstack([x, *between(x)])
    apart = np.abs(f(places) - found(places))
    note = f"at the data and at {len(places) - len(x)} places between them; in doubles"
    loss = 0.5 * float(((found.values - y) ** 2).sum())
    quantities += [
        Quantity("wide_loss", "loss", loss, "½ Σ (f(x) - y)² at the end of training"),
        Quantity("wide_distance", "distance", float(apart.max()), "max |network - limit|", note),
        Quantity("wide_distance_rms", "rms", float(np.sqrt((apart**2).mean())), "√ of mean (network - limit)²", note),
    ]
    return Section(TITLE, tuple(quantities))


def between(x: Array) -> list[Array]:
    """Places on the segments between pairs of rows that are drawn at random, always the same ones; all pairs of few."""
    first, second = np.triu_indices(len(x), 1)
    if len(first) > PAIRS:
        kept = np.sort(np.random.default_rng(0).choice(len(first), PAIRS, replace=False))
        first, second = first[kept], second[kept]
    return [(1 - t) * x[first] + t * x[second] for t in BETWEEN]


def _of_law(law: Any, assumed: bool, note: str) -> Quantity:
    formula = "before training, from f = 0 on the square loss, all parameters"
    return Quantity("initialisation", "initialisation", str(law.text), formula, note if assumed else "")


def not_available(why: str) -> Section:
    """The section where no limit is computed."""
    return Section(TITLE, (Quantity("wide_distance", "distance", None, note=why),))
