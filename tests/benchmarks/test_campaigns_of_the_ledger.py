"""No way to be stale goes unseen, and a campaign of kills finds nothing lost or doubled."""

from __future__ import annotations

import pytest

from benchmarks.campaigns import kills, stale
from benchmarks.staleness.ways import WAYS


@pytest.mark.timeout(600)
def test_no_result_is_called_fresh_after_what_it_was_made_from_has_changed() -> None:
    assert stale.run(len(WAYS), seed=0) == {
        "ways": len(WAYS),
        "not computed": [],
        "called fresh": [],
        "stale by another's change": [],
        "stale though restored": [],
    }


def test_a_run_that_is_killed_loses_and_doubles_nothing() -> None:
    found = kills.run(2, seed=0)
    assert {found[name] for name in ("damaged", "lost", "doubled", "left undone")} == {0}
