"""The scalar product of the gradients of two formulas at a point, in several variables.

Of one formula with itself it is |∇f|²; of D and −L it is the rate of D along the gradient flow of the loss L. The signs
of what bends are shown at the point, so both formulas are smooth around it in all variables together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from implicitbias.exact.formula import Operation, written
from implicitbias.theorems.beside import bend, branch, decides, put_for
from implicitbias.theorems.differentiate import derivative, smooth, tidied
from implicitbias.theorems.quantity import Quantity, Steps, bound, defined
from implicitbias.theorems.setting import NotShownError, Setting, put, times, total
from implicitbias.theorems.sign import Sign


@dataclass(frozen=True)
class GradientProduct(Quantity):
    """Σ ∂`of`/∂z · ∂`along`/∂z over the `variables` z, at z = `at`[z].

    >>> from implicitbias.theorems.setting import minus
    >>> turn = GradientProduct("z*relu(w)", "z**2 + w**2", ("z", "w"), {"z": "b", "w": "a"})
    >>> setting = Setting({"a": "positive", "b": "real"})
    >>> setting.zero(minus(turn.establish(setting, Steps()), setting.read("4*a*b")), "the product")
    'python-flint and sympy, 1 cell'
    """

    of: str = defined()
    along: str = defined()
    variables: tuple[str, ...] = bound()
    at: Mapping[str, str] = defined()

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        if set(self.variables) != self.at.keys():
            raise ValueError(f"a point gives each of {', '.join(self.variables)}; got {', '.join(self.at)}")
        setting.with_variables(dict.fromkeys(self.variables, "real"))  # their names are free
        at = {name: setting.read(text) for name, text in self.at.items()}
        for name, tree in at.items():
            setting.defined(tree, name)
        of, along = (self._smooth(setting, text, at, steps) for text in (self.of, self.along))
        terms = [times(derivative(of, name), derivative(along, name)) for name in self.variables]
        value = put(total(terms), at)
        setting.defined(value, "the product of the gradients")
        return tidied(value)

    def _smooth(self, setting: Setting, text: str, at: Mapping[str, Operation], steps: Steps) -> Operation:
        """The formula around the point, without what bends there."""
        tree = setting.read(text, self.variables)
        while (piece := bend(tree, set(self.variables))) is not None:
            argument = decides(piece)
            self._all_smooth(setting, argument, at)
            sign = setting.sign(put(argument, at))
            if sign not in (Sign.POSITIVE, Sign.NEGATIVE):
                raise NotShownError(f"the sign of {written(argument)} at the point is not shown: split on it")
            tree = put_for(tree, piece, branch(piece, sign is Sign.POSITIVE))
        self._all_smooth(setting, tree, at)
        steps.add("around the point the formula is", written(tree), "signs at the point")
        return tree

    def _all_smooth(self, setting: Setting, tree: Operation, at: Mapping[str, Operation]) -> None:
        """What depends on a variable is smooth in it at the point: so the formula is in all of them together."""
        for name in self.variables:
            rest = {other: place for other, place in at.items() if other != name}
            smooth(setting, put(tree, rest), name, written(tree), at[name])

    @property
    def reads(self) -> str:
        point = ", ".join(f"{name} = {text}" for name, text in self.at.items())
        return f"∇({self.of}) · ∇({self.along}) in ({', '.join(self.variables)}) at {point}"
