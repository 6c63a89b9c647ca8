"""A claim as a page: what is said, in which symbols, what would be wrong, how it was checked, and what came out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from implicitbias.claims.check import Check
from implicitbias.claims.erratum import Erratum
from implicitbias.claims.statement import Candidate, Claim, Flaw, Paper
from implicitbias.judging.judgement import Counterexample, Judgement, Outcome
from implicitbias.judging.result import ClaimStanding, Result
from implicitbias.report.console import survivor
from implicitbias.report.judged import rows
from implicitbias.report.lines import typeset_line
from implicitbias.report.prose import prose
from implicitbias.report.summary import heading, survivors
from implicitbias.report.theorem import Line, told
from implicitbias.report.typeset import relation, symbol, typeset
from implicitbias.report.words import (
    MARKS,
    badge,
    candidate,
    case_name,
    count,
    equals,
    listed,
    located,
    parts_text,
    seconds,
    titled,
    value,
    verdict_badge,
    why,
)

INDENT = 2
FEW = 4
"""Instances of a check that a page shows."""


def page(
    standing: ClaimStanding,
    paper: Paper,
    rests_on: Sequence[ClaimStanding] = (),
    used_by: Sequence[Claim] = (),
    beside: Sequence[ClaimStanding] = (),
    other: Candidate | None = None,
) -> Group:
    """The page. `rests_on`: how the claims it uses stand; `used_by`: the claims that use it; `beside`: see also;
    `other`: a candidate whose values stand beside the claim's."""
    claim = standing.claim
    parts: list[RenderableType] = [_head(standing, paper), _indented(Text(prose(claim.statement)))]
    if supposed := tuple(dict.fromkeys((*map(prose, claim.hypotheses), *map(relation, claim.domain)))):
        parts += _section("supposes", [_bullet(Text(h)) for h in supposed])
    parts += _section("formula" if isinstance(claim.formula, str) else "rule", list(_formula(claim)))
    if claim.flaw:
        parts += _section("erratum", list(_flaw(claim, claim.flaw, standing)))
    if standing.parts:
        parts += _section(parts_text(standing), [_part(s) for s in standing.parts])
    if claim.rests_on:
        known = {s.claim.id: s for s in rests_on}
        parts += _section("rests on", [_used(name, known.get(name)) for name in claim.rests_on])
    if used_by:
        parts += _section("rested on by", [Text(", ".join(c.id for c in used_by))])
    if beside:
        parts += _section("see also", [_used(s.claim.id, s) for s in beside])
    parts += _section("controls: false neighbours that the checks must reject", list(_controls(standing)))
    parts += _section("checks", [_check(i, c, standing, other) for i, c in enumerate(claim.checks, 1)])
    if standing.results:
        parts += _section("which check rejects which control", [kill_matrix(standing)])
        parts += [_indented(survivor(name)) for name in survivors(standing)]
    return Group(*parts)


def kill_matrix(standing: ClaimStanding) -> RenderableType:
    """One row per control, one column per check: ✗ rejected, ✓ accepted, ? undecided, · not run."""
    ran = {result.check: result for result in standing.results}
    table = Table.grid(padding=(0, 2))
    table.add_column()
    numbers = [Text(str(i), style="dim") for i, _ in enumerate(standing.claim.checks, 1)]
    for _ in numbers:
        table.add_column(justify="center")
    table.add_row(Text("check", style="dim"), *numbers)
    rows: list[tuple[str, list[Judgement | None]]] = []
    for control in standing.claim.controls:
        found = [ran[c.name].controls.get(control.name) if c.name in ran else None for c in standing.claim.checks]
        rows.append((control.name, found))
    if standing.claim.printed is not None:
        found = [ran[c.name].printed if c.name in ran else None for c in standing.claim.checks]
        rows.append(("as printed", found))
    for name, judgements in rows:
        table.add_row(Text(typeset(name)), *(Text(MARKS[j.outcome][0] if j else "·") for j in judgements))
    legend = Text("✗ rejected  ✓ not rejected  ? undecided  · not run", style="dim")
    return Group(table, legend)


