"""Reports: one record, `implicitbias.report.summary.Report`, written in several formats."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, TextIO

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
    """Write the report in one of `FORMATS`."""
    importlib.import_module(f"{__name__}.{form}").write(report, stream)
