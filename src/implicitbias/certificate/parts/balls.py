"""Interval arithmetic with rational ends."""

from __future__ import annotations

from ..rational import Rational

Ball = tuple[Rational, Rational]
"""The numbers from the first to the second."""

ZERO: Ball = (Rational(0), Rational(0))
ONE: Ball = (Rational(1), Rational(1))


def add(a: Ball, b: Ball) -> Ball:
    return a[0] + b[0], a[1] + b[1]


def scaled(c: Rational, a: Ball) -> Ball:
    return (c * a[0], c * a[1]) if c >= 0 else (c * a[1], c * a[0])


def times(a: Ball, b: Ball) -> Ball:
    ends = (a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1])
    return min(ends), max(ends)
