"""Reports: one record, `implicitbias.report.summary.Report`, written in several formats."""

from __future__ import annotations

import importlib
from typing import TextIO

from implicitbias.report.summary import Report

FORMATS = {
    "console": "implicitbias.report.console",
    "json": "implicitbias.report.json",
    "junit": "implicitbias.report.junit",
    "html": "implicitbias.report.html",
    "badge": "implicitbias.report.badge",
}
"""Each format with the module whose `write(report, stream)` makes it."""


def write(report: Report, stream: TextIO, form: str = "console") -> None:
    """Write the report in one of `FORMATS`."""
    importlib.import_module(FORMATS[form]).write(report, stream)
