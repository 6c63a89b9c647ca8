"""Theorem 2: ζ(V, c) for Gaussians, and for uniform kinks the cubic polyharmonic spline."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from implicitbias.claims import (
    Context,
    Interval,
    Observation,
    Premise,
    certificate,
    claim,
    seen,
    shows,
    theorem,
)
from implicitbias.exact.formula import Assumption
from implicitbias.theorems.rules.sequences.moments import Moments

from ..observed.data.draws import of_any_size
from ..observed.wide.interpolants import eliminated
from ..observed.wide.kink_moments import ball, density, integral, normal_power_mass

Ball = Any  # python-flint ships no types


@theorem("radial integrals")
def gaussian_zeta() -> Observation:
    """∫ u^{d+2} p_W(uV) p_B(-uc) du for every odd and every even d: in coordinates along V and across it W has one
    component u and d - 1 that are 0. Each moment is A⁻¹(d + 3)/2 times that of two dimensions less, times p(0)².
    """
    A = "((1/sigma_w**2 + c**2/sigma_b**2)/2)"
    falling, at_zero = f"exp(-{A}*u**2)/(2*pi*sigma_w*sigma_b)", "normal_density(0, sigma_w)"
    odd = f"-{falling}*(u**2/{A} + 1/{A}**2)/2"
    bell = f"3*sqrt(pi)*erf(sqrt({A})*u)/(8*{A}**2*sqrt({A}))/(2*pi*sigma_w*sigma_b)"
    even = f"{at_zero}*({bell} - {falling}*(u**3/(2*{A}) + 3*u/(4*{A}**2)))"
    for parity, d, first in (("odd", 1, odd), ("even", 2, even)):
        zeta = Moments(
            "k",
            f"u**(2*k + {d + 2})*normal_density(u, sigma_w)*{at_zero}**(2*k + {d - 1})*normal_density(-u*c, sigma_b)",
            over="u",
            lower="0",
            upper="oo",
            first=(first,),
            ratio=f"(2*k + {d + 3})/(2*{A})*{at_zero}**2",
            remainder=(f"-u**(2*k + {d + 3})*{falling}*{at_zero}**(2*k + {d + 1})/(2*{A})",),
        )
        names: dict[str, Assumption] = {"sigma_w": "positive", "sigma_b": "positive", "c": "real"}
        given = {name: name for name in names}
        yield shows(zeta, f"{parity} d", for_all={**names, "k": "nonnegative integer"}, d=f"2*k + {d}", **given)


@certificate("bins beside c")
def bins_of_gaussian_zeta(context: Context) -> Observation:
    """E[U²; C in a bin] over the area of the sphere, d = 1 to 6: U²/σ_w² has d degrees of freedom, V is uniform and
    independent of U."""
    import flint

    draw = context.random()
    for d in range(1, 7):
        for _ in range(context.choose(2, 6)):
            w, b = (Fraction(draw.randint(1, 20), draw.randint(3, 12)) for _ in range(2))
            x = draw.choice([Fraction(p, 4) for p in (1, 2, 4, -4, 6, -3, 10)])
            base = normal_power_mass(w, b, d + 1)

            def mass(low: Any, high: Any, base: Any = base, d: int = d, w: Fraction = w) -> Any:
                """|W|^{d+1}, W one Gaussian weight, has the integrand of U² in d inputs; over the sphere's area."""
                half = flint.arb(d) / 2
                # p_U = 2^{1-d/2}/Γ(d/2) u^{d-1}e^{-u²/2} (σ_w = 1); base holds 2/√(2π) in its place
                ratio = flint.arb(2) ** (1 - half) / half.gamma() / (2 / (2 * flint.arb.pi()).sqrt())
                area = 2 * flint.arb.pi() ** half / half.gamma()
                return base(low, high) * ratio / area / ball(w) ** (d - 1)

            yield seen(density(mass, x), sigma_w=w, sigma_b=b, c=x, d=d)


