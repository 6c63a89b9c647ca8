"""One run of all claims, shared by the contracts."""

import os
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from implicitbias.claims.catalogue import load
from implicitbias.judging.result import Result
from implicitbias.record.ledger import Ledger
from implicitbias.running.runner import run
from tests.support.recorded import copied_to


def pytest_itemcollected(item: pytest.Item) -> None:
    """The first test that needs results runs all claims: its limit is for the rest, checks have limits of their own."""
    if "results" in getattr(item, "fixturenames", ()):
        item.add_marker(pytest.mark.timeout(900, func_only=True), append=False)


@pytest.fixture(scope="session")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    """One for all processes of this run of the tests, so that they observe nothing twice.

    Results that are fresh in the user's ledger (after `make verify`) are in it, from a copy.
    """
    base = tmp_path_factory.getbasetemp()
    file = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "ledger_of_contracts.sqlite"
    copy = copied_to(tmp_path_factory.mktemp("ledger") / "ledger.sqlite")
    if copy.exists():
        with suppress(FileExistsError):  # another process was first
            os.link(copy, file)
    with Ledger(file) as opened:
        yield opened


@pytest.fixture(scope="session")
def results(ledger: Ledger) -> list[Result]:
    """Every check of every claim, observed and judged once per run of the tests."""
    return list(run(load().claims, ledger=ledger))


@pytest.fixture(scope="session")
def evidence_of(ledger: Ledger) -> Callable[[str], list[Result]]:
    """A function: what the checks of one claim, given by its id, have seen."""
    return lambda claim_id: list(run([load().claim(claim_id)], ledger=ledger))
