"""A wheel built from this tree works outside it: the catalogue is inside, and a claim can be verified."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_a_wheel_works_outside_the_tree(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tree)
    for folder in ("src", "theory", "tui"):
        if (ROOT / folder).is_dir():
            shutil.copytree(ROOT / folder, tree / folder, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--no-build-isolation", "--no-deps", "--wheel-dir", tmp_path, tree], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    installed = tmp_path / "installed"
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        archive.extractall(installed)
    assert "implicitbias/py.typed" in names
    assert "implicitbias/formal/library/All.v" in names
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "IMPLICITBIAS_LEDGER": str(tmp_path / "ledger.sqlite"),
        # The wheel's copy must be found before this tree's editable install.
        "PYTHONPATH": str(installed),
    }
    command = [sys.executable, "-m", "implicitbias", "verify", "savarese2019.lemma_1", "--json", "-"]
    out = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    document = json.loads(out.stdout)
    assert document["claims"][0]["standing"] == "ESTABLISHED"
    where = [sys.executable, "-c", "import implicitbias.theory as t; print(t.__path__[0])"]
    place = subprocess.run(where, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert Path(place.stdout.strip()) == installed / "implicitbias" / "theory"
