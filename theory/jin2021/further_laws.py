"""ζ of further laws in closed form, from Proposition 7 and from the definition: our own additions to Theorem 9."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from implicitbias.claims import Context, Derivation, Observation, certificate, claim, proof, seen, shows, theorem
from implicitbias.theorems.rules.calculus.integral import Integral

from ..observed.wide.kink_moments import ball, density, disk_mass, laplace_mass, normal_mass
from ..observed.wide.two_scales import PLACES, two_scales


@theorem("integral over the density")
def correlated_gaussian() -> Observation:
    """Proposition 7's integral: p_{W,B}(w, -wx) is Gaussian in w, and its third absolute moment is wanted."""
    rate = "(((x/sigma_b + rho/sigma_w)**2 + (1 - rho**2)/sigma_w**2)/(2*(1 - rho**2)))"
    rising = f"(w**2/{rate} + 1/{rate}**2)*exp(-{rate}*w**2)/(4*pi*sigma_w*sigma_b*sqrt(1 - rho**2))"
    yield shows(
        Integral(
            "Abs(w)**3*normal_pair_density(w, -w*x, sigma_w, sigma_b, rho)",
            over="w",
            lower="-oo",
            upper="oo",
            splits=("0",),
            antiderivatives=(rising, f"-{rising}"),
        ),
        for_all={"sigma_w": "positive", "sigma_b": "positive", "rho": "real", "x": "real"},
        assuming=("rho**2 < 1",),
        sigma_w="sigma_w",
        sigma_b="sigma_b",
        rho="rho",
        x="x",
    )


@certificate("bins beside x")
def bins_of_correlated_gaussian(context: Context) -> Observation:
    """Means of ζ over bins: B = ρ(σ_b/σ_w)W + √(1-ρ²)σ_b Z shifts the kinks of (W, √(1-ρ²)σ_b Z) by -ρσ_b/σ_w."""
    draw = context.random()
    shapes = [("0", "1"), ("3/5", "4/5"), ("-3/5", "4/5"), ("5/13", "12/13"), ("-8/17", "15/17"), ("24/25", "7/25")]
    for rho, root in ((Fraction(a), Fraction(b)) for a, b in shapes):
        for _ in range(context.choose(3, 12)):
            w, b = (Fraction(draw.randint(1, 30), draw.randint(5, 20)) for _ in range(2))
            x = draw.choice(PLACES)
            peak = -rho * b / w
            if x != peak:
                found = density(normal_mass(w, root * b), x - peak)
                yield seen(found, sigma_w=w, sigma_b=b, rho=rho, x=x)


@theorem("integral over the density")
def laplace() -> Observation:
    """Proposition 7's integral: the product of the two densities decays at the rate 1/β_w + |x|/β_b."""
    rate = "(1/beta_w + Abs(x)/beta_b)"
    rising = f"(-w**3/{rate} + 3*w**2/{rate}**2 - 6*w/{rate}**3 + 6/{rate}**4)*exp({rate}*w)/(4*beta_w*beta_b)"
    falling = f"-(w**3/{rate} + 3*w**2/{rate}**2 + 6*w/{rate}**3 + 6/{rate}**4)*exp(-{rate}*w)/(4*beta_w*beta_b)"
    yield shows(
        Integral(
            "Abs(w)**3*laplace_density(w, beta_w)*laplace_density(-w*x, beta_b)",
            over="w",
            lower="-oo",
            upper="oo",
            splits=("0",),
            antiderivatives=(rising, falling),
        ),
        for_all={"beta_w": "positive", "beta_b": "positive", "x": "real"},
        split=("x",),
        beta_w="beta_w",
        beta_b="beta_b",
        x="x",
    )


@proof("symbolic integral")
def rotation_invariant(d: Derivation) -> None:
    """R and the angle are independent: E[W²; C <= x] = E R² times the integral of cos² over a double sector."""
    import sympy

    x, t, m = d.symbols("x t", m="positive")
    d.step("(W, B) = R(cos t, sin t), t uniform and independent of R; C = -tan t")
    primitive = sympy.integrate(sympy.cos(t) ** 2, t)
    moment = m / sympy.pi * (primitive.subs(t, sympy.pi / 2) - primitive.subs(t, -sympy.atan(x)))
    d.step("{C <= x} is the double sector tan t >= -x", f"E[W²; C <= x] = {sympy.simplify(moment)}")
    d.identity("half of E W² = E R²/2 at x = 0", moment.subs(x, 0), m / 4)
    d.concludes(
        sympy.factor(sympy.simplify(sympy.diff(moment, x))),
        "for all values",
        over={"m": "positive", "x": "real"},
        m="m",
        x="x",
    )


@certificate("bins beside x")
def bins_of_rotation_invariant(context: Context) -> Observation:
    """Means of ζ over bins for three laws of the radius R: a disk (E R² = r²/2), a Gaussian pair (2σ²), and a fixed R,
    by the arc in the bin."""

    def circle(radius: Fraction) -> Any:
        def mass(x: Any, y: Any) -> Any:
            import flint

            def primitive(z: Any) -> Any:
                return (z.atan() + z / (1 + z * z)) / 2

            return ball(radius) ** 2 / flint.arb.pi() * (primitive(y) - primitive(x))

        return mass

    for r in (Fraction(1), Fraction(2), Fraction(3, 7)):
        for x in PLACES[: context.choose(5, 8)]:
            for name, mass, m in (
                ("disk", disk_mass(r), r**2 / 2),
                ("circle", circle(r), r**2),
                ("Gaussian", normal_mass(r, r), 2 * r**2),
            ):
                if name != "Gaussian" or x in PLACES[:3]:
                    yield seen(density(mass, x), f"{name} of scale {r}, x={x}", m=m, x=x)


