"""The command palette: everything that has a key, and every claim."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

from textual.command import DiscoveryHit, Hit, Hits, Provider

if TYPE_CHECKING:
    from .app import ImplicitBias


class Claims(Provider):
    """Goes to a claim."""

    @property
    def host(self) -> ImplicitBias:
        return cast("ImplicitBias", self.app)

    async def discover(self) -> Hits:
        for claim in self.host.snapshot.failed():
            yield DiscoveryHit(f"{claim.source.locator} · {claim.title}", partial(self.host.go, claim.id))

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for claim in self.host.snapshot.claims:
            name = f"{claim.source.locator} · {claim.title}"
            score = max(matcher.match(name), matcher.match(claim.id))
            if score > 0:
                yield Hit(score, matcher.highlight(name), partial(self.host.go, claim.id), help=claim.id)
