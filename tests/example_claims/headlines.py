"""A headline that holds, with a part that holds, a corrected one, and a result of our own that does not."""

from implicitbias.claims import Flaw

from ._observations import at_integers, square

HEADLINE = square("headline", at_integers, formerly=("tested.merged",))
CASE = square("headline_case", at_integers, part_of="tested.headline")
SLIP = square(
    "headline_slip",
    at_integers,
    part_of="tested.headline",
    flaw=Flaw("x**2 + 1", "misprint", "a one too much", "certain", "none"),
)
OWN = square("headline_own", at_integers, formula="x**2 + x", part_of="tested.headline", own=True)
