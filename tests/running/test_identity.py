"""Two processes have one identity exactly if they compute with the same things."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from implicitbias.running.identity import differences, identity, required
from tests.support.dask_cluster import other_numpy, other_sources


def elsewhere(folder: Path | None = None, loading: str = "sys", **variables: str) -> dict[str, str]:
    """The identity of a new process that has loaded some modules."""
    program = f"""
import json, os, sys
import {loading}
from implicitbias.running.identity import identity
print(json.dumps(identity({str(folder) if folder else None!r}, installed=True)))
"""
    done = subprocess.run([sys.executable, "-c", program], env=variables, capture_output=True, text=True, check=True)
    found: dict[str, str] = json.loads(done.stdout)
    return found


def test_a_process_of_this_machine_has_its_identity_and_names_what_it_has_loaded() -> None:
    found = elsewhere(loading="numpy, flint, mpmath, networkx")
    assert differences(None, found) == ()
    assert {"module numpy", "module flint", "module mpmath", "module networkx"} <= found.keys()
    assert found["module flint"].startswith("python-flint ")
    assert {"numpy", "numba", "clarabel", "mpmath", "networkx", "llvmlite", "torch", "scipy"} <= found.keys()
    assert "pytest" not in found


def test_other_versions_other_sources_and_other_pythons_differ(tmp_path: Path) -> None:
    [says] = differences(None, elsewhere(**other_numpy(tmp_path)))
    assert says == f"numpy 99.0 there, {required()['numpy']} here"
    assert differences(None, elsewhere(**other_sources(tmp_path))) == ("other sources of implicitbias",)
    found = {**elsewhere(), "Python": "3.99.0", "numba": "0.1"}
    assert [word.partition(" there")[0] for word in differences(None, found)] == ["Python 3.99.0", "numba 0.1"]


def test_a_module_from_elsewhere_than_its_distribution_differs(tmp_path: Path) -> None:
    shim = tmp_path / "numpy"
    shim.mkdir()
    (shim / "__init__.py").write_text("pi = 3\n")
    [says] = differences(None, elsewhere(loading="numpy", PYTHONPATH=str(tmp_path)))
    assert says.startswith("module numpy files ")


def test_a_module_on_the_path_is_known_by_its_contents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in (("here", "X = 1\n"), ("there", "X = 1\n"), ("other", "X = 2\n")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "lonely_helper.py").write_text(text)
    there = elsewhere(loading="lonely_helper", PYTHONPATH=str(tmp_path / "there"))
    other = elsewhere(loading="lonely_helper", PYTHONPATH=str(tmp_path / "other"))
    [says] = differences(None, there)
    assert says.endswith("there, none here")
    monkeypatch.syspath_prepend(str(tmp_path / "here"))
    importlib.invalidate_caches()
    assert differences(None, there) == ()
    assert differences(None, other) == ("other contents of the module lonely_helper",)


def test_a_claims_folder_is_known_by_the_contents_of_all_its_files(tmp_path: Path) -> None:
    folder = tmp_path / "claims"
    (folder / "data").mkdir(parents=True)
    (folder / "mine.py").write_text("CLAIMS = ()\n")
    (folder / "data" / "points.dat").write_text("0,1\n")
    before = identity(str(folder))
    assert differences(str(folder), before) == ()
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "mine.pyc").write_bytes(b"")
    assert differences(str(folder), before) == ()
    (folder / "data" / "points.dat").write_text("0,2\n")
    assert differences(str(folder), before) == ("other contents of the claims folder",)
    assert differences(str(tmp_path / "none"), before) == ("other contents of the claims folder",)
    (folder / "data" / "points.dat").write_text("0,1\n")
    assert differences(str(folder), before) == ()
    (folder / "data" / "points.dat").rename(folder / "points.dat")
    assert differences(str(folder), before) == ("other contents of the claims folder",)
    assert differences(str(folder), identity(str(tmp_path / "none"))) == ("no such claims folder",)
