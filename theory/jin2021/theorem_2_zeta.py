"""Theorem 2: ζ(V, c) for Gaussians, and for uniform kinks the cubic polyharmonic spline."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from implicitbias.claims import Context, Derivation, Interval, Observation, Premise, certificate, claim, proof, seen

from ..observed.data.draws import of_any_size
from ..observed.wide.interpolants import eliminated
from ..observed.wide.kink_moments import ball, density, integral, normal_power_mass


@proof("radial integrals")
def gaussian_zeta(derivation: Derivation) -> None:
    """∫ u^{d+2} p_{W,B}(uV, -uc) du for d = 1, …, 5."""
    import sympy

    c, sw, sb, u, rate = derivation.symbols("c", sigma_w="positive", sigma_b="positive", u="positive", rate="positive")
    A = (1 / sw**2 + c**2 / sb**2) / 2
    derivation.step(
        "volume u^{d-1} du dV of weights, u² from U², u from b = -uc", "ζ(V, c) = ∫ u^{d+2} p_W(uV) p_B(-uc) du"
    )
    for d in range(1, 6):
        moment = sympy.integrate(u ** (d + 2) * sympy.exp(-rate * u**2), (u, 0, sympy.oo))
        norm = (2 * sympy.pi * sw**2) ** sympy.Rational(d, 2) * sympy.sqrt(2 * sympy.pi) * sb
        derived = sympy.powsimp(sympy.simplify(moment.subs(rate, A) / norm))
        derivation.step(f"d = {d}", f"{derived}")
        variables: dict[str, Any] = {"sigma_w": "positive", "sigma_b": "positive", "c": "real"}
        derivation.concludes(derived, f"d = {d}", over=variables, sigma_w="sigma_w", sigma_b="sigma_b", c="c", d=d)


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
    """Σλλ'E[⟨V,x⟩-C]_+[⟨V,x'⟩-C]_+ for V uniform on the circle (or ±1), C uniform on [-a, a], λ ⊥ affine functions.

    Over C exactly, a polynomial in s = ⟨V,x⟩, t = ⟨V,x'⟩; over the angle by quadrature between the directions at which
    s and t cross.
    """
    import flint

    from implicitbias.exact.enclosure import from_arb

    draw = context.random()
    dimensions = set()
    before, flint.ctx.prec = flint.ctx.prec, 200
    try:
        for case in range(context.choose(27, 72)):
            d = 2 if case % 9 == 1 else 1
            size = d + 3
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
            a = 5 * of_any_size(draw, 0, 4)  # beyond |x| <= 3√2/2 < 20/9

            def over_biases(s: Any, t: Any, least: Any, a: Fraction = a) -> Any:
                """(1/2a)∫ (s-c)(t-c) dc from -a to the smaller of s and t."""
                low = -ball(a)
                at = [least, low]
                values = [s * t * c - (s + t) * c**2 / 2 + c**3 / 3 for c in at]
                return (values[0] - values[1]) / (2 * ball(a))

            total, cubes = flint.arb(0), flint.arb(0)
            for i, p in enumerate(points):
                for j, q in enumerate(points):
                    if lam[i] * lam[j] == 0:
                        continue
                    z = tuple(e - f for e, f in zip(p, q, strict=True))
                    cubes += ball(lam[i] * lam[j]) * ball(sum(e * e for e in z)).sqrt() ** 3
                    if d == 1:
                        value = (
                            sum(
                                (
                                    over_biases(ball(v * p[0]), ball(v * q[0]), ball(min(v * p[0], v * q[0])))
                                    for v in (1, -1)
                                ),
                                flint.arb(0),
                            )
                            / 2
                        )
                    else:
                        value = _over_angles(p, q, z, over_biases, integral)
                    total += ball(lam[i] * lam[j]) * value
            room = Fraction(1, 2**100)
            found = from_arb(total)
            observed = Interval(found.lower - room, found.upper + room)
            yield seen(observed, f"d = {d}, {size} points, a = {a}", d=d, a=a, R=from_arb(cubes))
            dimensions.add(d)
    finally:
        flint.ctx.prec = before
    yield Premise("one and two inputs are among them", dimensions == {1, 2}, f"{dimensions}")


def _over_angles(p: Any, q: Any, z: Any, over_biases: Any, integral: Any) -> Any:
    """The mean over the circle; s < t on one half of it, t < s on the other."""
    import flint

    pi = flint.arb.pi()

    def along(point: Any, t: Any) -> Any:
        return ball(point[0]) * t.cos() + ball(point[1]) * t.sin()

    if z == (0, 0):
        return integral(lambda t: over_biases(along(p, t), along(q, t), along(p, t)), flint.arb(0), 2 * pi) / (2 * pi)
    # ⟨V, z⟩ = |z| cos(t - angle): positive within π/2 of the angle of z
    angle = flint.arb.atan2(ball(z[1]), ball(z[0]))
    first = integral(lambda t: over_biases(along(p, t), along(q, t), along(q, t)), angle - pi / 2, angle + pi / 2)
    second = integral(lambda t: over_biases(along(p, t), along(q, t), along(p, t)), angle + pi / 2, angle + 3 * pi / 2)
    return (first + second) / (2 * pi)


THEOREM_2_GAUSSIAN = claim(
    "jin2021.theorem_2_gaussian",
    "next to Theorem 2",
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
    part_of="jin2021.theorem_2_rate",
    own=True,
)


THEOREM_2_POLYHARMONIC = claim(
    "jin2021.theorem_2_polyharmonic",
    "next to Theorem 2",
    "Uniform directions and biases: the cubic of the distance",
    """For V uniform on the sphere and C uniform on [-a, a], a above all |x_j|, the kernel of the units is, up to terms
    that multipliers λ with Σλ = 0, Σλx = 0 annihilate, Γ(d/2)/(24a√πΓ((d+3)/2))·|x-x'|³: the limit is interpolation by
    cubes of distances plus an affine function.""",
    latex=r"\sum\lambda_j\lambda_kK(x_j,x_k)=\frac{\Gamma(d/2)}{24a\sqrt\pi\,\Gamma(\frac{d+3}2)}\sum\lambda_j\lambda_k|x_j-x_k|^3",
    hypotheses=("Σλ_j = 0, Σλ_jx_j = 0", "a > max |x_j|", "checked for d = 1 and 2"),
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
