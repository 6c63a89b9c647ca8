"""Appendix O and our own result on (19): the adaptive spline as a tridiagonal system, its energy, its optimality."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from implicitbias.claims import Context, Observation, Premise, Step, certificate, claim, seen
from implicitbias.exact.vectors import dot, solve

from ..observed.data.draws import Data, fraction, of_any_size, random_data
from ..observed.wide.exact_laws import binary, slab, slab_kernel, symmetrised
from ..observed.wide.interpolants import trained_with_free_line
from ..observed.wide.weighted_spline import Segment, Spline, Weight, constant, hat, pieces, weight_of, weighted_spline

LAWS = {
    "W = ±1, B uniform on ±2": binary(2),
    "two slopes: ζ has a step at ±1": symmetrised((slab("1/2", 2, -2, 2), slab("1/2", 1, -3, 3))),
    "one-sided parts: r = ζ₊/ζ is 1, 1/2, 0": (slab("1/2", 1, -1, 3), slab("1/2", -1, -1, 3)),
    "three slopes, none symmetric": (slab("1/4", 3, -7, 7), slab("1/4", -1, -2, 4), slab("1/2", "1/2", -2, 1)),
}


def given_of(s: Spline) -> dict[str, Fraction]:
    """The entries of the 2 × 2 system for four points."""
    return {
        "A_11": s.gram[0][0], "A_12": s.gram[0][1], "A_22": s.gram[1][1], "d_1": s.jumps[0], "d_2": s.jumps[1]
    }  # fmt: skip


@certificate("cost of the wide network")
def network(context: Context) -> Observation:
    """The cost ∫α² dμ = λᵀKλ of (17) for four points, with the kernel E[φφ'] and free u, v; four laws, symmetric and
    not; in fractions."""
    draw = context.random()
    for round_ in range(context.choose(6, 16)):
        for name, law in LAWS.items():
            points = random_data(draw, 4)
            if round_ == 0:
                points = type(points)(points.label, tuple(map(Fraction, (-2, -1, 1, 2))), points.y)
            s = weighted_spline(points.x, points.y, weight_of(law))
            cost = trained_with_free_line(slab_kernel(law), points.x, points.y).cost
            yield seen(cost, f"{name}, x = ({', '.join(map(str, points.x))})", **given_of(s))


def reproducing_kernel(weight: Weight, origin: Fraction, x: Fraction, z: Fraction) -> Fraction:
    """κ(x, z) = ∫ ζ(c) (x-c)_+ (z-c)_+ dc from the origin on."""
    end = min(x, z)
    total = Fraction(0)
    knots = sorted({origin, end, *(k for k in weight.knots if origin < k < end)})
    for a, b in pairwise(knots):

        def primitive(c: Fraction) -> Fraction:
            return x * z * c - (x + z) * c**2 / 2 + c**3 / 3

        total += weight((a + b) / 2) * (primitive(b) - primitive(a))
    return total


@certificate("reproducing kernel with side conditions")
def rkhs(context: Context) -> Observation:
    """The energy from the reproducing kernel of ∫g''²/ζ, bordered by 1 and x, for piecewise constant ζ: no hats, no
    tridiagonal system."""
    draw = context.random()
    for i in range(context.choose(80, 160)):
        points = random_data(draw, 4)
        x, y = points.x, points.y
        if i % 4 == 0:
            weight = constant(of_any_size(draw))
        elif i % 4 == 1:  # nearly all of it beside one of the inner points, where the hat of the other is small
            middle, near = x[1 + i // 4 % 2], (x[2] - x[1]) / draw.randint(3, 40)
            weight = pieces([-3, middle - near, middle + near, 3], [Fraction(1, 10**6), of_any_size(draw), "1/2000000"])
        else:
            inner = fraction(draw, -2, 0) + Fraction(1, 16), fraction(draw, 0, 2) + Fraction(1, 8)
            knots = [Fraction(-3), *inner, Fraction(3)]
            weight = pieces(knots, [of_any_size(draw, -4, 4) for _ in range(3)])
        rows = [[*(reproducing_kernel(weight, x[0], a, b) for b in x), a, Fraction(1)] for a in x]
        rows += [[*x, Fraction(0), Fraction(0)], [*[Fraction(1)] * 4, Fraction(0), Fraction(0)]]
        multipliers = solve(rows, [*y, 0, 0])[:4]
        energy = dot(multipliers, y)
        values = ", ".join(str(weight((a + b) / 2)) for a, b in pairwise(weight.knots))
        yield seen(energy, f"ζ = {values} on its pieces", **given_of(weighted_spline(x, y, weight)))


def vanishing(x: Sequence[Fraction], draw: random.Random) -> list[tuple[Fraction, Fraction, Fraction]]:
    """Stretches (a, b, η'') of a C¹ function η that vanishes at the points x and is otherwise random, ends included.

    Two stretches between neighbours, with random curvature; those on the left of each gap but the last are then
    corrected so that η has no second divided difference over any three neighbours: ∫ h_j η'' = 0.
    """
    cells = [(a, b) for p, q in pairwise(x) for a, b in ((p, (p + q) / 2), ((p + q) / 2, q))]
    size = of_any_size(draw, -9, 2)
    values = [size * fraction(draw, -3, 3) for _ in cells]
    inner = range(1, len(x) - 1)

    def share(j: int, cell: tuple[Fraction, Fraction]) -> Fraction:
        return (cell[1] - cell[0]) * (hat(x, j, cell[0]) + hat(x, j, cell[1])) / 2

    defects = [sum((v * share(j, c) for v, c in zip(values, cells, strict=True)), Fraction(0)) for j in inner]
    matrix = [[share(j, cells[2 * i]) for i in range(len(x) - 2)] for j in inner]
    for i, change in enumerate(solve(matrix, defects)):
        values[2 * i] -= change
    return [(a, b, v) for (a, b), v in zip(cells, values, strict=True)]


@certificate("competitors integrated piece by piece")
def competitors(context: Context) -> Observation:
    """The energy of functions through the same data: the spline plus random functions that vanish at the data,
    integrated piece by piece."""
    draw = context.random()
    through = True
    weights = [constant(1), pieces([-2, 0, 1, 2], [1, 3, "1/2"]), pieces([-2, -1, "1/3", 2], ["1/5", 2, 7])]
    for i in range(context.choose(150, 250)):
        weight = weights[i % len(weights)]
        points = random_data(draw, 3 + (i % 3 == 0))
        if i % 8 == 0:  # data on a line
            points = Data(points.label, points.x, points.x)
        s = weighted_spline(points.x, points.y, weight)
        eta = vanishing(points.x, draw)
        grid = sorted({*(a for a, _, _ in eta), points.x[-1], *(g.a for g in s.segments)})
        both, extra = [], []
        for a, b in pairwise(grid):
            own = next(g for g in s.segments if g.a <= a and b <= g.b)
            tilt = (own.right - own.left) / (own.b - own.a)
            e = next(v for p, q, v in eta if p <= a and b <= q)
            both.append(Segment(a, b, own.left + tilt * (a - own.a) + e, own.left + tilt * (b - own.a) + e))
            extra.append(Segment(a, b, e, e))
        lifted = sum((g.lifted(points.x[1]) for g in both), Fraction(0))
        start = (points.y[1] - points.y[0] - lifted) / (points.x[1] - points.x[0])
        competitor = Spline(points.x, points.y[0], start, tuple(both), (), (), ())
        through = through and all(competitor(a) == b for a, b in zip(points.x, points.y, strict=True))
        yield seen(
            weighted_square(both, weight), f"{len(points.x)} points", E_0=s.energy, P=weighted_square(extra, weight)
        )
    yield Step("s''/ζ is continuous, piecewise linear with knots at the data, zero at both ends")
    yield Step("so ∫ s''η''/ζ = ∫ ℓη'' = 0, twice by parts, for every η that vanishes at the data")
    yield Premise("every competitor interpolates", through)


def weighted_square(f: Sequence[Segment], weight: Weight) -> Fraction:
    """∫ f²/ζ, f linear and ζ constant on each stretch."""
    return sum(
        ((g.b - g.a) * (g.left**2 + g.left * g.right + g.right**2) / (3 * weight((g.a + g.b) / 2)) for g in f),
        Fraction(0),
    )


ENERGY = "(A_22*d_1**2 - 2*A_12*d_1*d_2 + A_11*d_2**2)/(A_11*A_22 - A_12**2)"
SYSTEM = {
    "A_11": "∫ζ h_2², h_j the hat function at the j-th of four points",
    "A_12": "∫ζ h_2 h_3",
    "A_22": "∫ζ h_3²",
    "d_1": "jump of the chords' slopes at the second point",
    "d_2": "jump at the third point",
}

APPENDIX_O = claim(
    "jin2021.appendix_o",
    "Section 5.3 (Appendix O)",
    "The adaptive spline by a linear system, and in its RKHS",
    """For every weight ζ the solution of (19) is given by a linear system: s'' = ζℓ with ℓ piecewise linear, A ℓ = d.
    Its energy is dᵀA⁻¹d (written out here for four points), equal to the energy in the reproducing kernel space of
    ∫g''²/ζ and to the cost ∫α²dμ of the infinitely wide network in (17).""",
    latex=r"\int\frac{s''^2}{\zeta}=d^\top A^{-1}d,\quad A_{jk}=\int\zeta h_jh_k",
    hypotheses=("ζ > 0 somewhere on every hat", "the support of ζ has no gap between the points"),
    formula=ENERGY,
    symbols=SYSTEM,
    controls={
        "(A_22*d_1**2 + A_11*d_2**2)/(A_11*A_22 - A_12**2)": "the off-diagonal term lost",
        "d_1**2/A_11 + d_2**2/A_22": "hats treated as orthogonal",
        "(A_22*d_1**2 + 2*A_12*d_1*d_2 + A_11*d_2**2)/(A_11*A_22 - A_12**2)": "sign of the inverse",
        "A_11*d_1**2 + 2*A_12*d_1*d_2 + A_22*d_2**2": "A in place of its inverse",
    },
    checks=(network, rkhs),
    rests_on=("jin2021.spline_optimality",),
)


SPLINE_OPTIMALITY = claim(
    "jin2021.spline_optimality",
    "next to (19)",
    "A certificate of optimality for (19)",
    """s minimises ∫g''²/ζ among all functions through the data if and only if ℓ = s''/ζ is continuous, piecewise linear
    with knots at the data, and zero at both ends. Any competitor s + η costs exactly ∫η''²/ζ more.""",
    latex=r"\int\frac{(s+\eta)''^2}{\zeta}=\int\frac{s''^2}{\zeta}+\int\frac{\eta''^2}{\zeta}",
    hypotheses=("η vanishes at the data",),
    formula="E_0 + P",
    symbols={"E_0": "dᵀA⁻¹d, the energy of s from the linear system", "P": "∫η''²/ζ"},
    controls={
        "E_0": "the competitor costs no more",
        "E_0 + sqrt(E_0*P)": "a cross term",
        "E_0 - P": "the competitor is cheaper",
        "E_0 + 2*sqrt(E_0*P) + P": "the two curvatures aligned",
    },
    checks=(competitors,),
    part_of="jin2021.appendix_o",
    own=True,
)
