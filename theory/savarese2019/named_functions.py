"""What named functions cost, at every scale: bumps and rectifiers."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

from implicitbias.claims import Claim, Context, Derivation, Measured, Observation, certificate, claim, proof, seen
from implicitbias.exact.formula import Assumption


def _variation(d: Derivation, formula: str, scale: str, sign: str, label: str) -> None:
    """T and s of f(x; scale) by the turning points of f', for all positive scales.

    sign  a polynomial in x and the scale that has the sign of f'': f''/sign is shown to be positive
    """
    import sympy

    from implicitbias.exact.symbolic import from_sympy, symbol, to_sympy

    (x,) = d.symbols("x")
    parameter = symbol(scale, "positive")
    variables: dict[str, Assumption] = {"x": "real", scale: "positive"}
    f = to_sympy(formula, variables)
    first = sympy.diff(f, x)
    polynomial = to_sympy(sign, variables)
    factor = sympy.simplify(sympy.diff(first, x) / polynomial)
    if not factor.is_positive:
        raise ArithmeticError(f"{factor} is not shown to be positive")
    d.identity("f'' as a positive factor times a polynomial", sympy.diff(first, x), factor * polynomial)
    turning = sorted(sympy.roots(polynomial, x), key=lambda c: c.subs(parameter, 1))
    ends = [sympy.limit(first, x, end) for end in (-sympy.oo, sympy.oo)]
    extremes = [ends[0], *(sympy.simplify(first.subs(x, c)) for c in turning), ends[1]]
    d.step("f' at -∞, where f'' changes sign, and at +∞", ", ".join(map(str, extremes)))
    signs = [sympy.sign(v - u) for u, v in pairwise([e.subs(parameter, 1) for e in extremes])]
    total = sympy.expand(sympy.simplify(sum(g * (b - a) for g, (a, b) in zip(signs, pairwise(extremes), strict=True))))
    s = sympy.expand(ends[0] + ends[1])
    total_at_one, s_at_one = total.subs(parameter, 1), s.subs(parameter, 1)
    for number in (*extremes, s):
        d.identity("scales as T does", number * total_at_one, number.subs(parameter, 1) * total, f"{number}")
    if not abs(sympy.N(s_at_one)) < sympy.N(total_at_one):
        raise ArithmeticError("here |s| >= T: the variation does not decide")
    d.step("all of them scale alike; T is the sum of the differences and exceeds |s|", f"T = {total}, s = {s}")
    d.concludes(from_sympy(total), label, over={scale: "positive"}, **{scale: scale})


def bell_curve_by_algebra(d: Derivation) -> None:
    """T of exp(-x²/(2σ²)) for all σ."""
    _variation(d, "exp(-x**2/(2*sigma**2))", "sigma", "x**2 - sigma**2", "turning points ±σ")


def lorentz_by_algebra(d: Derivation) -> None:
    """T of 1/(1 + (x/σ)²) for all σ."""
    _variation(d, "1/(1 + (x/sigma)**2)", "sigma", "3*x**2 - sigma**2", "turning points ±σ/√3")


def gelu_by_algebra(d: Derivation) -> None:
    """T of xβΦ(xβ) for all β."""
    _variation(d, "beta*x*(1 + erf(beta*x/sqrt(2)))/2", "beta", "2 - beta**2*x**2", "turning points ±√2/β")


SCALES = (Fraction(1), Fraction(2), Fraction(1, 3), Fraction(5, 2))


def bell_curves(context: Context) -> Observation:
    """Certified networks near exp(-x²/(2σ²)), and what every near network costs."""
    yield from _near_networks(
        "sigma", "exp(-x**2/(2*({0})**2))", "exp(-x**2/(2*({0})**2))/({0})**4", "m**2-({0})**2", "0"
    )


def lorentz_curves(context: Context) -> Observation:
    """Certified networks near 1/(1 + (x/σ)²), and what every near network costs."""
    yield from _near_networks("sigma", "1/(1+(x/({0}))**2)", "2*({0})**2/(({0})**2+x**2)**3", "3*m**2-({0})**2", "0")


def gelus(context: Context) -> Observation:
    """Certified networks near GELU(βx), and what every near network costs."""
    formula = "({0})*x*(1+erf(({0})*x/sqrt(2)))/2"
    yield from _near_networks("beta", formula, "({0})**2*exp(-({0})**2*x**2/2)/sqrt(2*pi)", "2-({0})**2*m**2", "{0}")


def _near_networks(symbol: str, formula: str, factor: str, sign: str, right_slope: str) -> Observation:
    from ..observed.functions.smooth_functions import SmoothFunction, analyse
    from ..observed.units.approaching_networks import enclosure_of_the_cost

    instances = []
    for scale in SCALES:
        written = [text.format(scale) for text in (formula, factor, sign, right_slope)]
        function = SmoothFunction(written[0], written[0], written[1], written[2], right_slope=written[3])
        cost = enclosure_of_the_cost(analyse(function), 60, weighted=False).cost
        instances.append(seen(cost, written[0], **{symbol: scale}))
    yield from instances
    yield Measured("scales", len(instances))


def _named(
    id_: str,
    title: str,
    statement: str,
    latex: str,
    formula: str,
    symbols: dict[str, str],
    controls: dict[str, str],
    checks: tuple[Callable[[Derivation], None], Callable[[Context], Observation]],
) -> Claim:
    return claim(
        f"savarese2019.{id_}",
        "beside Theorem 3.1",
        title,
        statement,
        part_of="savarese2019.theorem_3_1",
        latex=latex,
        formula=formula,
        symbols=symbols,
        controls=controls,
        checks=(
            proof("turning points of the slope", about="exact, for all positive scales")(checks[0]),
            certificate("networks near it", about="at four scales, bounds from both sides")(checks[1]),
        ),
        rests_on=("savarese2019.theorem_3_1",),
        own=True,
    )


BELL = _named(
    "bell_curve",
    "Cost of the bell curve",
    "exp(-x²/(2σ²)) costs 4e^{-1/2}/σ: its slope goes to ±e^{-1/2}/σ and back, and s = 0.",
    r"\bar R\big(e^{-x^2/(2\sigma^2)}\big)=4e^{-1/2}/\sigma",
    "4*exp(-1/2)/sigma",
    {"sigma": "standard deviation, positive"},
    {
        "2*exp(-1/2)/sigma": "one flank only",
        "4*exp(-1/2)*sigma": "the wider, the dearer",
        "4*exp(-1/2)/sigma**2": "the scaling of f'' in the place of f'",
        "4/sigma": "the height in the place of the steepest slope",
    },
    (bell_curve_by_algebra, bell_curves),
)

LORENTZ = _named(
    "lorentz_curve",
    "Cost of the Lorentz curve",
    "1/(1 + (x/σ)²) costs 3√3/(2σ): its slope goes to ±3√3/(8σ) and back, and s = 0.",
    r"\bar R\big((1+x^2/\sigma^2)^{-1}\big)=\frac{3\sqrt3}{2\sigma}",
    "3*sqrt(3)/(2*sigma)",
    {"sigma": "half width at half height, positive"},
    {
        "3*sqrt(3)/(4*sigma)": "one flank only",
        "3*sqrt(3)*sigma/2": "the wider, the dearer",
        "2/sigma": "the slope at half height, four times",
    },
    (lorentz_by_algebra, lorentz_curves),
)

GELU = _named(
    "gelu",
    "Cost of GELU",
    "βxΦ(βx), Φ the normal distribution function, costs β(2erf(1) + 4/(e√π) - 1) ≈ 1.5156β: its slope undershoots 0 "
    "and overshoots β, which the ReLU, of cost β, does not.",
    r"\bar R\big(\beta x\,\Phi(\beta x)\big)=\beta\Big(2\,\mathrm{erf}(1)+\frac{4}{e\sqrt\pi}-1\Big)",
    "beta*(2*erf(1) + 4*exp(-1)/sqrt(pi) - 1)",
    {"beta": "sharpness, positive"},
    {
        "beta": "the cost of the ReLU that it approaches",
        "beta*(erf(1) + 2*exp(-1)/sqrt(pi))": "undershoot and overshoot counted one way only",
        "2*erf(1) + 4*exp(-1)/sqrt(pi) - 1": "whatever the sharpness, as for βxΦ(βx)/β",
        "beta*(2*erf(1) + 4*exp(-1)/sqrt(pi))": "the variation plus the sum of the end slopes",
    },
    (gelu_by_algebra, gelus),
)
