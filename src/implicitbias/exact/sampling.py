"""Confidence intervals: Student's for a mean, Clopper and Pearson's for a probability.

The joint level of several intervals is the probability, at most, that any of them misses; each gets an equal share
(Bonferroni).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from implicitbias.exact.rational import Interval


def student_quantile(level: float, freedom: int, comparisons: int = 1) -> float:
    """The two-sided quantile of Student's law with this many degrees of freedom.

    level        joint level of `comparisons` intervals

    >>> round(student_quantile(0.05, 2), 4)
    4.3027
    """
    from scipy import stats

    return float(stats.t.ppf(1 - level / comparisons / 2, freedom))


def half_width(deviation: float, count: int, level: float, comparisons: int = 1) -> float:
    """Half the width of Student's interval for a mean: t · deviation/√count.

    deviation  of the sample, with denominator count - 1
    """
    return student_quantile(level, count - 1, comparisons) * deviation / math.sqrt(count)


def mean_interval(samples: Sequence[float], level: float, comparisons: int = 1, allowance: float = 0.0) -> Interval:
    """Student's interval for the mean, from at least two independent samples.

    level        joint level of `comparisons` intervals
    allowance    added on both sides, for a bias that was stated beforehand

    >>> found = mean_interval([1.0, 2.0, 3.0], 0.05)
    >>> round(float(found.lower), 3), round(float(found.upper), 3)
    (-0.484, 4.484)
    """
    import numpy as np

    values = np.asarray(samples, dtype=float)
    half = half_width(float(values.std(ddof=1)), len(values), level, comparisons)
    return Interval.around(float(values.mean()), half + allowance)


def proportion_interval(successes: int, trials: int, level: float, comparisons: int = 1) -> Interval:
    """Clopper and Pearson's interval for a probability: its coverage is at least 1 - level.

    level        joint level of `comparisons` intervals

    >>> found = proportion_interval(0, 10, 0.05)
    >>> found.lower, round(float(found.upper), 4)
    (Fraction(0, 1), 0.3085)
    """
    tail = level / comparisons / 2
    return Interval(Fraction(lower_limit(successes, trials, tail)), Fraction(upper_limit(successes, trials, tail)))


def lower_limit(successes: int, trials: int, tail: float) -> float:
    """Clopper and Pearson's lower limit: the probability for which `successes` or more have the probability `tail`.

    >>> lower_limit(0, 10, 0.05), round(lower_limit(6, 10, 0.05), 3)
    (0.0, 0.304)
    """
    from scipy import stats

    return float(stats.beta.ppf(tail, successes, trials - successes + 1)) if successes else 0.0


def upper_limit(successes: int, trials: int, tail: float) -> float:
    """Clopper and Pearson's upper limit: the probability for which `successes` or fewer have the probability `tail`."""
    from scipy import stats

    return float(stats.beta.ppf(1 - tail, successes + 1, trials - successes)) if successes < trials else 1.0