@certificate("quadratic forms in balls")
def quadratic_forms(context: Context) -> Observation:
    """Σλλ'E[⟨V,x⟩-C]_+[⟨V,x'⟩-C]_+ for V uniform on the sphere, the circle or ±1, C uniform on [-a, a], λ ⊥ affine
    functions.

    Over C exactly, a polynomial in s = ⟨V,x⟩, t = ⟨V,x'⟩; over the angle by quadrature between the directions at which
    s and t cross.
    """
    import flint

    from implicitbias.exact.enclosure import from_arb

    draw = context.random()
    dimensions, widest = set(), Fraction(0)
    before, flint.ctx.prec = flint.ctx.prec, 200
    try:
        for case in range(context.choose(27, 72)):
            d = {1: 2, 4: 2, 8: 3}.get(case % 12, 1)
            size = d + 2 if d == 3 else d + 3
            line = [Fraction(i, 4) for i in range(-6, 7)]
            points = draw.sample(list(product(line, repeat=d)), size)
            work, pivots = eliminated([[Fraction(1)] * size, *[[p[i] for p in points] for i in range(d)]])
            if len(pivots) < d + 1:
                continue
            free = [k for k in range(size) if k not in pivots]
            lam = [Fraction(0)] * size
            for k in free:
                lam[k] = Fraction(draw.choice([-2, -1, 1, 3]))
            for row, column in zip(work, pivots, strict=True):
                lam[column] = -sum((row[k] * lam[k] for k in free), Fraction(0))
            size_of_lam = of_any_size(draw)
            lam = [size_of_lam * value for value in lam]
            a = 6 * of_any_size(draw, 0, 4)  # beyond |x| <= 3√3/2 < 10/3

            def over_biases(s: Any, t: Any, least: Any, a: Fraction = a) -> Any:
                """(1/2a)∫ (s-c)(t-c) dc from -a to the smaller of s and t."""
                low = -ball(a)
                at = [least, low]
                values = [s * t * c - (s + t) * c**2 / 2 + c**3 / 3 for c in at]
                return (values[0] - values[1]) / (2 * ball(a))

            total, cubes = flint.arb(0), flint.arb(0)
            for i, p in enumerate(points):
                for j, q in enumerate(points[: i + 1]):
                    share = ball((1 if i == j else 2) * lam[i] * lam[j])
                    cubes += share * ball(sum((e - f) ** 2 for e, f in zip(p, q, strict=True))).sqrt() ** 3
                    total += share * (_over_sphere if d == 3 else _over_angles if d == 2 else _over_signs)(
                        [ball(e) for e in p], [ball(e) for e in q], over_biases, p == q
                    )
            room = Fraction(1, 2**100)
            found = from_arb(total)
            observed = Interval(found.lower - room, found.upper + room)
            yield seen(observed, f"d = {d}, {size} points, a = {a}", d=d, a=a, R=from_arb(cubes))
            dimensions.add(d)
            widest = max(widest, observed.width / max(abs(observed.lower), abs(observed.upper)))
    finally:
        flint.ctx.prec = before
    yield Premise("every value is known to 10⁻²⁰ of itself", widest < Fraction(1, 10**20), f"{float(widest):.1e}")
    yield Premise("one to three inputs are among them", dimensions == {1, 2, 3}, f"{dimensions}")


def _over_signs(p: Sequence[Ball], q: Sequence[Ball], over_biases: Any, same: bool) -> Any:
    """The mean over V = ±1."""
    pairs = [(sign * p[0], sign * q[0]) for sign in (1, -1)]
    return sum(over_biases(s, t, s.min(t)) for s, t in pairs) / 2


def _over_angles(p: Sequence[Ball], q: Sequence[Ball], over_biases: Any, same: bool) -> Any:
    """The mean over the circle; s < t on one half of it, t < s on the other."""
    import flint

    pi = flint.arb.pi()

    def along(point: Sequence[Ball], t: Any) -> Any:
        return point[0] * t.cos() + point[1] * t.sin()

    # ⟨V, p - q⟩ is positive within π/2 of the angle of p - q
    angle = flint.arb(0) if same else flint.arb.atan2(p[1] - q[1], p[0] - q[0])
    first = integral(lambda t: over_biases(along(p, t), along(q, t), along(q, t)), angle - pi / 2, angle + pi / 2)
    second = integral(lambda t: over_biases(along(p, t), along(q, t), along(p, t)), angle + pi / 2, angle + 3 * pi / 2)
    return (first + second) / (2 * pi)


def _over_sphere(p: Sequence[Ball], q: Sequence[Ball], over_biases: Any, same: bool) -> Any:
    """The mean over the sphere in three inputs: V is sin θ times a direction in the plane of p and q, which is uniform,
    plus a part across it. The mean over circles is a cubic in sin θ, known from four values; θ has density sin θ/2."""
    import flint

    first, second = (p, q) if any(p) else (q, p)
    length, product = sum(e * e for e in first).sqrt(), sum(e * f for e, f in zip(first, second, strict=True))
    if length == 0:
        return over_biases(length, length, length)
    across = [first[i] * second[j] - first[j] * second[i] for i, j in ((1, 2), (2, 0), (0, 1))]
    one = (length, flint.arb(0))
    other = one if same else (product / length, sum(e * e for e in across).sqrt() / length)
    nodes = [flint.arb(k) / 3 for k in range(4)]
    circles = [([k * e for e in one], [k * e for e in other]) for k in nodes]
    values = [_over_angles(*circle, over_biases, same or k == 0) for k, circle in zip(nodes, circles, strict=True)]
    powers = flint.arb_mat([[k**i for i in range(4)] for k in nodes])
    cubic = powers.solve(flint.arb_mat([[value] for value in values]))
    moments = [integral(lambda t, i=i: t.sin() ** (i + 1) / 2, flint.arb(0), flint.arb.pi()) for i in range(4)]  # type: ignore[misc]
    return sum(cubic[i, 0] * moments[i] for i in range(4))


