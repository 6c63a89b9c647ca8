"""Smooth functions given as formulas, with proofs of the exact variation of f' and the behaviour at both ends."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from implicitbias.exact.rational import Interval

Expr = Any  # sympy is not typed


@dataclass(frozen=True)
class SmoothFunction:
    """A smooth function with stated properties; `analyse` proves every entry or raises.

    formula          f(x)
    factor, sign     f'' = factor · sign with factor > 0; `sign` is a polynomial in m, where m is x itself or exp(x)
    left_slope ...   the limits of f' at -∞ and +∞
    left_intercept … the limits of f(x) - f'(±∞) x, None if there is no finite limit
    """

    name: str
    formula: str
    factor: str
    sign: str = "1"
    m: str = "x"
    left_slope: str = "0"
    right_slope: str = "0"
    left_intercept: str | None = "0"
    right_intercept: str | None = "0"


SOFTPLUS = "log(1+exp(x))"
HEAVY = "x*atan(x) - log(1+x**2)/2"
ONE_SIDED = f"{SOFTPLUS} - log(1+{SOFTPLUS})"
_ONE_SIDED_FACTOR = f"exp(x)/(1+exp(x))**2*{SOFTPLUS}/(1+{SOFTPLUS}) + (exp(x)/(1+exp(x)))**2/(1+{SOFTPLUS})**2"

SMOOTH: tuple[SmoothFunction, ...] = (
    SmoothFunction("softplus", SOFTPLUS, "exp(x)/(1+exp(x))**2", right_slope="1"),
    SmoothFunction(
        "softplus less x/3", f"{SOFTPLUS} - x/3", "exp(x)/(1+exp(x))**2", left_slope="-1/3", right_slope="2/3"
    ),
    SmoothFunction("square root of 1 + x²", "sqrt(1+x**2)", "(1+x**2)**(-3/2)", left_slope="-1", right_slope="1"),
    SmoothFunction(
        "hyperbolic tangent", "tanh(x)", "exp(-x)/cosh(x)**3", "1-m**2", "exp(x)", "0", "0", "-1", "1"
    ),
    SmoothFunction(
        "tanh on a line", "tanh(x) - 3*x", "exp(-x)/cosh(x)**3", "1-m**2", "exp(x)", "-3", "-3", "-1", "1"
    ),
    SmoothFunction(
        "logistic sigmoid", "1/(1+exp(-x))", "exp(x)/(1+exp(x))**3", "1-m", "exp(x)", right_intercept="1"
    ),
    SmoothFunction(
        "arctangent", "atan(x)", "2/(1+x**2)**2", "-m", left_intercept="-pi/2", right_intercept="pi/2"
    ),
    SmoothFunction("error function", "erf(x)", "4*exp(-x**2)/sqrt(pi)", "-m", "x", "0", "0", "-1", "1"),
    SmoothFunction("bell curve", "exp(-x**2/2)", "exp(-x**2/2)", "m**2-1"),
    SmoothFunction("Lorentz curve", "1/(1+x**2)", "2/(1+x**2)**3", "3*m**2-1"),
    SmoothFunction("GELU", "x*(1+erf(x/sqrt(2)))/2", "exp(-x**2/2)/sqrt(2*pi)", "2-m**2", right_slope="1"),
    SmoothFunction(
        "log(1 + x²)", "log(1+x**2)", "2/(1+x**2)**2", "1-m**2", left_intercept=None, right_intercept=None
    ),
    SmoothFunction(
        "x·arctan x - ½log(1 + x²)", HEAVY, "1/(1+x**2)", "1", "x", "-pi/2", "pi/2", None, None
    ),
    SmoothFunction(
        "(x·arctan x - ½log(1 + x²))/π + x/2", f"({HEAVY})/pi + x/2", "1/(pi*(1+x**2))", "1", "x", "0", "1", None, None
    ),
    SmoothFunction(
        "softplus less its logarithm", ONE_SIDED, _ONE_SIDED_FACTOR, right_slope="1", right_intercept=None
    ),
    SmoothFunction(
        "mirror image of softplus less its logarithm",
        ONE_SIDED.replace("exp(x)", "exp(-x)"),
        _ONE_SIDED_FACTOR.replace("exp(x)", "exp(-x)"),
        left_slope="-1",
        left_intercept=None,
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Analysis:
    """Proved properties of a smooth function.

    turning        the points where f'' changes sign, increasing
    extremes       f' at -∞, at the turning points, at +∞; T is the sum of the absolute differences
    T, s           exact sympy numbers
    """

    function: SmoothFunction
    f: str
    first: str
    second: str
    turning: tuple[Expr, ...]
    extremes: tuple[Expr, ...]
    T: Expr
    s: Expr

    @property
    def T_enclosure(self) -> Fraction | Interval:  # noqa: N802 (the paper's symbol)
        return enclosed(self.T)

    @property
    def s_enclosure(self) -> Fraction | Interval:
        return enclosed(self.s)

    @property
    def has_rational_data(self) -> bool:
        """Whether both end slopes are rational, so that a rational network can match them exactly."""
        return bool(self.extremes[0].is_Rational and self.extremes[-1].is_Rational)


def enclosed(number: Expr) -> Fraction | Interval:
    """An exact sympy number as a fraction, or else a rigorous enclosure of it."""
    from implicitbias.exact.symbolic import evaluate_at

    return evaluate_at(number, {})


@lru_cache(maxsize=64)
def analyse(function: SmoothFunction) -> Analysis:
    """Prove the entries of `function` (f'' = factor·sign, factor > 0, the limits at both ends) and compute T and s.

    Raises ArithmeticError naming the entry that could not be proved.
    """
    import sympy

    from implicitbias.exact.symbolic import from_sympy, prove_zero, symbol, to_sympy

    x = symbol("x")

    def read(text: str) -> Expr:
        return to_sympy(text, {"x": "real"})

    def demand(holds: object, what: str) -> None:
        if not holds:
            raise ArithmeticError(f"{function.name}: {what} is not proved")

    f, inner, factor = read(function.formula), read(function.m), read(function.factor)
    m = symbol("m")
    polynomial = to_sympy(function.sign, {"m": "real"})
    first = sympy.diff(f, x)
    demand(inner in (x, sympy.exp(x)), f"that {function.m} increases")
    demand(factor.is_positive, f"{factor} > 0")
    difference = sympy.diff(first, x) - factor * polynomial.subs(m, inner)
    # In exponentials it cancels in a tenth of the time that sympy takes to find that out.
    in_exponentials = difference.rewrite((sympy.tanh, sympy.cosh), sympy.exp)
    demand(prove_zero(in_exponentials).status, "f'' = factor·sign")
    roots = sympy.real_roots(polynomial, m) if polynomial.has(m) else []
    turning = tuple(r if inner == x else sympy.log(r) for r in roots if inner == x or r > 0)
    ends = []
    for name, end in (("left", -sympy.oo), ("right", sympy.oo)):
        slope = read(getattr(function, f"{name}_slope"))
        demand(sympy.simplify(sympy.limit(first, x, end) - slope) == 0, f"the {name} slope {slope}")
        printed = getattr(function, f"{name}_intercept")
        intercept = sympy.limit(f - slope * x, x, end)
        if printed is None:
            demand(intercept in (sympy.oo, -sympy.oo), f"that f - f'x diverges at {end}")
        else:
            demand(sympy.simplify(intercept - read(printed)) == 0, f"the {name} intercept {printed}")
        ends.append(slope)
    extremes = (ends[0], *(first.subs(x, c) for c in turning), ends[1])
    T = sum((abs(b - a) for a, b in pairwise(extremes)), sympy.Integer(0))
    return Analysis(
        function, from_sympy(f), from_sympy(first), from_sympy(sympy.diff(first, x)), turning, extremes,
        sympy.simplify(T), sympy.simplify(ends[0] + ends[1]),
    )  # fmt: skip
