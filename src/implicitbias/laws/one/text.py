"""Laws as text: `normal(0,1)`, `truncated(laplace(0,1),-2,2)`. Read by a whitelist over the syntax tree; never run."""

from __future__ import annotations

import ast
import difflib
import inspect
from collections.abc import Callable, Mapping
from typing import Any

from implicitbias.errors import DataError, FormulaError
from implicitbias.laws.one.law import Law
from implicitbias.laws.one.parameter import Parameter

MAX_LENGTH = 400
MAX_DEPTH = 4


def read(text: str, table: Mapping[str, Callable[..., Any]], what: str, inner: Mapping[str, Callable[..., Any]]) -> Any:
    """What the text names in the table. `inner`: the laws that may stand as a parameter of another.

    Raises DataError for unknown names (with similar ones), a wrong number of parameters, and what is not a law.
    """
    stripped = text.strip()
    if len(stripped) > MAX_LENGTH:
        raise DataError(f"a {what} of {len(stripped)} characters is more than the {MAX_LENGTH} that are read")
    try:
        body = ast.parse(stripped, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise DataError(f"{_short(stripped)} is not a {what}: write for example {_example(table)}") from None
    return _build(body, stripped, table, what, inner, 0)


def _build(
    node: ast.expr,
    text: str,
    table: Mapping[str, Callable[..., Any]],
    what: str,
    inner: Mapping[str, Callable[..., Any]],
    depth: int,
) -> Any:
    match node:
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            given = arguments
        case ast.Name(id=name):
            given = []
        case _:
            raise DataError(f"{_short(_source(node, text))} is not a {what}: write for example {_example(table)}")
    if name not in table:
        close = difflib.get_close_matches(name, table, n=3, cutoff=0.6)
        hint = f" Did you mean {' or '.join(close)}?" if close else ""
        raise DataError(f"there is no {what} {_short(name)}.{hint} Known: {', '.join(sorted(table))}")
    if depth > MAX_DEPTH:
        raise DataError(f"the {what} is nested more than {MAX_DEPTH} deep")
    build = table[name]
    parameters = list(inspect.signature(build).parameters.values())
    least = sum(p.default is inspect.Parameter.empty for p in parameters)
    if not least <= len(given) <= len(parameters):
        wanted = f"{least}" if least == len(parameters) else f"{least} to {len(parameters)}"
        noun = "parameter" if wanted == "1" else "parameters"
        raise DataError(f"{name} takes {wanted} {noun}, not {len(given)}: {signature(name, build)}")
    values = []
    for argument, parameter in zip(given, parameters, strict=False):
        source = _source(argument, text)
        if not _is_law(argument, inner):
            values.append(_number(source, name, build))
        elif parameter.annotation in ("Law", Law):
            values.append(_build(argument, text, inner, "law", inner, depth + 1))
        else:
            what_is = parameter.name.replace("_", " ")
            raise DataError(f"in {signature(name, build)}: {what_is} is a number, not a law: got {_short(source)}")
    return build(*values)


def _is_law(node: ast.expr, inner: Mapping[str, Callable[..., Any]]) -> bool:
    name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else None
    return name in inner


def _source(node: ast.expr, text: str) -> str:
    return ast.get_source_segment(text, node) or ""


def _number(text: str, name: str, build: Callable[..., Any]) -> Parameter:
    try:
        return Parameter.of(text)
    except (FormulaError, DataError) as error:
        raise DataError(f"in {signature(name, build)}: {error}") from None


def signature(name: str, build: Callable[..., Any]) -> str:
    """How the law is written, with its parameters' names.

    >>> signature("normal", lambda mean, deviation: None)
    'normal(mean, deviation)'
    """
    parts = [
        p.name.replace("_", " ") if p.default is inspect.Parameter.empty else f"[{p.name.replace('_', ' ')}]"
        for p in inspect.signature(build).parameters.values()
    ]
    return f"{name}({', '.join(parts)})"


def _example(table: Mapping[str, Callable[..., Any]]) -> str:
    return '"normal(0,1)"' if "normal" in table else '"circle(1)"'


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return repr(flat if len(flat) <= 40 else flat[:37] + "…")
