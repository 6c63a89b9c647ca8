"""Problem (10) of Stewart et al. (2022) with two classes, in closed form with its dual.

With k = 2 the margins depend on d = f_1 - f_0 alone, whose measure is μ_1 - μ_0, and |a - b| <= √2 ‖(a, b)‖, with
equality for (-t, t): the value is V/√2, where V is the smallest total variation of ramps d with σ_i d(x_i) >= 1.

Lower bounds for V come from β_i >= 0 with |g^±| <= 1, g⁺(c) = Σ σ_i β_i [x_i - c]_+, g⁻ its mirror image: Σ β_i.
Between runs of equal signs, across gaps g_1, …, g_J:
  J >= 3  g is ±1 in turn on the inner runs, 0 on the outer ones, linear across the gaps: Σ_{j<J} (2/g_j + 2/g_{j+1}),
          attained by the function that is ±1 on the inner runs and goes straight on outside of them;
  J = 2   the same bound, and 1/M(c) more with D(t) = ±(c - t)/M(c), c the point of the middle run's hull that is next
          to the middle of [A, B] (M(c) = max(c - A, B - c)); attained by the trapezoid (`least_variation`);
  J = 1   g⁺ = ±1 to the left of the gap: 2/g_1, attained by the straight line;
  J = 0   the weight 1/M(c) at c, the point of the hull of the data next to the middle: attained by a constant, or by
          the longest ramp where all data are on one side of the middle.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from itertools import pairwise

from implicitbias.convex.line import exact_points, kink_range
from implicitbias.convex.ramps.supports import equal_runs
from implicitbias.errors import DataError
from implicitbias.exact.rational import Real


def two_class_variation(
    x: Iterable[Real], labels: Sequence[Hashable], kinks: tuple[Real, Real] | None = None
) -> Fraction:
    """√2 times the value of problem (10) with k = 2: the smallest variation V of d with σ_i d(x_i) >= 1, σ_i = ±1.

    J label changes, across gaps of lengths g_1, …, g_J; H = (B - A)/2 and m = (A + B)/2 of the range of kinks (H = 1,
    m = 0 in the paper):

      J = 0   1/(H + dist(m, [x_1, x_n]))          J = 1   2/g_1
      J = 2   2/g_1 + 2/g_2 + 1/(H + dist(m, [middle run]))
      J >= 3  Σ_{j<J} (2/g_j + 2/g_{j+1}).

    labels  as many as x, at most two different ones; kinks  see `line.kink_range`

    >>> two_class_variation([-1, 0, 1], "aba"), two_class_variation([-1, 1], "ab"), two_class_variation([-1, 1], "aa")
    (Fraction(5, 1), Fraction(1, 1), Fraction(1, 1))
    """
    return sum(two_class_dual(x, labels, kinks), Fraction(0))


def two_class_dual(
    x: Iterable[Real], labels: Sequence[Hashable], kinks: tuple[Real, Real] | None = None
) -> tuple[Fraction, ...]:
    """β_i >= 0 with Σ β_i = `two_class_variation` and |Σ_i σ_i β_i φ_u(x_i)| <= 1 for all u.

    >>> [str(b) for b in two_class_dual([-1, 0, 1], "aba")]
    ['1', '3', '1']
    """
    points, low, high = _checked(x, labels, kinks)
    runs = equal_runs(labels)
    gaps = [(here[1], there[0]) for here, there in pairwise(runs)]
    beta = [Fraction(0)] * len(points)
    for n, (i, j) in enumerate(gaps):
        # The slope of g across the gap: its height is 1 at an outer end, 2 between two inner runs; the ends share it.
        height = 1 if len(gaps) == 1 or n in (0, len(gaps) - 1) else 2
        for end in (i, j):
            beta[end] += height / (points[j] - points[i])
    if len(gaps) in (0, 2):
        middle, (first, last) = (low + high) / 2, runs[len(gaps) // 2]
        place = min(max(middle, points[first]), points[last])
        weight = 1 / max(place - low, high - place)
        right = next(i for i in range(first, last + 1) if points[i] >= place)
        left = right - 1 if points[right] > place else right
        share = (place - points[left]) / (points[right] - points[left]) if left < right else Fraction(1)
        beta[right] += weight * share
        beta[left] += weight * (1 - share)
    return tuple(beta)


def two_class_function(
    x: Iterable[Real], labels: Sequence[Hashable], kinks: tuple[Real, Real] | None = None
) -> tuple[Fraction, ...]:
    """d(x_i) of a function of variation V with σ_i d(x_i) >= 1 (σ = -1 for the class of the first point): the values
    that `ramps.interpolant.ramp_interpolant` turns into ramps of that variation.

    >>> [str(v) for v in two_class_function([-1, 0, "1/2", 1], "aabb")]
    ['-5', '-1', '1', '3']
    """
    points, low, high = _checked(x, labels, kinks)
    runs = equal_runs(labels)
    if len(runs) == 1:
        middle = (low + high) / 2
        if points[0] <= middle <= points[-1]:
            return tuple(Fraction(-1) for _ in points)
        near, far = (points[0], low) if middle < points[0] else (points[-1], high)
        return tuple(-(at - far) / (near - far) for at in points)
    values: list[Fraction] = []
    for n, (first, last) in enumerate(runs):
        sign = 1 if n % 2 else -1
        # The outer runs go straight on from the neighbouring gap, the inner ones are flat.
        if n in (0, len(runs) - 1):
            i, j = (last, last + 1) if n == 0 else (first - 1, first)
            slope, anchor = 2 * (sign if n else -sign) / (points[j] - points[i]), points[last if n == 0 else first]
        else:
            slope, anchor = Fraction(0), points[first]
        values += [sign + slope * (points[i] - anchor) for i in range(first, last + 1)]
    return tuple(values)


def _checked(
    x: Iterable[Real], labels: Sequence[Hashable], kinks: tuple[Real, Real] | None
) -> tuple[tuple[Fraction, ...], Fraction, Fraction]:
    points, _ = exact_points(x, [0] * len(labels))
    if len(set(labels)) > 2:
        raise DataError(f"two classes at most: got {len(set(labels))}; see `max_margin`")
    return points, *kink_range(points, kinks)
