"""The trusted check of kind "minimum-norm interpolation": standard library only, run by kernel.py.

  data    {"x": [x_1 < … < x_N], "y": [y_1, …, y_N]}
  primal  {"function": {"knots", "values", "left_slope", "right_slope"}}, a piecewise-linear f; or {"left_share": θ},
          the linear spline through the data continued with slopes (a - σθt, b - σ(1-θ)t), in the notation below
  dual    {"p": [p_1, …, p_N]}, values at the x_n of the function p that is linear between them and constant outside
  claim   {"value": V, "unique": bool, "end_slopes": [[l, r], [l', r']]}: V is the smallest R(f) = max(T(f), |s(f)|),
          T(f) = ∫|f''|, s(f) = f'(-∞) + f'(+∞), of all functions f through the data (Savarese et al. 2019, eq. 25);
          unique says whether only one function attains it; the (f'(-∞), f'(+∞)) of all that do fill the segment from
          (l, r) to (l', r'). If a number is too long to be written, {"at_least": A, "at_most": B} encloses it, with
          a relative width of at most 1e-20.

Why the check suffices. Let m = p_1 and let p_N = 0, |p_n| <= 1, |p_n - m| <= 1. As p is linear between the x_n and
constant outside, |p| <= 1 and |p - m| <= 1 everywhere, that is |p - m/2| <= 1 - |m|/2. With ν_n the jump of p' at x_n,
Σν_n = 0, Σν_n x_n = m, Σν_n [x_n - t]_+ = p(t). Every f with T(f) finite is f(x) = ½∫|x-t| df'(t) + (s/2)x + constant,
the integral taken as a limit, so for every f through the data
  Σν_n y_n = ∫(p - m/2) df' + m s/2 <= (1 - |m|/2) T + (|m|/2)|s| <= max(T, |s|) = R(f).            (weak duality)
The primal f attains its own bound, and so is a minimiser, if (i) at each kink t of f, p(t) = m/2 + (1 - |m|/2)·sign of
the kink; (ii) m s >= 0; (iii) T >= |s| if m = 0, T = |s| if not. Then V = T(f). These conditions are checked one kink
at a time, so the sums of huge fractions in Σν_n y_n are never needed; only T against |s| and V is, and that is decided
by integer bounds of growing precision, exactly if need be.

The claim about all minimisers is computed from the data alone. Let l_1, …, l_{N-1} be the slopes between the data,
a = l_1, b = l_{N-1}, κ_n = l_n - l_{n-1} (n = 2, …, N-1), T_int = Σ|κ_n|, t = max(0, (|a+b| - T_int)/2), σ = sign(a+b);
for N = 1 put a = b = T_int = 0.
  End slopes. The mean of f' over (x_n, x_{n+1}) is l_n, and putting means in its place does not raise the variation:
  T(f) >= T_int + u, u = |f'(-∞) - a| + |f'(+∞) - b|, with equality for the linear spline; and |s| >= |a+b| - u. So
  R(f) >= max(T_int + u, |a+b| - u) >= T_int + t, and equality demands u = 0 if t = 0; if t > 0 it demands u = t and
  both slopes moved by -σ times nonnegative shares of t. So the optimal end slopes fill the segment from (a - σt, b) to
  (a, b - σt), and the linear spline attains every point of it.
  Uniqueness. If t > 0 the segment has many points. If t = 0, f minimises iff T(f) = T_int, and its end slopes are a, b.
  Where κ_n κ_{n+1} > 0, the lines of slopes l_{n-1} and l_{n+1} meet inside (x_n, x_{n+1}) and may replace the piece
  between: another minimiser. Where never, each l_n is a smallest or a largest among its neighbours (l_0 = a, l_N = b);
  if f' were not constant between x_n and x_{n+1} it would take a value v there beyond l_n, so that, with means on the
  other intervals, T(f) >= T_int + 2|v - l_n|. The same holds outside the data. So f is the spline.

Coq: MinimumNorm.v, minimum_norm_by_share, minimum_norm_by_function (docs/formal.md).
"""

from __future__ import annotations

from collections.abc import Sequence

