"""`implicitbias formalise`: the theorems of claims as Coq files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from implicitbias.commands.options import ClaimsFolder, Globs, LedgerFile, Workers, reachable
from implicitbias.commands.output import remark, say
from implicitbias.errors import UserError

if TYPE_CHECKING:
    from implicitbias.claims.statement import Claim
    from implicitbias.judging.result import Result

Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FOLDER",
        callback=reachable,
        help="Where the files go; by default standard output.",
    ),
]


def formalise(
    globs: Globs = None,
    output: Output = None,
    workers: Workers = None,
    claims: ClaimsFolder = None,
    ledger: LedgerFile = None,
) -> None:
    """Write theorems as Coq files.

    One file a proof, made from the record that the rule has checked: the statement with its definedness, that its
    hypotheses can be met, and that the claim's controls may not stand in its formula's place. The proofs run first,
    unless their results are recorded. `coqc` needs the library beside it: see its README, or let `verify --formal` ask.
    """
    from implicitbias.claims.catalogue import load
    from implicitbias.claims.check import Kind
    from implicitbias.formal.checking import askable, formalised
    from implicitbias.formal.terms import NotInCoqError
    from implicitbias.record.ledger import Ledger
    from implicitbias.running.runner import run

    catalogue = load(claims)
    chosen = catalogue.select(globs or ())
    with Ledger(ledger) as opened:
        results = list(run(chosen, folder=claims, workers=workers, kinds=[Kind.PROOF], ledger=opened))
    by_id = {claim.id: claim for claim in chosen}
    written, without = 0, []
    for result in sorted(results, key=lambda r: (r.claim, r.check)):
        claim = by_id[result.claim]
        if not askable(claim, result):
            continue
        try:
            text = formalised(claim, result).text()
        except NotInCoqError as error:
            without.append(f"{result.claim}: {error}")
            continue
        written += 1
        if output is None:
            say(text)
        else:
            _folder(output).joinpath(_file(claim, result)).write_text(text, encoding="utf-8")
    for line in without:
        remark(f"not in Coq: {line}")
    if not written:
        raise UserError("none of these claims has a theorem that is written in Coq: see `implicitbias list --all`")
    if output is not None:
        remark(f"{written} Coq file{'' if written == 1 else 's'} in {output}")


def _folder(output: Path) -> Path:
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{output} cannot be made a folder: {error.strerror}") from None
    return output


def _file(claim: Claim, result: Result) -> str:
    """`savarese2019_lemma_1.v`; with the check's name where a claim has several proofs."""
    proofs = [check for check in claim.checks if check.kind == result.kind]
    name = claim.id if len(proofs) == 1 else f"{claim.id} {result.check}"
    return re.sub(r"\W+", "_", name).strip("_") + ".v"
