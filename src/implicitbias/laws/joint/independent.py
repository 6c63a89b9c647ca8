"""Initialisations whose weight and bias are independent."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import flint
import numpy as np
from numpy.typing import ArrayLike

from implicitbias.errors import DataError, DegenerateLawError
from implicitbias.exact.enclosure import from_arb, to_arb
from implicitbias.exact.rational import Interval, Number, Real, exact
from implicitbias.laws.joint import output_kernel as kernel
from implicitbias.laws.joint.joint_law import BITS, Initialisation
from implicitbias.laws.joint.kink_support import kink_support
from implicitbias.laws.one.law import Array, Law, Shape
from implicitbias.laws.one.location_scale import LocationScale
from implicitbias.laws.one.normal import StandardNormal
from implicitbias.laws.one.parameter import Parameter
from implicitbias.laws.penalty import balls, proposition_7
from implicitbias.laws.penalty import weight_panels as panels
from implicitbias.laws.penalty.pair_forms import closed_form
from implicitbias.laws.penalty.zeta_form import ClosedForm


@dataclass(frozen=True, repr=False)
class Independent(Initialisation):
    """W and B independent: zeta(x) = ∫ |w|³ p_W(w) p_B(-w x) dw.

    An atom a of W adds |a|³ p_B(-a x) times its mass. An atom b of B puts the kink of a weight w at -b/w, and adds
    |b|³ p_W(-b/x)/x⁴ times its mass. Atoms of both give the kinks atoms, and there is no zeta.
    """

    weight: Law
    bias: Law

    @property
    def text(self) -> str:
        return f"W ~ {self.weight.text}, B ~ {self.bias.text}"

    def sides(self, x: Array, order: int = 2) -> tuple[Array, Array]:
        require_density_of_kinks(self.weight, self.bias)
        x = np.asarray(x, float)
        form = self.closed_form if order == 2 else None
        if form is not None and form.sides is not None:
            return form.sides(x)
        power = order + 1
        parts = [np.zeros_like(x), np.zeros_like(x)]
        for atom in self.weight.atoms:
            if atom.place.sign:
                a = atom.place.number
                parts[atom.place.sign > 0] += atom.mass * abs(a) ** power * self.bias.height(-a * x)
        for atom in self.bias.atoms:
            self._add_from_bias(atom.place.number, atom.mass, x, power, parts)
        if not self.weight.atoms and not self.bias.atoms:
            moving = x != 0
            found = panels.kink_sides(self.weight, self.bias, x[moving], power)
            for part, side, still in zip(parts, found, self._at_zero(power, bool((~moving).any())), strict=True):
                part[moving] = side
                part[~moving] = still
            self._add_meetings(x, parts)
        return parts[0], parts[1]

    def _add_from_bias(self, b: float, mass: float, x: Array, power: int, parts: list[Array]) -> None:
        """W = -b/x; at x = 0 the limit, which is 0 unless the weight's tail is heavy."""
        if (x == 0).any():
            self._require_at_zero(power)
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            w = np.where(x == 0, 1.0, -b / x)
            value = mass * self.weight.height(w) * np.abs(w) ** power / np.abs(x)
        value = np.where((x == 0) | ~np.isfinite(w), 0.0, value)
        parts[0] += np.where(w < 0, value, 0)
        parts[1] += np.where(w > 0, value, 0)

    def _add_meetings(self, x: Array, parts: list[Array]) -> None:
        """Infinity where poles of both densities meet, w = e and -w x = f, and their product is not integrable."""
        for w in self.weight.singular:
            for b in self.bias.singular:
                # w = e + s t has the bias f - s x t, which is inside its support where -s x has its side's sign
                meets = (-w.place * x == b.place) & (-w.inside * x * b.inside > 0) & (x != 0)
                if w.place and w.exponent + b.exponent <= 1 + 1e-6:
                    parts[w.place > 0][meets] = np.inf

    def _at_zero(self, power: int, wanted: bool) -> tuple[float, float]:
        """p_B(0) E[|W|^power 1{±W > 0}]."""
        height = float(self.bias.height(np.zeros(1))[0]) if wanted else 0.0
        if height == 0:
            return 0.0, 0.0
        self._require_at_zero(power)
        whole, above = self.weight.partial_moment(power, np.array([-np.inf, 0.0]))
        left, right = abs(float(whole - above)), float(above)
        return height * left if left else 0.0, height * right if right else 0.0

    def require_finite_zeta(self, low: float, high: float) -> None:
        if low <= 0 <= high:
            self.zeta(0.0)

    def _require_at_zero(self, power: int) -> None:
        try:
            self.weight.require_moment(power)
        except DataError as error:
            raise DataError(f"zeta(0) is not finite, because {error}; look at x other than 0") from None

    def zeta_enclosure(self, x: Real, bits: int = BITS) -> Interval:
        require_density_of_kinks(self.weight, self.bias)
        place = exact(x)
        size = self.zeta(float(place))
        with balls.precision(bits + 40):
            total = flint.arb(0)
            if self.weight.atoms or self.bias.atoms:
                total = self._enclosure_from_atoms(place)
            else:
                total = sum(balls.kink_sides(self.weight, self.bias, place, 3, size, bits), total)
            return from_arb(total)

    def _enclosure_from_atoms(self, x: Fraction) -> Any:
        total = flint.arb(0)
        for atom in self.weight.atoms:
            if atom.place.sign:
                a = atom.place.ball
                total += flint.arb(atom.mass) * abs(a) ** 3 * balls.density_at(self.bias, _times(atom.place, -x))
        for atom in self.bias.atoms:
            if x:
                w = _times(atom.place, -1 / x)
                size = flint.arb(atom.mass) * abs(to_arb(w)) ** 3 / abs(to_arb(x))
                total += size * balls.density_at(self.weight, w)
        return total

    @cached_property
    def closed_form(self) -> ClosedForm | None:
        require_density_of_kinks(self.weight, self.bias)
        return closed_form(self.weight, self.bias)

    def sample(self, shape: Shape, rng: np.random.Generator) -> tuple[Array, Array]:
        return self.weight.sample(shape, rng), self.bias.sample(shape, rng)

    def moment(self, j: int, k: int) -> float:
        return self.weight.moment(j) * self.bias.moment(k)

    def kernel(self, x: ArrayLike, other: ArrayLike) -> Array:
        if self._centred_normal:
            return kernel.arc_cosine(np.diag([self.weight_second_moment, self.bias_second_moment]), x, other)
        return kernel.of_independent(self.weight, self.bias, x, other)

    @property
    def _centred_normal(self) -> bool:
        laws = (self.weight, self.bias)
        return all(isinstance(law, LocationScale) and isinstance(law.standard, StandardNormal) for law in laws) and all(
            law.symmetric for law in laws
        )

    def zeta_symbolic(self, x: Any = None) -> Any:
        require_density_of_kinks(self.weight, self.bias)
        return proposition_7.of_independent(self.weight, self.bias, x)

    @property
    def symmetric(self) -> bool:
        return self.weight.symmetric and self.bias.symmetric

    @cached_property
    def support(self) -> tuple[tuple[float, float], ...]:
        require_density_of_kinks(self.weight, self.bias)
        return kink_support(self.weight, self.bias)

    @cached_property
    def kinks(self) -> tuple[float, ...]:
        require_density_of_kinks(self.weight, self.bias)
        places = {-b / w for w in self.weight.kinks for b in self.bias.kinks if w != 0}
        return tuple(sorted(places | ({0.0} if self.bias.atoms or 0.0 in self.bias.kinks else set())))


