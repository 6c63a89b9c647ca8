"""The certificates of a check: what each states, and what the trusted checker says of it now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from implicitbias.judging.result import Result
from implicitbias.report.words import count

from .blocks import Block, Gap, Pairs, Paragraph
from .wording import BOLD, DIM, GREEN, RED, plain


def blocks(result: Result | None, outcomes: Sequence[tuple[bool, str]] | None, path: str) -> list[Block]:
    """`outcomes`: valid and why, for each certificate, once re-checked; `path`: where they were written."""
    found = result.evidence.certificates if result else ()
    if not found:
        return [Paragraph(plain("Not run yet.", DIM))]
    keys = "c re-checks them with the trusted checker, w writes them to files"
    shown: list[Block] = [Paragraph(plain(count(len(found), "certificate"), BOLD) + plain(f"   {keys}", DIM))]
    if path:
        shown.append(Pairs(((plain("written", DIM), plain(path)),)))
    for number, document in enumerate(found, 1):
        shown += [Gap(), Paragraph(plain(f"{number}  {document.get('kind', 'certificate')}", BOLD))]
        if outcomes is not None and number <= len(outcomes):
            valid, says = outcomes[number - 1]
            mark = plain("✓ VALID  ", GREEN) if valid else plain("✗ REFUSED  ", RED)
            shown.append(Paragraph(mark + plain(says), indent=3))
        shown.append(Pairs(tuple(_summary(document)), indent=3))
    return shown


def _summary(document: Mapping[str, Any]) -> list[tuple[Any, Any]]:
    rows = []
    for name, part in document.items():
        if name in ("format", "version", "kind"):
            continue
        rows.append((plain(name, DIM), plain(_short(part))))
    return rows


def _short(part: Any, most: int = 160) -> str:
    if isinstance(part, Mapping):
        text = ", ".join(f"{name} {_short(value, 60)}" for name, value in part.items())
    elif isinstance(part, str | bool | int):
        text = {True: "yes", False: "no"}.get(part, str(part)) if isinstance(part, bool) else str(part)
    elif isinstance(part, Sequence):
        text = "(" + ", ".join(_short(value, 24) for value in part) + ")"
    else:
        text = str(part)
    return text if len(text) <= most else text[: most - 1] + "…"
