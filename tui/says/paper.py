"""A paper: what it is about, which edition was read, and how its headlines stand."""

from __future__ import annotations

from implicitbias.claims.statement import Paper
from implicitbias.report.paper import authors, facts, totals
from implicitbias.report.prose import prose
from implicitbias.report.words import count

from ..data.snapshot import Snapshot
from .blocks import Block, Gap, Pairs, Paragraph, heading
from .statement import rows
from .wording import BOLD, DIM, plain


def page(snapshot: Snapshot, paper: Paper) -> list[Block]:
    """The whole page."""
    standings = [snapshot.standing(claim.id) for claim in snapshot.catalogue.of_paper(paper.key)]
    headlines = [s for s in standings if s.claim.is_headline]
    blocks: list[Block] = [Paragraph(plain(paper.title or paper.key, BOLD))]
    if paper.authors:
        blocks.append(Paragraph(plain(authors(paper))))
    if paper.about:
        blocks += [Gap(), Paragraph(plain(prose(paper.about)))]
    blocks += [Gap(), Pairs(tuple((plain(name, DIM), plain(says)) for name, says in facts(paper)))]
    blocks += [Gap(), *(Paragraph(plain(line)) for line in totals(standings))]
    blocks += [Gap(), heading(count(len(headlines), "headline")), rows(snapshot, headlines)]
    return blocks