def counterexample(found: Counterexample) -> RenderableType:
    """The point, the two values and the margin, each on a line of its own, to be checked by hand."""
    wanted = {"=": "it says", "<=": "it says at most", ">=": "it says at least"}[found.relation]
    rows = [("at", case_name(found.label))] if found.label else []
    rows += [("where" if i == 0 else "", equals(name, given)) for i, (name, given) in enumerate(found.point.items())]
    rows += [("observed", found.observed), (wanted, found.candidate)]
    if found.margin:
        rows.append(("off by", found.margin))
    return pairs(rows)


def _head(standing: ClaimStanding, paper: Paper) -> RenderableType:
    claim = standing.claim
    fully = ", fully" if standing.fully else ""
    waits = f"  not fully: {', '.join(standing.waits_for)}" if standing.standing.holds and standing.waits_for else ""
    lines = [
        Text.assemble((located(claim), "bold"), "  ", (titled(claim), "bold")),
        Text.assemble(badge(standing.standing), fully, (waits, "dim")),
    ]
    if standing.reason and not standing.standing.holds and standing.results:
        lines.append(Text(prose(standing.reason)))
    if standing.whole is not standing.standing and (weakest := standing.weakest):
        whole = f" with its parts; the weakest, {weakest.claim.id}: {prose(weakest.reason)}"
        lines.append(Text.assemble(badge(standing.whole), whole))
    lines.append(Text.assemble(claim.id, (f"  {heading(paper)}".rstrip(), "dim")))
    if standing.headline:
        lines.append(
            Text.assemble(("part of ", "dim"), standing.headline.id, (f"  {_title(standing.headline)}", "dim"))
        )
    return Group(*lines, Text(""))


def _title(claim: Claim) -> str:
    return f"{located(claim)}, {titled(claim)}"


def _part(part: ClaimStanding) -> RenderableType:
    return _row(badge(part.standing), Text.assemble(part.claim.id, (f"  {_title(part.claim)}", "dim")), 15)


def _formula(claim: Claim) -> Iterator[RenderableType]:
    yield Text(candidate(claim.formula), style="bold")
    if claim.symbols:
        yield _indented(pairs([(symbol(name), prose(says)) for name, says in claim.symbols.items()]))


def _flaw(claim: Claim, flaw: Flaw, standing: ClaimStanding) -> Iterator[RenderableType]:
    judged = [r.printed for r in standing.results if r.printed and r.printed.outcome is Outcome.REJECTED]
    erratum = flaw.erratum
    rows = [(erratum.id, f"{erratum.place}: {erratum.word}, {erratum.effect}"), *told_of(erratum)]
    if flaw.printed is not None:
        rows.append(("as printed", candidate(flaw.printed)))
    if judged:
        rows.append(("", f"✗ the printed form is refuted by {_by(claim, standing.refuted_by)}: {why(judged[0])}"))
    yield pairs(rows)


def told_of(erratum: Erratum) -> list[tuple[str, str]]:
    """An erratum in rows: what is printed, what it should be, what depends on it, how it may be read, and where."""
    rows = [("printed", erratum.quotation), ("correct", erratum.correct)]
    rows += [("effect", erratum.bearing)] if erratum.bearing else []
    return [*rows, ("charitably", erratum.charitable), ("read", erratum.read)]


def _used(name: str, below: ClaimStanding | None) -> RenderableType:
    if below is None:
        return Text(name)
    return _row(badge(below.standing), Text.assemble(name, (f"  {titled(below.claim)}", "dim")), 15)


def _controls(standing: ClaimStanding) -> Iterator[RenderableType]:
    for control in standing.claim.controls:
        killers = standing.killed[control.name]
        reasons = [why(r.controls[control.name]) for r in standing.results if r.check in killers]
        yield _bullet(Text.assemble((candidate(control.candidate), "bold"), f"  {prose(control.why)}"))
        if killers:
            yield _row(Text("  ✗"), Text(f"{_by(standing.claim, killers)}: {reasons[0]}", style="dim"), 4)


def _by(claim: Claim, names: Sequence[str]) -> str:
    numbers = [str(i) for i, check in enumerate(claim.checks, 1) if check.name in names]
    return f"check{'s' if len(numbers) > 1 else ''} {listed(numbers)}"


