"""Definition 4.1: measures on half-planes of proportional neurons, and what merging them does."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Observation, certificate, claim, seen, shows, theorem
from implicitbias.exact.formula import Assumption
from implicitbias.theorems.rules.values.value import Value

from ..observed.units.neurons import Neuron, Point, random_data, random_fraction, random_unit_vector


def _atoms(context: Context, count: int) -> list[tuple[Point, dict[str, Fraction], Point]]:
    """A direction θ, two neurons (g·θ, c), (h·θ, e) of its half-plane with masses p, q, and a datum."""
    draw = context.random()
    cases = []
    signs = ((1, 1), (1, -1), (-1, -1), (1, 0), (1, 1))
    for n in range(count):
        d = 1 + n % 3
        radius = 1 + abs(random_fraction(draw))
        theta = tuple(radius * t for t in random_unit_vector(draw, d + 1))
        g, h = (Fraction(draw.randint(1, 9), 3) for _ in range(2))
        c, e = (sign * Fraction(draw.randint(1, 9), 2) for sign in signs[n % 5])
        p = Fraction(draw.randint(1, 5), 6)
        q = (1 - p) * Fraction(draw.randint(1, 4), 4)
        if n == 1:  # they cancel
            p = q = Fraction(1, 3)
            e = -g * c / h
        (x,) = random_data(draw, 1, d)
        cases.append((theta, {"p": p, "q": q, "c": c, "e": e, "g": g, "h": h}, x))
    return cases


@certificate("atoms evaluated")
def atoms_evaluated(context: Context) -> Observation:
    """The sum of both atoms' outputs in one to three dimensions, cancelling ones included, in fractions."""
    for theta, given, x in _atoms(context, context.choose(20, 90)):
        p, q, c, e, g, h = given.values()
        one, two = (Neuron(tuple(s * t for t in theta), weight) for s, weight in ((g, c), (h, e)))
        yield seen(p * one(x) + q * two(x), f"d={len(x)}", **given, z=Neuron(theta, c).before(x))


@theorem("both signs of the pre-activation")
def two_atoms_at_a_datum() -> Observation:
    """Both atoms at a datum, for all masses, weights, scales and pre-activations."""
    both = Value("p*unit(c, g, 0, z) + q*unit(e, h, 0, z)")
    over: dict[str, Assumption] = {**dict.fromkeys("pq", "nonnegative"), **dict.fromkeys("gh", "positive")}
    over |= dict.fromkeys(("c", "e", "z"), "real")
    yield shows(both, for_all=over, split=("z",), **{name: name for name in over})


MERGED = claim(
    "dedios2020.definition_4_1",
    "Definition 4.1 and the sentence after (15)",
    "A half-plane of neurons acts as one neuron",
    """Atoms (g·θ, c) and (h·θ, e) of masses p, q on one half-plane, g, h > 0, act as (p·g·c + q·h·e)[θ·x̃]_+: one
    neuron with the mass p + q and the same function. So a measure that is effectively supported on n points represents
    the same function as one supported on n points.""",
    latex=r"""p\,c\,[g\,\theta\cdot\tilde x]_++q\,e\,[h\,\theta\cdot\tilde x]_+=(p\,g\,c+q\,h\,e)\,[\theta\cdot\tilde
    x]_+\quad(z=\theta\cdot\tilde x)""",
    hypotheses=("g, h > 0",),
    formula="(p*g*c + q*h*e)*Max(z, 0)",
    symbols={
        "p": "mass of the first atom",
        "q": "mass of the second",
        "c": "output weight of the first",
        "e": "output weight of the second",
        "g": "scale of the first",
        "h": "scale of the second",
        "z": "θ·x̃",
    },
    controls={
        "(p*g*Abs(c) + q*h*Abs(e))*Max(z, 0)": "moduli merged in place of signed weights",
        "(p*c + q*e)*Max(z, 0)": "scales omitted",
        "(p*g*c + q*h*e)*Abs(z)": "both half-lines of the plane merged",
        "(p + q)*(g*c + h*e)*Max(z, 0)/2": "the mean of both neurons with the whole mass",
    },
    checks=(two_atoms_at_a_datum, atoms_evaluated),
    part_of="dedios2020.theorem_4_2",
)
