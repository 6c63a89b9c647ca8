"""A counterexample line by line, so that it can be checked by hand."""

from __future__ import annotations

from implicitbias.judging.judgement import Counterexample
from implicitbias.report.words import case_name, equals

from .blocks import Pairs
from .wording import BOLD, DIM, plain

WANTED = {"=": "it says", "<=": "it says at most", ">=": "it says at least"}


def lines(found: Counterexample, indent: int = 0) -> Pairs:
    """The point, the two values, the margin."""
    rows = [("at", case_name(found.label))] if found.label else []
    if found.point:
        rows.append(("where", ", ".join(equals(*given) for given in found.point.items())))
    rows += [("observed", found.observed), (WANTED[found.relation], found.candidate)]
    if found.margin:
        rows.append(("off by", found.margin))
    shown = tuple(
        (plain(name, DIM), plain(says, BOLD if name in ("observed", WANTED[found.relation]) else ""))
        for name, says in rows
    )
    return Pairs(shown, indent)
