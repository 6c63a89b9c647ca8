"""Decrease of errors with the width n, with confidence intervals: fitted powers, ratios, extrapolated means and limits.

A rate is a formula in the width n and a reference width n0: `sqrt(n0/n)` means that the error halves when the width is
four times as large. All intervals here have a stated joint level, divided by Bonferroni.

Every point (width, seed) must be independent of the others: take seeds from `seeds` and use each only once.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from implicitbias.claims import Instance, Interval, Premise, Value, seen
from implicitbias.exact.sampling import student_quantile

LEVEL = 0.001
"""Default joint level of the intervals of a check: one false alarm in a thousand runs."""


@dataclass(frozen=True)
class Power:
    """The fit ln error = a + slope ln n over independent points, and the same with a term in (ln n)².

    slope, quadratic            estimates
    half_width, half_quadratic  half-widths of their intervals at the given level
    spread                      standard deviation of ln error around the fitted line
    """

    slope: float
    half_width: float
    quadratic: float
    half_quadratic: float
    spread: float
    points: int

    @property
    def interval(self) -> Interval:
        """The interval of the exponent."""
        return Interval.around(self.slope, self.half_width)

    @property
    def is_straight(self) -> bool:
        """Whether the quadratic term's interval contains 0, i.e. no curvature is detected."""
        return abs(self.quadratic) <= self.half_quadratic

    def ratio(self, n: int, n0: int) -> Interval:
        """The interval of error(n)/error(n0) by the fitted power."""
        step = math.log(n / n0)
        ends = sorted(math.exp((self.slope + sign * self.half_width) * step) for sign in (-1, 1))
        return Interval(Fraction(ends[0]), Fraction(ends[1]))

    @property
    def numbers(self) -> Mapping[str, Value]:
        """The numbers of the fit for a `Measured`."""
        return {
            "slope": self.slope,
            "half-width": self.half_width,
            "quadratic term": self.quadratic,
            "its half-width": self.half_quadratic,
            "spread of ln error": self.spread,
            "points": self.points,
        }


def seeds(seed: int, *labels: int, count: int) -> list[int]:
    """`count` seeds that depend on the seed and on the labels (e.g. an experiment's number, a width), all different.

    >>> seeds(1, 7, 256, count=2) == seeds(1, 7, 256, count=2), seeds(1, 7, 256, count=1) == seeds(1, 7, 512, count=1)
    (True, False)
    """
    import numpy as np

    return [int(s) for s in np.random.SeedSequence([seed, *labels]).generate_state(count, np.uint64) >> np.uint64(1)]


def fitted_power(widths: Sequence[int], errors: Sequence[float], level: float = LEVEL, comparisons: int = 1) -> Power:
    """The power law through all points (n, error), by least squares in the logarithms, with Student's intervals.

    widths, errors   one entry per point; errors positive; independent
    comparisons      the number of intervals that share the level (slope and quadratic term get half of it each)

    >>> import numpy as np
    >>> n = np.repeat([64, 128, 256, 512, 1024], 40)
    >>> errors = 3.0 / np.sqrt(n) * np.exp(np.random.default_rng(0).normal(0, 0.4, n.size))
    >>> found = fitted_power(n.tolist(), errors.tolist())
    >>> found.interval.contains(Fraction(-1, 2)), found.is_straight, found.half_width < 0.1
    (True, True, True)
    """
    import numpy as np

    z = np.log(np.asarray(widths, dtype=float))
    values = np.asarray(errors, dtype=float)
    if not ((values > 0) & np.isfinite(values)).all():
        raise ValueError("errors must be positive and finite: an error of 0 has no logarithm")
    y = np.log(values)
    if len(set(widths)) < 3 or len(y) < 5:
        raise ValueError("a power needs three widths and five points at least")
    centred = z - z.mean()
    slope, half, spread = _coefficient(np.stack([centred, np.ones_like(z)]), y, level, 2 * comparisons)
    design = np.stack([centred**2, centred, np.ones_like(z)])
    quadratic, half_quadratic, _ = _coefficient(design, y, level, 2 * comparisons)
    return Power(slope, half, quadratic, half_quadratic, spread, len(y))


def _coefficient(design: object, y: object, level: float, comparisons: int) -> tuple[float, float, float]:
    """Estimate and half-width of the first row's coefficient, with standard errors that allow unequal spread (HC3)."""
    import numpy as np

    a, b = np.asarray(design).T, np.asarray(y)
    inverse = np.linalg.inv(a.T @ a)
    beta = inverse @ (a.T @ b)
    rest = b - a @ beta
    leverage = np.einsum("ij,jk,ik->i", a, inverse, a)
    meat = (a * (rest / (1 - leverage))[:, None] ** 2).T @ a
    freedom = len(b) - a.shape[1]
    error = math.sqrt((inverse @ meat @ inverse)[0, 0])
    return (
        float(beta[0]),
        student_quantile(level, freedom, comparisons) * error,
        float(np.sqrt(rest @ rest / freedom)),
    )


