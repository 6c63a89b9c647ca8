"""Digests of folders: by the names that they hold, bytecode apart."""

from __future__ import annotations

from pathlib import Path

from implicitbias.record.digests import of_file, of_folder


def test_names_count_and_bytecode_does_not(tmp_path: Path) -> None:
    before = of_folder(str(tmp_path))
    (tmp_path / "__pycache__").mkdir()
    assert of_folder(str(tmp_path)) == before
    (tmp_path / "source.py").touch()
    assert of_folder(str(tmp_path)) != before


def test_a_folder_of_bytecode_is_the_same_whatever_it_holds_and_before_there_is_one(tmp_path: Path) -> None:
    bytecode = tmp_path / "__pycache__"
    seen = {(of_folder(str(bytecode)), of_file(str(bytecode)))}
    bytecode.mkdir()
    seen.add((of_folder(str(bytecode)), of_file(str(bytecode))))
    (bytecode / "source.cpython-311.pyc").touch()
    seen.add((of_folder(str(bytecode)), of_file(str(bytecode))))
    assert len(seen) == 1, "Python makes one while a check imports, so the check would never be fresh"
