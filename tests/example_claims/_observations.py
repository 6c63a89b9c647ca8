"""Observations that several claims share."""

from implicitbias.claims.check import Context
from implicitbias.claims.evidence import Evidence, Identity, Instance, Premise


def squares(context: Context) -> Evidence:
    """x² at a few integers, the last one drawn from the seed."""
    drawn = context.random().randrange(10, 1000)
    return Evidence(
        instances=tuple(Instance(f"x = {x}", {"x": x}, x * x) for x in (0, 1, -2, drawn)),
        measured={"drawn": drawn, "budget": str(context.budget)},
    )


def squares_for_all(context: Context) -> Evidence:
    return Evidence(identities=(Identity("x² for all x", {"x": "real"}, {"x": "x"}, "x**2"),))


def squares_of_nothing(context: Context) -> Evidence:
    return Evidence(
        instances=(Instance("x = 3", {"x": 3}, 9),),
        premises=(Premise("the loss was driven to zero", False, "it is 0.1"),),
    )


def zero_only(context: Context) -> Evidence:
    """Too little to reject anything: 0² is 0 by every formula here."""
    return Evidence(instances=(Instance("x = 0", {"x": 0}, 0),))
