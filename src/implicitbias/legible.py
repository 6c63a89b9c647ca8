"""Text that others wrote, made fit for a message: a terminal obeys nothing in it, and its length is bounded."""

from __future__ import annotations

import re

DIGITS = 60
"""A longer run of digits is shortened to its ends: nobody reads it, and a million of them hide the message."""
WORD = 400
"""So is a longer run of other characters. Paths are shorter."""
LINE = 1000
LINES = 40
"""A longer line, and what is beyond these lines, is left out."""

UNSAFE = re.compile(
    "["
    "\x00-\x08\x0b-\x1f"  # C0 but tab and newline: a lone carriage return writes over its own line
    "\x7f-\x9f"  # DEL, C1
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # marks, embeddings, overrides and isolates of direction
    "\u2028\u2029"  # line breaks to some
    "\ud800-\udfff\ufffe\uffff"  # no text: lone surrogates, noncharacters (XML allows none)
    "]"
)
"""What a terminal obeys, what turns the direction of writing, and what is no text."""

_DIGITS = re.compile(rf"\d{{{DIGITS + 1},}}")
_WORD = re.compile(rf"\S{{{WORD + 1},}}")


def printable(text: str) -> str:
    r"""The text with every unsafe character as a visible escape, as JSON writes it; harmless text is returned as it is.

    >>> print(printable("\x1b[31mESTABLISHED\x07 über ½‖w‖²"))
    \u001b[31mESTABLISHED\u0007 über ½‖w‖²
    """
    return UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def legible(message: str) -> str:
    """The message, printable, with numbers and words of any length shortened.

    >>> legible("1234" + "0" * 999_992 + "5678 is too long")
    '1234…5678 (1000000 digits) is too long'
    """
    text = _DIGITS.sub(lambda found: f"{found[0][:4]}…{found[0][-4:]} ({len(found[0])} digits)", printable(message))
    text = _WORD.sub(lambda found: f"{found[0][:30]}…{found[0][-30:]} ({len(found[0])} characters)", text)
    lines = [
        line if len(line) <= LINE else f"{line[: LINE // 2]} … {line[-LINE // 4 :]} ({len(line)} characters)"
        for line in text.split("\n")
    ]
    if len(lines) > LINES:
        lines = [*lines[: LINES - 1], f"… and {len(lines) - LINES + 1} more lines"]
    return "\n".join(lines)
