"""Student's interval of a mean."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from implicitbias.exact.rational import Interval


def student_interval(values: Sequence[float], level: float) -> Interval:
    """Two-sided, from at least two values.

    >>> found = student_interval([1.0, 2.0, 3.0], 0.05)
    >>> round(float(found.lower), 3), round(float(found.upper), 3)
    (-0.484, 4.484)
    """
    from scipy import stats

    half = float(stats.t.ppf(1 - level / 2, len(values) - 1)) * statistics.stdev(values) / len(values) ** 0.5
    return Interval.around(statistics.fmean(values), half)
