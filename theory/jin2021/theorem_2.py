"""Theorem 2: several inputs. The operator of (5) at work, and that it gives back the density of units."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from implicitbias.claims import Context, Derivation, Observation, certificate, claim, proof, seen

from ..observed.data.draws import of_any_size
from ..observed.wide.kink_moments import BITS, ball, integral


@proof("Laplacians and Gaussian moments")
def the_operator(d: Derivation) -> None:
    """In real space, d = 3: the Laplacian applied twice to exp(-|x|²/2), integrated over the plane at distance c."""
    import sympy

    x1, x2, c = d.symbols("x1 x2 c")
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
    d.concludes(sympy.factor(over_plane), "d = 3", over={"c": "real"}, c="c")


@certificate("Fourier integrals")
def fourier_integrals(context: Context) -> Observation:
    """R{(-Δ)²g}(c) by the definition in Fourier space: (1/2π)∫ s⁴ ĝ(sω) cos(sc) ds with ĝ = (2π)^{3/2}e^{-s²/2}."""
    import flint

    from implicitbias.exact.enclosure import from_arb

    draw = context.random()
    places = [Fraction(p) for p in (0, 1, 2, -1)] + [Fraction(draw.randint(-40, 40), 11) for _ in range(6)]
    before, flint.ctx.prec = flint.ctx.prec, BITS
    try:
        for c in places:
            end = flint.arb(30)
            value = integral(lambda s, c=c: s**4 * (-s * s / 2).exp() * (s * ball(c)).cos(), flint.arb(0), end)  # type: ignore[misc]
            rest = end**4 * (-(end**2) / 2).exp()
            ball_value = (value + (-rest).union(rest)) / flint.arb.pi() * (2 * flint.arb.pi()) ** flint.arb("1.5")
            yield seen(from_arb(ball_value), c=c)
    finally:
        flint.ctx.prec = before


@certificate("spheres in balls")
def spheres(context: Context) -> Observation:
    """∫ R{(-Δ)^{(d+1)/2}g}(V, ⟨V,x⟩) dV over the unit sphere for g = exp(-|x|²/2), |x| = r, d = 1 to 5 (8).

    The inner value is a Fourier integral, Kummer's 1F1 of (d+2)/2 and 1/2; the outer one is taken by quadrature.
    """
    import flint

    from implicitbias.exact.enclosure import from_arb

    draw = context.random()
    before, flint.ctx.prec = flint.ctx.prec, 300
    try:
        pi = flint.arb.pi()
        for d in range(1, context.choose(6, 9)):
            half = flint.arb(d + 2) / 2
            factor = (2 * pi) ** (flint.arb(d) / 2 - 1) * flint.arb(2) ** half * half.gamma()

            def inner(c: Any, half: Any = half, factor: Any = factor) -> Any:
                """(2π)^{d/2-1} 2∫ s^{d+1}e^{-s²/2} cos(sc) ds."""
                return factor * (-c * c / 2).hypgeom_1f1(half, flint.acb(1) / 2)

            for r in (
                *map(Fraction, (0, 1, 2, 3, 4)),
                Fraction(5, 2),
                *(of_any_size(draw, low, 1) for low in (-4, -2, -1, 0, 1, 1)),
            ):
                if d == 1:
                    value = 2 * inner(flint.acb(ball(r))).real
                else:
                    lower_sphere = 2 * pi ** (flint.arb(d - 1) / 2) / (flint.arb(d - 1) / 2).gamma()
                    value = lower_sphere * integral(
                        lambda t, r=r, d=d, inner=inner: inner(ball(r) * t.cos()) * t.sin() ** (d - 2),  # type: ignore[misc]
                        flint.arb(0),
                        pi,
                    )
                yield seen(from_arb(value), f"d = {d}, |x| = {r}", d=d, r=r)
    finally:
        flint.ctx.prec = before


OPERATOR = claim(
    "jin2021.theorem_2_operator",
    "Theorem 2, after equation (5)",
    "The operator of (5), applied to a Gaussian in three inputs",
    """With the Radon transform R{f}(ω, b) = ∫_{⟨ω,x⟩=b} f and the power of -Δ defined by ‖ξ‖^{d+1} in Fourier space,
    for d = 3 and g = exp(-|x|²/2): R{(-Δ)²g}(ω, c) = 2π(c⁴ - 6c² + 3)e^{-c²/2}, the (d+1)-st derivative of R{g}.""",
    latex=r"\mathcal R\{(-\Delta)^2e^{-|x|^2/2}\}(\omega,c)=2\pi(c^4-6c^2+3)e^{-c^2/2}",
    hypotheses=("d = 3",),
    formula="2*pi*(c**4 - 6*c**2 + 3)*exp(-c**2/2)",
    symbols={"c": "distance of the plane"},
    controls={
        "2*pi*(1 - c**2)*exp(-c**2/2)": "the power d-1: one Laplacian",
        "-2*pi*(c**4 - 6*c**2 + 3)*exp(-c**2/2)": "the sign",
        "(2*pi)**(3/2)*(c**4 - 6*c**2 + 3)*exp(-c**2/2)": "the transform's own norm",
        "2*pi*(c**4 - 10*c**2 + 15)*exp(-c**2/2)": "Δ² without the integral over the plane",
    },
    checks=(the_operator, fourier_integrals),
    part_of="jin2021.theorem_2_rate",
)


INVERSION = claim(
    "jin2021.theorem_2_inversion",
    "next to Theorem 2",
    "The operator of (5) as an inversion: the density of units",
    """For g(x) = ∫a(V, c)[⟨V,x⟩-c]_+ dV dc with even a: R{(-Δ)^{(d+1)/2}g} = -2(2π)^{d-1}a. Hence, as Δg(x) = ∫a(V,
    ⟨V,x⟩)dV, the sphere's integral of the operator at ⟨V,x⟩ is -2(2π)^{d-1}Δg: for g = exp(-|x|²/2) it is
    -2(2π)^{d-1}(r²-d)e^{-r²/2} at |x| = r. For d = 1 the factor is -2, Theorem 1's second derivative.""",
    latex=r"""\mathcal R\{(-\Delta)^{(d+1)/2}g\}=-2(2\pi)^{d-1}a,\quad\int_{S^{d-1}}\mathcal
    R\{(-\Delta)^{(d+1)/2}g\}(V,\langle V,x\rangle)\,dV=-2(2\pi)^{d-1}\Delta g(x)""",
    hypotheses=("a even: a(V, c) = a(-V, -c)", "checked for d = 1 to 5"),
    formula="-2*(2*pi)**(d-1)*(r**2 - d)*exp(-r**2/2)",
    symbols={"d": "number of inputs", "r": "|x|"},
    controls={
        "-2*(2*pi)**d*(r**2 - d)*exp(-r**2/2)": "one power of 2π too many",
        "2*(2*pi)**(d-1)*(r**2 - d)*exp(-r**2/2)": "the sign",
        "-(2*pi)**(d-1)*(r**2 - d)*exp(-r**2/2)": "each kink once",
        "-2*(2*pi)**(d-1)*(r**2 - 1)*exp(-r**2/2)": "right for one input only",
    },
    checks=(spheres,),
    part_of="jin2021.theorem_2_rate",
    rests_on=("jin2021.theorem_2_operator",),
    own=True,
)
