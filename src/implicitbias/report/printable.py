"""Text from outside, as it may be shown: nothing in it moves the cursor, changes colours or turns the line around.

Claims, data, reasons and names of files are written by others. A terminal obeys the control characters in them (ESC and
the one-character CSI of C1 above all), and the direction overrides of Unicode make text read as what it is not
(https://trojansource.codes). All of these are shown as the escapes by which Python and JSON write them, `\\u001b`, so
that a document of JSON remains one, with the same meaning. Newlines and tabs stay.

Every way out goes through here: `report.write` for files, `words.console_for` for terminals, `commands.output` for
lines, the app's filter for the terminal interface.
"""

from __future__ import annotations

import re

from rich.cells import cell_len

_UNSAFE = re.compile(
    "["
    "\x00-\x08\x0b-\x1f"  # C0 but tab and newline: a lone carriage return writes over its own line
    "\x7f-\x9f"  # DEL, C1
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # marks, embeddings, overrides and isolates of direction
    "\u2028\u2029"  # line breaks to some
    "\ud800-\udfff\ufffe\uffff"  # no text: lone surrogates, noncharacters (XML allows none)
    "]"
)


def printable(text: str) -> str:
    r"""The text with every unsafe character as a visible escape; harmless text is returned as it is.

    >>> print(printable("\x1b[31mESTABLISHED\x07 über ½‖w‖²"))
    \u001b[31mESTABLISHED\u0007 über ½‖w‖²
    """
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def in_place(text: str) -> str:
    r"""The text without its unsafe characters, for a screen that is laid out already: as many columns wide as it was.

    >>> in_place("\x1b[31mESTABLISHED")
    '[31mESTABLISHED'
    """
    return _UNSAFE.sub(lambda found: "\ufffd" * cell_len(found[0]), text) if _UNSAFE.search(text) else text
