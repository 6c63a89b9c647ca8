"""`implicitbias list --flaws`: the errata of the papers, each with what refutes the printed form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from implicitbias.claims.statement import candidate_text
from implicitbias.judging.judgement import Judgement, Outcome

if TYPE_CHECKING:
    from rich.console import RenderableType

    from implicitbias.claims.statement import Claim, Flaw
    from implicitbias.judging.result import ClaimStanding, Result


def errata(standings: Sequence[ClaimStanding]) -> Iterator[RenderableType]:
    """The flawed claims of a paper: place, kind of flaw, printed and corrected form, counterexample, charity."""
    from rich.padding import Padding
    from rich.text import Text

    from implicitbias.report.page import pairs
    from implicitbias.report.words import badge, why

    for s in standings:
        claim, flaw = _flawed(s)
        rows = [("printed", candidate_text(flaw.printed)), ("corrected", candidate_text(claim.formula))]
        rows.append(("wrong", flaw.wrong))
        by, judged = _refutation(s)
        if by and judged:
            rows.append(("refuted", f"{why(judged)}, {by.verdict.lower()} by `{by.check}`"))
        else:
            rows.append(("refuted", "not yet: run `implicitbias verify` for it"))
        rows.append(("charitably", flaw.charitable))
        yield Text("")
        yield Text.assemble((claim.source.locator, "bold"), f": {flaw.word}, {flaw.sure}  ", badge(s.standing))
        yield Padding(pairs([("claim", claim.id), *rows]), (0, 0, 0, 2))


def entry(s: ClaimStanding) -> dict[str, Any]:
    """The same as a JSON document."""
    claim, flaw = _flawed(s)
    by, judged = _refutation(s)
    return {
        "id": claim.id,
        "paper": claim.paper,
        "locator": claim.source.locator,
        "title": claim.title,
        "standing": str(s.standing),
        "word": flaw.word,
        "sure": flaw.sure,
        "printed": candidate_text(flaw.printed),
        "corrected": candidate_text(claim.formula),
        "wrong": flaw.wrong,
        "charitable": flaw.charitable,
        "refuted_by": by and {"check": by.check, "kind": str(by.kind), **judged.to_json()} if judged else None,
    }


def _flawed(s: ClaimStanding) -> tuple[Claim, Flaw]:
    assert s.claim.flaw is not None
    return s.claim, s.claim.flaw


def _refutation(s: ClaimStanding) -> tuple[Result | None, Judgement | None]:
    """The strongest check that refutes the printed form: a proof before a certificate before an experiment."""
    order = ["proof", "certificate", "experiment"]
    found = [r for r in s.results if r.printed and r.printed.outcome is Outcome.REJECTED]
    best = min(found, key=lambda r: order.index(str(r.kind)), default=None)
    return best, best.printed if best else None
