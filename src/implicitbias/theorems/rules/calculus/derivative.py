"""The derivative of a formula or of another quantity in one variable, at a point: from both sides, from one, its jump,
one of Clarke's derivatives.

Beside the point, on each side, the formula agrees with a smooth one (`implicitbias.theorems.beside`), whose derivative
is found by structure. Both sides must give the same, unless one side or the jump is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from implicitbias.exact.formula import Operation, written
from implicitbias.theorems.beside import around, beside
from implicitbias.theorems.differentiate import derivative, tidied
from implicitbias.theorems.quantity import Quantity, Steps, bound, defined, option, reading, value_of, witness
from implicitbias.theorems.setting import RefusedError, Setting, minus, number, put, times, total

Side = Literal["both", "left", "right", "jump", "between"]


@dataclass(frozen=True)
class Derivative(Quantity):
    """d/dz `of` at z = `at`, for z the `variable`.

    of        a formula in the theorem's variables and z, or a quantity with z among its variables
    at        the point, in the theorem's variables
    side      `both`: the derivative; `left`, `right`: the one-sided derivative; `jump`: right minus left; `between`:
              share·right + (1 − share)·left, which is any of Clarke's derivatives
    share     from 0 to 1, in the theorem's variables; with `between` alone
    near      strict inequalities that hold at the point, hence around it: the quantity is established under them

    >>> from implicitbias.exact.formula import parse
    >>> kink = Derivative("v*relu(w*z)", "z", "0", side="jump")
    >>> setting = Setting({"v": "real", "w": "positive"})
    >>> setting.zero(minus(kink.establish(setting, Steps()), setting.read("v*w")), "the jump")
    'python-flint and sympy, 1 cell'
    """

    of: str | Quantity = defined()
    variable: str = bound()
    at: str = defined()
    side: Side = option(default="both")
    share: str | None = defined(default=None)
    near: tuple[str, ...] = witness(default=())

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        at = setting.read(self.at)
        setting.defined(at, "the point")
        function = value_of(self.of, around(setting, self.variable, at, self.near), steps)
        sides = {"left": (-1,), "right": (1,)}.get(self.side, (-1, 1))
        if self.side not in get_args(Side) or (self.share is None) == (self.side == "between"):
            raise RefusedError(f"a derivative is taken on a side: {', '.join(get_args(Side))} (with a share)")
        slopes = []
        for side in sides:
            here = beside(setting, function, self.variable, at, side)
            slope = put(derivative(here, self.variable), {self.variable: at})
            setting.defined(slope, "the derivative")
            word = "right" if side > 0 else "left"
            steps.add(f"on the {word} of the point", written(here), "signs at the point, and smooth around it")
            slopes.append(tidied(slope))
        if self.side == "jump":
            return minus(slopes[1], slopes[0])
        if self.share is not None:
            share = setting.read(self.share)
            rest = minus(number(1), share)
            setting.defined(share, "the share")
            for part in (share, rest):
                setting.at_least_zero(part, "the share of a side")
            return tidied(total([times(share, slopes[1]), times(rest, slopes[0])]))
        if slopes[0] != slopes[-1]:
            how = setting.zero(minus(slopes[1], slopes[0]), "the derivatives from the right and from the left agree")
            steps.add("both sides have the same derivative", written(slopes[0]), how)
        return slopes[0]

    @property
    def reads(self) -> str:
        side = {"both": "derivative", "left": "left derivative", "right": "right derivative"}.get(self.side)
        what = side or ("jump of the derivative" if self.share is None else f"Clarke derivative (share {self.share})")
        return f"{what} of {reading(self.of)} in {self.variable} at {self.variable} = {self.at}"
