"""How the claims of a catalogue stand by what the ledger holds, for the commands that run nothing."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from implicitbias.catalogue import Catalogue, load
from implicitbias.claim import Claim
from implicitbias.result import ClaimStanding, Result, stand


def recorded_results(ledger_file: Path | None, *, evidence: bool = True) -> tuple[Result, ...]:
    """The last result of every check, with or without its evidence; none where no ledger has been written yet."""
    from implicitbias.ledger import Ledger, default_path

    path = ledger_file or default_path()
    if not path.exists():
        return ()
    with Ledger(path, read_only=True) as ledger:
        return ledger.all_latest(evidence=evidence)


def standings(catalogue: Catalogue, results: Iterable[Result]) -> dict[str, ClaimStanding]:
    """Every claim's standing, those of the shipped theory included where a folder's claims rest on them."""
    return stand(with_support(catalogue), results)


def with_support(catalogue: Catalogue) -> tuple[Claim, ...]:
    ids = {claim.id for claim in catalogue.claims}
    if all(used in ids for claim in catalogue.claims for used in claim.rests_on):
        return catalogue.claims
    return (*catalogue.claims, *(claim for claim in load().claims if claim.id not in ids))
