"""The error that a flow reports, where the flow is known in closed form."""

import pickle

import numpy as np
import pytest
from numpy.typing import NDArray

from implicitbias.training import InfiniteWidth, TwoLayer, anti_symmetric, standard, train

Array = NDArray[np.float64]

SEEDS = range(60)
TIMES = (0.0, 0.1, 0.7, 3.0, np.inf)


def one_unit(w: Array, v: Array, x: float, y: Array, t: float) -> tuple[Array, Array]:
    """(w, v) at time t for f(x) = v w x at one x > 0: v = √δ cosh s, w = √δ sinh s with δ = v² - w² > 0 conserved.

    z = e^{2s} solves z' = -½x²δ z² + 2xy z + ½x²δ, whose fixed points are z± = 2y/(xδ) ± √(1 + (2y/(xδ))²).
    """
    delta = v**2 - w**2
    middle = 2 * y / (x * delta)
    up, down = middle + np.hypot(1, middle), middle - np.hypot(1, middle)
    z = (w + v) / (v - w)
    share = (z - up) / (z - down) * np.exp(-0.5 * x**2 * delta * (up - down) * t)
    z = (up - down * share) / (1 - share)
    return np.sqrt(delta) * (z - 1) / (2 * np.sqrt(z)), np.sqrt(delta) * (z + 1) / (2 * np.sqrt(z))


@pytest.mark.parametrize("tolerance", [1e-3, 1e-5, 1e-7])
def test_the_reported_error_holds_the_true_one_where_the_flow_is_smooth(tolerance: float) -> None:
    """Two units that see one datum each, at 2 and -1/2: two flows that do not meet, for each of many seeds."""
    rng = np.random.default_rng(0)
    w0 = rng.uniform(0.2, 1.0, (len(SEEDS), 2))
    v0 = w0 + rng.uniform(0.1, 2.0, w0.shape)
    y = rng.uniform(0.5, 3.0, w0.shape)
    start = TwoLayer(w0 * [1, -1], np.zeros_like(w0), v0)
    learning = {"trained": ("w", "v"), "engine": "gradient_flow", "tolerance": tolerance}
    done = train(start, [2.0, -0.5], y, times=TIMES, snapshots=range(len(TIMES)), **learning)
    assert done.error is not None
    assert done.error.shape == (len(TIMES), len(SEEDS))
    assert (done.error[0] == 0).all()
    for row, t in enumerate(TIMES[1:], 1):
        wanted = np.concatenate(
            [part for i, x in enumerate((2.0, 0.5)) for part in one_unit(w0[:, i], v0[:, i], x, y[:, i], t)]
        )
        f = done.snapshots[row]
        assert isinstance(f, TwoLayer)
        found = np.concatenate([f.w[:, 0], f.v[:, 0], -f.w[:, 1], f.v[:, 1]])
        off, moved = (
            np.sqrt(np.square(gap.reshape(4, -1)).sum(0))
            for gap in (found - wanted, found - np.concatenate([w0[:, 0], v0[:, 0], w0[:, 1], v0[:, 1]]))
        )
        true = off / moved
        assert (true <= done.error[row] + 1e-12).all(), t
        assert (done.error[row] <= 40 * true + 1e-10).mean() > 0.8, "an estimate that says something"
    assert done.error[1:].max() < 300 * tolerance


END = 2.0


def falling_bias(x: Array, y: Array) -> float:
    """b(END) for f = [x + b]_+ from b = 2: b' = -Σ (x_j + b - y_j) over the active data, exponential between data."""
    b, clock = 2.0, 0.0
    while True:
        active = x + b > 1e-15
        rate, pull = float(active.sum()), float((x - y)[active].sum())
        kink = -x[active].min()  # b falls to -x_j, where x_j, the least active datum, is let go
        level = -pull / rate
        if level > b:  # pushed back as soon as the datum is let go: the kink slides, on the datum
            return b
        left = -np.log((kink - level) / (b - level)) / rate if level < kink else np.inf
        if clock + left >= END:
            return float(level + (b - level) * np.exp(-rate * (END - clock)))
        b, clock = kink - 1e-14, clock + left


@pytest.mark.parametrize("tolerance", [1e-4, 1e-6])
def test_the_reported_error_holds_the_true_one_where_a_kink_crosses_data(tolerance: float) -> None:
    """f = [x + b]_+ with b alone learning, on five data for each of many seeds."""
    rng, count = np.random.default_rng(0), len(SEEDS)
    x, y = np.sort(rng.uniform(-1, 1, (count, 5)), axis=1), rng.uniform(-1.5, -0.5, (count, 5))
    y[:, -1] = 0.5  # the last datum keeps its unit
    ones = np.ones((count, 1))
    learning = {"trained": ("b",), "engine": "gradient_flow", "tolerance": tolerance}
    done = train(TwoLayer(ones, 2 * ones, ones), x, y, times=[END], **learning)
    assert done.error is not None
    assert isinstance(done.final, TwoLayer)
    wanted = np.array([falling_bias(*data) for data in zip(x, y, strict=True)])
    true = np.abs(done.final.b[:, 0] - wanted) / np.abs(2.0 - wanted)
    stalled = np.array([reason == "stalled" for reason in done.reasons])
    assert np.isinf(done.error[0, stalled]).all()
    held = (true <= done.error[0] + 1e-10)[~stalled]
    assert held.size > 0.7 * count
    assert held.mean() > 0.85, "an estimate, no bound"


def test_steps_of_a_flow_are_those_of_its_integrator() -> None:
    rng = np.random.default_rng(0)
    start = standard(*rng.normal(size=(3, 4, 20)))
    done = train(start, [-1.0, 0.5, 1.0], [1.0, 0.0, 2.0], times=(0.0, 0.5, 5.0, np.inf))
    assert done.steps[0] == 0
    assert (np.diff(done.steps) > 0).all()
    assert done.steps[-1] == done.stop_steps.max()
    closed = train(start, [-1.0, 0.5, 1.0], [1.0, 0.0, 2.0], times=(0.5, 5.0), engine="kernel")
    assert closed.steps.tolist() == [0, 0]


def test_only_a_flow_has_an_error_and_it_survives_being_stored() -> None:
    rng = np.random.default_rng(1)
    start = anti_symmetric(standard(*rng.normal(size=(3, 20))))
    x, y = [-1.0, 0.5, 1.0], [1.0, 0.0, 2.0]
    done = train(start, x, y, times=(0.5, np.inf), snapshots=(0,))
    stored = pickle.loads(pickle.dumps(done))
    assert done.error is not None
    assert done.error.shape == (2,)
    assert np.array_equal(stored.error, done.error)
    assert train(start, x, y, steps=3).error is None
    assert train(start, x, y, engine="kernel").error is None
    assert train(InfiniteWidth(lambda p, q: 1.0 + p * q), x, y).error is None
