"""Computations have keys of their own, and it is said in words why a recorded result is not fresh."""

from __future__ import annotations

import shutil
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

import pytest

from implicitbias.claims.catalogue import Catalogue, load
from implicitbias.claims.check import Kind
from implicitbias.claims.evidence import Evidence
from implicitbias.judging.result import Result
from implicitbias.judging.verdict import Verdict
from implicitbias.record import digests
from implicitbias.record.freshness import LIMIT_FACTOR, freshness
from implicitbias.record.ledger import Ledger
from implicitbias.record.provenance import Computation, computation_of_check, computation_of_job, key_of
from implicitbias.record.used import UNSTEADY, Used, from_log, together
from implicitbias.record.versions import PYTHON, version_of

CLAIMS = Path(__file__).parent.parent / "example_claims"


@pytest.fixture
def catalogue(tmp_path: Path) -> Catalogue:
    return load(shutil.copytree(CLAIMS, tmp_path / "claims"))


def computation(catalogue: Catalogue, claim: str = "tested.sweep", **options: object) -> Computation:
    found = catalogue.claim(claim)
    given = {"budget": "quick", "seed": 0, "device": "cpu"} | options
    return computation_of_check(found, found.checks[0], **given)  # type: ignore[arg-type]


@pytest.mark.parametrize("options", [{"budget": "full"}, {"seed": 1}, {"device": "cuda"}])
def test_every_parameter_is_part_of_the_key(catalogue: Catalogue, options: dict[str, object]) -> None:
    assert key_of(computation(catalogue, **options)) != key_of(computation(catalogue))


def test_a_proof_does_not_depend_on_the_device(catalogue: Catalogue) -> None:
    assert computation(catalogue, "tested.established", device="cuda") == computation(catalogue, "tested.established")


def test_jobs_have_keys_by_their_parameters(catalogue: Catalogue) -> None:
    claim = catalogue.claim("tested.sweep")
    one, two = (computation_of_job(claim, claim.checks[0], {"x": x}, device="cpu") for x in (1, 2))
    assert key_of(one) != key_of(two)


def test_every_check_of_the_catalogue_has_a_key_of_its_own() -> None:
    checks = [(claim, check) for claim in load().claims for check in claim.checks]
    keys = {key_of(computation_of_check(*each, budget="quick", seed=0, device="cpu")) for each in checks}
    assert len(keys) == len(checks)


