"""No way to be stale goes unseen, and a campaign of kills finds nothing lost or doubled."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.campaigns import kills, seeds, soak, stale
from benchmarks.staleness.ways import WAYS


@pytest.mark.timeout(600)
def test_no_result_is_called_fresh_after_what_it_was_made_from_has_changed() -> None:
    assert stale.run(len(WAYS), seed=0, others=2) == {
        "ways": len(WAYS),
        "not computed": [],
        "called fresh": [],
        "stale by another's change": [],
        "stale though restored": [],
    }


def test_a_run_that_is_killed_loses_and_doubles_nothing() -> None:
    found = kills.run(2, seed=0)
    assert {found[name] for name in ("damaged", "lost", "doubled", "left undone")} == {0}


def test_the_interface_under_random_keys_ends_with_no_error() -> None:
    found = soak.run(60, seed=1)
    assert (found["keys"], found["errors"], found["late"]) == (60, 0, 0)


def test_an_outcome_that_was_not_expected_is_named_with_its_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    def results(folder: Path, seed: int) -> list[dict[str, str]]:
        verdict = "SUPPORTED" if seed % 2 else "UNDECIDED"
        return [
            {"claim": "a.b", "check": "c", "verdict": verdict},
            {"claim": "a.d", "check": "e", "verdict": "SUPPORTED"},
        ]

    monkeypatch.setattr(seeds, "_results", results)
    assert seeds.run(4, seed=1) == {
        "seeds": 4,
        "checks": 8,
        "SUPPORTED": 6,
        "UNDECIDED": 2,
        "not as expected": {"a.b · c: UNDECIDED": "2, 4"},
    }
