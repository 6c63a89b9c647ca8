"""How small a number in radicals can be without being zero: what makes its sign decidable by computing digits.

A formula of rationals, + - * /, integer powers and roots has a value that is zero or at least 2^-b in size, with b
read off the formula: with upper bounds u and l of numerator and denominator built up along it, and D the product of the
degrees of its roots, |value| >= 1/(l u^(D²-1)). Sources: Burnikel, Fleischer, Mehlhorn, Schirra (Algorithmica 27, 2000)
and Burnikel, Funke, Mehlhorn, Schirra, Schmitt (ESA 2001). u and l of a root are those of the later paper, the exponent
is that of the earlier one: the bound claims no more than either proves.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from implicitbias.exact.formula import Operation
from implicitbias.exact.rational import Interval, Number

MOST_BITS = 1 << 17
"""Signs that need more bits than this are left undecided: a fraction of a second each."""

Size = tuple[int, int]
"""log2 of u and of l, rounded up."""


def separation_bits(tree: Operation, values: Mapping[str, Number]) -> int | None:
    """b such that the value of the formula is 0 or at least 2^-b in size; None for other than radicals of rationals.

    >>> from implicitbias.exact.formula import parse
    >>> separation_bits(parse("sqrt(2)*sqrt(3) - sqrt(6)").tree, {})
    324
    >>> separation_bits(parse("exp(1) - sqrt(2)").tree, {}) is None
    True
    """
    roots: dict[Operation, int] = {}
    size = _size(tree, values, roots)
    if size is None:
        return None
    degree = 1
    for root in roots.values():
        degree *= root
    bits = (degree**2 - 1) * size[0] + size[1]
    return bits if bits <= MOST_BITS else None


def _size(node: Operation, values: Mapping[str, Number], roots: dict[Operation, int]) -> Size | None:
    if node.number is not None or node.is_name:
        given = node.number if node.number is not None else values.get(node.head)
        return None if given is None or isinstance(given, Interval) else _size_of(Fraction(given))
    sizes = []
    for argument in node.arguments:
        size = _size(argument, values, roots)
        if size is None:
            return None
        sizes.append(size)
    match node.head:
        case "+" | "-":
            (top, bottom), (other_top, other_bottom) = sizes
            return max(top + other_bottom, bottom + other_top) + 1, bottom + other_bottom
        case "*":
            (top, bottom), (other_top, other_bottom) = sizes
            return top + other_top, bottom + other_bottom
        case "/":
            (top, bottom), (other_top, other_bottom) = sizes
            return top + other_bottom, bottom + other_top
        case "neg" | "Abs":
            return sizes[0]
        case "Max" | "Min":
            return max(top for top, _ in sizes), max(bottom for _, bottom in sizes)
        case "sign":
            return 0, 0
        case "sqrt":
            return _root(sizes[0], 2, node, roots)
        case "**":
            exponent = node.arguments[1].number
            return None if exponent is None else _power(sizes[0], exponent, node, roots)
    return None


def _size_of(number: Fraction) -> Size:
    return abs(number.numerator).bit_length(), (number.denominator - 1).bit_length()


def _power(size: Size, exponent: Fraction, node: Operation, roots: dict[Operation, int]) -> Size:
    top, bottom = size if exponent.denominator == 1 else _root(size, exponent.denominator, node, roots)
    times = abs(exponent.numerator)
    return (top * times, bottom * times) if exponent >= 0 else (bottom * times, top * times)


def _root(size: Size, degree: int, node: Operation, roots: dict[Operation, int]) -> Size:
    roots[node] = degree
    top, bottom = size
    if top >= bottom:
        return -(-(top + (degree - 1) * bottom) // degree), bottom
    return top, -(-((degree - 1) * top + bottom) // degree)
