"""A training problem as all engines take it: checked, with every axis in its place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from implicitbias.errors import DataError
from implicitbias.functions.network import Network
from implicitbias.training.infinite_width import InfiniteWidth
from implicitbias.training.layered import LayeredNetwork
from implicitbias.training.losses import LOSSES, labels_for
from implicitbias.training.two_layer import Groups, TwoLayer, unchecked

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]

STEPS = 10_000
"""Steps of gradient descent where nobody says how many."""

PER_DECADE = 24
"""So many records a factor of ten in steps where nobody says which."""


@dataclass(frozen=True, eq=False)
class Problem:
    """What `train` was asked for, checked. S is the number of seeds (1 for a single network), k of outputs (or 1).

    x           (1 or S, M) or (1 or S, M, d)
    y           (1 or S, M, k)
    weights     (M,): of the data in the loss, 1 or 1/M
    decay       weight decay of each group, 0 for groups that do not learn
    rates       how fast each group learns relative to the step, 0 for groups that do not learn
    recorded    the steps at which the loss is recorded, 0 and the last included
    """

    network: TwoLayer | LayeredNetwork | InfiniteWidth
    x: Array
    y: Array
    loss: str
    weights: Array
    step: float | None
    steps: int | None
    times: tuple[float, ...] | None
    stop_loss: float
    patience: int | None
    improvement: float
    decay: Groups
    rates: Groups
    label_noise: Callable[[int, np.random.Generator], Any] | None
    recorded: NDArray[np.int64]
    kept: tuple[int, ...]
    trained: tuple[str, ...]
    device: str
    dtype: str
    seed: int
    threads: int | None
    tolerance: float

    @property
    def kind(self) -> Literal["two_layer", "layered", "infinite"]:
        """What the network is."""
        if isinstance(self.network, TwoLayer):
            return "two_layer"
        return "layered" if isinstance(self.network, LayeredNetwork) else "infinite"

    @property
    def two_layer(self) -> TwoLayer:
        """The network, where it is one of two layers."""
        assert isinstance(self.network, TwoLayer)
        return self.network

    @property
    def seeds(self) -> int:
        """S: 1 for a single network."""
        return getattr(self.network, "seeds", None) or 1

    @property
    def single(self) -> bool:
        """Whether it is one network, not a batch."""
        return getattr(self.network, "seeds", None) is None

    @property
    def last(self) -> int:
        """The number of steps."""
        return int(self.recorded[-1])

    def arrays(self) -> tuple[Array, Array, Array, Array]:
        """Copies of w (S, n) or (S, n, d), b (S, n), v (S, n, k), c (S, k) in the dtype asked for."""
        net = self.two_layer
        w, b, v, c = (a[None] if self.single else a for a in (net.w, net.b, net.v, net.c))
        v, c = (v[..., None], c[..., None]) if net.outputs is None else (v, c)
        w, b, v, c = (np.array(a, dtype=self.dtype, order="C") for a in (w, b, v, c))
        return w, b, v, c

    def rebuilt(self, w: Array, b: Array, v: Array, c: Array) -> TwoLayer:
        """A TwoLayer of the user's shapes from arrays as `arrays` gives them."""
        net = self.two_layer
        v, c = (v[..., 0], c[..., 0]) if net.outputs is None else (v, c)
        w, b, v, c = (np.array(a[0] if self.single else a) for a in (w, b, v, c))
        return unchecked(w, b, v, c, net.rates)

    def noisy(self, step: int, generator: np.random.Generator) -> tuple[Array, Array]:
        """Labels (1 or S, M, k) and weights (1 or S, M) of a step with label noise."""
        assert self.label_noise is not None
        given = self.label_noise(step, generator)
        labels, weights = given if isinstance(given, tuple) else (given, None)
        m, k = self.y.shape[1:]
        y = np.asarray(labels, dtype=np.float64)
        y = y.reshape((1, m, k) if y.size == m * k else (self.seeds, m, k))
        return y, self.weights[None] if weights is None else np.atleast_2d(np.asarray(weights, dtype=np.float64))


