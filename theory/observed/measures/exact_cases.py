"""Data sets whose least total variation and set of minimisers are known in rationals.

Each case consists of a dual p, which attains its bound exactly at the contacts, and masses at the contacts; these
determine the labels. By `contact_sets`, the value is Σ|mass| and every minimiser is supported on the contacts. Further
cases are drawn at random: abscissae with 1 + x² a square and an exact linear programme over the directions at walls,
kept if its dual is feasible everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property
from itertools import pairwise
from random import Random
from typing import Any

from implicitbias.exact.vectors import dot, rank, rational_root, relu

from .contact_sets import Contact, Point, Rational, Touching, lift, touching, unit

HALF_ANGLES = ((3, 4), (4, 3), (5, 12), (12, 5), (8, 15), (15, 8), (7, 24), (24, 7), (20, 21), (21, 20))
ABSCISSAE = (Fraction(0), *(Fraction(s * a, b) for a, b in HALF_ANGLES for s in (1, -1)))
"""Points x with √(1 + x²) rational."""


@dataclass(frozen=True)
class Case:
    """Labels from masses at the contacts of a feasible dual.

    points  x̃_i;  p  the dual;  masses  one per contact, in order, with the sign of g there (0: unused)
    shift   the weight is |θ| + shift·θ; None: the total variation
    """

    label: str
    points: tuple[Point, ...]
    p: tuple[Fraction, ...]
    masses: tuple[Fraction, ...]
    touch: Touching
    shift: tuple[Fraction, ...] | None = None

    @property
    def contacts(self) -> tuple[Contact, ...]:
        return self.touch.contacts

    @property
    def x(self) -> tuple[Point, ...]:
        """The inputs x, without the trailing 1 of x̃."""
        return tuple(x[:-1] for x in self.points)

    @property
    def n(self) -> int:
        return len(self.points)

    @property
    def d(self) -> int:
        return len(self.points[0]) - 1

    @property
    def cells(self) -> int:
        """S, the number of cells."""
        return len(self.touch.patterns)

    @cached_property
    def features(self) -> tuple[tuple[Fraction, ...], ...]:
        """Row i, column k: [θ_k·x̃_i]_+ of the k-th contact."""
        return tuple(tuple(relu(dot(c.theta, x)) for c in self.contacts) for x in self.points)

    @cached_property
    def rank(self) -> int:
        return rank(self.features)

    @cached_property
    def y(self) -> tuple[Fraction, ...]:
        return tuple(dot(row, self.masses) for row in self.features)

    def weight(self, theta: Point) -> Fraction:
        """w(θ) for a unit vector θ."""
        return Fraction(1) + (dot(self.shift, theta) if self.shift else 0)

    @cached_property
    def value(self) -> Fraction:
        """V*: the cost of the masses. Raises ArithmeticError unless it equals p·y, the bound proved by the dual."""
        cost = sum(
            (abs(m) * self.weight(c.theta) for m, c in zip(self.masses, self.contacts, strict=True)), Fraction(0)
        )
        if cost != dot(self.p, self.y):
            raise ArithmeticError(f"{self.label}: the masses cost {cost}, the dual proves {dot(self.p, self.y)}")
        return cost

    def times(self, size: Fraction) -> Case:
        """The labels times a positive factor, for which the dual is the same."""
        return replace(self, masses=tuple(size * m for m in self.masses))

    @property
    def unique(self) -> bool:
        """Whether the minimiser is unique: the features of all contacts are linearly independent."""
        return self.rank == len(self.contacts)

    @property
    def free_dimension(self) -> int:
        """Dimension of the set of minimisers. Raises ValueError if a contact has zero mass."""
        if not all(self.masses):
            raise ValueError(f"{self.label}: a contact has no mass, so the dimension is not read off the rank")
        return len(self.contacts) - self.rank

    def document(self) -> dict[str, Any]:
        """The certificate of the value for the trusted checker; supports only the total variation."""
        from implicitbias.convex.cells.arrangement import cells_of
        from implicitbias.convex.variation.bounds import Dual, Unit
        from implicitbias.convex.variation.least import TvInterpolant

        units = tuple(Unit(m, c.theta) for m, c in zip(self.masses, self.contacts, strict=True) if m)
        dual = Dual(self.p, self.touch.above, self.touch.below, 1.0)
        return TvInterpolant(self.points, self.y, units, dual, cells_of(self.x)).certificate()


def case(
    label: str,
    points: Sequence[Sequence[Rational | str]],
    p: Sequence[Rational | str],
    masses: Sequence[Rational | str] | None = None,
    shift: Sequence[Rational | str] | None = None,
) -> Case:
    """`masses`: sizes at the contacts, in order; default 1, 2, 3, …. Raises ArithmeticError unless max |g|/w = 1."""
    lifted, dual = tuple(map(lift, points)), tuple(Fraction(q) for q in p)
    tilt = tuple(Fraction(s) for s in shift) if shift else None
    touch = touching(lifted, dual, tilt)
    if touch.largest != 1:
        raise ArithmeticError(f"{label}: |g| reaches √{touch.largest} times the weight, not 1")
    sizes = [Fraction(m) for m in masses] if masses else [Fraction(k + 1) for k in range(len(touch.contacts))]
    signed = tuple(c.sign * size for c, size in zip(touch.contacts, sizes, strict=True))
    return Case(label, lifted, dual, signed, touch, tilt)


def zigzag_dual(x: Sequence[Rational], heights: Sequence[Rational]) -> tuple[Fraction, ...]:
    """p with Σ p_i [x_i - t]_+ = Σ p_i [t - x_i]_+ = ρ(t): the piecewise-linear interpolant of the heights at x_i.

    The x_i include both ends, where the heights must be 0; hence Σ p_i = Σ p_i x_i = 0.
    """
    slopes = [Fraction(0)]
    for i in range(len(x) - 1):
        slopes.append(Fraction(heights[i + 1] - heights[i]) / (x[i + 1] - x[i]))
    slopes.append(Fraction(0))
    return tuple(after - before for before, after in pairwise(slopes))


def zigzag(
    kinks: Sequence[Rational], ends: tuple[Rational, Rational], masses: Sequence[Rational] | None = None
) -> Case:
    """A zigzag function, bending alternately up and down at its kinks. Each kink t carries a right-facing and a
    left-facing ramp, and ρ(t) = ±√(1 + t²) for both."""

    places = [Fraction(ends[0]), *map(Fraction, kinks), Fraction(ends[1])]
    heights = [Fraction(0), *((-1) ** k * rational_root(1 + t**2) for k, t in enumerate(places[1:-1])), Fraction(0)]
    label = f"zigzag of {len(kinks)} kinks"
    return case(label, [(t,) for t in places], zigzag_dual(places, heights), masses)


def long_zigzag(kinks: int) -> Case:
    """A zigzag of up to 15 kinks: two contacts each, so 2(n - 2) for n data."""
    places = sorted(ABSCISSAE)[3 : 3 + kinks]
    return zigzag(places, (places[0] - 1, places[-1] + 1))


def one_point(x: Sequence[Rational], y: Rational) -> Case:
    """n = 1: a single neuron along x̃; |x̃| must be rational."""
    lifted, label = lift(x), Fraction(y)
    length = dot(lifted, unit(lifted))
    price = (1 if label > 0 else -1) / length
    return case(f"one point {tuple(map(str, x))}", [x], [price], [abs(label) / length])


def full_pair() -> Case:
    """Two points of space whose x̃ meet at 120°: a contact inside each of the three cells with active data."""
    return case("two points of space", [(1, 1, 1), (-1, -1, -1)], ["1/2", "1/2"])


def two_signs_on_walls() -> Case:
    """Two points on the line and two neurons of opposite sign, both with θ·x̃_i >= 0 on all data."""
    return case("two points of the line", [(0,), ("3/4",)], ["-5/3", "4/3"], [1, 1])


def fan(n: int) -> Case:
    """n points of the line and n neurons of one sign, the only minimiser, each strictly inside a cell.

    Their directions u_1, …, u_n are unit vectors in an arc of less than 60°, the data along u_1, u_2 - u_1, …: so the
    dual's form is u_k in the cell of the first k data, and u_n - u_k, shorter than 1, in that of the others.
    """
    tangents = [Fraction(1, 9) + Fraction(2 * k, 5 * max(n, 2)) for k in range(n)]  # of half the angles
    directions = [((1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)) for t in tangents]
    steps = [directions[0], *((c - a, d - b) for (a, b), (c, d) in pairwise(directions))]
    return case(f"fan of {n}", [(a / b,) for a, b in steps], [b for _, b in steps])


def two_signs_one_pattern() -> Case:
    """Four points in the plane and two neurons of opposite sign, both active on exactly the last two points."""
    return case(
        "four points of the plane",
        [("-4/3", "5/4"), ("-4/3", "-5/4"), (4, 1), (4, -1)],
        ["-2/5", "2/5", "5/8", "-5/8"],
        ["5/8", "5/8"],
    )


def two_signs_inside() -> Case:
    """The weight |θ| - (4/5)b: two neurons of opposite sign strictly inside one open cell."""
    return case("weight |θ| - 4b/5", [(-1,), (1,)], ["-3/10", "3/10"], ["5/6", "5/6"], (0, "-4/5"))


def three_of_one_sign() -> Case:
    """The weight |θ| - b/5 on two points: three neurons of one sign, one inside each cell with active data."""
    return case("weight |θ| - b/5", [(2,), (-2,)], ["2/5", "2/5"], shift=(0, "-1/5"))


def diamond() -> Case:
    """XOR on the points (±1, 0) and (0, ±1): one neuron per point."""
    return case("diamond", [(1, 0), (-1, 0), (0, 1), (0, -1)], [1, 1, -1, -1], [1, 1, 1, 1])


def square_symmetric() -> Case:
    """29 points in the plane with the symmetries of the square, and 72 contacts: more than two for each point.

    Six of the seven orbits of points carry one orbit of contacts each, at lines through two points, where |θ| is
    rational: 2 + a² is a square for the points (a, 0), a = 23/24 and 7/4, and 1 + c² for (c, c), c = 3/4.
    """
    orbits: tuple[tuple[str, str, str], ...] = (
        ("0", "0", "4821700259/706812389"),
        ("7/32", "0", "-8882298218/2120437167"),
        ("3/4", "3/4", "8589247/4506774"),
        ("23/24", "0", "53226955/14271451"),
        ("7/4", "0", "-966251293/171257412"),
        ("9/4", "0", "3462384/751129"),
        ("1181/512", "1/4", "-796000/751129"),
    )
    dual = {
        point: price
        for a, b, price in orbits
        for x, y in ((Fraction(a), Fraction(b)), (Fraction(b), Fraction(a)))
        for point in ((x, y), (x, -y), (-x, y), (-x, -y))
    }
    return case("29 points of a square's symmetry", list(dual), list(dual.values()))


def plane_cases() -> tuple[Case, ...]:
    """Cases in the plane: contacts inside cells, on walls, at rays; both signs; opposite signs in one closed cell."""
    return (
        two_signs_one_pattern(),
        diamond(),
        case(
            "six points, opposite signs in one closed cell",
            [(-2, 2), ("1/2", 0), (1, -1), (-1, 0), (0, "1/2"), (1, "-1/2")],
            ["7/15", "8/3", "-2/3", "-4/15", "-16/5", 0],
        ),
        case(
            "six points, three contacts of one sign",
            [("1/2", 1), (0, 4), (-4, 3), (2, 1), (-2, 2), (1, -4)],
            ["4/9", "-1/6", "1/3", "2/9", "-1/6", 0],
        ),
        case("four points, three contacts", [(-1, -3), ("-1/2", 4), (-1, 0), (2, 0)], ["1/3", "1/4", "-29/24", "-3/8"]),
        case(
            "five points, both signs",
            [(-2, -1), (0, -2), (1, "-3/2"), (2, "1/2"), ("-3/2", -1)],
            ["-5/3", "-4/9", "2/9", "-4/9", "8/3"],
        ),
        case(
            "seven points, four contacts",
            [(1, 2), (0, "3/2"), (-1, -1), (0, -2), (0, "-1/2"), ("1/2", "-3/2"), (0, 1)],
            [0, 2, -1, "12/5", 0, -2, -2],
        ),
    )


def space_case() -> Case:
    """A case in three dimensions with contacts of both signs."""
    return case(
        "nine points of space",
        [
            ("1/2", "-3/2", "-1/2"),
            (-2, 2, -1),
            (3, -4, 1),
            (-1, "3/2", -2),
            (1, 0, "3/2"),
            (-1, -1, -2),
            (-2, -1, 0),
            (-3, 1, 3),
            (0, 2, "1/2"),
        ],
        ["3788/14427", "-11/229", 0, "628/2061", "-216/1603", "296/4809", "-334/4809", "-908/4809", "74/687"],
    )


def line_cases(
    draw: Random, count: int, largest: int = 6, tries: int = 400, shift: tuple[Fraction, ...] | None = None
) -> tuple[Case, ...]:
    """`count` random cases on the line with nonzero masses at all contacts."""
    from implicitbias.convex.programmes.linear_programme import Optimum, minimise

    found: list[Case] = []
    for _ in range(tries):
        if len(found) == count:
            return tuple(found)
        n = draw.randint(2, largest)
        x = sorted(draw.sample(ABSCISSAE, n))
        points = [lift((t,)) for t in x]
        directions = [unit((s, -s * t)) for t in x for s in (1, -1)] + [(Fraction(0), Fraction(1))]
        rows = [[relu(dot(r, q)) for r in directions] + [-relu(dot(r, q)) for r in directions] for q in points]
        costs = [Fraction(1) + (dot(shift, r) if shift else 0) for r in directions] * 2
        optimum = minimise(costs, rows, [Fraction(draw.randint(-6, 6)) for _ in x])
        if not isinstance(optimum, Optimum) or not any(optimum.dual_eq):
            continue
        touch = touching(points, optimum.dual_eq, shift)
        if touch.largest == 1:
            masses = tuple(c.sign * Fraction(draw.randint(1, 6), draw.choice([1, 2])) for c in touch.contacts)
            label = f"{n} drawn points" + (f", tilt {tuple(map(str, shift))}" if shift else "")
            found.append(Case(label, tuple(points), optimum.dual_eq, masses, touch, shift))
    raise ArithmeticError(f"only {len(found)} of {tries} drawn data sets have a dual in rationals")


@cache
def by_hand() -> tuple[Case, ...]:
    """Cases that can be checked by hand."""
    return (
        one_point((0,), 1),
        one_point((Fraction(3, 4),), -2),
        one_point((2, 2), 3),
        two_signs_on_walls(),
        zigzag((Fraction(-3, 4), 0, Fraction(3, 4)), (Fraction(-4, 3), Fraction(4, 3))),
        zigzag(
            (Fraction(-4, 3), Fraction(-5, 12), Fraction(5, 12), Fraction(4, 3)), (Fraction(-24, 7), Fraction(24, 7))
        ),
    )


def parts_of_contacts(draw: Random, case: Case) -> Iterator[tuple[Contact, ...]]:
    """All contacts; of many some, drawn: the directions that minimisers for fewer labels may use."""
    yield case.contacts
    for size in range(5, len(case.contacts)):
        yield tuple(draw.sample(case.contacts, size))
