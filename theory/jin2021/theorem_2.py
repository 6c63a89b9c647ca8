"""Theorem 2: several inputs. The operator of (5), ζ(V, c) for Gaussians, cubic polyharmonic splines, and the flaws."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from implicitbias.check import Check, Context, Kind
from implicitbias.claim import OWN_RESULT, Claim, Control, Source
from implicitbias.evidence import Evidence, Identity, Instance, Premise, Value
from implicitbias.exact.rational import Interval

BESIDE = Source(OWN_RESULT, "beside Theorem 2")


def derive_the_operator(context: Context) -> Evidence:
    """d = 3: the Laplacian applied twice to exp(-|x|²/2), integrated over the plane at distance c."""
    import sympy

    from implicitbias.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    x1, x2, c, d = symbol("x1"), symbol("x2"), symbol("c"), Derivation()
    g = sympy.exp(-(x1**2 + x2**2 + c**2) / 2)

    def laplacian(f: Any) -> Any:
        return sum(sympy.diff(f, z, 2) for z in (x1, x2, c))

    twice = sympy.expand(laplacian(laplacian(g)) / g)
    d.step("(-Δ)^{(d+1)/2} is Δ² for d = 3; of exp(-|x|²/2) it is that times", f"{twice}")
    polynomial = sympy.Poly(twice, x1, x2)
    moments = {0: 1, 2: 1, 4: 3, 6: 15}  # of the standard Gaussian
    over_plane = (
        sum(coefficient * moments.get(i, 0) * moments.get(j, 0) for (i, j), coefficient in polynomial.terms())
        * 2
        * sympy.pi
        * sympy.exp(-(c**2) / 2)
    )
    d.step("integrated over the plane: Gaussian moments 1, 1, 3 and the factor 2π", f"{sympy.factor(over_plane)}")
    transform = 2 * sympy.pi * sympy.exp(-(c**2) / 2)
    d.identity("the same as the fourth derivative of the plane integrals of g", over_plane, sympy.diff(transform, c, 4))
    identity = Identity("d = 3", {"c": "real"}, {"c": "c"}, from_sympy(sympy.factor(over_plane)))
    return Evidence(identities=(identity,), steps=d.steps)


def fourier_integrals(context: Context) -> Evidence:
    """R{(-Δ)²g}(c) by the definition in Fourier space: (1/2π)∫ s⁴ ĝ(sω) cos(sc) ds with ĝ = (2π)^{3/2}e^{-s²/2}."""
    import flint

    from implicitbias.exact.enclosure import from_arb

    from .observed.kink_moments import BITS, ball, integral

    draw = context.random()
    places = [Fraction(p) for p in (0, 1, 2, -1)] + [Fraction(draw.randint(-40, 40), 11) for _ in range(6)]
    instances = []
    before, flint.ctx.prec = flint.ctx.prec, BITS
    try:
        for c in places:
            end = flint.arb(30)
            value = integral(lambda s, c=c: s**4 * (-s * s / 2).exp() * (s * ball(c)).cos(), flint.arb(0), end)  # type: ignore[misc]
            rest = end**4 * (-(end**2) / 2).exp()
            ball_value = (value + (-rest).union(rest)) / flint.arb.pi() * (2 * flint.arb.pi()) ** flint.arb("1.5")
            instances.append(Instance(f"c = {c}", {"c": c}, from_arb(ball_value)))
    finally:
        flint.ctx.prec = before
    return Evidence(instances=tuple(instances))


def spheres(context: Context) -> Evidence:
    """∫ R{(-Δ)^{(d+1)/2}g}(V, ⟨V,x⟩) dV over the unit sphere for g = exp(-|x|²/2), |x| = r, d = 1 to 6.

    The inner value is a Fourier integral, Kummer's 1F1 of (d+2)/2 and 1/2; the outer one is taken by quadrature.
    """
    import flint

    from implicitbias.exact.enclosure import from_arb

    from .observed.kink_moments import ball, integral

    instances = []
    before, flint.ctx.prec = flint.ctx.prec, 300
    try:
        pi = flint.arb.pi()
        for d in range(1, context.choose(6, 9)):
            half = flint.arb(d + 2) / 2
            factor = (2 * pi) ** (flint.arb(d) / 2 - 1) * flint.arb(2) ** half * half.gamma()

            def inner(c: Any, half: Any = half, factor: Any = factor) -> Any:
                """(2π)^{d/2-1} 2∫ s^{d+1}e^{-s²/2} cos(sc) ds."""
                return factor * (-c * c / 2).hypgeom_1f1(half, flint.acb(1) / 2)

            for r in (Fraction(1), Fraction(0), Fraction(2), Fraction(3, 2)):
                if d == 1:
                    value = 2 * inner(flint.acb(ball(r))).real
                else:
                    lower_sphere = 2 * pi ** (flint.arb(d - 1) / 2) / (flint.arb(d - 1) / 2).gamma()
                    value = lower_sphere * integral(
                        lambda t, r=r, d=d, inner=inner: inner(ball(r) * t.cos()) * t.sin() ** (d - 2),  # type: ignore[misc]
                        flint.arb(0),
                        pi,
                    )
                instances.append(Instance(f"d = {d}, |x| = {r}", {"d": d, "r": r}, from_arb(value)))
    finally:
        flint.ctx.prec = before
    return Evidence(instances=tuple(instances))


def derive_gaussian_zeta(context: Context) -> Evidence:
    """∫ u^{d+2} p_{W,B}(uV, -uc) du for d = 1, …, 5."""
    import sympy

    from implicitbias.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    sw, sb, u, rate = (symbol(name, "positive") for name in ("sigma_w", "sigma_b", "u", "rate"))
    c, derivation = symbol("c"), Derivation()
    A = (1 / sw**2 + c**2 / sb**2) / 2
    derivation.step(
        "volume u^{d-1} du dV of weights, u² from U², u from b = -uc", "ζ(V, c) = ∫ u^{d+2} p_W(uV) p_B(-uc) du"
    )
    identities = []
    for d in range(1, 6):
        moment = sympy.integrate(u ** (d + 2) * sympy.exp(-rate * u**2), (u, 0, sympy.oo))
        norm = (2 * sympy.pi * sw**2) ** sympy.Rational(d, 2) * sympy.sqrt(2 * sympy.pi) * sb
        derived = sympy.powsimp(sympy.simplify(moment.subs(rate, A) / norm))
        derivation.step(f"d = {d}", f"{derived}")
        given = {"sigma_w": "sigma_w", "sigma_b": "sigma_b", "c": "c", "d": str(d)}
        variables: dict[str, Any] = {"sigma_w": "positive", "sigma_b": "positive", "c": "real"}
        identities.append(Identity(f"d = {d}", variables, given, from_sympy(derived)))
    return Evidence(identities=tuple(identities), steps=derivation.steps)


def bins_of_gaussian_zeta(context: Context) -> Evidence:
    """E[U²; C in a bin] over the area of the sphere: U²/σ_w² has d degrees of freedom, V is uniform and independent."""
    import flint

    from .observed.kink_moments import density, normal_power_mass

    draw = context.random()
    instances = []
    for d in range(1, 7):
        for _ in range(context.choose(2, 6)):
            w, b = (Fraction(draw.randint(1, 20), draw.randint(3, 12)) for _ in range(2))
            x = draw.choice([Fraction(p, 4) for p in (1, 2, 4, -4, 6, -3, 10)])
            base = normal_power_mass(w, b, d + 1)

            def mass(low: Any, high: Any, base: Any = base, d: int = d, w: Fraction = w) -> Any:
                """|W|^{d+1}, W one Gaussian weight, has the integrand of U² in d inputs; over the sphere's area."""
                from .observed.kink_moments import ball

                half = flint.arb(d) / 2
                # p_U = 2^{1-d/2}/Γ(d/2) u^{d-1}e^{-u²/2} (σ_w = 1); base holds 2/√(2π) in its place
                ratio = flint.arb(2) ** (1 - half) / half.gamma() / (2 / (2 * flint.arb.pi()).sqrt())
                area = 2 * flint.arb.pi() ** half / half.gamma()
                return base(low, high) * ratio / area / ball(w) ** (d - 1)

            given: dict[str, Value] = {"sigma_w": w, "sigma_b": b, "c": x, "d": d}
            instances.append(Instance(f"d = {d}, σ_w={w}, σ_b={b}, c={x}", given, density(mass, x)))
    return Evidence(instances=tuple(instances))


