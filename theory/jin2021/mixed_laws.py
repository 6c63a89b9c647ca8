"""ζ in closed form where W and B come from different families, and for Student: our own additions to Theorem 9."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Derivation, Observation, certificate, claim, proof, seen, shows, theorem
from implicitbias.theorems.rules.calculus.integral import Integral

from ..observed.wide.kink_moments import density, normal_weight_mass, student_mass, uniform_weight_mass
from ..observed.wide.two_scales import PLACES, two_scales

_STUDENT = "(x**2-1)*(x**4+10*x**2+1) - 6*x**2*(x**2+1)*log(x**2)"
_TAU = "(a_b/(sigma_w*x))**2"
_K = "x**2*a_w**2/(2*sigma_b**2)"


@proof("symbolic integral")
def student(d: Derivation) -> None:
    """u = w²/5 turns the integral into one of a rational function: partial fractions, then the limits."""
    import sympy

    z, u, k = d.symbols("z", u="positive", k="positive")
    density = sympy.gamma(3) / (sympy.sqrt(5 * sympy.pi) * sympy.gamma(sympy.Rational(5, 2)))
    d.step("Student's density with 5 degrees of freedom", f"p(w) = c (1+w²/5)^(-3), c = {density}")
    d.step("2∫w³ p(w) p(wx) dw with u = w²/5 and k = x²", "ζ = 25c² ∫ u/((1+u)³(1+ku)³) du")
    at_one, at_k = (z - 1) / (1 - k + k * z) ** 3, k**2 * (z - 1) / (k - 1 + z) ** 3
    (a3, a2, a1), (b3, b2, b1) = (
        [sympy.factor(sympy.diff(g, z, i).subs(z, 0) / sympy.factorial(i)) for i in range(3)] for g in (at_one, at_k)
    )
    found = (a1, a2, a3, b1, b2, b3)
    polynomials = [sympy.cancel(c * (k - 1) ** 5) for c in found]
    rest = [(1 + u) ** (3 - i) * (1 + k * u) ** 3 for i in (1, 2, 3)]
    rest += [(1 + u) ** 3 * (1 + k * u) ** (3 - i) for i in (1, 2, 3)]
    total = sum(c * other for c, other in zip(polynomials, rest, strict=True))
    d.identity("partial fractions, times (k-1)⁵(1+u)³(1+ku)³", total, u * (k - 1) ** 5)
    d.step("so u/((1+u)³(1+ku)³) = Σ Aᵢ(1+u)^(-i) + Bᵢ(1+ku)^(-i)", f"A = {found[:3]}, B = {found[3:]}")
    d.identity("the two logarithms cancel at infinity", a1 + b1 / k, sympy.Integer(0))
    J = -a1 * sympy.log(k) + a2 + a3 / 2 + b2 / k + b3 / (2 * k)
    d.step(
        "∫ (1/(1+u) - k/(1+ku)) du = -log k; ∫ (1+ku)^(-2) du = 1/k; ∫ (1+ku)^(-3) du = 1/(2k)",
        f"J = {sympy.factor(J)}",
    )
    d.concludes(25 * density**2 * sympy.factor(J), "for all values", over={"k": "positive"}, x="sqrt(k)")


@certificate("bins beside x")
def bins_of_student(context: Context) -> Observation:
    """Means of ζ over bins on both sides of x, for Student's law."""
    places = [x for x in (*PLACES, Fraction(1, 7), Fraction(5), Fraction(9, 10)) if abs(x) != 1]
    for x in places:
        yield seen(density(student_mass(), x), x=x)


@theorem("integral over the density")
def gaussian_uniform() -> Observation:
    """Proposition 7's integral: the bias -wx lies in its range for |w| <= a_b/|x|."""
    rising = "(2 + w**2/sigma_w**2)*exp(-w**2/(2*sigma_w**2))*sigma_w**3/(2*a_b*sqrt(2*pi))"
    yield shows(
        Integral(
            "Abs(w)**3*normal_density(w, sigma_w)*uniform_density(-w*x, a_b)",
            over="w",
            lower="-oo",
            upper="oo",
            splits=("-a_b/Abs(x)", "0", "a_b/Abs(x)"),
            antiderivatives=("0", rising, f"-{rising}", "0"),
        ),
        for_all={"sigma_w": "positive", "a_b": "positive", "x": "real"},
        assuming=("x**2 > 0",),
        split=("x",),
        sigma_w="sigma_w",
        a_b="a_b",
        x="x",
    )


@theorem("integral over the density")
def uniform_gaussian() -> Observation:
    """Proposition 7's integral: the third moment of a Gaussian cut at a_w."""
    rising = "(1 + w**2*x**2/(2*sigma_b**2))*exp(-w**2*x**2/(2*sigma_b**2))*sigma_b**3/(a_w*sqrt(2*pi)*x**4)"
    yield shows(
        Integral(
            "Abs(w)**3*uniform_density(w, a_w)*normal_density(-w*x, sigma_b)",
            over="w",
            lower="-oo",
            upper="oo",
            splits=("-a_w", "0", "a_w"),
            antiderivatives=("0", rising, f"-{rising}", "0"),
        ),
        for_all={"a_w": "positive", "sigma_b": "positive", "x": "real"},
        assuming=("x**2 > 0",),
        split=("x",),
        a_w="a_w",
        sigma_b="sigma_b",
        x="x",
    )


