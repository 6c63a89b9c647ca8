"""After Claim 5.2: shifted and scaled copies of h fit any finite set of points, since h is positive definite."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from implicitbias.claims import Context, Measured, Observation, Premise, certificate, claim, seen, shows, theorem
from implicitbias.theorems.rules.calculus.integral import Integral

from ..observed.functions.sphere import BITS, area, ball, integrate_in_balls

Points = tuple[tuple[Fraction, ...], ...]


def point_sets(generator: random.Random, count: int) -> list[tuple[str, Points, Fraction]]:
    """Name, distinct rational points, scale of h: by hand, nearly coincident, collinear, on a grid, fewer than the
    dimension, random.
    """
    near, tiny = Fraction(1, 1000), Fraction(1, 20)
    line: Points = tuple((Fraction(i), Fraction(2 * i)) for i in range(7))
    grid: Points = tuple((Fraction(i), Fraction(j)) for i in range(4) for j in range(3))
    cube: Points = tuple((Fraction(i), Fraction(j), Fraction(k)) for i in (0, 1) for j in (0, 1) for k in (0, 1))
    sets = [
        ("one point", ((Fraction(0), Fraction(0)),), Fraction(1)),
        ("two points at distance 1", ((Fraction(0), Fraction(0)), (Fraction(1), Fraction(0))), Fraction(1)),
        ("three points close together", tuple((i * near, i * i * near) for i in range(3)), Fraction(1)),
        ("seven points on a line", line, Fraction(1, 3)),
        ("a grid, much smaller than h", grid, tiny),
        ("a grid, much larger than h", grid, Fraction(10)),
        ("the corners of a cube", cube, Fraction(1)),
    ]
    for d in range(2, 9):
        for few in sorted({1, 2, generator.randint(2, d)}):
            corners = tuple(tuple(Fraction(i == j) for j in range(d)) for i in range(few))
            sets.append(
                (f"{few} of the unit vectors of {d} dimensions", corners, generator.choice([tiny, Fraction(1)]))
            )
        along = tuple(tuple(Fraction(i * (j + 1)) for j in range(d)) for i in range(40))
        sets.append((f"forty points on a line in {d} dimensions", along, Fraction(1, 20)))
    for n in range(2, 13):
        for d in generator.sample(range(2, 9), 7 if n < 7 else 2):
            drawn = {tuple(Fraction(generator.randint(-6, 6)) for _ in range(d)) for _ in range(n)}
            sets.append(
                (
                    f"{len(drawn)} points of a grid in {d} dimensions, {n} draws",
                    tuple(sorted(drawn)),
                    generator.choice([tiny, Fraction(1)]),
                )
            )
    for n in range(13, 40):
        d = 2 + n % 7
        along = tuple(tuple(Fraction(i * (j + 1)) for j in range(d)) for i in range(n))
        sets.append((f"{n} points on a line in {d} dimensions", along, tiny))
    for n in range(count):
        d = 2 + n % 4
        drawn = {tuple(Fraction(generator.randint(-30, 30), 10) for _ in range(d)) for _ in range(6 + n % 5)}
        sets.append((f"random points {n}", tuple(sorted(drawn)), generator.choice([tiny, Fraction(1), Fraction(4)])))
    return sets


def bump_at(d: int, squared: Fraction) -> Any:
    """h where |x|² is this rational, as a ball: each unit of (38) integrated over the angles at which it is active."""
    import flint

    from implicitbias.exact.enclosure import to_arb

    if squared == 0:
        return ball(area(d - 1))
    rho = to_arb(squared).sqrt()
    total = flint.arb(0)
    for weight, b in ((1, 1), (-2, 0), (1, -1)):
        if b and squared <= 1:
            if b < 0:
                continue  # inactive in every direction
            angle = flint.arb.pi()
        else:
            angle = (-b / rho).acos()
        term = integrate_in_balls(lambda z, b=b: (rho * z.cos() + b) * z.sin() ** (d - 2), 0, angle)
        total += weight * term
    return total * ball(area(d - 2))


def positive_pivots(matrix: list[list[Any]]) -> tuple[int, bool, Any]:
    """How many pivots of LDLᵀ are positive, whether all signs are certain, and the smallest pivot. Balls throughout.

    By Sylvester's law of inertia this is the number of positive eigenvalues.
    """
    n = len(matrix)
    rows = [list(row) for row in matrix]
    pivots = []
    for i in range(n):
        pivots.append(rows[i][i])
        for j in range(i + 1, n):
            factor = rows[j][i] / rows[i][i]
            for k in range(i + 1, n):
                rows[j][k] -= factor * rows[i][k]
    certain = all(bool(pivot > 0) or bool(pivot < 0) for pivot in pivots)
    smallest = min((float(pivot.lower()) for pivot in pivots), default=0.0)
    return sum(bool(pivot > 0) for pivot in pivots), certain, smallest


@certificate("LDLᵀ in ball arithmetic")
def inertia(context: Context) -> Observation:
    """The inertia of the matrix h(s(x_i - x_j)), certified by an LDLᵀ decomposition in ball arithmetic."""
    import flint

    all_certain = True
    known: dict[tuple[int, Fraction], Any] = {}
    with flint.ctx.workprec(BITS):
        for label, points, scale in point_sets(context.random(), context.choose(6, 40)):
            d = len(points[0])
            gram = []
            for x in points:
                row = []
                for y in points:
                    squared = scale**2 * sum(((u - v) ** 2 for u, v in zip(x, y, strict=True)), Fraction(0))
                    if (d, squared) not in known:
                        known[d, squared] = bump_at(d, squared)
                    row.append(known[d, squared])
                gram.append(row)
            positive, certain, pivot = positive_pivots(gram)
            all_certain &= certain
            yield Measured(f"smallest pivot, {label}", pivot)
            yield seen(positive, label, n=len(points), d=d, points=points, scale=scale)
    yield Premise("the sign of every pivot is certain", all_certain, f"{BITS} bits")


@theorem("integral over the pieces of the hat")
def observe_transform() -> Observation:
    """∫ max(0, 1-|t|) cos(kt) dt by parts, on both sides of the hat's tip; outside it is 0."""
    yield shows(
        Integral(
            "relu(1 - Abs(t))*cos(k*t)",
            over="t",
            lower="-oo",
            upper="oo",
            splits=("-1", "0", "1"),
            antiderivatives=(
                "0",
                "(1 + t)*sin(k*t)/k + cos(k*t)/k**2",
                "(1 - t)*sin(k*t)/k - cos(k*t)/k**2",
                "0",
            ),
        ),
        for_all={"k": "real"},
        assuming=("k**2 > 0",),
        split=("k",),
        k="k",
    )


