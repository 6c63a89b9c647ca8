"""What the playground computes. These functions run in a worker process and import the engines when called."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from implicitbias.errors import DataError, UserError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

PACES = (0.02, 0.05, 0.15, 0.4, 1.0)
"""By which share of the steps so far a frame goes on, from slow to fast."""

PRESETS: Mapping[str, Sequence[tuple[str, str]]] = {
    "zigzag": (("-2", "1.5"), ("-1", "0.5"), ("0", "1.5"), ("1", "0.5"), ("2", "1.5")),
    "step": (("-2", "0"), ("-1", "0"), ("-0.2", "0"), ("0.2", "1"), ("1", "1"), ("2", "1")),
    "bump": (("-2", "0"), ("-1", "0.1"), ("-0.4", "0.9"), ("0.3", "1"), ("1", "0.2"), ("2", "0")),
    "ramp": (("-2", "0"), ("-1", "0"), ("0", "0"), ("1", "1"), ("2", "2")),
}
"""Data to begin with, by name: decimals as they are written."""

THEORIES = ("wide limit", "adaptive spline", "least norm")
WIDEST = 20_000
GRID = 241
MARGIN = 0.2
"""The share of the data's range that is shown beyond each end."""

SHOWN_KINKS = 60
MASSES = 96
"""Bins in which the kinks' sizes are added up."""

STILL = 1e-24
"""A loss below which nothing moves any more in doubles."""


@dataclass(frozen=True)
class Setup:
    """What to train: data by a preset's name or a CSV file, the laws of weights and biases, width, seed, decay."""

    data: str = "zigzag"
    weight: str = "normal(0,1)"
    bias: str = "uniform(-2,2)"
    width: int = 200
    seed: int = 0
    decay: float = 0.0

    def command(self) -> str:
        """The command line that predicts the same, for data in a file."""
        from shlex import quote

        data = quote(self.data) if self.data not in PRESETS else "DATA.csv"
        laws = f'--weight "{self.weight}" --bias "{self.bias}"' if self.bias else f'--joint "{self.weight}"'
        return f"implicitbias predict {data} {laws} --train {self.width} --seed {self.seed}"


