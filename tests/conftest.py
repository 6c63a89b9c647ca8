"""Profiles for Hypothesis (derandomised in CI, so that a failure repeats), and a guard of the working precision."""

import os
import sys
from collections.abc import Iterator

import pytest
from hypothesis import settings

settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("dev", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "dev")

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
