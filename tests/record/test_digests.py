"""Digests of folders: by the names that they hold, bytecode apart."""

from __future__ import annotations

from pathlib import Path

from implicitbias.record.digests import of_folder


def test_names_count_and_bytecode_does_not(tmp_path: Path) -> None:
    before = of_folder(str(tmp_path))
    (tmp_path / "__pycache__").mkdir()
    assert of_folder(str(tmp_path)) == before
    (tmp_path / "source.py").touch()
    assert of_folder(str(tmp_path)) != before


def test_a_folder_of_bytecode_is_the_same_whatever_it_holds(tmp_path: Path) -> None:
    bytecode = tmp_path / "__pycache__"
    absent = of_folder(str(bytecode))
    bytecode.mkdir()
    empty = of_folder(str(bytecode))
    (bytecode / "source.cpython-311.pyc").touch()
    assert of_folder(str(bytecode)) == empty != absent
