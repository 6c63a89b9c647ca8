"""The standings of a catalogue's claims, computed from given results."""

from __future__ import annotations

from collections.abc import Iterable

from implicitbias.claims.catalogue import Catalogue, load
from implicitbias.claims.statement import Claim
from implicitbias.judging.result import ClaimStanding, Result, stand


def standings(catalogue: Catalogue, results: Iterable[Result]) -> dict[str, ClaimStanding]:
    """Every claim's standing, including those of the shipped theory if a folder's claims rest on them."""
    return stand(with_support(catalogue), results)


def with_support(catalogue: Catalogue) -> tuple[Claim, ...]:
    """The catalogue's claims, and the shipped ones if some of them rest on those."""
    ids = {claim.id for claim in catalogue.claims}
    if all(used in ids for claim in catalogue.claims for used in claim.rests_on):
        return catalogue.claims
    return (*catalogue.claims, *(claim for claim in load().claims if claim.id not in ids))
