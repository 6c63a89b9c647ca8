"""The tutorial for authors shows what stands in its claim files, and these do what it says."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from implicitbias.claims.catalogue import load
from implicitbias.cli import main
from implicitbias.judging.result import stand
from implicitbias.judging.verdict import Standing
from implicitbias.record.ledger import Ledger
from implicitbias.running.runner import run
from tests.support.pages import commands, follow

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "tutorial_paper.md"
CLAIMS = ROOT / "docs" / "examples" / "claims"


@pytest.mark.parametrize(
    "block", re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S), ids=lambda text: text.split("\n")[0]
)
def test_what_is_shown_stands_in_the_file(block: str) -> None:
    assert block in (CLAIMS / "ergen2021" / "lemma_6.py").read_text()


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One for all: the claims are observed once."""
    return tmp_path_factory.mktemp("ledger") / "ledger.sqlite"


def test_the_commands_of_the_page_work_and_no_rival_is_left(
    ledger: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("IMPLICITBIAS_LEDGER", str(ledger))
    assert ["implicitbias", "rivals", "ergen2021.lemma_6_two_data", "--claims", "claims"] in commands(PAGE)
    follow(PAGE, capsys, claims=CLAIMS, codes={})


def test_the_claims_stand_and_the_printed_form_falls(ledger: Path) -> None:
    claims = load(CLAIMS).claims
    with Ledger(ledger) as opened:
        found = stand(claims, run(claims, folder=CLAIMS, ledger=opened, workers=1))
    assert {name: one.standing for name, one in found.items()} == {
        "ergen2021.lemma_6": Standing.ESTABLISHED,
        "ergen2021.lemma_6_two_data": Standing.ESTABLISHED,
        "ergen2021.lemma_6_directions": Standing.CORRECTED,
    }
    assert not any(one.survivors for one in found.values())


def test_they_run_under_plain_pytest_in_the_repository_that_is_written(
    ledger: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new-claim", "ergen2021.lemma_6", "--repository"]) == 0
    shutil.copytree(CLAIMS, "claims", dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"]
    environment = {**os.environ, "IMPLICITBIAS_LEDGER": str(ledger)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert re.search(r"\b13 passed", done.stdout)
