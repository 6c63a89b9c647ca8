"""Files written on request: the claim as JSON, certificates, the screen as SVG."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from implicitbias.errors import UserError
from implicitbias.record.standings import standings
from implicitbias.report.claim_document import document

from . import records
from .snapshot import Snapshot


def name_for(*parts: str, suffix: str) -> str:
    """A file name that is valid on every system.

    >>> name_for("savarese2019.lemma_1", "primal and dual", suffix=".json")
    'savarese2019.lemma_1-primal-and-dual.json'
    """
    return "-".join(re.sub(r"[^\w.]+", "-", part).strip("-") for part in parts if part) + suffix


def write(path: Path, text: str) -> Path:
    """Write a file. Raises UserError with the reason if that fails."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(f"cannot write {path}: {error.strerror or error}") from None
    return path


def write_certificates(claim: str, check: str, documents: Sequence[Mapping[str, Any]]) -> list[Path]:
    """Write each certificate to its own file in the working folder. Raises UserError."""
    written = []
    for number, certificate in enumerate(documents, 1):
        last = f"{number}" if len(documents) > 1 else ""
        path = Path.cwd() / name_for(claim, check, last, suffix=".json")
        written.append(write(path, json.dumps(certificate, indent=1, ensure_ascii=True) + "\n"))
    return written


def here(name: str) -> Path:
    """A file in the working folder."""
    return Path.cwd() / name


def export_claim(snapshot: Snapshot, claim_id: str, ledger: Path) -> Path:
    """The claim with all its evidence, as `implicitbias show --json` prints it. Raises UserError."""
    results = []
    for check in snapshot.standing(claim_id).claim.checks:
        entry = records.entry(ledger, claim_id, check.name)
        if entry is not None:
            results.append(entry.result)
    others = [result for (claim, _), result in snapshot.results.items() if claim != claim_id]
    standing = standings(snapshot.catalogue, [*others, *results])[claim_id]
    text = json.dumps(document(standing, snapshot.catalogue), indent=2, ensure_ascii=False)
    return write(here(name_for(claim_id, suffix=".json")), text + "\n")
