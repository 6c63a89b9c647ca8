"""Engine `layerwise` on several inputs and on layers, against `dense`."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from implicitbias.errors import DataError
from implicitbias.training import ENGINES, Groups, LayeredNetwork, Trajectory, TwoLayer, train

ROUNDING = 1e-11
HALVES = st.integers(-4, 4).map(lambda i: i / 2)
"""Values that put kinks exactly on data, and weights that are zero."""


def both(*given: Any, **options: Any) -> tuple[Trajectory, Trajectory]:
    return train(*given, engine="layerwise", **options), train(*given, engine="dense", **options)


def assert_same(one: Trajectory, other: Trajectory, rounding: float = ROUNDING) -> None:
    assert np.array_equal(one.stop_steps, other.stop_steps)
    assert one.reasons == other.reasons
    np.testing.assert_allclose(one.losses, other.losses, rtol=rounding, atol=rounding)
    for f, g in zip([*one.snapshots, one.final], [*other.snapshots, other.final], strict=True):
        names = ("w", "b", "v", "c") if isinstance(f, TwoLayer) else ("weights", "biases")
        for name in names:
            mine, theirs = (getattr(network, name) for network in (f, g))
            for p, q in zip(*((mine, theirs) if isinstance(mine, tuple) else ((mine,), (theirs,))), strict=True):
                assert p.shape == q.shape
                np.testing.assert_allclose(p, q, rtol=rounding, atol=rounding)


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.tuples(*[HALVES] * 4), min_size=1, max_size=5),
    st.lists(st.tuples(*[HALVES] * 3), min_size=1, max_size=5),
)
def test_steps_with_kinks_on_data_are_those_of_dense(units: list[Any], data: list[Any]) -> None:
    u, z = np.array(units), np.array(data)
    start = TwoLayer(u[:, :2], u[:, 2], u[:, 3], 0.25)
    assert_same(*both(start, z[:, :2], z[:, 2], step=1 / 64, steps=3))


@pytest.mark.parametrize("loss", ["square", "logistic", "exponential", "cross_entropy"])
@pytest.mark.parametrize("d", [1, 3, 20])
def test_every_loss_stops_and_records_as_dense_does(loss: str, d: int) -> None:
    rng = np.random.default_rng(d)
    k = 3 if loss == "cross_entropy" else None
    tail = () if k is None else (k,)
    start = TwoLayer(rng.normal(size=(3, 30, d)), rng.normal(size=(3, 30)), rng.normal(size=(3, 30, *tail)) / 9, 0.0)
    x = rng.normal(size=(3, 12, d))
    y = rng.integers(0, 3, (3, 12)) if k else np.sign(rng.normal(size=(3, 12)))
    one, other = both(
        start, x, y, loss=loss, step=0.01, steps=60, snapshots=(0, 11, 60), patience=20, improvement=1e-3,
        stop_loss=2.0, weight_decay=Groups(0.1, 0.0, 0.2, 0.3), trained=("w", "v", "c"),
    )  # fmt: skip
    assert_same(one, other)


def test_noisy_labels_and_layers_of_a_batch_are_those_of_dense() -> None:
    rng = np.random.default_rng(8)
    sizes = [2, 7, 5, 3]
    weights = tuple(rng.normal(size=(2, b, a)) for a, b in pairwise(sizes))
    start = LayeredNetwork(weights, tuple(rng.normal(size=(2, b)) for b in sizes[1:]))
    x, y = rng.normal(size=(6, 2)), rng.normal(size=(6, 3))

    def noisy(step: int, generator: np.random.Generator) -> Any:
        return y + generator.normal(size=y.shape)

    for options in ({}, {"label_noise": noisy, "seed": 4}, {"weight_decay": Groups(0.1, 0.2, 0.3, 0.4)}):
        assert_same(*both(start, x, y, step=0.003, steps=20, snapshots=(7,), **options))


def test_single_precision_stays_single() -> None:
    rng = np.random.default_rng(1)
    start = TwoLayer(rng.normal(size=(40, 2)), rng.normal(size=40), rng.normal(size=40) / 6, 0.0)
    one, other = both(start, rng.normal(size=(9, 2)), rng.normal(size=9), step=0.01, steps=50, dtype="float32")
    assert isinstance(one.final, TwoLayer)
    assert one.final.w.dtype == np.float32
    assert_same(one, other, 1e-4)


def test_it_leaves_other_devices_to_dense() -> None:
    with pytest.raises(DataError, match="runs on the cpu, not on 'cuda': take engine='dense'"):
        train(TwoLayer([[1.0]], [0.0], [1.0]), [[1.0]], [1.0], engine="layerwise", device="cuda")
    assert "layerwise" in ENGINES
