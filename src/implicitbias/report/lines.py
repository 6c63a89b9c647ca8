"""A line of a derivation: formulas of the small language among words, relations and brackets.

One reading of it for the terminal and the page: `pieces` says what is a formula, `typeset_line` writes it in
Unicode, the page in MathML.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from implicitbias.errors import FormulaError
from implicitbias.exact.formula import Operation, parse
from implicitbias.report.prose import prose
from implicitbias.report.typeset import shown, symbol
from implicitbias.theorems.primitives import arities

RELATIONS = {"<=": "≤", ">=": "≥", ":=": "≔", "->": "→", "!=": "≠", "oo": "∞", "-oo": "-∞"}
WORD = re.compile(r"[A-Za-z]{2,}([-'’/][A-Za-z]+)*|[=<>≤≥→≠≔≡↦·:]|[<>:!]=|->|-?oo|[Σ∑∫…]|\(\d+\)")
"""What is no formula by itself: words, relations, infinity, a number of an equation; a letter alone is a symbol."""
OPERATORS = ("+", "-", "*", "/")
"""What makes formulas of its neighbours, even if they are words."""
STOPS = ",;:."
OPENING, CLOSING = "([{", ")]}"
GROUP = re.compile(r"[(\[{]")


def typeset_line(text: str) -> str:
    """The line in Unicode.

    >>> typeset_line("u = (k + 1*Abs(k))/2"), typeset_line("s: s/T*Abs(k), where a**2 >= 0")
    ('u = (k + |k|)/2', 's: s/T·|k|, where a² ≥ 0')
    >>> typeset_line("∇(unit(v, w*x, 0)) in (v_1, w_1) at v_1 = v"), typeset_line("an odd piecewise-linear function")
    ('∇(unit(v, w·x, 0)) in (v₁, w₁) at v₁ = v', 'an odd piecewise-linear function')
    """
    return "".join(piece if isinstance(piece, str) else shown(piece) for piece in pieces(text))


def pieces(text: str) -> Iterator[str | Operation]:
    """The line cut into formulas, without factors 1, terms 0 and double signs, and the text between them."""
    atoms = list(_atoms(text))
    beside = [i for i, atom in enumerate(atoms) if atom in OPERATORS]
    formal = {*beside, *(i - 1 for i in beside), *(i + 1 for i in beside)}
    run: list[str] = []
    for i, atom in enumerate(atoms):
        gap = " " if i + 1 < len(atoms) else ""
        if i not in formal and _is_text(atom):
            yield from (*_formulas(run), prose(RELATIONS.get(atom, atom)) + gap)
            run = []
            continue
        run.append(atom + gap)
        if atom[-1:] in STOPS:
            yield from _formulas(run)
            run = []
    yield from _formulas(run)


def _formulas(run: Sequence[str]) -> Iterator[str | Operation]:
    """Atoms in a row that are a formula; or have brackets that hold some."""
    piece = "".join(run)
    bare = piece.rstrip(STOPS + " ")
    stops = piece[len(bare) :]
    tree = _read(bare)
    if tree is not None:
        yield tree
    elif found := _bracketed(bare):
        before, inner, after = found
        yield from (
            prose(before.replace("sqrt", "√")),
            *pieces(inner),
            *(pieces(after) if len(after) > 1 else (after,)),
        )
    else:
        yield prose(bare)
    yield stops


def _read(text: str) -> Operation | None:
    if not text.isascii():
        return None  # Python reads ᵀ as T: what people wrote stays as they wrote it
    try:
        return tidied(parse(text, more=arities()).tree)
    except (FormulaError, RecursionError):
        return None


def tidied(node: Operation) -> Operation:
    """The formula without factors 1, terms 0 and double signs: it has the same value, and less to read."""
    if not node.arguments:
        return node
    node = Operation(node.head, tuple(map(tidied, node.arguments)))
    first, *rest = node.arguments
    match node.head:
        case "neg" if first.number is not None:
            return Operation("number", number=-first.number)
        case "neg" if first.head == "neg":
            return first.arguments[0]
        case "Abs" if first.number is not None:
            return Operation("number", number=abs(first.number))
        case "+" | "-":
            return _sum(node.head, first, rest[0])
        case "*":
            return _product(first, rest[0])
        case "/" if rest[0].number == 1:
            return first
    return node


def _sum(sign: str, first: Operation, second: Operation) -> Operation:
    if second.number == 0:
        return first
    if first.number == 0:
        return second if sign == "+" else tidied(Operation("neg", (second,)))
    if second.head == "neg":
        return Operation("-" if sign == "+" else "+", (first, second.arguments[0]))
    return Operation(sign, (first, second))


def _product(first: Operation, second: Operation) -> Operation:
    for one, other in ((first, second), (second, first)):
        if one.number == 0:
            return one
        if one.number == 1:
            return other
        if one.number == -1:
            return tidied(Operation("neg", (other,)))
    return Operation("*", (first, second))


def _is_text(atom: str) -> bool:
    bare = atom.rstrip(STOPS)
    return atom in RELATIONS or (bool(WORD.fullmatch(bare)) and symbol(bare) == bare)


def _atoms(text: str) -> Iterator[str]:
    """The text cut at its spaces outside brackets."""
    depth, start = 0, 0
    for i, char in enumerate(text):
        depth += (char in OPENING) - (char in CLOSING)
        if char == " " and depth == 0:
            yield text[start:i]
            start = i + 1
    yield text[start:]


def _bracketed(text: str) -> tuple[str, str, str] | None:
    """What stands before, in and after the first brackets, these included in the first and the last."""
    found = GROUP.search(text)
    if not found:
        return None
    depth = 0
    for i in range(found.start(), len(text)):
        depth += (text[i] in OPENING) - (text[i] in CLOSING)
        if depth == 0:
            return text[: found.end()], text[found.end() : i], text[i:]
    return None