THEOREM_2_GAUSSIAN = claim(
    "jin2021.theorem_2_gaussian",
    "JMLR 2023, Theorem 19",
    "ζ(V, c) for Gaussian initialisation and d inputs",
    """For W ~ N(0, σ_w²I) in d dimensions and B ~ N(0, σ_b²): ζ(V, c) =
    Γ((d+3)/2)π^{-(d+1)/2}σ_w³σ_b^{d+2}/(σ_b²+σ_w²c²)^{(d+3)/2}, with respect to dV dc on sphere × line. For d = 1 the
    two signs V = ±1 together make Theorem 9(a).""",
    latex=r"\zeta(V,c)=\frac{\Gamma(\frac{d+3}2)}{\pi^{(d+1)/2}}\frac{\sigma_w^3\sigma_b^{d+2}}{(\sigma_b^2+\sigma_w^2c^2)^{(d+3)/2}}",
    formula="gamma((d+3)/2)*pi**(-(d+1)/2)*sigma_w**3*sigma_b**(d+2)/(sigma_b**2 + sigma_w**2*c**2)**((d+3)/2)",
    symbols={"sigma_w": "σ_w", "sigma_b": "σ_b", "c": "c", "d": "number of inputs"},
    controls={
        "gamma((d+3)/2)*pi**(-(d+1)/2)*sigma_w**3*sigma_b**3/(sigma_b**2 + sigma_w**2*c**2)**2": "d = 1's powers",
        "gamma((d+3)/2)*pi**(-(d+1)/2)*sigma_w**3*sigma_b**(d+2)/(sigma_b**2 + sigma_w**2*c**2)**((d+2)/2)": (
            "E(U|V, C) in place of E(U²|V, C)"
        ),
        "2*gamma((d+3)/2)*pi**(-(d+1)/2)*sigma_w**3*sigma_b**(d+2)/(sigma_b**2 + sigma_w**2*c**2)**((d+3)/2)": (
            "both signs of V"
        ),
        "gamma((d+3)/2)*pi**(-(d+1)/2)*sigma_w**(d+2)*sigma_b**3/(sigma_b**2 + sigma_w**2*c**2)**((d+3)/2)": (
            "the powers of the scales exchanged"
        ),
    },
    checks=(gaussian_zeta, bins_of_gaussian_zeta),
    part_of="jin2021.jmlr_theorem_6",
)


THEOREM_2_POLYHARMONIC = claim(
    "jin2021.theorem_2_polyharmonic",
    "next to Theorem 2",
    "Uniform directions and biases: the cubic of the distance",
    """For V uniform on the sphere and C uniform on [-a, a], a above all |x_j|, the kernel of the units is, up to terms
    that multipliers λ with Σλ = 0, Σλx = 0 annihilate, Γ(d/2)/(24a√πΓ((d+3)/2))·|x-x'|³: the limit is interpolation by
    cubes of distances plus an affine function.""",
    latex=r"\sum\lambda_j\lambda_kK(x_j,x_k)=\frac{\Gamma(d/2)}{24a\sqrt\pi\,\Gamma(\frac{d+3}2)}\sum\lambda_j\lambda_k|x_j-x_k|^3",
    hypotheses=("Σλ_j = 0, Σλ_jx_j = 0", "a > max |x_j|", "checked for d = 1, 2 and 3"),
    formula="gamma(d/2)/(24*a*sqrt(pi)*gamma((d+3)/2))*R",
    symbols={"d": "number of inputs", "a": "C is uniform on [-a, a]", "R": "Σλ_jλ_k|x_j-x_k|³"},
    controls={
        "R/(24*a)": "the constant of one input",
        "gamma(d/2)/(12*a*sqrt(pi)*gamma((d+3)/2))*R": "a factor of two",
        "gamma(d/2)/(24*sqrt(pi)*gamma((d+3)/2))*R": "the length of the bias's range forgotten",
        "gamma(d/2)/(24*a*sqrt(pi)*gamma((d+2)/2))*R": "E|V₁|² in place of E|V₁|³",
    },
    checks=(quadratic_forms,),
    part_of="jin2021.theorem_2_rate",
    own=True,
)
