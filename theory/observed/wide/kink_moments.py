"""The part of E[W²] from units whose kink C = -B/W lies in a given bin, and its density ζ.

ζ(x) = E(W²|C=x) p_C(x) is the derivative of x -> E[W²; C <= x]. It is enclosed without differentiation or change
of variables: where ζ is monotone, its value lies between its means over the adjacent bins on both sides. ζ decreases
away from its peak if the law of B given W is unimodal, since E[W²; 0 < C <= x] is then concave in x. All bins are
integrated directly over (W, B), in ball arithmetic or exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from implicitbias.exact.rational import Interval

from .exact_laws import clip, triangles, uniform

Arb = Any  # python-flint ships no types
Mass = Callable[[Arb, Arb], Arb]
"""(x, y) -> E[W²; x < C <= y] for 0 < x < y (kinks measured from the peak of ζ)."""

BITS = 420
BIN = 110
"""Bins are 2^-BIN wide: their means differ by about 2^-BIN, less than any two formulas to be distinguished."""


def ball(number: Fraction | int) -> Arb:
    import flint

    number = Fraction(number)
    return flint.arb(flint.fmpq(number.numerator, number.denominator))


def density(mass: Mass, x: Fraction) -> Interval:
    """ζ at distance |x| > 0 from its peak, enclosed by the means over the bins on both sides."""
    import flint

    from implicitbias.exact.enclosure import from_arb

    before, flint.ctx.prec = flint.ctx.prec, BITS
    try:
        place, width = ball(abs(x)), flint.arb(2) ** -BIN
        inner = from_arb(mass(place - width, place) / width)
        outer = from_arb(mass(place, place + width) / width)
    finally:
        flint.ctx.prec = before
    return Interval(min(inner.lower, outer.lower), max(inner.upper, outer.upper))


def integral(f: Callable[[Any], Any], lower: Arb, upper: Arb) -> Arb:
    """An enclosure of ∫ f. f takes complex balls and must be analytic near the interval."""
    import flint

    tolerance = flint.arb(2) ** -(BITS - 40)
    value = flint.acb.integral(
        lambda z, analytic: f(z), lower, upper, abs_tol=tolerance, rel_tol=tolerance, eval_limit=400_000
    )
    return value.real


def normal_mass(sigma_w: Fraction, sigma_b: Fraction) -> Mass:
    """W ~ N(0, σ_w²), B ~ N(0, σ_b²): 2 ∫ w² p_W(w) (F_B(wy) - F_B(wx)) dw over w > 0."""

    def mass(x: Arb, y: Arb) -> Arb:
        import flint

        scale_w, scale_b, root = ball(sigma_w), ball(sigma_b), flint.arb(2).sqrt()
        reach = flint.arb(26)

        def integrand(w: Any) -> Any:
            slope = w * scale_w / (root * scale_b)
            return w * w * (-w * w / 2).exp() * ((slope * y).erf() - (slope * x).erf()) / 2

        norm = 2 * scale_w**2 / (2 * flint.arb.pi()).sqrt()
        rest = reach * (-(reach**2) / 2).exp() + (flint.arb.pi() / 2).sqrt() * (reach / root).erfc()
        return norm * (integral(integrand, flint.arb(0), reach) + (rest / 2).union(flint.arb(0)) * 2)

    return mass


def normal_power_mass(sigma_w: Fraction, sigma_b: Fraction, power: int) -> Mass:
    """E[|W|^power; x < C <= y] for W ~ N(0, σ_w²), B ~ N(0, σ_b²); `normal_mass` is the case power = 2."""

    def mass(x: Arb, y: Arb) -> Arb:
        import flint

        scale_w, scale_b, root = ball(sigma_w), ball(sigma_b), flint.arb(2).sqrt()
        reach = flint.arb(30)

        def integrand(w: Any) -> Any:
            slope = w * scale_w / (root * scale_b)
            return w**power * (-w * w / 2).exp() * ((slope * y).erf() - (slope * x).erf()) / 2

        norm = 2 * scale_w**power / (2 * flint.arb.pi()).sqrt()
        # beyond w = 30 the integrand decays faster than exp(-(w-30)) for the powers used here
        rest = reach**power * (-(reach**2) / 2).exp()
        return norm * (integral(integrand, flint.arb(0), reach) + (rest / 2).union(flint.arb(0)) * 2)

    return mass


def laplace_mass(beta_w: Fraction, beta_b: Fraction) -> Mass:
    """W and B Laplace-distributed with scales β_w, β_b."""

    def mass(x: Arb, y: Arb) -> Arb:
        import flint

        ratio, reach = ball(beta_w) / ball(beta_b), flint.arb(330)

        def integrand(w: Any) -> Any:
            return w * w * (-w).exp() * ((-w * ratio * x).exp() - (-w * ratio * y).exp()) / 2

        rest = (reach**2 + 2 * reach + 2) * (-reach).exp()
        return ball(beta_w) ** 2 * (integral(integrand, flint.arb(0), reach) + (rest / 2).union(flint.arb(0)) * 2)

    return mass


def student_mass() -> Mass:
    """W and B Student t with 5 degrees of freedom, integrated over φ in (0, π/2) by w = √5 tan φ."""

    def mass(x: Arb, y: Arb) -> Arb:
        import flint

        pi = flint.arb.pi()

        def distribution(s: Any, c: Any, near_end: bool, factor: Arb) -> Any:
            """F_B(factor w) - 1/2 at w = √5 s/c."""
            root = (c * c + factor * factor * s * s).sqrt()
            sine, cosine = factor * s / root, c / root
            angle = pi / 2 - (c / (factor * s)).atan() if near_end else (factor * s / c).atan()
            return (angle + sine * (cosine + 2 * cosine**3 / 3)) / pi

        def piece(near_end: bool) -> Callable[[Any], Any]:
            def integrand(phi: Any) -> Any:
                s, c = phi.sin(), phi.cos()
                return s * s * c * c * (distribution(s, c, near_end, y) - distribution(s, c, near_end, x))

            return integrand

        # w² p_W(w) dw = (8/(3π√5)) 5 sin² cos² √5 dφ
        norm = 2 * 40 / (3 * pi)
        return norm * (integral(piece(False), flint.arb(0), pi / 4) + integral(piece(True), pi / 4, pi / 2))

    return mass


def normal_weight_mass(sigma_w: Fraction, a_b: Fraction) -> Mass:
    """W ~ N(0, σ_w²), B uniform on [-a_b, a_b]."""

    def mass(x: Arb, y: Arb) -> Arb:
        import flint

        scale, end = ball(sigma_w), ball(a_b)
        low, high = end / (scale * y), end / (scale * x)

        def whole(w: Any) -> Any:
            return w**3 * (-w * w / 2).exp() * scale * (y - x) / (2 * end)

        def cut(w: Any) -> Any:
            return w * w * (-w * w / 2).exp() * (end - scale * w * x) / (2 * end)

        norm = 2 * scale**2 / (2 * flint.arb.pi()).sqrt()
        return norm * (integral(whole, flint.arb(0), low) + integral(cut, low, high))

    return mass


def uniform_weight_mass(a_w: Fraction, sigma_b: Fraction) -> Mass:
    """W uniform on [-a_w, a_w], B ~ N(0, σ_b²)."""

    def mass(x: Arb, y: Arb) -> Arb:
        import flint

        factor = 1 / (flint.arb(2).sqrt() * ball(sigma_b))

        def integrand(w: Any) -> Any:
            return w * w * ((factor * w * y).erf() - (factor * w * x).erf()) / 2

        return integral(integrand, flint.arb(0), ball(a_w)) / ball(a_w)

    return mass


def disk_mass(radius: Fraction) -> Mass:
    """(W, B) uniform on a disk, integrated over w in the wedge -wy <= b < -wx, clipped to the disk."""

    def mass(x: Arb, y: Arb) -> Arb:
        import flint

        r = ball(radius)
        near, far = 1 / (1 + y * y).sqrt(), 1 / (1 + x * x).sqrt()

        def cut(w: Any) -> Any:
            return w * w * ((1 - w * w).sqrt() - w * x)

        return 2 * r**2 / flint.arb.pi() * (near**4 / 4 * (y - x) + integral(cut, near, far))

    return mass


def rectangle_density(a_w: Fraction, a_b: Fraction, x: Fraction) -> Fraction | Interval:
    """ζ(x), x != 0, for W uniform on [-a_w, a_w] and B uniform on [-a_b, a_b], from integrals of w² over polygons.

    If E[W²; 0 < C <= x] is linear across both bins, the result is exact.
    """
    law, width, place = uniform(a_w, a_b), Fraction(1, 2**BIN), abs(Fraction(x))

    def mass(low: Fraction, high: Fraction) -> Fraction:
        """Twice the integral over w > 0, -w·high <= b <= -w·low, divided by the rectangle's area."""
        wedge = clip(clip(clip(law.corners, 1, 0), high, 1), -low, -1)
        total = Fraction(0)
        for t in triangles(wedge):
            (a, b), (c, d), (e, f) = t
            area = abs((c - a) * (f - b) - (e - a) * (d - b)) / 2
            total += area / 6 * (a * a + c * c + e * e + a * c + a * e + c * e)
        return 2 * total / law.area

    inner, outer = mass(place - width, place) / width, mass(place, place + width) / width
    return inner if inner == outer else Interval(min(inner, outer), max(inner, outer))


