"""Formulas as people write them: a small language read by a whitelist over the syntax tree. Nothing is ever executed.

Numbers (`2`, `0.1` taken as exactly one tenth), declared names, `+ - * / **`, and the functions and constants below.
"""

from __future__ import annotations

import ast
import math
import operator
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, get_args

from implicitbias.errors import DataError, FormulaError
from implicitbias.exact.rational import exact

Assumption = Literal[
    "real", "nonnegative", "positive", "negative", "integer", "positive integer", "nonnegative integer"
]
"""The domain of a variable."""

DOMAINS: tuple[Assumption, ...] = get_args(Assumption)

FUNCTIONS: dict[str, tuple[int, int | None]] = {
    "Abs": (1, 1),
    "Max": (1, None),
    "Min": (1, None),
    "sqrt": (1, 1),
    "exp": (1, 1),
    "log": (1, 1),
    "sin": (1, 1),
    "cos": (1, 1),
    "tan": (1, 1),
    "asin": (1, 1),
    "acos": (1, 1),
    "atan": (1, 1),
    "sinh": (1, 1),
    "cosh": (1, 1),
    "tanh": (1, 1),
    "erf": (1, 1),
    "gamma": (1, 1),
    "sign": (1, 1),
    "floor": (1, 1),
}
"""The functions with the least and the greatest number of their arguments (None: any)."""

ALIASES = {"abs": "Abs", "max": "Max", "min": "Min"}
CONSTANTS = ("pi", "E")
OPERATORS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}

MAX_LENGTH = 2000
MAX_NODES = 400
MAX_DEPTH = 40
MAX_DEGREE = 256
MAX_DIGITS = 400


@dataclass(frozen=True)
class Operation:
    """A node of a formula: a number, a name, a constant, an operator or a function with its arguments."""

    head: str
    arguments: tuple[Operation, ...] = ()
    number: Fraction | None = None

    @property
    def is_name(self) -> bool:
        return self.number is None and not self.arguments


@dataclass(frozen=True)
class Expression:
    """A parsed formula: its text, the names in it, its tree. Two texts with one tree are one formula."""

    text: str = field(compare=False)
    names: frozenset[str]
    tree: Operation

    def __str__(self) -> str:
        return self.text


def substituted(tree: Operation, parts: Mapping[str, Operation]) -> Operation:
    """The formula with other formulas in the place of some of its names."""
    if tree.is_name:
        return parts.get(tree.head, tree)
    if tree.number is not None:
        return tree
    arguments = tuple(substituted(argument, parts) for argument in tree.arguments)
    return tree if all(map(operator.is_, arguments, tree.arguments)) else Operation(tree.head, arguments)


_BINDING = {"+": 1, "-": 1, "*": 2, "/": 2, "neg": 3, "**": 4}


def written(tree: Operation) -> str:
    """The formula as text that reads back as the same tree.

    >>> written(parse("-(a - (b - c))/2**-x").tree)
    '-(a - (b - c))/2**(-x)'
    """
    if tree.number is not None:
        return str(tree.number)
    if tree.head not in _BINDING:
        return f"{tree.head}({', '.join(map(written, tree.arguments))})" if tree.arguments else tree.head
    binding = _BINDING[tree.head]
    if tree.head == "neg":
        return "-" + _bracketed(tree.arguments[0], binding)
    left, right = tree.arguments
    if tree.head == "**":
        return f"{_bracketed(left, binding + 1)}**{_bracketed(right, binding + 1)}"
    sign = tree.head if tree.head in "*/" else f" {tree.head} "
    return _bracketed(left, binding) + sign + _bracketed(right, binding + 1)


def _bracketed(tree: Operation, least: int) -> str:
    """As text, in brackets unless it binds at least so tightly."""
    plain = written(tree)
    if tree.number is not None:
        binds = 5 if tree.number.denominator == 1 and tree.number >= 0 else 0
    else:
        binds = _BINDING.get(tree.head, 5)
    return plain if binds >= least else f"({plain})"


def parse(
    text: str, names: Iterable[str] | None = None, *, more: Mapping[str, tuple[int, int | None]] | None = None
) -> Expression:
    """Read a formula. `names`: the names it may use (None: any). `more`: functions beside `FUNCTIONS`, as there.

    >>> sorted(parse("Max(T, abs(s))", ["T", "s"]).names)
    ['T', 's']
    >>> parse("Max(T,Abs(s))") == parse("max( T, abs(s) )")
    True

    Raises FormulaError that says where, what is allowed and what to do.
    """
    allowed = None if names is None else frozenset(names)
    stripped = text.strip()
    if not stripped:
        raise FormulaError("the formula is empty: write for example 'Max(T, Abs(s))'")
    if len(stripped) > MAX_LENGTH:
        raise FormulaError(f"the formula has {len(stripped)} characters, more than the {MAX_LENGTH} that are read")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            body = ast.parse(stripped, mode="eval").body
    except SyntaxError as error:
        place = f" near character {error.offset}" if error.offset else ""
        raise FormulaError(f"{_short(stripped)} is not a formula{place}: {error.msg}. {_allowed(allowed)}") from None
    except (ValueError, MemoryError, RecursionError):
        raise FormulaError(f"{_short(stripped)} is not a formula: it is nested too deeply or holds odd bytes") from None
    reader = _Reader(stripped, allowed, {**FUNCTIONS, **(more or {})})
    tree = reader.read(body, 1, 1)
    return Expression(stripped, frozenset(reader.names), tree)


