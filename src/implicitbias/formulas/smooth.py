"""The representation cost of a function given as a formula in x: enclosed, infinite with the reason, or undecided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import flint

from implicitbias.errors import FormulaError
from implicitbias.exact.enclosure import NoValueError, enclose, evaluate, from_arb, to_arb
from implicitbias.exact.formula import Expression, Operation, parse
from implicitbias.exact.rational import Interval, Number
from implicitbias.formulas.branches import WHOLE_LINE, cells, is_proof, normal
from implicitbias.formulas.closed_form import GIVEN_UP, closed_form
from implicitbias.formulas.curvature import BITS, InfiniteVariation, variation
from implicitbias.formulas.jets import depends
from implicitbias.formulas.oscillation import is_total, period, varies
from implicitbias.formulas.roots import Imprecise, Undecided
from implicitbias.functions.piecewise_linear import PiecewiseLinear

Status = Literal["finite", "infinite", "undecided"]

MANY_BITS = 2000
"""Working precision of a second attempt, for 1 - tanh(40 x)² and the like, which had no digits left."""


@dataclass(frozen=True)
class FormulaCost:
    """R̄(f) = max(T, |s|) of a formula, T = ∫|f''|, s = f'(-oo) + f'(+oo).

    status           whether T is finite; `undecided` where the arithmetic cannot say, and `reason` why
    reason           for an infinite cost, what makes it so
    total_variation  T: a fraction, or an interval that certainly contains it
    end_slopes       f'(-oo) and f'(+oo)
    cost             R̄ by the integral representation, equation (8) of Savarese et al. 2019
    has_asymptotes   whether f - f'(±oo) x has finite limits at ±oo (None: unknown). The definition by networks at
                     finite sup-norm distance, equation (6), gives the same cost if so, otherwise infinity
    local_cost       max(T, (T+|s|)/2): only bounded intervals count
    exact            the cost in closed form, if one was found; it lies in the enclosure
    kinks            (location, jump of f')
    """

    formula: str
    status: Status
    reason: str = ""
    total_variation: Number | None = None
    end_slopes: tuple[Number, Number] | None = None
    end_slope_sum: Number | None = None
    cost: Number | None = None
    local_cost: Number | None = None
    has_asymptotes: bool | None = None
    exact: str | None = None
    exact_local_cost: str | None = None
    exact_total_variation: str | None = None
    exact_end_slope_sum: str | None = None
    kinks: tuple[tuple[Number, Number], ...] = ()

    @property
    def is_finite(self) -> bool:
        return self.status == "finite"

    @property
    def sup_norm_status(self) -> Status:
        """The status of the cost by equation (6), the closure in the sup norm over the whole line."""
        if self.status != "finite":
            return self.status
        if self.has_asymptotes is None:
            return "undecided"
        return "finite" if self.has_asymptotes else "infinite"


def formula_cost(formula: Expression | str) -> FormulaCost:
    """The cost of the function that the formula gives.

    >>> formula_cost("abs(x) - abs(x-1)").cost
    Fraction(4, 1)
    >>> formula_cost("exp(-x**2/2)").exact, formula_cost("x**2").status
    ('4*exp(-1/2)', 'infinite')

    Raises FormulaError for what is not a formula in x alone, or has no real value somewhere on the line.
    """
    expression = formula if isinstance(formula, Expression) else parse(formula, ["x"])
    before = flint.ctx.prec
    try:
        flint.ctx.prec = BITS
        try:
            return _cost(expression)
        except Imprecise:
            flint.ctx.prec = MANY_BITS
            return _cost(expression)
    except InfiniteVariation as reason:
        return FormulaCost(expression.text, "infinite", str(reason), has_asymptotes=False)
    except (Undecided, NoValueError) as reason:
        return FormulaCost(expression.text, "undecided", str(reason))
    except GIVEN_UP as error:
        return FormulaCost(expression.text, "undecided", f"sympy gave up: {type(error).__name__}: {error}")
    finally:
        flint.ctx.prec = before


def _cost(expression: Expression) -> FormulaCost:
    f = as_piecewise_linear(normal(expression.tree))
    return _piecewise_linear_cost(expression.text, f) if f is not None else _smooth_cost(expression)


def as_piecewise_linear(tree: Operation) -> PiecewiseLinear | None:
    """The formula as an exact piecewise-linear function, if +, -, Abs, Max, Min and rational multiples of x make it."""
    if tree.number is not None:
        return PiecewiseLinear.affine(0, tree.number)
    if tree.is_name:
        return PiecewiseLinear.affine(1, 0) if tree.head == "x" else None
    if tree.head not in ("+", "-", "*", "/", "neg", "Abs", "Max", "Min"):
        return None
    parts: list[PiecewiseLinear] = []
    for argument in tree.arguments:
        part = as_piecewise_linear(argument)
        if part is None:
            return None
        parts.append(part)
    f, g = parts[0], parts[-1]
    match tree.head:
        case "+":
            return f + g
        case "-":
            return f - g
        case "neg":
            return -f
        case "Abs":
            return abs(f)
        case "*":
            numbers = [argument.number for argument in tree.arguments]
            return g * numbers[0] if numbers[0] is not None else f * numbers[1] if numbers[1] is not None else None
        case "/":
            divisor = tree.arguments[1].number
            return f / divisor if divisor else None
    result = f
    for other in parts[1:]:
        result = result.maximum(other) if tree.head == "Max" else result.minimum(other)
    return result


def _piecewise_linear_cost(text: str, f: PiecewiseLinear) -> FormulaCost:
    T, s = f.total_variation, f.end_slope_sum
    cost = max(T, abs(s))
    return FormulaCost(
        text,
        "finite",
        total_variation=T,
        end_slopes=(f.left_slope, f.right_slope),
        end_slope_sum=s,
        cost=cost,
        local_cost=max(T, (T + abs(s)) / 2),
        has_asymptotes=True,
        exact=str(cost),
        exact_local_cost=str(max(T, (T + abs(s)) / 2)),
        exact_total_variation=str(T),
        exact_end_slope_sum=str(s),
        kinks=f.kinks,
    )


def _smooth_cost(expression: Expression) -> FormulaCost:
    tree = normal(expression.tree)
    if not depends(tree):
        return _piecewise_linear_cost(expression.text, PiecewiseLinear.affine(0, 0))
    _require_defined(expression)
    length = period(tree)
    subdivision = [] if length is not None and is_total(tree) else cells(expression)
    if length is not None and varies(tree):
        raise InfiniteVariation(f"f has the period {length} and is not constant: f' varies as much in every period")
    subdivision = subdivision or cells(expression)
    found = variation(subdivision, may_jump=_holds(tree, "sign"))
    T = found.total
    s = found.left_slope + found.right_slope
    exact_T, exact_s = closed_form(subdivision, found)
    T_number, s_number = _sharpest(T, exact_T), _sharpest(s, exact_s)
    exact = _larger(exact_T, exact_s)
    cost = _sharpest(_max(T, abs(s)), exact)
    exact_local = exact if exact is None or exact == exact_T else f"({exact_T} + {exact})/2"  # |s| is the cost then
    local = _sharpest(_max(T, (T + abs(s)) / 2), exact_local)
    return FormulaCost(
        expression.text,
        "finite",
        total_variation=T_number,
        end_slopes=(_number(found.left_slope), _number(found.right_slope)),
        end_slope_sum=s_number,
        cost=cost,
        local_cost=local,
        has_asymptotes=found.has_asymptotes,
        exact=exact,
        exact_local_cost=exact_local,
        exact_total_variation=exact_T,
        exact_end_slope_sum=exact_s,
        kinks=tuple(
            (root.exact if root.exact is not None else _number(root.ball), _number(jump)) for root, jump in found.kinks
        ),
    )


def _max(a: Any, b: Any) -> Any:
    return a.max(b)


def _number(ball: Any) -> Interval:
    return from_arb(ball)


def _sharpest(ball: Any, exact: str | None) -> Number:
    """The rational value of the closed form, if it has one; else the enclosure."""
    if exact is not None:
        value = enclose(exact)
        if isinstance(value, Fraction):
            return value
    return _number(ball)


def _larger(T: str | None, s: str | None) -> str | None:
    """max(T, |s|) in closed form, if it is proved which one it is (or sympy proves them equal)."""
    if T is None or s is None:
        return None
    total, ends = enclose(T), enclose(f"Abs({s})")
    if to_arb(total) >= to_arb(ends):
        return T
    if to_arb(total) < to_arb(ends):
        return s if to_arb(enclose(s)) > 0 else f"-({s})"
    from implicitbias.exact.symbolic import prove_zero, to_sympy

    sign = 1 if to_arb(enclose(s)) > 0 else -1
    return T if prove_zero(to_sympy(T, {}) - sign * to_sympy(s, {})).status else None


_SAMPLES: Sequence[Fraction] = tuple(
    sign * Fraction(n, d) for d in (1, 2, 3, 7) for n in range(6 * d) for sign in (1, -1)
)


def _require_defined(expression: Expression) -> None:
    """Raises FormulaError if the formula has no value at a simple point, which is cheap and a simple counterexample."""
    for x in _SAMPLES:
        try:
            evaluate(expression, {"x": x}, 64)
        except NoValueError as error:
            if is_proof(error):
                raise FormulaError(f"the formula has no real value at x = {x}: {error}; {WHOLE_LINE}") from None


def _holds(tree: Operation, head: str) -> bool:
    return tree.head == head or any(_holds(argument, head) for argument in tree.arguments)
