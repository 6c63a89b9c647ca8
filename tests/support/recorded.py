"""Results that `make verify` has recorded, for tests that would observe the same again."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from implicitbias.record.ledger import default_path

SET_BY_IMPORT = ("KMP_DUPLICATE_LIB_OK", "KMP_INIT_AT_FORK", "_RJEM_MALLOC_CONF")
"""What scikit-learn and polars add to the environment, which results name."""


def copied_to(file: Path) -> Path:
    """A copy of the user's ledger, if there is one; results are taken from it if they are fresh.

    The environment becomes again what it was before anything was imported, or none would be.
    """
    for name in SET_BY_IMPORT:
        os.environ.pop(name, None)
    recorded = default_path()
    if recorded.is_file():
        with closing(sqlite3.connect(recorded)) as source, closing(sqlite3.connect(file)) as copy:
            source.backup(copy)
    return file