class _Reader:
    def __init__(
        self, text: str, allowed: frozenset[str] | None, functions: Mapping[str, tuple[int, int | None]]
    ) -> None:
        self.text = text
        self.functions = functions
        self.plain = text.isascii() and len(text.splitlines()) == 1
        self.allowed = allowed
        self.names: set[str] = set()
        self.nodes = 0

    def read(self, node: ast.expr, depth: int, degree: float) -> Operation:
        self.nodes += 1
        if depth > MAX_DEPTH:
            raise FormulaError(f"the formula is nested more than {MAX_DEPTH} deep: write it flatter")
        if self.nodes > MAX_NODES:
            raise FormulaError(f"the formula has more than {MAX_NODES} parts: write it shorter")
        match node:
            case ast.Constant():
                return self._number(node)
            case ast.Name():
                return self._name(node)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                inner = self.read(operand, depth + 1, degree)
                if inner.number is not None:
                    return Operation("number", number=-inner.number)
                return Operation("neg", (inner,))
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return self.read(operand, depth + 1, degree)
            case ast.BinOp(left=left, op=ast.Pow(), right=right):
                return self._power(left, right, depth, degree)
            case ast.BinOp(left=left, op=operator, right=right) if type(operator) in OPERATORS:
                arguments = (self.read(left, depth + 1, degree), self.read(right, depth + 1, degree))
                return Operation(OPERATORS[type(operator)], arguments)
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
                return self._call(node, ALIASES.get(name, name), arguments, depth, degree)
        what = self._source(node) or type(node).__name__
        hint = " For a power write **." if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitXor) else ""
        raise FormulaError(f"{_short(what)} is not part of the formula language.{hint} {_allowed(self.allowed)}")

    def _source(self, node: ast.expr) -> str:
        """What is written for a node. `ast.get_source_segment` splits all of the text into lines for each node."""
        if self.plain:
            return self.text[node.col_offset : node.end_col_offset]
        return ast.get_source_segment(self.text, node) or ""

    def _number(self, node: ast.Constant) -> Operation:
        if isinstance(node.value, bool) or not isinstance(node.value, int | float):
            raise FormulaError(
                f"{_short(repr(node.value))} is not a number of the formula language: write 2, 0.5 or 1/3"
            )
        text = self._source(node)
        try:
            number = exact(text)
        except DataError as error:
            raise FormulaError(str(error)) from None
        if max(number.numerator.bit_length(), number.denominator.bit_length()) > MAX_DIGITS * 3.33:
            raise FormulaError(f"the number {_short(text)} has more than {MAX_DIGITS} digits")
        return Operation("number", number=number)

    def _name(self, node: ast.Name) -> Operation:
        name = node.id
        if self.allowed is None or name in self.allowed:
            if self.allowed is None and name in CONSTANTS:
                return Operation(name)
            if name in self.functions or name in ALIASES:
                raise FormulaError(f"{name!r} is a function: write {name}(…)")
            self.names.add(name)
            return Operation(name)
        if name in CONSTANTS:
            return Operation(name)
        raise FormulaError(f"{_short(name)} is not a name that this formula may use. {_allowed(self.allowed)}")

    def _power(self, left: ast.expr, right: ast.expr, depth: int, degree: float) -> Operation:
        exponent = self.read(right, depth + 1, degree)
        size = _magnitude(exponent)
        if size is not None:
            degree *= max(1.0, size)
            if not degree <= MAX_DEGREE:
                raise FormulaError(f"the exponents multiply to more than {MAX_DEGREE}: use a smaller exponent")
        return Operation("**", (self.read(left, depth + 1, degree), exponent))

    def _call(self, node: ast.Call, name: str, arguments: list[ast.expr], depth: int, degree: float) -> Operation:
        if name not in self.functions:
            what = self._source(node.func) or name
            raise FormulaError(f"{_short(what)} is not a function of the formula language. {_allowed(self.allowed)}")
        least, most = self.functions[name]
        if len(arguments) < least or (most is not None and len(arguments) > most):
            wanted = f"{least}" if most == least else f"at least {least}"
            raise FormulaError(f"{name} takes {wanted} argument(s), not {len(arguments)}")
        return Operation(name, tuple(self.read(a, depth + 1, degree) for a in arguments))


def _magnitude(node: Operation) -> float | None:
    """|value| of a constant expression in floats (inf when it overflows), None where names occur."""
    if node.number is not None:
        try:
            return abs(float(node.number))
        except OverflowError:
            return math.inf
    if node.is_name:
        return {"pi": math.pi, "E": math.e}.get(node.head)
    parts = [_magnitude(a) for a in node.arguments]
    known = [p for p in parts if p is not None]
    if len(known) < len(parts):
        return None
    try:
        match node.head:
            case "+" | "-":
                return sum(known)
            case "*":
                return math.prod(known)
            case "/":
                return known[0] / known[1] if known[1] else math.inf
            case "**":
                return float(max(known[0], 1 / known[0] if known[0] else math.inf, 1.0) ** known[1])
            case "exp" | "sinh" | "cosh" | "gamma" | "tan":
                return math.exp(known[0] ** 2 if node.head == "gamma" else known[0])
    except OverflowError:
        return math.inf
    return max([*known, 2.0])


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return repr(flat if len(flat) <= 40 else flat[:37] + "…")


def _allowed(names: frozenset[str] | None) -> str:
    what = f"the names {', '.join(sorted(names))}" if names else "names" if names is None else "no names"
    return f"Allowed: numbers, {what}, + - * / **, {', '.join(FUNCTIONS)}, pi, E."