from ..about import on_a_line
from ..budget import price, price_of_product, refuse, spend
from ..rational import Rational, key_of
from ..reading import (
    Fields,
    Kind,
    Proved,
    read_fields,
    read_list,
    read_number,
    read_numbers,
    read_value,
    require_increasing,
    value_in_words,
)
from ..words import in_words, shown

MAX_EXACT_BITS = 1 << 24
"""A sum whose common denominator is longer is not added up exactly: undecided, hence refused."""
EASY_BITS = 1 << 15
"""A sum whose common denominator is shorter is added up exactly at once."""
PRECISIONS = (96, 4096)
"""Bits after the point with which longer sums are enclosed first."""


def check(document: Fields) -> Proved:
    """What the certificate proves, in words; refused otherwise."""
    data = read_fields(document["data"], "data", ("x", "y"))
    x, y = read_numbers(data["x"], "data.x"), read_numbers(data["y"], "data.y")
    if not x:
        refuse("data.x is empty: at least one point is needed")
    if len(x) != len(y):
        refuse(f"data.x has {len(x)} numbers and data.y has {len(y)}")
    require_increasing(x, "data.x")
    slopes = _slopes(x, y)
    a, b = (slopes[0], slopes[-1]) if slopes else (Rational(0), Rational(0))
    kinks = _signs(slopes)
    interior = _Variation(slopes, kinks)
    sigma = _sign(a + b)
    moved = interior.sign(-1, abs(a + b)) > 0  # t > 0

    p = read_numbers(read_fields(document["dual"], "dual", ("p",))["p"], "dual.p")
    if len(p) != len(x):
        refuse(f"dual.p has {len(p)} numbers, the data have {len(x)}")
    m = p[0]
    if p[-1] != 0:
        refuse(f"dual.p must end with 0, not {in_words(p[-1])}")
    low, high = max(Rational(-1), m - 1), min(Rational(1), m + 1)
    for n, value in enumerate(p):
        if value < low or value > high:
            refuse(f"dual.p[{n}] = {in_words(value)} breaks |p| <= 1 or |p - p[0]| <= 1: the dual is not feasible")

    claim = read_fields(document["claim"], "claim", ("value", "unique", "end_slopes"))
    primal = document["primal"]
    if isinstance(primal, dict) and "function" in primal:
        variation = _optimal_function(read_fields(primal, "primal", ("function",))["function"], x, y, p)
        stated = variation.read_claimed(claim["value"], "claim.value", Rational(1), Rational(0))
    else:
        share = read_number(read_fields(primal, "primal", ("left_share",))["left_share"], "primal.left_share")
        if share < 0 or share > 1:
            refuse(f"primal.left_share must lie in [0, 1], not {in_words(share)}")
        signs = [sigma if moved and share > 0 else 0, *kinks, -sigma if moved and share < 1 else 0]
        for n, sign in enumerate(signs[: len(x)]):
            if sign and p[n] != (high if sign > 0 else low):
                refuse(f"complementary slackness fails at the data point {n}: kink {sign:+d}, p = {in_words(p[n])}")
        # If t > 0, the kinks at the ends have forced m = σ, and T = T_int + t = |a + b| - t = |s| by the choice of t.
        if not moved and m != 0 and (m * sigma < 0 or interior.sign(-1, abs(a + b)) != 0):
            refuse(f"p[0] = {in_words(m)} does not fit the end slopes: weak duality is not attained")
        multiple, rest = (Rational(1, 2), abs(a + b) / 2) if moved else (Rational(1), Rational(0))
        stated = interior.read_claimed(claim["value"], "claim.value", multiple, rest)

    ends = _pairs(claim["end_slopes"])
    if not moved and ends[0] != ends[1]:
        refuse("claim.end_slopes must be one pair, written twice: the segment of optimal end slopes is a point")
    told: list[str] = []
    for i, j, slope, shifted in ((0, 0, a, moved), (0, 1, b, False), (1, 0, a, False), (1, 1, b, moved)):
        # a - σt = T_int·σ/2 + a - (a + b)/2, and the same with b
        multiple = Rational(sigma, 2) if shifted else Rational(0)
        rest = slope - (a + b) / 2 if shifted else slope
        told.append(value_in_words(*interior.read_claimed(ends[i][j], f"claim.end_slopes[{i}][{j}]", multiple, rest)))
    neighbours = next((n for n in range(1, len(kinks)) if kinks[n] * kinks[n - 1] > 0), None)
    unique = not moved and neighbours is None
    if claim["unique"] is not unique:
        why = (
            "the interior variation is below |a + b|, so a segment of end slopes is optimal"
            if moved
            else "no two neighbouring kinks have the same sign"
            if neighbours is None
            else f"the kinks at the data points {neighbours} and {neighbours + 1} have the same sign"
        )
        refuse(f"claim.unique must be {str(unique).lower()}, not {shown(claim['unique'])}: {why}")
    attained = "exactly one function attains it: the linear spline" if unique else "more than one function attains it"
    left, right, other_left, other_right = told
    segment = f"The left end slope f'(-∞) of each that attains it {left}, the right one f'(+∞) {right}."
    if moved:
        segment = (
            "The pairs of end slopes (f'(-∞), f'(+∞)) of those that attain it fill a segment: at one end the left one "
            f"{left} and the right one {right}, at the other the left one {other_left} and the right one {other_right}."
        )
    return Proved(
        f"Of all functions f through the {len(x)} data point{'s' * (len(x) > 1)}, the smallest "
        f"max(∫|f''|, |f'(-∞) + f'(+∞)|) {value_in_words(*stated)}; {attained}. {segment}",
        on_a_line(x, y),
    )


