"""Section 2, after (5): R(f) is finite only for piecewise-linear functions with finitely many pieces."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import combinations_with_replacement, product

from implicitbias.claims import Context, Measured, Observation, Rule, Value, certificate, claim, rule, seen
from implicitbias.exact.vectors import dot

Unit = tuple[int, int, Fraction]
"""(w, b, v): the unit v[wx+b]₊ of one input."""


def slope_jumps(units: Iterable[Unit]) -> dict[Fraction, Fraction]:
    """The kinks of Σv[wx+b]₊ and the jumps of its slope there, |w|v each at −b/w; those that cancel left out."""
    jumps: dict[Fraction, Fraction] = defaultdict(Fraction)
    for w, b, v in units:
        if w:
            jumps[Fraction(-b, w)] += abs(w) * v
    return {kink: jump for kink, jump in jumps.items() if jump}


@certificate("counted on networks")
def count_pieces(context: Context) -> Observation:
    """Pieces of networks of k units: the maximum over all networks on a grid for k <= 3, wider ones with distinct
    kinks, and random ones with shared kinks, cancelling and dead units.
    """
    draw = context.random()
    grid = [(w, b, Fraction(v)) for w, b, v in product((-1, 0, 1, 2), (-1, 0, 1), (-1, 1))]
    for k in range(4):
        most = max(len(slope_jumps(units)) + 1 for units in combinations_with_replacement(grid, k))
        yield seen(most, f"the most pieces of all networks of {k} units on a grid", k=k)
    for k in range(4, 45):
        units = [(draw.choice((-1, 1)), -i, Fraction(draw.randint(1, 9))) for i in range(k)]
        yield seen(len(slope_jumps(units)) + 1, f"{k} units with kinks of their own", k=k)
    for _ in range(24):
        k = draw.randint(0, 12)
        units = [(draw.randint(-2, 2), draw.randint(-4, 4), Fraction(draw.randint(-2, 2))) for _ in range(k)]
        pieces = len(slope_jumps(units)) + 1
        yield seen(pieces, f"random network of {k} units", relation="<=", k=k, units=tuple(units))


@certificate("all networks of three units")
def narrowest_networks(context: Context) -> Observation:
    """The fewest units of 175 functions with kinks in {0, 1}, by exhaustive search over networks of at most three units
    on a grid.
    """
    heights = [Fraction(n, 2) for n in range(-6, 7) if n]
    grid = [(w, -b, v) for w, b, v in product((1, -1), (0, 1), heights)]
    fewest: dict[tuple[tuple[tuple[Fraction, Fraction], ...], Fraction], int] = {}
    for k in range(4):
        for units in combinations_with_replacement(grid, k):
            placed = [(w, w * b, v) for w, b, v in units]
            jumps = tuple(sorted(slope_jumps(placed).items()))
            end_slopes = sum((w * v for w, _, v in placed), Fraction(0))
            fewest.setdefault((jumps, end_slopes), k)
    sizes = (-2, -1, 0, 1, 2)
    for first, second, s in product(sizes, sizes, range(-3, 4)):
        jumps = tuple((Fraction(kink), Fraction(u)) for kink, u in ((0, first), (1, second)) if u)
        yield seen(
            fewest[jumps, Fraction(s)], f"slope jumps {first}, {second} at 0, 1", jumps=tuple(u for _, u in jumps), s=s
        )
    yield Measured("functions met", len(fewest))


def _jumps(given: Mapping[str, Value]) -> tuple[Fraction, ...]:
    return tuple(Fraction(u) for u in given["jumps"])  # type: ignore[union-attr, arg-type]


@rule("signs")
def _by_signs(given: Mapping[str, Value]) -> int:
    """m units if some signs give Σ±κ = s, else m+1; an affine function 0 or 2"""
    jumps, s = _jumps(given), given["s"]
    if any(dot(signs, jumps) == s for signs in product((1, -1), repeat=len(jumps))):
        return len(jumps)
    return len(jumps) + 1 if jumps else 2


@rule("two for the line")
def _two_for_the_line(given: Mapping[str, Value]) -> int:
    """m units, and two more unless s = Σκ"""
    jumps = _jumps(given)
    return len(jumps) + (0 if sum(jumps) == given["s"] else 2)


SECTION_2_PIECES = claim(
    "savarese2019.section_2_pieces",
    "Section 2, after (5)",
    "Pieces of a network of k units",
    """A network of k units of one input has at most k+1 pieces, and k+1 is reached for every k. So R(f), which asks for
    an exact representation by finitely many units, is finite only where f has finitely many linear pieces.""",
    part_of="savarese2019.equation_8",
    latex=r"\#\text{pieces}(h_\theta)\le k+1",
    hypotheses=("one input",),
    formula="k + 1",
    symbols={"k": "the number of units"},
    controls={
        "k": "one piece per unit",
        "2*k": "two pieces per unit",
        "k + 2": "an unbounded piece beyond each end",
        "2**k": "every pattern of active units",
    },
    checks=(count_pieces,),
)


SECTION_2_WIDTH = claim(
    "savarese2019.section_2_width",
    "beside (5): how many units an exact representation needs",
    "The fewest units of a piecewise-linear function",
    """A function with slope jumps κ₁, …, κ_m ≠ 0 and s = f′(−∞)+f′(+∞) needs m units if signs with Σ±κᵢ = s exist, and
    m+1 otherwise (m >= 1); an affine function needs none if it is constant and two if not. Proof: each kink needs a
    unit, and a single unit at κᵢ adds ±κᵢ to s by its orientation; one unit more, at the same kink as another, splits
    that jump in u and κᵢ−u of opposite orientations and adds any 2u−κᵢ.""",
    part_of="savarese2019.equation_8",
    latex=r"""k_{\min}(f)=m\ \text{if}\ \exists\,\epsilon\in\{\pm1\}^m:\
    \textstyle\sum_i\epsilon_i\kappa_i=s,\quad\text{else}\ m+1\qquad(m\ge1)""",
    hypotheses=("one input", "the output bias is free"),
    formula=_by_signs,
    controls={
        Rule("a unit a kink", "m units", lambda given: len(_jumps(given))): "the orientation is forgotten",
        Rule(
            "one more for the slope",
            "m units, and one more unless s = 0",
            lambda given: len(_jumps(given)) + (given["s"] != 0),
        ): "s counted as a kink",
        _two_for_the_line: "all units forward, an affine function on top",
    },
    checks=(narrowest_networks,),
    rests_on=("savarese2019.section_2_pieces",),
    own=True,
)
