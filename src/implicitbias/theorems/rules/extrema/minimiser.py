"""The unique point at which a minimum is attained: a gap that vanishes there and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from implicitbias.exact.formula import Assumption, Operation
from implicitbias.theorems.quantity import Quantity, Steps, bound, defined, witness
from implicitbias.theorems.rules.extrema.extremum import Minimum
from implicitbias.theorems.setting import NotShownError, RefusedError, Setting, minus, put, total


@dataclass(frozen=True)
class Minimiser(Quantity):
    """`of` at the only minimiser of the objective over one variable.

    That the point is a minimiser is shown as for `Minimum`; that it is the only one, by the gap being positive on
    either side of it.

    of         what is asked of the minimiser, a formula in the variable: `c`, `c**2`
    objective  what is minimised
    over       the variable with its domain
    at         the minimiser
    gap        formulas >= 0 that add up to objective − least value
    """

    of: str = defined()
    objective: str = defined()
    over: Mapping[str, Assumption] = bound()
    at: Mapping[str, str] = witness()
    gap: tuple[str, ...] = witness()

    @property
    def minimum(self) -> Minimum:
        return Minimum(self.objective, self.over, self.at, self.gap)

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        if len(self.over) != 1:
            raise RefusedError(f"a minimiser is one number: it is over {', '.join(self.over) or 'nothing'}")
        self.minimum.establish(setting, steps)
        ((name, text),) = self.at.items()
        inner, point = setting.with_variables(self.over), setting.read(text)
        gap = total([inner.read(part) for part in self.gap])
        for side, says in ((minus(Operation(name), point), "above"), (minus(point, Operation(name)), "below")):
            there = inner.assuming(side)
            if there.signs.contradictory:
                continue
            how = there.at_least_zero(gap, f"the gap {says} the point", strict=True)
            steps.add(f"the gap is positive {says} the point", " + ".join(self.gap), how)
        value = inner.read(self.of)
        inner.defined(value, "what is asked of the minimiser")
        self._depends(inner, value, name)
        return put(value, {name: point})

    def _depends(self, inner: Setting, value: Operation, name: str) -> None:
        """Raises RefusedError where the formula is the same everywhere: then it asks nothing of the minimiser."""
        elsewhere = f"{name}_elsewhere"
        there = inner.with_variables({elsewhere: self.over[name]})
        try:
            there.zero(minus(value, put(value, {name: Operation(elsewhere)})), "the difference")
        except (RefusedError, NotShownError):
            return
        raise RefusedError(f"{self.of} does not depend on {name}: nothing is asked of the minimiser")

    @property
    def reads(self) -> str:
        domain = ", ".join(f"{name} {domain}" for name, domain in self.over.items())
        return f"{self.of} at the only minimiser of {self.objective} over {domain}"
