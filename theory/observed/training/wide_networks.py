"""Wide networks drawn according to (2) and trained; their distance from the adaptive spline.

Draws, kernels and limits use only numpy, not the laws, splines or closed forms of the package. `flow` trains all
parameters of the nonlinear network with the package's integrator of the gradient flow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

LAWS = ("uniform", "gauss", "gauss 0.1")
"""W, B ~ U(-1, 1), U(-2, 2); N(0, 1), N(0, 1); N(0, 1), N(0, 0.1): the three laws of Figure 1. Output weights have the
same law as W."""

X, Y = (-2.0, -1.0, 0.0, 1.0, 2.0), (1.5, 0.5, 1.5, 0.5, 1.5)
"""The five points of Figure 1."""
OTHER_X, OTHER_Y = (-2.0, -1.2, 0.1, 0.9, 2.0), (0.3, 1.4, -0.6, 1.1, 0.4)
"""Five points without symmetry."""
TEN_X = tuple((x + 2) / 1.4 - 2 for x in (-2, -1.5, -0.5, 0, 0.3, 1.3, 1.8, 2.3, 3.3, 3.6))
TEN_Y = (3.0, 1.2, 2.2, 1.0, 1.3, 3.1, 1.3, 2.5, 1.1, 0.3)
"""Ten points on [-2, 2] of the authors' notebook (commit a3ef7f1 of their repository), on which it seems to have drawn
the left half of Figure 1."""
CELLS = 80


def grid() -> Array:
    """81 points on [-2, 2], including the data; with trapezoid weights they give the norm of L²(-2, 2)."""
    import numpy as np

    return np.linspace(-2, 2, CELLS + 1)


def norm(values: Array) -> Array:
    """The L² norm over [-2, 2] of values on the grid, along the last axis."""
    import numpy as np

    weights = np.full(CELLS + 1, 4 / CELLS)
    weights[[0, -1]] /= 2
    out: Array = np.sqrt((values**2 * weights).sum(-1))
    return out


def draw(law: str, shape: tuple[int, ...], rng: np.random.Generator) -> tuple[Array, Array, Array]:
    """W, B and W̄ (the output weight before its 1/√n)."""
    if law == "uniform":
        return rng.uniform(-1, 1, shape), rng.uniform(-2, 2, shape), rng.uniform(-1, 1, shape)
    spread = {"gauss": 1.0, "gauss 0.1": 0.1**0.5}[law]
    return rng.normal(size=shape), spread * rng.normal(size=shape), rng.normal(size=shape)


def penalty_weight(law: str, power: float = 2.0) -> Callable[[Array], Array]:
    """∫ |w|^(power+1) p(w, -wx) dw on [-2, 2] up to a constant factor: ζ for the power 2."""
    if law == "uniform":
        return lambda x: 0 * x + 1
    variance = {"gauss": 1.0, "gauss 0.1": 0.1}[law]
    return lambda x: (variance + x * x) ** (-(power + 2) / 2)


@dataclass(frozen=True)
class Target:
    """The spline through the data on the grid, the line ux + v to subtract from the data, and the intercepts of the end
    tangents at x = 0."""

    spline: Array
    u: float
    v: float
    intercepts: tuple[float, float]


def target(weight: Callable[[Array], Array], x: Sequence[float] = X, y: Sequence[float] = Y) -> Target:
    """The adaptive natural spline by Gauss quadrature of A_jk = ∫ζ h_j h_k, and the mean of its end tangents."""
    import numpy as np

    a, b = np.asarray(x), np.asarray(y)
    nodes, shares = np.polynomial.legendre.leggauss(60)
    places = (a[:-1, None] + a[1:, None]) / 2 + np.diff(a)[:, None] / 2 * nodes
    masses = np.diff(a)[:, None] / 2 * shares * weight(places)
    rising = (places - a[:-1, None]) / np.diff(a)[:, None]
    m = len(a)
    gram = np.zeros((m, m))
    for i in range(m - 1):
        gram[i, i] += masses[i] @ (1 - rising[i]) ** 2
        gram[i + 1, i + 1] += masses[i] @ rising[i] ** 2
        gram[i, i + 1] = gram[i + 1, i] = masses[i] @ (rising[i] * (1 - rising[i]))
    ell = np.zeros(m)
    ell[1:-1] = np.linalg.solve(gram[1:-1, 1:-1], np.diff(np.diff(b) / np.diff(a)))
    bend = masses * (ell[:-1, None] * (1 - rising) + ell[1:, None] * rising)
    left = (b[1] - b[0] - (bend[0] * (a[1] - places[0])).sum()) / (a[1] - a[0])
    right = left + bend.sum()
    z = grid()
    values = b[0] + left * (z - a[0])
    for i in range(m - 1):
        # ∫ (z - c)_+ s'' dc on the cell: over the whole cell if z is beyond it, by quadrature up to z if z is inside
        beyond = z >= a[i + 1]
        values[beyond] += bend[i].sum() * z[beyond] - (bend[i] * places[i]).sum()
        for k in np.flatnonzero((z > a[i]) & ~beyond):
            part = (a[i] + z[k]) / 2 + (z[k] - a[i]) / 2 * nodes
            share = (part - a[i]) / (a[i + 1] - a[i])
            second = weight(part) * (ell[i] * (1 - share) + ell[i + 1] * share)
            values[k] += (z[k] - a[i]) / 2 * (shares * second) @ (z[k] - part)
    u = (left + right) / 2
    cuts = float(b[0] - a[0] * left), float(b[-1] - a[-1] * right)
    return Target(values, float(u), sum(cuts) / 2, cuts)


def features(w: Array, b: Array, x: Array) -> Array:
    """[w x + b]_+: shape (seeds, places, n)."""
    import numpy as np

    z: Array = x[None, :, None] * w[:, None, :] + b[:, None, :]
    np.maximum(z, 0, out=z)
    return z


def linear_limits(w: Array, b: Array, v: Array | None, x: Array, targets: Array) -> Array:
    """Final values on the grid of the linearised network from f = 0, for each row of targets: (seeds, rows, grid).

    If v is None, only the output weights learn (14). Otherwise all parameters do (10); the anti-symmetrical pair has
    the tangent kernel Σφφ' + Σ(V²/n)HH'(1 + xx') + 1 of one of its networks.
    """
    import numpy as np

    z, m, n = grid(), len(x), w.shape[-1]
    places = np.concatenate([x, z])
    phi = features(w, b, places)
    gram = phi[:, :m] @ phi.transpose(0, 2, 1)
    if v is not None:
        active = (phi > 0) * (v / n**0.5)[:, None, :]
        gram = gram + (active[:, :m] @ active.transpose(0, 2, 1)) * (1 + x[:, None] * places) + 1
    solved = np.linalg.solve(gram[:, :, :m], np.broadcast_to(targets.T, (len(w), m, len(targets))))
    out: Array = solved.transpose(0, 2, 1) @ gram[:, :, m:]
    return out


def flow(w: Array, b: Array, v: Array, x: Array, y: Array) -> tuple[Array, float]:
    """Values on the grid and greatest loss of nonlinear networks, all parameters trained by gradient flow to t = ∞ from
    the anti-symmetrical start."""
    import numpy as np

    from implicitbias.training import anti_symmetric, standard, train

    trained = train(
        anti_symmetric(standard(w, b, v)), x, y, engine="gradient_flow", times=[np.inf], tolerance=TOLERANCE
    )
    return trained(grid()), float(np.max(trained.final_loss))


TOLERANCE = 1e-3
"""Tolerance of the integrator relative to the distance travelled by the parameters. Compared with 1e-6 it changes the
distance from the spline by 0.4% at n = 256 and by less at greater widths, whereas single networks vary by about 45%."""
