"""The compiled loops: slots by definition, blocks and threads, single precision, and the same formulas in torch."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from implicitbias.training import TwoLayer, train
from implicitbias.training.engines import compiled, prefix_sum_compiled, prefix_sum_torch
from implicitbias.training.problem import Problem

HALVES = st.integers(-6, 6).map(lambda i: i / 2)


@given(HALVES, HALVES, st.lists(HALVES, min_size=1, max_size=9).map(sorted))
def test_a_slot_counts_the_data_on_the_near_side_of_the_kink(w: float, b: float, x: list[float]) -> None:
    active = [w * t + b > 0 for t in x]
    wanted = sum(active) if w <= 0 else len(x) - sum(active)
    assert compiled.find(w, b, np.array([-1e300, *x, 1e300])) == wanted
    side = len(x) + 1 if w <= 0 else 0
    slot = prefix_sum_torch.slots(
        *(torch.tensor([[a]], dtype=torch.float64) for a in (w, b)), torch.tensor([x]).double()
    )
    assert int(slot) == wanted + side


@given(HALVES, HALVES, HALVES, HALVES, st.lists(HALVES, min_size=1, max_size=9).map(sorted))
def test_a_step_finds_the_new_slot_wherever_the_kink_goes(
    w: float, b: float, new_w: float, new_b: float, x: list[float]
) -> None:
    m = len(x)
    padded = np.array([-1e300, *x, 1e300])
    sums, table = np.zeros((2 * m + 2, 2)), compiled.empty_table(padded, 1)
    units, slot = (np.array([w]), np.array([b]), np.array([1.0])), np.zeros(1, dtype=np.uint32)
    compiled.open_units(units[0], units[1], units[2][:, None], slot, padded, sums)
    table[:, :2] = w - new_w, b - new_b  # with v = 1 the gradients of w and b
    pull, keep = np.array([1.0, 1.0, 0.0, 1.0]), np.ones(4)
    compiled.move_scalar(*units, slot, padded, table.reshape(-1), sums.reshape(-1), pull, keep)
    assert (units[0][0], units[1][0], units[2][0]) == (new_w, new_b, 1.0)
    wanted = compiled.find(new_w, new_b, padded) + (m + 1 if new_w <= 0 else 0)
    assert slot[0] == wanted
    assert sums[wanted].tolist() == [new_w, new_b]
    assert np.count_nonzero(sums.any(axis=1)) <= 1


def wide(n: int, seeds: int | None = None) -> tuple[TwoLayer, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(n)
    shape = (n,) if seeds is None else (seeds, n)
    f = TwoLayer(rng.normal(size=shape), rng.normal(size=shape), rng.normal(size=shape) / n)
    x = rng.normal(size=30)
    return f, x, np.sin(3 * x)


@pytest.mark.parametrize("seeds", [None, 3])
def test_results_do_not_depend_on_the_number_of_threads(monkeypatch: pytest.MonkeyPatch, seeds: int | None) -> None:
    monkeypatch.setattr(prefix_sum_compiled, "BLOCK", 300)
    f, x, y = wide(1000, seeds)
    one, five = (train(f, x, y, step=1e-5, steps=20, threads=t, snapshots=(11,)) for t in (1, 5))
    assert np.array_equal(one.losses, five.losses)
    assert np.array_equal(one.final.v, five.final.v)
    assert np.array_equal(one.snapshots[0].w, five.snapshots[0].w)


def test_blocks_of_units_change_rounding_only(monkeypatch: pytest.MonkeyPatch) -> None:
    f, x, y = wide(1000)
    whole = train(f, x, y, step=1e-4, steps=20)
    monkeypatch.setattr(prefix_sum_compiled, "BLOCK", 7)
    np.testing.assert_allclose(train(f, x, y, step=1e-4, steps=20).final.v, whole.final.v, rtol=1e-12)


def test_snapshots_do_not_change_the_course() -> None:
    f, x, y = wide(50)
    plain = train(f, x, y, step=1e-3, steps=30)
    often = train(f, x, y, step=1e-3, steps=30, snapshots=range(31))
    assert np.array_equal(plain.losses, often.losses)
    assert np.array_equal(often.snapshots[0].v, f.v)
    assert np.array_equal(often.snapshots[30].v, plain.final.v)
    half = train(f, x, y, step=1e-3, steps=12)
    assert np.array_equal(often.snapshots[12].w, half.final.w)
    assert np.array_equal(train(half.final, x, y, step=1e-3, steps=18).final.w, plain.final.w)


def test_single_precision_is_kept_in_the_parameters() -> None:
    f, x, y = wide(50)
    single = train(f, x, y, step=1e-3, steps=30, dtype="float32")
    assert single.final.w.dtype == np.float32
    gap = np.abs(single.final.v - train(f, x, y, step=1e-3, steps=30).final.v).max()
    assert 0 < gap < 1e-6
    # A step below one unit in the last place is lost: the trap that makes a trained layer stand still.
    assert np.array_equal(train(f, x, y, step=1e-12, steps=5, dtype="float32").final.w, f.w.astype(np.float32))
    assert not np.array_equal(train(f, x, y, step=1e-12, steps=5).final.w, f.w)


@pytest.mark.parametrize(
    ("loss", "outputs"), [("square", None), ("logistic", None), ("exponential", 2), ("cross_entropy", 3)]
)
def test_the_torch_version_takes_the_same_steps(loss: str, outputs: int | None) -> None:
    rng = np.random.default_rng(8)
    tail = () if outputs is None else (outputs,)
    w, b = rng.integers(-2, 3, (2, 15)) / 2, rng.integers(-2, 3, (2, 15)) / 2
    f = TwoLayer(w, b, rng.normal(size=(2, 15, *tail)))
    x = rng.integers(-3, 4, (2, 11)) / 2
    y = rng.normal(size=(2, 11, *tail))
    y = rng.integers(0, 3, (2, 11)) if loss == "cross_entropy" else np.sign(y) if loss != "square" else y
    settings = {"loss": loss, "step": 0.01, "steps": 20, "snapshots": (5,), "weight_decay": 0.05}
    settings["label_noise"] = lambda step, generator: (y, generator.random(11))
    if loss == "cross_entropy":
        del settings["label_noise"]
    ours = train(f, x, y, engine="prefix_sum", **settings)
    theirs = prefix_sum_torch.descend(Problem(f, x, y, **settings))
    np.testing.assert_allclose(theirs.losses, ours.losses, rtol=1e-12)
    for one, other in ((theirs.final, ours.final), (theirs.snapshots[0], ours.snapshots[0])):
        for name in "wbvc":
            np.testing.assert_allclose(getattr(one, name), getattr(other, name), rtol=1e-11, atol=1e-13)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA GPU here")
def test_a_gpu_takes_the_same_steps() -> None:
    f, x, y = wide(500, 4)
    cpu, gpu, dense = (
        train(f, x, y, step=1e-4, steps=50, device=d, engine=e)
        for d, e in (("cpu", "prefix_sum"), ("cuda", "prefix_sum"), ("cuda", "dense"))
    )
    np.testing.assert_allclose(gpu.losses, cpu.losses, rtol=1e-11)
    np.testing.assert_allclose(dense.losses, cpu.losses, rtol=1e-11)
