"""What is written where: files, and named pipes with and without a reader."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from implicitbias.commands.data.certificates import write_atomically
from implicitbias.commands.output import writing
from implicitbias.errors import UserError


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    os.mkfifo(tmp_path / "pipe")
    return tmp_path / "pipe"


def test_a_pipe_that_nobody_reads_is_refused_after_a_while(pipe: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("implicitbias.commands.output.PATIENCE_FOR_A_READER", 0.1)
    with pytest.raises(UserError, match="a pipe that nobody reads from"), writing(pipe):
        pass
    with pytest.raises(UserError, match="a pipe that nobody reads from"):
        write_atomically(pipe, "text")


def test_a_certificate_below_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data.csv").touch()
    with pytest.raises(UserError, match=r"cannot be written to .*data.csv/proof: Not a directory"):
        write_atomically(tmp_path / "data.csv" / "proof", "text")


@pytest.mark.parametrize("size", [4, 1_000_000])  # more than a pipe holds
def test_what_reads_from_a_pipe_gets_everything(pipe: Path, size: int) -> None:
    found: list[str] = []
    for write in (lambda: write_atomically(pipe, "é" * size), lambda: _written(pipe, "é" * size)):
        reader = threading.Thread(target=lambda: found.append(pipe.read_text(encoding="utf-8")))
        reader.start()
        write()
        reader.join(60)
    assert [len(text) for text in found] == [size, size]


def _written(file: Path, text: str) -> None:
    with writing(file) as stream:
        stream.write(text)


def test_a_file_is_written_as_it_was(tmp_path: Path) -> None:
    with writing(tmp_path / "file") as stream:
        stream.write("é")
    assert (tmp_path / "file").read_bytes() == "é".encode()
