"""Text from outside, as it may be shown: nothing in it moves the cursor, changes colours or turns the line around.

Claims, data, reasons and names of files are written by others. A terminal obeys the control characters in them (ESC and
the one-character CSI of C1 above all), and the direction overrides of Unicode make text read as what it is not
(https://trojansource.codes). All of these are shown as the escapes by which Python and JSON write them, `\\u001b`, so
that a document of JSON remains one, with the same meaning. Newlines and tabs stay.

Every way out goes through here: `report.write` for files, `words.console_for` for terminals, `commands.output` for
lines, the app's filter for the terminal interface.
"""

from __future__ import annotations

from rich.cells import cell_len

from implicitbias.legible import UNSAFE, printable

__all__ = ["in_place", "printable"]


def in_place(text: str) -> str:
    r"""The text without its unsafe characters, for a screen that is laid out already: as many columns wide as it was.

    >>> in_place("\x1b[31mESTABLISHED")
    '[31mESTABLISHED'
    """
    return UNSAFE.sub(lambda found: "\ufffd" * cell_len(found[0]), text) if UNSAFE.search(text) else text
