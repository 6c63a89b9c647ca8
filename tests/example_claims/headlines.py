"""A headline that holds, with a part that holds, a corrected one, and a result of our own that does not."""

from implicitbias.claims import Flaw

from . import errata
from ._observations import at_integers, square

HEADLINE = square("headline", at_integers, formerly=("tested.merged",))
CASE = square("headline_case", at_integers, part_of="tested.headline")
SLIP = square(
    "headline_slip",
    at_integers,
    part_of="tested.headline",
    flaw=Flaw(errata.ONE_TOO_MUCH, "x**2 + 1"),
)
OWN = square("headline_own", at_integers, formula="x**2 + x", part_of="tested.headline", own=True)
