"""Theorem 2: ζ(V, c) for any law of (W, B) with a density, from the mean of |W|² over thin cones of units."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial

from implicitbias.claims import Context, Flaw, Interval, Observation, Premise, certificate, claim, seen
from implicitbias.exact.vectors import dot, solve

from ..observed.data.draws import fraction, of_any_size
from ..observed.wide.interpolants import eliminated
from .errata import RAY_OF_2023

Vector = tuple[Fraction, ...]
WIDTH = Fraction(1, 2**100)
ROOM = Fraction(1, 2**70)
"""Over a cone of this width ζ varies by a share of a few times 2⁻¹⁰⁰, times the greatest coordinates."""


@dataclass(frozen=True)
class Simplex:
    """(W, B) is uniform on the simplex of these d+2 corners in d+1 dimensions."""

    corners: tuple[Vector, ...]

    @property
    def volume(self) -> Fraction:
        first, *others = self.corners
        return volume([tuple(a - b for a, b in zip(corner, first, strict=True)) for corner in others])

    def within(self, ray: Vector) -> tuple[Fraction, Fraction] | None:
        """The least and the greatest t > 0 with t·ray in the simplex; None if there is none.

        The barycentric coordinates of t·ray are affine in t and nonnegative in the simplex.
        """
        rows = [list(row) for row in zip(*self.corners, strict=True)] + [[Fraction(1)] * len(self.corners)]
        at_zero = solve(rows, [*[Fraction(0)] * len(ray), Fraction(1)])
        along = solve(rows, [*ray, Fraction(0)])
        low, high = Fraction(0), None
        for a, b in zip(at_zero, along, strict=True):  # a + t b >= 0
            if b > 0:
                low = max(low, -a / b)
            elif b < 0:
                high = -a / b if high is None else min(high, -a / b)
            elif a < 0:
                return None
        return (low, high) if high is not None and low < high else None


def volume(edges: Sequence[Vector]) -> Fraction:
    """Of the simplex with one corner at 0 and these others."""
    work, pivots = [list(edge) for edge in edges], Fraction(1)
    for k in range(len(work)):
        place = next((i for i in range(k, len(work)) if work[i][k] != 0), None)
        if place is None:
            return Fraction(0)
        work[k], work[place] = work[place], work[k]
        pivots *= work[k][k]
        for i in range(k + 1, len(work)):
            factor = work[i][k] / work[k][k]
            work[i] = [a - factor * b for a, b in zip(work[i], work[k], strict=True)]
    return abs(pivots) / factorial(len(work))


def square_over(edges: Sequence[Vector], inputs: int) -> Fraction:
    """∫|w|² over the simplex with one corner at 0 and these others, w the first coordinates: Σ v_i·v_j over i <= j,
    times twice its volume over (m+1)(m+2), in m dimensions."""
    m = len(edges)
    products = sum((dot(p[:inputs], q[:inputs]) for p, q in combinations_with_replacement(edges, 2)), Fraction(0))
    return volume(edges) * 2 * products / ((m + 1) * (m + 2))


def rotated(draw: random.Random, d: int) -> list[Vector]:
    """An orthonormal basis of fractions: reflections of the unit vectors, each in a random plane through 0."""
    basis = [tuple(Fraction(int(i == j)) for j in range(d)) for i in range(d)]
    for _ in range(2):
        normal = [Fraction(draw.choice([-3, -2, -1, 1, 2, 3])) for _ in range(d)]
        square = dot(normal, normal)
        basis = [tuple(a - 2 * dot(v, normal) / square * n for a, n in zip(v, normal, strict=True)) for v in basis]
    return basis


def mean_square_nearby(law: Simplex, basis: list[Vector], c: Fraction) -> Fraction | None:
    """E[|W|²; direction and kink in a cell] over the size of the cell, dV dc. The cell is what a thin cone from 0 over
    a simplex at (V, -c) holds: its size is the area of that simplex, up to a share of the order of its width. None
    where the law's simplex ends inside the cone."""
    direction, *tangents = basis
    d = len(basis)
    base = (*direction, -c)
    sides = [(*(WIDTH * e for e in tangent), Fraction(0)) for tangent in tangents]
    sides.append((*[Fraction(0)] * d, WIDTH))
    rays = [base, *(tuple(a + b for a, b in zip(base, side, strict=True)) for side in sides)]
    cuts = [law.within(ray) for ray in rays]
    if None in cuts:
        return Fraction(0) if set(cuts) == {None} else None
    inner, outer = (
        square_over([tuple(cut[k] * e for e in ray) for cut, ray in zip(cuts, rays, strict=True) if cut], d)
        for k in (0, 1)
    )
    return (outer - inner) / law.volume / (WIDTH**d / factorial(d))