def _check(number: int, check: Check, standing: ClaimStanding, other: Candidate | None) -> RenderableType:
    result = next((r for r in standing.results if r.check == check.name), None)
    head = Text.assemble((check.name, "bold"), f"  {check.kind}  ")
    lines: list[RenderableType] = [head]
    head.append_text(verdict_badge(result) if result else Text("· not run", style="dim"))
    if result:
        head.append(f"  {seconds(result.seconds)}", style="dim")
    if check.about:
        lines.append(Text(prose(check.about)))
    if check.acceptance:
        lines.append(pairs([("accepts if", check.acceptance)]))
    if result:
        lines += _seen(standing.claim, result, other)
    return _row(Text(f"{number}."), Group(*lines), 3)


def _seen(claim: Claim, result: Result, other: Candidate | None) -> Iterator[RenderableType]:
    if result.reason:
        yield pairs([("found", prose(result.reason))])
    for premise in result.evidence.premises:
        mark = "holds" if premise.holds else "DOES NOT HOLD"
        yield pairs([("premise", f"{premise.name}: {mark}{f' ({premise.detail})' if premise.detail else ''}")])
    for label, lines in told(result):
        if label:
            yield Text(typeset_line(label), style="bold")
        for line in lines:
            yield _row(Text(TOLD[line.kind], style="dim"), Group(*_told(line)), 3)
    for i, step in enumerate(result.evidence.steps, 1):
        says: list[RenderableType] = [Text(prose(step.says))]
        if step.formula:
            says.append(Text(typeset_line(step.formula), style="bold"))
        if step.verified:
            says.append(Text(step.verified, style="dim"))
        yield _row(Text(f"({i})", style="dim"), Group(*says), 5)
    if result.evidence.instances:
        yield instances(claim, result, other)
    if result.evidence.measured:
        yield pairs([("measured", "")])
        yield _indented(pairs([(name, value(v)) for name, v in result.evidence.measured.items()]))
    if result.evidence.certificates:
        yield pairs([("certificates", str(len(result.evidence.certificates)))])


def instances(claim: Claim, result: Result, other: Candidate | None = None) -> RenderableType:
    """The first instances, each with what the claim, the printed form and `other` say there."""
    shown = rows(claim, result, FEW, other=other)
    table = Table.grid(padding=(0, 2, 0, 0))
    columns = {
        "given": [Text(row.given) for row in shown],
        "observed": [Text(row.observed, style="bold") for row in shown],
        "the claim says": [Text.assemble(MARKS[row.outcome][0], " ", row.says) for row in shown],
        "apart": [Text(row.apart, style="dim") for row in shown],
        "as printed": [Text("✗ " if row.refuted else "").append(row.printed) for row in shown],
        "beside it": [Text("✗ " if row.falls else "").append(row.other) for row in shown],
        "where": [Text(row.where, style="dim") for row in shown],
    }
    kept = {name: cells for name, cells in columns.items() if any(cell.plain for cell in cells)}
    for _ in kept:
        table.add_column(overflow="fold")
    table.add_row(*(Text(name, style="dim") for name in kept))
    for cells in zip(*kept.values(), strict=True):
        table.add_row(*cells)
    left = len(result.evidence.instances) - len(shown)
    return Group(table, Text(f"and {count(left, 'instance')} more", style="dim")) if left else table


TOLD = {"definition": ":=", "step": "✓", "found": "=", "words": "…", "coq": "∎"}
"""What marks a line of a theorem's account."""


def _told(line: Line) -> Iterator[Text]:
    yield Text(typeset_line(line.label))
    if line.formula:
        yield Text(typeset_line(line.formula), style="bold")
    if line.note:
        yield Text(typeset_line(line.note), style="dim")


def _section(title: str, content: Sequence[RenderableType]) -> list[RenderableType]:
    return [Text(""), Text(title, style="dim"), *(_indented(part) for part in content)]


def pairs(rows: Sequence[tuple[str, str]]) -> Table:
    """Names with what they are, the second column wrapped within itself."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True, style="dim")
    grid.add_column(ratio=1)
    for name, says in rows:
        grid.add_row(Text(name), Text(says))
    return grid


def _row(mark: Text, content: RenderableType, width: int) -> Table:
    grid = Table.grid()
    grid.add_column(width=width, no_wrap=True)
    grid.add_column(ratio=1)
    grid.add_row(mark, content)
    return grid


def _bullet(content: Text) -> Table:
    return _row(Text("·"), content, 2)


def _indented(content: RenderableType) -> Padding:
    return Padding(content, (0, 0, 0, INDENT))
