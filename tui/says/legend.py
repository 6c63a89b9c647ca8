"""What the words and marks mean."""

from __future__ import annotations

from .blocks import Block, Gap, Pairs, Paragraph, heading
from .wording import BOLD, badge, plain

STANDINGS = {
    "ESTABLISHED": "every check accepts the claim, and every control is rejected",
    "CORRECTED": "the printed form is refuted, and the corrected one established",
    "REFUTED": "a check contradicts the claim: there is a counterexample",
    "UNDECIDED": "no contradiction, but a premise, a check or precision is missing",
    "BROKEN": "a check failed, or could not have refuted the claim, or a control survives",
    "UNCHECKED": "no check has run",
    "OPEN": "a conjecture: its search has found nothing against it",
}
VERDICTS = {
    "PROVED": "a proof in which a rule has checked every step from the definition",
    "DERIVED": "a derivation for all values, re-evaluated in ball arithmetic; some steps stand in words",
    "CERTIFIED": "exact or enclosed arithmetic on concrete instances, or a proof for some sizes: within what was tried",
    "SUPPORTED": "an experiment: networks trained, accepted by a rule written before the run",
    "REFUTED": "the observation contradicts the claim",
    "UNDECIDED": "the observation cannot tell",
    "BROKEN": "an error, or it rejects no control: it could not have refuted anything",
    "SKIPPED": "not possible on this machine",
}
MARKS = {
    "✗": "at a control: rejected, as it should be",
    "↻": "stale: something the result was made from has changed since",
    "↓": "made elsewhere: the result came with implicitbias, and nothing has run here",
    "▸ at the right": "running now",
    "*": "established, but it rests on something that is not",
    "margin": "by how much the nearest false neighbour is off",
    "◇": "a result of our own, which the paper does not print; counted apart",
    "▸ ▾": "folded and unfolded: papers, headlines with parts (space)",
}


def blocks() -> list[Block]:
    shown: list[Block] = [Paragraph(plain("How a claim stands", BOLD))]
    shown.append(Pairs(tuple((badge(word), plain(says)) for word, says in STANDINGS.items())))
    shown += [Gap(), Paragraph(plain("What a check says", BOLD))]
    shown.append(Pairs(tuple((badge(word), plain(says)) for word, says in VERDICTS.items())))
    shown += [Gap(), Paragraph(plain("Marks", BOLD))]
    shown.append(Pairs(tuple((plain(mark), plain(says)) for mark, says in MARKS.items())))
    shown += [
        Gap(),
        heading("Standings are computed from verdicts. A headline stands as the weakest of itself and its parts."),
    ]
    return shown
