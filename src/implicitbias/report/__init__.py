"""Reports: one record, `implicitbias.report.summary.Report`, written in several formats."""

from __future__ import annotations

import importlib
import io
from typing import TYPE_CHECKING, TextIO

from implicitbias.report.printable import printable

if TYPE_CHECKING:
    from implicitbias.report.summary import Report

TERMINAL = "console"
"""The format for the terminal; the others are for files."""

FORMATS = {
    TERMINAL: "tables for the terminal",
    "json": "a JSON document",
    "junit": "JUnit XML for continuous integration",
    "html": "an HTML page that needs no network",
    "badge": "an SVG badge for a README",
}
"""Each format with what it is; the module of that name in this package writes it: `write(report, stream)`."""


def write(report: Report, stream: TextIO, form: str = TERMINAL) -> None:
    """Write the report in one of `FORMATS`; nothing in it does more than to be read."""
    writer = importlib.import_module(f"{__name__}.{form}")
    if form == TERMINAL:  # has colours, which are control characters too: its console sees to the texts
        writer.write(report, stream)
    else:
        text = io.StringIO()
        writer.write(report, text)
        stream.write(printable(text.getvalue()))
