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

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""What terminals obey (tabs and ends of lines excepted), what turns the direction of writing, what has no encoding."""
_DIGITS = re.compile(rf"\d{{{DIGITS + 1},}}")
_WORD = re.compile(rf"\S{{{WORD + 1},}}")


def visible(text: str) -> str:
    r"""The text with escape sequences and other control characters written out.

    >>> print(visible("\x1b[31mred"))
    \x1b[31mred
    """
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape", "surrogatepass").decode(), text)


def legible(message: str) -> str:
    """The message, visible, with numbers and words of any length shortened.

    >>> legible("1234" + "0" * 999_992 + "5678 is too long")
    '1234…5678 (1000000 digits) is too long'
    """
    text = _DIGITS.sub(lambda found: f"{found[0][:4]}…{found[0][-4:]} ({len(found[0])} digits)", visible(message))
    text = _WORD.sub(lambda found: f"{found[0][:30]}…{found[0][-30:]} ({len(found[0])} characters)", text)
    lines = [
        line if len(line) <= LINE else f"{line[: LINE // 2]} … {line[-LINE // 4 :]} ({len(line)} characters)"
        for line in text.split("\n")
    ]
    if len(lines) > LINES:
        lines = [*lines[: LINES - 1], f"… and {len(lines) - LINES + 1} more lines"]
    return "\n".join(lines)
