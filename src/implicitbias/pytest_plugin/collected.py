"""The claims of one run of pytest, and the results of their checks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from implicitbias.claims.catalogue import Catalogue, load
from implicitbias.errors import CatalogueError
from implicitbias.pytest_plugin.items import OneClaim

if TYPE_CHECKING:
    from implicitbias.claims.check import Check
    from implicitbias.claims.statement import Claim
    from implicitbias.judging.result import Result
    from implicitbias.running.executor import WorkerPool


class Collected:
    """Collects the folder's claims, and runs a check when the first test asks for its result."""

    def __init__(self, config: pytest.Config, folder: Path) -> None:
        self.folder = folder
        self.budget: str = config.getoption("--claims-budget")
        self.seed: int = config.getoption("--claims-seed")
        self.ledger: str | None = config.getoption("--claims-ledger")
        self._pool: WorkerPool | None = None
        self._results: dict[tuple[str, str], Result] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_collect_directory(self, path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        if path != self.folder:
            return None
        return ClaimsFolder.of(parent, path, self)

    def pytest_sessionfinish(self) -> None:
        if self._pool is not None:
            self._pool.stop()

    def result(self, claim: Claim, check: Check) -> Result:
        """The result of a check: of this run, of the ledger where it is fresh, or else made now."""
        from implicitbias.record.ledger import Ledger
        from implicitbias.running.executor import WorkerPool
        from implicitbias.running.runner import run

        key = claim.id, check.name
        if key not in self._results:
            self._pool = self._pool or WorkerPool(1)  # several at a time is what pytest-xdist is for
            with Ledger(self.ledger) as ledger:
                alone = replace(claim, checks=(check,))
                (self._results[key],) = run(
                    [alone], folder=self.folder, budget=self.budget, seed=self.seed, ledger=ledger, executor=self._pool
                )
        return self._results[key]

    def catalogue(self) -> Catalogue:
        try:
            found = load(self.folder)
        except CatalogueError as error:
            raise pytest.UsageError(str(error)) from None
        if not found.claims:
            raise pytest.UsageError(
                f"the folder {self.folder} holds no claims: give one of Python files that define some"
            )
        return found


class ClaimsFolder(pytest.Directory):
    """The folder, or one in it, in the place of the tests that pytest would look for there."""

    collected: Collected

    @classmethod
    def of(cls, parent: pytest.Collector, path: Path, collected: Collected) -> ClaimsFolder:
        folder: ClaimsFolder = cls.from_parent(parent, path=path)
        folder.collected = collected
        return folder

    def collect(self) -> Iterator[pytest.Collector]:
        catalogue = self.collected.catalogue()
        files = [file for claim in catalogue.claims if self.path in (file := catalogue.file_of(claim.id)).parents]
        for child in dict.fromkeys(self.path / file.relative_to(self.path).parts[0] for file in files):
            if child in files:
                yield ClaimFile.of(self, child, self.collected)
            else:
                yield ClaimsFolder.of(self, child, self.collected)


class ClaimFile(pytest.File):
    """A file of claims."""

    collected: Collected

    @classmethod
    def of(cls, parent: pytest.Collector, path: Path, collected: Collected) -> ClaimFile:
        file: ClaimFile = cls.from_parent(parent, path=path)
        file.collected = collected
        return file

    def collect(self) -> Iterator[pytest.Collector]:
        catalogue = self.collected.catalogue()
        for claim in catalogue.claims:
            if catalogue.file_of(claim.id) == self.path:
                yield OneClaim.of(self, claim, self.collected)
