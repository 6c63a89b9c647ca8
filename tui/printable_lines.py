"""The last thing that happens to a line of the screen: what is no text is taken out of claims, data and errors."""

from __future__ import annotations

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from implicitbias.report.printable import in_place


class PrintableLines(LineFilter):
    """Only the interface moves the cursor and chooses colours, never a text that it shows."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [s if s.control else Segment(in_place(s.text), s.style) for s in segments]
