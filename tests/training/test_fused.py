"""Engine `fused` in Triton's interpreter against the compiled engines, and compiled for a GPU, without one."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from implicitbias.errors import DataError, MissingExtraError
from implicitbias.training import Groups, LayeredNetwork, Trajectory, TwoLayer, engines, train
from implicitbias.training.engines import table
from implicitbias.training.engines.fused import refuses
from implicitbias.training.problem import Problem
from tests.support.interpreted import Mixed, fused_kernel, fused_launch, quick

Plan = fused_launch.Plan


@pytest.fixture(autouse=True)
def _interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    quick(monkeypatch)


def laid_out(patch: pytest.MonkeyPatch, layout: Any) -> None:
    patch.setattr(fused_launch, "plan", lambda *sizes: layout)


def networks(n: int, d: int | None = None, k: int | None = None, seeds: int = 2) -> TwoLayer:
    """Weights on a lattice, with zeros, so that some kinks lie on data; seeds differ."""
    rng = np.random.default_rng([n, seeds])
    w = rng.integers(-2, 3, (seeds, n) if d is None else (seeds, n, d)) / 2
    tail = () if k is None else (k,)
    return TwoLayer(w, rng.integers(-2, 3, (seeds, n)) / 4, rng.normal(size=(seeds, n, *tail)) / np.sqrt(n), 0.125)


def data(m: int, loss: str, d: int | None = None, k: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng([m, 1])
    x = rng.integers(-4, 5, m if d is None else (m, d)) / 4
    if loss == "cross_entropy":
        return x, rng.integers(0, k or 1, m)
    y = rng.normal(size=m if k is None else (m, k))
    return x, y if loss == "square" else np.where(y > 0, 1.0, -1.0)


def assert_same(one: Trajectory, other: Trajectory, rtol: float = 1e-12) -> None:
    assert (one.engine, other.engine != "fused") == ("fused", True)
    assert np.array_equal(one.steps, other.steps)
    assert np.array_equal(one.stop_steps, other.stop_steps)
    assert one.reasons == other.reasons
    np.testing.assert_allclose(one.losses, other.losses, rtol=rtol, atol=rtol)
    for f, g in zip([*one.snapshots, one.final], [*other.snapshots, other.final], strict=True):
        for name in "wbvc":
            np.testing.assert_allclose(getattr(f, name), getattr(g, name), rtol=rtol, atol=rtol)


RESIDENT, STREAMED = Plan(1, 9, 16, 16, True), Plan(1, 9, 4, 16, False)
"""For networks of nine units: all in hand, and four at a time."""


@pytest.mark.parametrize("layout", [RESIDENT, STREAMED], ids=["resident", "streamed"])
@pytest.mark.parametrize(
    ("loss", "d", "k"),
    [
        ("square", None, None),
        ("logistic", None, None),
        ("exponential", None, None),
        ("logistic", 3, None),
        ("square", None, 2),
        ("square", 2, 2),
        ("logistic", None, 2),
        ("cross_entropy", None, 3),
        ("cross_entropy", 2, 17),
    ],
)
def test_steps_are_those_of_the_compiled_engine(
    monkeypatch: pytest.MonkeyPatch, layout: Any, loss: str, d: int | None, k: int | None
) -> None:
    laid_out(monkeypatch, layout)
    f, (x, y) = networks(9, d, k), data(21, loss, d, k)  # more data than fit in a tile
    options = {"loss": loss, "step": 0.005, "steps": 3, "snapshots": (0, 2), "weight_decay": Groups(0.1, 0.0, 0.2, 0.3)}
    done = train(f, x, y, engine="fused", **options)
    assert_same(done, train(f, x, y, **options))
    assert done.losses[-1].max() < done.losses[0].max()


@pytest.mark.parametrize("layout", [RESIDENT, STREAMED], ids=["resident", "streamed"])
@pytest.mark.parametrize(("loss", "k"), [("square", None), ("cross_entropy", 3)])
def test_single_precision_is_kept_in_the_parameters_and_sums_of_outputs_are_doubles(
    monkeypatch: pytest.MonkeyPatch, layout: Any, loss: str, k: int | None
) -> None:
    laid_out(monkeypatch, layout)
    f, (x, y) = networks(9, None, k), data(21, loss, None, k)
    options: dict[str, Any] = {"loss": loss, "step": 0.005, "steps": 3, "dtype": "float32"}
    done = train(f, x, y, engine="fused", **options)
    assert done.final.w.dtype == np.float32
    assert_same(done, train(f, x, y, **options), rtol=2e-6)
    lost = train(f, x, y, engine="fused", **options | {"step": 1e-12})
    assert np.array_equal(lost.final.v, f.v.astype(np.float32)), "a step below one unit in the last place is lost"


@pytest.mark.parametrize("added", [1 << 11, 16], ids=["all outputs at once", "some at a time"])
@pytest.mark.parametrize("layout", [Plan(3, 3, 4, 16, True), Plan(3, 3, 2, 16, False)], ids=["resident", "streamed"])
@pytest.mark.parametrize(("loss", "d", "k"), [("square", None, None), ("cross_entropy", 2, 3)])
def test_several_programs_of_a_network_wait_for_each_other_in_whatever_order_they_run(
    monkeypatch: pytest.MonkeyPatch, layout: Any, loss: str, d: int | None, k: int | None, added: int
) -> None:
    laid_out(monkeypatch, layout)
    monkeypatch.setattr(fused_launch, "ADDED", added)
    f, (x, y) = networks(9, d, k), data(21, loss, d, k)
    options = {"loss": loss, "step": 0.005, "steps": 2}
    wanted = train(f, x, y, **options)
    found = []
    for seed in range(2):
        with monkeypatch.context() as patch:
            mixed = Mixed(seed)
            mixed.install(patch)
            found.append(train(f, x, y, engine="fused", **options))
        assert_same(found[-1], wanted)
        assert mixed.switches > 100
    assert np.array_equal(found[0].losses, found[1].losses), "the order in which programs run must not matter"
    assert np.array_equal(found[0].final.v, found[1].final.v)


@pytest.mark.filterwarnings("ignore:overflow", "ignore:invalid value")
def test_without_waiting_they_go_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """That the test above can fail. What is read too early is whatever lay in memory: it may even end the training."""
    laid_out(monkeypatch, Plan(3, 3, 4, 16, True))
    f, (x, y) = networks(9), data(21, "square")
    options = {"step": 0.005, "steps": 2}
    monkeypatch.setattr(fused_kernel, "meet", lambda *given: None)
    Mixed(0).install(monkeypatch)
    wrong, right = train(f, x, y, engine="fused", **options).losses, train(f, x, y, **options).losses
    assert wrong.shape != right.shape or not np.allclose(wrong, right, rtol=1e-6)


@pytest.mark.parametrize("parts", [1, 2])
@pytest.mark.filterwarnings("ignore:overflow", "ignore:invalid value")
def test_each_seed_stops_on_the_device_for_its_own_reason(monkeypatch: pytest.MonkeyPatch, parts: int) -> None:
    # f = v [w x]_+ with v alone learning: the error is multiplied by 1 - w²/10 per step.
    start = TwoLayer(
        w=[[1.0, 0.0], [1e3, 0.0], [0.0, 0.0]], b=[[0.0, 0.0], [0.0, 0.0], [-1.0, 0.0]], v=np.zeros((3, 2))
    )
    laid_out(monkeypatch, Plan(parts, 2 // parts, 2, 16, True))
    if parts > 1:
        Mixed(0).install(monkeypatch)
    options: dict[str, Any] = {"step": 0.1, "steps": 40, "trained": ("v",), "record": 1, "stop_loss": 1e-2}
    done = train(start, [1.0], [2.0], engine="fused", **options)
    assert done.reasons == ("loss", "diverged", "steps")
    assert_same(done, train(start, [1.0], [2.0], **options))
    flat = {**options, "patience": 5, "stop_loss": None}
    done = train(start.one(2), [1.0], [2.0], engine="fused", **flat)
    assert (done.reason, int(done.stop_steps[0])) == ("plateau", 5)
    done = train(start.one(0), [1.0], [2.0], engine="fused", **flat, improvement=0.05)
    assert_same(done, train(start.one(0), [1.0], [2.0], **flat, improvement=0.05))
    assert done.reason == "plateau"


def test_launches_snapshots_and_records_do_not_change_the_course(monkeypatch: pytest.MonkeyPatch) -> None:
    f, (x, y) = networks(9), data(21, "square")
    options = {"step": 0.005, "steps": 10, "record": 3, "trained": ("w", "v"), "reduction": "mean"}
    whole = train(f, x, y, engine="fused", **options)
    assert_same(whole, train(f, x, y, **options))
    monkeypatch.setattr(fused_launch, "LAUNCH", 4)
    often = train(f, x, y, engine="fused", **options, snapshots=(0, 5, 6, 10))
    assert np.array_equal(often.losses, whole.losses)
    assert np.array_equal(often.final.w, whole.final.w)
    assert np.array_equal(often.snapshots[3].v, whole.final.v)
    assert np.array_equal(often.snapshots[0].w, f.w)
    assert np.array_equal(whole.final.b, f.b)
    assert np.array_equal(train(f, x, y, engine="fused", step=0.005, steps=0).losses, whole.losses[:1] * 21)


def test_each_network_may_have_data_of_its_own() -> None:
    f, rng = networks(9), np.random.default_rng(4)
    x, y = rng.normal(size=(2, 5)), rng.normal(size=(2, 5))
    assert_same(train(f, x, y, engine="fused", steps=5), train(f, x, y, steps=5))


def test_a_small_loss_keeps_its_digits() -> None:
    """log(1 + e) where e is below rounding."""
    f = TwoLayer([1.0], [0.0], [60.0])
    options: dict[str, Any] = {"loss": "logistic", "step": 1.0, "steps": 0}
    done = train(f, [1.0, 0.6], [1.0, 1.0], engine="fused", **options)
    np.testing.assert_allclose(done.losses[0], np.exp(-36.0) + np.exp(-60.0), rtol=1e-12)


@given(
    st.integers(1, 10**6),
    st.integers(1, 10**5),
    st.integers(1, 16),
    st.integers(1, 64),
    st.integers(1, 500),
    st.sampled_from([4, 8]),
    st.sampled_from([0, 1, 20, 132]),
)
def test_layouts_hold_all_units_and_programs_that_wait_are_there_together(
    n: int, m: int, d: int, k: int, seeds: int, size: int, multiprocessors: int
) -> None:
    found = fused_launch.plan(n, m, d, k, seeds, size, multiprocessors)
    assert (found.parts - 1) * found.share < n <= found.parts * found.share, "no program without a unit"
    assert found.parts == 1 or found.parts * seeds <= found.together * multiprocessors
    for number in (found.units, found.data):
        assert number & (number - 1) == 0
        assert number >= (16 if k > 1 else 4)
    assert not found.resident or found.share <= found.units
    registers = found.most_registers or 255
    assert found.together * fused_launch.THREADS * registers <= fused_launch.REGISTERS


def test_parameters_stay_on_the_chip_where_they_fit() -> None:
    small, wide = (fused_launch.plan(n, m, 1, 1, 1, 4, 132) for n, m in ((10_000, 250), (100_000, 1_000)))
    assert small.resident
    assert wide.resident
    assert not fused_launch.plan(100_000, 1_000, 1, 1, 132, 4, 132).resident


def test_it_says_what_it_cannot_train(monkeypatch: pytest.MonkeyPatch) -> None:
    f = TwoLayer([1.0], [0.0], [1.0])

    def why(network: Any = f, x: Any = (1.0,), y: Any = (1.0,), **options: Any) -> str:
        return refuses(Problem(network, x, y, device="cuda", **options)) or ""

    assert why() == ""
    assert "label noise" in why(label_noise=lambda step, generator: [1.0])
    assert "gradient_flow" in why(times=(1.0,))
    deep = LayeredNetwork(([[1.0]], [[1.0]], [[1.0]]), ([0.0], [0.0], [0.0]))
    assert "one hidden layer" in why(deep, [[1.0]])
    many = TwoLayer(np.ones((1, 17)), [0.0], [1.0])
    assert "16 inputs" in why(many, np.ones((1, 17)))
    monkeypatch.delenv("TRITON_INTERPRET")
    with pytest.raises(DataError, match="runs on a GPU: give device='cuda'"):
        train(f, [1.0], [1.0], engine="fused", steps=1)


def test_a_gpu_takes_it_where_it_fits_and_torch_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    f, several = TwoLayer([1.0], [0.0], [1.0]), TwoLayer([[1.0, 1.0]], [0.0], [1.0])
    noisy = {"label_noise": lambda step, generator: [1.0]}

    def names() -> list[str]:
        problems = [
            Problem(f, [1.0], [1.0], device="cuda"),
            Problem(several, [[1.0, 1.0]], [1.0], device="cuda"),
            Problem(f, [1.0], [1.0], device="cuda", **noisy),
            Problem(f, [1.0], [1.0]),
        ]
        return [table.chosen(problem) for problem in problems]

    assert names() == ["fused", "fused", "prefix_sum", "prefix_sum"]
    monkeypatch.setitem(sys.modules, "triton", None)
    assert names() == ["prefix_sum", "dense", "prefix_sum", "prefix_sum"]
    monkeypatch.delitem(sys.modules, "implicitbias.training.engines.fused_launch")
    monkeypatch.delitem(sys.modules, "implicitbias.training.engines.fused_kernel")
    monkeypatch.delattr(engines, "fused_kernel")
    with pytest.raises(MissingExtraError, match=r"engine 'fused' needs triton: pip install 'implicitbias\[gpu\]'"):
        train(f, [1.0], [1.0], engine="fused", steps=1)


@pytest.mark.parametrize(
    ("n", "m", "d", "k", "seeds", "loss", "dtype"),
    [
        (100_000, 1_000, 1, 1, 1, "logistic", "float32"),  # kept in registers
        (10_000, 250, 1, 1, 132, "square", "float64"),  # streamed
        (500, 250, 1, 50, 30, "cross_entropy", "float32"),
        (300, 40, 3, 2, 1, "exponential", "float64"),
    ],
)
def test_it_compiles_for_a_gpu_and_as_many_programs_fit_as_its_layout_needs(
    monkeypatch: pytest.MonkeyPatch, n: int, m: int, d: int, k: int, seeds: int, loss: str, dtype: str
) -> None:
    monkeypatch.delenv("TRITON_INTERPRET")
    code = f"""