def sampled_density(
    draw: Callable[[int], tuple[Any, Any]], places: Sequence[Fraction], width: float, batches: int, level: float
) -> tuple[tuple[Fraction, Interval], ...]:
    """ζ at places x > 0 from samples, enclosed by confidence bounds on its means over [x, x+width] and [x-width, x].

    draw   count -> samples (w, b) of a law whose ζ decreases on x > 0, called with count = 10^6 per batch
    level  joint error level over all places
    """
    import numpy as np
    from scipy import stats

    sums = np.zeros((2, len(places)))
    squares = np.zeros((2, len(places)))
    total = 0
    for _ in range(batches):
        w, b = draw(1_000_000)
        kinks, weights = np.abs(b / w), w * w
        order = np.argsort(kinks)
        ordered = kinks[order]
        first, second = (np.concatenate([[0.0], np.cumsum(weights[order] ** k)]) for k in (1, 2))
        for side in (0, 1):
            low = np.array([float(x) - (1 - side) * width for x in places])
            i, j = np.searchsorted(ordered, low), np.searchsorted(ordered, low + width)
            sums[side] += first[j] - first[i]
            squares[side] += second[j] - second[i]
        total += len(w)
    means = sums / total
    errors = np.sqrt((squares / total - means**2) / total)
    quantile = stats.norm.ppf(1 - level / (2 * len(places)))
    # |C| has both signs: the density of C at x is half that of |C|
    upper = (means[0] + quantile * errors[0]) / (2 * width)
    lower = (means[1] - quantile * errors[1]) / (2 * width)
    return tuple(
        (x, Interval(Fraction(float(lo)), Fraction(float(hi)))) for x, lo, hi in zip(places, lower, upper, strict=True)
    )
