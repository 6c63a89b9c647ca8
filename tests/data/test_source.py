"""Files, pipes and devices as users name them: read, or refused in bounded time and memory."""

from __future__ import annotations

import io
import os
import threading
import time

import pytest

from implicitbias.data import source
from implicitbias.data.source import contents, text_in
from implicitbias.errors import DataError


def test_a_file_is_read_whole(tmp_path):
    file = tmp_path / "data.csv"
    file.write_bytes(b"\xef\xbb\xbf0,1\r\n")
    assert contents(file) == b"\xef\xbb\xbf0,1\r\n"
    assert text_in(file) == "0,1\r\n"


def test_what_has_no_end_is_refused(monkeypatch):
    with pytest.raises(DataError, match="holds more than the 100 MB that are read"):
        contents("/dev/zero")


def test_a_pipe_without_a_writer_is_refused_after_some_seconds(tmp_path, monkeypatch):
    monkeypatch.setattr(source, "PATIENCE_FOR_A_WRITER", 0.1)
    os.mkfifo(tmp_path / "pipe")
    begin = time.monotonic()
    with pytest.raises(DataError, match="a pipe that nobody writes to"):
        contents(tmp_path / "pipe")
    assert time.monotonic() - begin < 5


def test_a_pipe_is_read_to_its_end_by_its_writer(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def write() -> None:
        time.sleep(0.1)
        with pipe.open("wb") as stream:
            stream.write(b"0,1\n")
            stream.flush()
            time.sleep(0.2)
            stream.write(b"1,2\n")

    writer = threading.Thread(target=write)
    writer.start()
    assert contents(pipe) == b"0,1\n1,2\n"
    writer.join()


def test_a_writer_that_stops_is_not_waited_for_without_end(tmp_path, monkeypatch):
    monkeypatch.setattr(source, "PATIENCE_WITH_A_WRITER", 0.1)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    kept = os.open(pipe, os.O_RDWR)
    try:
        os.write(kept, b"0,1\n")
        with pytest.raises(DataError, match="nothing came for"):
            contents(pipe)
    finally:
        os.close(kept)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("no/such/file", "there is no file no/such/file"),
        ("/", "/ cannot be read: Is a directory"),
        ("a" * 300, "cannot be read: File name too long"),
        ("a\0b", "cannot be read"),
        ("\ud800", "cannot be read"),
    ],
)
def test_what_cannot_be_read_is_named_with_the_reason(given, says):
    with pytest.raises(DataError, match=says):
        contents(given)


def test_a_circle_of_links_is_no_file(tmp_path):
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(DataError, match="loop cannot be read: Too many levels of symbolic links"):
        contents(tmp_path / "loop")


def test_standard_input_may_be_closed(monkeypatch):
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(DataError, match="standard input is closed"):
        contents("-")


def test_standard_input_is_bounded_too(monkeypatch):
    monkeypatch.setattr(source, "MOST_BYTES", 1_000_000)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"1,2\n" * 300_000)))
    with pytest.raises(DataError, match="standard input holds more than the 1 MB"):
        contents("-")
