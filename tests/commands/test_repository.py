"""`new-claim --repository`, `action.yml` and the hook: what they say is run is run here, but for the installation."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

ROOT = Path(__file__).parents[2]
RUNNER = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": "-p implicitbias.pytest_plugin -p no:cacheprovider"}


def in_bash(command: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    variables = {**os.environ, **RUNNER, **environment, "PATH": path}
    arguments = ["bash", "-e", "-c", command]
    return subprocess.run(arguments, cwd=folder, env=variables, capture_output=True, text=True, timeout=240)


@pytest.fixture
def repository(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    assert run("new-claim", "smith2024.theorem_1", "--repository").code == 0
    return tmp_path


def steps(file: Path, *path: str) -> list[dict[str, Any]]:
    found = yaml.safe_load(file.read_text())
    for key in path:
        found = found[key]
    return [step for step in found["steps"] if "run" in step]


def test_the_workflow_tests_the_claims_and_makes_the_page(repository: Path) -> None:
    install, test, page = steps(repository / ".github/workflows/claims.yml", "jobs", "claims")
    assert install["run"] == "pip install -r requirements.txt"
    for step in (test, page):
        ran = in_bash(step["run"], repository, IMPLICITBIAS_LEDGER="ledger.sqlite")
        assert ran.returncode == 0, ran.stdout + ran.stderr
    cases = list(ElementTree.parse(repository / "claims.xml").iter("testcase"))
    assert len(cases) == 3
    assert "smith2024.theorem_1" in (repository / "claims.html").read_text()


def test_a_false_formula_fails_the_workflow(repository: Path) -> None:
    file = repository / "claims/smith2024/theorem_1.py"
    file.write_text(file.read_text().replace('formula="(a-b)**2/4"', 'formula="(a-b)**2/3"'))
    _, test, page = steps(repository / ".github/workflows/claims.yml", "jobs", "claims")
    assert in_bash(test["run"], repository, IMPLICITBIAS_LEDGER="ledger.sqlite").returncode == 1
    in_bash(page["run"], repository, IMPLICITBIAS_LEDGER="ledger.sqlite")
    assert "REFUTED" in (repository / "claims.html").read_text()


def test_the_requirements_can_be_read_and_name_this_version(repository: Path) -> None:
    from importlib.metadata import version

    from packaging.requirements import Requirement

    lines = (repository / "requirements.txt").read_text().splitlines()
    package, _ = (Requirement(line) for line in lines if not line.startswith("#"))
    assert (package.name, package.specifier.contains(version("implicitbias"))) == ("implicitbias", True)


def test_what_is_there_is_kept(run, repository: Path) -> None:
    (repository / "README.md").write_text("mine\n")
    ran = run("new-claim", "smith2024.lemma_2", "--repository")
    assert (ran.code, (repository / "README.md").read_text()) == (0, "mine\n")
    assert "kept  README.md" in ran.out


def test_a_folder_named_by_a_point(run, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = repository / "other" / "statements"
    inside.mkdir(parents=True)
    monkeypatch.chdir(inside)
    assert run("new-claim", "smith2024.theorem_1", "--in", ".", "--repository").code == 0
    assert (inside.parent / "pytest.ini").read_text() == "[pytest]\nclaims = statements\n"


def test_a_place_that_cannot_be_written_is_told_of(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".github").write_text("a file, not a folder\n")
    ran = run("new-claim", "smith2024.theorem_1", "--repository")
    assert (ran.code, "cannot write .github" in ran.err) == (2, True)


def test_the_action_checks_the_claims(repository: Path) -> None:
    install, check = steps(ROOT / "action.yml", "runs")
    assert install["run"] == 'pip install "$ACTION${EXTRAS:+[$EXTRAS]}"'
    inputs = {
        name: given["default"] for name, given in yaml.safe_load((ROOT / "action.yml").read_text())["inputs"].items()
    }
    given = {name.upper(): inputs[name] for name in ("claims", "budget", "seed")}
    ran = in_bash(check["run"], repository, IMPLICITBIAS_LEDGER="claims.sqlite", **given)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert all((repository / f"claims.{suffix}").stat().st_size > 100 for suffix in ("xml", "html", "svg"))


def test_the_hook_checks_the_claims(repository: Path) -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    command = " ".join([hook["entry"], *hook["args"]])
    assert in_bash(command, repository).returncode == 0
    file = repository / "claims/smith2024/theorem_1.py"
    file.write_text(file.read_text().replace('formula="(a-b)**2/4"', 'formula="(a-b)**2/3"'))
    assert in_bash(command, repository).returncode == 1
