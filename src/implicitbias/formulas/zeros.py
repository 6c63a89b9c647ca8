"""All real zeros of a smooth formula on a cell: exact if it is rational in x, otherwise isolated in ball arithmetic."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import flint

from implicitbias.exact.enclosure import NoValueError, evaluate
from implicitbias.exact.formula import Expression, Operation
from implicitbias.formulas.ends import End, formula_at, is_regular, settle
from implicitbias.formulas.jets import Arb, ball, depends, jet
from implicitbias.formulas.roots import Imprecise, Root, Undecided

Polynomial = flint.fmpq_poly

MAX_INTERVALS = 4000
SMALLEST_WIDTH = 2.0**-60
SPLIT = Fraction(527, 1024)
"""Not one half: zeros are often at simple fractions, where an end of an interval would have no sign."""

SIMPLE = 10_000
"""Denominators up to this are tried when a zero is guessed to be rational (which is then proved)."""


def zeros(tree: Operation, left: Root | None, right: Root | None) -> list[Root]:
    """The zeros in the cell in increasing order, perhaps with others beyond its ends.

    None are listed for a formula that is zero throughout. Raises Undecided if they cannot be isolated, as for sin(x)
    on the whole line.

    >>> from implicitbias.exact.formula import parse
    >>> [root.exact for root in zeros(parse("x**3 - x").tree, None, None)]
    [Fraction(-1, 1), Fraction(0, 1), Fraction(1, 1)]
    >>> [f"{float(root.ball):.12f}" for root in zeros(parse("exp(x) - 2").tree, None, None)]
    ['0.693147180560']
    """
    if not depends(tree):
        return []
    if (fraction := _rational(tree)) is not None:
        return _polynomial_zeros(fraction[0])
    low, high = _settled_end(tree, left, -1), _settled_end(tree, right, 1)
    return _isolate(tree, low, high, left, right)


def _rational(tree: Operation) -> tuple[Polynomial, Polynomial] | None:
    """(numerator, denominator) as rational polynomials in x, or None if the formula is not a rational function."""
    if tree.number is not None:
        return flint.fmpq_poly([flint.fmpq(tree.number.numerator, tree.number.denominator)]), flint.fmpq_poly([1])
    if tree.is_name:
        return (flint.fmpq_poly([0, 1]), flint.fmpq_poly([1])) if tree.head == "x" else None
    if tree.head == "**":
        power = tree.arguments[1].number
        base = _rational(tree.arguments[0])
        if base is None or power is None or power.denominator != 1:
            return None
        p, q = base if power >= 0 else base[::-1]
        return p ** abs(int(power)), q ** abs(int(power))
    if tree.head not in ("+", "-", "*", "/", "neg"):
        return None
    parts = [_rational(argument) for argument in tree.arguments]
    if any(part is None for part in parts):
        return None
    (p, q), (r, s) = parts[0], parts[-1]  # type: ignore[misc]
    match tree.head:
        case "+":
            return p * s + r * q, q * s
        case "-":
            return p * s - r * q, q * s
        case "*":
            return p * r, q * s
        case "/":
            return p * s, q * r
    return -p, q


def _polynomial_zeros(polynomial: Polynomial) -> list[Root]:
    if polynomial.degree() <= 0:
        return []
    roots: dict[tuple[Any, ...], Root] = {}
    for factor, _ in flint.fmpz_poly(polynomial.numer()).factor()[1]:
        if factor.degree() == 1:
            value = Fraction(-int(factor[0]), int(factor[1]))
            roots[(value,)] = _rational_root(value)
            continue
        # Real roots come first, with imaginary part exactly 0: arb isolates them. (The types forget the order.)
        complex_roots: list[tuple[flint.acb, int]] = factor.complex_roots()  # type: ignore[assignment]
        real = [root.real for root, _ in complex_roots if root.imag.is_zero()]
        key = tuple(int(c) for c in factor.coeffs())
        for n, root in enumerate(sorted(real, key=lambda b: float(b.mid()))):
            roots[(key, n)] = Root((key, n), root)
    return sorted(roots.values(), key=lambda root: float(root.ball.mid()))


def _rational_root(value: Fraction) -> Root:
    return Root((value,), ball(value), value)


def _settled_end(tree: Operation, root: Root | None, side: int) -> Arb:
    """Where to stop searching: beyond it, up to the end, the formula has no zero."""
    if root is not None and is_regular(tree, root):
        return root.ball
    end = End(root, 1 if side > 0 else -1)
    settled = settle([formula_at(tree, end)], end)
    if settled.sign == 0:
        raise Undecided(f"the zeros for {end} could not be counted")
    return ball(end.at(settled.level))


def _isolate(tree: Operation, low: Arb, high: Arb, left: Root | None, right: Root | None) -> list[Root]:
    found: list[Root] = []
    todo = [(low, high)]
    for _ in range(MAX_INTERVALS):
        if not todo:
            return found
        a, b = todo.pop()
        parts = jet(tree, a.union(b))
        if parts[0] > 0 or parts[0] < 0:
            continue
        if parts[1] > 0 or parts[1] < 0:
            at_a, at_b = (_end_sign(tree, end, left, right) for end in (a, b))
            if at_a * at_b < 0:
                found.append(_refined(tree, a, b))
            continue
        width = b - a
        if width < SMALLEST_WIDTH:
            break
        if width < 1 and (parts[2] > 0 or parts[2] < 0) and (touched := _touched(tree, a, b)):
            found.append(touched)
            continue
        middle = (a + width * ball(SPLIT)).mid()
        todo += [(middle, b), (a, middle)]
    raise Undecided("the zeros of a part of the formula could not be isolated")


def _end_sign(tree: Operation, end: Arb, left: Root | None, right: Root | None) -> int:
    value = jet(tree, end)[0]
    if value > 0:
        return 1
    if value < 0:
        return -1
    for root in (left, right):
        if root is not None and root.exact is not None and end.contains(root.ball) and _vanishes(tree, root.exact):
            return 0
    raise Imprecise(f"the sign of a part of the formula at x = {float(end.mid()):g} could not be determined")


def _refined(tree: Operation, a: Arb, b: Arb) -> Root:
    """The one zero between a and b, on which the formula is monotone."""
    enclosure = newton(tree, 0, a.union(b))
    if enclosure is None:
        raise Undecided("Newton's iteration lost a zero")
    guess = Fraction(float(enclosure.mid())).limit_denominator(SIMPLE)
    if enclosure.contains(ball(guess)) and _vanishes(tree, guess):
        return _rational_root(guess)
    return Root((tree, float(enclosure.mid())), enclosure)


def _touched(tree: Operation, a: Arb, b: Arb) -> Root | None:
    """The place between a and b where a convex or concave formula touches 0, if it is rational and does so exactly."""
    enclosure = newton(tree, 1, a.union(b))
    if enclosure is None:
        return None
    guess = Fraction(float(enclosure.mid())).limit_denominator(SIMPLE)
    inside = enclosure.contains(ball(guess)) and jet(tree, ball(guess))[1].contains(0)
    return _rational_root(guess) if inside and _vanishes(tree, guess) else None


def newton(tree: Operation, order: int, enclosure: Arb) -> Arb | None:
    """Newton's iteration on balls for the zero of the derivative of this order; None if there is none."""
    for _ in range(200):
        middle = enclosure.mid()
        newton = middle - jet(tree, middle)[order] / jet(tree, enclosure)[order + 1]
        if not newton.overlaps(enclosure):
            return None
        better = newton.intersection(enclosure)
        if not better.rad() * 2 < enclosure.rad():
            break
        enclosure = better
    return enclosure


def _vanishes(tree: Operation, x: Fraction) -> bool:
    """Whether the formula is exactly 0 there."""
    try:
        return evaluate(Expression("", frozenset({"x"}), tree), {"x": x}) == Fraction(0)
    except NoValueError:
        return False