ZETA_CORRELATED_GAUSSIAN = claim(
    "jin2021.zeta_correlated_gaussian",
    "next to Theorem 9",
    "ζ for a correlated Gaussian pair",
    """For a centred Gaussian pair with standard deviations σ_w, σ_b and correlation ρ, |ρ| < 1, ζ(x) =
    2σ_w³σ_b³(1-ρ²)^{3/2}/(π(σ_b² + 2ρσ_wσ_b x + σ_w²x²)²).""",
    latex=r"""\zeta(x)=\frac{2\sigma_w^3\sigma_b^3(1-\rho^2)^{3/2}}{\pi(\sigma_b^2+2\rho\sigma_w\sigma_bx+\sigma_w^2x^2)^2}""",
    formula="2*sigma_w**3*sigma_b**3*(1-rho**2)**(3/2)/(pi*(sigma_b**2+2*rho*sigma_w*sigma_b*x+sigma_w**2*x**2)**2)",
    symbols={"sigma_w": "σ_w", "sigma_b": "σ_b", "rho": "ρ, the correlation of W and B", "x": "a place x"},
    controls={
        "2*sigma_w**3*sigma_b**3*(1-rho**2)**(3/2)/(pi*(sigma_b**2-2*rho*sigma_w*sigma_b*x+sigma_w**2*x**2)**2)": (
            "p_{W,B}(w, +wx): the sign of C"
        ),
        "2*sigma_w**3*sigma_b**3/(pi*(sigma_b**2+2*rho*sigma_w*sigma_b*x+sigma_w**2*x**2)**2)": (
            "the determinant forgotten"
        ),
        "2*sigma_w**3*sigma_b**3/(pi*(sigma_b**2+sigma_w**2*x**2)**2)": "as if independent",
        "2*sigma_w**3*sigma_b**3*sqrt(1-rho**2)/(pi*(sigma_b**2+2*rho*sigma_w*sigma_b*x+sigma_w**2*x**2)**2)": (
            "the density's own determinant only"
        ),
    },
    checks=(correlated_gaussian, bins_of_correlated_gaussian),
    part_of="jin2021.theorem_9a",
    rests_on=("jin2021.proposition_7",),
    own=True,
)


ZETA_LAPLACE = claim(
    "jin2021.zeta_laplace",
    "next to Theorem 9",
    "ζ for Laplace weights and biases",
    """For independent Laplace W, B with scales β_w, β_b: ζ(x) = 3β_w³β_b³/(β_b + β_w|x|)⁴.""",
    latex=r"\zeta(x)=\frac{3\beta_w^3\beta_b^3}{(\beta_b+\beta_w|x|)^4}",
    formula="3*beta_w**3*beta_b**3/(beta_b + beta_w*Abs(x))**4",
    symbols={"beta_w": "scale of W: density exp(-|w|/β_w)/(2β_w)", "beta_b": "scale of B", "x": "a place x"},
    controls={
        "3*beta_w**3*beta_b**3/(beta_w + beta_b*Abs(x))**4": "scales swapped",
        "beta_w**2*beta_b**2/(beta_b + beta_w*Abs(x))**3": "E|W|: one power less",
        "3*beta_w**3*beta_b**3/(2*(beta_b + beta_w*Abs(x))**4)": "one sign of W",
        "3*beta_w**3*beta_b**3/(beta_b**2 + beta_w**2*x**2)**2": "squares added, as for Gaussians",
    },
    checks=(laplace, certificate("bins beside x")(two_scales(("beta_w", "beta_b"), laplace_mass))),
    part_of="jin2021.theorem_9c",
    rests_on=("jin2021.proposition_7",),
    own=True,
)


ZETA_RADIAL = claim(
    "jin2021.zeta_radial",
    "next to Theorem 9",
    "ζ for rotation invariant pairs: disk, circle, bivariate t",
    """If (W, B) has a rotation invariant law then ζ(x) = E(W²+B²)/(π(1+x²)²): it depends on the second moment of the
    length only. A uniform disk of radius r has E(W²+B²) = r²/2, a circle r², a bivariate t with ν degrees of freedom
    2ν/(ν-2), a Gaussian pair 2σ².""",
    latex=r"\zeta(x)=\frac{\mathbb E(W^2+B^2)}{\pi(1+x^2)^2}",
    formula="m/(pi*(1+x**2)**2)",
    symbols={"m": "E(W²+B²)", "x": "a place x"},
    controls={
        "m/(2*pi*(1+x**2)**2)": "a factor of two",
        "m/(pi*(1+x**2))": "the density of the kinks (Cauchy) times m",
        "m/(pi*(1+x**2)**(3/2))": "E|W| in place of E W²",
        "m**2/(pi*(1+x**2)**2)": "another moment of the length",
    },
    checks=(rotation_invariant, bins_of_rotation_invariant),
    part_of="jin2021.theorem_9a",
    rests_on=("jin2021.proposition_7",),
    own=True,
)
