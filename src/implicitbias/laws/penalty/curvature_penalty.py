"""From a wanted curvature penalty to an initialisation that has it (Jin & Montúfar 2021, Proposition 8)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from implicitbias.errors import DataError
from implicitbias.exact.rational import Real
from implicitbias.formulas.on_arrays import on_arrays
from implicitbias.laws.joint.joint_law import Initialisation
from implicitbias.laws.joint.kink_density import KinkDensity, converges
from implicitbias.laws.joint.realised import IndependentOfKinks, OnACircle, Realised
from implicitbias.laws.one.law import Array
from implicitbias.laws.one.parameter import Parameter
from implicitbias.laws.one.table import law
from implicitbias.laws.penalty.adaptive_quadrature import NODES

LINE = (-np.inf, np.inf)
LOOKED_AT = 30.0
"""On the whole line the penalty is checked out to here, and its tails separately."""


def penalty_of(initialisation: Initialisation, x: Any) -> Any:
    """1/zeta(x): what a unit of squared curvature at x costs; infinite where no neuron has a kink."""
    with np.errstate(divide="ignore"):
        found = 1 / np.asarray(initialisation.zeta(np.asarray(x, float)))
    return float(found) if found.ndim == 0 else found


def realise(
    penalty: str | Callable[[Array], Array],
    interval: tuple[Real, Real] | None = None,
    *,
    exactly: bool = False,
) -> OnACircle:
    """Weights and biases on a circle, so bounded, whose curvature penalty is the wanted one up to a factor.

    p_C ∝ (1 + c²)/penalty, W = ±(1 + c²)^(-1/2), B = -W C. It exists on the line if and only if
    ∫ (1 + x²)/penalty dx is finite, since that is E[W²] + E[B²] (up to the factor) for every law with this penalty.

    penalty    a formula in x, or a function of arrays; positive, infinite where no kinks are wanted
    interval   where the penalty is wanted; outside it there are no kinks. Without one, the whole line
    exactly    whether the radius is chosen so that the factor is 1

    >>> made = realise("(1+x**2)**2")
    >>> round(made.factor, 9), round(made.zeta(1.0) * 4 * made.factor, 9)
    (3.141592654, 1.0)

    Raises DataError if the penalty is negative or NaN, or if the integral diverges.
    """
    wanted, ends = _wanted(penalty, interval)

    def weight(c: Array) -> Array:
        return wanted(c) * (1 + c**2)

    if ends == LINE and not converges(weight):
        raise DataError(
            "no law of (W, B) with finite second moments has this curvature penalty on the whole line, because "
            "∫(1 + x²)/penalty dx, which is E[W²] + E[B²], diverges (or converges too slowly to be told): "
            "give an interval that covers the data"
        )
    density = KinkDensity(weight, ends)
    radius = float(np.sqrt(density.total)) if exactly else 1.0
    factor = 1.0 if exactly else density.total
    return OnACircle(_says(penalty, ends, "on a circle"), wanted, density, factor, (), radius)


def realise_independently(
    penalty: str | Callable[[Array], Array],
    interval: tuple[Real, Real] | None = None,
    weight: Any = "binary(1)",
) -> IndependentOfKinks:
    """The construction of Proposition 8: C with density ∝ 1/penalty, W independent of C, B = -W C.

    Its `warnings` name the moments of B = -W C that are infinite: without E[B²] there is no kernel, and without E[B⁴]
    the rates of Theorems 1 and 5 are not covered.

    Raises DataError if ∫ 1/penalty diverges, so that there is no such density.
    """
    wanted, ends = _wanted(penalty, interval)
    if ends == LINE and not converges(wanted):
        raise DataError(
            "there is no density proportional to 1/penalty on the whole line, because ∫ dx/penalty diverges (or "
            "converges too slowly to be told): give an interval that covers the data"
        )
    weights = law(weight)
    second = weights.moment(2)
    density = KinkDensity(wanted, ends)
    warnings = []
    if ends == LINE and not converges(lambda c: wanted(c) * c**2):
        warnings.append("E[B²] = E[W²] E[C²] is infinite: the kernel of the wide network does not exist; see `realise`")
    elif ends == LINE and not converges(lambda c: wanted(c) * c**4):
        warnings.append("E[B⁴] = E[W⁴] E[C⁴] is infinite: the rate of Theorem 5 is not covered; see `realise`")
    called = _says(penalty, ends, f"with W ~ {weights.text} independent of the kinks")
    return IndependentOfKinks(called, wanted, density, density.total / second, tuple(warnings), weights)


def _wanted(
    penalty: str | Callable[[Array], Array], interval: tuple[Real, Real] | None
) -> tuple[Callable[[Array], Array], tuple[float, float]]:
    """1/penalty and the interval, after a check at many points."""
    function = on_arrays(penalty) if isinstance(penalty, str) else penalty
    ends = LINE
    if interval is not None:
        low, high = (Parameter.of(end).number for end in interval)
        if not low < high:
            raise DataError(f"the interval needs lower < upper, got {low:g} and {high:g}")
        ends = (low, high)

    def wanted(c: Array) -> Array:
        with np.errstate(all="ignore"):
            return np.asarray(1 / np.asarray(function(np.asarray(c, float)), float))

    start, end = np.clip(ends, -LOOKED_AT, LOOKED_AT) if ends == LINE else ends
    cells = np.linspace(float(start), float(end), 257)
    points = ((cells[1:] + cells[:-1])[:, None] / 2 + np.diff(cells)[:, None] / 2 * NODES[1:-1]).ravel()
    with np.errstate(all="ignore"):
        values = np.asarray(function(points), float)
    bad = ~(values > 0)
    if bad.any():
        raise DataError(
            f"the wanted penalty must be positive: at x = {points[bad][0]:g} it is {values[bad][0]:g}; "
            "give an interval on which it is"
        )
    return wanted, ends


def _says(penalty: object, ends: tuple[float, float], how: str) -> str:
    what = penalty if isinstance(penalty, str) else "a given function"
    where = "" if ends == LINE else f" on [{ends[0]:g}, {ends[1]:g}]"
    return f"(W, B) {how} with curvature penalty proportional to {what}{where}"


__all__ = ["Realised", "penalty_of", "realise", "realise_independently"]