ZETA_STUDENT = claim(
    "jin2021.zeta_student",
    "next to Theorem 9",
    "ζ for Student weights and biases with 5 degrees of freedom",
    """For independent Student t₅ W and B: ζ(x) = (320/(9π²)) J(x²) with J(k) = ((k-1)(k²+10k+1) - 6k(k+1) ln
    k)/(2(k-1)⁵), continued by J(0) = 1/2 and J(1) = 1/20.""",
    latex=r"\zeta(x)=\frac{320}{9\pi^2}J(x^2),\quad J(k)=\frac{(k-1)(k^2+10k+1)-6k(k+1)\ln k}{2(k-1)^5}",
    formula=f"320/(9*pi**2)*({_STUDENT})/(2*(x**2-1)**5)",
    symbols={"x": "a place x"},
    controls={
        "320/(9*pi**2)/(2*(1+x**2)**2)": "the shape of a rotation invariant law",
        f"320/(9*pi**2)*({_STUDENT})/(x**2-1)**5": "a factor of two",
        "5*2/(3*pi*(1+x**2)**2)": "the bivariate t₅: not independent",
    },
    checks=(student, bins_of_student),
    part_of="jin2021.theorem_9c",
    rests_on=("jin2021.proposition_7",),
    own=True,
)


ZETA_GAUSSIAN_UNIFORM = claim(
    "jin2021.zeta_gaussian_uniform",
    "next to Theorem 9",
    "ζ for Gaussian weights with a uniform bias",
    """For W ~ N(0, σ_w²) and B uniform on [-a_b, a_b]: ζ(x) = σ_w³/(a_b√(2π))·(2 - (2+τ²)exp(-τ²/2)) with τ =
    a_b/(σ_w|x|), x ≠ 0.""",
    latex=r"\zeta(x)=\frac{\sigma_w^3}{a_b\sqrt{2\pi}}\Big(2-(2+\tau^2)e^{-\tau^2/2}\Big),\quad\tau=\frac{a_b}{\sigma_w|x|}",
    formula=f"sigma_w**3/(a_b*sqrt(2*pi))*(2-(2+{_TAU})*exp(-{_TAU}/2))",
    symbols={"sigma_w": "σ_w", "a_b": "B is uniform on [-a_b, a_b]", "x": "a place x"},
    controls={
        "2*sigma_w**3/(a_b*sqrt(2*pi))": "its value at 0, everywhere",
        f"sigma_w**3/(a_b*sqrt(2*pi))*(2-2*exp(-{_TAU}/2))": "one term of the partial integration",
        f"sigma_w**3/(2*a_b*sqrt(2*pi))*(2-(2+{_TAU})*exp(-{_TAU}/2))": "one sign of W",
    },
    checks=(gaussian_uniform, certificate("bins beside x")(two_scales(("sigma_w", "a_b"), normal_weight_mass))),
    part_of="jin2021.theorem_9a",
    rests_on=("jin2021.proposition_7",),
    own=True,
)


ZETA_UNIFORM_GAUSSIAN = claim(
    "jin2021.zeta_uniform_gaussian",
    "next to Theorem 9",
    "ζ for uniform weights with a Gaussian bias",
    """For W uniform on [-a_w, a_w] and B ~ N(0, σ_b²): ζ(x) = 2σ_b³/(a_w√(2π)x⁴)·(1 - (1+κ)e^{-κ}) with κ =
    x²a_w²/(2σ_b²), x ≠ 0.""",
    latex=r"\zeta(x)=\frac{2\sigma_b^3}{a_w\sqrt{2\pi}x^4}\Big(1-(1+\kappa)e^{-\kappa}\Big),\quad\kappa=\frac{x^2a_w^2}{2\sigma_b^2}",
    formula=f"2*sigma_b**3/(a_w*sqrt(2*pi)*x**4)*(1-(1+{_K})*exp(-{_K}))",
    symbols={"a_w": "W is uniform on [-a_w, a_w]", "sigma_b": "σ_b", "x": "a place x"},
    controls={
        "a_w**3/(4*sigma_b*sqrt(2*pi))": "its value at 0, everywhere",
        f"2*sigma_b**3/(a_w*sqrt(2*pi)*x**4)*(1-exp(-{_K}))": "one term of the partial integration",
        f"sigma_b**3/(a_w*sqrt(2*pi)*x**4)*(1-(1+{_K})*exp(-{_K}))": "one sign of W",
    },
    checks=(uniform_gaussian, certificate("bins beside x")(two_scales(("a_w", "sigma_b"), uniform_weight_mass))),
    part_of="jin2021.theorem_9c",
    rests_on=("jin2021.proposition_7",),
    own=True,
)
