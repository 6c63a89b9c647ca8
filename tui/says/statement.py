"""The claim: its statement, hypotheses and parts, what it rests on, and where the printed form is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from textual.content import Content

from implicitbias.claims.statement import Candidate, Claim, Flaw
from implicitbias.judging.judgement import Outcome
from implicitbias.judging.result import ClaimStanding
from implicitbias.judging.verdict import GLYPHS, Standing
from implicitbias.report.prose import prose
from implicitbias.report.summary import heading as paper_heading
from implicitbias.report.summary import survivors
from implicitbias.report.typeset import relation, symbol, typeset
from implicitbias.report.words import located, parts_text, titled, why

from ..data.snapshot import Snapshot
from .blocks import Block, Gap, Pairs, Paragraph, bullet, heading
from .wording import ACCENT, BLUE, BOLD, DIM, OWN, RED, YELLOW, badge, plain


def page(snapshot: Snapshot, claim: Claim) -> list[Block]:
    """Everything about the claim except its checks."""
    standing = snapshot.standing(claim.id)
    blocks: list[Block] = [*_head(standing), Paragraph(plain(prose(" ".join(claim.statement.split())))), Gap()]
    blocks += _formula(claim)
    if claim.flaw:
        blocks += [Gap(), *_flaw(claim.flaw, standing)]
    if supposed := tuple(dict.fromkeys((*map(prose, claim.hypotheses), *map(relation, claim.domain)))):
        blocks += [Gap(), heading("supposes"), *(bullet(plain(h)) for h in supposed)]
    if standing.parts:
        blocks += [Gap(), heading(parts_text(standing)), rows(snapshot, standing.parts)]
    below = [name for name in claim.rests_on if name in snapshot.standings]
    above = [c.id for c in snapshot.catalogue.resting_on(claim.id)]
    if below:
        blocks += [Gap(), heading("rests on"), Paragraph(_links(snapshot, below))]
    if above:
        blocks += [Gap(), heading("rested on by"), Paragraph(_links(snapshot, above))]
    beside = [name for name in snapshot.catalogue.beside(claim.id) if name in snapshot.standings]
    if beside:
        blocks += [Gap(), heading("see also"), Paragraph(_links(snapshot, beside))]
    blocks += [Gap(), Paragraph(_source(snapshot, claim))]
    return blocks


def _head(standing: ClaimStanding) -> Iterator[Block]:
    words = badge(standing.standing)
    if standing.standing is Standing.CORRECTED:
        words += plain("  the printed form is refuted, the corrected one established", DIM)
    if standing.fully and standing.claim.rests_on:
        words += plain(", and all it rests on stands", DIM)
    elif standing.standing.holds and standing.waits_for:
        first, *more = standing.waits_for
        rest = f" and {len(more)} more" if more else ""
        words += plain(f", but it rests on what is not: {first}{rest}", YELLOW)
    yield Paragraph(words)
    if standing.reason and standing.results and not standing.standing.holds:
        yield Paragraph(plain(standing.reason))
    if standing.whole is not standing.standing and (weakest := standing.weakest):
        place = weakest.claim.id.partition(".")[2]
        yield Paragraph(badge(standing.whole) + plain(f" with its parts; the weakest, {place}: {weakest.reason}"))
    if standing.headline:
        link = f"@click=screen.go({standing.headline.id!r})"
        yield Paragraph(
            plain("part of ", DIM) + plain(f"{located(standing.headline)} · {titled(standing.headline)}", link)
        )
    for name in survivors(standing):
        yield Paragraph(plain(f"{GLYPHS['BROKEN']} THE CONTROL {name} SURVIVES: no check rejects it", RED))
    yield Gap()


def candidate(shown: Candidate, style: str = BOLD) -> Content:
    """A formula typeset; a rule by what it says."""
    return plain(typeset(shown), style) if isinstance(shown, str) else plain(prose(shown.says), style)


def _formula(claim: Claim) -> Iterator[Block]:
    label = "formula" if isinstance(claim.formula, str) else "rule"
    yield Pairs(((plain(label, DIM), candidate(claim.formula, f"{BOLD} {ACCENT}")),))
    if claim.symbols:
        meanings = tuple((plain(symbol(name), BOLD), plain(prose(says))) for name, says in claim.symbols.items())
        yield Pairs(meanings, indent=9 if label == "formula" else 6, most=10)


def _flaw(flaw: Flaw, standing: ClaimStanding) -> Iterator[Block]:
    rejected = next((r.printed for r in standing.results if r.printed and r.printed.outcome is Outcome.REJECTED), None)
    erratum = flaw.erratum
    yield Paragraph(
        plain(f"{GLYPHS['CORRECTED']} {erratum.word}", f"{BOLD} {BLUE}")
        + plain(f"  {erratum.id}, {erratum.place}", DIM)
    )
    rows = [("printed", plain(erratum.quotation)), ("correct", plain(prose(erratum.correct)))]
    if flaw.printed is not None:
        rows.append(("as formula" if isinstance(flaw.printed, str) else "as rule", candidate(flaw.printed, "")))
    if rejected:
        rows.append(("refuted", plain(f"the printed form: {why(rejected)}")))
    rows += [("effect", plain(prose(erratum.bearing))), ("charitably", plain(prose(erratum.charitable)))]
    yield Pairs(tuple((plain(name, DIM), says) for name, says in rows if says.plain))


def rows(snapshot: Snapshot, standings: Sequence[ClaimStanding]) -> Pairs:
    """Claims one below the other, each with its standing and place; a click goes there."""
    shown = []
    for s in standings:
        place = plain(f"{OWN} " if s.claim.is_own_result else "", ACCENT) + plain(s.claim.source.locator)
        parts = f"  {parts_text(s)}" if s.parts else ""
        link = f"@click=screen.go({s.claim.id!r})"
        title = place + plain("  ") + plain(titled(s.claim), link) + plain(parts, DIM)
        shown.append((badge(s.whole if s.parts else s.standing), title))
    return Pairs(tuple(shown))


def _links(snapshot: Snapshot, names: Sequence[str]) -> Content:
    """Claims that a click goes to, each with the glyph of its standing."""
    parts = []
    for name in names:
        standing = snapshot.standing(name)
        place = name.partition(".")[2] or name
        mark = badge(standing.standing).plain[0]
        known = any(c.id == name for c in snapshot.claims)
        link = f"@click=screen.go({name!r})" if known else ""
        parts.append(plain(f"{mark} ") + plain(place, link))
    return Content("   ").join(parts)


def _source(snapshot: Snapshot, claim: Claim) -> Content:
    return plain(f"{claim.id}  {paper_heading(snapshot.catalogue.paper(claim.paper))}".rstrip(), DIM)