@certificate("ball arithmetic")
def transform_in_balls(context: Context) -> Observation:
    """Rigorous quadrature at exact k."""
    import flint

    from implicitbias.exact.enclosure import from_arb, to_arb

    with flint.ctx.workprec(BITS):
        for k in (
            Fraction(1),
            Fraction(-1),
            Fraction(2),
            Fraction(1, 10),
            Fraction(-7, 2),
            Fraction(44, 7),
            Fraction(50),
        ):
            frequency = to_arb(k)
            half = integrate_in_balls(lambda z, frequency=frequency: (1 - z) * (frequency * z).cos(), 0, 1)
            yield seen(from_arb(2 * half), k=k)


CLAIM_5_2_TRANSFORM = claim(
    "savarese2019.claim_5_2_transform",
    "beside Claim 5.2",
    "The hat has a non-negative Fourier transform",
    """∫ max(0, 1−|t|) cos(kt) dt = 2(1−cos k)/k²: the hat's Fourier transform, the hat being even. It is nowhere
    negative.""",
    part_of="savarese2019.claim_5_2",
    latex=r"\int \max(0,1-|t|)\cos(kt)\,dt = \frac{2(1-\cos k)}{k^2}",
    hypotheses=("k ≠ 0",),
    formula="2*(1-cos(k))/k**2",
    symbols={"k": "the frequency"},
    controls={
        "(1-cos(k))/k**2": "one side of the hat only",
        "2*sin(k)/k": "the transform of the box of the same width: it changes sign",
        "(2*sin(k/2)/k)": "the transform of the box of width 1, whose square it is",
        "4*(1-cos(k/2))/k**2": "the hat of half the width, with height 2",
    },
    checks=(observe_transform, transform_in_balls),
    rests_on=("savarese2019.equation_38",),
    own=True,
)


CLAIM_5_2_FIT = claim(
    "savarese2019.claim_5_2_fit",
    "after Claim 5.2, interpolation by copies of h",
    "Copies of the bump fit any finite set of points",
    """Given distinct points x₁, …, xₙ and any labels, some combination Σ cᵢ h(s(x−xᵢ)) passes through them: the matrix
    h(s(xᵢ−xⱼ)) has n positive eigenvalues. True for every scale s ≠ 0, not only for narrow bumps: h, a mean of hats
    along all directions, has a Fourier transform that is nowhere negative and vanishes almost nowhere.""",
    part_of="savarese2019.claim_5_2",
    latex=r"\#\{\lambda_i(h(s(x_i-x_j))) > 0\} = n",
    hypotheses=("d ≥ 2", "the points are distinct", "s ≠ 0"),
    formula="n",
    symbols={"n": "the number of points", "d": "the dimension"},
    controls={
        "n - 1": "positive definite only on vectors of sum 0, like −|x|",
        "Min(n, d + 1)": "affine independence would be needed",
        "1": "one positive eigenvalue, the others negative",
        "0": "negative definite",
        "Max(n, d - 1)": "as many as the dimension asks, however few points there are",
    },
    checks=(inertia,),
    rests_on=("savarese2019.claim_5_2_transform",),
)
