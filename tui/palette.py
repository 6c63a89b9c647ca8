"""The command palette: every claim, next to the commands that have keys."""

from __future__ import annotations

from functools import partial
from typing import cast

from textual.command import DiscoveryHit, Hit, Hits, Provider

from implicitbias.claims.statement import Claim
from implicitbias.report.words import located, titled

from .host import Host


class Claims(Provider):
    """Finds claims and goes to them."""

    @property
    def host(self) -> Host:
        return cast(Host, self.app)

    async def discover(self) -> Hits:
        for claim in self.host.snapshot.failed():
            yield DiscoveryHit(f"{located(claim)} · {titled(claim)}", partial(self.host.go, claim.id))

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for claim in self.host.snapshot.claims:
            name = f"{located(claim)} · {titled(claim)}"
            fits = max(matcher.match(name), matcher.match(claim.id))
            if fits > 0:
                score = rank(claim, name, query) + fits / 10
                yield Hit(score, matcher.highlight(name), partial(self.host.go, claim.id), help=claim.id)


def rank(claim: Claim, name: str, query: str) -> int:
    """What begins with what was typed comes before what only holds it, a headline before a part."""
    place, typed = located(claim).lower(), query.strip().lower()
    return 4 * (place == typed) + 2 * name.lower().startswith(typed) + claim.is_headline
