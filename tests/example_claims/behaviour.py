"""Claims whose observations behave badly. What they do is switched by the environment if a test needs it."""

import collections
import itertools
import os
import time
from pathlib import Path

from implicitbias.claims import Context, Observation, certificate, seen

from ._observations import square, squares


@certificate("only", time_limit=0.5)
def never_returns(context: Context) -> Observation:
    """One call into C that lets nothing else run."""
    yield seen(9, x=3)
    collections.deque(itertools.repeat(0), maxlen=0)


@certificate("only", time_limit=60.0)
def raises(context: Context) -> Observation:
    yield seen(9, x=3)
    knots = [0, 0]
    raise ValueError(f"knots must increase: got {knots}")


@certificate("only", time_limit=60.0)
def crashes(context: Context) -> Observation:
    os.abort()
    yield seen(9, x=3)


@certificate("only", time_limit=60.0)
def crashes_once(context: Context) -> Observation:
    marker = Path(os.environ["TESTED_MARKER"])
    if not marker.exists():
        marker.touch()
        os.kill(os.getpid(), 9)
    yield from squares(context)


@certificate("only", time_limit=60.0)
def no_evidence(context: Context) -> Observation:
    return 4  # type: ignore[return-value]


@certificate("only", time_limit=60.0)
def nothing_seen(context: Context) -> Observation:
    for x in range(0):
        yield seen(x * x, x=x)


@certificate("only", time_limit=60.0)
def slow(context: Context) -> Observation:
    """Writes down that it has run, so that a test can count."""
    time.sleep(float(os.environ.get("TESTED_SECONDS", "0")))
    if "TESTED_LOG" in os.environ:
        with open(os.environ["TESTED_LOG"], "a") as log:
            log.write(f"slow {context.seed}\n")
    yield from squares(context)


NEVER_RETURNS = square("never_returns", never_returns)
RAISES = square("raises", raises)
CRASHES = square("crashes", crashes)
CRASHES_ONCE = square("crashes_once", crashes_once)
NO_EVIDENCE = square("no_evidence", no_evidence)
NOTHING_SEEN = square("nothing_seen", nothing_seen)
SLOW = tuple(square(f"slow_{i}", slow) for i in range(6))
