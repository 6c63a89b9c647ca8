"""A command line in this process, on a ledger of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from implicitbias.cli import main

STANDINGS = Path(__file__).parents[1] / "example_claims"


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


@pytest.fixture
def ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "ledger.sqlite"
    monkeypatch.setenv("IMPLICITBIAS_LEDGER", str(path))
    monkeypatch.setenv("COLUMNS", "100")
    return path


@pytest.fixture
def run(ledger: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Run a command; nothing of it may end in a traceback."""

    def call(*arguments: object) -> Ran:
        code = main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return Ran(code, out, err)

    return call


@pytest.fixture
def verify(run: Callable[..., Ran]) -> Callable[..., Ran]:
    """Verify claims of tests/claims, in one worker."""
    return lambda *arguments: run("verify", "--workers", 1, *arguments, "--claims", STANDINGS)


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """A folder with one claim that states a rule."""
    folder = tmp_path / "rules"
    folder.mkdir()
    (folder / "support.py").write_text(
        """
from implicitbias.claims.check import Check, Kind
from implicitbias.claims.statement import Claim, Control, Rule, Source
from implicitbias.claims.evidence import Evidence, Instance


def observe(context):
    return Evidence(instances=tuple(Instance(f"n={n}", {"n": n}, n % 2 == 0) for n in range(4)))


CLAIMS = (
    Claim("ruled.parity", Source("ruled", "Rule 1"), "Parity", "Even numbers are even.",
          Rule("even", "exactly the even numbers", lambda given: given["n"] % 2 == 0),
          (Control(Rule("all", "all numbers", lambda given: True), "tempting"),),
          (Check("small numbers", Kind.CERTIFICATE, observe),)),
)
"""
    )
    return folder
