"""A check's theorems from definition to value; the steps of a derivation, and the identities it is judged by."""

from __future__ import annotations

from implicitbias.claims.check import Check
from implicitbias.judging.result import Result
from implicitbias.report.lines import typeset_line
from implicitbias.report.prose import prose
from implicitbias.report.theorem import Line, told
from implicitbias.report.typeset import symbol, typeset

from .blocks import Block, Gap, Pairs, Paragraph, heading
from .evidence import verdict
from .wording import ACCENT, BOLD, DIM, plain


def blocks(check: Check, result: Result | None) -> list[Block]:
    shown: list[Block] = [verdict(result), Gap()] if result else []
    shown += [Paragraph(plain(prose(check.about)))] if check.about else []
    if result is None:
        return [*shown, Gap(), Paragraph(plain("Not run yet: r runs it.", DIM))]
    evidence = result.evidence
    for label, lines in told(result):
        shown += [Gap(), heading(typeset_line(label))] if label else []
        for line in lines:
            shown += _told(line)
    for number, step in enumerate(evidence.steps, 1):
        shown += [Gap(), Pairs(((plain(f"({number})", DIM), plain(prose(step.says))),))]
        indent = len(f"({number})") + 2
        if step.formula:
            shown.append(Paragraph(plain(typeset_line(step.formula), f"{BOLD} {ACCENT}"), indent + 2))
        if step.verified:
            shown.append(Paragraph(plain(f"✓ {step.verified}", DIM), indent))
    if evidence.identities:
        shown += [Gap(), heading("for all values, the claim's formula must equal")]
    for identity in evidence.identities:
        domain = ", ".join(f"{symbol(name)} {kind}" for name, kind in identity.variables.items())
        given = ", ".join(f"{symbol(name)} = {typeset(says)}" for name, says in identity.given.items())
        rows = [
            ("case", plain(typeset_line(identity.label), BOLD)),
            ("for all", plain(domain)),
            ("where", plain(given)),
            ("derived", plain(typeset(identity.derived), f"{BOLD} {ACCENT}")),
        ]
        shown += [Gap(), Pairs(tuple((plain(name, DIM), says) for name, says in rows if says.plain))]
    return shown


MARKS = {"definition": ":=", "step": "✓", "found": "=", "words": "…", "coq": "∎"}
"""What marks a line of a theorem's account."""


def _told(line: Line) -> list[Block]:
    mark = MARKS[line.kind]
    shown: list[Block] = [Pairs(((plain(f"{mark:<2}", DIM), plain(typeset_line(line.label))),))]
    if line.formula:
        strong = line.kind in ("definition", "found")
        shown.append(Paragraph(plain(typeset_line(line.formula), f"{BOLD} {ACCENT}" if strong else ""), 4))
    if line.note:
        shown.append(Paragraph(plain(typeset_line(line.note), DIM), 4))
    return shown
