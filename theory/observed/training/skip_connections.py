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

    from implicitbias.training.tangent_by_activity import TangentByActivity
    from implicitbias.training.two_layer import Groups

    rate = w.shape[1] ** -1.5
    rates = Groups(rate, rate, rate, 0.0)
    lifted = np.column_stack([x, np.ones(len(x))])
    skipped = lifted @ lifted.T
    at = [w, b, v, np.zeros((len(w), lifted.shape[1]))]

    def linearised() -> tuple[TangentByActivity, Array, Array]:
        """The units' tangent, the residuals, and the tangent kernel of all parameters."""
        units = TangentByActivity(at[0], at[1], at[2], np.zeros(len(w)), x[None])
        return units, units.outputs + at[3] @ lifted.T - y, units.kernel(rates) + skipped

    def move(multipliers: Array, units: TangentByActivity) -> None:
        moves = (*units.pull_back(multipliers, rates)[:3], multipliers @ lifted)
        at[:] = [part - step for part, step in zip(at, moves, strict=True)]

    values = np.linalg.eigvalsh(linearised()[2])
    times = np.geomspace(SPAN[0] / values.max(), SPAN[1] / values.min(), stages + 1)
    for length in np.diff(times, prepend=0.0):
        units, missed, kernel = linearised()
        size, modes = np.linalg.eigh(kernel)
        decayed = -np.expm1(-size * length) / size
        multipliers: Array = np.einsum("sij,sj,skj,sk->si", modes, decayed, modes, missed, optimize=True)
        move(multipliers, units)
    for _ in range(POLISH):
        units, missed, kernel = linearised()
        if float((missed**2).sum(1).max()) < 1e-24:
            break
        multipliers = np.asarray(np.linalg.solve(kernel, missed[:, :, None])[:, :, 0], dtype=np.float64)
        move(multipliers, units)
    return at, (linearised()[1] ** 2).sum(1) / 2


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
