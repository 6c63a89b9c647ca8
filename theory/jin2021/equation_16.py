"""Equation (16): from weights and biases to weights and kinks, and curvature in these variables."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Observation, certificate, claim, seen, shows, theorem
from implicitbias.exact.formula import Assumption
from implicitbias.theorems.rules.calculus.integral import Integral

from ..observed.data.draws import of_any_size, signed
from ..observed.wide.exact_laws import Rectangle, area, clip


@certificate("polygons of (W, B)")
def cells(context: Context) -> Observation:
    """The probability that (W, C) falls into a rectangle, as the exact area of a polygon of (W, B)."""
    draw = context.random()
    law = Rectangle(Fraction(-2), Fraction(2), Fraction(-6), Fraction(6))
    cases = [(1, 2, 0, 1), (-2, -1, 0, 1), (1, 2, -2, -1), (0, 1, 0, 1), (-1, 0, -1, 1)]
    cases += [
        (*sorted(draw.sample(range(k, k + 9), 2)), *sorted(draw.sample(range(-8, 9), 2)))  # type: ignore[misc]
        for _ in range(context.choose(16, 60))
        for k in [draw.choice([-8, 0])]
    ]
    for i, case in enumerate(cases):
        a, b, low, high = (Fraction(value, 1 if i < 5 else 4) for value in case)
        strip = clip(clip(law.corners, 1, 0, -a), -1, 0, b)
        sign = 1 if a + b > 0 else -1
        cell = clip(clip(strip, -sign * low, -sign), sign * high, sign)  # low <= -b/w <= high
        label = f"W in [{a}, {b}], C in [{low}, {high}]"
        yield seen(
            area(cell) / law.area if cell else Fraction(0),
            label,
            p=1 / law.area,
            w=(a + b) / 2,
            A=(b - a) * (high - low),
            c=(low + high) / 2,
        )


@theorem("the Jacobian")
def density_of_kinks() -> Observation:
    """The probability that the weight lies within h of w and the kink within k of c, both signs of w; the density of
    (W, B) is p there.
    """
    for sign, near in (("w > 0", "w > h"), ("w < 0", "w < -h")):
        first, last = ("c + k", "c - k") if sign == "w > 0" else ("c - k", "c + k")
        biases = Integral(
            "p*step(k - Abs(kink(t, b) - c))",
            over="b",
            lower="-oo",
            upper="oo",
            splits=(f"-t*({first})", f"-t*({last})"),
            antiderivatives=("0", "p*b", "0"),
        )
        weight = "t**2" if sign == "w > 0" else "-(t**2)"
        cell = Integral(biases, over="t", lower="w - h", upper="w + h", antiderivatives=(f"p*k*({weight})",))
        names: dict[str, Assumption] = {**dict.fromkeys("phk", "positive"), "w": "real", "c": "real"}
        yield shows(cell, sign, for_all=names, assuming=(near,), p="p", w="w", A="4*h*k", c="c")


@certificate("second differences of g")
def second_derivative(context: Context) -> Observation:
    """g''(x) for two slopes, γ linear in the kink, by exact second differences of g."""
    draw = context.random()
    for i in range(context.choose(150, 300)):
        slopes = [of_any_size(draw, -3, 3) * s for s in ((1, -1), (1, 1), (-1, -1), (-1, 1))[i % 4]]
        share = Fraction(draw.randint(1, 31), 32)
        chances = [share, 1 - share]
        gammas = [(Fraction(1), Fraction(0))] * 2 if i < 2 else [(signed(draw, -4, 4), signed(draw, -4, 2))] * 2
        if i >= 4:
            gammas[1] = (signed(draw, -4, 4), signed(draw, -4, 2))
        low, high = -2 * of_any_size(draw, 1, 5), 2 * of_any_size(draw, 1, 5)
        x = Fraction(draw.randint(-12, 12), 8)
        step = Fraction(1, 16)

        def g(z: Fraction) -> Fraction:
            total = Fraction(0)
            for w, chance, (level, tilt) in zip(slopes, chances, gammas, strict=True):  # noqa: B023
                a, b = (low, min(z, high)) if w > 0 else (max(z, low), high)  # noqa: B023
                for c, sign in ((b, 1), (a, -1)):
                    primitive = level * (z * c - c**2 / 2) + tilt * (z * c**2 / 2 - c**3 / 3)
                    total += sign * chance * w * primitive / (high - low)  # noqa: B023
            return total

        observed = (g(x + step) - 2 * g(x) + g(x - step)) / step**2
        yield seen(
            observed,
            f"kinks on [{low}, {high}], x = {x}",
            p_C=1 / (high - low),
            r=chances[0],
            w_1=slopes[0],
            w_2=slopes[1],
            g_1=gammas[0][0] + gammas[0][1] * x,
            g_2=gammas[1][0] + gammas[1][1] * x,
        )


EQUATION_16 = claim(
    "jin2021.equation_16",
    "Section 5.2, equation (16)",
    "From weights and biases to weights and kinks",
    """In (W, C) with C = -B/W, where (16) is stated with γ(w, c) = α(w, -cw), the law has the density |w| p_{W,B}(w,
    -wc). Where p_{W,B} is the constant p, a cell of area A with weights of mean w has the probability p |w| A.""",
    latex=r"p_{W,C}(w,c)=|w|\,p_{W,B}(w,-wc)",
    hypotheses=("(W, B) has a density", "P(W = 0) = 0"),
    formula="p*Abs(w)*A",
    symbols={
        "p": "density of (W, B) at (w, -wc)",
        "w": "the weight (its mean over the cell)",
        "c": "the kink (the middle of the cell)",
        "A": "area of the cell in (w, c)",
    },
    controls={
        "p*A": "without the Jacobian",
        "p*w*A": "without the modulus",
        "p*A/Abs(w)": "the inverse Jacobian",
        "p*w**2*A": "the square, as in ζ",
        "p*Abs(c)*A": "the Jacobian in c",
    },
    checks=(cells, density_of_kinks),
    part_of="jin2021.theorem_6",
)


SECOND_DERIVATIVE = claim(
    "jin2021.second_derivative",
    "Section 5.2 (Appendix I)",
    "Curvature as the density of kinks",
    """g(x) = ∫γ(w, c)[w(x - c)]_+dν has g''(x) = p_C(x) E[γ(W, x)|W| | C = x]: a unit adds slope |w| at its kink, on
    whichever side it is active. Here W has two values.""",
    latex=r"g''(x)=p_C(x)\int\gamma(w,x)\,|w|\,d\nu_{W|C=x}(w)",
    hypotheses=("x inside the range of kinks",),
    formula="p_C*(r*g_1*Abs(w_1) + (1 - r)*g_2*Abs(w_2))",
    symbols={
        "p_C": "density of the kinks at x",
        "r": "probability of the first weight, given C = x",
        "w_1": "first weight",
        "w_2": "second weight",
        "g_1": "γ(w_1, x)",
        "g_2": "γ(w_2, x)",
    },
    controls={
        "p_C*(r*g_1*w_1 + (1 - r)*g_2*w_2)": "w instead of |w|",
        "r*g_1*Abs(w_1) + (1 - r)*g_2*Abs(w_2)": "the density of kinks left out",
        "p_C*(r*g_1*w_1**2 + (1 - r)*g_2*w_2**2)": "the square, as in ζ",
        "p_C*(g_1*Abs(w_1) + g_2*Abs(w_2))/2": "both weights equally likely",
    },
    checks=(second_derivative,),
    part_of="jin2021.theorem_6",
    rests_on=("jin2021.equation_16",),
)
