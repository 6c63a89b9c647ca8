"""Theorem 2: several inputs. The operator of (5), ζ(V, c) for Gaussians, cubic polyharmonic splines, and the flaws."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from implicitbias.check import Check, Context, Kind
from implicitbias.claim import OWN_RESULT, Claim, Control, Flaw, Source
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


def trained_values(context: Context) -> Evidence:
    """What a network trained on the adjusted data takes at a data point: least-norm output weights of two inputs."""
    from .observed.exact_training import nearest_solution

    draw = context.random()
    instances = []
    for _ in range(context.choose(6, 20)):
        points = draw.sample([(Fraction(i), Fraction(j)) for i in range(-2, 3) for j in range(-2, 3)], 4)
        y = [Fraction(draw.randint(-6, 6)) for _ in points]
        u1, u2, v = (Fraction(draw.randint(-6, 6), 2) for _ in range(3))
        units = [tuple(Fraction(draw.randint(-9, 9), 4) for _ in range(3)) for _ in range(12)]
        features = [[max(w1 * p + w2 * q + b, Fraction(0)) for w1, w2, b in units] for p, q in points]
        try:
            outer = nearest_solution(
                features, [value - u1 * p - u2 * q - v for (p, q), value in zip(points, y, strict=True)]
            )
        except ArithmeticError:
            continue
        for (p, q), value, row in zip(points, y, features, strict=True):
            given: dict[str, Value] = {"y": value, "u_1": u1, "u_2": u2, "v": v, "x_1": p, "x_2": q}
            reached = sum((a * f for a, f in zip(outer, row, strict=True)), Fraction(0))
            instances.append(Instance(f"12 units, x = ({p}, {q})", given, reached))
    return Evidence(instances=tuple(instances))


def growth(context: Context) -> Evidence:
    """The order to which ∫_{|x|<=R}(f-g)² grows in R: f a trained network of one input, g the natural cubic spline.

    Beyond all kinks the integral is a polynomial in R: its degree, by exact differences.
    """
    from .observed.exact_training import nearest_solution
    from .observed.weighted_spline import constant, weighted_spline

    draw = context.random()
    instances = []
    for _ in range(context.choose(6, 25)):
        x = [Fraction(k) for k in (-2, -1, 0, 1, 2)]
        y = [Fraction(draw.randint(-4, 4), 2) for _ in x]
        units = [(Fraction(draw.choice([-2, -1, 1, 2])), Fraction(draw.randint(-20, 20), 7)) for _ in range(25)]
        features = [[max(w * z + b, Fraction(0)) for w, b in units] for z in x]
        try:
            outer = nearest_solution(features, y)
        except ArithmeticError:
            continue
        spline = weighted_spline(x, y, constant(1))
        reach = max([abs(b / w) for w, b in units] + [Fraction(2)])

        def difference(z: Fraction, units: Any = units, outer: Any = outer, spline: Any = spline) -> Fraction:
            network = sum(
                (a * max(w * z + b, Fraction(0)) for a, (w, b) in zip(outer, units, strict=True)), Fraction(0)
            )
            return network - Fraction(spline(z))

        # both tails are affine there: ∫ of the square between consecutive whole R by Simpson's rule, which is exact
        totals, total = [], Fraction(0)
        start = Fraction(int(reach) + 1)
        for step in range(7):
            totals.append(total)
            low, high = start + step, start + step + 1
            for sign in (1, -1):
                values = [difference(sign * z) ** 2 for z in (low, (low + high) / 2, high)]
                total += (values[0] + 4 * values[1] + values[2]) / 6
        degree = 0
        while any(totals):
            totals = [b - a for a, b in pairwise(totals)]
            degree += 1
        # a polynomial of degree m has m+1 differences before they vanish
        instances.append(Instance("one input, 25 units, five data", {"d": 1}, degree - 1))
    return Evidence(instances=tuple(instances))


def jump_costs(context: Context) -> Evidence:
    """The least Σ p_i γ_i² of output weights that make a slope jump of 1 at one kink, units of both signs of w there.

    In one input (V, c) and (-V, -c) are the same kink; the affine part that units of negative w add costs nothing.
    """
    from .observed.exact_training import nearest_solution

    draw = context.random()
    instances = []
    for _ in range(context.choose(14, 50)):
        law = [
            (Fraction(draw.choice([-3, -2, -1, 1, 2, 3]), draw.randint(1, 2)), Fraction(draw.randint(1, 5)))
            for _ in range(draw.randint(1, 4))
        ]
        total = sum((mass for _, mass in law), Fraction(0))
        law = [(w, mass / total) for w, mass in law]
        # equally likely copies of the units: Σ p γ |w| = 1 with the least Σ p γ²
        counts = [(w, int(mass * total)) for w, mass in law]
        copies = [w for w, count in counts for _ in range(count)]
        share = Fraction(1, len(copies))
        gamma = nearest_solution([[share * abs(w) for w in copies]], [Fraction(1)])
        cost = sum(share * g * g for g in gamma)
        given: dict[str, Value] = {
            "p": sum((mass * w * w for w, mass in law if w > 0), Fraction(0)),
            "m": sum((mass * w * w for w, mass in law if w < 0), Fraction(0)),
        }
        instances.append(Instance(f"{len(law)} kinds of units at the kink", given, cost))
    lopsided = sum(i.given["p"] != i.given["m"] for i in instances)
    return Evidence(
        instances=tuple(instances),
        premises=(Premise("laws that are not symmetric are among them", lopsided >= 5, f"{lopsided}"),),
    )


CLAIMS = (
    Claim(
        id="jin2021.theorem_2_operator",
        source=Source("jin2021", "Theorem 2, after equation (5)"),
        title="The operator of (5) at work, three inputs",
        statement=(
            "With the Radon transform R{f}(ω, b) = ∫_{⟨ω,x⟩=b} f and the power of -Δ defined by ‖ξ‖^{d+1} in Fourier "
            "space, "
            "for d = 3 and g = exp(-|x|²/2): R{(-Δ)²g}(ω, c) = 2π(c⁴ - 6c² + 3)e^{-c²/2}, the (d+1)-st derivative of "
            "R{g}."
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
            "For g(x) = ∫a(V, c)[⟨V,x⟩-c]_+ dV dc with even a: R{(-Δ)^{(d+1)/2}g} = -2(2π)^{d-1}a. Hence, as "
            "Δg(x) = ∫a(V, ⟨V,x⟩)dV, the sphere's integral of the operator at ⟨V,x⟩ is -2(2π)^{d-1}Δg: for g = "
            "exp(-|x|²/2) it "
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
            "For W ~ N(0, σ_w²I) in d dimensions and B ~ N(0, σ_b²): "
            "ζ(V, c) = Γ((d+3)/2)π^{-(d+1)/2}σ_w³σ_b^{d+2}/(σ_b²+σ_w²c²)^{(d+3)/2}, with respect to dV dc on sphere × "
            "line. "
            "For d = 1 the two signs V = ±1 together make Theorem 9(a)."
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
            "to terms "
            "that multipliers λ with Σλ = 0, Σλx = 0 annihilate, Γ(d/2)/(24a√πΓ((d+3)/2))·|x-x'|³: the limit is "
            "interpolation "
            "by cubes of distances plus an affine function, in every dimension."
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
    Claim(
        id="jin2021.theorem_2_constraint",
        source=Source("jin2021", "Theorem 2, equation (5)"),
        title="What g* must take at the data",
        statement=(
            "The network is trained on y_j - ⟨u,x_j⟩ - v and reaches these values, so g* in (5) must be constrained to "
            "them: "
            "cost and side condition do not see affine functions, and f - g* would otherwise be ⟨u,x⟩ + v at the data."
        ),
        latex=r"g(x_j)=y_j-\langle u,x_j\rangle-v",
        hypotheses=("two inputs in what is computed",),
        formula="y - u_1*x_1 - u_2*x_2 - v",
        symbols={"y": "y_j", "u_1": "u", "u_2": "u", "v": "v", "x_1": "x_j", "x_2": "x_j"},
        flaw=Flaw(
            printed="y",
            word="misprint",
            wrong="the adjustment, made in the text and in Theorem 1, is missing in the constraint of (5)",
            sure="certain",
            charitable="Theorem 1 prints it; the slip is in (5) alone",
        ),
        controls=(
            Control("y + u_1*x_1 + u_2*x_2 + v", "the sign"),
            Control("y - u_1*x_1 - u_2*x_2", "the constant forgotten"),
            Control("y - v", "the slope forgotten"),
        ),
        checks=(
            Check("trained in fractions", Kind.CERTIFICATE, trained_values, "least-norm output weights, two inputs"),
        ),
    ),
    Claim(
        id="jin2021.theorem_2_norm",
        source=Source("jin2021", "Theorem 2"),
        title="The difference on the whole space",
        statement=(
            "f(·, θ*) - g* is affine far out, with a slope of order n^{-1/2} that is almost surely not zero: its "
            "square over "
            "|x| <= R grows like R^{d+2} and its 2-norm over ℝ^d is infinite. The rate holds on every compact set. (d "
            "= 1 in "
            "what is computed.)"
        ),
        latex=r"\int_{|x|\le R}(f-g^*)^2\sim R^{d+2}",
        hypotheses=("a network in general position",),
        formula="d + 2",
        symbols={"d": "number of inputs"},
        flaw=Flaw(
            printed="0",
            word="false statement",
            wrong="the 2-norm over ℝ^d is infinite at every finite width",
            sure="certain",
            charitable="on a compact set, as in Theorem 1 and Theorem 5, the statement is right",
        ),
        controls=(
            Control("d", "a constant difference far out"),
            Control("d + 1", "a difference that grows like √R"),
            Control("2*d", "agrees for two inputs only"),
        ),
        checks=(
            Check(
                "tails in fractions",
                Kind.CERTIFICATE,
                growth,
                "trained networks of one input against the natural cubic spline",
            ),
        ),
    ),
    Claim(
        id="jin2021.theorem_2_symmetry",
        source=Source("jin2021", "Theorem 2, equation (5)"),
        title="The cost of a kink for laws that are not symmetric",
        statement=(
            "Units (V, c) and (-V, -c) have the same kink, and R{·} is even: in (5) a jump J at it costs, up to a "
            "constant, "
            "J²(1/ζ₊ + 1/ζ₋)/4, but training charges J²/(ζ₊ + ζ₋). They agree only where ζ₊ = ζ₋; for one-sided laws "
            "(5) has no "
            "solution but affine ones. In Theorem 6 and Proposition 7 both signs are added up, as they should be."
        ),
        latex=r"\frac{J^2}{\zeta(V,c)+\zeta(-V,-c)}",
        hypotheses=("affine functions are not in the cost", "one input in what is computed"),
        formula="1/(p + m)",
        symbols={"p": "ζ₊ = p_C E[W²; W > 0 | C]", "m": "ζ₋ = p_C E[W²; W < 0 | C]"},
        flaw=Flaw(
            printed="(1/p + 1/m)/4",
            word="missing hypothesis",
            wrong="(W, B) must have the law of (-W, -B), or ζ in (5) be replaced by its even part",
            sure="certain",
            charitable="for the symmetric laws that are used in practice the two agree",
        ),
        controls=(
            Control("1/Max(p, m)", "the better of the two signs"),
            Control("1/p", "the positive sign only"),
            Control("2/(p + m)", "the mean of the two"),
        ),
        checks=(Check("least costs in fractions", Kind.CERTIFICATE, jump_costs, "the cheapest way to make one jump"),),
    ),
)
