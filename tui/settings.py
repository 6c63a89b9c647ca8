"""The settings that the interface was started with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from implicitbias.claims.check import Budget
from implicitbias.record.ledger import default_path


def now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True)
class Settings:
    """The command line's options.

    claims   the folder of claims; None for the shipped theory
    ledger   the file with the results; None for the default one
    front    begin with the front page
    tour     begin with the tour
    theme    a theme's name; None for the first of ours
    clock    what time it is; tests freeze it
    memory   where the tour's position is remembered; None for the user's state folder
    """

    claims: Path | None = None
    ledger: Path | None = None
    front: bool = False
    tour: bool = False
    budget: Budget = Budget.QUICK
    seed: int = 0
    workers: int | None = None
    device: str = "cpu"
    theme: str | None = None
    clock: Callable[[], datetime] = now
    memory: Path | None = None

    @property
    def ledger_path(self) -> Path:
        return self.ledger or default_path()

    def arguments(self, *, run: bool = False) -> str:
        """The options that make a command line see the same claims and results; with `run`, compute the same."""
        from shlex import quote

        parts = []
        if run and self.budget is not Budget.QUICK:
            parts.append(f"--budget {self.budget}")
        if run and self.seed:
            parts.append(f"--seed {self.seed}")
        if run and self.device != "cpu":
            parts.append(f"--device {self.device}")
        if self.claims:
            parts.append(f"--claims {quote(str(self.claims))}")
        if self.ledger:
            parts.append(f"--ledger {quote(str(self.ledger))}")
        return "".join(f" {part}" for part in parts)
