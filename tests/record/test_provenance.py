"""The key of a result changes with everything that could change the result, and says in words what did."""

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
from implicitbias.record import provenance
from implicitbias.record.freshness import LIMIT_FACTOR, freshness
from implicitbias.record.ledger import Ledger
from implicitbias.record.provenance import Origin, differences, digest, origin_of_check, origin_of_job
from implicitbias.record.sources import _scans

CLAIMS = Path(__file__).parent.parent / "example_claims"


@pytest.fixture
def catalogue(tmp_path: Path) -> Catalogue:
    return load(shutil.copytree(CLAIMS, tmp_path / "claims"))


def origin(catalogue: Catalogue, claim: str = "tested.sweep", **options: object) -> Origin:
    found = catalogue.claim(claim)
    given = {"budget": "quick", "seed": 0, "device": "cpu"} | options
    return origin_of_check(catalogue, found, found.checks[0], **given)  # type: ignore[arg-type]


def test_the_same_check_has_the_same_key_in_another_process(catalogue: Catalogue) -> None:
    program = f"""
        from implicitbias.claims.catalogue import load
        from implicitbias.record.provenance import digest, origin_of_check
        catalogue = load({str(catalogue.folder)!r})
        claim = catalogue.claim("tested.sweep")
        print(digest(origin_of_check(catalogue, claim, claim.checks[0], budget="quick", seed=0, device="cpu")))
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == digest(origin(catalogue))


@pytest.mark.parametrize("options", [{"budget": "full"}, {"seed": 1}, {"device": "cuda"}])
def test_every_parameter_is_part_of_the_key(catalogue: Catalogue, options: dict[str, object]) -> None:
    (name,) = options
    before = origin(catalogue)
    assert digest(origin(catalogue, **options)) != digest(before)
    assert differences(before, origin(catalogue, **options))[0].startswith(f"{name} ")


def test_a_proof_does_not_depend_on_the_device(catalogue: Catalogue) -> None:
    assert origin(catalogue, "tested.established", device="cuda") == origin(catalogue, "tested.established")


@pytest.mark.parametrize("name", ["sweeps.py", "_observations.py"])
def test_the_claims_file_and_whatever_it_imports_is_part_of_the_key(catalogue: Catalogue, name: str) -> None:
    assert catalogue.folder is not None
    before = origin(catalogue)
    with (catalogue.folder / name).open("a") as file:
        file.write("# a remark\n")
    after = origin(catalogue)
    assert digest(after) != digest(before)
    assert differences(before, after) == (f"{name} changed",)


def test_a_file_that_the_check_does_not_use_is_not(catalogue: Catalogue) -> None:
    assert catalogue.folder is not None
    before = origin(catalogue)
    with (catalogue.folder / "behaviour.py").open("a") as file:
        file.write("# a remark\n")
    assert origin(catalogue) == before


def test_what_judges_is_part_of_a_results_key_but_not_of_a_jobs(catalogue: Catalogue) -> None:
    claim = catalogue.claim("tested.sweep")
    job = origin_of_job(catalogue, claim, claim.checks[0], {"x": 1}, device="cpu")
    judges = {"implicitbias/judging/judgement.py", "implicitbias/judging/result.py"}
    assert judges <= set(origin(catalogue)["files"])
    assert not judges & set(job["files"])
    other = origin_of_job(catalogue, claim, claim.checks[0], {"x": 2}, device="cpu")
    assert digest(job) != digest(other)


def test_versions_are_part_of_the_key_and_told(catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch) -> None:
    before = origin(catalogue)
    newer = {**provenance.versions(), "numpy": "99.0"}
    monkeypatch.setattr(provenance, "versions", lambda: newer)
    after = origin(catalogue)
    assert digest(after) != digest(before)
    assert differences(before, after) == (f"numpy {before['versions']['numpy']} -> 99.0",)


def test_files_that_come_into_use_or_fall_out_of_it_are_told() -> None:
    assert differences({"files": {"a.py": "1"}}, {"files": {"b.py": "2"}}) == (
        "b.py is used now",
        "a.py is no longer used",
    )


def test_versions_and_keys_are_found_without_importing_what_they_name() -> None:
    program = """
        import sys
        from implicitbias.claims.catalogue import load
        from implicitbias.record.provenance import versions, origin_of_check
        catalogue = load()
        for claim in catalogue.claims:
            origin_of_check(catalogue, claim, claim.checks[0], budget="quick", seed=0, device="cpu")
        assert versions()["sympy"].count(".") >= 1, versions()
        assert not {"sympy", "numpy", "scipy", "torch", "flint"} & set(sys.modules)
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(program)], check=True)


