"""`implicitbias attack CLAIM`: the claim's theorems altered so that they are false, and what became of each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from implicitbias.commands.options import AsJson, ClaimId, ClaimsFolder, Seed, Workers
from implicitbias.commands.output import print_json

if TYPE_CHECKING:
    from implicitbias.claims.statement import Claim
    from implicitbias.theorems.attacks.attack import Attack, Trial

LIMIT = 20.0
"""Seconds for one altered theorem: a rule that does not come to an end has accepted nothing."""


def attack(
    claim_id: ClaimId,
    most: Annotated[
        int | None, typer.Option("--most", metavar="N", min=1, help="Try N alterations of each theorem, not all.")
    ] = None,
    seed: Seed = 0,
    workers: Workers = None,
    claims: ClaimsFolder = None,
    as_json: AsJson = False,
) -> None:
    """Try to get something false past a proof.

    Each theorem of the claim is altered: false formulas typed in, witnesses and hypotheses changed, the primitives of
    its definition replaced. Exit codes: 0 nothing false was accepted, 1 something was.
    """
    from implicitbias.claims.catalogue import load

    claim = load(claims).claim(claim_id)
    trials = list(_tried(claim, most, seed, workers))
    found = [trial for trial in trials if trial.fate.is_hole]
    if as_json:
        print_json(_document(claim, trials))
    else:
        _print(claim, trials, found)
    raise typer.Exit(1 if found else 0)


def _tried(claim: Claim, most: int | None, seed: int, workers: int | None) -> Iterator[Trial]:
    from implicitbias.running.executor import OutOfTimeError, WorkerDiedError, WorkerPool
    from implicitbias.theorems.attacks.attack import Fate, Trial, tried

    pool = WorkerPool(workers)
    try:
        futures = [(one, pool.submit_within(LIMIT, tried, one)) for one in _attacks(claim, most, seed)]
        for one, future in futures:
            try:
                yield future.result()
            except (OutOfTimeError, WorkerDiedError) as error:
                yield Trial(one.how, Fate.NOT_SHOWN, str(error))
    finally:
        pool.stop()


def _attacks(claim: Claim, most: int | None, seed: int) -> list[Attack]:
    """Raises UserError for a claim without theorems."""
    from implicitbias.claims.check import Context, Kind
    from implicitbias.errors import UserError
    from implicitbias.theorems.attacks.attack import Stated, attacks
    from implicitbias.theorems.theorem import Theorem

    proofs = [check.observe(Context()) for check in claim.checks if check.kind is Kind.PROOF]
    proven = [theorem for evidence in proofs for theorem in evidence.theorems]
    if not proven:
        raise UserError(f"no check of {claim.id} shows a theorem: there is nothing to alter")
    controls = [c.candidate for c in claim.controls if isinstance(c.candidate, str)]
    stated = [Stated(Theorem.from_json(p.document), str(claim.formula), controls, p.conclusions) for p in proven]
    return [one for theorem in stated for one in attacks(theorem, most, seed)]


def _print(claim: Claim, trials: list[Trial], found: list[Trial]) -> None:
    from rich.console import Group
    from rich.text import Text

    from implicitbias.report.page import pairs
    from implicitbias.report.words import show
    from implicitbias.theorems.attacks.attack import counted

    tried = f"{len(trials)} altered theorem{'' if len(trials) == 1 else 's'}, {len(found)} accepted"
    marked = Text(f"✗ {tried}", style="bold red") if found else Text(f"✓ {tried}", style="green")
    rows = [(str(number), str(fate)) for fate, number in counted(trials).items()]
    listed = [Text(f"  {trial.how}: {trial.detail}") for trial in found]
    show(Group(Text(f"{claim.source.locator}  {claim.title}", style="bold"), marked, pairs(rows), *listed))


def _document(claim: Claim, trials: list[Trial]) -> dict[str, object]:
    return {
        "schema": 1,
        "claim": claim.id,
        "accepted": sum(trial.fate.is_hole for trial in trials),
        "trials": [{"how": t.how, "fate": t.fate.name.lower(), "detail": t.detail} for t in trials],
    }
