"""The largest squared price of a unit of length one: sup { (Σ_i α_i φ(w, b, x_i))² : n²(w, b) = 1 }, and where.

The witness is a direction (w, b). The value V is the squared price there over n²; that V n² is at least the squared
price everywhere is shown cone by cone, as in `implicitbias.theorems.rules.cheapest`.
"""

from __future__ import annotations

from dataclasses import dataclass

from implicitbias.exact.formula import Operation
from implicitbias.theorems.quantity import Quantity, Steps, bound, defined, witness
from implicitbias.theorems.rules.extrema.cheapest import in_order
from implicitbias.theorems.setting import Setting, number, put, times, total


@dataclass(frozen=True)
class LargestPrice(Quantity):
    """
    multipliers  the data in order, each with its multiplier
    at           the direction (w, b) where it is attained
    unit         what is priced, with v = 1
    length       n(w, b), a root of a quadratic form
    """

    multipliers: tuple[tuple[str, str], ...] = defined()
    at: tuple[str, str] = witness()
    unit: str = defined(default="unit(v, w, b, x)")
    length: str = defined(default="sqrt(w**2 + b**2)")
    names: tuple[str, ...] = bound(default=("v", "w", "b", "x"))

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        from implicitbias.theorems.cones import at_least_the_square, conic, squared_norm

        setting.with_variables(dict.fromkeys(self.names, "real"))  # raises ValueError where one is taken
        points = [self._read(setting, x, "a datum") for x, _ in self.multipliers]
        weights = [self._read(setting, a, "a multiplier") for _, a in self.multipliers]
        w, b = (setting.tidy(self._read(setting, text, "the direction")) for text in self.at)
        in_order(setting, points)
        unit = setting.read(self.unit, self.names)
        conic(unit)
        squared = squared_norm(times(Operation("Abs", (Operation("v"),)), setting.read(self.length, self.names)))

        def price(w: Operation, b: Operation) -> Operation:
            there = {"v": number(1), "w": w, "b": b}
            return total([times(a, put(unit, {**there, "x": x})) for a, x in zip(weights, points, strict=True)])

        length = setting.tidy(put(squared, {"w": w, "b": b}))
        setting.at_least_zero(length, "the direction has a length", strict=True)
        value = Operation("/", (times(price(w, b), price(w, b)), length))
        top = setting.tidy(value)
        at_least_the_square(setting, points, lambda *u: times(top, put(squared, {"w": u[0], "b": u[1]})), price)
        steps.add("attained", f"(w, b) along ({', '.join(self.at)})", "the price there")
        steps.add("no unit has more", f"{2 * len(points) + 2} cones", "quadratic on cones, by coefficients")
        return value

    def _read(self, setting: Setting, text: str, what: str) -> Operation:
        tree = setting.read(text)
        setting.defined(tree, what)
        return tree

    @property
    def reads(self) -> str:
        data = ", ".join(f"{a} at {x}" for x, a in self.multipliers)
        return f"largest squared sum of {self.unit}, v = 1, {self.length} = 1, over the data, weighted by {data}"