@dataclass(frozen=True)
class Scene:
    """What stays while the network trains: the data, the theories' curves on a grid, ζ. `notes`: what is missing."""

    data: tuple[tuple[float, ...], tuple[float, ...]]
    grid: tuple[float, ...]
    theories: Mapping[str, tuple[float, ...]]
    zeta: tuple[float, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Frame:
    """The network at one moment: its curve on the grid, its kinks with their sizes, loss and distances to theory."""

    step: int
    loss: float
    curve: tuple[float, ...]
    kinks: tuple[tuple[float, float], ...]
    masses: tuple[float, ...]
    distances: Mapping[str, float]
    engine: str = ""
    over: str = ""


@dataclass(frozen=True)
class State:
    """The state between two frames. `fits`: how many steps fit into a frame. `device`: where it trains."""

    setup: Setup
    scene: Scene
    network: Any = field(repr=False)
    rate: float | None = None
    step: int = 0
    fits: int = 1
    device: str = "cpu"


def begin(setup: Setup, device: str = "cpu") -> tuple[State, Frame]:
    """The theory, and the network before its first step. Raises UserError."""
    import numpy as np

    from implicitbias.laws.joint.build import initialisation
    from implicitbias.training import anti_symmetric, standard

    if not 1 <= setup.width <= WIDEST:
        raise UserError(f"the width must be between 1 and {WIDEST}: got {setup.width}")
    law = initialisation(setup.weight, setup.bias) if setup.bias else initialisation(setup.weight)
    x, y = points(setup.data)
    scene = _scene(law, x, y)
    rng = np.random.default_rng(np.random.SeedSequence([setup.seed, setup.width]))
    w, b = law.sample(setup.width, rng)
    # Every unit twice, with opposite signs: the network begins at zero, as the theory supposes.
    network = anti_symmetric(standard(w, b, rng.normal(size=setup.width)))
    state = State(setup, scene, network, device=device)
    loss = 0.5 * sum(float(value) ** 2 for value in y)
    return state, _frame(state, loss, "", "")


def advance(state: State, pace: float, seconds: float) -> tuple[State, Frame]:
    """Train on by the share `pace` of the steps so far, but for no more than about that many seconds.

    Steps that grow in proportion make a film in the logarithm of time, in which gradient descent moves evenly.
    """
    from implicitbias.training import REASONS, train

    x, y = state.scene.data
    steps = max(1, min(int(pace * state.step), state.fits))
    began = time.perf_counter()
    course = train(
        state.network,
        x,
        y,
        step=state.rate,
        steps=steps,
        stop_loss=None if state.setup.decay else STILL,
        weight_decay=state.setup.decay,
        record=steps,
        threads=1,
        device=state.device,
    )
    spent = max(1e-6, time.perf_counter() - began)
    done = int(course.stop_steps.max())
    fits = max(1, int(seconds / spent * steps)) if spent > seconds or steps == state.fits else state.fits
    fits = min(fits, 4 * steps + 64)
    state = replace(state, network=course.final, rate=course.step, step=state.step + done, fits=fits)
    over = {"steps": "", "loss": "the data are fitted to rounding"}.get(course.reason, REASONS[course.reason])
    return state, _frame(state, float(course.final_loss), course.engine, over)


def points(data: str) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    """The data of a preset or of a CSV file. Raises DataError."""
    from implicitbias.data.points import read_points
    from implicitbias.exact.rational import exact

    if data in PRESETS:
        columns = zip(*PRESETS[data], strict=True)
        x, y = (tuple(exact(value) for value in column) for column in columns)
        return x, y
    try:
        found = read_points(data)
    except DataError as error:
        raise DataError(f"{error}. Or one of {', '.join(PRESETS)}.") from None
    return found.x, found.y


def _scene(law: Any, x: Sequence[Fraction], y: Sequence[Fraction]) -> Scene:
    import numpy as np

    from implicitbias.convex.minimum_norm.interpolants import min_norm_interpolant
    from implicitbias.splines.prediction import predict

    low, high = float(x[0]), float(x[-1])
    room = MARGIN * (high - low)
    grid = np.linspace(low - room, high + room, GRID)
    theories, notes = {}, []
    found = predict(law, x, y)
    if found.limit is not None:
        theories["wide limit"] = _floats(found(grid))
    if found.spline is not None:
        theories["adaptive spline"] = _floats(found.spline(grid))
    notes += [note for note in (found.no_limit, found.no_spline) if note]
    theories["least norm"] = _floats(min_norm_interpolant(x, y).function(grid))
    data = (tuple(float(v) for v in x), tuple(float(v) for v in y))
    return Scene(data, _floats(grid), theories, _floats(law.zeta(grid)), tuple(notes))


def _frame(state: State, loss: float, engine: str, over: str) -> Frame:
    import numpy as np

    scene, network = state.scene, state.network
    grid = np.array(scene.grid)
    curve = network(grid)
    inside = (grid >= scene.data[0][0]) & (grid <= scene.data[0][-1])
    distances = {
        name: float(np.max(np.abs(curve - np.array(theory))[inside])) for name, theory in scene.theories.items()
    }
    with np.errstate(divide="ignore", invalid="ignore"):
        at = -network.b / network.w
    size = network.v * np.abs(network.w)
    shown = np.isfinite(at) & (at >= grid[0]) & (at <= grid[-1])
    at, size = at[shown], size[shown]
    largest = np.argsort(-np.abs(size))[:SHOWN_KINKS]
    masses, _ = np.histogram(at, bins=MASSES, range=(grid[0], grid[-1]), weights=np.abs(size))
    kinks = tuple((float(at[i]), float(size[i])) for i in largest)
    return Frame(state.step, loss, _floats(curve), kinks, _floats(masses), distances, engine, over)


def _floats(values: Any) -> tuple[float, ...]:
    return tuple(float(value) for value in values)
