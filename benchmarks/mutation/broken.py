"""Mutants of a formula: one sign, factor, exponent, operator or function changed, or one term dropped."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from typing import Any

from implicitbias.errors import FormulaError
from implicitbias.exact.formula import FUNCTIONS, parse
from implicitbias.exact.symbolic import to_sympy

OTHER_FUNCTION = {"Max": "Min", "Min": "Max", "exp": "cosh", "sin": "cos", "cos": "sin"}
OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div)


def mutants(formula: str, symbols: list[str]) -> list[str]:
    """All formulas with one such change, each once.

    Left out are formulas that the language does not allow or that are defined nowhere (a division by 1 - 1), and those
    with the same canonical form as the formula or another mutant (`2*a*b` and `a*(2*b)`, `(-x)**2` and `x**2`).

    >>> mutants("Max(T, -s)", ["T", "s"])
    ['T', '-s', 'Max(T, s)', 'Min(T, -s)', '-Max(T, -s)', 'Max(-T, -s)', 'Max(2 * T, -s)', 'Max(T, -(2 * s))']
    >>> mutants("x**2", ["x"])
    ['2', 'x', 'x ** 3', '-x ** 2', '(2 * x) ** 2']
    """
    tree = ast.parse(formula, mode="eval")
    found = {ast.unparse(ast.fix_missing_locations(other)) for other in _broken(tree)}
    known = {_written(ast.unparse(tree), symbols), None}
    distinct = []
    for text in sorted(found, key=lambda text: (len(text), text)):
        written = _written(text, symbols)
        if written not in known:
            known.add(written)
            distinct.append(text)
    return distinct


def _written(text: str, symbols: list[str]) -> object:
    """The canonical form that sympy gives the formula when it reads it; None if it is not a valid formula."""
    from sympy import nan, oo, zoo

    try:
        written = to_sympy(parse(text, symbols), dict.fromkeys(symbols, "real"))
    except (FormulaError, RecursionError):
        return None
    return None if written.has(zoo, nan, oo) else written


def _broken(tree: ast.Expression) -> Iterator[ast.Expression]:
    yield ast.Expression(ast.UnaryOp(ast.USub(), tree.body))
    for place, node in enumerate(ast.walk(tree)):
        for other in _neighbours(node):
            whole = copy.deepcopy(tree)
            target = list(ast.walk(whole))[place]
            yield _Swap(target, other).visit(whole)


def _neighbours(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.BinOp(left=left, op=operator, right=right):
            yield left
            yield right
            if isinstance(operator, OPERATORS):
                yield from (ast.BinOp(left, other(), right) for other in OPERATORS if not isinstance(operator, other))
        case ast.UnaryOp(operand=operand):
            yield operand
        case ast.Constant(value=int() | float() as value):
            yield ast.Constant(value + 1)
            yield ast.Constant(value - 1)
        case ast.Call(func=ast.Name(id=name), args=arguments):
            if name in OTHER_FUNCTION:
                yield ast.Call(ast.Name(OTHER_FUNCTION[name]), arguments, [])
            if len(arguments) == 1:
                yield arguments[0]
            else:
                yield from (_without(name, arguments, i) for i in range(len(arguments)))
        case ast.Name(id=name) if name not in FUNCTIONS:
            yield ast.BinOp(ast.Constant(2), ast.Mult(), node)
            yield ast.UnaryOp(ast.USub(), node)


def _without(name: str, arguments: list[ast.expr], dropped: int) -> ast.expr:
    kept = [a for i, a in enumerate(arguments) if i != dropped]
    return kept[0] if len(kept) == 1 else ast.Call(ast.Name(name), kept, [])


class _Swap(ast.NodeTransformer):
    def __init__(self, target: ast.AST, other: ast.expr) -> None:
        self.target, self.other = target, other

    def visit(self, node: ast.AST) -> Any:
        return self.other if node is self.target else self.generic_visit(node)
