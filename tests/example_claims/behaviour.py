"""Claims whose observations behave badly. What they do is switched by the environment where a test needs it."""

import collections
import itertools
import os
import time
from pathlib import Path

from implicitbias.claims.check import Check, Context, Kind
from implicitbias.claims.evidence import Evidence
from implicitbias.claims.statement import Claim

from . import _observations as seen
from .standings import claim


def never_returns(context: Context) -> Evidence:
    """One call into C that lets nothing else run."""
    collections.deque(itertools.repeat(0), maxlen=0)
    return Evidence()


def raises(context: Context) -> Evidence:
    knots = [0, 0]
    raise ValueError(f"knots must increase: got {knots}")


def crashes(context: Context) -> Evidence:
    os.abort()


def crashes_once(context: Context) -> Evidence:
    marker = Path(os.environ["TESTED_MARKER"])
    if not marker.exists():
        marker.touch()
        os.kill(os.getpid(), 9)
    return seen.squares(context)


def returns_no_evidence(context: Context) -> Evidence:
    return 4  # type: ignore[return-value]


def slow(context: Context) -> Evidence:
    """Writes down that it has run, so that a test can count."""
    time.sleep(float(os.environ.get("TESTED_SECONDS", "0")))
    if "TESTED_LOG" in os.environ:
        with open(os.environ["TESTED_LOG"], "a") as log:
            log.write(f"slow {context.seed}\n")
    return seen.squares(context)


def one(place: str, observe: object, time_limit: float = 60.0) -> Claim:
    return claim(place, "x**2", Check("only", Kind.CERTIFICATE, observe, time_limit=time_limit))  # type: ignore[arg-type]


CLAIMS = (
    one("never_returns", never_returns, time_limit=0.5),
    one("raises", raises),
    one("crashes", crashes),
    one("crashes_once", crashes_once),
    one("no_evidence", returns_no_evidence),
    *(one(f"slow_{i}", slow) for i in range(6)),
)
