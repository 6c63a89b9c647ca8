"""Footnote 5: smoothing a piecewise-linear function by a Gaussian, its distance, its cost, and the kernel's factor."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from implicitbias.claims.check import Check, Context, Kind
from implicitbias.claims.evidence import Evidence, Identity, Instance, Step
from implicitbias.claims.statement import OWN_RESULT, Claim, Control, Flaw, Source
from implicitbias.exact.rational import Interval


def observe_kernel_factor(context: Context) -> Evidence:
    """The factor k with which k exp(-r x²) has mass 1, by rigorous integration."""
    from implicitbias.exact.enclosure import from_arb

    instances = []
    for r in (Fraction(1), Fraction(2), Fraction(1, 4), Fraction(10), Fraction(1000), Fraction(7, 3)):
        instances.append(Instance(f"r = {r}", {"r": r}, from_arb(1 / _gaussian_mass(r))))
    return Evidence(
        instances=tuple(instances),
        steps=(
            Step("convolution with k exp(-r x²) multiplies a constant function by k ∫exp(-r t²) dt"),
            Step(
                "constants are piecewise linear, so f_r → f needs k = 1/∫exp(-r t²) dt",
                "",
                "integrated in ball arithmetic",
            ),
        ),
    )


def _gaussian_mass(r: Fraction) -> Any:
    """∫exp(-r t²) dt over the line: balls on [-c, c] and a tail of at most exp(-r c²)/(r c)."""
    import flint

    ball = flint.arb(flint.fmpq(r.numerator, r.denominator))
    c = (flint.arb(30) / ball.sqrt()).mid()
    inside = flint.acb.integral(lambda t, _: (-flint.acb(ball) * t * t).exp(), flint.acb(-c), flint.acb(c)).real
    tail = (-ball * c * c).exp() / (ball * c)
    return inside + tail.union(0)


def observe_mass(context: Context) -> Evidence:
    """∫exp(-r t²) dt by sympy, for all r > 0."""
    import sympy

    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import symbol

    d = Derivation()
    r, t = symbol("r", "positive"), symbol("t")
    mass = sympy.integrate(sympy.exp(-r * t**2), (t, -sympy.oo, sympy.oo))
    d.identity("the mass of the kernel without a factor", mass, sympy.sqrt(sympy.pi / r), "∫exp(-r t²) dt = sqrt(π/r)")
    d.step("it tends to 0 with 1/sqrt(r): without the factor the smoothed functions tend to 0, whatever f is")
    return Evidence(
        identities=(Identity("all r > 0", {"r": "positive"}, {"r": "r"}, "sqrt(r)/sqrt(pi)"),),
        steps=d.steps,
    )


KERNEL = Claim(
    id="savarese2019.footnote_5",
    source=Source("savarese2019", "footnote 5"),
    title="The factor of the smoothing kernel",
    statement=(
        "Convolving f* with k exp(-r x²) gives f_r → f* as r → ∞ for k = sqrt(r/π), the factor for which the kernel "
        "has mass 1."
    ),
    latex=r"f_r=f^**\sqrt{r/\pi}\,e^{-rx^2}",
    hypotheses=("r > 0",),
    formula="sqrt(r/pi)",
    symbols={"r": "the sharpness of the kernel"},
    flaw=Flaw(
        printed="1",
        word="misprint",
        wrong=(
            "the kernel is printed as exp(-r x²), of mass sqrt(π/r): the convolutions tend to 0 instead of f*. At x = "
            "1, |x| becomes 0.177 for r = 100, not 1."
        ),
        sure="certain",
        charitable="normalised kernels are meant: with them everything the footnote says is right",
    ),
    controls=(
        Control("sqrt(r/(2*pi))", "the variance 1/r for 1/(2r)"),
        Control("r/pi", "the root forgotten: the factor in two dimensions"),
        Control("sqrt(pi/r)", "the mass for its inverse"),
        Control("sqrt(r)", "π forgotten"),
    ),
    checks=(
        Check("the Gaussian integral", Kind.PROOF, observe_mass, about="the mass of exp(-r t²) for all r by sympy"),
        Check(
            "rigorous integration", Kind.CERTIFICATE, observe_kernel_factor, about="1/∫exp(-r t²) dt in ball arithmetic"
        ),
    ),
)


def smoothed_kink(u: Fraction, r: Fraction) -> Interval | Fraction:
    """|·| convolved with the normalised kernel, at u: u erf(sqrt(r) u) + exp(-r u²)/sqrt(π r), enclosed."""
    from implicitbias.exact.enclosure import enclose

    return enclose("u*erf(sqrt(r)*u) + exp(-r*u**2)/sqrt(pi*r)", u=u, r=r)


def observe_distance(context: Context) -> Evidence:
    """sup |f_r - f| for random f: the error at the knots and around them, and exactly for |x - t|."""
    import flint

    from implicitbias.exact.enclosure import from_arb, to_arb

    generator = context.random()
    instances = []
    for r in (Fraction(1), Fraction(4), Fraction(100), Fraction(1, 9)):
        single = from_arb(to_arb(smoothed_kink(Fraction(0), r)))
        instances.append(Instance(f"|x| at its kink, r = {r}", {"T": 2, "r": r}, single))
        instances.append(Instance(f"[x]_+ at its kink, r = {r}", {"T": 1, "r": r}, _scaled(single, Fraction(1, 2))))
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
                instances.append(Instance(label, {"T": T, "r": r}, from_arb(abs(error)), "<="))
    return Evidence(
        instances=tuple(instances),
        steps=(
            Step("f is an affine function plus Σ ½κ_i |x - t_i|, and smoothing leaves affine functions alone"),
            Step(
                "|x| smoothed is x erf(√r x) + exp(-r x²)/sqrt(π r): its distance to |x| is greatest at 0, where it is "
                "1/sqrt(π r)"
            ),
        ),
    )


def _scaled(value: Interval, factor: Fraction) -> Interval:
    return Interval(value.lower * factor, value.upper * factor)


def observe_one_kink(context: Context) -> Evidence:
    """The smoothed |x| derived, its greatest distance to |x|, and the integral of the distance of the slopes."""
    import sympy

    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import symbol

    d = Derivation()
    r, x = symbol("r", "positive"), symbol("x", "nonnegative")
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
    return Evidence(
        identities=(
            Identity(
                "one kink of height T", {"T": "positive", "r": "positive"}, {"T": "T", "r": "r"}, "T/2/sqrt(pi*r)"
            ),
        ),
        steps=d.steps,
    )


DISTANCE = Claim(
    id="savarese2019.footnote_5_distance",
    source=Source(OWN_RESULT, "beside footnote 5"),
    title="How fast the smoothed functions converge",
    statement=(
        "For f piecewise linear with ∫|f''| = T the Gaussian smoothing has ‖f_r - f‖_∞ ≤ T/(2 sqrt(πr)), with equality "
        "for one kink; ‖f_r' - f'‖_1 ≤ T/sqrt(πr) likewise. Both tend to 0, as the footnote says."
    ),
    latex=r"\|f_r-f\|_\infty\le\frac{T}{2\sqrt{\pi r}}",
    hypotheses=("r > 0", "T finite", "the kernel has mass 1"),
    rests_on=("savarese2019.footnote_5",),
    formula="T/(2*sqrt(pi*r))",
    symbols={"T": "∫|f''|", "r": "the sharpness of the kernel"},
    controls=(
        Control("T/sqrt(pi*r)", "the integral of the slopes' distance for the distance"),
        Control("T/(2*sqrt(pi)*r)", "the rate 1/r of twice differentiable functions"),
        Control("T/(2*sqrt(2*pi*r))", "the variance 1/(4r)"),
        Control("1/sqrt(pi*r)", "the variation forgotten: |x| in the place of f"),
    ),
    checks=(
        Check("one kink smoothed", Kind.PROOF, observe_one_kink, about="|x| smoothed, its greatest distance to |x|"),
        Check(
            "enclosures for random functions",
            Kind.CERTIFICATE,
            observe_distance,
            about="the error of the smoothed function in ball arithmetic, against the bound",
        ),
    ),
)


def observe_smoothed_cost(context: Context) -> Evidence:
    """∫|f_r''| for f = [x+h]_+ - [x-h]_+ by rigorous integration; f_r'' changes its sign at 0 only."""
    import flint

    from implicitbias.exact.enclosure import from_arb, to_arb

    instances = []
    for r in (Fraction(1), Fraction(9), Fraction(1, 4), Fraction(50)):
        for h in (Fraction(1), Fraction(1, 10), Fraction(3), Fraction(2, 7)):
            ball, shift = flint.acb(to_arb(r)), flint.acb(to_arb(h))
            factor = (ball / flint.acb.pi()).sqrt()
            c = flint.acb((to_arb(h) + flint.arb(30) / to_arb(r).sqrt()).mid())

            def curvature(x: Any, _: bool, ball: Any = ball, shift: Any = shift, factor: Any = factor) -> Any:
                return factor * ((-ball * (x + shift) ** 2).exp() - (-ball * (x - shift) ** 2).exp())

            inside = flint.acb.integral(curvature, -c, 0).real
            tail = ((to_arb(r).sqrt() * (to_arb(h) - c.real)).erf() + 1).union(0)  # more than is left beyond -c
            instances.append(Instance(f"r = {r}, h = {h}", {"r": r, "h": h}, from_arb(2 * (inside + tail))))
    return Evidence(
        instances=tuple(instances),
        steps=(
            Step("f_r'' = k_r(x+h) - k_r(x-h) is positive for x < 0 and odd: ∫|f_r''| is twice its integral up to 0"),
            Step("f_r'(±∞) = 0, so the cost is ∫|f_r''|"),
        ),
    )


def observe_smoothed_slope(context: Context) -> Evidence:
    """The same in closed form: the slope of f_r rises from 0 to its value at 0 and falls back."""
    import sympy

    from implicitbias.claims.derivation import Derivation
    from implicitbias.exact.symbolic import symbol

    d = Derivation()
    r, h, x = symbol("r", "positive"), symbol("h", "positive"), symbol("x")
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
    return Evidence(
        identities=(
            Identity(
                "all r, h > 0",
                {"r": "positive", "h": "positive"},
                {"r": "r", "h": "h"},
                "erf(sqrt(r)*h) - erf(-sqrt(r)*h)",
            ),
        ),
        steps=d.steps,
    )


SMOOTHED_COST = Claim(
    id="savarese2019.footnote_5_cost",
    source=Source(OWN_RESULT, "beside footnote 5 and the proof of Theorem 3.3"),
    title="The cost of a smoothed function",
    statement=(
        "The step f = [x+h]_+ - [x-h]_+ costs 2; smoothed by the Gaussian of sharpness r it costs 2 erf(√r h): less, "
        "because kinks of opposite sign cancel, and 2 in the limit, as R̄(f_r) → R̄(f*) says."
    ),
    latex=r"\bar R(f_r)=2\,\mathrm{erf}(\sqrt r\,h)\to 2=\bar R(f)",
    hypotheses=("r > 0", "h > 0"),
    rests_on=("savarese2019.theorem_3_1", "savarese2019.footnote_5"),
    formula="2*erf(sqrt(r)*h)",
    symbols={"r": "the sharpness of the kernel", "h": "half the distance of the two kinks"},
    controls=(
        Control("2", "smoothing leaves the cost as it is: true only for kinks of one sign"),
        Control("2*erf(sqrt(r/2)*h)", "the variance 1/r for 1/(2r)"),
        Control("2*erf(2*sqrt(r)*h)", "the whole distance of the kinks for half of it"),
        Control("2*erf(r*h)", "the root forgotten"),
    ),
    checks=(
        Check("the slope at its peak", Kind.PROOF, observe_smoothed_slope, about="f_r' in closed form for all r and h"),
        Check(
            "curvature integrated",
            Kind.CERTIFICATE,
            observe_smoothed_cost,
            about="∫|f_r''| in ball arithmetic at 16 pairs (r, h)",
        ),
    ),
)

CLAIMS: tuple[Claim, ...] = (KERNEL, DISTANCE, SMOOTHED_COST)
