"""What only an extra brings is loaded where it is needed, and named, with the extra, where it is missing."""

import importlib
import pickle
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from implicitbias.cli import main
from implicitbias.errors import EXTRAS, MissingExtraError, brought_by_extra, missing_extra
from implicitbias.training import LayeredNetwork, anti_symmetric, standard, train

ROOT = Path(__file__).parent.parent
DECLARED: dict[str, list[str]] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
    "optional-dependencies"
]
WITHOUT = (*EXTRAS, "networkx", "pandas")


def contents(extra: str) -> set[str]:
    """The names of the distributions that an extra brings, also by other extras."""
    found = set()
    for need in DECLARED[extra]:
        inside = re.fullmatch(r"implicitbias\[(.*)\]", need)
        found |= set().union(*map(contents, inside[1].split(","))) if inside else {re.split(r"[<>=\[]", need)[0]}
    return found


def test_every_library_has_a_declared_extra_that_brings_it() -> None:
    for library, extra in EXTRAS.items():
        distribution = {"sklearn": "scikit-learn", "dask": "distributed"}.get(library, library.replace("_", "-"))
        assert distribution in contents(extra)


def test_all_is_what_users_may_want_and_development_needs_all() -> None:
    assert contents("all") == set().union(*(contents(extra) for extra in DECLARED.keys() - {"all", "dev", "docs"}))
    assert contents("all") < contents("dev")


def test_every_version_that_is_installed_for_an_extra_is_pinned() -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pinned = {re.sub("[-_.]+", "-", line.partition("==")[0]).lower() for line in lines if not line.startswith("#")}
    assert contents("dev") | contents("docs") <= pinned


def test_modules_load_without_the_extras_except_those_that_are_one() -> None:
    """Those that cannot be loaded are leaves, which functions import when they are called."""
    program = f"""
import importlib, pkgutil, sys
sys.modules |= dict.fromkeys({WITHOUT!r})
import implicitbias, implicitbias.theory, implicitbias.tui
for package in (implicitbias, implicitbias.theory, implicitbias.tui):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + ".", onerror=lambda name: None):
        if not module.name.endswith("__main__"):
            try:
                importlib.import_module(module.name)
            except ImportError as error:
                print(module.name, type(error).__name__)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    failed = dict(line.split() for line in done.stdout.splitlines())
    rooms = {name.removeprefix("implicitbias.").rpartition(".")[0] for name in failed}
    assert rooms <= {"", "splines", "training", "training.engines", "training.flows", "training.regularised"}
    plain = {name.rpartition(".")[2] for name, kind in failed.items() if kind != "MissingExtraError"}
    assert plain <= {"course", "fused_kernel", "fused_launch", "on_torch", "prefix_sum_torch"}
    assert {name for name in failed if name.count(".") == 1} <= {"implicitbias.estimators"}
    of_splines = {name.rpartition(".")[2] for name in failed if name.startswith("implicitbias.splines.")}
    assert of_splines <= {"compiled", "compiled_smoothing"}


def test_the_error_says_what_to_install_and_travels_between_processes() -> None:
    with pytest.raises(MissingExtraError) as caught, brought_by_extra("this"):
        raise ModuleNotFoundError(name="sklearn.base")
    there = pickle.loads(pickle.dumps(caught.value))
    assert str(there) == str(caught.value) == "this needs sklearn: pip install 'implicitbias[sklearn]'"
    assert missing_extra(there) is there


def test_a_missing_library_that_no_extra_brings_is_another_error() -> None:
    with pytest.raises(ModuleNotFoundError) as caught, brought_by_extra("this"):
        importlib.import_module("a_library_that_nobody_wrote")
    assert not isinstance(caught.value, MissingExtraError)
    assert missing_extra(caught.value) is None
    assert missing_extra(ValueError("torch")) is None


TORCH = "pip install 'implicitbias[torch]'"


@pytest.fixture
def _without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)


@pytest.mark.usefixtures("_without_torch")
@pytest.mark.parametrize("command", ["inspect", "regions"])
def test_a_file_of_torch_needs_torch(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "model.pt").write_bytes(b"PK\x03\x04")
    assert main([command, str(tmp_path / "model.pt")]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert TORCH in said


@pytest.mark.usefixtures("_without_torch")
def test_networks_are_trained_without_torch_unless_its_engine_or_another_device_is_asked_for() -> None:
    start = anti_symmetric(standard(w=[1.0, -1.0], b=[0.5, 0.3], v=[1.0, 1.0]))
    assert train(start, x=[-1.0, 1.0], y=[0.5, 0.5], steps=3).engine == "prefix_sum"
    deep = LayeredNetwork(([[1.0]], [[1.0]], [[1.0]]), ([0.0], [0.0], [0.0]))
    assert train(deep, x=[[-1.0], [1.0]], y=[0.5, 0.5], steps=3, step=0.1).engine == "layerwise"
    with pytest.raises(MissingExtraError, match=re.escape(TORCH)):
        train(deep, x=[[-1.0], [1.0]], y=[0.5, 0.5], steps=3, step=0.1, engine="dense")
    with pytest.raises(MissingExtraError, match=re.escape(TORCH)):
        train(start, x=[-1.0, 1.0], y=[0.5, 0.5], steps=3, device="cuda")


def test_an_error_that_no_command_expects_still_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(*_: object) -> None:
        raise ModuleNotFoundError(name="numba")

    monkeypatch.setattr("implicitbias.cli.application", fails)
    assert main(["list"]) == 2
    assert "pip install 'implicitbias[training]'" in capsys.readouterr().err
