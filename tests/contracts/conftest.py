"""One run of all claims, shared by the contracts."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from implicitbias.claims.catalogue import load
from implicitbias.judging.result import Result
from implicitbias.record.ledger import Ledger
from implicitbias.running.runner import run


@pytest.fixture(scope="session")
def results(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Result]]:
    """Every check of every claim, observed and judged once per session.

    Results that are fresh in the ledger named by IMPLICITBIAS_LEDGER (after `make verify`) are reused, from a copy.
    """
    # results name the environment, which scikit-learn and polars add to
    for set_by_import in ("KMP_DUPLICATE_LIB_OK", "KMP_INIT_AT_FORK", "_RJEM_MALLOC_CONF"):
        os.environ.pop(set_by_import, None)
    file = tmp_path_factory.mktemp("ledger") / "ledger.sqlite"
    recorded = os.environ.get("IMPLICITBIAS_LEDGER", "")
    if recorded and Path(recorded).is_file():
        with closing(sqlite3.connect(recorded)) as source, closing(sqlite3.connect(file)) as copy:
            source.backup(copy)
    with Ledger(file) as ledger:
        yield list(run(load().claims, ledger=ledger))
