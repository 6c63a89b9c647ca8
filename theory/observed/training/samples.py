"""Means over independent replicas of training: the level of their intervals, and combinations of several means."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

LEVEL = 0.001
"""Joint level of the intervals of a check: one false alarm in a thousand runs."""


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
