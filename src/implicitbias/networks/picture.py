"""What a picture of a network shows: its first output along a line, data, and where it bends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from implicitbias.networks.segments import layers_of, switches

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from implicitbias.networks.one_input import Line
    from implicitbias.networks.samples import Samples
    from implicitbias.networks.stack import Stack

    Array = NDArray[np.float64]

PLACES = 401
MOST_KINKS = 100
"""More are not marked: they would hide the curve."""
MARGIN = 0.1
"""Share of the data's range that is shown on each side of them."""


@dataclass(frozen=True, eq=False)
class Picture:
    """Curves over one axis.

    x       places; curves, by name, have a value at each: the network's comes first
    points  (x, y) of the data, where they lie on the axis
    kinks   (x, y) of the network's kinks
    axis    what x is
    """

    x: Array
    curves: dict[str, Array]
    points: tuple[Array, Array]
    kinks: tuple[Array, Array]
    axis: str


NONE = (np.zeros(0), np.zeros(0))


def of_one_input(
    line: Line, samples: Samples | None, f: Callable[[Array], Array], others: dict[str, Callable[[Array], Array]]
) -> Picture:
    """Around the data, or around most kinks where there are no data.

    f       the output, at places
    others  further functions to be drawn
    """
    kinks = line.kink_places
    if samples is not None:
        low, high = float(samples.x.min()), float(samples.x.max())
    elif len(kinks):
        low, high = (float(x) for x in np.quantile(kinks, [0.1, 0.9]))
    else:
        low, high = -1.0, 1.0
    reach = MARGIN * (high - low) or max(1.0, abs(low))
    x = np.linspace(low - reach, high + reach, PLACES)
    shown = kinks[(kinks >= x[0]) & (kinks <= x[-1])]
    shown = shown if len(shown) <= MOST_KINKS else shown[:0]
    x = np.union1d(x, shown)
    points = NONE
    if samples is not None and samples.y is not None:
        points = samples.x[:, 0], samples.y[:, 0]
    elif samples is not None and samples.classes is not None and len(samples.names) == 2:
        points = samples.x[:, 0], samples.signs.astype(float)
    curves = {"network": f(x), **{name: other(x) for name, other in others.items()}}
    return Picture(x, curves, points, (shown, f(shown)), "x")


def along_a_segment(network: Stack, samples: Samples | None) -> Picture:
    """Between the two data that are furthest apart from the first; without data along the first coordinate."""
    start, end, axis = -np.eye(1, network.inputs)[0], np.eye(1, network.inputs)[0], "x₁ from -1 to 1, other inputs 0"
    if samples is not None:
        start = samples.x[0]
        far = int(np.linalg.norm(samples.x - start, axis=1).argmax())
        end, axis = samples.x[far], f"t, from datum 1 (t = 0) to datum {far + 1} (t = 1)"
    t = switches(layers_of(network), start, end)
    t = t if len(t) <= MOST_KINKS else t[:0]
    at = np.union1d(np.linspace(0, 1, PLACES), t)

    def f(t: Array) -> Array:
        found: Array = network(start + t[:, None] * (end - start))[:, 0]
        return found

    return Picture(at, {"network": f(at)}, NONE, (t, f(t)), axis)
