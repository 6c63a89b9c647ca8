"""Observed: networks of Section 6 trained on the square loss or on the cross-entropy of bins, and their errors.

A course is full-batch gradient descent from Glorot's initialisation, without an output bias as in (1). It records at
every look the mean square error of the real-valued prediction on training, validation and test data. Stopping rules
are applied to the recorded errors afterwards, so that one course serves all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..data.triangles import labels, sample, values
from .leaky import descend_leaky, leaky_outputs, relu_outputs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from implicitbias.training import TwoLayer

    Array = NDArray[np.float64]

TOLERANCE = 1e-7
"""Least decrease of an error that counts as a decrease: with 0 no regression run would ever stop."""

PATIENT = 10_000
"""Default patience: epochs without a decrease after which a run counts as ended."""

SETS = ("train", "validation", "test")


@dataclass(frozen=True)
class Setting:
    """The setting of one training run.

    model     "regression" (square loss) or "classification" (cross-entropy of bins)
    target    a name of `triangles.POLYGONS`
    protocol  "paper" (ReLU, one softmax per data point) or "released" (leaky ReLU, one softmax over the whole batch)
    step      learning rate for the mean loss; the square loss has no factor ½
    look      epochs between looks
    data, start  seeds of the data and of the initial weights
    """

    model: str
    target: str
    protocol: str
    units: int
    bins: int
    step: float
    epochs: int
    look: int
    data: int
    start: int


def setting(parameters: Mapping[str, Any]) -> Setting:
    """The setting that a job's parameters describe; further entries are ignored."""
    return Setting(**{name: parameters[name] for name in Setting.__dataclass_fields__})


def draw_data(s: Setting) -> dict[str, tuple[Array, Array]]:
    """x and y of the three sets, each from its own random stream, independent of the sizes of the other sets."""
    import numpy as np

    streams = np.random.SeedSequence(s.data).spawn(len(SETS))
    drawn = {
        n: sample(s.target, s.bins, np.random.default_rng(q), s.protocol) for n, q in zip(SETS, streams, strict=True)
    }
    return {name: (x, values(s.target, x)) for name, x in drawn.items()}


def glorot(s: Setting) -> TwoLayer:
    """Layers 2 -> units -> outputs uniform on ±√(6/(inputs + outputs)); the bias is the weight of the input 1."""
    import numpy as np

    from implicitbias.training import TwoLayer

    rng = np.random.default_rng(s.start)
    outputs = 1 if s.model == "regression" else s.bins
    a, b = np.sqrt(6 / (2 + s.units)), np.sqrt(6 / (s.units + outputs))
    first = rng.uniform(-a, a, (s.units, 2))
    second = rng.uniform(-b, b, (s.units, outputs))
    if s.model == "regression":
        return TwoLayer(first[:, 0], first[:, 1], second[:, 0])
    return TwoLayer(first[:, 0], first[:, 1], second, np.zeros(outputs))


def predictions(s: Setting, network: TwoLayer, x: Array) -> Array:
    """The model's prediction at x: the output, or the mean of the midpoints under the softmax of the outputs."""
    import numpy as np

    scores = relu_outputs(network, x) if s.protocol == "paper" else leaky_outputs(network, x)
    if s.model == "regression":
        return scores
    odds = np.exp(scores - scores.max(-1, keepdims=True))
    expected: Array = odds @ np.linspace(0, 1, s.bins) / odds.sum(-1)
    return expected


def networks(
    s: Setting, x: Array, y: Array, start: TwoLayer | None = None, device: str = "cpu"
) -> Iterator[tuple[int, TwoLayer]]:
    """The network at every look, including the start; `start` replaces Glorot's initialisation."""
    from implicitbias.training import train

    network, at = start or glorot(s), 0
    yield at, network
    goal = y if s.model == "regression" else labels(y, s.bins, s.protocol)
    while at < s.epochs:
        chunk = min(s.epochs - at, 64 * s.look)
        looks = tuple(range(s.look, chunk + 1, s.look))
        if s.protocol == "released":
            shots = descend_leaky(network, x, goal, s.model, s.step, looks)
        else:
            shots = train(
                network, x, goal, device=device, threads=1, trained=("w", "b", "v"), reduction="mean",
                loss="square" if s.model == "regression" else "cross_entropy",
                step=2 * s.step if s.model == "regression" else s.step,
                steps=chunk, record=[0], snapshots=looks,
            ).snapshots  # type: ignore[assignment]  # fmt: skip
        for look, found in zip(looks, shots, strict=True):
            yield at + look, found
        network, at = shots[-1], at + chunk


def course(s: Setting, device: str = "cpu") -> dict[str, Any]:
    """Train. Returns epochs (R,), errors (R, 3) (mean squares on the three sets), and the best network: w, b, v, mass.

    The best network has the least validation error before the patience of PATIENT epochs runs out; mass is
    ‖v_i‖ √(w_i² + b_i²), the unit's contribution to the total variation of the measure on the circle.
    """
    import numpy as np

    data = draw_data(s)
    x = np.concatenate([data[name][0] for name in SETS])
    y = np.stack([data[name][1] for name in SETS])
    epochs, errors = [], []
    best, least, watch = None, np.inf, Watch(PATIENT)
    for epoch, network in networks(s, *data["train"], device=device):
        error = np.square(predictions(s, network, x).reshape(y.shape) - y).mean(-1)
        if not np.isfinite(error).all():
            break
        epochs.append(epoch)
        errors.append(error)
        if not watch.over and error[1] < least:
            best, least = network, error[1]
        watch.see(epoch, error)
    assert best is not None
    v = best.v if best.outputs else best.v[:, None]
    return {
        "epochs": np.array(epochs),
        "errors": np.array(errors),
        "w": best.w,
        "b": best.b,
        "v": best.v,
        "mass": np.linalg.norm(v, axis=1) * np.hypot(best.w, best.b),
    }


class Watch:
    """The stopping rule: neither training nor validation error has decreased by TOLERANCE for `patience` epochs."""

    def __init__(self, patience: int) -> None:
        self.patience = patience
        self.best = [float("inf"), float("inf")]
        self.since = 0
        self.over = False

    def see(self, epoch: int, error: Any) -> None:
        """Record the errors of an epoch (training, validation, …)."""
        for i in (0, 1):
            if error[i] < self.best[i] - TOLERANCE:
                self.best[i], self.since = float(error[i]), epoch
        self.over = self.over or epoch - self.since >= self.patience


@dataclass(frozen=True)
class Ended:
    """The epoch at which a rule ends a course, and root mean square errors at the least validation error until then.

    stopped  whether the rule ended it before the end of the course
    """

    epoch: int
    stopped: bool
    validation: float
    test: float
    train: float


def ended(output: Mapping[str, Any], patience: int | None) -> Ended:
    """Apply a stopping rule to a course; with patience None the whole course is used."""
    import numpy as np

    epochs, errors = np.asarray(output["epochs"]), np.asarray(output["errors"])
    last = len(epochs) - 1
    stopped = False
    if patience is not None:
        watch = Watch(patience)
        for i, epoch in enumerate(epochs):
            watch.see(int(epoch), errors[i])
            if watch.over:
                last, stopped = i, True
                break
    at = int(np.argmin(errors[: last + 1, 1]))
    root = np.sqrt(errors[at])
    return Ended(int(epochs[last]), stopped, float(root[1]), float(root[2]), float(root[0]))
