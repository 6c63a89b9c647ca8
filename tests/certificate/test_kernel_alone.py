"""The folder of the trusted checker works by itself, and a file more is a kind more."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

from implicitbias.certificate import kernel
from tests.support.certificates import VALID, signed

KERNEL = Path(kernel.__file__)


def test_the_checker_runs_alone_without_the_project(tmp_path: Path) -> None:
    """The folder under another name, elsewhere, and nothing that is installed."""
    shutil.copytree(KERNEL.parent, tmp_path / "trusted", ignore=shutil.ignore_patterns("__pycache__"))
    files = {"valid": VALID, "refused": VALID.replace('"unique": false', '"unique": true'), "no": "x,y"}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    for name, code, says in (
        ("valid", 0, "valid: About 2 points, inputs from 0 to 1, the first 0 -> 0, the last 1 -> 1 (SHA-256 of data "),
        ("refused", 1, "refused: claim.unique"),
        ("no", 2, ""),
        ("-", 2, ""),
    ):
        run = subprocess.run(
            [sys.executable, "-I", "-S", tmp_path / "trusted" / "kernel.py", tmp_path / name],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (run.returncode, run.stdout.startswith(says)) == (code, True)
        assert ("unreadable" in run.stderr) == (code == 2)
        assert "Traceback" not in run.stderr


def test_a_copy_that_is_not_whole_says_so_and_does_not_look_like_a_refusal(tmp_path: Path) -> None:
    shutil.copy(KERNEL, tmp_path)
    run = subprocess.run([sys.executable, "-I", "-S", tmp_path / "kernel.py", "x"], capture_output=True, text=True)
    assert (run.returncode, run.stdout) == (2, "")
    assert "must lie next to it" in run.stderr
    assert "Traceback" not in run.stderr


def test_a_kind_of_certificate_is_a_file_in_the_folder_kinds(tmp_path: Path) -> None:
    shutil.copytree(KERNEL.parent, tmp_path / "trusted")
    (tmp_path / "trusted" / "kinds" / "trivial.py").write_text(
        "from ..reading import Fields, Kind, read_number\n\n"
        "def check(document: Fields) -> str:\n    return f\"{read_number(document['n'], 'n')} is a number.\"\n\n"
        'KIND = Kind("a number", ("n",), check)\n'
    )
    document = {"format": "implicitbias certificate", "version": 1, "kind": "a number", "n": "7/2"}
    (tmp_path / "proof.json").write_text(json.dumps(signed(document)))
    run = subprocess.run(
        [sys.executable, "-I", "-S", tmp_path / "trusted" / "kernel.py", tmp_path / "proof.json"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stdout) == (0, "valid: 7/2 is a number.\n"), run.stderr
