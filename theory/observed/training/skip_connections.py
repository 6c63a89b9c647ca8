"""Networks with skip connections, f(x) = Σ V_i[⟨W_i, x⟩ + B_i]_+ + ⟨u, x⟩ + v, trained by gradient flow.

All parameters learn, (W, B, V) at n^{-3/2} times the rate of (u, v), the largest that JMLR 2023 allows in Theorems 40
and 41. The data are not adjusted.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .several_inputs import DATA, draw

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

STAGES = 16
"""Stages of the path, each of which follows the flow that is linearised at its start; twice as many tell its error."""
SPAN = 1e-3, 40.0
"""The first stage ends at this part of the time of the fastest mode; the last when the slowest has decayed e^-40."""
POLISH = 12
"""Greatest number of Newton steps at the end: each squares what is missed."""


def flow(w: Array, b: Array, v: Array, x: Array, y: Array, stages: int) -> tuple[list[Array], Array]:
    """Parameters [w, b, v, s] at the end of the flow from skip connections 0, and the loss ½Σ(f(x_j) - y_j)² there.

    w (S, n, d), b and v (S, n), x (M, d), y (M,); s (S, d + 1) holds (u, v).
    """
    import numpy as np

    rate = w.shape[1] ** -1.5
    lifted = np.column_stack([x, np.ones(len(x))])
    at = [w.copy(), b.copy(), v.copy(), np.zeros((len(w), lifted.shape[1]))]

    def linearised() -> tuple[Array, Array, Array, Array]:
        """Residuals, active units, heights of units, and the tangent kernel."""
        heights = at[0] @ x.T + at[1][:, :, None]
        on = heights > 0
        heights = np.where(on, heights, 0.0)
        slopes = at[2][:, :, None] * on
        inner = (slopes.swapaxes(1, 2) @ slopes) * (lifted @ lifted.T)
        kernel = rate * (heights.swapaxes(1, 2) @ heights + inner) + lifted @ lifted.T
        missed = (at[2][:, None, :] @ heights)[:, 0] + at[3] @ lifted.T - y
        return missed, slopes, heights, kernel

    def move(multipliers: Array, slopes: Array, heights: Array) -> None:
        at[2] -= rate * (heights @ multipliers[:, :, None])[:, :, 0]
        pulled = slopes @ (multipliers[:, :, None] * lifted)
        at[0] -= rate * pulled[:, :, :-1]
        at[1] -= rate * pulled[:, :, -1]
        at[3] -= multipliers @ lifted

    values = np.linalg.eigvalsh(linearised()[3])
    times = np.geomspace(SPAN[0] / values.max(), SPAN[1] / values.min(), stages + 1)
    for length in np.diff(times, prepend=0.0):
        missed, slopes, heights, kernel = linearised()
        size, modes = np.linalg.eigh(kernel)
        decayed = -np.expm1(-size * length) / size
        multipliers: Array = np.einsum("sij,sj,skj,sk->si", modes, decayed, modes, missed, optimize=True)
        move(multipliers, slopes, heights)
    for _ in range(POLISH):
        missed, slopes, heights, kernel = linearised()
        if float((missed**2).sum(1).max()) < 1e-24:
            break
        multipliers = np.asarray(np.linalg.solve(kernel, missed[:, :, None])[:, :, 0], dtype=np.float64)
        move(multipliers, slopes, heights)
    return at, (linearised()[0] ** 2).sum(1) / 2


def trained(parameters: Mapping[str, Any]) -> dict[str, Array]:
    """Networks of one width, each doubled with opposite signs: f at the places (count, places), the loss, and how far a
    path of half as many stages ends from it at most, for each network.

    parameters: law, d, data, n, count, seed, places
    """
    import numpy as np

    law, d, n, count = (parameters[name] for name in ("law", "d", "n", "count"))
    x, y, places = (np.array(part, dtype=float) for part in (*DATA[parameters["data"]](d), parameters["places"]))
    rng = np.random.default_rng(parameters["seed"])
    w, b = draw(law, d, (count, n), rng)
    v = rng.normal(size=(count, n)) / np.sqrt(n)
    w, b, v = np.concatenate([w, w], 1), np.concatenate([b, b], 1), np.concatenate([v, -v], 1) / np.sqrt(2)

    def values(stages: int) -> tuple[Array, Array]:
        (w_, b_, v_, s), loss = flow(w, b, v, x, y, stages)
        heights = np.maximum(w_ @ places.T + b_[:, :, None], 0.0)
        return np.einsum("snj,sn->sj", heights, v_) + s[:, :-1] @ places.T + s[:, -1:], loss

    found, loss = values(2 * STAGES)
    coarse, _ = values(STAGES)
    return {"values": found, "loss": loss, "apart": np.abs(found - coarse).max(1)}