def test_versions_are_found_without_importing_what_they_name() -> None:
    program = """
        import sys
        from implicitbias.record.versions import versions_of
        found = versions_of(["flint", "numpy", "sympy"])
        assert list(found) == ["python", "numpy", "python-flint", "sympy"], found
        assert not {"sympy", "numpy", "flint"} & set(sys.modules)
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(program)], check=True)


def test_records_of_several_steps_are_put_together_and_what_they_saw_differently_is_unsteady() -> None:
    one = Used(files={"a": "1", "b": "1"}, versions={"numpy": "2"}, unseen=("why",))
    two = Used(files={"b": "2", "c": "1"}, environment={"X": "absent"})
    assert together([one, two]) == Used(
        files={"a": "1", "b": UNSTEADY, "c": "1"}, versions={"numpy": "2"}, environment={"X": "absent"}, unseen=("why",)
    )


def test_a_log_is_a_record_and_what_was_used_after_it() -> None:
    log = '{"files": {"a": "1"}, "unseen": []}\n["files", "b", "2"]\n["unseen", "a process", ""]\n'
    assert from_log(log) == Used(files={"a": "1", "b": "2"}, unseen=("a process",))


def used(catalogue: Catalogue) -> Used:
    """A record of what is there."""
    names = ("_observations.py", "sweeps.py")
    return Used(
        files={f"./{name}": digests.of_file(f"{catalogue.folder}/{name}") for name in names} | {"./later": "absent"},
        folders={str(catalogue.folder): digests.of_folder(str(catalogue.folder))},
        modules={"h_later": "absent", "numpy": "installed", "implicitbias": "implicitbias/__init__.py"},
        versions={PYTHON: version_of(PYTHON), "numpy": version_of("numpy")},
        environment={"TESTED_VARIABLE": "absent"},
    )


def stored(catalogue: Catalogue, ledger: Ledger, made_from: Used, **changes: object) -> None:
    """A result of the sweep in the ledger, as the runner would have written it."""
    made = computation(catalogue)
    provenance = {"key": key_of(made), "computation": made, "used": made_from.to_json()}
    provenance |= changes.pop("more", {})  # type: ignore[arg-type]
    evidence = Evidence(measured={"x": 1})
    result = Result(
        "tested.sweep", "six squares", Kind.EXPERIMENT, Verdict.SUPPORTED, "", evidence, provenance=provenance
    )
    ledger.append(replace(result, **changes))  # type: ignore[arg-type]


def reasons(catalogue: Catalogue, ledger: Ledger, **options: object) -> tuple[str, ...]:
    claim = catalogue.claim("tested.sweep")
    told = freshness(ledger, catalogue, claim, claim.checks[0], **options)  # type: ignore[arg-type]
    assert (told.fresh is None) == bool(told.reasons)
    return told.reasons


def test_why_a_result_is_not_fresh_is_said_in_words(
    catalogue: Catalogue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = catalogue.folder
    assert folder is not None
    with Ledger(tmp_path / "ledger") as ledger:
        assert reasons(catalogue, ledger) == ("never run",)
        stored(catalogue, ledger, used(catalogue))
        assert reasons(catalogue, ledger) == ()
        assert reasons(catalogue, ledger, budget="full") == ("never run at budget full",)
        assert reasons(catalogue, ledger, seed=3, device="cuda") == (
            "never run with seed 3",
            "never run on device cuda",
        )
        with (folder / "_observations.py").open("a") as file:
            file.write("# a remark\n")
        assert reasons(catalogue, ledger) == ("_observations.py changed",)
        (folder / "later").touch()
        (tmp_path / "h_later.py").touch()
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.setenv("TESTED_VARIABLE", "")
        assert reasons(catalogue, ledger) == (
            "_observations.py changed",
            "later is there now",
            f"the list of files in {folder} changed",
            "the module h_later is there now",
            "the environment variable TESTED_VARIABLE is there now",
        )


def test_versions_that_differ_and_what_cannot_be_known_are_told(catalogue: Catalogue, tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger") as ledger:
        stored(catalogue, ledger, Used(versions={"numpy": "0.1", "no-such-package": "1"}, unseen=("starts a process",)))
        now = version_of("numpy")
        assert reasons(catalogue, ledger) == (
            f"numpy 0.1 -> {now}",
            "no-such-package 1 -> not installed",
            "starts a process",
        )


def test_what_was_recorded_without_saying_what_it_used_is_stale(catalogue: Catalogue, tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger") as ledger:
        stored(catalogue, ledger, Used(), provenance={"key": "of old", "origin": {"files": {}}})
        assert reasons(catalogue, ledger) == ("recorded by an earlier version, which did not say what it used",)


def test_a_result_is_fresh_again_when_what_it_was_made_from_is_as_it_was(catalogue: Catalogue, tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger") as ledger:
        stored(catalogue, ledger, used(catalogue))
        stored(catalogue, ledger, Used(files={"./sweeps.py": "another"}))
        assert reasons(catalogue, ledger) == ()


def test_what_could_not_be_observed_is_not_fresh(catalogue: Catalogue, tmp_path: Path) -> None:
    made = used(catalogue)
    with Ledger(tmp_path / "ledger") as ledger:
        stored(catalogue, ledger, made, verdict=Verdict.BROKEN, reason="the worker died", evidence=Evidence())
        assert reasons(catalogue, ledger) == ("was BROKEN: the worker died",)
        late = {"out_of_time": 60.0}
        stored(catalogue, ledger, made, verdict=Verdict.UNDECIDED, evidence=Evidence(), more=late)
        assert reasons(catalogue, ledger, time_limit=60) == ()
        assert reasons(catalogue, ledger, time_limit=61) == (
            "ran out of time within 60 s, which was less than the limit now",
        )
        stored(catalogue, ledger, made)
        assert reasons(catalogue, ledger, time_limit=61) == ()


def test_larger_budgets_have_larger_limits() -> None:
    assert sorted(LIMIT_FACTOR.values()) == list(LIMIT_FACTOR.values())
