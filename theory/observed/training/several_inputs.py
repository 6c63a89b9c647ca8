"""Networks of several inputs, all parameters trained by gradient flow on data that are adjusted as Theorem 6 says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..wide.unit_means import Learned, Point, gaussian_mean, learned, star, uniform_mean

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

RADIUS, BIAS = Fraction(2), Fraction(5, 2)
"""Weights of the law "sphere" are uniform on the sphere of this radius, biases on [-BIAS, BIAS]."""
SLOPE = Fraction(4)
"""Standard deviation of the weights of the law "gaussian"; that of its biases is 1."""
TOLERANCE = 1e-4
"""Of the integrator, relative to the distance that the parameters travel: networks scatter by a thousand times more."""

Data = tuple[Sequence[Point], Sequence[Fraction]]


def star_data(d: int) -> Data:
    """1 at the origin, -1 at both unit vectors of each axis."""
    points = star(d)
    return points, [Fraction(1), *[Fraction(-1)] * (2 * d)]


def uneven_data(d: int) -> Data:
    """A star whose points are moved off the axes by different amounts, with values that have no symmetry."""
    points = [
        tuple(e + Fraction((7 * i + 4 * k) % 11 - 5, 20) for k, e in enumerate(point))
        for i, point in enumerate(star(d))
    ]
    return points, [Fraction((5 * i) % 7 - 3, 2) for i in range(len(points))]


DATA = {"star": star_data, "uneven": uneven_data}


def limit(law: str, d: int, data: Data) -> Learned:
    """What infinitely many units learn from the data."""
    return learned(gaussian_mean(SLOPE) if law == "gaussian" else uniform_mean(d, BIAS / RADIUS), *data)


def draw(law: str, d: int, shape: tuple[int, int], rng: np.random.Generator) -> tuple[Array, Array]:
    """W, (networks, units, d), and B."""
    import numpy as np

    w = rng.normal(size=(*shape, d))
    if law == "gaussian":
        return float(SLOPE) * w, rng.normal(size=shape)
    w *= float(RADIUS) / np.linalg.norm(w, axis=2, keepdims=True)
    return w, rng.uniform(-float(BIAS), float(BIAS), shape)


def trained(parameters: Mapping[str, Any]) -> dict[str, Array]:
    """Networks of one width, each doubled with opposite signs: f plus the affine function at the places, (count,
    places), and the loss.

    parameters: law, d, data, n, count, seed, places
    """
    import numpy as np

    from implicitbias.training import anti_symmetric, standard, train

    law, d, n, count = (parameters[name] for name in ("law", "d", "n", "count"))
    data = DATA[parameters["data"]](d)
    x, y, at = (np.array(part, dtype=float) for part in (*data, parameters["places"]))
    affine = np.array([float(e.mid()) for e in limit(law, d, data).affine])
    rng = np.random.default_rng(parameters["seed"])
    w, b = draw(law, d, (count, n), rng)
    start = anti_symmetric(standard(w, b, rng.normal(size=(count, n))))
    adjusted = y - x @ affine[:-1] - affine[-1]
    end = train(start, x, adjusted, engine="gradient_flow", times=[np.inf], tolerance=TOLERANCE)
    return {"values": end(at) + at @ affine[:-1] + affine[-1], "loss": end.final_loss}
