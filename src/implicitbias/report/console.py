"""The report for a terminal: a table per paper, headlines with their parts, then what needs attention and the sums."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TextIO

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from implicitbias.claims.naming import place_of
from implicitbias.claims.statement import Claim, Paper
from implicitbias.judging.result import ClaimStanding
from implicitbias.judging.verdict import GLYPHS, Standing
from implicitbias.report.prose import prose
from implicitbias.report.summary import Detail, Family, Report, counts_of, heading, is_expected, only_not_run, survivors
from implicitbias.report.words import (
    badge,
    console_for,
    count,
    listed,
    located,
    parts_text,
    seconds,
    show,
    titled,
    verdict_badge,
)

ROOMY = 130
"""At this width and above the ids have a column of their own."""

NARROW = 72
"""Below this width a claim is a few lines instead of a row."""


def write(report: Report, stream: TextIO) -> None:
    """The whole report."""
    show(Group(*_parts(report, console_for(stream).width)), stream)


def _parts(report: Report, width: int) -> Iterator[RenderableType]:
    if report.detail is not Detail.LINE:
        yield from _tables(report, width)
    attention = list(needing_attention(report))
    if attention:
        yield from (Text("Not as expected", style="bold"), Text(""), *attention)
    yield from (summary(report) if report.detail is not Detail.LINE else [in_one_line(report)])


def _tables(report: Report, width: int) -> Iterator[RenderableType]:
    shown = {p: _reached(report, p) if report.interrupted else report.families(p.key) for p in report.papers}
    in_short = report.detail is Detail.HEADLINES and sum(map(len, shown.values())) > 1
    for paper, families in shown.items():
        if families:
            if in_short:
                families = tuple(replace(f, parts=()) if f.standing else f for f in families)
            yield from (paper_heading(paper), Text(""), table(families, width, in_short=in_short), Text(""))


def in_one_line(report: Report) -> Text:
    """The sums, short enough for a line."""
    total, rejected = report.controls
    surprises = len(list(unexpected(report)))
    ends = "interrupted" if report.interrupted else f"{surprises} not as expected" if surprises else "all as expected"
    many = f"{count(len(report.standings), 'claim')}, {count(len(report.results), 'check')}"
    return Text(f"{many}: {ends} ({_counts(report.standings, report.partial)}; {rejected}/{total} controls rejected)")


def _reached(report: Report, paper: Paper) -> tuple[Family, ...]:
    """What an interrupted run got to."""
    return replace(report, standings=tuple(s for s in report.standings if s.results)).families(paper.key)


def paper_heading(paper: Paper) -> Text:
    says = heading(paper)
    return Text.assemble((paper.key, "bold"), f"  {says}" if says else "")


def table(families: Sequence[Family], width: int, *, in_short: bool = False) -> RenderableType:
    """One row per claim: standing, place, title and what was tried, each check's kind and verdict, controls rejected.

    Parts are indented below their headline, which stands as its weakest member does. `in_short`: without what was
    tried, and the kinds of checks in one line.
    """
    if width < NARROW:
        return Group(*(line for family in families for line in _blocks(family)))
    shown = Table(
        box=box.SIMPLE_HEAD, expand=True, show_edge=False, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim"
    )
    shown.add_column("standing", width=13, no_wrap=True)
    shown.add_column("claim", ratio=1)
    if width >= ROOMY:
        shown.add_column("id", no_wrap=True, max_width=30)
    shown.add_column("checks", width=23, no_wrap=True)
    shown.add_column("controls", width=8, justify="right")
    for family in families:
        place = [Text(place_of(family.headline), style="dim")] if width >= ROOMY else []
        if family.standing:
            s = family.standing
            checks = _in_short(s) if in_short else _checks(s)
            shown.add_row(_standing(s, s.whole), _title(s, in_short), *place, checks, _controls(s))
        else:
            shown.add_row("", _named(family.headline), *place, "", "")
        for s in family.parts:
            place = [Text(place_of(s.claim), style="dim")] if width >= ROOMY else []
            shown.add_row(_standing(s, s.standing), _indented(_title(s)), *place, _checks(s), _controls(s))
    return shown


def needing_attention(report: Report) -> Iterator[RenderableType]:
    """Every claim that does not stand as expected, and every control that survives, each with the reason."""
    for s in unexpected(report):
        yield Text.assemble(badge(s.standing), "  ", (s.claim.id, "bold"), f"  {located(s.claim)}")
        failing = [result for result in s.results if not result.verdict.accepts]
        for result in failing:
            yield _indented(Text.assemble(verdict_badge(result), f"  {result.check}: {prose(result.reason)}"))
        surviving = survivors(s)
        for name in surviving:
            yield _indented(survivor(name))
        if s.reason and not failing and not surviving:
            yield _indented(Text(prose(s.reason)))
        yield Text("")


def survivor(name: str) -> Text:
    """The alarm for a control that no check rejects."""
    return Text(
        f"{GLYPHS['BROKEN']} THE CONTROL {name} SURVIVES: no check rejects it, so the claim is not told apart from it.",
        style="bold red",
    )


def summary(report: Report) -> Iterator[Text]:
    """The sums, in a few lines: claims of the papers and results of our own, checks, controls."""
    papers = f"{count(len(report.of_papers), 'claim')}{' of the papers' if report.own else ''}"
    if report.of_papers or not report.own:
        yield Text(f"{papers}: {_counts(report.of_papers, report.partial)}", style="bold")
    if report.own:
        yield Text(
            f"{count(len(report.own), 'result')} of our own: {_counts(report.own, report.partial)}", style="bold"
        )
    total, rejected = report.controls
    spent = seconds(sum(r.seconds for r in report.results))
    checks = count(len(report.results), "check")
    yield Text(f"{checks} in {spent} of computing, {rejected} of {count(total, 'control')} rejected")
    not_fully = [s.claim.id for s in report.standings if s.standing.holds and not s.fully]
    if not_fully:
        waits = sorted({w for s in report.standings if s.standing.holds for w in s.waits_for})
        verb = "claim rests" if len(not_fully) == 1 else "claims rest"
        yield Text(f"{len(not_fully)} {verb} on what does not stand or was not run here: {_some(waits)}")
    if report.interrupted:
        yield Text("interrupted: what had finished is kept, and the next run continues from there", style="yellow")
    elif report.partial and any(only_not_run(s) for s in report.standings):
        yield Text("only checks of the kinds asked for have run; the others are not counted as missing")
    surprises = list(unexpected(report))
    unchecked = report.counts[Standing.UNCHECKED]
    if surprises:
        yield Text(f"{count(len(surprises), 'claim')} not as expected", style="bold yellow")
    elif report.standings and not unchecked and not report.interrupted:
        yield Text("all as expected", style="green")


def unexpected(report: Report) -> Iterator[ClaimStanding]:
    """The claims that were checked and do not stand as expected."""
    for s in report.standings:
        if s.standing is not Standing.UNCHECKED and not is_expected(s, report.partial or report.interrupted):
            yield s


def _blocks(family: Family) -> Iterator[RenderableType]:
    if family.standing:
        yield from _block(family.standing, family.standing.whole)
    else:
        yield Text(place_of(family.headline), style="dim")
        yield _indented(_named(family.headline))
    for s in family.parts:
        yield from (_indented(line) for line in _block(s, s.standing))


def _block(s: ClaimStanding, word: Standing) -> Iterator[RenderableType]:
    yield Text.assemble(badge(word), "  ", (place_of(s.claim), "dim"))
    yield _indented(_title(s))
    yield _indented(_checks(s))
    yield _indented(Text.assemble(f"{'controls':<12}", _controls(s)))


def _standing(s: ClaimStanding, word: Standing) -> Text:
    cell = badge(word)
    if word.holds and not s.fully:
        cell.append("\n  not fully", style="dim")
    return cell


def _title(s: ClaimStanding, in_short: bool = False) -> Text:
    title = _named(s.claim)
    tried = [] if in_short else [f"{r.kind}: {prose(r.reason)}" for r in s.results if r.verdict.accepts]
    says = [parts_text(s), *tried]
    for line in filter(None, says):
        title.append(f"\n{line}", style="dim")
    return title


def _named(claim: Claim) -> Text:
    return Text.assemble((located(claim), "bold"), f"  {titled(claim)}")


def _counts(standings: Sequence[ClaimStanding], partial: bool) -> str:
    """`112 established, 2 undecided`; `partial`: those apart that only checks nobody asked for leave undecided."""
    so_far = [s for s in standings if partial and only_not_run(s)]
    apart = {id(s) for s in so_far}
    found = [(word.lower(), n) for word, n in counts_of(s for s in standings if id(s) not in apart).items()]
    found.append(("accepted by the checks that ran", len(so_far)))
    return ", ".join(f"{n} {word}" for word, n in found if n) or "none"


def _checks(s: ClaimStanding) -> Text:
    ran = {result.check: result for result in s.results}
    lines = []
    for check in s.claim.checks:
        verdict = verdict_badge(ran[check.name]) if check.name in ran else Text("· not run", style="dim")
        lines.append(Text.assemble(f"{check.kind:<12}", verdict))
    if s.claim.printed is not None and s.results:
        printed = badge("REFUTED") if s.refuted_by else badge("UNDECIDED")
        # For a known flaw the printed form should be refuted: no alarm, no red.
        printed.style = "blue" if s.refuted_by else printed.style
        lines.append(Text.assemble(f"{'as printed':<12}", printed))
    return Text("\n").join(lines)


def _in_short(s: ClaimStanding) -> Text:
    """The verdicts of the checks, each once; whether all have run."""
    verdicts = list(dict.fromkeys(str(result.verdict) for result in s.results))
    lines = [badge(verdict) for verdict in verdicts]
    if missing := len(s.claim.checks) - len(s.results):
        lines.append(Text(f"· {missing} not run", style="dim"))
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
