"""K(x, x') = E[[⟨W,x⟩+B]_+[⟨W,x'⟩+B]_+] in balls, from the law of (W, B) in d dimensions, and what it makes of data.

For each pair the mean is taken over the direction of W in the plane of x and x', between the directions at which the
integrand changes its form. No closed form of K is used, nor any ζ.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from implicitbias.exact.vectors import dot

from .kink_moments import ball

Ball = Any  # python-flint ships no types
Point = tuple[Fraction, ...]
Gram = tuple[Fraction, Fraction, Fraction]
"""|x|², ⟨x, x'⟩, |x'|²: all that the mean over a law without direction depends on."""
Mean = Callable[[Gram], Ball]


def uniform_mean(d: int, a: Fraction) -> Mean:
    """W uniform on the unit sphere, B uniform on [-a, a]; |x|, |x'| <= a.

    Over B the mean is a polynomial in ⟨W,x⟩ and ⟨W,x'⟩ on either side of ⟨W,x-x'⟩ = 0. The length of the projection of
    W to the plane is independent of its angle, so that the mean over circles of that length, a cubic in it, needs the
    first moments of the length alone.
    """

    @cache
    def mean(gram: Gram) -> Ball:
        import flint

        p, q = in_the_plane(gram)

        def over_biases(s: Ball, t: Ball, least: Ball) -> Ball:
            """(1/2a)∫(s + b)(t + b) db from -least to a."""
            most = ball(a)
            ends = [s * t * b + (s + t) * b**2 / 2 + b**3 / 3 for b in (most, -least)]
            return (ends[0] - ends[1]) / (2 * most)

        if d == 1:
            signs = [(p[0], q[0]), (-p[0], -q[0])]
            return sum((over_biases(s, t, s.min(t)) for s, t in signs), flint.arb(0)) / 2
        pi, start = flint.arb.pi(), direction(p, q)

        def at(length: Ball) -> Ball:
            def along(t: Ball, lower: int) -> Ball:
                """The mean over biases in the direction t, where the first (0) or the second (1) point is lower."""
                cos, sin = t.cos(), t.sin()
                one, other = (length * (point[0] * cos + point[1] * sin) for point in (p, q))
                return over_biases(one, other, (one, other)[lower])

            halves = ((start - pi / 2, start + pi / 2, 1), (start + pi / 2, start + 3 * pi / 2, 0))
            return sum(
                (integral(lambda t, lower=lower: along(t, lower), begin, end) for begin, end, lower in halves),  # type: ignore[misc]
                flint.arb(0),
            ) / (2 * pi)

        if d == 2:
            return at(flint.arb(1))
        nodes = [flint.arb(k) / 3 for k in range(4)]
        powers = flint.arb_mat([[node**i for i in range(4)] for node in nodes])
        cubic = powers.solve(flint.arb_mat([[at(node)] for node in nodes]))
        return sum((cubic[i, 0] * moment_of_length(i, d) for i in range(4)), flint.arb(0))

    return mean


def moment_of_length(k: int, d: int) -> Ball:
    """E r^k of the projection of a uniform direction to a plane: r² is Beta(1, (d-2)/2)."""
    import flint

    half = flint.arb(d) / 2
    return (1 + flint.arb(k) / 2).gamma() * half.gamma() / (half + flint.arb(k) / 2).gamma()


def gaussian_mean(ratio: Fraction) -> Mean:
    """W ~ N(0, ratio² I), B ~ N(0, 1), for any d: ⟨W,x⟩+B = ⟨u,z⟩ with u = (ratio x, 1) and z standard normal, of which
    the part in the plane of u and u' has a uniform angle and E|z|² = 2."""

    @cache
    def mean(gram: Gram) -> Ball:
        import flint

        pi = flint.arb.pi()
        lifted = tuple(ratio**2 * entry + 1 for entry in gram)
        u, v = in_the_plane((lifted[0], lifted[1], lifted[2]))
        turn = direction((flint.arb(0), flint.arb(0)), v)
        # both are active within a quarter turn of u (angle 0) and of v (angle `turn`, at most a half turn)

        def product(t: Ball) -> Ball:
            cos = t.cos()
            return u[0] * cos * (v[0] * cos + v[1] * t.sin())

        return integral(product, turn - pi / 2, pi / 2) / pi

    return mean


def in_the_plane(gram: Gram) -> tuple[tuple[Ball, Ball], tuple[Ball, Ball]]:
    """Two points of the plane with these lengths and this product, the first on the positive axis, the second not below
    it."""
    import flint

    one, product, two = gram
    if one == 0:
        return (flint.arb(0), flint.arb(0)), (ball(two).sqrt(), flint.arb(0))
    length = ball(one).sqrt()
    return (length, flint.arb(0)), (ball(product) / length, ball(one * two - product**2).sqrt() / length)


def direction(p: Sequence[Ball], q: Sequence[Ball]) -> Ball:
    """The angle of q - p; 0 if that may be 0, where any angle serves. ⟨V, p⟩ < ⟨V, q⟩ within a quarter turn of it."""
    import flint

    across, along = q[1] - p[1], q[0] - p[0]
    return flint.arb(0) if across == 0 and along == 0 else flint.arb.atan2(across, along)


def integral(f: Callable[[Ball], Ball], lower: Ball, upper: Ball) -> Ball:
    import flint

    return flint.acb.integral(lambda z, analytic: f(z), lower, upper).real


@dataclass(frozen=True)
class Learned:
    """f(x) = Σλ_j K(x, x_j) + ⟨u,x⟩ + v, with `affine` = (u, v): what infinitely many units learn from the data less
    that affine function, which is added again."""

    mean: Mean
    x: Sequence[Point]
    multipliers: Sequence[Ball]
    affine: Sequence[Ball]

    def __call__(self, place: Point) -> Ball:
        values = [kernel(self.mean, place, p) for p in self.x] + [ball(e) for e in (*place, Fraction(1))]
        return sum(a * b for a, b in zip((*self.multipliers, *self.affine), values, strict=True))


def learned(mean: Mean, x: Sequence[Point], y: Sequence[Fraction]) -> Learned:
    """Kλ = y - ⟨u,x⟩ - v with (u, v) such that Σλ_j = 0 and Σλ_jx_j = 0."""
    import flint

    lines = [[ball(e) for e in (*p, Fraction(1))] for p in x]
    free = len(lines[0])
    rows = [[kernel(mean, p, q) for q in x] + line for p, line in zip(x, lines, strict=True)]
    rows += [[line[i] for line in lines] + [flint.arb(0)] * free for i in range(free)]
    right = [[ball(value)] for value in y] + [[flint.arb(0)]] * free
    solved = [row[0] for row in flint.arb_mat(rows).solve(flint.arb_mat(right)).tolist()]
    return Learned(mean, x, solved[: len(x)], solved[len(x) :])


def kernel(mean: Mean, p: Point, q: Point) -> Ball:
    pp, pq, qq = (dot(a, b) for a, b in ((p, p), (p, q), (q, q)))
    return mean((pp, pq, qq) if pp >= qq else (qq, pq, pp))


def star(d: int) -> list[Point]:
    """The origin and both unit vectors of each axis."""
    axes = [tuple(Fraction(sign * (i == j)) for i in range(d)) for j in range(d) for sign in (1, -1)]
    return [tuple(Fraction(0) for _ in range(d)), *axes]
