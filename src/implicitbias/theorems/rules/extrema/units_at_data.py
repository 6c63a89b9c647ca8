"""Measures on units with kinks, for any number of data, any norm and any convex constraints: kinks at the data do.

    P(K) = min { ∫ Ω(dμ) : f_μ(x_i) ∈ S_i for all i },   f_μ = ∫ φ(s, c, ·) dμ(s, c),
    D(K) = max { -Σ_i σ_{S_i}(α_i) : Ω_*(Σ_i α_i φ(s, c, x_i)) <= 1 on K },

over measures on K with values in R^k: s = ±1, and kinks c from the first datum to the last, or at the data alone. There
are two data or more, x_1 < x_2 < …; Ω is any norm on R^k; every S_i is closed, convex and not empty. The rule shows
from the definition of the unit φ:

(a) φ is affine in c on either side of x, and so are the prices Σ_i α_i φ(s, c, x_i) between neighbouring data;
(b) some unit with its kink at a datum is not 0 at the first datum, and for neighbouring data a < b some unit with its
    kink at one of them is 0 at a and to the left of it, but not at b.

By (a) a norm of the prices, being convex, is largest at the data (`LargestNorm`): so D(all) = D(data). By (b) the
values at the data of n units make a triangular matrix without zeros on its diagonal, so that f_μ takes any values
there. The least ∫Ω(dμ) with values z is then a norm ν(z) on R^(nk), attained since balls of measures are weak-* compact
and φ is continuous in c; its dual norm ν_*(α) is the largest Ω_* of a price. P(K) is the least ν on S = Π S_i, which
is attained, and a hyperplane between S and the open ball {ν < P(K)} is an α with ν_*(α) = 1 that earns P(K) (where P(K)
= 0, α = 0 does). So P(all) = D(all) = D(data) = P(data).

Further data, each between two others, need no kinks of their own if

(c) φ is affine in x on either side of c, and the constraint at a further datum follows by interpolation from the same
    at the two data beside it.

For f_μ with kinks at the data that are not further is affine from each of these to the next. Let d_i be by how much a
linear function of f_μ(x_i) exceeds what is asked: at a further datum it is at least the interpolation of the two beside
it (or equal to it), so that it is least, and largest, where no further data are. What meets the constraints there meets
all of them, and constraints left out make nothing dearer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from implicitbias.exact.formula import Operation, written
from implicitbias.theorems.quantity import Quantity, Steps, bound, defined, option, witness
from implicitbias.theorems.setting import RefusedError, Setting, minus, names_in, number, put, times, total

SIDES = (number(1), number(-1))
LEFT, RIGHT = "a", "b"
"""Neighbouring data; for the first unit, the first datum and the last."""

Problem = Literal["all", "data", "dual"]
PROBLEMS: dict[Problem, str] = {
    "all": "least ∫Ω(dμ) over measures of units {unit}, s = ±1, kinks c from the first datum to the last",
    "data": "least ∫Ω(dμ) over measures of units {unit}, s = ±1, kinks c at the data",
    "dual": "largest -Σ σ_S(α) with Ω_*(Σ α {unit}) <= 1 for s = ±1 and all kinks c from the first datum to the last",
}


@dataclass(frozen=True, kw_only=True)
class _Units(Quantity):
    """
    unit   φ, a formula in s, c and x
    known  the variable of the theorem that the value is, by what it stands for
    """

    unit: str = defined()
    known: str = option()
    names: tuple[str, ...] = bound(default=("s", "c", "x"))

    def _value(self, setting: Setting) -> Operation:
        """Raises RefusedError for what is no variable of the theorem: a value is not typed."""
        if self.known not in setting.variables and self.known not in setting.fixed:
            raise RefusedError(f"{self.known} is no variable of the theorem")
        value = setting.read(self.known)
        setting.at_least_zero(value, f"{self.known}, which is a norm")
        return value

    def _units(self, setting: Setting) -> tuple[Operation, Operation]:
        """The units of either side. Raises RefusedError where the formula holds no kink or no place."""
        setting.with_variables(dict.fromkeys(self.names, "real"))  # raises ValueError where one is taken
        phi = setting.read(self.unit, self.names)
        if stray := names_in(phi) & setting.variables.keys():
            raise RefusedError(f"the unit holds {min(stray)}: it is the same for all data")
        units = tuple(put(phi, {"s": side}) for side in SIDES)
        for unit in units:
            if missing := {"c", "x"} - names_in(unit):
                raise RefusedError(f"the unit does not depend on {min(missing)}")
            Setting({"c": "real", "x": "real"}, (), setting.vocabulary).defined(unit, "the unit")
        return units[0], units[1]

    def _prices_are_affine(self, setting: Setting, steps: Steps) -> None:
        for unit in self._units(setting):
            how = _affine(unit, "c", off="x")
            steps.add("between neighbouring data a price is affine in the kink", written(unit), how)


@dataclass(frozen=True, kw_only=True)
class LargestNorm(_Units):
    """The largest norm of a price Σ_i α_i φ(s, c, x_i) over s = ±1 and all kinks from the first datum to the last.

    It is known at the data: `known` is the largest over the kinks there. Any norm on R^k, any α_i in R^k, any number of
    data.
    """

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        self._prices_are_affine(setting, steps)
        steps.add("a norm is largest at an end of a segment", f"{self.known} at the data", "convexity")
        return self._value(setting)

    @property
    def reads(self) -> str:
        return (
            f"largest norm of Σ α {self.unit} over the data, s = ±1, for all kinks c from the first datum to the last, "
            f"{self.known} the largest for kinks at the data; any norm, any α in R^k"
        )


@dataclass(frozen=True, kw_only=True)
class LeastVariation(_Units):
    """One of three problems, which is known to have the value of another; any norm, any closed convex sets S_i.

    of        the problem: `all` kinks, kinks at the `data`, or the `dual`
    equals    the problem whose value `known` is
    first     a unit (s, c) that is not 0 at the first datum a; its kink is a or the last datum b
    after     a unit (s, c) that is 0 up to a and not 0 at b, for neighbouring data a < b; its kink is one of them
    between   for a further datum x, at which `data` has no kink, and the data a < b beside it: what a linear function
              of f must be at a, at b and at x; formulas in a, b, x and two numbers y, z, whatever they are
    at_least  what it must be is the least that it may be
    beside    what the neighbouring data and the two numbers are called
    """

    of: Problem = option()
    equals: Problem = option()
    first: tuple[str, str] = witness()
    after: tuple[str, str] = witness()
    between: tuple[str, str, str] | tuple[()] = defined(default=())
    at_least: bool = option(default=False)
    beside: tuple[str, ...] = bound(default=(LEFT, RIGHT, "y", "z"))

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        if not {self.of, self.equals} <= set(get_args(Problem)) or self.of == self.equals:
            raise RefusedError(f"two of the problems {', '.join(PROBLEMS)}; got {self.of} and {self.equals}")
        self._prices_are_affine(setting, steps)
        pair = setting.with_variables(dict.fromkeys((LEFT, RIGHT), "real"))
        pair = pair.assuming(minus(Operation(RIGHT), Operation(LEFT)))
        first, after = (self._at_a_datum(pair, texts) for texts in (self.first, self.after))
        _not_zero(pair, put(first, {"x": Operation(LEFT)}), "the first unit at the first datum")
        before = pair.with_variables({"x": "real"}).assuming(minus(Operation(LEFT), Operation("x")), strict=False)
        how = before.zero(after, "the unit of neighbouring data, up to the first of them")
        _not_zero(pair, put(after, {"x": Operation(RIGHT)}), "the unit of neighbouring data, at the second of them")
        steps.add("units with kinks at the data take any values there", ", ".join(self.after), f"triangular: {how}")
        if self.between:
            self._further_data_are_met(setting, pair, steps)
        steps.add("the two problems have one value", f"{self.of}, {self.equals}", "norms, convexity, separation")
        return self._value(setting)

    def _at_a_datum(self, pair: Setting, texts: tuple[str, ...]) -> Operation:
        """A unit of the witness as a function of x, its kink shown to be at a datum."""
        if len(texts) != 2:
            raise RefusedError(f"a unit is (s, c); got {texts}")
        s, c = map(pair.read, texts)
        if s not in SIDES and pair.tidy(s) not in SIDES:
            raise RefusedError(f"the side of a unit is 1 or -1; got {texts[0]}")
        if c not in (Operation(LEFT), Operation(RIGHT)):
            raise RefusedError(f"the kink {texts[1]} is at none of the data {LEFT}, {RIGHT}")
        units = dict(zip(SIDES, self._units(pair), strict=True))
        return put(units[s if s in SIDES else pair.tidy(s)], {"c": c})

    def _further_data_are_met(self, setting: Setting, pair: Setting, steps: Steps) -> None:
        for unit in self._units(setting):
            how = _affine(unit, "x", off="c")
            steps.add("off its kink a unit is affine", written(unit), how)
        if len(self.between) != 3:
            raise RefusedError("a further datum: what is asked on its left, on its right, and of it")
        x, a, b = map(Operation, ("x", LEFT, RIGHT))
        inner = pair.with_variables({"x": "real", "y": "real", "z": "real"})
        inner = inner.assuming(minus(x, a), minus(b, x), strict=False)
        left, right, here = map(inner.read, self.between)
        for tree in (left, right, here):
            inner.defined(tree, "what is asked of a further datum or beside it")
        sides = total([times(minus(b, x), left), times(minus(x, a), right)])
        gap = minus(Operation("/", (sides, minus(b, a))), here)
        what = "what is asked of a further datum, and what lies between its neighbours"
        how = inner.at_least_zero(gap, what) if self.at_least else inner.zero(gap, what)
        steps.add("what meets the constraints beside a further datum meets its own", self.between[2], how)

    @property
    def reads(self) -> str:
        of, equals = (PROBLEMS[problem].format(unit=self.unit) for problem in (self.of, self.equals))
        more = ""
        if self.between:
            left, right, here = (f"h(f) {'>=' if self.at_least else '='} {text}" for text in self.between)
            more = f"; with further data x between a < b, the data beside it: {left}, {right}, {here} there, h linear"
        sets = "f_μ(x_i) in S_i, any number of data from two on, any norm, any closed convex sets that are not empty"
        return f"{of}, {sets}{more}; {self.known} is the {equals}"


def _affine(unit: Operation, variable: str, *, off: str) -> str:
    """Show that the unit is affine in the variable where it is at least, or at most, `off`."""
    ends = ("left", "right")
    everything = Setting(dict.fromkeys((variable, off, *ends), "real"))
    here, left, right = (Operation(name) for name in (variable, *ends))
    at_left, at_right = (put(unit, {variable: end}) for end in (left, right))
    chord = total([times(minus(right, here), at_left), times(minus(here, left), at_right)])
    line = minus(times(minus(right, left), unit), chord)
    how = ""
    for side in (1, -1):
        beside = (times(number(side), minus(place, Operation(off))) for place in (here, left, right))
        how = everything.assuming(*beside, strict=False).zero(line, f"the unit is affine in {variable} beside {off}")
    return how


def _not_zero(setting: Setting, tree: Operation, what: str) -> None:
    """Show that a formula is nowhere 0."""
    setting.defined(Operation("/", (number(1), tree)), f"{what} is not 0")