def test_every_check_of_the_catalogue_has_a_key_of_its_own_that_does_not_change() -> None:
    catalogue = load()

    def keys() -> list[str]:
        return [
            digest(origin_of_check(catalogue, claim, check, budget="quick", seed=0, device="cpu"))
            for claim in catalogue.claims
            for check in claim.checks
        ]

    found = keys()
    assert len(set(found)) == len(found)
    _scans.clear()
    assert keys() == found


def stored(catalogue: Catalogue, ledger: Ledger, **changes: object) -> Result:
    """A result of the sweep in the ledger, as the runner would have written it."""
    made_from = origin(catalogue)
    result = Result(
        "tested.sweep",
        "six squares",
        Kind.EXPERIMENT,
        Verdict.SUPPORTED,
        "",
        Evidence(measured={"x": 1}),
        provenance={"key": digest(made_from), "origin": made_from},
    )
    result = replace(result, **changes)  # type: ignore[arg-type]
    ledger.append(result)
    return result


def reasons(catalogue: Catalogue, ledger: Ledger, **options: object) -> tuple[str, ...]:
    claim = catalogue.claim("tested.sweep")
    told = freshness(ledger, catalogue, claim, claim.checks[0], **options)  # type: ignore[arg-type]
    assert (told.fresh is None) == bool(told.reasons)
    return told.reasons


def test_why_a_result_is_not_fresh_is_said_in_words(catalogue: Catalogue, tmp_path: Path) -> None:
    assert catalogue.folder is not None
    with Ledger(tmp_path / "ledger") as ledger:
        assert reasons(catalogue, ledger) == ("never run",)
        stored(catalogue, ledger)
        assert reasons(catalogue, ledger) == ()
        assert reasons(catalogue, ledger, budget="full") == ("never run at budget full",)
        assert reasons(catalogue, ledger, seed=3, device="cuda") == (
            "never run with seed 3",
            "never run on device cuda",
        )
        with (catalogue.folder / "_observations.py").open("a") as file:
            file.write("# a remark\n")
        assert reasons(catalogue, ledger) == ("_observations.py changed",)


def test_what_could_not_be_observed_is_not_fresh(catalogue: Catalogue, tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger") as ledger:
        stored(catalogue, ledger, verdict=Verdict.BROKEN, reason="the worker died", evidence=Evidence())
        assert reasons(catalogue, ledger) == ("was BROKEN: the worker died",)
        made_from = origin(catalogue)
        late = {"key": digest(made_from), "origin": made_from, "out_of_time": 60.0}
        stored(catalogue, ledger, verdict=Verdict.UNDECIDED, evidence=Evidence(), provenance=late)
        assert reasons(catalogue, ledger, time_limit=60) == ()
        assert reasons(catalogue, ledger, time_limit=61) == (
            "ran out of time within 60 s, which was less than the limit now",
        )
        stored(catalogue, ledger)
        assert reasons(catalogue, ledger, time_limit=61) == ()


def test_larger_budgets_have_larger_limits() -> None:
    assert sorted(LIMIT_FACTOR.values()) == list(LIMIT_FACTOR.values())
