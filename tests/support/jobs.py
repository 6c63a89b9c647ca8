"""Jobs that last."""

from __future__ import annotations

import collections
import itertools
import time


def never_returns_in_c() -> None:
    """One call that holds the interpreter's lock and looks at no signal: nothing but SIGKILL ends it."""
    collections.deque(itertools.repeat(0), maxlen=0)


def nap(seconds: float) -> float:
    time.sleep(seconds)
    return seconds
