"""Profiles for Hypothesis (derandomised in CI, so that a failure repeats), and a guard of the working precision."""

import gc
import os
import signal
import sys
from collections.abc import Iterator

import pytest
from hypothesis import settings

from implicitbias.cli import COLLECT_EVERY
from implicitbias.running.executor import processors

settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("dev", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "dev")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # as a shell leaves it in what it starts in the background: what tests start and interrupt would ignore it too
    signal.signal(signal.SIGINT, signal.default_int_handler)

LONGEST = (
    "tests/contracts/test_every_theorem.py",
    "tests/contracts/",
    "tests/test_docs.py",
    "tests/running/",
    "tests/benchmarks/",
    "tests/test_wheel.py",
    "tests/test_tutorial_paper.py",
    "tests/estimators/",
    "tests/commands/",
    "tests/tui/",
    "tests/judging/",
    "tests/theory/",
    "tests/training/",
    "tests/convex/",
    "tests/theorems/",
)
"""Where tests take longest: they are begun first, so that no process is left alone with them at the end.

xdist keeps to this with `--no-loadscope-reorder` only, as in `make test`; by itself it begins with the files that have
most tests, and comes last to those with a few that take a minute each.
"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Order the files by where they lie in `LONGEST`, and else leave them as they are."""

    def place(item: pytest.Item) -> int:
        return next((i for i, folder in enumerate(LONGEST) if item.nodeid.startswith(folder)), len(LONGEST))

    items.sort(key=place)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more process than there are cores: tests of clusters, terminals and ledgers wait more than they compute."""
    return processors() + 1


def pytest_collection_finish() -> None:
    """What has been imported stays: to look for cycles among a million objects takes a twentieth of the time."""
    gc.freeze()
    gc.set_threshold(COLLECT_EVERY)


PRECISION = 53
"""flint's own default, in bits."""


@pytest.fixture(autouse=True)
def _the_working_precision_is_left_as_it_was() -> Iterator[None]:
    """What one computation leaves behind in flint's context, another would compute with."""
    yield
    if "flint" in sys.modules:
        import flint

        left, flint.ctx.prec = flint.ctx.prec, PRECISION
        assert left == PRECISION, f"flint's working precision was left at {left} bits"
