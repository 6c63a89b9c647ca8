"""A training problem: the arguments of `train`, checked, and what engines derive from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from implicitbias.errors import DataError
from implicitbias.functions.network import Network
from implicitbias.training import given
from implicitbias.training.infinite_width import InfiniteWidth
from implicitbias.training.layered import LayeredNetwork
from implicitbias.training.losses import LOSSES, labels_for
from implicitbias.training.two_layer import Groups, TwoLayer, unchecked

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]

STEPS = 10_000
"""Default number of steps of gradient descent."""

PER_DECADE = 24
"""Default number of records per decade of steps."""


@dataclass(frozen=True, eq=False)
class Problem:
    """The arguments of `train`.

    Parameters
    ----------
    network : TwoLayer, LayeredNetwork, Network or InfiniteWidth
        TwoLayer (one network or a batch of seeds), LayeredNetwork (`layerwise` and `dense` only), the exact Network, or
        InfiniteWidth(kernel) (`kernel` only).
    x, y : array_like
        (M,), (M, d) for vector inputs; y (M,), (M, k) for k outputs; with a leading axis (seeds) if each network of a
        batch has its own data.
    engine : str, default="auto"
        A name in ENGINES, or "auto": `prefix_sum` wherever it applies, `kernel` for InfiniteWidth, `gradient_flow` if
        `times` is given, otherwise `layerwise`. On a GPU `fused` where it applies and Triton is installed, else
        `prefix_sum` or `dense`. The Trajectory says which ran.
    loss : str, default="square"
        "square" ½(f-y)², "logistic" log(1+e^{-yf}) and "exponential" e^{-yf} with y = ±1, "cross_entropy" (softmax)
        with y class numbers (M,) or probabilities (M, k); the others sum over the k outputs. Where M = k = seeds, a
        square of zeros and ones could be either for a batch: it is refused.
    reduction : {"sum", "mean"}, default="sum"
        "sum" over the data (the paper's), or "mean".
    step : float, optional
        Learning rate η. Default: 1/λ_max of the tangent kernel at the start, divided by the greatest second derivative
        of the loss; the exponential loss has none, so it needs a step.
    steps : int, optional
        Number of steps of gradient descent (default 10 000).
    times : sequence of float, optional
        Instead of steps, for `gradient_flow` and `kernel`: increasing training times, the last may be infinity (the
        default). Gradient descent after t steps is at time t η.
    stop_loss, patience, improvement : number, optional
        A seed stops once its loss is at most stop_loss, or has not fallen by `improvement` below its best for
        `patience` steps, or is not finite (gradient descent in steps; the closed form and the flow do not stop).
        Default of stop_loss: 0 if the loss alone moves the parameters; with weight decay or label noise none, since
        they move on where the data are fitted.
    weight_decay : float or Groups, default=0.0
        λ for all trained parameters, or one λ per group: Groups(w=1e-3, b=0, v=1e-3, c=0). In a LayeredNetwork v and c
        are the last layer's weights and biases, w and b those of all layers before it.
    label_noise : callable, optional
        (step, generator) -> labels, or (labels, weights): the labels of that step, shaped as y or with a leading axis
        of seeds, and weights of the data in the loss (which allow steps on one datum). The recorded losses use the true
        labels.
    record : int or sequence of int, optional
        Interval between the steps at which the loss is recorded, or those steps themselves (the first and the last are
        always included). Default: all up to 16, then geometrically.
    snapshots : sequence of int, default=()
        The steps at which the function is kept (with times: indices into `times`).
    trained : sequence of str, default=("w", "b", "v", "c")
        The groups of parameters that learn.
    device : {"cpu", "cuda"}, default="cpu"
        "cpu" or "cuda".
    dtype : {"float64", "float32"}, default="float64"
        "float64" or "float32", of the parameters (float32 loses updates below one part in 10⁷).
    seed : int, default=0
        Of the generator passed to label_noise.
    threads : int, optional
        Of `prefix_sum` and `layerwise`. Default: OMP_NUM_THREADS, or the number of cores available.
    tolerance : float, default=1e-6
        Of `gradient_flow`: of one step's error, relative to the distance that the parameters travel. Errors of steps
        add up, so it does not bound the error at the end: Trajectory.error estimates that.
    """

    # Below, S is the number of seeds (1 for a single network) and k the number of outputs (or 1).

    network: TwoLayer | LayeredNetwork | Network | InfiniteWidth
    x: ArrayLike
    y: ArrayLike
    _: KW_ONLY
    engine: str = "auto"
    loss: str = "square"
    reduction: str = "sum"
    step: float | None = None
    steps: int | None = None
    times: Sequence[float] | None = None
    stop_loss: float | None = None
    patience: int | None = None
    improvement: float = 0.0
    weight_decay: float | Groups = 0.0
    label_noise: Callable[[int, np.random.Generator], Any] | None = None
    record: int | Sequence[int] | None = None
    snapshots: Sequence[int] = ()
    trained: Sequence[str] = ("w", "b", "v", "c")
    device: str = "cpu"
    dtype: str = "float64"
    seed: int = 0
    threads: int | None = None
    tolerance: float = 1e-6

    def __post_init__(self) -> None:
        _one_of("loss", self.loss, LOSSES)
        _one_of("reduction", self.reduction, ("sum", "mean"))
        _one_of("dtype", self.dtype, ("float64", "float32"))
        if not isinstance(self.network, TwoLayer | LayeredNetwork | Network | InfiniteWidth):
            raise DataError(
                "network must be a TwoLayer, LayeredNetwork, Network or InfiniteWidth: got "
                f"{type(self.network).__name__}"
            )
        self._check_numbers()
        if not self.trained or set(self.trained) - set("wbvc"):
            raise DataError(f"trained must name some of 'w', 'b', 'v', 'c': got {list(self.trained)}")
        if self.steps is not None and self.times is not None:
            raise DataError("give steps (gradient descent) or times (a flow), not both")
        if isinstance(self.network, Network):
            object.__setattr__(self, "network", TwoLayer.from_network(self.network))
        _ = self.decay, self.inputs, self.labels, self.recorded, self.kept  # raise here what they raise
        if self.times is not None:
            times = given.reals("times", self.times)
            if times.ndim != 1 or not times.size or not times[0] >= 0 or not (np.diff(times) > 0).all():
                raise DataError(f"times must increase and not be negative: got {self.times}")
            object.__setattr__(self, "times", tuple(times.tolist()))

    def _check_numbers(self) -> None:
        for name in ("step", "tolerance"):
            value = getattr(self, name)
            if value is not None and not 0 < given.number(name, value) < np.inf:
                raise DataError(f"{name} must be positive and finite: got {value}")
        for name in ("stop_loss", "improvement"):
            if getattr(self, name) is not None:
                given.number(name, getattr(self, name))
        for name, least in (("steps", 0), ("patience", 0), ("seed", 0), ("threads", 1)):
            if getattr(self, name) is not None:
                given.count(name, getattr(self, name), least)
        if not isinstance(self.device, str):
            raise DataError(f"device must be 'cpu' or 'cuda': got {self.device!r}")

    @cached_property
    def inputs(self) -> Array:
        """x as (1 or S, M) or (1 or S, M, d)."""
        return _inputs(self.network, given.reals("inputs", self.x))

    @cached_property
    def labels(self) -> Array:
        """y as (1 or S, M, k)."""
        labels = given.reals("labels", self.y)
        if not np.isfinite(labels).all():
            raise DataError("labels must be finite")
        shape = (self.seeds, self.inputs.shape[1], getattr(self.network, "outputs", None) or 1)
        return labels_for(self.loss, labels, shape)

    @cached_property
    def weights(self) -> Array:
        """(M,): of the data in the loss, 1 or 1/M."""
        m = self.inputs.shape[1]
        return np.full(m, 1.0 if self.reduction == "sum" else 1.0 / m)

    @cached_property
    def decay(self) -> Groups:
        """Weight decay of each group, 0 for groups that do not learn."""
        return self._learning(_decays(self.weight_decay))

    @cached_property
    def least_loss(self) -> float:
        """The loss at which a seed stops; -infinity where none does."""
        if self.stop_loss is not None:
            return self.stop_loss
        return 0.0 if self.label_noise is None and not any(self.decay) else -np.inf

    @cached_property
    def rates(self) -> Groups:
        """How fast each group learns relative to the step, 0 for groups that do not learn."""
        return self._learning(self.network.rates if isinstance(self.network, TwoLayer) else Groups())

    def _learning(self, groups: Groups) -> Groups:
        return Groups(*(g if name in self.trained else 0.0 for name, g in zip("wbvc", groups, strict=True)))

    @cached_property
    def recorded(self) -> NDArray[np.int64]:
        """The steps at which the loss is recorded, 0 and the last included."""
        return _recorded(STEPS if self.steps is None else self.steps, self.record)

    @cached_property
    def kept(self) -> tuple[int, ...]:
        """The snapshots."""
        kept = tuple(int(s) for s in self.snapshots)
        end = self.last if self.times is None else len(self.times) - 1
        if any(not 0 <= s <= end for s in kept) or list(kept) != sorted(set(kept)):
            raise DataError(f"snapshots must be increasing numbers from 0 to {end}: got {list(kept)}")
        return kept

    @property
    def kind(self) -> Literal["two_layer", "layered", "infinite"]:
        """What the network is."""
        if isinstance(self.network, TwoLayer):
            return "two_layer"
        return "layered" if isinstance(self.network, LayeredNetwork) else "infinite"

    @property
    def two_layer(self) -> TwoLayer:
        """The network, which must have two layers."""
        assert isinstance(self.network, TwoLayer)
        return self.network

    @property
    def seeds(self) -> int:
        """S: 1 for a single network."""
        return getattr(self.network, "seeds", None) or 1

    @property
    def single(self) -> bool:
        """Whether the network is a single one, not a batch."""
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
        drawn = self.label_noise(step, generator)
        labels, weights = drawn if isinstance(drawn, tuple) else (drawn, None)
        m, k = self.labels.shape[1:]
        y = np.asarray(labels, dtype=np.float64)
        y = y.reshape((1, m, k) if y.size == m * k else (self.seeds, m, k))
        return y, self.weights[None] if weights is None else np.atleast_2d(np.asarray(weights, dtype=np.float64))


def _one_of(name: str, asked: Any, allowed: Sequence[str] | dict[str, Any]) -> None:
    if not isinstance(asked, str) or asked not in allowed:
        raise DataError(f"{name} must be one of {', '.join(allowed)}: got {asked!r}")


def _decays(asked: Any) -> Groups:
    """Weight decay of each group, from one number for all or Groups."""
    if isinstance(asked, dict | str) or (isinstance(asked, tuple) and not isinstance(asked, Groups)):
        raise DataError(
            f"weight_decay must be one number, or one per group as Groups(w=…, b=…, v=…, c=…): got {asked!r}"
        )
    of_groups = asked if isinstance(asked, Groups) else Groups(*[asked] * 4)
    read = Groups(*(given.number("weight_decay", value) for value in of_groups))
    if not 0 <= min(read) <= max(read) < np.inf:
        raise DataError(f"weight decay must not be negative, and finite: got {asked}")
    return read


def _inputs(network: object, x: Array) -> Array:
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
        raise DataError("inputs must be finite numbers, at least one")
    return np.ascontiguousarray(x if batched else x[None])


def _recorded(steps: int, record: int | Sequence[int] | None) -> NDArray[np.int64]:
    if record is None:
        grid = np.rint(10 ** (np.arange(0, PER_DECADE * np.log10(max(steps, 2)) + 1) / PER_DECADE)).astype(np.int64)
        chosen = np.concatenate([np.arange(17), grid])
    elif np.ndim(record) == 0:
        chosen = np.arange(0, steps, given.count("record", record, 1))
    else:
        chosen = given.reals("record", record)
        if (chosen != np.floor(chosen)).any():
            raise DataError(f"record must name steps: got {chosen[chosen != np.floor(chosen)][0]}")
        if chosen.size and (chosen.min() < 0 or chosen.max() > steps):
            raise DataError(f"record must name steps from 0 to {steps}: got {chosen.min()} to {chosen.max()}")
    return np.unique(np.concatenate([[0], chosen[chosen < steps], [steps]])).astype(np.int64)
