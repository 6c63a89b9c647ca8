"""The benchmark of the GPU on a machine without one: what it says, and its parts at small sizes on the CPU."""

import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from benchmarks import gpu, gpu_systems, section_6
from benchmarks.gpu_systems import Case
from tests.support.interpreted import quick

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.skipif(torch.cuda.is_available(), reason="a CUDA GPU is here: python -m benchmarks gpu takes minutes")
def test_without_a_gpu_it_says_what_is_missing_and_ends_with_2() -> None:
    ran = subprocess.run([sys.executable, "-m", "benchmarks", "gpu"], capture_output=True, text=True, cwd=ROOT)
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert ran.stderr.startswith("benchmark gpu was not run: it needs a CUDA GPU")
    with pytest.raises(RuntimeError, match="CUDA GPU"):
        gpu.report()


@pytest.fixture
def _on_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    quick(monkeypatch)
    monkeypatch.setattr(gpu_systems, "DEVICE", "cpu")
    for name in ("synchronize", "empty_cache", "reset_peak_memory_stats"):
        monkeypatch.setattr(torch.cuda, name, lambda: None)
    monkeypatch.setattr(torch.cuda, "max_memory_allocated", lambda: 0)


@pytest.mark.usefixtures("_on_the_cpu")
@pytest.mark.parametrize("seeds", [1, 4])
def test_all_systems_train_the_same_networks(monkeypatch: pytest.MonkeyPatch, seeds: int) -> None:
    case = Case(12, 7, seeds, "float64")
    wanted = gpu.on_the_cpu(case)
    assert len(wanted) == min(seeds, 3)
    monkeypatch.setattr(torch, "compile", lambda take: take)
    for name in ("fused", "torch eager, autograd", "torch.compile"):
        steps, losses = gpu_systems.SYSTEMS[name](case)
        steps(8)
        steps(gpu.CHECKED - 7)
        assert losses().shape == (seeds,)
        np.testing.assert_allclose(losses()[:3], wanted, rtol=1e-12)


@pytest.mark.usefixtures("_on_the_cpu")
def test_its_report_has_a_row_for_each_system_even_if_it_fails(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    about = SimpleNamespace(name="No GPU", multi_processor_count=0, total_memory=2**30, major=0, minor=0)
    monkeypatch.setattr(torch.cuda, "get_device_properties", lambda device: about)
    monkeypatch.setattr(torch, "compile", lambda take: take)
    monkeypatch.setattr(torch.cuda, "Stream", lambda: nullcontext())
    for name, value in {
        "missing": lambda: None, "SIZES": ((12, 7),), "SEEDS": 2, "TABLE": tmp_path / "GPU.md", "EACH": 1e-3,
        "BUDGET": 1e-3, "COPIED": 1 << 12, "SIDE": 8, "CHECKED": 2, "PROBED": 2,
    }.items():  # fmt: skip
        monkeypatch.setattr(gpu, name, value)
    monkeypatch.setattr(gpu, "per_step", lambda steps: steps(1) or 1e-3)
    monkeypatch.setattr(section_6, "SEEDS", 1)
    monkeypatch.setattr(section_6, "MODELS", {"regression": (10, 0.08, 2), "classification": (6, 0.5, 2)})
    text = gpu.report()
    assert text.count("| fused |") == 4
    assert text.count("CUDA graph of torch.compile | ") == 4
    assert "AttributeError" in text, "a system that fails says so in its row"
    assert text.count("| regression | float") == text.count("| classification | float") == 2
    assert "No GPU" in (tmp_path / "GPU.md").read_text()
