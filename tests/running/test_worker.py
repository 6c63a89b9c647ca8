"""What travels to a worker and back is names and JSON; errors come back as reasons."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from implicitbias.judging.result import Result
from implicitbias.judging.verdict import Verdict
from implicitbias.record.outputs import unpack
from implicitbias.running.worker import Done, Failure, Observed, Planned, essence, job, observe, plan, seed_of

CLAIMS = str(Path(__file__).parent.parent / "example_claims")


def test_a_checks_seed_never_changes() -> None:
    """Pinned: another value would silently make every recorded measurement another one."""
    assert seed_of(0, "savarese2019.theorem_3_1", "measures") == 2846855170


@given(some.integers(), some.text(), some.text(), some.integers(), some.text(), some.text())
def test_checks_have_seeds_of_their_own(s: int, claim: str, check: str, t: int, other: str, another: str) -> None:
    assert 0 <= seed_of(s, claim, check) < 2**32
    if (s, claim, check) != (t, other, another) and "\0" not in claim + check + other + another:
        assert seed_of(s, claim, check) != seed_of(t, other, another)


def test_a_sweep_is_planned_run_and_observed_in_json() -> None:
    planned = plan(CLAIMS, "", "tested.sweep", "six squares", "quick", 0, "cpu")
    assert isinstance(planned, Planned)
    points = planned.points
    assert json.loads(json.dumps(points)) == points
    done = [job(CLAIMS, "", "tested.sweep", "six squares", point, "cpu") for point in points]
    outputs = [d.output for d in done if isinstance(d, Done)]
    assert [unpack(output)["square"] for output in outputs] == [0, 1, 4, 9, 16, 25]
    observed = observe(CLAIMS, "", "tested.sweep", "six squares", "quick", 0, "cpu", outputs)
    assert isinstance(observed, Observed)
    assert Result.from_json(json.loads(json.dumps(observed.result))).verdict is Verdict.SUPPORTED


def test_errors_are_reasons_with_the_place_in_the_claims_own_file() -> None:
    failure = observe(CLAIMS, "", "tested.raises", "only", "quick", 0, "cpu")
    assert isinstance(failure, Failure)
    assert failure.verdict is Verdict.BROKEN
    assert failure.reason.startswith("ValueError: knots must increase: got [0, 0]; behaviour.py, line ")
    assert "in raises: raise ValueError(" in failure.reason


def test_a_check_whose_library_an_extra_brings_is_skipped_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    named = (None, "implicitbias.theory.jin2021.anti_symmetric", "jin2021.appendix_c_2", "torch autograd")
    failure = observe(*named, "quick", 0, "cpu")
    assert failure == Failure(Verdict.SKIPPED, "this needs torch: pip install 'implicitbias[torch]'")
    failure = observe(*named, "quick", 0, "cuda")
    assert failure == Failure(Verdict.SKIPPED, "the device cuda needs torch: pip install 'implicitbias[torch]'")


def test_a_check_without_a_sweep_has_nothing_to_plan() -> None:
    failure = plan(CLAIMS, "", "tested.raises", "only", "quick", 0, "cpu")
    assert isinstance(failure, Failure)
    assert "has no sweep" in failure.reason


def test_the_essence_of_an_error_without_a_traceback_is_the_error() -> None:
    assert essence(ValueError("x")) == "ValueError: x"
