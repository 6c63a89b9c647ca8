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
from implicitbias.running.runner import run

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "tutorial_paper.md").read_text()
CLAIMS = ROOT / "docs" / "examples" / "claims"


@pytest.mark.parametrize("block", re.findall(r"```python\n(.*?)```", PAGE, re.S), ids=lambda text: text.split("\n")[0])
def test_what_is_shown_stands_in_the_file(block: str) -> None:
    assert block in (CLAIMS / "ergen2021" / "lemma_6.py").read_text()


def test_the_claims_stand_and_the_printed_form_falls() -> None:
    claims = load(CLAIMS).claims
    found = stand(claims, run(claims, folder=CLAIMS, ledger=None, workers=1))
    assert {name: one.standing for name, one in found.items()} == {
        "ergen2021.lemma_6": Standing.ESTABLISHED,
        "ergen2021.lemma_6_two_data": Standing.ESTABLISHED,
        "ergen2021.lemma_6_directions": Standing.CORRECTED,
    }
    assert not any(one.survivors for one in found.values())


def test_no_rival_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IMPLICITBIAS_LEDGER", str(tmp_path / "ledger.sqlite"))
    assert main(["rivals", "ergen2021.lemma_6_two_data", "--claims", str(CLAIMS)]) == 0


def test_they_run_under_plain_pytest_in_the_repository_that_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new-claim", "ergen2021.lemma_6", "--repository"]) == 0
    shutil.copytree(CLAIMS, "claims", dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"]
    environment = {**os.environ, "IMPLICITBIAS_LEDGER": str(tmp_path / "ledger.sqlite")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert re.search(r"\b13 passed", done.stdout)
