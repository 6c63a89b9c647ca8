"""Observed: means over independent replicas, Student's intervals of a joint level, widened where a rule says so."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from implicitbias.exact.rational import Interval

LEVEL = 0.001
"""Joint level of the intervals of a check: one false alarm in a thousand runs."""


def half_width(samples: Sequence[float], comparisons: int = 1, level: float = LEVEL) -> float:
    """Of Student's interval for the mean; `comparisons` intervals share the level."""
    import numpy as np
    from scipy import stats

    values = np.asarray(samples, dtype=float)
    quantile = float(stats.t.ppf(1 - level / comparisons / 2, len(values) - 1))
    return quantile * float(values.std(ddof=1)) / math.sqrt(len(values))


def mean_interval(samples: Sequence[float], allowance: float = 0.0, comparisons: int = 1) -> Interval:
    """Where the mean is, up to an allowance for a bias that was stated beforehand.

    >>> mean_interval([1.0, 2.0, 3.0, 4.0], allowance=0.5).contains(2)
    True
    """
    import numpy as np

    return Interval.around(float(np.mean(samples)), half_width(samples, comparisons) + allowance)


def combined(parts: Sequence[tuple[float, Any]], comparisons: int = 1) -> tuple[float, float]:
    """Σ weight·mean of independent samples, and the half-width of its interval (normal: the samples are large)."""
    import numpy as np
    from scipy import stats

    quantile = float(stats.norm.ppf(1 - LEVEL / comparisons / 2))
    centre = sum(weight * float(np.mean(values)) for weight, values in parts)
    variance = sum(weight**2 * float(np.var(values, ddof=1)) / len(values) for weight, values in parts)
    return centre, quantile * math.sqrt(variance)


RICHARDSON = (Fraction(1, 3), Fraction(-2), Fraction(8, 3))
"""Weights of the values at steps ε, ε/2, ε/4 that cancel errors of order ε and ε²."""