def _times(parameter: Parameter, factor: Fraction) -> Number:
    """The product: exact where the parameter is rational."""
    if parameter.rational is not None:
        return parameter.rational * factor
    return from_arb(parameter.ball * to_arb(factor))


def require_density_of_kinks(weight: Law, bias: Law) -> None:
    """Raises DegenerateLawError where kinks C = -B/W have atoms, or no neuron has a kink at all."""
    moving = [atom for atom in weight.atoms if atom.place.sign]
    if weight.atoms and not moving:
        raise DegenerateLawError(
            f"with {weight.text} weights no neuron has a kink, and there is no zeta: give the weights a spread"
        )
    if not bias.atoms:
        return
    still = [atom for atom in bias.atoms if atom.place.sign == 0]
    if still:
        raise DegenerateLawError(
            f"with {bias.text} biases all kinks lie at x = 0: zeta is {weight.moment(2) * still[0].mass:g} times "
            "Dirac's delta at 0, no density, and no wide network of this kind interpolates more than two points a side "
            "in the linear regime. Give the biases a spread, for example uniform(-2,2)"
        )
    if moving:
        raise DegenerateLawError(
            f"with {weight.text} weights and {bias.text} biases the kinks lie on finitely many points: zeta is "
            "a sum of Dirac's deltas, no density. Give the weights or the biases a density"
        )
