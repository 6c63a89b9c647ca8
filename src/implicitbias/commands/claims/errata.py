"""`implicitbias errata --check FOLDER`: are the words that the errata quote in the papers' texts?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from implicitbias.commands.options import AsJson, ClaimsFolder
from implicitbias.commands.output import print_json, say

if TYPE_CHECKING:
    from implicitbias.claims.quotation import Checked

Texts = Annotated[
    Path,
    typer.Option(
        "--check", metavar="FOLDER", exists=True, file_okay=False, help="The texts of the papers, one file an edition."
    ),
]


def errata(check: Texts, claims: ClaimsFolder = None, as_json: AsJson = False) -> None:
    """Check the errata's quotations against texts of the papers.

    For maintainers: the texts are no part of implicitbias. Every quotation in words must be found in the text of every
    edition that is said to print it, whatever the white space, hyphens and ligatures; a formula, which extraction from
    a PDF loses, must cite edition and place. Exit code 1 if one is not found.
    """
    from implicitbias.claims.catalogue import load
    from implicitbias.claims.quotation import check as held_against

    catalogue = load(claims)
    found = [held_against(erratum, reading, check) for erratum in catalogue.errata for reading in erratum.readings]
    wrong = [one for one in found if one.says]
    words = [one for one in found if not one.erratum.formula]
    if as_json:
        print_json({"schema": 1, "readings": [_document(one) for one in found]})
    else:
        for one in wrong:
            say(f"✗ {one.erratum.id}, {one.reading.edition.name}, {one.reading.where}: {one.says}")
        bad = sum(bool(one.says) for one in words)
        say(f"{len(words) - bad} of {len(words)} quotations in words found, edition by edition")
        say(f"{len(found) - len(words)} readings of formulas, each with edition and place")
    raise typer.Exit(1 if wrong else 0)


def _document(one: Checked) -> dict[str, Any]:
    return {
        "erratum": one.erratum.id,
        "edition": one.reading.edition.name,
        "file": one.reading.edition.file,
        "where": one.reading.where,
        "seen": one.reading.seen,
        "formula": one.erratum.formula,
        "says": one.says or None,
    }
