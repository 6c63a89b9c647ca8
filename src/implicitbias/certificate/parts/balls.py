"""Interval arithmetic with rational ends."""

from __future__ import annotations

from ..rational import Rational

Ball = tuple[Rational, Rational]
"""The numbers from the first to the second; one and the same object twice for a number itself, which costs less."""


def point(a: Rational) -> Ball:
    """The number itself."""
    return a, a


ZERO, ONE = point(Rational(0)), point(Rational(1))


def add(a: Ball, b: Ball) -> Ball:
    if a[0] is a[1] and b[0] is b[1]:
        return point(a[0] + b[0])
    return a[0] + b[0], a[1] + b[1]


def scaled(c: Rational, a: Ball) -> Ball:
    if a[0] is a[1]:
        return point(c * a[0])
    return (c * a[0], c * a[1]) if c >= 0 else (c * a[1], c * a[0])


def times(a: Ball, b: Ball) -> Ball:
    if a[0] is a[1]:
        return scaled(a[0], b)
    if b[0] is b[1]:
        return scaled(b[0], a)
    ends = (a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1])
    return min(ends), max(ends)
