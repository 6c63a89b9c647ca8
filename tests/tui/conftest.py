"""The real application on a small folder of claims, whose results the real runner has made."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from implicitbias.claims.catalogue import load
from implicitbias.judging.result import Result
from implicitbias.record.ledger import Ledger
from implicitbias.running.runner import run
from implicitbias.tui.settings import Settings
from tests.support.playing import FOLDER, MADE

UNCHECKED = ("shown.theorem_6", "shown.theorem_7")


@pytest.fixture(scope="session")
def results() -> tuple[Result, ...]:
    """What the runner finds out about all claims but the slow ones."""
    claims = [claim for claim in load(FOLDER).claims if claim.id not in UNCHECKED]
    found = {(r.claim, r.check): r for r in run(claims, folder=FOLDER, workers=1)}
    return tuple(found[c.id, k.name] for c in claims for k in c.checks)


@pytest.fixture
def ledger(results: tuple[Result, ...], tmp_path: Path) -> Path:
    """A ledger with these results, made at a known time in known durations."""
    path = tmp_path / "ledger.sqlite"
    with Ledger(path) as opened:
        for number, result in enumerate(results):
            opened.append(replace(result, seconds=0.25 * (number + 1)), recorded=MADE - timedelta(hours=number))
    return path


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty working folder, in which exported files appear."""
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def settings(ledger: Path, tmp_path: Path) -> Settings:
    return Settings(
        claims=FOLDER,
        ledger=ledger,
        workers=1,
        clock=lambda: MADE + timedelta(hours=1),
        memory=tmp_path / "tour.json",
    )
