"""Footnote 5: smoothing a piecewise-linear function by a Gaussian, its distance, its cost, and the kernel's factor."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from implicitbias.claims import (
    Context,
    Derivation,
    Flaw,
    Interval,
    Observation,
    Step,
    certificate,
    claim,
    proof,
    seen,
    shows,
    theorem,
)
from implicitbias.theorems.rules.calculus.integral import Integral
from implicitbias.theorems.rules.values.composition import Composition

from . import errata


@certificate("rigorous integration")
def kernel_factor(context: Context) -> Observation:
    """The factor k for which k exp(-r x²) has mass 1, by rigorous integration."""
    from implicitbias.exact.enclosure import from_arb

    for r in (Fraction(1), Fraction(2), Fraction(1, 4), Fraction(10), Fraction(1000), Fraction(7, 3)):
        yield seen(from_arb(1 / _gaussian_mass(r)), r=r)
    yield Step("convolution with k exp(-r x²) multiplies a constant function by k ∫exp(-r t²) dt")
    yield Step(
        "constants are piecewise linear, so f_r → f requires k = 1/∫exp(-r t²) dt", "", "integrated in ball arithmetic"
    )


def _gaussian_mass(r: Fraction) -> Any:
    """∫exp(-r t²) dt over the line: balls on [-c, c] and a tail of at most exp(-r c²)/(r c)."""
    import flint

    ball = flint.arb(flint.fmpq(r.numerator, r.denominator))
    c = (flint.arb(30) / ball.sqrt()).mid()
    inside = flint.acb.integral(lambda t, _: (-flint.acb(ball) * t * t).exp(), flint.acb(-c), flint.acb(c)).real
    tail = (-ball * c * c).exp() / (ball * c)
    return inside + tail.union(0)


@theorem("the Gaussian integral")
def observe_mass() -> Observation:
    """The factor with which ∫k exp(-r t²) dt is 1, for all r > 0."""
    mass = Integral(
        "gaussian(t, r)", over="t", lower="-oo", upper="oo", antiderivatives=("sqrt(pi)*erf(sqrt(r)*t)/(2*sqrt(r))",)
    )
    yield shows(Composition("1/mass", {"mass": mass}), for_all={"r": "positive"}, r="r")


KERNEL = claim(
    "savarese2019.footnote_5",
    "footnote 5",
    "The factor of the smoothing kernel",
    """Convolving f* with k exp(-r x²) gives f_r → f* as r → ∞ for k = sqrt(r/π), the factor for which the kernel has
    mass 1.""",
    part_of="savarese2019.theorem_3_3",
    latex=r"f_r=f^**\sqrt{r/\pi}\,e^{-rx^2}",
    hypotheses=("r > 0",),
    formula="sqrt(r/pi)",
    symbols={"r": "the sharpness of the kernel"},
    flaw=Flaw(errata.FOOTNOTE_5, "1"),
    controls={
        "sqrt(r/(2*pi))": "the variance 1/r for 1/(2r)",
        "r/pi": "the root forgotten: the factor in two dimensions",
        "sqrt(pi/r)": "the mass for its inverse",
        "sqrt(r)": "π forgotten",
    },
    checks=(observe_mass, kernel_factor),
)


def smoothed_kink(u: Fraction, r: Fraction) -> Interval | Fraction:
    """|·| convolved with the normalised kernel, at u: u erf(sqrt(r) u) + exp(-r u²)/sqrt(π r), enclosed."""
    from implicitbias.exact.enclosure import enclose

    return enclose("u*erf(sqrt(r)*u) + exp(-r*u**2)/sqrt(pi*r)", u=u, r=r)


@certificate("enclosures for random functions")
def distance(context: Context) -> Observation:
    """|f_r - f| for random f at the knots and around them, in ball arithmetic, and the supremum for a single kink."""
    import flint

    from implicitbias.exact.enclosure import from_arb, to_arb

    generator = context.random()
    for r in (Fraction(1), Fraction(4), Fraction(100), Fraction(1, 9)):
        single = from_arb(to_arb(smoothed_kink(Fraction(0), r)))
        yield seen(single, f"|x| at its kink, r = {r}", T=2, r=r)
        yield seen(_scaled(single, Fraction(1, 2)), f"[x]_+ at its kink, r = {r}", T=1, r=r)
        for i in range(context.choose(4, 40)):
            knots = generator.sample(range(-20, 20), 2 + i)
            kinks = {Fraction(t, 4): Fraction(generator.choice([-9, -4, -1, 1, 3, 8]), 2) for t in knots}
            T = sum((abs(kink) for kink in kinks.values()), Fraction(0))
            places = [*kinks, *(t + Fraction(generator.randint(-9, 9), 5) for t in kinks)]
            for x in places[: 3 + i]:
                terms = ((kink, smoothed_kink(x - t, r), abs(x - t)) for t, kink in kinks.items())
                error = sum(
                    (to_arb(kink / 2) * (to_arb(smooth) - to_arb(u)) for kink, smooth, u in terms), flint.arb(0)
                )
                label = f"{len(kinks)} random kinks, x = {x}, r = {r}"
                yield seen(from_arb(abs(error)), label, relation="<=", T=T, r=r)
    yield Step("f is an affine function plus Σ ½κ_i |x - t_i|, and smoothing does not change affine functions")
    yield Step(
        "|x| smoothed is x erf(√r x) + exp(-r x²)/sqrt(π r): its distance to |x| is greatest at 0, where it is "
        "1/sqrt(π r)"
    )


def _scaled(value: Interval, factor: Fraction) -> Interval:
    return Interval(value.lower * factor, value.upper * factor)


@proof("one kink smoothed")
def one_kink(d: Derivation) -> None:
    """The smoothed |x| derived, its greatest distance to |x|, and the integral of the distance of the slopes."""
    import sympy

    r, x = d.symbols(r="positive", x="nonnegative")
    smooth = x * sympy.erf(sympy.sqrt(r) * x) + sympy.exp(-r * x**2) / sympy.sqrt(sympy.pi * r)
    kernel = sympy.sqrt(r / sympy.pi) * sympy.exp(-r * x**2)
    d.identity("its second derivative is 2 kernels", sympy.diff(smooth, x, 2), 2 * kernel, "(|·|_r)'' = 2 k_r")
    slope = sympy.diff(smooth, x)
    d.identity("its slope", slope, sympy.erf(sympy.sqrt(r) * x), "(|·|_r)' = erf(√r x), odd")
    d.step("so |x|_r - |x| is even and decreases for x >= 0, from its value at 0 to 0: the distance is the value at 0")
    d.identity("that value", smooth.subs(x, 0), 1 / sympy.sqrt(sympy.pi * r), "|0|_r = 1/sqrt(π r)")
    d.step(
        "∫_0^∞ (1 - (|·|_r)') dx is the same number, by the fundamental theorem", "‖f_r' - f'‖_1 = 2/sqrt(π r) for |x|"
    )
    d.step("summed over the kinks, f = affine + Σ ½κ_i |x - t_i|", "sup |f_r - f| <= Σ ½|κ_i| / sqrt(π r)")
    d.concludes("T/2/sqrt(pi*r)", "one kink of height T", over={"T": "positive", "r": "positive"}, T="T", r="r")


DISTANCE = claim(
    "savarese2019.footnote_5_distance",
    "beside footnote 5",
    "Rate of convergence of the smoothed functions",
    """For f piecewise linear with ∫|f''| = T the Gaussian smoothing has ‖f_r - f‖_∞ ≤ T/(2 sqrt(πr)), with equality for
    one kink: it tends to 0, as the footnote says. (So does ‖f_r' - f'‖_1 ≤ T/sqrt(πr), which is derived in the steps
    and not judged.)""",
    part_of="savarese2019.theorem_3_3",
    latex=r"\|f_r-f\|_\infty\le\frac{T}{2\sqrt{\pi r}}",
    hypotheses=("r > 0", "T finite", "the kernel has mass 1"),
    formula="T/(2*sqrt(pi*r))",
    symbols={"T": "∫|f''|", "r": "the sharpness of the kernel"},
    controls={
        "T/sqrt(pi*r)": "the integral of the slopes' distance for the distance",
        "T/(2*sqrt(pi)*r)": "the rate 1/r of twice differentiable functions",
        "T/(2*sqrt(2*pi*r))": "the variance 1/(4r)",
        "1/sqrt(pi*r)": "the variation forgotten: |x| instead of f",
    },
    checks=(one_kink, distance),
    rests_on=("savarese2019.footnote_5",),
    own=True,
)


@certificate("curvature integrated")
def smoothed_cost(context: Context) -> Observation:
    """∫|f_r''| for f = [x+h]_+ - [x-h]_+ for 16 pairs (r, h), rigorously integrated; f_r'' changes sign only at 0."""
    import flint

    from implicitbias.exact.enclosure import from_arb, to_arb

    for r in (Fraction(1), Fraction(9), Fraction(1, 4), Fraction(50)):
        for h in (Fraction(1), Fraction(1, 10), Fraction(3), Fraction(2, 7)):
            ball, shift = flint.acb(to_arb(r)), flint.acb(to_arb(h))
            factor = (ball / flint.acb.pi()).sqrt()
            c = flint.acb((to_arb(h) + flint.arb(30) / to_arb(r).sqrt()).mid())

            def curvature(x: Any, _: bool, ball: Any = ball, shift: Any = shift, factor: Any = factor) -> Any:
                return factor * ((-ball * (x + shift) ** 2).exp() - (-ball * (x - shift) ** 2).exp())

            inside = flint.acb.integral(curvature, -c, 0).real
            tail = ((to_arb(r).sqrt() * (to_arb(h) - c.real)).erf() + 1).union(0)  # more than is left beyond -c
            yield seen(from_arb(2 * (inside + tail)), r=r, h=h)
    yield Step("f_r'' = k_r(x+h) - k_r(x-h) is positive for x < 0 and odd: ∫|f_r''| is twice its integral up to 0")
    yield Step("f_r'(±∞) = 0, so the cost is ∫|f_r''|")


@proof("the slope at its peak")
def smoothed_slope(d: Derivation) -> None:
    """The same in closed form: the slope of f_r rises from 0 to its value at 0 and falls back."""
    import sympy

    x, r, h = d.symbols("x", r="positive", h="positive")
    root = sympy.sqrt(r)
    slope = (sympy.erf(root * (x + h)) - sympy.erf(root * (x - h))) / 2
    kernel = sympy.sqrt(r / sympy.pi) * sympy.exp(-r * x**2)
    difference = kernel.subs(x, x + h) - kernel.subs(x, x - h)
    d.identity(
        "f_r' has the derivative k_r(x+h) - k_r(x-h)", sympy.diff(slope, x), difference, "f_r'' = k_r(x+h) - k_r(x-h)"
    )
    d.identity("the squares of the distances", (x - h) ** 2 - (x + h) ** 2, -4 * h * x, "f_r'' > 0 exactly for x < 0")
    d.identity("the slope at 0", slope.subs(x, 0), sympy.erf(root * h), "f_r'(0) = erf(√r h)")
    d.step("f_r'(±∞) = 0: the slope rises to erf(√r h) and falls back, a variation of 2 erf(√r h) < 2")
    d.concludes(
        "erf(sqrt(r)*h) - erf(-sqrt(r)*h)", "all r, h > 0", over={"r": "positive", "h": "positive"}, r="r", h="h"
    )


SMOOTHED_COST = claim(
    "savarese2019.footnote_5_cost",
    "beside footnote 5 and the proof of Theorem 3.3",
    "The cost of a smoothed function",
    """The step f = [x+h]_+ - [x-h]_+ costs 2; smoothed by the Gaussian of sharpness r it costs 2 erf(√r h): less,
    because kinks of opposite sign cancel, and 2 in the limit, in agreement with R̄(f_r) → R̄(f*).""",
    part_of="savarese2019.theorem_3_3",
    latex=r"\bar R(f_r)=2\,\mathrm{erf}(\sqrt r\,h)\to 2=\bar R(f)",
    hypotheses=("r > 0", "h > 0"),
    formula="2*erf(sqrt(r)*h)",
    symbols={"r": "the sharpness of the kernel", "h": "half the distance of the two kinks"},
    controls={
        "2": "smoothing does not change the cost: true only for kinks of one sign",
        "2*erf(sqrt(r/2)*h)": "the variance 1/r for 1/(2r)",
        "2*erf(2*sqrt(r)*h)": "the whole distance of the kinks instead of half of it",
        "2*erf(r*h)": "the root forgotten",
    },
    checks=(smoothed_slope, smoothed_cost),
    rests_on=("savarese2019.theorem_3_1", "savarese2019.footnote_5"),
    own=True,
)
