"""Gradient descent layer by layer in compiled loops: what engine `layerwise` runs.

With H_0 = X (d, M) and H_l = [A_l H_{l-1} + a_l]_+ the outputs are f = A_L H_{L-1} + a_L, (k, M), and backwards

    D_L = ∂L/∂f,  D_l = (A_{l+1}ᵀ D_{l+1}) 1{H_l > 0},  ∂L/∂A_l = D_l H_{l-1}ᵀ,  ∂L/∂a_l = D_l 1

A two-layer network is A_1 = w, a_1 = b, A_2 = vᵀ, a_2 = c. Each seed holds 2 M numbers for each hidden unit while it is
trained. A unit of the first layer is active by the sign that `evaluation.lifts` finds.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from implicitbias.training.engines import descents
from implicitbias.training.engines.compiled import RUNNING, compiled, judged, slopes
from implicitbias.training.engines.descents import Descent
from implicitbias.training.layered import LayeredNetwork

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from implicitbias.training.engines.compiled import Steps
    from implicitbias.training.problem import Problem
    from implicitbias.training.trajectory import Function, Trajectory

    Array = NDArray[np.float64]
    Layers = tuple[Array, ...]


class Run(Descent):
    """One network in training: its layers, each (out, in), and how fast each of them and of their biases learns."""

    def __init__(self, problem: Problem, seed: int, layers: Layers, biases: Layers, step: float) -> None:
        super().__init__(problem, seed)
        self.layers, self.biases = layers, biases
        x = problem.inputs[seed % len(problem.inputs)].astype(problem.dtype)
        self.x = np.ascontiguousarray(x[None] if x.ndim == 1 else x.T)
        sizes = [self.x.shape[0], *(len(a) for a in biases)]
        m = self.x.shape[1]
        self.work = tuple(np.empty((size, m), problem.dtype) for size in sizes[1:])
        self.back = tuple(np.empty((size, m), problem.dtype) for size in sizes[1:])
        self.gradients = tuple(np.empty((n, d), problem.dtype) for d, n in pairwise(sizes))
        self.f, self.r = np.empty((m, sizes[-1])), np.empty((m, sizes[-1]))
        hidden = len(layers) - 1
        rates, decay = step * np.array(problem.rates), 1.0 - step * np.array(problem.decay)
        # Rows: how a layer's weights move, and its biases; of w and b in all layers but the last.
        self.pull = np.array([rates[:2]] * hidden + [rates[2:]])
        self.keep = np.array([decay[:2]] * hidden + [decay[2:]])

    def descend(self, until: int) -> None:
        if self.why == RUNNING:
            self.at, self.why = descend_layers(
                self.at, until, self.end, self.loss, self.x, self.y, self.weights, self.layers, self.biases, self.work,
                self.back, self.gradients, self.f, self.r, self.pull, self.keep, self.recorded, self.losses,
                self.status, self.stop,
            )  # fmt: skip

    def descend_with_noise(self, labels: Array, weights: Array) -> None:
        if self.why != RUNNING:
            return
        forward(self.x, self.layers, self.biases, self.work, self.f)
        value = slopes(self.loss, self.f, self.y, self.weights, self.r)
        self.why = judged(self.at, self.end, value, self.recorded, self.losses, self.status, self.stop)
        if self.why == RUNNING:
            slopes(self.loss, self.f, labels, weights, self.r)
            backward(
                self.x, self.layers, self.biases, self.work, self.back, self.gradients, self.r, self.pull, self.keep
            )
            self.at += 1


def descend(problem: Problem) -> Trajectory:
    """Train as the problem says. See `train`."""
    layers, biases = _two_layer(problem) if problem.kind == "two_layer" else _layered(problem)

    def start(seed: int, step: float) -> Run:
        return Run(problem, seed, tuple(a[seed] for a in layers), tuple(a[seed] for a in biases), step)

    return descents.descend(problem, "layerwise", start, lambda: _rebuilt(problem, layers, biases))


def _two_layer(problem: Problem) -> tuple[Layers, Layers]:
    w, b, v, c = problem.arrays()
    return (w[..., None] if w.ndim == 2 else w, np.ascontiguousarray(v.transpose(0, 2, 1))), (b, c)


def _layered(problem: Problem) -> tuple[Layers, Layers]:
    network = problem.network
    assert isinstance(network, LayeredNetwork)

    def copies(arrays: Layers) -> Layers:
        return tuple(np.array(a[None] if problem.single else a, dtype=problem.dtype, order="C") for a in arrays)

    return copies(network.weights), copies(network.biases)


def _rebuilt(problem: Problem, layers: Layers, biases: Layers) -> Function:
    if problem.kind == "two_layer":
        w, v = layers
        return problem.rebuilt(w[..., 0] if problem.inputs.ndim == 2 else w, biases[0], v.transpose(0, 2, 1), biases[1])

    def copies(arrays: Layers) -> Layers:
        return tuple(np.array(a[0] if problem.single else a) for a in arrays)

    return LayeredNetwork(copies(layers), copies(biases))


@compiled
def forward(x: Array, layers: Any, biases: Any, work: Any, f: Array) -> None:
    """Units after each layer, (units, M), and the outputs f (M, k)."""
    first, m = work[0], x.shape[1]
    for i in range(first.shape[0]):
        row = first[i]
        for j in range(m):
            row[j] = 0.0
        for k in range(x.shape[0]):
            weight = layers[0][i, k]
            for j in range(m):
                row[j] += x[k, j] * weight
    for at in range(len(layers)):
        if at:
            np.dot(layers[at], work[at - 1], work[at])
        last = at == len(layers) - 1
        for i in range(work[at].shape[0]):
            row, bias = work[at][i], biases[at][i]
            if last:
                for j in range(m):
                    f[j, i] = row[j] + bias
            else:
                for j in range(m):
                    row[j] = max(row[j] + bias, row.dtype.type(0))


@compiled
def backward(
    x: Array, layers: Any, biases: Any, work: Any, back: Any, gradients: Any, r: Array, pull: Array, keep: Array
) -> None:
    """One step of all layers, p <- keep p - pull ∂L/∂p, from the slopes r (M, k)."""
    depth = len(layers)
    for a in range(r.shape[1]):
        for j in range(r.shape[0]):
            back[depth - 1][a, j] = r[j, a]
    for at in range(depth - 1, -1, -1):
        if at:
            np.dot(layers[at].T, back[at], back[at - 1])
            for i in range(back[at - 1].shape[0]):
                row, units = back[at - 1][i], work[at - 1][i]
                for j in range(row.shape[0]):
                    row[j] = row[j] if units[j] > 0 else 0.0
        np.dot(back[at], (work[at - 1] if at else x).T, gradients[at])
        for i in range(layers[at].shape[0]):
            total = 0.0
            for j in range(back[at].shape[1]):
                total += back[at][i, j]
            biases[at][i] = keep[at, 1] * biases[at][i] - pull[at, 1] * total
            for k in range(layers[at].shape[1]):
                layers[at][i, k] = keep[at, 0] * layers[at][i, k] - pull[at, 0] * gradients[at][i, k]


@compiled
def descend_layers(
    first: int,
    until: int,
    end: int,
    loss: int,
    x: Array,
    y: Array,
    weights: Array,
    layers: Any,
    biases: Any,
    work: Any,
    back: Any,
    gradients: Any,
    f: Array,
    r: Array,
    pull: Array,
    keep: Array,
    recorded: Steps,
    losses: Array,
    status: Array,
    stop: Array,
) -> tuple[int, int]:
    """Steps first, …, until - 1 of one network: (the step reached, whether and why it stopped)."""
    for step in range(first, until):
        forward(x, layers, biases, work, f)
        why = judged(step, end, slopes(loss, f, y, weights, r), recorded, losses, status, stop)
        if why != RUNNING:
            return step, why
        backward(x, layers, biases, work, back, gradients, r, pull, keep)
    return until, RUNNING