def random_simplex(draw: random.Random, towards: Vector) -> Simplex:
    """A random simplex, wide or flat, around the origin, a point on the ray, or now and then one beside it or on the
    opposite ray."""
    scale = draw.choice((1, 1, 8))
    widths = [scale * of_any_size(draw, -2, 2) for _ in towards]
    while True:
        corners = [[width * fraction(draw, -2, 2) for width in widths] for _ in range(len(towards) + 1)]
        if len(eliminated([[*corner, Fraction(1)] for corner in corners])[1]) == len(corners):
            break
    shares = [Fraction(draw.randint(1, 5)) for _ in corners]
    inner = [dot(shares, along) / sum(shares) for along in zip(*corners, strict=True)]
    away = draw.choice([0, 0, 1, 3]) * max(widths)
    place = [away * e for e in towards]
    if draw.random() < 0.1:
        place = [e + width * fraction(draw, -2, 2) for e, width in zip(place, widths, strict=True)]
    if draw.random() < 0.1:
        place = [-e for e in place]
    moves = [a - b for a, b in zip(place, inner, strict=True)]
    return Simplex(tuple(tuple(a + b for a, b in zip(corner, moves, strict=True)) for corner in corners))


@certificate("thin cones of units")
def cones(context: Context) -> Observation:
    """E[|W|²; V and C in a cell] over the size of the cell, for (W, B) uniform on simplices and one to four inputs: the
    simplex cut by a thin cone, integrated exactly. No change of variables is made."""
    draw = context.random()
    met = []
    for case in range(context.choose(120, 300)):
        d = 1 + case % 4
        basis, c = rotated(draw, d), fraction(draw, -2, 2) + Fraction(1, 33)
        ray = (*basis[0], -c)
        law = random_simplex(draw, ray)
        found, cut = mean_square_nearby(law, basis, c), law.within(ray)
        if found is not None:
            enters, leaves = cut or (Fraction(0), Fraction(0))
            behind = law.within(tuple(-e for e in ray)) or (Fraction(0), Fraction(0))
            label = f"{d} inputs, V = ({', '.join(map(str, basis[0]))}), c = {c}"
            rays = {"r_1": enters, "r_2": leaves, "q_1": behind[0], "q_2": behind[1]}
            yield seen(Interval.around(found, ROOM * found), label, **rays, N=law.volume, d=d, c=c)
            met.append((d, found != 0, enters != 0))
    known = {(d, True, away) for d in (1, 2, 3, 4) for away in (False, True)}
    yield Premise("one to four inputs, laws around 0 and away from it", known <= set(met), f"{len(met)} cases")


THEOREM_2_PENALTY = claim(
    "jin2021.theorem_2_penalty",
    "JMLR 2023, Proposition 18",
    "ζ(V, c) as an integral along a ray",
    """For d inputs and units with U = |W|, V = W/U, C = -B/U the ζ of Theorem 2, p_{V,C} E(U²|V, C), is ∫_0^∞ u^{d+2}
    p_{W,B}(uV, -uc) du: u² from U², d powers of u from the change of variables. A law that is uniform on a body of
    volume N, which the ray of (V, -c) meets from r_1 to r_2, has (r_2^{d+3} - r_1^{d+3})/((d+3)N) there. For one input
    it is Proposition 7, with the two directions apart. (Printed with an integral over all u, which counts the opposite
    ray too, for odd d with a minus sign.)""",
    latex=r"\zeta(V,c)=\int_0^\infty u^{d+2}\,p_{W,B}(uV,-uc)\,du=\frac{r_2^{d+3}-r_1^{d+3}}{(d+3)N}",
    hypotheses=("(W, B) uniform on a convex body", "densities with respect to dV dc, dV the area on the sphere"),
    formula="(r_2**(d+3) - r_1**(d+3))/((d+3)*N)",
    symbols={
        "d": "number of inputs",
        "r_1": "the least u with (uV, -uc) in the body",
        "r_2": "the greatest such u (both are 0 if there is none)",
        "q_1": "the least u with (-uV, uc) in the body",
        "q_2": "the greatest such u (both are 0 if there is none)",
        "N": "volume of the body in (w, b)",
    },
    domain=("0 <= r_1", "r_1 <= r_2", "0 <= q_1", "q_1 <= q_2", "r_1*q_2 <= 0", "q_1*r_2 <= 0", "N > 0"),
    controls={
        "(r_2**4 - r_1**4)/(4*N)": "the powers of one input",
        "(r_2**(d+2) - r_1**(d+2))/((d+2)*N)": "d - 1 powers from the change of variables, or E(U|V, C)",
        "(r_2**(d+4) - r_1**(d+4))/((d+4)*N)": "a power too many",
        "2*(r_2**(d+3) - r_1**(d+3))/((d+3)*N)": "both signs of V together",
        "(r_2 - r_1)**(d+3)/((d+3)*N)": "as if the body began at 0",
    },
    checks=(cones,),
    part_of="jin2021.jmlr_theorem_6",
    flaw=Flaw(
        RAY_OF_2023,
        "(r_2**(d+3) - r_1**(d+3) + (-q_1)**(d+3) - (-q_2)**(d+3))/((d+3)*N)",
    ),
)
