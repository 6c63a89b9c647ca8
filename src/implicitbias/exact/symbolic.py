"""Symbolic residuals: reduced to zero by sympy, and re-evaluated in balls at exact points, so that one engine's
mistake is caught by the other."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy
from sympy.polys.polyerrors import BasePolynomialError

from implicitbias.exact.constancy import is_zero_as_a_constant
from implicitbias.exact.enclosure import Comparison, NoValueError, compare, evaluate
from implicitbias.exact.formula import FUNCTIONS, Assumption, Expression, Operation, parse
from implicitbias.exact.points import sample_points
from implicitbias.exact.radicals import vanishes_by_radicals
from implicitbias.exact.rational import Interval, Number

Expr = Any  # sympy is not typed

ASSUMPTIONS: dict[Assumption, dict[str, bool]] = {
    "real": {"real": True},
    "nonnegative": {"nonnegative": True},
    "positive": {"positive": True},
    "negative": {"negative": True},
    "integer": {"integer": True},
    "positive integer": {"integer": True, "positive": True},
    "nonnegative integer": {"integer": True, "nonnegative": True},
}
_SYMPY = {name: getattr(sympy, name) for name in FUNCTIONS}
_FROM_SYMPY = {sympy.exp: "exp", **{function: name for name, function in _SYMPY.items() if name != "sqrt"}}


def symbol(name: str, assumption: Assumption = "real") -> Expr:
    """The sympy symbol of a variable with its domain; the same name and domain give the same symbol."""
    return sympy.Symbol(name, **ASSUMPTIONS[assumption])


def to_sympy(expression: Expression | str, variables: Mapping[str, Assumption], **values: Expr) -> Expr:
    """The formula as a sympy expression; `values` replace names, the others become symbols with their domains."""
    parsed = parse(expression, {*variables, *values}) if isinstance(expression, str) else expression
    symbols = {name: symbol(name, domain) for name, domain in variables.items()} | values
    return _build(parsed.tree, symbols)


def _build(node: Operation, symbols: Mapping[str, Expr]) -> Expr:
    if node.number is not None:
        return sympy.Rational(node.number.numerator, node.number.denominator)
    if node.is_name:
        if node.head in symbols:
            return symbols[node.head]
        return sympy.pi if node.head == "pi" else sympy.E
    arguments = [_build(a, symbols) for a in node.arguments]
    match node.head:
        case "+":
            return arguments[0] + arguments[1]
        case "-":
            return arguments[0] - arguments[1]
        case "*":
            return arguments[0] * arguments[1]
        case "/":
            return arguments[0] / arguments[1]
        case "**":
            return arguments[0] ** arguments[1]
        case "neg":
            return -arguments[0]
    return _SYMPY[node.head](*arguments)


def from_sympy(expr: Expr) -> str:
    """The sympy expression as text of the formula language. Raises ValueError for what the language lacks.

    >>> x = symbol("x"); from_sympy(sympy.Max(x, 1) / 3 + sympy.exp(-x))
    'Max(1, x)/3 + exp(-x)'
    """
    unknown = {f.func for f in expr.atoms(sympy.Function)} - set(_FROM_SYMPY) - {sympy.Heaviside}
    if unknown:
        raise ValueError(f"the formula language has no {', '.join(sorted(str(u) for u in unknown))}")
    text = str(expr.replace(sympy.Heaviside, lambda u, *_: (1 + sympy.sign(u)) / 2))
    return parse(text).text


@dataclass(frozen=True)
class ZeroProof:
    """Whether an expression vanishes for all values of its variables.

    status   True: sympy reduced it to 0 and balls at exact points agree; False: `witness` refutes it; None: not decided
    """

    status: bool | None
    method: str
    witness: Mapping[str, Fraction] | None = None
    residual: Fraction | Interval | None = None


def prove_zero(expr: Expr, seed: int = 0) -> ZeroProof:
    """Whether the expression is identically zero on the domain that its symbols' assumptions describe.

    >>> T, p = symbol("T", "positive"), symbol("p", "nonnegative")
    >>> prove_zero(sympy.Max(T + p, T) - T - p).status
    True
    >>> prove_zero(sympy.sqrt(T**2 + p**2) - T - p).witness
    {'T': Fraction(1, 1), 'p': Fraction(1, 1)}
    """
    expr = sympy.sympify(expr)
    variables = {s.name: _assumption_of(s) for s in sorted(expr.free_symbols, key=str)}
    try:
        formula = parse(from_sympy(expr), variables)
    except ValueError as error:
        return ZeroProof(True, "sympy: identical") if expr == 0 else ZeroProof(None, str(error))
    tried = 0
    for point in sample_points(variables, seed):
        try:
            value = evaluate(formula, point)
        except NoValueError:
            continue
        tried += 1
        if compare(value, 0) in (Comparison.LESS, Comparison.GREATER):
            return ZeroProof(False, "ball arithmetic", point, value)
    if tried == 0:
        return ZeroProof(None, "defined at none of the points tried")
    if method := reduce_to_zero(expr):
        return ZeroProof(True, f"sympy: {method}; ball arithmetic: {tried} exact points")
    return ZeroProof(None, f"zero at {tried} exact points, but sympy does not reduce it to 0")


def is_nonnegative(expr: Expr) -> bool:
    """Whether sympy proves expr >= 0 for all values of its symbols; False proves nothing."""
    return _sign(_resolve_signs(sympy.sympify(expr))) == 1


def _assumption_of(s: Expr) -> Assumption:
    if s.is_integer:
        return "positive integer" if s.is_positive else "nonnegative integer" if s.is_nonnegative else "integer"
    if s.is_positive:
        return "positive"
    if s.is_negative:
        return "negative"
    return "nonnegative" if s.is_nonnegative else "real"


def reduce_to_zero(expr: Expr) -> str | None:
    """How sympy reduces the expression to 0 for all values of its symbols, or None. Cheap ways first."""
    if expr == 0:
        return "identical"
    resolved = _without_detours(_resolve_signs(_without_detours(expr)))
    for name, way in (("expand", sympy.expand), ("cancel", _cancel), ("simplify", sympy.simplify)):
        if _vanishes(way, resolved):
            return name
    if _zero_on_every_cell(resolved):
        return "every cell of the case split"
    for name, way in (("expand_func", _expand_special), ("rewrite exp", _rewrite_exp), ("sqrtdenest", _denest)):
        if _vanishes(way, resolved):
            return name
    if _vanishes(lambda e: 0 if vanishes_by_radicals(e) else 1, resolved):
        return "reduction by the equations of the roots"
    if _vanishes(lambda e: 0 if is_zero_as_a_constant(e) else 1, resolved):
        return "smooth, with derivatives 0 everywhere and value 0 at a point"
    if _vanishes(lambda e: 0 if _zero_by_signs_of_symbols(e) else 1, resolved):
        return "signs of the variables, zero among them"
    return None


def _without_detours(expr: Expr) -> Expr:
    """log(exp(u)) as u, exp(q log(u)) as u^q, sign(u)|u| as u: true for real u wherever the left side has a value."""
    expr = expr.replace(
        lambda e: isinstance(e, sympy.log) and isinstance(e.args[0], sympy.exp), lambda e: e.args[0].args[0]
    )
    expr = expr.replace(_is_exp_of_a_log, lambda e: _power_of_exp(e.args[0]))
    return expr.replace(lambda e: e.is_Mul and e.has(sympy.sign, sympy.Abs), _without_signs)


def _is_exp_of_a_log(expr: Expr) -> bool:
    if not isinstance(expr, sympy.exp):
        return False
    factor, rest = expr.args[0].as_coeff_Mul()
    return factor.is_Rational and isinstance(rest, sympy.log)


def _power_of_exp(exponent: Expr) -> Expr:
    factor, rest = exponent.as_coeff_Mul()
    return rest.args[0] ** factor


def _without_signs(product: Expr) -> Expr:
    factors = list(product.args)
    for factor in product.args:
        if isinstance(factor, sympy.sign):
            inside = factor.args[0]
            if inside in factors:
                factors.remove(factor)
                factors[factors.index(inside)] = sympy.Abs(inside)
            elif (size := sympy.Abs(inside)) in factors:
                factors.remove(factor)
                factors[factors.index(size)] = inside
    return sympy.Mul(*factors)


MOST_SPLIT = 3


def _zero_by_signs_of_symbols(expr: Expr) -> bool:
    """Whether the expression vanishes for each sign of its real variables, and where one of them is 0."""
    symbols = sorted((s for s in expr.free_symbols if s.is_real and not s.is_integer), key=str)
    split = [s for s in symbols if s.is_nonnegative is None and s.is_nonpositive is None]
    if not split or len(split) > MOST_SPLIT:
        return False
    s, positive = split[0], sympy.Dummy(split[0].name, positive=True)
    return all(reduce_to_zero(sympy.sympify(expr.subs(s, value))) is not None for value in (positive, -positive, 0))


def _vanishes(way: Any, expr: Expr) -> bool:
    try:
        return bool(way(expr) == 0)
    except (
        ArithmeticError,
        NotImplementedError,
        ValueError,
        TypeError,
        AttributeError,
        RecursionError,
        BasePolynomialError,
    ):
        return False  # sympy gave up: another way may succeed, and none succeeding proves nothing


def _cancel(expr: Expr) -> Expr:
    return sympy.cancel(sympy.together(sympy.powsimp(sympy.expand(expr))))


def _expand_special(expr: Expr) -> Expr:
    return sympy.simplify(sympy.gammasimp(sympy.expand_func(expr)))


def _rewrite_exp(expr: Expr) -> Expr:
    return sympy.simplify(sympy.expand(expr.rewrite(sympy.exp)))


def _denest(expr: Expr) -> Expr:
    return sympy.simplify(sympy.sqrtdenest(sympy.expand(sympy.factor_terms(expr))))


def _sign(expr: Expr) -> int | None:
    """1 where expr >= 0 everywhere, -1 where expr <= 0 everywhere, None where sympy cannot tell."""
    for form in (expr, sympy.expand(expr), sympy.factor(expr)):
        if form.is_nonnegative:
            return 1
        if form.is_nonpositive:
            return -1
    return None


def _order(a: Expr, b: Expr) -> int | None:
    """1 where a >= b everywhere, -1 where a <= b, None where sympy cannot tell; by squares where both are >= 0."""
    sign = _sign(a - b)
    if sign is None and (a.has(sympy.Pow) or a.has(sympy.Abs)) and _sign(a) == _sign(b) == 1:
        return _sign(sympy.expand(a**2 - b**2))
    return sign


def _factored(base: Expr) -> Expr:
    """The base of a root as a product, if it is one; sums of squares are not multiplied out for nothing."""
    if base.is_Mul:
        return sympy.Mul(*(_factored(part) for part in base.args))
    found = sympy.factor(base)
    return found if found.is_Mul or found.is_Pow else base


def _resolve_signs(expr: Expr) -> Expr:
    """Abs, Max, Min and roots of squares resolved, innermost first, where the assumptions decide the sign."""
    if not expr.args:
        return expr
    arguments = [_resolve_signs(a) for a in expr.args]
    if isinstance(expr, sympy.Abs):
        sign = _sign(arguments[0])
        if sign is not None:
            return sign * arguments[0]
        product = sympy.factor(arguments[0])
        return sympy.Mul(*(sympy.Abs(factor) for factor in sympy.Mul.make_args(product)))
    if isinstance(expr, sympy.Max | sympy.Min):
        towards = 1 if isinstance(expr, sympy.Max) else -1
        kept: list[Expr] = []
        for a in arguments:
            if any(_order(b, a) == towards for b in kept):
                continue
            kept = [b for b in kept if _order(a, b) != towards] + [a]
        return kept[0] if len(kept) == 1 else expr.func(*kept)
    if isinstance(expr, sympy.Pow) and expr.exp.is_Rational and not expr.exp.is_Integer:
        base = _factored(arguments[0])
        return _resolve_signs(base**expr.exp) if base != expr.base else base**expr.exp
    return expr.func(*arguments)


MAX_CELLS = 256


def _zero_on_every_cell(expr: Expr) -> bool:
    """Whether the expression vanishes on each open cell that the arguments of its Abs, Max, Min cut out.

    The cells are dense and the expression is continuous where it is defined, so it then vanishes everywhere. A cell
    whose constraints are linear and contradict each other is empty and is passed over.
    """
    if expr.has(sympy.sign, sympy.floor, sympy.Heaviside):
        return False  # not continuous
    expr = expr.replace(sympy.Max, lambda *a: _fold(a, 1)).replace(sympy.Min, lambda *a: _fold(a, -1))
    return _split(expr, [], [0])


def _fold(arguments: tuple[Expr, ...], towards: int) -> Expr:
    result = arguments[0]
    for a in arguments[1:]:
        result = (result + a + towards * sympy.Abs(result - a)) / 2
    return result


def _split(expr: Expr, cell: list[Expr], count: list[int]) -> bool:
    """Split on an innermost Abs; `cell` lists what is positive so far."""
    innermost = [a for a in expr.atoms(sympy.Abs) if not a.args[0].has(sympy.Abs)]
    if not innermost:
        return _vanishes(sympy.expand, expr) or _vanishes(sympy.simplify, expr)
    count[0] += 1
    if count[0] > MAX_CELLS:
        return False
    chosen = min(innermost, key=str)
    inside = sympy.expand(chosen.args[0])
    if inside == 0:
        return _split(expr.xreplace({chosen: sympy.Integer(0)}), cell, count)
    for sign in (1, -1):
        narrower = [*cell, sign * inside]
        if _is_empty(narrower):
            continue
        if not _split(expr.xreplace({chosen: sign * chosen.args[0]}), narrower, count):
            return False
    return True


def _is_empty(positive: list[Expr]) -> bool:
    """Whether no point makes all these expressions positive; False also where they are not all linear (unknown)."""
    symbols = sorted(set().union(*(p.free_symbols for p in positive)), key=str)
    rows = [_linear_row(p, symbols) for p in positive]
    if any(row is None for row in rows):
        return False
    for i, s in enumerate(symbols):
        if s.is_nonnegative or s.is_nonpositive:
            unit = [Fraction(0)] * (len(symbols) + 1)
            unit[i] = Fraction(1 if s.is_nonnegative else -1)
            rows.append(unit)
    return not _strictly_feasible([row for row in rows if row is not None])


def _linear_row(expr: Expr, symbols: list[Expr]) -> list[Fraction] | None:
    if not symbols:
        return [Fraction(int(expr.p), int(expr.q))] if expr.is_Rational else None
    try:
        polynomial = sympy.Poly(expr, *symbols)
    except sympy.PolynomialError:
        return None
    if polynomial.total_degree() > 1 or not all(c.is_Rational for c in polynomial.coeffs()):
        return None
    parts = [polynomial.coeff_monomial(s) for s in symbols] + [polynomial.coeff_monomial(1)]
    return [Fraction(int(c.p), int(c.q)) for c in parts]


def _strictly_feasible(rows: list[list[Fraction]]) -> bool:
    """Whether some point makes every row's linear form positive (Fourier-Motzkin elimination, exact)."""
    while len(rows[0]) > 1:
        above = [r for r in rows if r[0] > 0]
        below = [r for r in rows if r[0] < 0]
        rows = [r[1:] for r in rows if r[0] == 0]
        rows += [
            [a * -low[0] + b * up[0] for a, b in zip(up[1:], low[1:], strict=True)]
            for up, low in itertools.product(above, below)
        ]
        if not rows:
            return True
        if len(rows) > 2000:
            return True  # not decided: treat the cell as inhabited
    return all(r[0] > 0 for r in rows)


def evaluate_at(expr: Expr, point: Mapping[str, Number]) -> Fraction | Interval:
    """The value of a sympy expression at an exact point, rigorously enclosed."""
    return evaluate(parse(from_sympy(expr), point.keys()), point)
