"""One claim of every standing."""

from implicitbias.claims.check import Check, Kind
from implicitbias.claims.statement import Claim, Control, Flaw, Source

from . import _observations as seen

SYMBOLS = {"x": "a real number"}
CONTROLS = (Control("2*x", "agrees at 0 and 2"), Control("x**3", "agrees at 0 and 1"))


def claim(place: str, formula: str, *checks: Check, flaw: Flaw | None = None) -> Claim:
    return Claim(
        id=f"tested.{place}",
        source=Source("tested", place),
        title=f"the square, {place}",
        statement="f(x) = x²",
        formula=formula,
        controls=CONTROLS,
        checks=checks,
        symbols=SYMBOLS,
        flaw=flaw,
    )


CLAIMS = (
    claim(
        "established",
        "x**2",
        Check("for all x", Kind.PROOF, seen.squares_for_all),
        Check("at integers", Kind.CERTIFICATE, seen.squares),
    ),
    claim(
        "corrected",
        "x**2",
        Check("at integers", Kind.CERTIFICATE, seen.squares),
        flaw=Flaw("x**2 + 1", "misprint", "a one too much", "certain", "none"),
    ),
    claim("refuted", "x**2 + x", Check("at integers", Kind.CERTIFICATE, seen.squares)),
    claim("undecided", "x**2", Check("premise", Kind.EXPERIMENT, seen.squares_of_nothing)),
    claim("broken", "x**2", Check("rejects nothing", Kind.CERTIFICATE, seen.zero_only)),
)