def pose(
    network: TwoLayer | LayeredNetwork | Network | InfiniteWidth,
    x: ArrayLike,
    y: ArrayLike,
    *,
    loss: str,
    reduction: str,
    step: float | None,
    steps: int | None,
    times: Sequence[float] | None,
    stop_loss: float,
    patience: int | None,
    improvement: float,
    weight_decay: float | Groups,
    label_noise: Callable[[int, np.random.Generator], Any] | None,
    record: int | Sequence[int] | None,
    snapshots: Sequence[int],
    trained: Sequence[str],
    device: str,
    dtype: str,
    seed: int,
    threads: int | None,
    tolerance: float,
) -> Problem:
    """Check the arguments of `train`. Raises DataError."""
    _one_of("loss", loss, LOSSES)
    _one_of("reduction", reduction, ("sum", "mean"))
    _one_of("dtype", dtype, ("float64", "float32"))
    for name, number in (("step", step), ("tolerance", tolerance)):
        if number is not None and not 0 < number < np.inf:
            raise DataError(f"{name} must be positive and finite: got {number}")
    if not trained or set(trained) - set("wbvc"):
        raise DataError(f"trained must name some of 'w', 'b', 'v', 'c': got {list(trained)}")
    if steps is not None and times is not None:
        raise DataError("give steps (gradient descent) or times (a flow), not both")
    if isinstance(network, Network):
        network = TwoLayer.from_network(network)
    rates = network.rates if isinstance(network, TwoLayer) else Groups()
    rates = Groups(*(rate if name in trained else 0.0 for name, rate in zip("wbvc", rates, strict=True)))
    decay = weight_decay if isinstance(weight_decay, Groups) else Groups(*[weight_decay] * 4)
    if min(decay) < 0:
        raise DataError(f"weight decay must not be negative: got {weight_decay}")
    decay = Groups(*(lam if name in trained else 0.0 for name, lam in zip("wbvc", decay, strict=True)))
    inputs = _inputs(network, np.asarray(x, dtype=np.float64))
    m = inputs.shape[1]
    seeds = getattr(network, "seeds", None) or 1
    labels = np.asarray(y, dtype=np.float64)
    if not np.isfinite(labels).all():
        raise DataError("labels must be finite")
    labels = labels_for(loss, labels, (seeds, m, getattr(network, "outputs", None) or 1))
    recorded = _recorded(STEPS if steps is None else steps, record)
    kept = tuple(int(s) for s in snapshots)
    end = int(recorded[-1]) if times is None else len(times) - 1
    if any(not 0 <= s <= end for s in kept) or list(kept) != sorted(set(kept)):
        raise DataError(f"snapshots must be increasing numbers from 0 to {end}: got {list(kept)}")
    if times is not None and (not len(times) or not min(times) >= 0 or list(times) != sorted(set(times))):
        raise DataError(f"times must increase and not be negative: got {list(times)}")
    return Problem(
        network=network,
        x=inputs,
        y=labels,
        loss=loss,
        weights=np.full(m, 1.0 if reduction == "sum" else 1.0 / m),
        step=step,
        steps=steps,
        times=None if times is None else tuple(float(t) for t in times),
        stop_loss=stop_loss,
        patience=patience,
        improvement=improvement,
        decay=decay,
        rates=rates,
        label_noise=label_noise,
        recorded=recorded,
        kept=kept,
        trained=tuple(trained),
        device=device,
        dtype=dtype,
        seed=seed,
        threads=threads,
        tolerance=tolerance,
    )


def _one_of(name: str, given: str, allowed: Sequence[str] | dict[str, Any]) -> None:
    if given not in allowed:
        raise DataError(f"{name} must be one of {', '.join(allowed)}: got {given!r}")


def _inputs(network: TwoLayer | LayeredNetwork | InfiniteWidth, x: Array) -> Array:
    """x with an axis for the seeds: (1 or S, M), or (1 or S, M, d)."""
    d = getattr(network, "inputs", None)
    seeds = getattr(network, "seeds", None)
    if isinstance(network, InfiniteWidth):
        d = None if x.ndim == 1 else x.shape[-1]
    point = () if d is None else (d,)
    batched = seeds is not None and x.ndim == 2 + len(point)
    if x.ndim != 1 + len(point) + batched or x.shape[1 + batched :] != point or (batched and x.shape[0] != seeds):
        wanted = "(M,)" if d is None else f"(M, {d})"
        raise DataError(f"inputs must have shape {wanted}, or (seeds, …) in front for a batch: got {x.shape}")
    if not x.size or not np.isfinite(x).all():
        raise DataError("inputs must be finite numbers, one at least")
    return np.ascontiguousarray(x if batched else x[None])


def _recorded(steps: int, record: int | Sequence[int] | None) -> NDArray[np.int64]:
    if steps < 0:
        raise DataError(f"steps must not be negative: got {steps}")
    if record is None:
        grid = np.rint(10 ** (np.arange(0, PER_DECADE * np.log10(max(steps, 2)) + 1) / PER_DECADE)).astype(np.int64)
        chosen = np.concatenate([np.arange(17), grid])
    elif isinstance(record, int):
        if record < 1:
            raise DataError(f"record must be at least 1: got {record}")
        chosen = np.arange(0, steps, record)
    else:
        chosen = np.asarray(record, dtype=np.int64)
        if chosen.size and (chosen.min() < 0 or chosen.max() > steps):
            raise DataError(f"record must name steps from 0 to {steps}: got {chosen.min()} to {chosen.max()}")
    return np.unique(np.concatenate([[0], chosen[chosen < steps], [steps]])).astype(np.int64)
