"""The report as a reader of a terminal wants it: a table a paper, what needs attention, what it adds up to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TextIO

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from implicitbias.claims.catalogue import place_of
from implicitbias.claims.statement import Paper
from implicitbias.judging.result import ClaimStanding
from implicitbias.judging.verdict import GLYPHS, Standing
from implicitbias.report.summary import Report, heading, is_expected, only_not_run, survivors
from implicitbias.report.words import badge, console_for, count, listed, seconds, show

ROOMY = 130
"""Columns from which the ids have a column of their own."""

NARROW = 72
"""Columns below which a claim is a few lines instead of a row."""


def write(report: Report, stream: TextIO) -> None:
    """The whole report."""
    show(Group(*_parts(report, console_for(stream).width)), stream)


def _parts(report: Report, width: int) -> Iterator[RenderableType]:
    for paper in report.papers:
        standings = [
            s for s in report.standings if s.claim.paper == paper.key and (s.results or not report.interrupted)
        ]
        if standings:
            yield from (paper_heading(paper), Text(""), table(standings, width), Text(""))
    attention = list(needing_attention(report))
    if attention:
        yield from (Text("Not as expected", style="bold"), Text(""), *attention)
    yield from summary(report)


def paper_heading(paper: Paper) -> Text:
    says = heading(paper)
    return Text.assemble((paper.key, "bold"), f"  {says}" if says else "")


def table(standings: Sequence[ClaimStanding], width: int) -> RenderableType:
    """One row a claim: standing, place and title, each check's kind and verdict, controls rejected."""
    if width < NARROW:
        return Group(*(part for s in standings for part in _block(s)))
    shown = Table(
        box=box.SIMPLE_HEAD, expand=True, show_edge=False, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim"
    )
    shown.add_column("standing", width=13, no_wrap=True)
    shown.add_column("claim", ratio=1)
    if width >= ROOMY:
        shown.add_column("id", no_wrap=True, max_width=30)
    shown.add_column("checks", width=23, no_wrap=True)
    shown.add_column("controls", width=8, justify="right")
    for s in standings:
        place = [Text(place_of(s.claim), style="dim")] if width >= ROOMY else []
        shown.add_row(_standing(s), _title(s), *place, _checks(s), _controls(s))
    return shown


def needing_attention(report: Report) -> Iterator[RenderableType]:
    """Every claim that does not stand as expected, and every control that survives, each with the reason."""
    for s in unexpected(report):
        yield Text.assemble(badge(s.standing), "  ", (s.claim.id, "bold"), f"  {s.claim.source.locator}")
        failing = [result for result in s.results if not result.verdict.accepts]
        for result in failing:
            yield _indented(Text.assemble(badge(result.verdict), f"  {result.check}: {result.reason}"))
        surviving = survivors(s)
        for name in surviving:
            yield _indented(survivor(name))
        if s.reason and not failing and not surviving:
            yield _indented(Text(s.reason))
        yield Text("")


def survivor(name: str) -> Text:
    """The loud line for a control that no check rejects."""
    return Text(
        f"{GLYPHS['BROKEN']} THE CONTROL {name} SURVIVES: no check rejects it, so the claim is not told apart from it.",
        style="bold red",
    )


def summary(report: Report) -> Iterator[Text]:
    """What it all adds up to, in two or three lines."""
    counts = ", ".join(f"{n} {word.lower()}" for word, n in report.counts.items() if n)
    yield Text(f"{count(len(report.standings), 'claim')}: {counts or 'none'}", style="bold")
    total, rejected = report.controls
    spent = seconds(sum(r.seconds for r in report.results))
    checks = count(len(report.results), "check")
    yield Text(f"{checks} in {spent} of computing, {rejected} of {count(total, 'control')} rejected")
    not_fully = [s.claim.id for s in report.standings if s.standing.holds and not s.fully]
    if not_fully:
        waits = sorted({w for s in report.standings if s.standing.holds for w in s.waits_for})
        verb = "claim rests" if len(not_fully) == 1 else "claims rest"
        yield Text(f"{len(not_fully)} {verb} on what is not established: {_some(waits)}")
    if report.interrupted:
        yield Text("interrupted: what had finished is kept, the next run goes on from there", style="yellow")
    elif report.partial and any(only_not_run(s) for s in report.standings):
        yield Text("only the checks of the kinds asked for have run; the others are not counted as missing")
    surprises = list(unexpected(report))
    unchecked = report.counts[Standing.UNCHECKED]
    if surprises:
        yield Text(f"{count(len(surprises), 'claim')} not as expected", style="bold yellow")
    elif report.standings and not unchecked and not report.interrupted:
        yield Text("all as expected", style="green")


def unexpected(report: Report) -> Iterator[ClaimStanding]:
    """The claims that were checked and do not stand as expected; what an interrupted run did not reach is none."""
    for s in report.standings:
        if s.standing is not Standing.UNCHECKED and not is_expected(s, report.partial or report.interrupted):
            yield s


def _block(s: ClaimStanding) -> Iterator[RenderableType]:
    yield Text.assemble(_standing(s).split("\n")[0], "  ", (place_of(s.claim), "dim"))
    yield _indented(_title(s))
    yield _indented(_checks(s))
    yield _indented(Text.assemble(f"{'controls':<12}", _controls(s)))


def _standing(s: ClaimStanding) -> Text:
    cell = badge(s.standing)
    if s.standing.holds and not s.fully:
        cell.append("\n  not fully", style="dim")
    return cell


def _title(s: ClaimStanding) -> Text:
    own = "our own result, " if s.claim.is_own_result else ""
    return Text.assemble((f"{own}{s.claim.source.locator}", "bold"), f"  {s.claim.title}")


def _checks(s: ClaimStanding) -> Text:
    ran = {result.check: result for result in s.results}
    lines = []
    for check in s.claim.checks:
        verdict = badge(ran[check.name].verdict) if check.name in ran else Text("· not run", style="dim")
        lines.append(Text.assemble(f"{check.kind:<12}", verdict))
    if s.claim.flaw and s.results:
        printed = badge("REFUTED") if s.refuted_by else badge("UNDECIDED")
        # A printed form that is refuted is what a known flaw should show: no alarm, no red.
        printed.style = "blue" if s.refuted_by else printed.style
        lines.append(Text.assemble(f"{'as printed':<12}", printed))
    return Text("\n").join(lines)


def _controls(s: ClaimStanding) -> Text:
    if not s.results:
        return Text(f"–/{len(s.killed)}", style="dim")
    return Text(f"{s.controls_rejected}/{len(s.killed)}", style="bold red" if s.survivors else "")


def _some(names: Sequence[str], most: int = 3) -> str:
    if len(names) <= most:
        return listed(names)
    return f"{', '.join(names[:most])} and {len(names) - most} more"


def _indented(content: RenderableType) -> Padding:
    return Padding(content, (0, 0, 0, 2))
