"""Closed forms of zeta for pairs of independent laws, in a shape that does not cancel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
from scipy.special import gammainc

from implicitbias.laws.joint.correlated_normal import normal_sides
from implicitbias.laws.one.atoms import Points
from implicitbias.laws.one.law import Array, Law
from implicitbias.laws.one.location_scale import of_family
from implicitbias.laws.one.normal import StandardNormal
from implicitbias.laws.one.table import KNOWN
from implicitbias.laws.one.uniform import Uniform
from implicitbias.laws.penalty.zeta_form import ClosedForm, bracketed, tidy


def closed_form(weight: Law, bias: Law) -> ClosedForm | None:
    """zeta(x) = ∫ |w|³ p_W(w) p_B(-w x) dw in closed form, if one is known."""
    for form in (*FORMS, *(form for entry in KNOWN for form in entry.forms)):
        found = form(weight, bias)
        if found is not None:
            return replace(found, formula=tidy(found.formula))
    return None


def _normal_pair(weight: Law, bias: Law) -> ClosedForm | None:
    """Theorem 9(a) of Jin & Montúfar 2021, and its form with means: the density of W x + B at 0 times E|Y|³."""
    w, b = of_family(weight, StandardNormal), of_family(bias, StandardNormal)
    if w is None or b is None:
        return None

    def sides(x: Array) -> tuple[Array, Array]:
        spread, mean = (w.scale.number, b.scale.number, 0.0), (w.location.number, b.location.number)
        left, right = normal_sides(x, spread, mean, 3)
        return left, right

    s, t = bracketed(w.scale.text), bracketed(b.scale.text)
    if w.centred and b.centred:
        return ClosedForm(f"2*{s}**3*{t}**3/(pi*({t}**2 + {s}**2*x**2)**2)", sides)
    m, n = bracketed(w.location.text), bracketed(b.location.text)
    variance = f"({t}**2 + {s}**2*x**2)"
    c = f"(({m}*{t}**2 - {n}*{s}**2*x)/{variance})"
    d = f"({s}*{t}/sqrt{variance})"
    third = f"({c}*({c}**2 + 3*{d}**2)*erf({c}/({d}*sqrt(2)))"
    third += f" + sqrt(2/pi)*{d}*({c}**2 + 2*{d}**2)*exp(-{c}**2/(2*{d}**2)))"
    return ClosedForm(f"exp(-({m}*x + {n})**2/(2*{variance}))/sqrt(2*pi*{variance})*{third}", sides)


def _uniform_pair(weight: Law, bias: Law) -> ClosedForm | None:
    """Theorem 9(c), and for other intervals the fourth powers of the ends between which both densities live."""
    if not (isinstance(weight, Uniform) and isinstance(bias, Uniform)):
        return None
    a, b, c, d = (bracketed(p.text) for p in (weight.lower, weight.upper, bias.lower, bias.upper))
    if weight.symmetric and bias.symmetric:
        return ClosedForm(f"{b}**3/(8*{d}*Max(1, {b}*Abs(x)/{d})**4)", None)
    ends = (weight.lower.rational, weight.upper.rational, bias.lower.rational, bias.upper.rational)
    exact_at = None if None in ends else _exact_uniform(*(end for end in ends if end is not None))
    sizes = f"(4*({b} - {a})*({d} - {c}))"
    low, high = f"Min(-{c}/x, -{d}/x)", f"Max(-{c}/x, -{d}/x)"
    start, end = f"Max(0, {a}, {low})", f"Min({b}, {high})"
    positive = f"(Max({end}, {start})**4 - {start}**4)"
    start, end = f"Max(0, -{b}, -{high})", f"Min(-{a}, -{low})"
    negative = f"(Max({end}, {start})**4 - {start}**4)"
    return ClosedForm(f"({positive} + {negative})/{sizes}", None, "for x != 0, and its limit there", exact_at)


def _exact_uniform(a: Fraction, b: Fraction, c: Fraction, d: Fraction) -> Callable[[Fraction], Fraction]:
    def zeta(x: Fraction) -> Fraction:
        total = Fraction(0)
        for low, high, sign in ((max(a, Fraction(0)), b, 1), (max(-b, Fraction(0)), -a, -1)):
            if x == 0:
                if not c <= 0 <= d:
                    continue
                start, end = low, high
            else:
                ends = sorted((-sign * c / x, -sign * d / x))
                start, end = max(low, ends[0]), min(high, ends[1])
            if end > start:
                total += (end**4 - start**4) / (4 * (b - a) * (d - c))
        return total

    return zeta


def _normal_uniform(weight: Law, bias: Law) -> ClosedForm | None:
    """(s³/(a sqrt(2 pi))) (2 - (2 + tau²) exp(-tau²/2)), tau = a/(s|x|): twice an incomplete gamma function."""
    w = of_family(weight, StandardNormal)
    if w is None or not w.centred or not isinstance(bias, Uniform) or not bias.symmetric:
        return None
    s, a = w.scale.number, bias.upper.number

    def sides(x: Array) -> tuple[Array, Array]:
        with np.errstate(divide="ignore", over="ignore"):
            tau = a / (s * np.abs(x))
            half = s**3 / (a * np.sqrt(2 * np.pi)) * gammainc(2, tau**2 / 2)
        return half, half.copy()

    st, at = bracketed(w.scale.text), bracketed(bias.upper.text)
    tau2 = f"({at}/({st}*x))**2"
    formula = f"{st}**3/({at}*sqrt(2*pi))*(2 - (2 + {tau2})*exp(-{tau2}/2))"
    return ClosedForm(formula, sides, "for x != 0, and its limit there")


def _uniform_normal(weight: Law, bias: Law) -> ClosedForm | None:
    """(a³/(4 t sqrt(2 pi))) g(z), z = a² x²/(2 t²), g(z) = 2 (1 - (1 + z) exp(-z))/z², g(0) = 1."""
    b = of_family(bias, StandardNormal)
    if b is None or not b.centred or not isinstance(weight, Uniform) or not weight.symmetric:
        return None
    a, t = weight.upper.number, b.scale.number

    def sides(x: Array) -> tuple[Array, Array]:
        z = (a * x / t) ** 2 / 2
        near = np.maximum(z, 1e-5)
        # the series to z³: what is left out is below 1e-21 for z < 1e-5
        g = np.where(z < 1e-5, 1 - 2 * z / 3 + z**2 / 4 - z**3 / 15, 2 * gammainc(2, near) / near**2)
        half = a**3 / (8 * t * np.sqrt(2 * np.pi)) * g
        return half, half.copy()

    at, tt = bracketed(weight.upper.text), bracketed(b.scale.text)
    z = f"({at}**2*x**2/(2*{tt}**2))"
    formula = f"{at}**3/(2*{tt}*sqrt(2*pi)*{z}**2)*(1 - (1 + {z})*exp(-{z}))"
    return ClosedForm(formula, sides, "for x != 0, and its limit there")


def _signs(weight: Law, bias: Law) -> ClosedForm | None:
    """W = ±a: (a³/2)(p_B(a x) + p_B(-a x))."""
    if not isinstance(weight, Points) or len(weight.points) != 2:
        return None
    a = bracketed(weight.points[1].place.text)
    cube = "" if a == "1" else f"{a}**3*"
    stretched = "x" if a == "1" else f"{a}*x"
    if isinstance(bias, Uniform) and bias.symmetric:
        d = bracketed(bias.upper.text)
        size, bound = weight.points[1].place.rational, bias.upper.rational
        at = None if size is None or bound is None else _exact_signs(size, bound)
        return ClosedForm(f"{cube}1/(2*{d})", None, f"for Abs({stretched}) <= {d}, and 0 elsewhere", at)
    density = bias.formula(f"({stretched})")
    if density is None:
        return None
    if bias.symmetric:
        return ClosedForm(f"{cube}{density}")
    mirrored = bias.formula(f"(-{stretched})")
    return ClosedForm(f"{cube}({density} + {mirrored})/2")


def _exact_signs(size: Fraction, bound: Fraction) -> Callable[[Fraction], Fraction]:
    return lambda x: size**3 / (2 * bound) if abs(size * x) <= bound else Fraction(0)


def _constant_bias(weight: Law, bias: Law) -> ClosedForm | None:
    """B = b: the kink of w lies at -b/w, so zeta(x) = |b|³ p_W(-b/x)/x⁴."""
    if not isinstance(bias, Points) or len(bias.points) != 1 or weight.atoms:
        return None
    b = bracketed(bias.points[0].place.text)
    density = weight.formula(f"(-{b}/x)")
    return (
        None if density is None else ClosedForm(f"Abs({b})**3*{density}/x**4", None, "for x != 0, and its limit there")
    )


FORMS = (_normal_pair, _uniform_pair, _normal_uniform, _uniform_normal, _signs, _constant_bias)
"""Closed forms that involve laws of more than one file; the form of a single law is in that law's file."""
