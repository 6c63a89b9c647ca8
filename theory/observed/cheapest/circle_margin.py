"""Problem (5) with one input: the margin-one classifier of least Σ‖ν‖, over the whole circle of directions.

max Σ β_il  subject to  ‖g(a)‖ <= 1 for all unit vectors a,
g(a) = Σ_i α_i [a·(x_i, 1)]_+,  α_i = Σ_l β_il (e_{y_i} - e_l)

is solved on a grid of directions. Any β, divided by the largest ‖g‖ on the circle, gives a lower bound. This maximum is
found arc by arc, since g is linear in a while the set of active data is constant. The multipliers of the cones, scaled,
form a feasible network, which gives an upper bound. Only rounding errors (1e-12) are not controlled rigorously.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


@dataclass(frozen=True)
class Bounds:
    """lower <= optimum <= upper; directions (D, 2) and weights (D, k) of the network of cost `upper` and margin one."""

    lower: float
    upper: float
    directions: Array
    weights: Array


def activations(directions: Array, x: Array) -> Array:
    """[a·(x, 1)]_+ of shape (D, n)."""
    import numpy as np

    found: Array = np.maximum(directions @ np.stack([x, np.ones_like(x)]), 0)
    return found


def bounds(x: Sequence[float], labels: Sequence[int], k: int, directions: Array) -> Bounds:
    """Solve on the given directions and return two-sided bounds; the upper bound uses the norms of these directions."""
    import clarabel
    import numpy as np
    from scipy import sparse

    points, y = np.asarray(x, dtype=float), np.asarray(labels)
    pairs = [(i, rival) for i in range(len(y)) for rival in range(k) if rival != y[i]]
    turn = np.zeros((len(pairs), len(y), k))
    for p, (i, rival) in enumerate(pairs):
        turn[p, i, y[i]], turn[p, i, rival] = 1, -1
    on = activations(directions, points)
    prices = np.einsum("di,pil->dlp", on, turn)
    d, m = len(directions), len(pairs)
    cones = np.concatenate([np.zeros((d, 1, m)), -prices], axis=1).reshape(-1, m)
    right = np.tile(np.eye(k + 1)[0], d)
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    solved = clarabel.DefaultSolver(
        sparse.csc_matrix((m, m)),
        -np.ones(m),
        sparse.csc_matrix(np.concatenate([-np.eye(m), cones])),
        np.concatenate([np.zeros(m), right]),
        [clarabel.NonnegativeConeT(m), *[clarabel.SecondOrderConeT(k + 1)] * d],
        settings,
    ).solve()
    beta = np.maximum(np.array(solved.x), 0)
    weights = -np.array(solved.z)[m:].reshape(d, k + 1)[:, 1:]
    gaps = np.einsum("di,dl,pil->p", on, weights, turn)
    weights = weights / gaps.min()
    alpha = np.einsum("p,pil->il", beta, turn)
    return Bounds(
        float(beta.sum() / largest_price(points, alpha)),
        float(np.linalg.norm(weights, axis=1) @ np.linalg.norm(directions, axis=1)),
        directions,
        weights,
    )


def circle(count: int, x: Sequence[float]) -> Array:
    """`count` equally spaced directions and those whose kink is at a data point."""
    import numpy as np

    angles = np.concatenate([np.linspace(-np.pi, np.pi, count, endpoint=False), _turns(np.asarray(x, dtype=float))])
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def _turns(x: Array) -> Array:
    import numpy as np

    return np.concatenate([np.arctan2(-s * x, s * np.ones_like(x)) for s in (1.0, -1.0)])


def largest_price(x: Array, alpha: Array) -> float:
    """max of ‖g(a)‖ over the circle; on each arc ‖g‖² = a'Qa is largest at Q's top eigenvector or at an end."""
    import numpy as np

    ends = np.sort(np.mod(_turns(x), 2 * np.pi))
    best = 0.0
    for a, b in zip(ends, [*ends[1:], ends[0] + 2 * np.pi], strict=True):
        middle = np.array([np.cos((a + b) / 2), np.sin((a + b) / 2)])
        on = middle[0] * x + middle[1] > 0
        matrix = np.stack([(alpha[on] * x[on, None]).sum(0), alpha[on].sum(0)])
        _, vectors = np.linalg.eigh(matrix @ matrix.T)
        places = [np.array([np.cos(t), np.sin(t)]) for t in (a, b)]
        for v in (vectors[:, 1], -vectors[:, 1]):
            if np.mod(np.arctan2(v[1], v[0]) - a, 2 * np.pi) <= b - a:
                places.append(v)
        best = max(best, *(float(np.linalg.norm(p @ matrix)) for p in places))
    return best
