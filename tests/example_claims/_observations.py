"""What the claim files share: observations of squares, and the claim about them."""

from typing import Any

from implicitbias.claims import Check, Claim, Context, Measured, Observation, certificate, claim, seen


@certificate("at integers")
def at_integers(context: Context) -> Observation:
    """x² at a few integers, the last one drawn from the seed."""
    yield from squares(context)


def squares(context: Context) -> Observation:
    drawn = context.random().randrange(10, 1000)
    for x in (0, 1, -2, drawn):
        yield seen(x * x, f"x = {x}", x=x)
    yield Measured("drawn", drawn)
    yield Measured("budget", str(context.budget))


def square(place: str, *checks: Check, formula: str = "x**2", **more: Any) -> Claim:
    return claim(
        f"tested.{place}", place, f"the square, {place}", "f(x) = x²",
        formula=formula, symbols={"x": "a real number"},
        controls={"2*x": "agrees at 0 and 2", "x**3": "agrees at 0 and 1"}, checks=checks, **more,
    )  # fmt: skip
