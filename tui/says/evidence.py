"""What a check has seen: premises with ticks, the acceptance rule, numbers with their intervals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from textual.content import Content

from implicitbias.claims.check import Check
from implicitbias.claims.statement import Claim, Control
from implicitbias.judging.result import Result
from implicitbias.judging.tried import cases_in_words, cases_of
from implicitbias.report.judged import rows
from implicitbias.report.prose import prose
from implicitbias.report.words import IN_COQ, count, value

from .blocks import Block, Gap, Grid, Pairs, Paragraph, heading
from .statement import candidate
from .wording import BLUE, BOLD, DIM, GREEN, badge, mark, plain, tick

MOST = 100
"""Instances that are shown; the exported JSON has all."""

MOST_CELLS = 24
"""Width of a column at most, but for the first."""


def blocks(claim: Claim, check: Check, result: Result | None, control: Control | None = None) -> list[Block]:
    """`control`: one that is shown beside the claim."""
    shown: list[Block] = []
    if result is not None:
        shown += [verdict(result), Gap()]
    if check.about and not (result and (result.evidence.theorems or result.evidence.steps)):
        shown += [Paragraph(plain(prose(check.about))), Gap()]  # else it stands above the derivation
    if check.acceptance:
        shown += [Pairs(((plain("accepts if", DIM), plain(prose(check.acceptance))),)), Gap()]
    if result is None:
        return [*shown, Paragraph(plain("Not run yet: r runs it.", DIM))]
    evidence = result.evidence
    if evidence.premises:
        shown += [heading("premises, without which the observation means nothing")]
        for premise in evidence.premises:
            says = plain(prose(premise.name)) + plain(f"  {prose(premise.detail)}" if premise.detail else "", DIM)
            shown.append(Pairs(((tick(premise.holds), says),)))
        shown.append(Gap())
    if evidence.instances:
        number = len(evidence.instances)
        shown.append(heading(f"{count(number, 'instance')}: what was observed, and what the claim says there"))
        if control is not None:
            shown.append(Paragraph(plain("and beside it the control ", DIM) + candidate(control.candidate)))
        shown.append(instances(claim, result, MOST, control))
        if number > MOST:
            shown.append(Paragraph(plain(f"and {number - MOST} more; e exports them all as JSON", DIM)))
        shown.append(Gap())
    if evidence.measured:
        shown += [heading("measured"), *_measured(evidence.measured), Gap()]
    cases = cases_of(evidence)
    if cases:
        shown.append(
            Paragraph(plain(f"{cases_in_words(cases, tuple(claim.symbols), 'derived')}: see Derivation.", DIM))
        )
    elif len(shown) <= 2:
        shown.append(Paragraph(plain("Nothing was observed.", DIM)))
    return shown


def verdict(result: Result) -> Paragraph:
    """The verdict with its reason: for an accepted formula what was tried."""
    in_coq = plain(IN_COQ) if result.in_coq else plain("")
    return Paragraph(badge(result.verdict) + in_coq + plain(f"  {prose(result.reason)}" if result.reason else ""))


def _measured(measured: Mapping[str, object]) -> Iterator[Block]:
    for name, found in measured.items():
        if isinstance(found, Mapping) and found:
            yield Paragraph(plain(prose(name), BOLD))
            yield Pairs(tuple((plain(prose(str(k))), plain(value(v))) for k, v in found.items()), indent=2, most=36)
        else:
            yield Pairs(((plain(prose(name)), plain(value(found), BOLD)),), most=36)  # type: ignore[arg-type]


def instances(claim: Claim, result: Result, most: int, control: Control | None = None) -> Grid:
    """Instances with what the claim says there; beside it the printed form where there is one, and a control."""
    shown = rows(claim, result, most, other=control.candidate if control else None)
    columns: list[tuple[str, list[Content]]] = [
        ("given", [_joined(plain(row.given), row.where) for row in shown]),
        ("observed", [plain(row.observed, BOLD) for row in shown]),
        ("the claim says", [_joined(mark(row.outcome) + plain(f" {row.says}"), row.apart) for row in shown]),
        ("as printed", [plain("✗ " if row.refuted else "", BLUE) + plain(row.printed) for row in shown]),
        ("the control", [plain("✗ " if row.falls else "", GREEN) + plain(row.other) for row in shown]),
    ]
    kept = [(name, cells) for name, cells in columns if any(cell.plain for cell in cells)]
    names = tuple(name for name, _ in kept)
    return Grid(names, tuple(zip(*(cells for _, cells in kept), strict=True)), grows=0, most=MOST_CELLS)


def _joined(first: Content, then: str) -> Content:
    """The two in one cell, the second one dim."""
    parted = plain("  ") if first.plain and then else plain("")
    return first + parted + plain(then, DIM)


def caption(check: Check, result: Result | None) -> Content:
    """One line for narrow places."""
    return badge(result.verdict) + plain(f"  {check.about}") if result else plain(check.about)
