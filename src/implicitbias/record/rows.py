"""The rows of the ledger: sealed with a digest when they are written, checked when they are read.

A row that is not what was written, whatever has changed it, is damaged: it is never shown, judged by or reused. Rows of
ledgers that were written before there were seals have none; they must have the right form.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from implicitbias.claims.evidence import Evidence
from implicitbias.judging.result import Result
from implicitbias.record.outputs import Packed, unpack
from implicitbias.record.used import Used


class DamagedRowError(ValueError):
    """A row that cannot be what was written. The message says what is wrong with it."""


@dataclass(frozen=True)
class Entry:
    """A Result and when it was recorded."""

    recorded: datetime
    result: Result


RESULT = "id, claim, check_name, key, recorded, verdict, seconds, document, seal"
"""The columns of a result that `entry_of` reads."""


def seal_of(*values: object) -> str:
    """A digest of the values of a row; numbers count as SQLite gives them back.

    >>> seal_of("a.b", 1.0) == seal_of("a.b", 1)
    False
    """
    digest = hashlib.sha256()
    for value in values:
        content = value if isinstance(value, bytes) else repr(value).encode()
        digest.update(f"{type(value).__name__} {len(content)} ".encode() + content)
    return digest.hexdigest()


def seal_of_job(claim: str, check: str, key: str, output: Packed, used: str) -> str:
    """A digest of the output of a job, of what it is the output of, and of what it was made from, as text."""
    arrays = [part for name in sorted(output.arrays) for part in (name, output.arrays[name])]
    return seal_of(claim, check, key, output.values, used, *arrays)


def entry_of(row: Any, *, evidence: bool = True) -> Entry:
    """The entry of a row of `RESULT`, with or without its evidence. Raises DamagedRowError."""
    _, claim, check, key, recorded, verdict, seconds, document, seal = row
    if seal != "" and seal != seal_of(claim, check, key, recorded, verdict, seconds, document):
        raise DamagedRowError("it is not what was written")
    try:
        read = json.loads(document)
        if seal != "" and not evidence:
            read["evidence"] = Evidence().to_json()
        result = Result.from_json(read)
        if seal == "":
            _check(result, claim, check, str(verdict))
        return Entry(datetime.fromisoformat(recorded), result if evidence else replace(result, evidence=Evidence()))
    except DamagedRowError:
        raise
    except Exception as error:  # whatever a document may hold that is none
        raise DamagedRowError(_in_short(error)) from error


def used_by(text: str) -> Used | None:
    """What a job was made from; None for rows of an earlier version, which did not say. Raises DamagedRowError."""
    if text == "":
        return None
    try:
        return Used.from_json(json.loads(text))
    except Exception as error:
        raise DamagedRowError(_in_short(error)) from error


def output_of(claim: str, check: str, key: str, output: Packed, used: str, seal: str) -> Packed:
    """The output of a job. Raises DamagedRowError."""
    try:
        if seal != "" and seal != seal_of_job(claim, check, key, output, used):
            raise DamagedRowError("it is not what was written")
        if seal == "":
            unpack(output)
    except DamagedRowError:
        raise
    except Exception as error:
        raise DamagedRowError(_in_short(error)) from error
    return output


def is_duration(seconds: object) -> bool:
    """Whether this can be the time that something took."""
    return isinstance(seconds, int | float) and math.isfinite(seconds) and seconds >= 0


def _check(result: Result, claim: str, check: str, verdict: str) -> None:
    """Refuse a document that is not about what the row is about, or of wrong types."""
    if (result.claim, result.check, str(result.verdict)) != (claim, check, verdict):
        raise DamagedRowError("its document is about something else")
    if not isinstance(result.reason, str) or not isinstance(result.provenance, Mapping):
        raise DamagedRowError("its document has values of wrong types")
    if not is_duration(result.seconds):
        raise DamagedRowError(f"it took {result.seconds!r} seconds")


def _in_short(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:200]