from tests.support.compiled_for_gpu import compiled
compiled({n}, {m}, {d}, {k}, {seeds}, {dtype!r}, {loss!r})
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr[-3000:]
    registers, shared, together = map(int, ran.stdout.split())
    assert 0 < registers * fused_launch.THREADS * together <= fused_launch.REGISTERS
    assert together * (shared + 1024) <= 100 * 1024


ON_A_GPU = """
import numpy as np
from implicitbias.training import TwoLayer, train

rng = np.random.default_rng(0)
for d, k, loss in ((None, None, "square"), (None, 5, "cross_entropy"), (3, 2, "logistic")):
    for n, seeds in ((3_000, 4), (700, 300)):
        f = TwoLayer(
            rng.normal(size=(seeds, n) if d is None else (seeds, n, d)), rng.normal(size=(seeds, n)),
            rng.normal(size=(seeds, n) if k is None else (seeds, n, k)) / n,
        )
        x = rng.normal(size=60 if d is None else (60, d))
        y = rng.integers(0, 5, 60) if k == 5 else np.sign(rng.normal(size=60 if k is None else (60, k)))
        options = {"loss": loss, "step": 2e-6, "steps": 50, "snapshots": (20,)}
        for dtype, close in (("float64", 1e-11), ("float32", 1e-4)):
            cpu = train(f, x, y, dtype=dtype, **options)
            one, two = (train(f, x, y, dtype=dtype, device="cuda", **options) for _ in range(2))
            assert one.engine == "fused"
            np.testing.assert_allclose(one.losses, cpu.losses, rtol=close)
            for name in "wbvc":
                at_end, on_cpu = getattr(one.final, name), getattr(cpu.final, name)
                np.testing.assert_allclose(at_end, on_cpu, rtol=close, atol=close)
                assert np.array_equal(at_end, getattr(two.final, name)), "two runs must agree to the last digit"
"""


def test_a_gpu_takes_the_same_steps_and_the_same_ones_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    if not torch.cuda.is_available():
        pytest.skip("no CUDA GPU here")
    monkeypatch.delenv("TRITON_INTERPRET")
    ran = subprocess.run([sys.executable, "-c", ON_A_GPU], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr[-3000:]
