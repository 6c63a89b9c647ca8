"""Section 4, cell decomposition: how many cells the data cut parameter space into."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from random import Random

from implicitbias.claims import Context, Observation, Premise, Step, certificate, claim, seen
from implicitbias.exact.vectors import dot

from ..observed.measures.contact_sets import in_cell, lift
from ..observed.measures.rank_sums import in_general_position, nullities

Points = Sequence[Sequence[Fraction | int]]

GENERAL = (
    "2*(1 + (n - 1)*Min(1, d) + (n - 1)*(n - 2)/2*Min(1, Max(0, d - 1)) + (n - 1)*(n - 2)*(n - 3)/6*Min(1, Max(0, d - "
    "2)) + (n - 1)*(n - 2)*(n - 3)*(n - 4)/24*Min(1, Max(0, d - 3)))"
)
"""2 Σ_{k<=d} C(n-1, k) for d <= 4."""


def generic_points(draw: Random, n: int, d: int) -> Points:
    """n points of which any d + 1 are affinely independent."""
    while True:
        points = [tuple(Fraction(draw.randint(-9, 9)) for _ in range(d)) for _ in range(n)]
        if len(set(points)) == n and in_general_position([lift(x) for x in points]):
            return points


def degenerate_sets() -> dict[str, Points]:
    """Repeated points, points in a row, on grids, at the corners of cubes."""
    return {
        "a point given twice": [(0,), (0,)],
        "two points given three times each": [(0,), (1,)] * 3,
        "four points, two equal": [(0,), (0,), (1,), (2,)],
        "five points in a row of the plane": [(k, 0) for k in range(5)],
        "three in a row and one off it": [(0, 0), (1, 0), (2, 0), (0, 1)],
        "corners of a square": list(product((0, 1), repeat=2)),
        "grid of 3 × 2": list(product(range(3), range(2))),
        "grid of 3 × 3": list(product(range(3), repeat=2)),
        "corners of a cube": list(product((0, 1), repeat=3)),
    }


def three_counts(points: Points) -> tuple[int, int, int]:
    """By listing the cells around the extreme rays; by deletion and restriction; by the ranks of all sets of data."""
    from implicitbias.convex.cells.arrangement import cells_of
    from implicitbias.convex.cells.counts import count_by_deletion
    from implicitbias.convex.cells.lifted import lifted

    even, odd = nullities([lift(x) for x in points])
    return len(cells_of([tuple(x) for x in points])), count_by_deletion(lifted(points)), even - odd


@certificate("three counts")
def general(context: Context) -> Observation:
    """Listed, by deletion and restriction, and by ranks, on random data in general position; many data by deletion."""
    from implicitbias.convex.cells.counts import count_by_deletion
    from implicitbias.convex.cells.lifted import lifted

    draw = context.random()
    sizes = [*product(range(1, 6), range(1, 5)), (7, 1), (6, 2), (7, 3), (7, 4)]
    sizes += context.choose([], [(8, 2), (10, 2), (9, 3), (9, 4), (11, 1)])
    agree = True
    for n, d in sizes:
        listed, deleted, ranks = three_counts(generic_points(draw, n, d))
        agree = agree and listed == deleted == ranks
        yield seen(listed, f"{n} points in dimension {d}", n=n, d=d)
    for n, d in ((8, 2), (8, 4), (10, 1), (10, 2), (10, 3), (10, 4)):
        yield seen(count_by_deletion(lifted(generic_points(draw, n, d))), f"{n} points in dimension {d}", n=n, d=d)
    yield Premise("three ways of counting agree wherever all three were used", agree)
    yield Step("cells listed around the extreme rays, in integers")
    yield Step("deletion and restriction: a further hyperplane adds the cells within it")
    yield Step("ranks of all sets of data", "S = Σ_B (-1)^(|B| - rank B)")


COUNT = claim(
    "dedios2020.cells_count",
    "Section 4, cell decomposition",
    "Number of cells in general position",
    """The hyperplanes {θ: θ·x̃_i = 0} of n data points in general position in dimension d cut the parameters (a, b)
    into S = 2 Σ_{k≤d} C(n-1, k) cells: S is of order n^d, as the paper says. All 2ⁿ patterns occur exactly where n ≤ d
    + 1. (The formula is written out for d ≤ 4.)""",
    latex=r"S=2\sum_{k=0}^{d}\binom{n-1}{k}",
    hypotheses=("any d + 1 of the points are affinely independent", "d ≤ 4 as written"),
    domain=("n >= 1", "d >= 1", "d <= 4"),
    formula=GENERAL,
    symbols={"n": "number of data", "d": "dimension of the inputs"},
    controls={
        "2**n": "every pattern occurs",
        "n**d": "S ≃ n^d read as an equation",
        "2*n**d": "the bound taken for the number",
        GENERAL.replace("2*(1", "(1", 1): "antipodal cells identified",
        GENERAL.replace("(n - 1)", "n"): "n hyperplanes that do not all pass through the origin",
    },
    checks=(general,),
    part_of="dedios2020.theorem_4_2",
)


@certificate("grids and rows")
def degenerate(context: Context) -> Observation:
    """Cells listed one by one against ranks of sets of data, on degenerate data."""
    from implicitbias.convex.cells.arrangement import cells_of
    from implicitbias.convex.cells.counts import count_by_deletion
    from implicitbias.convex.cells.lifted import lifted

    draw = context.random()
    sets = dict(degenerate_sets())
    sets["seven points of a small grid"] = draw.sample(list(product(range(3), repeat=2)), 7)
    for n, d in (*product((1, 2, 3), (1, 2, 3, 4)), (4, 1), (6, 2), (6, 4)):
        sets[f"{n} in general position in dimension {d}"] = generic_points(draw, n, d)
    for n, d in product(range(2, 8), range(1, 5)):
        sets[f"a point of dimension {d} given {n} times"] = [(1, 0, 2, 0)[:d]] * n
    for n, d in ((5, 1), (6, 2), (7, 2), (6, 3), (7, 3)):
        corners = list(product(range(2), repeat=d))
        sets[f"{n} corners of a cube in dimension {d}, drawn with repetition"] = draw.choices(corners, k=n)
    for n, d in ((3, 2), (3, 3), (4, 3), (5, 3), (3, 4), (4, 4), (6, 4)):
        row = [(k, *(0,) * (d - 1)) for k in range(3)]
        sets[f"{n} drawn from a row of three in dimension {d}"] = draw.choices(row, k=n)
    agree = True
    for label, points in sets.items():
        rows = lifted([tuple(x) for x in points])
        even, odd = nullities([lift(x) for x in points])
        listed = len(cells_of([tuple(x) for x in points]))
        agree = agree and listed == count_by_deletion(rows)
        yield seen(listed, label, A=even, B=odd, n=len(points), d=len(points[0]))
    yield Premise("deletion and restriction counts the same", agree)
    yield Step("the cells are listed; A and B come from the ranks of all 2ⁿ sets of data, without any cell")


@certificate("deletion and restriction")
def order(context: Context) -> Observation:
    """Exact counts: few points in every dimension, a line, larger random data, and degenerate data."""
    from implicitbias.convex.cells.counts import count_by_deletion
    from implicitbias.convex.cells.lifted import lifted

    draw = context.random()
    for n, d in product((1, 2, 3, 4, 6, 10), range(1, 5)):
        count = count_by_deletion(lifted(generic_points(draw, n, d)))
        yield seen(count, f"{n} in general position in dimension {d}", n=n, d=d)
    for n, d in context.choose([(8, 2), (9, 3), (8, 4)], [(80, 2), (25, 3), (14, 4)]):
        points = [tuple(Fraction(draw.randint(-999, 999), 7) for _ in range(d)) for _ in range(n)]
        count = count_by_deletion(lifted(points))
        yield seen(count, f"{n} random points in dimension {d}", relation="<=", n=n, d=d)
    for label, rows in degenerate_sets().items():
        yield seen(
            count_by_deletion(lifted([tuple(x) for x in rows])), label, relation="<=", n=len(rows), d=len(rows[0])
        )
    yield Step("one hyperplane: two cells")
    yield Step(
        "a further one adds the cells within it, those of at most n hyperplanes in one dimension less",
        "S(n+1, d) ≤ S(n, d) + S(n, d-1)",
    )
    yield Step("as 2C(n-1, k) adds up", "2Σ_{k≤d} C(n-1, k) ≤ 2n^d, by the same recursion")


@certificate("parameters on walls")
def overlap(context: Context) -> Observation:
    """Parameters on z hyperplanes of data in general position, and the closed cells that contain them."""
    from implicitbias.convex.cells.arrangement import cells_of
    from implicitbias.convex.cells.lifted import lifted, null_space

    draw = context.random()
    for d, n in ((1, 1), (1, 4), (2, 4), (2, 5), (3, 5), (4, 4)):
        points = generic_points(draw, n, d)
        patterns = [tuple(bool(on) for on in row) for row in cells_of([tuple(x) for x in points]).patterns]
        for z in range(min(n, d) + 1):
            basis = null_space(lifted([tuple(x) for x in points[:z]])) if z else None
            basis = basis or tuple(tuple(int(i == j) for j in range(d + 1)) for i in range(d + 1))
            hinges = -1
            while hinges != z:
                weights = [draw.randint(-9, 9) for _ in basis]
                theta = [sum(w * b[j] for w, b in zip(weights, basis, strict=True)) for j in range(d + 1)]
                hinges = sum(dot(theta, lift(x)) == 0 for x in points)
            count = sum(in_cell([lift(x) for x in points], pattern, theta) for pattern in patterns)
            yield seen(count, f"n={n}, d={d}, θ={tuple(theta)}", z=z, n=n, d=d)
    yield Step("around θ the other data keep their signs, and those at the hinge take every pattern")


OVERLAP = claim(
    "dedios2020.cells_overlap",
    "Section 4, cell decomposition",
    "How many closed cells contain a neuron",
    """Closed cells overlap at their walls: a neuron with z data on its hinge, in general position, lies in 2^z of them.
    So a neuron does not determine its closed cell, and counting atoms cell by cell counts some of them several
    times.""",
    latex=r"\#\{S:\theta\in C_S\}=2^z",
    hypotheses=("general position, z ≤ d",),
    domain=("z <= d",),
    formula="2**z",
    symbols={"z": "data on the hinge", "d": "dimension of the inputs"},
    controls={
        "1": "every neuron has its cell",
        "z + 1": "one more per wall",
        "2*z": "two sides per wall",
        "2**d": "as at an extreme ray, everywhere",
    },
    checks=(overlap,),
    part_of="dedios2020.theorem_4_2",
)


ORDER = claim(
    "dedios2020.cells_order",
    "Section 4, cell decomposition, and Theorem 4.2",
    "A bound on the number of cells",
    """Any n data in dimension d, repeated ones and data in a row among them, have at most the 2 Σ_{k≤d} C(n-1, k) cells
    of data in general position. This is at most 2n^d, with equality for n = 1 and on the line: the O(n)^{O(d)} of
    Theorem 4.2 with its constants. (In general position S/n^d tends to 2/d!. The formula is written out for d ≤ 4.)""",
    latex=r"S\le2\sum_{k=0}^{d}\binom{n-1}{k}\le 2n^d",
    hypotheses=("d ≤ 4 as written",),
    domain=("n >= 1", "d >= 1", "d <= 4"),
    formula=GENERAL,
    symbols={"n": "number of data", "d": "dimension of the inputs"},
    controls={
        "n**d": "S ≃ n^d read as a bound",
        "2*n**d": "a bound that is attained by one datum and on the line only",
        "n**d + n": "one that is attained there, too, and lies below 2n^d elsewhere",
        "2**d*n": "base and exponent exchanged",
        "2*n*(1 + (d - 1)*(n - 1))": "quadratic in the number of data in every dimension",
    },
    checks=(order,),
    part_of="dedios2020.theorem_4_2",
    rests_on=("dedios2020.cells_count",),
)


DEGENERATE = claim(
    "dedios2020.cells_degenerate",
    "next to Section 4, cell decomposition",
    "Number of cells of any data",
    """For any data, repeated or in a row, the number of cells is S = Σ_B (-1)^{|B| - rank B}, the sum over all sets B
    of the x̃_i (Whitney, Zaslavsky): sets with an even number of dependences minus sets with an odd number. Outside
    general position S is smaller than Cover's number: the 3 × 3 grid has 58 cells, not 74.""",
    latex=r"S=\sum_{B}(-1)^{|B|-\operatorname{rank}B}",
    domain=("A >= B + 2", "A + B <= 2**n", "A + B >= 2**n", f"A - B <= {GENERAL}", "d >= 1", "d <= 4"),
    formula="A - B",
    symbols={
        "A": "sets of the x̃_i with |B| - rank B even",
        "B": "sets with |B| - rank B odd",
        "n": "number of data",
        "d": "dimension of the inputs",
    },
    controls={
        GENERAL: "general position assumed",
        "A + B": "every pattern occurs",
        f"{GENERAL} - 2*B": "two cells lost per dependence",
        "2*n": "the number on a line",
    },
    checks=(degenerate,),
    part_of="dedios2020.theorem_4_2",
    rests_on=("dedios2020.cells_count",),
    own=True,
)
