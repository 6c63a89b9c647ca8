"""Ends of a support at which a density grows without bound, such as 1 for the arcsine law.

Near an end e other than 0 doubles lie eps |e| apart, and much of the probability may be nearer to e than that: 2.7 %
for t^(-0.9). No quadrature of the density sees it. So probabilities near such an end are taken from the distribution
function, which is exact at each double: panels next to e are given the probability they have, and the last of them,
CLOSE of |e|, has it evenly spread. What an integral of a smooth function is off by is then the probability of that
panel times CLOSE. Near 0 doubles are dense: the last panel is as narrow as its probability, NOTHING, allows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from implicitbias.laws.one.law import Array, Pole
from implicitbias.laws.penalty.weight_panels import NODES, WEIGHTS

CLOSE = 2.0**-30
"""Width of the last panel, relative to |e|: millions of doubles wide, so that rounding of its ends does not count."""

FAR = 2.0**-10
"""Up to here, relative to |e|, panels have the probability of the distribution function."""

NOTHING, LEAST = 1e-20, 1e-250
"""Near 0: the probability of the last panel, and its least width relative to the median."""

RATIO = 4.0
"""Of the ends of a panel: 24 nodes integrate any power to rounding."""

SMOOTH = 0.999
"""Exponents above this belong to densities that are finite at the end."""


@dataclass(frozen=True, eq=False)
class SingularEnd(Pole):
    """A pole, and panels next to it.

    edges   distances from the place, increasing from 0
    factors of the density on the panels between them; NaN stands for even spread with `height`
    """

    edges: Array = field(repr=False)
    factors: Array = field(repr=False)
    height: float

    @property
    def knots(self) -> Array:
        return self.place + self.inside * self.edges

    def corrected(self, x: Array, density: Array) -> Array:
        """The density at x with the probability of each panel, where scipy's is `density`."""
        panel = np.searchsorted(self.edges, self.inside * (x - self.place), side="right") - 1
        within = (panel >= 0) & (panel < self.factors.size)
        factor = self.factors[np.where(within, panel, 0)]
        return np.where(within, np.where(np.isnan(factor), self.height, density * factor), density)


def singular_end(
    place: float, inside: int, median: float, density: Callable[[Array], Array], below: Callable[[Array], Array]
) -> SingularEnd | None:
    """The end of a support, if the density is singular there.

    density  at points
    below    the probability between the end and points inside
    """
    size = abs(place) if place else abs(median)
    first = CLOSE if place else 2.0**-100
    near = place + inside * size * first * np.array([1.0, 2.0])
    if not abs(near[1] - place) < abs(median - place):
        return None
    one, two = (float(p) for p in below(near))
    if not 0 < one < two:
        return None
    exponent = float(np.log2(two / one))
    if exponent > SMOOTH:
        return None
    if not place:
        first = max(LEAST, NOTHING ** (1 / exponent))
    last = min(FAR, 0.5 * abs(median - place) / size)
    count = int(np.log(last / first) / np.log(RATIO)) + 1
    points: Array = place + inside * size * first * np.asarray(RATIO ** np.arange(count), dtype=np.float64)
    masses = np.diff(np.concatenate([[0.0], below(points)]))
    half = np.diff(points) / 2
    nodes = (points[1:] + points[:-1])[:, None] / 2 + half[:, None] * NODES
    seen = np.abs((density(nodes) @ WEIGHTS) * half)
    edges = np.abs(np.concatenate([[place], points]) - place)
    return SingularEnd(
        place, inside, exponent, edges, np.concatenate([[np.nan], masses[1:] / seen]), float(masses[0] / edges[1])
    )
