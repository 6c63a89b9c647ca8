"""The report as a page: one HTML file that needs no network, for screen, phone and printer.

Headlines come first, their parts folded below them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import groupby
from typing import Any, TextIO

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from implicitbias.claims.erratum import EFFECTS
from implicitbias.claims.statement import Claim
from implicitbias.judging.result import ClaimStanding, Result
from implicitbias.judging.verdict import GLYPHS, Standing
from implicitbias.report.html.brief import brief
from implicitbias.report.html.graph import across, graphs
from implicitbias.report.html.mathml import from_formula, from_latex, from_text
from implicitbias.report.html.plot import MARKS as PLOT_MARKS
from implicitbias.report.html.plot import plot
from implicitbias.report.html.sentence import sentence
from implicitbias.report.judged import rows
from implicitbias.report.lines import typeset_line
from implicitbias.report.paper import authors, facts, totals
from implicitbias.report.plots import plots
from implicitbias.report.summary import Report, counts_of, made_in_words, made_with, survivors
from implicitbias.report.theorem import told
from implicitbias.report.typeset import symbol, typeset
from implicitbias.report.words import IN_COQ, MARKS, claims_apart, count, located, parts_text, seconds, value, why

FEW = 3
"""Instances of an observation that the page shows; the ledger has them all."""

MEANINGS = {
    Standing.ESTABLISHED: "every check accepts the claim, and every control is rejected",
    Standing.CORRECTED: "the printed form is refuted, the corrected one established",
    Standing.REFUTED: "a check contradicts the claim: there is a counterexample",
    Standing.UNDECIDED: "no contradiction, but a premise, a check or precision is missing",
    Standing.BROKEN: "a check failed or could not have refuted the claim, or a control survives",
    Standing.UNCHECKED: "no check has run",
    Standing.OPEN: "a conjecture: its search has found nothing against it",
}


def write(report: Report, stream: TextIO) -> None:
    """Write the page."""
    stream.write(brief(_template().render(report=report, **_page(report))))
    stream.write("\n")


def _page(report: Report) -> dict[str, Any]:
    papers = [
        (paper, families, [s for s in report.standings if s.claim.paper == paper.key])
        for paper in report.papers
        if (families := report.families(paper.key))
    ]
    rested_on_by: dict[str, list[str]] = {}
    beside: dict[str, list[str]] = {}
    for s in report.standings:
        for other in s.claim.see_also:
            for one, seen in ((s.claim.id, other), (other, s.claim.id)):
                if seen not in beside.setdefault(one, []):
                    beside[one].append(seen)
        for below in s.claim.rests_on:
            rested_on_by.setdefault(below, []).append(s.claim.id)
    return {
        "graphs": graphs(report),
        "across": across(report),
        "papers": papers,
        "everything": [s.claim for s in report.standings],
        "known": {s.claim.id: s for s in report.standings},
        "rested_on_by": rested_on_by,
        "beside": beside,
        "classes": [(effect, EFFECTS[effect], list(of)) for effect, of in groupby(report.errata, lambda e: e.effect)],
        "grave": sum(erratum.counts for erratum in report.errata),
        "showing": _showing(report),
        "provenance": _provenance(report),
    }


def _showing(report: Report) -> dict[str, list[ClaimStanding]]:
    """For each erratum the claims of this report that show it."""
    claims: dict[str, list[ClaimStanding]] = {}
    for s in report.standings:
        if s.claim.flaw:
            claims.setdefault(s.claim.flaw.erratum.id, []).append(s)
    return claims


@lru_cache(maxsize=1)
def _template() -> Any:
    environment = Environment(
        loader=PackageLoader("implicitbias.report.html", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {
        "style": _own("style.css"),
        "script": _own("page.js"),
        "GLYPHS": GLYPHS,
        "MARKS": MARKS,
        "MEANINGS": MEANINGS,
        "FEW": FEW,
        "core": _core,
        "count": count,
        "counts_of": counts_of,
        "claims_apart": claims_apart,
        "authors": authors,
        "facts": facts,
        "located": located,
        "parts_text": parts_text,
        "totals": totals,
        "made": _made,
        "plot": plot,
        "plot_marks": PLOT_MARKS,
        "plots": plots,
        "rows": rows,
        "survivors": survivors,
        "told": told,
        "IN_COQ": IN_COQ,
    }
    environment.filters |= {
        "derived": from_text,
        "formula": _formula,
        "line": typeset_line,
        "prose": sentence,
        "seconds": seconds,
        "symbol": symbol,
        "typeset": typeset,
        "value": value,
        "why": why,
    }
    return environment.get_template("page.html")


def _own(name: str) -> Markup:
    return Markup(files("implicitbias.report.html").joinpath(name).read_text(encoding="utf-8"))


def _core(claim: Claim) -> Markup:
    """The claim's LaTeX typeset; as it is if it contains an unknown command."""
    try:
        return from_latex(claim.latex, block=True) if claim.latex else Markup("")
    except ValueError:
        return Markup("<code>{}</code>").format(claim.latex)


def _formula(candidate: Any) -> Markup:
    """A formula in MathML; a rule in its words."""
    return from_formula(candidate) if isinstance(candidate, str) else Markup("{}").format(candidate.says)


def _made(result: Result, provenance: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """How the result was made, as far as `provenance` does not say it of all results."""
    common = dict(provenance)
    rows = made_in_words({k: v for k, v in made_with(result).items() if k not in ("key", "check", "time_limit")})
    return [(name, given) for name, given in rows if name != "versions" and common.get(name) != given]


def _provenance(report: Report) -> list[tuple[str, str]]:
    """What all results have in common, and every version that any of them was made with."""
    versions: dict[str, set[str]] = {}
    for result in report.results:
        for name, version in made_with(result).get("versions", {}).items():
            versions.setdefault(name, set()).add(version)
    told = {name: " and ".join(sorted(found)) for name, found in sorted(versions.items())}
    return made_in_words({**report.provenance, "versions": told})
