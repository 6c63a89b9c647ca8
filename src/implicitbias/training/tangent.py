"""The tangent kernel of a two-layer network and its factors: K = J R Jᵀ with J = ∂f/∂θ at the data, R the rates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from implicitbias.errors import DataError
from implicitbias.training.evaluation import lifts
from implicitbias.training.two_layer import Groups, TwoLayer

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]


@dataclass(frozen=True)
class Tangent:
    """A batch of S scalar networks at M inputs: outputs, and what products with J need.

    x         (1 or S, M) or (1 or S, M, d)
    features  (S, M, n): [⟨w_i, x_j⟩ + b_i]_+
    active    (S, M, n): 1 where positive, else 0 (0 at a kink, as in autograd)
    outputs   (S, M)
    """

    x: Array
    v: Array
    features: Array
    active: Array
    outputs: Array

    def kernel(self, rates: Groups, other: Tangent | None = None) -> Array:
        """(S, M, M'): Σ rates ∂f(x)/∂θ ∂f(x')/∂θ, with x' the inputs of `other` (default: of this one)."""
        return sum(self.blocks(rates, other).values(), np.zeros(()))

    def blocks(self, rates: Groups, other: Tangent | None = None) -> dict[str, Array]:
        """The kernel's parts, by group of parameters."""
        to = self if other is None else other
        turn = (0, 2, 1)
        out = {}
        if rates.v:
            out["v"] = rates.v * (self.features @ to.features.transpose(turn))
        if rates.w or rates.b:
            paths = (self.active * self.v[:, None, :]) @ (to.active * self.v[:, None, :]).transpose(turn)
            if rates.w:
                vectors = self.x.ndim == 3
                products = self.x @ to.x.transpose(turn) if vectors else self.x[:, :, None] * to.x[:, None, :]
                out["w"] = rates.w * paths * products
            if rates.b:
                out["b"] = rates.b * paths
        if rates.c:
            shape = (self.outputs.shape[0], self.outputs.shape[1], to.outputs.shape[1])
            out["c"] = np.full(shape, rates.c)
        return out

    def pull_back(self, a: Array, rates: Groups) -> tuple[Array, Array, Array, Array]:
        """R Jᵀ a for a of shape (S, M): the parts of w, b, v, c."""
        row = a[:, None, :]
        if self.x.ndim == 3:
            w = self.v[..., None] * ((self.active * a[..., None]).transpose(0, 2, 1) @ self.x)
        else:
            w = self.v * ((a * self.x)[:, None, :] @ self.active)[:, 0]
        b = self.v * (row @ self.active)[:, 0]
        v = (row @ self.features)[:, 0]
        return rates.w * w, rates.b * b, rates.v * v, rates.c * a.sum(1)


def tangent(w: Array, b: Array, v: Array, c: Array, x: Array) -> Tangent:
    """The network w (S, n) or (S, n, d), b, v (S, n), c (S,) at x (1 or S, M) or (1 or S, M, d). Cost O(S M n)."""
    if x.ndim == 3:
        z = np.stack([lifts(w[i], b[i], x[i % len(x)]) for i in range(len(b))])
    else:
        z = x[:, :, None] * w[:, None, :] + b[:, None, :]
    features = np.maximum(z, 0.0)
    return Tangent(x, v, features, (z > 0).astype(z.dtype), (features @ v[..., None])[..., 0] + c[:, None])


def tangent_of(network: TwoLayer, x: Array) -> Tangent:
    """The tangent of a TwoLayer with a scalar output at x of shape (M,), (M, d), or with a leading axis of seeds."""
    if network.outputs is not None:
        raise DataError("tangent kernels are for scalar outputs: v must have shape (n,) or (seeds, n)")
    single = network.seeds is None
    w, b, v, c = (a[None] if single else a for a in (network.w, network.b, network.v, network.c))
    point = 1 if network.inputs is None else 2
    return tangent(w, b, v, c, x[None] if x.ndim == point else x)


def tangent_kernel(
    network: TwoLayer,
    x: ArrayLike,
    other: ArrayLike | None = None,
    *,
    groups: str = "wbvc",
) -> Array:
    """K(x_i, x'_j) = Σ_θ rate(θ) ∂f(x_i)/∂θ ∂f(x'_j)/∂θ over the groups of parameters that are named.

    Shape (M, M'), for a batch (seeds, M, M'); `groups="v"` is the output layer's kernel Σ_i φ_i(x) φ_i(x'), and the
    groups' kernels add up. For `standard` at width n, K/n tends to E[[Wx+B]_+ [Wx'+B]_+]; for `ntk`, K itself tends.

    >>> f = TwoLayer([1.0, -1.0], [0.5, 0.0], [2.0, 3.0])
    >>> tangent_kernel(f, [0.0, 1.0], groups="v"), tangent_kernel(f, [0.0, 1.0], groups="b")
    (array([[0.25, 0.75],
           [0.75, 2.25]]), array([[4., 4.],
           [4., 4.]]))
    """
    rates = Groups(*(rate if name in groups else 0.0 for name, rate in zip("wbvc", network.rates, strict=True)))
    first = tangent_of(network, np.asarray(x, dtype=np.float64))
    second = None if other is None else tangent_of(network, np.asarray(other, dtype=np.float64))
    matrix = first.kernel(rates, second)
    return matrix[0] if network.seeds is None else matrix
