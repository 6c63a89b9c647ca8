"""One claim of every standing."""

from implicitbias.claims import (
    Context,
    Derivation,
    Flaw,
    Observation,
    Premise,
    certificate,
    experiment,
    proof,
    seen,
)

from . import errata
from ._observations import at_integers, square


@proof("for all x")
def for_all(d: Derivation) -> None:
    """A square is a product."""
    (x,) = d.symbols("x")
    d.concludes(x * x, "x² for all x", x=x)


@experiment("premise", acceptance="the loss is zero")
def without_its_premise(context: Context) -> Observation:
    """One square, seen by a network that was not trained."""
    yield seen(9, "x = 3", x=3)
    yield Premise("the loss was driven to zero", False, "it is 0.1")


@certificate("rejects nothing")
def zero_only(context: Context) -> Observation:
    """Too little to reject anything: 0² is 0 by every formula here."""
    yield seen(0, "x = 0", x=0)


ESTABLISHED = square("established", for_all, at_integers)
CORRECTED = square(
    "corrected", at_integers, flaw=Flaw(errata.ONE_TOO_MUCH, "x**2 + 1")
)  # fmt: skip
REFUTED = square("refuted", at_integers, formula="x**2 + x")
UNDECIDED = square("undecided", without_its_premise)
BROKEN = square("broken", zero_only)
