"""How claims are named by whoever asks for them."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

from implicitbias.claims.statement import Claim


def place_of(claim: Claim) -> str:
    """The id without the paper: `theorem_3_1`."""
    return claim.id.partition(".")[2]


def as_named(given: str) -> str:
    """A place as it is printed in the form in which claims are named: `Theorem 3.3` is theorem_3_3."""
    return re.sub(r"[^\w*?]+", "_", given.strip().lower()).strip("_") if " " in given.strip() else given


def matches(claim: Claim, pattern: str) -> bool:
    """Whether the pattern is the claim's paper, or fits its id, its place or a former id."""
    names = (claim.id, place_of(claim), *claim.formerly)
    return claim.paper == pattern or any(fnmatchcase(name, pattern) for name in names)
