"""What libraries look at on the side and no result depends on: it would tie results to one terminal, home or folder."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import FrameType

BEGINNING = "the environment variables that begin with "

_TAKEN = {"numba.core.config": "NUMBA_"}
"""Modules that go through all environment variables, and how the names of those that they take begin."""

_KEEPS = {("implicitbias.exact.machine_code", "folder")}
"""Functions that say where machine code is kept, which can be made again from what is recorded."""

_LOOKS = {
    ("numba.core.ir", "get_lines"),
    ("threadpoolctl", "_load_libraries"),
    ("importlib.metadata", "search"),
    ("importlib.metadata", "entry_points"),
}
"""Functions that look at files of which no result is made: at source lines, to quote them in messages; at the libraries
that the process has loaded, to find those that have threads; in every folder of `sys.path` for what is installed and
what plugins that brings: versions are recorded. (They would tie results to one machine and folder.)"""


def taken_by_the_caller() -> str | None:
    """How the names of the variables begin that the library takes which goes through all of them, if one does."""
    return next((_TAKEN[module] for module, _ in _callers() if module in _TAKEN), None)


def is_to_keep_code() -> bool:
    """Whether it is asked where machine code is kept."""
    return any(caller in _KEEPS for caller in _callers())


def is_a_look_aside() -> bool:
    """Whether a file is looked at of which no result is made."""
    return any(module in sys.modules for module, _ in _LOOKS) and any(caller in _LOOKS for caller in _callers())


def _callers() -> Iterator[tuple[str, str]]:
    """The modules and functions that are running, the innermost first."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        yield str(frame.f_globals.get("__name__")), frame.f_code.co_name
        frame = frame.f_back