def _pairs(given: object) -> list[list[object]]:
    otherwise = "claim.end_slopes must be two pairs, the ends of the segment: [[left, right], [left, right]]"
    return [read_list(pair, otherwise, 2) for pair in read_list(given, otherwise, 2)]


def _optimal_function(given: object, x: list[Rational], y: list[Rational], p: list[Rational]) -> _Variation:
    """T(f) of a piecewise-linear f; refused if it misses the data or does not make weak duality with p an equality."""
    function = read_fields(given, "primal.function", ("knots", "values", "left_slope", "right_slope"))
    knots = read_numbers(function["knots"], "primal.function.knots")
    values = read_numbers(function["values"], "primal.function.values")
    left = read_number(function["left_slope"], "primal.function.left_slope")
    right = read_number(function["right_slope"], "primal.function.right_slope")
    if not knots or len(knots) != len(values):
        refuse(
            f"primal.function has {len(knots)} knots and {len(values)} values: as many, and at least one, are needed"
        )
    require_increasing(knots, "primal.function.knots")
    slopes = [left, *_slopes(knots, values), right]
    m, low, high = p[0], max(Rational(-1), p[0] - 1), min(Rational(1), p[0] + 1)
    n, signs = 0, _signs(slopes)
    for i, (at, target) in enumerate(zip(x, y, strict=True)):
        while n < len(knots) and knots[n] < at:
            n += 1
        near = min(n, len(knots) - 1)
        if values[near] + (slopes[n] * (at - knots[near]) if knots[near] != at else 0) != target:
            refuse(f"the function misses the data point {i}: ({in_words(at)}, {in_words(target)})")
    n = 0
    for k, (at, sign) in enumerate(zip(knots, signs, strict=True)):
        while n < len(x) and x[n] < at:
            n += 1
        # m/2 ± (1 - |m|/2) are the largest and the smallest value allowed to p, and p is linear between the data: it
        # reaches them between two data points only if it has them at both.
        inside = 0 < n < len(x) and x[n] != at
        for i in (n - 1, n) if inside else (min(n, len(x) - 1),):
            if sign and p[i] != (high if sign > 0 else low):
                refuse(
                    f"complementary slackness fails at knot {k} of the function: kink {sign:+d}, p = {in_words(p[i])}"
                )
    s, total = left + right, _Variation(slopes, signs)
    surplus = total.sign(1, -abs(s))
    if m * s < 0 or (surplus != 0 if m else surplus < 0):
        refuse(f"with p[0] = {in_words(m)} the function's variation and |f'(-∞) + f'(+∞)| do not attain weak duality")
    return total