def quadratic_forms(context: Context) -> Evidence:
    """Σλλ'E[⟨V,x⟩-C]_+[⟨V,x'⟩-C]_+ for V uniform on the circle (or ±1), C uniform on [-a, a], λ ⊥ affine functions.

    Over C exactly, a polynomial in s = ⟨V,x⟩, t = ⟨V,x'⟩; over the angle by quadrature between the directions at which
    s and t cross.
    """
    import flint

    from implicitbias.exact.enclosure import from_arb

    from .observed.interpolants import eliminated
    from .observed.kink_moments import ball, integral

    draw = context.random()
    instances = []
    before, flint.ctx.prec = flint.ctx.prec, 200
    try:
        for case in range(context.choose(6, 24)):
            d = 1 + case % 2
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
            a = Fraction(draw.randint(5, 12), 2)  # beyond |x| <= 3√2/2 < 5/2

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
            given: dict[str, Value] = {"d": d, "a": a, "R": from_arb(cubes)}
            room = Fraction(1, 2**100)
            found = from_arb(total)
            instances.append(
                Instance(f"d = {d}, {size} points, a = {a}", given, Interval(found.lower - room, found.upper + room))
            )
    finally:
        flint.ctx.prec = before
    both = {i.given["d"] for i in instances}
    return Evidence(
        instances=tuple(instances), premises=(Premise("one and two inputs are among them", both == {1, 2}, f"{both}"),)
    )


