"""Messages that quote what was given: of bounded length, and nothing in them moves a terminal."""

from __future__ import annotations

import pytest

from implicitbias.errors import UserError
from implicitbias.legible import LINES, legible, printable


def test_a_long_number_is_shortened_to_its_ends_with_its_length():
    number = "1234" + "0" * 999_992 + "5678"
    assert legible(f"{number!r} is too long") == "'1234…5678 (1000000 digits)' is too long"


def test_what_people_write_stays_as_it_is():
    message = "/a/path/of/some/length/data.csv, line 3: '0.123456789012345678901234567890' is not a number:\n  write ½"
    assert legible(message) == message


@pytest.mark.parametrize("piece", ["x", "a b ", "line\n", "1", "é", "1.", " ", "\x1b"])
def test_no_message_is_long(piece):
    long = piece * 100_000
    assert len(legible(f"{long} is not a number")) < 3000
    assert legible(legible(long)) == legible(long)


def test_lines_beyond_the_last_shown_are_counted():
    assert legible("\n".join("abc" for _ in range(LINES + 5))).endswith("\n… and 6 more lines")


def test_control_characters_are_written_out():
    assert printable("\x1b[31m\x00\x9b\u202e\ud800 a\tb\n") == "\\u001b[31m\\u0000\\u009b\\u202e\\ud800 a\tb\n"


def test_errors_of_the_user_are_legible_however_they_are_made():
    inner = UserError("9" * 5000)
    assert str(UserError(f"--at: {inner}")) == "--at: 9999…9999 (5000 digits)"