class _Variation:
    """T = Σ sign_n (slope_n - slope_{n-1}), integer multiples of fractions that are added up only as far as needed."""

    def __init__(self, slopes: Sequence[Rational], signs: Sequence[int]) -> None:
        before, after = [0, *signs, 0], [*signs, 0]
        terms = [
            (c, slope)
            for slope, c in zip(slopes, (p - q for p, q in zip(before, after, strict=False)), strict=False)
            if c
        ]
        self._exact: tuple[int, int] | None = None
        self._bounds: dict[int, tuple[int, int]] = {}
        groups: dict[bytes, tuple[int, int]] = {}
        for c, slope in terms:
            name = key_of(slope.denominator)
            sum_before = groups[name][0] if name in groups else 0
            spend(1 + ((slope.bits + sum_before.bit_length()) >> 9))
            groups[name] = sum_before + c * slope.numerator, slope.denominator
        self.groups = [(p, q) for p, q in groups.values() if p]
        self.bits = sum(q.bit_length() for _, q in self.groups)

    def sign(self, multiple: Rational | int, rest: Rational) -> int:
        """The sign of multiple·T + rest, never guessed."""
        if self.bits > EASY_BITS:
            for bits in PRECISIONS:
                low, high = sorted(rest * (1 << bits) + multiple * bound for bound in self.bounds(bits))
                if low > 0 or high < 0 or low == high:
                    return _sign(low)
        numerator, denominator = self.exact()
        return _sign(rest * denominator + multiple * numerator)

    def read_claimed(
        self, claimed: object, where: str, multiple: Rational, rest: Rational
    ) -> tuple[Rational, Rational]:
        """The claimed number or the ends of its enclosure; refused where it is not multiple·T + rest."""
        low, high = read_value(claimed, where)
        if not isinstance(claimed, dict):
            if self.sign(multiple, rest - low) != 0:
                refuse(f"{where} is not {shown(claimed)}")
        elif self.sign(multiple, rest - low) < 0 or self.sign(multiple, rest - high) > 0:
            refuse(f"{where} does not lie between {in_words(low)} and {in_words(high)}")
        return low, high

    def bounds(self, bits: int) -> tuple[int, int]:
        """Integers around T·2^bits."""
        if bits not in self._bounds:
            low = high = 0
            for numerator, denominator in self.groups:
                spend(1 + price(numerator.bit_length() + bits, denominator.bit_length()))
                quotient, remainder = divmod(numerator << bits, denominator)
                low += quotient
                high += quotient + (remainder > 0)
            self._bounds[bits] = low, high
        return self._bounds[bits]

    def exact(self) -> tuple[int, int]:
        """A numerator and a positive denominator of T, by a balanced tree of sums."""
        if self._exact is None:
            if self.bits > MAX_EXACT_BITS:
                refuse(f"undecided: an exact sum with a denominator of up to {self.bits} bits would be needed")
            level = self.groups or [(0, 1)]
            while len(level) > 1:
                pairs = zip(level[::2], level[1::2], strict=False)
                odd = level[-1:] if len(level) % 2 else []
                level = [_sum_of_two(*pair) for pair in pairs] + odd
            self._exact = level[0]
        return self._exact


def _sum_of_two(a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    """Of numerators and denominators, nothing cancelled."""
    (p, q), (r, s) = a, b
    spend(2 * price_of_product(max(p.bit_length(), q.bit_length()), max(r.bit_length(), s.bit_length())))
    return p * s + r * q, q * s


def _slopes(x: list[Rational], y: list[Rational]) -> list[Rational]:
    return [(y[i] - y[i - 1]) / (x[i] - x[i - 1]) for i in range(1, len(x))]


def _signs(slopes: list[Rational]) -> list[int]:
    return [(slopes[i] > slopes[i - 1]) - (slopes[i] < slopes[i - 1]) for i in range(1, len(slopes))]


def _sign(number: Rational | int) -> int:
    return (number > 0) - (number < 0)


KIND = Kind("minimum-norm interpolation", ("data", "primal", "dual", "claim"), check)
