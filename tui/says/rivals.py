"""What else a claim's evidence would accept."""

from __future__ import annotations

from implicitbias.claims.statement import Claim
from implicitbias.judging.rivals.confirmed import Rivals
from implicitbias.report.rivals import Line, headline, told
from implicitbias.report.typeset import typeset

from .blocks import Block, Gap, Pairs, Paragraph, heading
from .statement import candidate
from .wording import BOLD, DIM, GREEN, RED, YELLOW, plain


def blocks(claim: Claim, found: Rivals) -> list[Block]:
    style = RED if found.inside else YELLOW if found.trouble else GREEN
    shown: list[Block] = [Paragraph(plain(headline(found), style))]
    for title, lines in told(claim, found):
        shown += [Gap(), heading(title)]
        labelled = [line for line in lines if line.label]
        if labelled:
            shown.append(Pairs(tuple((plain(line.label, DIM), plain(_said(line))) for line in labelled), indent=2))
        for line in lines:
            if not line.label:
                shown += _formula(line)
    return shown


def searching(claim: Claim) -> list[Block]:
    formula = candidate(claim.formula).plain
    return [Paragraph(plain(f"searching for formulas that the evidence cannot tell from {formula} …", DIM))]


def _said(line: Line) -> str:
    return "  ".join(filter(None, (typeset(line.formula), line.note)))


def _formula(line: Line) -> list[Block]:
    parts: list[Block] = []
    if line.formula:
        parts.append(Paragraph(plain(typeset(line.formula), RED if line.bad else BOLD), indent=2))
    if line.note:
        parts.append(Paragraph(plain(line.note, DIM), indent=4 if line.formula else 2))
    return parts
