"""`implicitbias list --flaws`: the errata of the papers, the gravest first, each with what refutes the printed form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from implicitbias.claims.erratum import COUNTED, EFFECTS
from implicitbias.claims.statement import Candidate, candidate_text
from implicitbias.judging.judgement import Judgement, Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import RenderableType

    from implicitbias.claims.catalogue import Catalogue
    from implicitbias.claims.erratum import Erratum
    from implicitbias.claims.statement import Claim
    from implicitbias.judging.result import ClaimStanding, Result


def chosen_errata(catalogue: Catalogue, globs: Sequence[str]) -> tuple[Erratum, ...]:
    """The errata that a pattern names by id, whose paper it is, or that a claim shows which it matches.

    All errata for no pattern. Raises UnknownClaimError for a pattern that matches neither an erratum nor a claim.
    """
    if not globs:
        return catalogue.errata
    ids = {erratum.id for erratum in catalogue.errata for glob in globs if fnmatchcase(erratum.id, glob)}
    ids |= {erratum.id for erratum in catalogue.errata if erratum.paper in globs}
    others = [glob for glob in globs if not any(fnmatchcase(erratum.id, glob) for erratum in catalogue.errata)]
    claims = catalogue.select(others) if others else ()
    ids |= {claim.flaw.erratum.id for claim in claims if claim.flaw}
    return tuple(erratum for erratum in catalogue.errata if erratum.id in ids)


def table(
    errata: Sequence[Erratum], catalogue: Catalogue, known: Mapping[str, ClaimStanding]
) -> Iterator[RenderableType]:
    """The errata class by class: place, printed, correct, effect, the charitable reading, and what refutes it."""
    from rich.padding import Padding
    from rich.text import Text

    from implicitbias.report.page import pairs, told_of

    for effect, means in EFFECTS.items():
        of_class = [erratum for erratum in errata if erratum.effect == effect]
        if not of_class:
            continue
        yield Text("")
        yield Text.assemble((f"{effect}: {len(of_class)}", "bold"), (f"  {means}", "dim"))
        for erratum in of_class:
            mended = f"  corrected in {erratum.mended}" if erratum.mended else ""
            yield Text("")
            yield Text.assemble((f"{erratum.paper}, {erratum.place}", "bold"), f": {erratum.word}", (mended, "green"))
            shown = [("erratum", erratum.id), *told_of(erratum)]
            for claim in catalogue.showing(erratum.id):
                shown += _shown_by(known[claim.id])
            yield Padding(pairs(shown), (0, 0, 0, 2))
    yield Text("")
    yield Text(counted(errata))


def counted(errata: Sequence[Erratum]) -> str:
    """How many there are: those that change a theorem or a formula, and the others apart.

    >>> counted(())
    'no errata'
    """
    if not errata:
        return "no errata"
    number = {effect: sum(erratum.effect == effect for erratum in errata) for effect in EFFECTS}
    first, second, third, last = number.values()
    grave = f"{sum(number[effect] for effect in COUNTED)} errata change a theorem ({first}) or a formula ({second})"
    return f"{grave}; apart from these, {third} of a constant or an index, and {last} of wording"


def entry(erratum: Erratum, catalogue: Catalogue, known: Mapping[str, ClaimStanding]) -> dict[str, Any]:
    """The erratum as a JSON document, with the claims that show it."""
    from implicitbias.report.claim_document import erratum_document

    return {**erratum_document(erratum), "claims": [_claim(known[c.id]) for c in catalogue.showing(erratum.id)]}


def _shown_by(s: ClaimStanding) -> Iterator[tuple[str, str]]:
    from implicitbias.report.prose import prose
    from implicitbias.report.typeset import typeset

    def shown(candidate: Candidate) -> str:
        return typeset(candidate) if isinstance(candidate, str) else prose(candidate.says)

    if s.claim.printed is None:
        yield "shown by", f"{s.claim.id}: {shown(s.claim.formula)}"
        return
    by, judged = _refutation(s)
    yield (
        "refuted by",
        f"{s.claim.id}: {shown(s.claim.printed)}, where it is {shown(s.claim.formula)}",
    )
    if by and judged:
        from implicitbias.report.words import why

        yield "", f"{why(judged)}, {by.verdict.lower()} by `{by.check}`"
    else:
        yield "", "not yet: run `implicitbias verify` for it"


def _claim(s: ClaimStanding) -> dict[str, Any]:
    by, judged = _refutation(s)
    claim: Claim = s.claim
    return {
        "id": claim.id,
        "standing": str(s.standing),
        "printed": None if claim.printed is None else candidate_text(claim.printed),
        "corrected": candidate_text(claim.formula),
        "refuted_by": by and {"check": by.check, "kind": str(by.kind), **judged.to_json()} if judged else None,
    }


def _refutation(s: ClaimStanding) -> tuple[Result | None, Judgement | None]:
    """The strongest check that refutes the printed form: a proof before a certificate before an experiment."""
    order = ["proof", "certificate", "experiment"]
    found = [r for r in s.results if r.printed and r.printed.outcome is Outcome.REJECTED]
    best = min(found, key=lambda r: order.index(str(r.kind)), default=None)
    return best, best.printed if best else None
