"""The false neighbours of a claim, and what rejects each: first the check that is shown, then the others."""

from __future__ import annotations

from textual.content import Content

from implicitbias.claims.statement import Claim
from implicitbias.judging.judgement import Judgement, Outcome
from implicitbias.judging.result import ClaimStanding, Result
from implicitbias.report.prose import prose

from . import counterexample
from .blocks import Block, Gap, Pairs, Paragraph
from .statement import candidate
from .wording import BLUE, BOLD, DIM, GREEN, RED, YELLOW, plain


def blocks(claim: Claim, check: str, result: Result | None, standing: ClaimStanding) -> list[Block]:
    """Each control with its counterexample by this check."""
    shown: list[Block] = []
    total = len(claim.controls)
    if result is None:
        shown.append(Paragraph(plain(f"{total} false neighbours that the checks must reject. Not run yet.", DIM)))
    else:
        by = f"{result.controls_rejected} of {total} false neighbours are rejected by this check"
        shown.append(Paragraph(plain(by, BOLD)))
    for number, control in enumerate(claim.controls, 1):
        judgement = result.controls.get(control.name) if result else None
        killers = [name for name in standing.killed.get(control.name, ()) if name != check]
        head = plain(f"{number}  ", DIM) + _mark(judgement, bool(killers)) + candidate(control.candidate)
        shown += [Gap(), Paragraph(head), Paragraph(plain(prose(control.why), DIM), indent=3)]
        shown += _killed(judgement)
        if killers:
            shown.append(Pairs(((plain("also by", DIM), plain(", ".join(killers))),), indent=3))
    if claim.flaw and claim.flaw.printed is not None:
        printed = result.printed if result else None
        head = (
            plain("✎  as printed  ", BLUE) + _mark(printed, bool(standing.refuted_by)) + candidate(claim.flaw.printed)
        )
        shown += [Gap(), Paragraph(head), Paragraph(plain(claim.flaw.erratum.word, DIM), indent=3), *_killed(printed)]
    return shown


def _mark(judgement: Judgement | None, elsewhere: bool) -> Content:
    """A rejected control is as it should be: green. One that no check rejects is the alarm."""
    if judgement is None:
        return plain("· not judged  ", DIM)
    if judgement.outcome is Outcome.REJECTED:
        return plain("✗ rejected  ", GREEN)
    if judgement.outcome is Outcome.UNDECIDED:
        return plain("? undecided  ", YELLOW)
    return plain("✓ not told apart here  ", YELLOW) if elsewhere else plain("! SURVIVES  ", RED)


def _killed(judgement: Judgement | None) -> list[Block]:
    if judgement is None:
        return []
    if judgement.outcome is Outcome.REJECTED and judgement.counterexample:
        return [counterexample.lines(judgement.counterexample, indent=3)]
    return [Paragraph(plain(judgement.reason), indent=3)] if judgement.reason else []