def _over_angles(p: Any, q: Any, z: Any, over_biases: Any, integral: Any) -> Any:
    """The mean over the circle; s < t on one half of it, t < s on the other."""
    import flint

    from .observed.kink_moments import ball

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


CLAIMS = (
    Claim(
        id="jin2021.theorem_2_operator",
        source=Source("jin2021", "Theorem 2, after equation (5)"),
        title="The operator of (5) at work, three inputs",
        statement=(
            "With the Radon transform R{f}(ω, b) = ∫_{⟨ω,x⟩=b} f and the power of -Δ defined by ‖ξ‖^{d+1} in Fourier "
            "space, for d = 3 and g = exp(-|x|²/2): R{(-Δ)²g}(ω, c) = 2π(c⁴ - 6c² + 3)e^{-c²/2}, the (d+1)-st "
            "derivative of R{g}."
        ),
        latex=r"\mathcal R\{(-\Delta)^2e^{-|x|^2/2}\}(\omega,c)=2\pi(c^4-6c^2+3)e^{-c^2/2}",
        hypotheses=("d = 3",),
        formula="2*pi*(c**4 - 6*c**2 + 3)*exp(-c**2/2)",
        symbols={"c": "distance of the plane"},
        controls=(
            Control("2*pi*(1 - c**2)*exp(-c**2/2)", "the power d-1: one Laplacian"),
            Control("-2*pi*(c**4 - 6*c**2 + 3)*exp(-c**2/2)", "the sign"),
            Control("(2*pi)**(3/2)*(c**4 - 6*c**2 + 3)*exp(-c**2/2)", "the transform's own norm"),
            Control("2*pi*(c**4 - 10*c**2 + 15)*exp(-c**2/2)", "Δ² without the integral over the plane"),
        ),
        checks=(
            Check("Laplacians and Gaussian moments", Kind.PROOF, derive_the_operator, "in real space"),
            Check(
                "Fourier integrals", Kind.CERTIFICATE, fourier_integrals, "by the definition in Fourier space, in balls"
            ),
        ),
    ),
    Claim(
        id="jin2021.theorem_2_inversion",
        source=BESIDE,
        title="The operator of (5) gives back the density of units",
        statement=(
            "For g(x) = ∫a(V, c)[⟨V,x⟩-c]_+ dV dc with even a: R{(-Δ)^{(d+1)/2}g} = -2(2π)^{d-1}a. Hence, as Δg(x) = "
            "∫a(V, ⟨V,x⟩)dV, the sphere's integral of the operator at ⟨V,x⟩ is -2(2π)^{d-1}Δg: for g = exp(-|x|²/2) it "
            "is -2(2π)^{d-1}(r²-d)e^{-r²/2} at |x| = r. For d = 1 the factor is -2, Theorem 1's second derivative."
        ),
        latex=r"\mathcal R\{(-\Delta)^{(d+1)/2}g\}=-2(2\pi)^{d-1}a",
        hypotheses=("a even: a(V, c) = a(-V, -c)", "checked for d = 1 to 5"),
        rests_on=("jin2021.theorem_2_operator",),
        formula="-2*(2*pi)**(d-1)*(r**2 - d)*exp(-r**2/2)",
        symbols={"d": "number of inputs", "r": "|x|"},
        controls=(
            Control("-2*(2*pi)**d*(r**2 - d)*exp(-r**2/2)", "a power of 2π too many"),
            Control("2*(2*pi)**(d-1)*(r**2 - d)*exp(-r**2/2)", "the sign"),
            Control("-(2*pi)**(d-1)*(r**2 - d)*exp(-r**2/2)", "each kink once"),
            Control("-2*(2*pi)**(d-1)*(r**2 - 1)*exp(-r**2/2)", "right for one input only"),
        ),
        checks=(
            Check(
                "spheres in balls", Kind.CERTIFICATE, spheres, "Fourier integrals averaged over the sphere, d = 1 to 5"
            ),
        ),
    ),
    Claim(
        id="jin2021.theorem_2_gaussian",
        source=BESIDE,
        title="ζ(V, c) for Gaussian initialisation and d inputs",
        statement=(
            "For W ~ N(0, σ_w²I) in d dimensions and B ~ N(0, σ_b²): ζ(V, c) = "
            "Γ((d+3)/2)π^{-(d+1)/2}σ_w³σ_b^{d+2}/(σ_b²+σ_w²c²)^{(d+3)/2}, with respect to dV dc on sphere × line. For "
            "d = 1 the two signs V = ±1 together make Theorem 9(a)."
        ),
        latex=(
            r"\zeta(V,c)=\frac{\Gamma(\frac{d+3}2)}{\pi^{(d+1)/2}}\frac{\sigma_w^3\sigma_b^{d+2}}{(\sigma_b^2+\sigma_w^2c^2)^{(d+3)/2}}"
        ),
        formula="gamma((d+3)/2)*pi**(-(d+1)/2)*sigma_w**3*sigma_b**(d+2)/(sigma_b**2 + sigma_w**2*c**2)**((d+3)/2)",
        symbols={"sigma_w": "σ_w", "sigma_b": "σ_b", "c": "c", "d": "number of inputs"},
        controls=(
            Control(
                "gamma((d+3)/2)*pi**(-(d+1)/2)*sigma_w**3*sigma_b**3/(sigma_b**2 + sigma_w**2*c**2)**2",
                "d = 1's powers",
            ),
            Control(
                "gamma((d+3)/2)*pi**(-(d+1)/2)*sigma_w**3*sigma_b**(d+2)/(sigma_b**2 + sigma_w**2*c**2)**((d+2)/2)",
                "E(U|V, C) in place of E(U²|V, C)",
            ),
            Control(
                "2*gamma((d+3)/2)*pi**(-(d+1)/2)*sigma_w**3*sigma_b**(d+2)/(sigma_b**2 + sigma_w**2*c**2)**((d+3)/2)",
                "both signs of V",
            ),
            Control(
                "gamma((d+3)/2)*pi**(-(d+1)/2)*sigma_w**(d+2)*sigma_b**3/(sigma_b**2 + sigma_w**2*c**2)**((d+3)/2)",
                "the powers of the scales exchanged",
            ),
        ),
        checks=(
            Check("radial integrals", Kind.PROOF, derive_gaussian_zeta, "d = 1 to 5"),
            Check(
                "bins beside c", Kind.CERTIFICATE, bins_of_gaussian_zeta, "E[U²; C in a bin] with chi laws, d = 1 to 6"
            ),
        ),
    ),
    Claim(
        id="jin2021.theorem_2_polyharmonic",
        source=BESIDE,
        title="Uniform directions and biases give the cubic of the distance",
        statement=(
            "For V uniform on the sphere and C uniform on [-a, a], a above all |x_j|, the kernel of the units is, up "
            "to terms that multipliers λ with Σλ = 0, Σλx = 0 annihilate, Γ(d/2)/(24a√πΓ((d+3)/2))·|x-x'|³: the limit "
            "is interpolation by cubes of distances plus an affine function, in every dimension."
        ),
        latex=(
            r"\sum\lambda_j\lambda_kK(x_j,x_k)=\frac{\Gamma(d/2)}{24a\sqrt\pi\,\Gamma(\frac{d+3}2)}\sum\lambda_j\lambda_k|x_j-x_k|^3"
        ),
        hypotheses=("Σλ_j = 0, Σλ_jx_j = 0", "a > max |x_j|", "checked for d = 1 and 2"),
        formula="gamma(d/2)/(24*a*sqrt(pi)*gamma((d+3)/2))*R",
        symbols={"d": "number of inputs", "a": "C is uniform on [-a, a]", "R": "Σλ_jλ_k|x_j-x_k|³"},
        controls=(
            Control("R/(24*a)", "the constant of one input"),
            Control("gamma(d/2)/(12*a*sqrt(pi)*gamma((d+3)/2))*R", "a factor of two"),
            Control("gamma(d/2)/(24*sqrt(pi)*gamma((d+3)/2))*R", "the length of the bias's range forgotten"),
            Control("gamma(d/2)/(24*a*sqrt(pi)*gamma((d+2)/2))*R", "E|V₁|² in place of E|V₁|³"),
        ),
        checks=(
            Check(
                "quadratic forms in balls",
                Kind.CERTIFICATE,
                quadratic_forms,
                "exact over the bias, quadrature over the angle",
            ),
        ),
    ),
)
