"""The progress of a run, on standard error: how long it takes, then bars, or a line per check where no terminal is."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Protocol, TextIO

from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, TaskID, TextColumn
from rich.text import Text

from implicitbias.claims.statement import Claim
from implicitbias.judging.result import Result
from implicitbias.report.words import console_for, seconds, verdict_badge
from implicitbias.running.events import Cached, Event, Finished, JobDone, Started, ToRun


class Display(AbstractContextManager["Display"], Protocol):
    """Takes the events of a run."""

    def __call__(self, event: Event) -> None: ...


def display(
    checks: Sequence[tuple[Claim, str]],
    stream: TextIO | None = None,
    *,
    quiet: bool = False,
    foretell: bool = True,
) -> Display:
    """The display that fits the stream (standard error by default) for these checks, given as claim and check name.

    quiet     show bars on a terminal while the run lasts, elsewhere no line per check
    foretell  say beforehand where there are no bars what runs, and how long that took last time
    """
    console = console_for(stream or sys.stderr)
    if console.is_terminal and not console.is_dumb_terminal:
        return Bars(checks, console, quiet)
    return Lines(0 if quiet else len(checks), console, foretell)


class Lines:
    """A line for each check as it ends: `[12/95] savarese2019.theorem_3_1 · primal and dual: ✓ CERTIFIED 0.3 s`.

    For a total of 0 no such line is written.
    """

    def __init__(self, total: int, console: Console, foretells: bool = True) -> None:
        self.total = total
        self.console = console
        self.foretells = foretells
        self.done = 0

    def __enter__(self) -> Lines:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        return None

    def __call__(self, event: Event) -> None:
        if isinstance(event, ToRun) and self.foretells:
            checks = f"{event.checks} check{'s' * (event.checks != 1)} to run"
            self.console.print(f"{checks}{expected(event, ', in ')}", soft_wrap=True)
        if not isinstance(event, Finished | Cached) or not self.total:
            return
        self.done += 1
        spent = "recorded" if isinstance(event, Cached) else seconds(event.result.seconds)
        width = len(str(self.total))
        line = Text.assemble(f"[{self.done:>{width}}/{self.total}] ", _says(event.result), f"  {spent}")
        self.console.print(line, soft_wrap=True)


class Bars:
    """A bar per paper, below them what runs now; checks that do not accept are printed above as they end."""

    def __init__(self, checks: Sequence[tuple[Claim, str]], console: Console, quiet: bool = False) -> None:
        self.quiet = quiet
        self.bars = _Bars(
            TextColumn("{task.description}"),
            BarColumn(bar_width=None),
            TextColumn("{task.completed:.0f}/{task.total:.0f} checks"),
            console=console,
            transient=True,
            refresh_per_second=8,
            expand=True,
        )
        papers = list(dict.fromkeys(claim.paper for claim, _ in checks))
        self.tasks: dict[str, TaskID] = {
            paper: self.bars.add_task(paper, total=sum(claim.paper == paper for claim, _ in checks)) for paper in papers
        }

    def __enter__(self) -> Bars:
        self.bars.start()
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.bars.running.clear()
        self.bars.stop()

    def __call__(self, event: Event) -> None:
        match event:
            case ToRun():
                self.bars.expected = expected(event, " of ")
            case Started(claim, check):
                self.bars.running[claim, check] = ""
            case JobDone(claim, check, index, total):
                self.bars.running[claim, check] = f" ({index + 1} of {total})"
            case Finished(result) | Cached(result):
                self.bars.running.pop((result.claim, result.check), None)
                self.bars.advance(self.tasks[result.claim.partition(".")[0]])
                if not (result.verdict.accepts or self.quiet):
                    self.bars.console.print(_says(result), soft_wrap=True)


class _Bars(Progress):
    """rich's progress with one more line: the time gone and what runs now."""

    def __init__(self, *columns: TextColumn | BarColumn, **options: object) -> None:
        self.running: dict[tuple[str, str], str] = {}
        self.expected = ""
        self.begun = time.monotonic()
        super().__init__(*columns, **options)  # type: ignore[arg-type]

    def get_renderables(self) -> Iterable[RenderableType]:
        yield self.make_tasks_table(self.tasks)
        now = "; ".join(f"{claim.partition('.')[2]} · {check}{at}" for (claim, check), at in list(self.running.items()))
        yield Text(
            f"{seconds(int(time.monotonic() - self.begun))}{self.expected}  {now}",
            style="dim",
            no_wrap=True,
            overflow="ellipsis",
        )


def expected(event: ToRun, before: str) -> str:
    """How long the run will take by what its checks took last time; nothing where most of them never ran.

    >>> expected(ToRun(checks=747, untimed=0, seconds=555.4), " of ")
    ' of some 9 min'
    """
    if 2 * event.untimed >= event.checks:
        return ""
    minutes = round(event.seconds / 60)
    return f"{before}some {seconds(60 * minutes).removesuffix(' 0 s') if minutes > 1 else seconds(event.seconds)}"


def _says(result: Result) -> Text:
    return Text.assemble(f"{result.claim} · {result.check}: ", verdict_badge(result))
