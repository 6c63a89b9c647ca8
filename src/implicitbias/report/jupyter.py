"""An extension of IPython, `%load_ext implicitbias.report.jupyter`: claims, results and catalogues as small tables.

Their classes are what every recorded result was made with, and know nothing of notebooks. They are registered by
name, so that nothing is imported before there is one to be shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from implicitbias.legible import legible

if TYPE_CHECKING:
    from implicitbias.certificate.kernel import Outcome
    from implicitbias.claims.catalogue import Catalogue
    from implicitbias.claims.statement import Claim
    from implicitbias.judging.result import Result


def load_ipython_extension(shell: Any) -> None:
    """What IPython calls at `%load_ext`."""
    for (module, name), html in SHOWN.items():
        shell.display_formatter.formatters["text/html"].for_type_by_name(module, name, html)


def of_claim(claim: Claim) -> str:
    """What is claimed, and how it is judged."""
    from implicitbias.claims.statement import candidate_text

    told = {
        "id": claim.id,
        "where": f"{claim.source.paper}, {claim.source.locator}",
        "statement": claim.statement,
        "formula": candidate_text(claim.formula),
        "symbols": "; ".join(f"{symbol}: {meaning}" for symbol, meaning in claim.symbols.items()),
        "as printed": "" if claim.printed is None else candidate_text(claim.printed),
        "checks": "; ".join(f"{check.name} ({check.kind})" for check in claim.checks),
        "controls": "; ".join(candidate_text(control.candidate) for control in claim.controls),
    }
    return _table(claim.title, told)


def of_result(result: Result) -> str:
    """The verdict of a check, and what it rests on."""
    told = {
        "check": f"{result.check} ({result.kind})",
        "verdict": f"{result.verdict}{' · Coq' * result.in_coq}",
        "reason": result.reason,
        "controls rejected": f"{result.controls_rejected} of {len(result.controls)}",
        "as printed": "" if result.printed is None else str(result.printed.outcome),
        "seconds": f"{result.seconds:.3g}",
    }
    return _table(result.claim, told)


def of_catalogue(catalogue: Catalogue) -> str:
    """How many claims there are of each paper."""
    counts = Counter(claim.paper for claim in catalogue.claims)
    return _table(f"{len(catalogue.claims)} claims", {paper: str(count) for paper, count in counts.items()})


def of_outcome(outcome: Outcome) -> str:
    """Whether a certificate is valid, and what it proves."""
    told = {"valid": "yes", "proved": outcome.statement} if outcome.valid else {"valid": "no", "reason": outcome.reason}
    return _table("Certificate", told)


SHOWN = {
    ("implicitbias.claims.statement", "Claim"): of_claim,
    ("implicitbias.judging.result", "Result"): of_result,
    ("implicitbias.claims.catalogue", "Catalogue"): of_catalogue,
    ("implicitbias.certificate.kernel", "Outcome"): of_outcome,
}
"""By module and name, as `for_type_by_name` asks for them."""


def _table(title: str, told: Mapping[str, str]) -> str:
    """Whole sentences, escaped; what is empty is left out."""
    from markupsafe import Markup

    left = Markup('style="text-align: left"')
    rows = [
        Markup('<tr><th scope="row" {left}>{}</th><td {left}>{}</td></tr>').format(legible(n), legible(says), left=left)
        for n, says in told.items()
        if says
    ]
    caption = Markup('<caption style="text-align: left; font-weight: bold">{}</caption>').format(legible(title))
    return str(Markup("<table>{}{}</table>").format(caption, Markup("").join(rows)))
