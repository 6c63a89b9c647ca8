"""Laws from scipy.stats, or from any density given as a function: known in floating point only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from implicitbias.errors import DataError
from implicitbias.laws.one.law import Arb, Array, Law, Piece, Shape
from implicitbias.laws.one.singular_end import SingularEnd, singular_end
from implicitbias.laws.one.tail_sums import TailSums
from implicitbias.laws.penalty.adaptive_quadrature import refined

MASS = 1e-8
"""A density whose panels sum to a probability that differs from 1 by more is not resolved, and refused."""


def is_scipy_law(given: Any) -> bool:
    """Whether it is a frozen distribution, or a histogram, which has no parameters to freeze."""
    return all(hasattr(given, name) for name in ("dist", "args", "kwds")) or _is_histogram(given)


def _is_histogram(given: Any) -> bool:
    return hasattr(given, "_hbins") and hasattr(given, "freeze")


def from_scipy(given: Any, known: Mapping[str, Callable[..., Law]]) -> Law:
    """A frozen scipy.stats distribution, such as `scipy.stats.gamma(2.5)`, as a law.

    known   laws by scipy's names that need not be taken from scipy, made from scipy's parameters (shapes, loc, scale)

    Raises DataError for a discrete one, and for a density that cannot be resolved in doubles.
    """
    if _is_histogram(given):
        given = given.freeze()
    if not hasattr(given, "pdf") or hasattr(given, "pmf"):
        raise DataError("expected a continuous scipy.stats distribution with its parameters, such as stats.norm(0, 1)")
    shapes, loc, scale = given.dist._parse_args(*given.args, **given.kwds)
    parameters = [float(p) for p in (*shapes, loc, scale)]
    if given.dist.name in known and np.isfinite(parameters).all():
        return known[given.dist.name](*parameters)
    low, high = (float(end) for end in given.support())
    if not low < high:
        raise DataError(f"scipy.stats.{given.dist.name} does not take the parameters {parameters}")
    if _is_histogram(given.dist):
        edges = tuple(float(edge) for edge in loc + scale * given.dist._hbins)
        return _checked(ScipyLaw("a histogram of scipy.stats", given, (edges[0], edges[-1]), edges))
    shown = ",".join(f"{p:g}" for p in parameters)
    return _checked(ScipyLaw(f"scipy.stats.{given.dist.name}({shown})", given, (low, high)))


def _checked(law: ScipyLaw) -> ScipyLaw:
    mass = float(law.partial_moment(0, np.array([-np.inf]))[0])
    if not abs(mass - 1) < MASS:
        raise DataError(
            f"the density of {law.text} cannot be resolved in doubles: its panels hold a probability of {mass:.9g}. "
            "Is it singular inside its support? Move the singularity to 0, or truncate the law"
        )
    return law


@dataclass(frozen=True)
class ScipyLaw(Law):
    """A law that scipy knows. There is no ball arithmetic for it, so `zeta_enclosure` refuses it.

    steps  the edges of a histogram, between which the density is constant
    """

    called: str
    frozen: Any = field(hash=False)
    interval: tuple[float, float]
    steps: tuple[float, ...] = ()

    @property
    def text(self) -> str:
        return self.called

    @property
    def support(self) -> tuple[float, float]:
        return self.interval

    @cached_property
    def symmetric(self) -> bool:
        """Whether the density is even at many points: not a proof, but each law of scipy is one formula."""
        low, high = self.interval
        if -low != high:
            return False
        points = np.abs(self.frozen.ppf(np.linspace(0.01, 0.99, 101)))
        return bool(np.allclose(self.density(points), self.density(-points), rtol=1e-12, atol=0))

    def density(self, x: Array) -> Array:
        """scipy's, but finite: next to a singular end panels have the probability they have (see `singular_end`)."""
        x = np.asarray(x, float)
        found = self._plain(x)
        for end in self.singular:
            found = end.corrected(x, found)
        return found

    def _plain(self, x: Array) -> Array:
        """scipy's density, 0 where scipy's is not a finite number."""
        with np.errstate(all="ignore"):
            try:
                found = np.asarray(self.frozen.pdf(x), float)
            except OverflowError:  # of beta, at subnormal numbers
                found = np.exp(np.asarray(self.frozen.logpdf(x), float))
        return np.where(np.isfinite(found), found, 0.0)

    @cached_property
    def singular(self) -> tuple[SingularEnd, ...]:
        """The finite ends of the support where the density is infinite."""
        median = float(self.frozen.median())
        low, high = self.interval
        sides = ((low, 1, self.frozen.cdf), (high, -1, self.frozen.sf))
        found = (singular_end(end, s, median, self._plain, f) for end, s, f in sides if np.isfinite(end))
        return tuple(end for end in found if end is not None)

    @cached_property
    def knots(self) -> Array:
        """Quantiles, refined until halving a panel changes nothing: kinks and edges get their own panels."""
        if self.steps:
            return np.array(self.steps)
        low, high = self.interval
        levels = np.concatenate([[0.5, 0.25], 10.0 ** -np.arange(1.0, 301.0)])
        with np.errstate(all="ignore"):
            inner = np.concatenate([self.frozen.ppf(levels), self.frozen.isf(levels)])
        inner = inner[np.isfinite(inner) & (np.abs(inner) < 1e70) & (inner >= low) & (inner <= high)]
        ends = [end for end in self.interval if np.isfinite(end)]
        graded = [end + (0.5 * (np.median(inner) - end)) * 2.0 ** -np.arange(0.0, 45.0) for end in ends]
        own = np.concatenate([np.empty(0), *(end.knots for end in self.singular)])
        for end in self.singular:  # its panels stay as they are
            start, stop = sorted((end.place, float(end.knots[-1])))
            inner, graded = inner[(inner < start) | (inner > stop)], []
            low, high = (stop, high) if end.inside > 0 else (low, start)
        places = np.unique(np.concatenate([inner, [low, high] if self.singular else ends, *graded]))
        places = places[np.isfinite(places)]
        apart = np.diff(places) > 1e-13 * np.abs(places[1:])
        return np.unique(np.concatenate([own, refined(self.density, places[np.concatenate([[True], apart])])]))

    @property
    def kinks(self) -> tuple[float, ...]:
        """The ends, and one point of each cluster of panels that were halved as far as possible."""
        if self.steps:
            return self.steps
        found = [end for end in self.interval if np.isfinite(end)]
        widths = np.diff(self.knots)
        for i in np.flatnonzero(widths <= 1e-7 * np.abs(self.knots[1:])):
            place = float(self.knots[i])
            if all(abs(place - other) > 1e-5 * abs(place) for other in found):
                found.append(place)
        return tuple(sorted(found))

    @property
    def pieces(self) -> tuple[Piece, ...]:
        raise DataError(
            f"{self.text} is known in floating point only, so there is no rigorous enclosure: "
            "use zeta, or a law by name"
        )

    def tail(self, reach: Arb) -> tuple[Arb, Arb]:
        raise DataError(f"{self.text} is known in floating point only")

    @cached_property
    def moments_below(self) -> float:
        """The tails' exponents, read off extreme quantiles."""
        exponents = [np.inf]
        with np.errstate(all="ignore"):
            for far in (self.frozen.isf, lambda p: -self.frozen.ppf(p)):
                near, beyond = (float(far(p)) for p in (1e-100, 1e-110))
                if np.isfinite(beyond) and beyond > near > 0:
                    exponents.append(10 * np.log(10) / np.log(beyond / near))
        least = min(exponents)
        return round(least, 6) if least < 12 else np.inf

    @cached_property
    def _sums(self) -> TailSums:
        return TailSums(self)

    def partial_moment(self, k: int, t: Array) -> Array:
        return self._sums.partial_moment(k, np.asarray(t, float))

    def sample(self, shape: Shape, rng: np.random.Generator) -> Array:
        return np.asarray(self.frozen.rvs(size=shape, random_state=rng), float)
