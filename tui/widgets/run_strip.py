"""The current run: a bar, the elapsed time, each running check with its own time."""

from __future__ import annotations

import time
from typing import cast

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from implicitbias.report.words import count, seconds

from ..data.progress import Progress
from ..host import Host
from ..says.wording import ACCENT, BOLD, DIM, YELLOW, plain

MOST = 4
"""Running checks that are shown."""


class RunStrip(Widget):
    """As high as needed; hidden if nothing runs."""

    DEFAULT_CSS = "RunStrip { height: auto; width: 1fr; }"

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._progress: Progress | None = None
        self._stopping = False

    def show(self, progress: Progress | None, stopping: bool = False) -> None:
        self._progress, self._stopping = progress, stopping
        self.display = progress is not None
        self.refresh(layout=True)

    def on_mount(self) -> None:
        host = cast(Host, self.app)
        self.show(host.progress, host.stopping)
        self.set_interval(0.5, self._tick)

    def _tick(self) -> None:
        if self._progress is not None:
            self.refresh()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return 1 + min(MOST, len(self._progress.active)) if self._progress else 0

    def render(self) -> Content:
        if self._progress is None:
            return Content("")
        p, width, now = self._progress, self.size.width, time.monotonic()
        total = max(1, p.order.checks)
        left = plain(f"▸ {p.order.says}", BOLD) + plain(f"  {p.done} of {total}  ")
        took = f", {seconds(p.order.took)} last time" if p.order.took is not None else ""
        notes = [seconds(int(now - p.begun)) + took]
        if p.reused:
            notes.append(f"{p.reused} still fresh")
        right = plain("  " + ", ".join(notes), DIM)
        if p.unaccepted:
            right += plain(f", {count(p.unaccepted, 'check')} not accepting", YELLOW)
        right += plain("  stopping…" if self._stopping else "  x stops it", DIM)
        room = width - left.cell_length - right.cell_length
        bar = Content("")
        if room >= 8:
            full = room * p.done // total
            bar = plain("━" * full, ACCENT) + plain("╌" * (room - full), DIM)
        lines = [(left + bar + right).truncate(width)]
        for (claim, check), active in list(p.active.items())[:MOST]:
            jobs = f"  job {active.done} of {active.total}" if active.total else ""
            place = claim.partition(".")[2] or claim
            took = seconds(now - active.since)
            lines.append(plain(f"  {took:>7}  {place} · {check}{jobs}", DIM).truncate(width, ellipsis=True))
        return Content("\n").join(lines)
