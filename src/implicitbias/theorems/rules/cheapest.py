"""The cheapest network through data: finite lists of units of any length, with a dual over all units.

    min { Σ_j cost(v_j, u_j) : Σ_j v_j φ(u_j, x_i) + g(x_i) = y_i for all i },  g in the span of the free functions.

The witness is a network and one multiplier α_i a datum. If Σ_i α_i φ(u, x_i), the price of u, is at most the cost of u
for every unit, and Σ_i α_i g(x_i) = 0 for every free function, each network through the data costs at least Σ α_i y_i:
its cost is at least the sum of its prices. That the price is at most the cost is shown for *every* unit: the rule cuts
the units into pieces at the data, shows that price and cost are linear there (or the squared cost quadratic), and
compares at the ends of each piece. Nothing is taken for linear: it is shown from the definition of the unit.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from implicitbias.exact.formula import Operation, written
from implicitbias.theorems.quantity import Quantity, Steps, bound, defined, option, witness
from implicitbias.theorems.setting import RefusedError, Setting, minus, number, put, times, total

Function = Callable[..., Operation]


@dataclass(frozen=True)
class _CheapestNetwork(Quantity):
    """
    data         the points with their labels: the network is the label there
    network      its units, by parameter
    multipliers  one for each point of `data`
    further      regions of more data, each with its label: what is at least 0 there, in `x`, and the label, which may
                 depend on `x`. The value is the same for any data among them
    margins      labels are 1 and -1, and label times network is to be at least 1 instead
    free         functions of `x` that may be added at no cost, with their `coefficients`
    """

    data: tuple[tuple[str, str], ...] = defined()
    network: tuple[Mapping[str, str], ...] = witness()
    multipliers: tuple[str, ...] = witness()
    further: tuple[tuple[tuple[str, ...], str], ...] = defined(default=())
    margins: bool = option(default=False)
    free: tuple[str, ...] = defined(default=())
    coefficients: tuple[str, ...] = witness(default=())
    unit: str = defined(default="")
    cost: str = defined(default="")
    names: tuple[str, ...] = bound(default=())

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        setting.with_variables(dict.fromkeys(self.names, "real"))  # raises ValueError where one is taken
        points = [self._read(setting, at, "a datum") for at, _ in self.data]
        labels = [put(setting.read(text, self.names), {"x": at}) for at, (_, text) in zip(points, self.data, strict=True)]
        multipliers = [self._read(setting, text, "a multiplier") for text in self.multipliers]
        if len(multipliers) != len(points):
            raise RefusedError(f"{len(multipliers)} multipliers for {len(points)} data")
        self._in_order(setting, points)
        cost = self._meets_the_data(setting, points, labels, steps)
        for text in self.free:
            free = setting.read(text, self.names)
            earned = total([times(a, put(free, {"x": at})) for a, at in zip(multipliers, points, strict=True)])
            steps.add("free functions earn nothing", text, setting.zero(earned, f"what {text} earns"))
        self._price_is_at_most_the_cost(setting, points, multipliers, steps)
        if self.margins:
            for a, label in zip(multipliers, labels, strict=True):
                setting.at_least_zero(times(a, label), "a multiplier has the sign of its label")
        earned = total([times(a, label) for a, label in zip(multipliers, labels, strict=True)])
        how = setting.zero(minus(cost, earned), "the cost of the network and what the multipliers earn")
        steps.add("the network costs what the multipliers earn", " + ".join(self.multipliers), how)
        return cost

    # the network

    def _meets_the_data(
        self, setting: Setting, points: Sequence[Operation], labels: Sequence[Operation], steps: Steps
    ) -> Operation:
        """Show that the network is allowed and goes through all data; its cost."""
        parameters = [name for name in self.names if name != "x"]
        costs, parts = [], []
        for unit in self.network:
            if set(unit) != set(parameters):
                raise RefusedError(f"a unit has {', '.join(unit)}; it must have {', '.join(parameters)}")
            at = {name: self._read(setting, text, f"{name} of a unit") for name, text in unit.items()}
            self._allowed(setting, at)
            parts.append(put(setting.read(self.unit, self.names), at))
            costs.append(put(setting.read(self.cost, self.names), at))
        if len(self.coefficients) != len(self.free):
            raise RefusedError(f"{len(self.coefficients)} coefficients for {len(self.free)} free functions")
        for text, function in zip(self.coefficients, self.free, strict=True):
            parts.append(times(self._read(setting, text, "a coefficient"), setting.read(function, self.names)))
        network = total(parts)
        for at, label in zip(points, labels, strict=True):
            self._has_label(setting, put(network, {"x": at}), label, f"the network at {written(at)}")
        for region, text in self.further:
            anywhere = setting.with_variables({"x": "real"})
            anywhere = anywhere.assuming(*(anywhere.read(part) for part in region), strict=False)
            self._has_label(anywhere, network, anywhere.read(text), "the network at further data")
        steps.add("a network through the data", f"{len(self.network)} units", "the labels at all data, by cells")
        cost = total(costs)
        setting.defined(cost, "the cost of the network")
        return cost

    def _has_label(self, setting: Setting, value: Operation, label: Operation, what: str) -> None:
        setting.defined(value, what)
        setting.defined(label, "a label")
        if self.margins:
            setting.zero(minus(times(label, label), number(1)), "labels are 1 and -1")
            setting.at_least_zero(minus(times(label, value), number(1)), f"{what}: label times value at least 1")
        else:
            setting.zero(minus(value, label), what)

    def _allowed(self, setting: Setting, unit: Mapping[str, Operation]) -> None:
        """Show that a unit of the network is one of those that are minimised over."""

    # the price

    @abstractmethod
    def _price_is_at_most_the_cost(
        self, setting: Setting, points: Sequence[Operation], multipliers: Sequence[Operation], steps: Steps
    ) -> None:
        """Show it for every unit."""

    def _function(self, setting: Setting, text: str, names: Sequence[str]) -> Function:
        tree = setting.read(text, self.names)
        return lambda *values: put(tree, dict(zip(names, values, strict=True)))

    def _read(self, setting: Setting, text: str, what: str) -> Operation:
        tree = setting.read(text)
        setting.defined(tree, what)
        return tree

    def _in_order(self, setting: Setting, points: Sequence[Operation]) -> None:
        if not points:
            raise RefusedError("no data")
        for a, b in pairwise(points):
            setting.at_least_zero(minus(b, a), "the data are in order")

    @property
    def reads(self) -> str:
        wanted = "label times network at least 1" if self.margins else "network = label"
        data = ", ".join(f"({at}, {label})" for at, label in self.data)
        more = "".join(f", and at any x with {', '.join(f'{r} >= 0' for r in region)}" for region, _ in self.further)
        free = f", with {', '.join(self.free)} free" if self.free else ""
        return f"least Σ {self.cost} over finite sums of {self.unit}{free}: {wanted} at {data}{more}"


@dataclass(frozen=True)
class CheapestRamps(_CheapestNetwork):
    """Units v [s(x - c)]₊ with s = ±1 and kinks c between `kinks`, on the whole line if there are none.

    Where v, s are fixed, price and cost are shown to be affine in the kink between neighbouring data and ends, so that
    their difference is nonnegative if it is so there; on an unbounded piece its slope is shown to point upwards.
    """

    unit: str = defined(default="v*ramp(s, c, x)")
    cost: str = defined(default="path_cost(v, s)")
    kinks: tuple[str, ...] = defined(default=())
    names: tuple[str, ...] = bound(default=("v", "s", "c", "x"))

    def _allowed(self, setting: Setting, unit: Mapping[str, Operation]) -> None:
        setting.zero(minus(times(unit["s"], unit["s"]), number(1)), "the side of a ramp is 1 or -1")
        if ends := self._ends(setting):
            setting.at_least_zero(minus(unit["c"], ends[0]), "a kink is not left of the range")
            setting.at_least_zero(minus(ends[1], unit["c"]), "a kink is not right of the range")

    def _ends(self, setting: Setting) -> tuple[Operation, ...]:
        if len(self.kinks) not in (0, 2):
            raise RefusedError("the range of kinks has two ends, or none")
        return tuple(self._read(setting, text, "an end of the range of kinks") for text in self.kinks)

    def _price_is_at_most_the_cost(
        self, setting: Setting, points: Sequence[Operation], multipliers: Sequence[Operation], steps: Steps
    ) -> None:
        phi = self._function(setting, self.unit, ("v", "s", "c", "x"))
        cost = self._function(setting, self.cost, ("v", "s", "c"))
        ends = self._ends(setting)
        knots = [*ends[:1], *points, *ends[1:]]
        self._in_order(setting, knots)
        for s in (number(1), number(-1)):
            self._proportional(setting, phi, cost, s)

            def price(c: Operation, s: Operation = s) -> Operation:
                return total([times(a, phi(number(1), s, c, x)) for a, x in zip(multipliers, points, strict=True)])

            for sign in (number(1), number(-1)):

                def slack(c: Operation, s: Operation = s, sign: Operation = sign) -> Operation:
                    return minus(cost(number(1), s, c), times(sign, price(c)))

                self._nonnegative(setting, slack, knots, bounded=bool(ends))
        steps.add("no ramp earns more than it costs", f"{len(knots)} knots", "affine between knots, compared there")

    def _proportional(self, setting: Setting, phi: Function, cost: Function, s: Operation) -> None:
        """A ramp is v times that of weight 1, and costs |v| times as much."""
        free = setting.with_variables({"v": "real", "c": "real", "x": "real"})
        v, c, x = Operation("v"), Operation("c"), Operation("x")
        free.zero(minus(phi(v, s, c, x), times(v, phi(number(1), s, c, x))), "a unit is linear in its weight")
        size = Operation("Abs", (v,))
        free.zero(minus(cost(v, s, c), times(size, cost(number(1), s, c))), "the cost grows with |v|")

    def _nonnegative(self, setting: Setting, slack: Function, knots: Sequence[Operation], *, bounded: bool) -> None:
        """Show that a function of the kink is affine between the knots, and at least 0 on the range."""
        c = Operation("c")
        anywhere = setting.with_variables({"c": "real"})
        for knot in knots:
            setting.at_least_zero(slack(knot), f"cost less price at the kink {written(knot)}")
        for a, b in pairwise(knots):
            here = anywhere.assuming(minus(c, a), minus(b, c), strict=False)
            if here.signs.contradictory:
                continue
            line = total([times(minus(b, c), slack(a)), times(minus(c, a), slack(b))])
            here.zero(minus(times(minus(b, a), slack(c)), line), "the price is affine in the kink between two knots")
        if bounded:
            return
        for end, step in ((knots[0], number(-1)), (knots[-1], number(1))):
            slope = minus(slack(total([end, step])), slack(end))
            distance = times(step, minus(c, end))
            here = anywhere.assuming(distance, strict=False)
            line = total([slack(end), times(distance, slope)])
            here.zero(minus(slack(c), line), "the price is affine in the kink beyond the data")
            setting.at_least_zero(slope, "cost less price does not fall beyond the data")


@dataclass(frozen=True)
class CheapestUnits(_CheapestNetwork):
    """Units v [wx + b]₊ with any v, w, b, whose cost is |v| n(w, b), or k v² + n(w, b)²/4k: a norm of w and b is paid.

    The rays wx_i + b = 0 and ±(0, 1) cut the plane of (w, b) into cones. On each of them the price of (w, b) is shown
    to be linear and n² to be quadratic, and n² - price² to be nonnegative by its three coefficients.
    """

    unit: str = defined(default="unit(v, w, b, x)")
    cost: str = defined(default="")
    names: tuple[str, ...] = bound(default=("v", "w", "b", "x"))

    def _price_is_at_most_the_cost(
        self, setting: Setting, points: Sequence[Operation], multipliers: Sequence[Operation], steps: Steps
    ) -> None:
        from implicitbias.theorems.cones import at_least_the_square, cones

        phi = self._function(setting, self.unit, ("v", "w", "b", "x"))
        cost = self._function(setting, self.cost, ("v", "w", "b"))
        free = setting.with_variables(dict.fromkeys(("v", "w", "b", "x"), "real"))
        v, w, b, x = map(Operation, ("v", "w", "b", "x"))
        one, zero = number(1), number(0)
        free.zero(minus(phi(v, w, b, x), times(v, phi(one, w, b, x))), "a unit is linear in its output weight")
        squared = self._squared_norm(free, cost)

        def price(*u: Operation) -> Operation:
            return total([times(a, phi(one, *u, x)) for a, x in zip(multipliers, points, strict=True)])

        for cone in cones(points):
            at_least_the_square(setting, cone, squared, price)
        steps.add("no unit earns more than it costs", f"{2 * len(points) + 2} cones", "quadratic on cones, coefficients")

    def _squared_norm(self, free: Setting, cost: Function) -> Function:
        """n(w, b)² such that the cost is at least |v| n(w, b)."""
        v, w, b = map(Operation, ("v", "w", "b"))
        one, zero = number(1), number(0)
        try:
            free.zero(minus(cost(v, w, b), times(Operation("Abs", (v,)), cost(one, w, b))), "the cost grows with |v|")
        except RefusedError:
            apart = total([times(times(v, v), cost(one, zero, zero)), cost(zero, w, b)])
            free.zero(minus(cost(v, w, b), apart), "the cost grows with |v|, or is k v² and a part without v")
            free.at_least_zero(cost(one, zero, zero), "what an output weight costs")
            free.at_least_zero(cost(zero, w, b), "what input weights cost")
            return lambda *u: times(times(number(4), cost(one, zero, zero)), cost(zero, *u))
        free.at_least_zero(cost(one, w, b), "the cost")
        return lambda *u: times(cost(one, *u), cost(one, *u))
