"""Writes the table of docs/verdicts.md: claims by paper and by what kind of check accepts them.

    implicitbias report --format json > report.json && python docs/verdicts.py report.json

Which theorems Coq has accepted is in the ledger after `implicitbias verify --kind proof --formal`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parent / "verdicts.md"
BEGIN, END = "<!-- the table of docs/verdicts.py -->", "<!-- its end -->"
VERDICTS = ("PROVED", "DERIVED", "CERTIFIED", "SUPPORTED")


def table(claims: list[dict[str, Any]]) -> Iterator[str]:
    """A row for each paper and one for all: how many claims have a check with each verdict, and are accepted by Coq."""
    yield "| paper | claims | ∎ PROVED | of these by Coq | ∴ DERIVED | ✓ CERTIFIED | ≈ SUPPORTED |"
    yield "|---|--:|--:|--:|--:|--:|--:|"
    for paper in (*dict.fromkeys(claim["paper"] for claim in claims), None):
        rows = [claim for claim in claims if paper in (claim["paper"], None)]
        proved, *others = (sum(any(k["verdict"] == v for k in c["checks"]) for c in rows) for v in VERDICTS)
        answers = [[k["coq"]["accepted"] for k in c["checks"] if k["coq"] and not k["coq"]["skipped"]] for c in rows]
        coq = sum(map(any, answers)) if any(answers) else "not asked"
        yield f"| {' | '.join(map(str, (paper or 'all', len(rows), proved, coq, *others)))} |"
    checks = [check for claim in claims for check in claim["checks"] if check["kind"] == "proof"]
    proofs = sum(check["verdict"] == "PROVED" for check in checks)
    yield ""
    yield f"A claim with checks of several kinds counts in several columns. PROVED: {proofs} of {len(checks)} proofs."


def main() -> None:
    """Put the table of a report between the marks of the page."""
    claims = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))["claims"]
    page = PAGE.read_text(encoding="utf-8")
    before, after = page.partition(BEGIN)[0], page.partition(END)[2]
    PAGE.write_text("\n".join([before + BEGIN, "", *table(claims), "", END]) + after, encoding="utf-8")


if __name__ == "__main__":
    main()
