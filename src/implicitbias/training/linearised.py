"""The functions that linear training ends in: a network linearised at its start, and a kernel expansion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from implicitbias.training.evaluation import BLOCK, inputs_of, kink_sums, lifts
from implicitbias.training.two_layer import TwoLayer, unchecked

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from implicitbias.training.infinite_width import InfiniteWidth

    Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LinearisedNetwork:
    """f_lin(x) = f(x, θ_0) + ∇_θ f(x, θ_0) · (θ - θ_0), with scalar outputs.

    start         θ_0
    displacement  θ - θ_0 as (w, b, v, c), of the shapes of the start
    """

    start: TwoLayer
    displacement: tuple[Array, Array, Array, Array]

    @property
    def parameters(self) -> TwoLayer:
        """θ: the parameters that the linearised model has reached."""
        s, (w, b, v, c) = self.start, self.displacement
        return unchecked(s.w + w, s.b + b, s.v + v, s.c + c, s.rates)

    def __call__(self, x: ArrayLike) -> Array:
        """f_lin at x, shaped as for `TwoLayer`; O((n + Q) log Q) per network for univariate inputs."""
        points, one = inputs_of(self.start.inputs, x)
        s = self.start
        single = s.seeds is None
        w, b, v, c, dw, db, dv, dc = (a[None] if single else a for a in (s.w, s.b, s.v, s.c, *self.displacement))
        rows = []
        for i in range(len(b)):
            if s.inputs is None:
                slope, intercept = v[i] * (w[i] + dw[i]) + dv[i] * w[i], v[i] * (b[i] + db[i]) + dv[i] * b[i]
                rows.append(kink_sums(w[i], b[i], slope, intercept, points) + c[i] + dc[i])
            else:
                size = max(1, BLOCK // b.shape[1])
                parts = []
                for j in range(0, len(points), size):
                    z = lifts(w[i], b[i], points[j : j + size])
                    lift = points[j : j + size] @ dw[i].T + db[i]
                    parts.append(np.maximum(z, 0.0) @ (v[i] + dv[i]) + ((z > 0) * lift) @ v[i])
                rows.append(np.concatenate(parts) + c[i] + dc[i])
        out = np.stack(rows)
        out = out[:, 0] if one else out
        return out[0] if single else out


@dataclass(frozen=True, eq=False)
class KernelExpansion:
    """f(x) = f_0(x) + Σ_j a_j K(x, x_j): the infinitely wide network after training.

    model  kernel K and f_0
    x      (M,) or (M, d), the data
    a      (M,)
    """

    model: InfiniteWidth
    x: Array
    a: Array

    def __call__(self, x: ArrayLike) -> Array:
        """f at x of shape (Q,) or (Q, d): shape (Q,); at one input, shape ()."""
        points, one = inputs_of(self.x.shape[1] if self.x.ndim == 2 else None, x)
        out: Array = self.model.start(points) + self.model.matrix(points, self.x) @ self.a
        return out[0] if one else out
