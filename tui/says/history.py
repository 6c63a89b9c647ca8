"""The verdicts of a check over time, the newest first."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from implicitbias.record.ledger import Entry
from implicitbias.record.shipped import is_from_elsewhere, made_with
from implicitbias.report.prose import prose
from implicitbias.report.words import count, seconds

from .blocks import Block, Gap, Grid, Pairs, Paragraph
from .wording import BOLD, DIM, YELLOW, age, badge, plain

MOST = 50


def blocks(entries: Sequence[Entry], stale: Sequence[str] | None, now: datetime) -> list[Block]:
    """`stale`: why the last result would not be reused; None if it is fresh."""
    if not entries:
        return [Paragraph(plain("Not run yet.", DIM))]
    shown: list[Block] = [Paragraph(plain(f"run {count(len(entries), 'time')}", BOLD))]
    if is_from_elsewhere(entries[0].result):
        where = made_with(entries[0].result)
        shown.append(Paragraph(plain(f"↓ It came with implicitbias, made elsewhere ({where}). r runs it here.", DIM)))
        if stale is not None:
            shown.append(Paragraph(plain("↻ Its sources differ from those here:", YELLOW)))
    elif stale is None:
        shown.append(Paragraph(plain("The last result is fresh: nothing it was made from has changed.", DIM)))
    else:
        shown.append(Paragraph(plain("↻ stale: a run would compute it again, because", YELLOW)))
    if stale is not None:
        shown += [Pairs(((plain("·", DIM), plain(reason)),), indent=2) for reason in stale]
    rows = []
    for entry in entries[:MOST]:
        made = entry.result.provenance
        when = entry.recorded.astimezone().strftime("%Y-%m-%d %H:%M")
        how = f"{made.get('budget', '')} seed {made.get('seed', '')}" if "seed" in made else ""
        rows.append(
            (
                plain(when),
                plain(age(entry.recorded, now), DIM),
                badge(entry.result.verdict),
                plain(seconds(entry.result.seconds)),
                plain(f"{how}  {prose(entry.result.reason)}".strip()),
            )
        )
    shown += [Gap(), Grid(("recorded", "age", "verdict", "took", "how"), tuple(rows), grows=4, right=frozenset({1, 3}))]
    if len(entries) > MOST:
        shown.append(Paragraph(plain(f"and {len(entries) - MOST} earlier", DIM)))
    return shown
