"""Nonlinear networks with all parameters trained by gradient flow, compared with their linearisation.

Networks start from the anti-symmetrical initialisation, f = 0; L = Σ½(f-y)². The linearised flow is computed from
the eigenvectors of the tangent kernel at the start, which is built here from the samples.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from .linear_trajectories import DATA, GRID, draw, kernels

if TYPE_CHECKING:
    from implicitbias.training import Trajectory, TwoLayer

Array = Any  # numpy is imported where it is used
TOLERANCE = 1e-5
"""Tolerance of the integrator relative to the distance travelled; the measured differences are 1e-3 of that."""


@dataclass(frozen=True)
class Followed:
    """Networks of one width that were followed beside their linearisation; `values` of f on GRID: (times, seeds, 8).

    apart     sup over times of the root mean square over GRID of f - f^lin, one for each seed
    """

    start: TwoLayer
    course: Trajectory
    values: Array
    apart: Array


def trained(parameters: Mapping[str, Any]) -> dict[str, Array]:
    """Train networks of one width; the results have one entry per seed.

    parameters: as `followed` has them

    apart     sup over times of the root mean square over GRID of f - f^lin
    moved     ‖W¹ - W¹_0‖/‖W¹_0‖ at the end
    values    (times, seeds, GRID) of the trained function, shape (seeds, times·GRID)
    loss      at the last time
    """
    import numpy as np

    found = followed(parameters)
    start, end = found.start, cast("TwoLayer", found.course.final)
    return {
        "apart": found.apart,
        "moved": np.linalg.norm(end.w - start.w, axis=1) / np.linalg.norm(start.w, axis=1),
        "values": found.values.transpose(1, 0, 2).reshape(parameters["count"], -1),
        "loss": found.course.final_loss,
    }


def followed(parameters: Mapping[str, Any], size: float = 1.0) -> Followed:
    """Follow networks of one width to the labels times `size`.

    parameters: n, count, seed, law, data, ntk; times: `None` for 24 geometric times and ∞, or a list of n·time
    (η̄t) for the standard parametrisation
    """
    import numpy as np

    from implicitbias.training import anti_symmetric, ntk, standard, train

    rng = np.random.default_rng(parameters["seed"])
    n, count = parameters["n"], parameters["count"]
    x, labels = (np.array(part) for part in DATA[parameters["data"]])
    y, grid = size * labels, np.array(GRID)
    w, b = draw(rng, parameters["law"], count, n)
    v = rng.normal(size=(count, n))
    make = ntk if parameters["ntk"] else standard
    start = anti_symmetric(make(w, b, v, np.zeros(count)))
    parts = kernels(w, b, v / np.sqrt(n), x, np.concatenate([x, grid]))
    if parameters["ntk"]:
        parts["v"] = parts["v"] / n
    K: Array = sum(parts.values())
    lam, modes = np.linalg.eigh(K[:, :, : len(x)])
    if parameters["times"] is None:
        times = [*np.geomspace(0.03 / lam[:, -1].mean(), 30 / lam[:, 0].min(), 24).tolist(), np.inf]
    else:
        times = [tau if tau == np.inf else tau / n for tau in parameters["times"]]
    course = train(start, x, y, engine="gradient_flow", times=times, snapshots=range(len(times)), tolerance=TOLERANCE)
    values = np.stack([f(grid) for f in course.snapshots])
    shares = -np.expm1(-np.array(times)[:, None, None] * lam) / lam
    weights = np.einsum("spk,tsk,sqk,q->tsp", modes, shares, modes, y)
    linear = np.einsum("tsp,spx->tsx", weights, K[:, :, len(x) :])
    return Followed(start, course, values, np.sqrt(((values - linear) ** 2).mean(2)).max(0))


def gaussian_kernels(p: Array, q: Array) -> tuple[Array, Array]:
    """E[φφ'] and E[HH'] for W, B ~ N(0, 1): arc-cosine kernels of order 1 and 0."""
    import numpy as np

    lengths = np.sqrt(1 + p**2)[:, None] * np.sqrt(1 + q**2)
    cosine = np.clip((1 + p[:, None] * q) / lengths, -1, 1)
    angle = np.arccos(cosine)
    both = (np.pi - angle) / (2 * np.pi)
    return lengths * (np.sin(angle) + (np.pi - angle) * cosine) / (2 * np.pi), both


def infinite_width(data: str, tau: float, ntk: bool = False) -> Array:
    """K(·, X)K⁻¹(I - e^{-τK})y on GRID for Gaussian (W, B); for the NTK parametrisation K + E[HH'](1+xx') + 1."""
    import numpy as np

    x, y = (np.array(part) for part in DATA[data])
    points = np.concatenate([x, np.array(GRID)])
    K, both = gaussian_kernels(points, x)
    if ntk:
        K = K + both * (1 + points[:, None] * x) + 1
    lam, modes = np.linalg.eigh(K[: len(x)])
    share = 1 / lam if tau == np.inf else -np.expm1(-tau * lam) / lam
    return K[len(x) :] @ (modes @ (share * (modes.T @ y)))
