"""A wheel built from this tree works outside it: the catalogue is inside, and a claim can be verified."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent


def copy_of_the_tree(tree: Path) -> Path:
    tree.mkdir()
    for name in ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tree)
    for folder in ("src", "theory", "tui"):
        if (ROOT / folder).is_dir():
            shutil.copytree(ROOT / folder, tree / folder, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    return tree


def test_two_builds_are_the_same_bytes(tmp_path: Path) -> None:
    """Of copies with other dates and modes. `make dist` does the same with every file, and installs what it built."""
    built = []
    for name, date, mask in (("one", 1_000_000_000, 0o022), ("two", 0, 0o077)):
        tree = copy_of_the_tree(tmp_path / name)
        for file in tree.rglob("*"):
            os.utime(file, (date, date))
            file.chmod((0o777 if file.is_dir() else 0o666) & ~mask)
        subprocess.run(
            [sys.executable, "-m", "build", "--no-isolation", "--outdir", tmp_path / f"{name} built", tree],
            env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"},
            umask=mask,
            capture_output=True,
            check=True,
        )
        built.append({file.name: file.read_bytes() for file in (tmp_path / f"{name} built").iterdir()})
    assert len(built[0]) == 2
    assert built[0] == built[1]


def test_a_wheel_works_outside_the_tree(tmp_path: Path) -> None:
    tree = copy_of_the_tree(tmp_path / "tree")
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
