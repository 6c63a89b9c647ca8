"""`pytest --claims`: a user's claims as tests of the user's own suite, in processes of their own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from shutil import copytree
from xml.etree import ElementTree

import pytest

from implicitbias.commands.claims.new_claim import new_claim

EXAMPLES = Path(__file__).parent.parent / "example_claims"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A user's folder with one claim, and a test of the user's own."""
    new_claim("smith2024.theorem_1", tmp_path / "claims")
    (tmp_path / "test_own.py").write_text("def test_own():\n    pass\n")
    return tmp_path


def run_pytest(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", "implicitbias.pytest_plugin", "-p", "no:cacheprovider", *arguments]
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "IMPLICITBIAS_LEDGER": str(folder / "ledger")}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=240)


def counts(run: subprocess.CompletedProcess[str]) -> dict[str, int]:
    last = run.stdout.strip().splitlines()[-1]
    return {word: int(number) for number, word in re.findall(r"(\d+) (passed|failed|skipped|deselected|error)", last)}


def break_the_formula(folder: Path) -> None:
    file = folder / "claims/smith2024/theorem_1.py"
    file.write_text(file.read_text().replace('formula="(a-b)**2/4"', 'formula="(a-b)**2/3"'))


def test_checks_and_controls_join_the_users_own_tests(folder: Path) -> None:
    run = run_pytest(folder, "--claims", "claims", "-v")
    assert run.returncode == 0, run.stdout
    assert counts(run) == {"passed": 4}
    assert "claims/smith2024/theorem_1.py::smith2024.theorem_1::control Abs(a-b)/4 PASSED" in run.stdout
    assert counts(run_pytest(folder)) == {"passed": 1}


def test_a_failure_prints_the_counterexample_and_no_traceback(folder: Path) -> None:
    break_the_formula(folder)
    run = run_pytest(folder, "--claims", "claims")
    assert run.returncode == 1
    assert counts(run) == {"failed": 1, "passed": 3}
    assert "REFUTED: at a = 0, b = 2: observed 1, the candidate says 4/3 (off by 1/3)" in run.stdout
    assert "Traceback" not in run.stdout


def test_kinds_and_names_choose(folder: Path) -> None:
    assert counts(run_pytest(folder, "--claims", "claims", "-m", "control")) == {"passed": 2, "deselected": 2}
    assert counts(run_pytest(folder, "--claims", "claims", "-k", "theorem_1 and pairs")) == {
        "passed": 1,
        "deselected": 3,
    }
    one = "claims/smith2024/theorem_1.py::smith2024.theorem_1::random pairs"
    assert counts(run_pytest(folder, "--claims", "claims", one)) == {"passed": 1}


def test_the_folder_can_stand_in_the_configuration(folder: Path) -> None:
    (folder / "pytest.ini").write_text("[pytest]\nclaims = claims\n")
    assert counts(run_pytest(folder)) == {"passed": 4}
    assert counts(run_pytest(folder, "test_own.py")) == {"passed": 1}


def test_results_are_reused_and_shared_by_workers(folder: Path) -> None:
    assert counts(run_pytest(folder, "--claims", "claims", "-p", "xdist", "-n", "2")) == {"passed": 4}
    from implicitbias.record.ledger import Ledger

    with Ledger(folder / "ledger", read_only=True) as ledger:
        assert len(ledger.history("smith2024.theorem_1", "random pairs")) == 1


def test_every_standing_of_the_examples(tmp_path: Path) -> None:
    """Established and corrected claims pass, the refuted and the broken one fail, what is undecided is skipped."""
    copytree(EXAMPLES, tmp_path / "claims")
    report = tmp_path / "report.xml"
    run_pytest(tmp_path, "--claims", "claims", "-k", "standings", "--junitxml", str(report))
    found: dict[str | None, list[str]] = {}
    for case in ElementTree.parse(report).iter("testcase"):
        outcome = next((child.tag for child in case if child.tag in ("failure", "skipped", "error")), "passed")
        found.setdefault(case.get("name"), []).append(outcome)
    assert found["printed x**2 + 1"] == ["passed"]
    assert found["premise"] == ["skipped"]
    assert found["rejects nothing"] == ["failure"]
    assert found["at integers"] == ["passed", "passed", "failure"]


@pytest.mark.parametrize("name", ["absent", "test_own.py"])
def test_a_folder_that_is_none_is_told_of(folder: Path, name: str) -> None:
    run = run_pytest(folder, "--claims", name)
    assert run.returncode == 4
    assert f"there is no folder {folder / name}" in run.stderr


def test_a_folder_without_claims_does_not_pass(folder: Path) -> None:
    """Beside tests that pass it would go unnoticed that nothing was checked."""
    (folder / "none").mkdir()
    run = run_pytest(folder, "--claims", "none", "none", "test_own.py")
    assert run.returncode == 2
    assert f"the folder {folder / 'none'} holds no claims" in run.stdout


def test_a_ledger_that_cannot_be_opened_is_told_of_without_a_traceback(folder: Path) -> None:
    run = run_pytest(folder, "--claims", "claims", "--claims-ledger", str(folder), "-m", "certificate")
    assert run.returncode == 1
    assert f"the ledger {folder} is a folder" in run.stdout
    assert "Traceback" not in run.stdout
    assert "ledger.py" not in run.stdout


def test_a_folder_of_any_name_is_collected(folder: Path) -> None:
    (folder / "claims").rename(folder / "größe x")
    assert counts(run_pytest(folder, "--claims", "größe x")) == {"passed": 4}


def test_a_broken_claim_file_is_told_of(folder: Path) -> None:
    (folder / "claims/smith2024/theorem_2.py").write_text("1/0\n")
    run = run_pytest(folder, "--claims", "claims")
    assert run.returncode != 0
    assert "smith2024/theorem_2.py: cannot be imported: line 1: ZeroDivisionError" in run.stdout + run.stderr