def extrapolated_interval(
    at_n: Sequence[float], at_4n: Sequence[float], level: float = LEVEL, comparisons: int = 1
) -> Interval:
    """The mean at infinite width from independent samples at widths n and 4n: (4 m(4n) - m(n))/3 (Richardson, Welch).

    A bias c/n of the means cancels.

    >>> extrapolated_interval([1.5, 1.4, 1.6], [1.1, 1.125, 1.15], level=0.05).contains(1)
    True
    """
    import numpy as np

    samples = [(-1 / 3, np.asarray(at_n, dtype=float)), (4 / 3, np.asarray(at_4n, dtype=float))]
    parts = [share**2 * values.var(ddof=1) / len(values) for share, values in samples]
    below = sum(part**2 / (len(values) - 1) for part, (_, values) in zip(parts, samples, strict=True))
    freedom = sum(parts) ** 2 / below if below > 0 else 1
    half = student_quantile(level, max(1, int(freedom)), comparisons) * math.sqrt(sum(parts))
    return Interval.around(float(sum(share * values.mean() for share, values in samples)), float(half))


def ratio_interval(
    above: Sequence[float], below: Sequence[float], level: float = LEVEL, comparisons: int = 1
) -> Interval:
    """The ratio of the geometric means of two independent samples of positive numbers (Welch, in the logarithms).

    >>> ratio_interval([2.0, 2.2, 1.9], [1.0, 1.1, 0.95], level=0.05).contains(2)
    True
    """
    import numpy as np

    a, b = (np.log(np.asarray(values, dtype=float)) for values in (above, below))
    parts = a.var(ddof=1) / len(a), b.var(ddof=1) / len(b)
    freedom = sum(parts) ** 2 / (parts[0] ** 2 / (len(a) - 1) + parts[1] ** 2 / (len(b) - 1)) if sum(parts) > 0 else 1
    half = student_quantile(level, max(1, int(freedom)), comparisons) * math.sqrt(sum(parts))
    centre = float(a.mean() - b.mean())
    return Interval(Fraction(math.exp(centre - half)), Fraction(math.exp(centre + half)))


def limit_by_run(widths: Sequence[int], values: Sequence[float], power: float = 1.0) -> list[float]:
    """What each point says of the limit L of `limit_interval`: its value less the fitted b n^(-power).

    >>> limit_by_run([1, 2, 4], [7.0, 4.5, 3.25])
    [2.0, 2.0, 2.0]
    """
    import numpy as np

    n, y = np.asarray(widths, dtype=float) ** -power, np.asarray(values, dtype=float)
    slope, _ = np.polyfit(n, y, 1)
    return [round(float(value), 12) for value in y - slope * n]


def limit_interval(
    widths: Sequence[int], values: Sequence[float], level: float = LEVEL, comparisons: int = 1, power: float = 1.0
) -> Interval:
    """The limit L of values = L + b n^(-power) + noise as n -> oo, by least squares over independent points.

    >>> n = [64, 128, 256, 512, 1024, 2048]
    >>> found = limit_interval(n, [2 + 5 / k + 1e-4 * (-1) ** i for i, k in enumerate(n)], level=0.05)
    >>> found.contains(2), float(found.width) < 1e-3
    (True, True)
    """
    import numpy as np

    n = np.asarray(widths, dtype=float)
    y = np.asarray(values, dtype=float)
    estimate, half, _ = _coefficient(np.stack([np.ones_like(n), n**-power]), y, level, comparisons)
    return Interval.around(estimate, half)


def rate_instances(
    what: str,
    widths: Sequence[int],
    errors: Sequence[float],
    given: Mapping[str, Value] | None = None,
    level: float = LEVEL,
    comparisons: int = 1,
) -> tuple[tuple[Instance, ...], Power]:
    """Ratios of the errors at each width to those at the smallest width, and the fitted power.

    One instance per width above the smallest: n, n0 (and the symbols in `given`), and the ratio of the geometric means,
    with that of each network's error to the mean at the smallest width; one instance for the fitted power from the
    smallest to the largest width. All instances of `comparisons` such calls share the level.
    """
    import numpy as np

    at = {n: [e for k, e in zip(widths, errors, strict=True) if k == n] for n in sorted(set(widths))}
    least, most = min(at), max(at)
    reference = math.exp(np.log(at[least]).mean())
    shares = comparisons * len(at)
    found = fitted_power(widths, errors, level, shares)
    common = dict(given or {})
    instances = [
        seen(
            ratio_interval(at[n], at[least], level, shares),
            f"{what}: width {n} against {least}",
            by_run=[error / reference for error in at[n]],
            **common,
            n=n,
            n0=least,
        )
        for n in at
        if n != least
    ]
    fitted = seen(
        found.ratio(most, least),
        f"{what}: the power fitted over {len(at)} widths, {found.points} networks",
        **common,
        n=most,
        n0=least,
    )
    return (*instances, fitted), found


def power_premises(what: str, found: Power, effect: float) -> tuple[Premise, ...]:
    """Whether the fit can distinguish exponents that differ by `effect`, and shows no curvature."""
    return (
        Premise(
            f"{what}: the interval of the exponent is narrower than ±{effect:g}",
            found.half_width <= effect,
            f"±{found.half_width:.3f} from {found.points} points",
        ),
        Premise(
            f"{what}: no curvature in the logarithms",
            found.is_straight,
            f"quadratic term {found.quadratic:+.4f} ± {found.half_quadratic:.4f}",
        ),
    )
