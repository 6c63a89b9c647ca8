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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from implicitbias.exact.formula import Operation, written
from implicitbias.theorems.quantity import Quantity, Steps, bound, defined, option, reading, value_of, witness
from implicitbias.theorems.setting import RefusedError, Setting, minus, number, put, times, total


def in_order(setting: Setting, points: Sequence[Operation]) -> None:
    """Show that points increase. Raises RefusedError or NotShownError."""
    if not points:
        raise RefusedError("no data")
    for a, b in pairwise(points):
        setting.at_least_zero(minus(b, a), "the points are in order")


@dataclass(frozen=True)
class _CheapestNetwork(Quantity):
    """
    data         the points with their labels: the network is the label there
    network      its units, by parameter
    multipliers  one for each point of `data`
    further      regions of more data, each with its label: what is at least 0 there, in `x`, and the label, which may
                 depend on `x`. The value is the same for any data among them
    margins      labels are 1 and -1, and label times network is to be at least 1 instead
    cost         what a unit costs: a formula, or a quantity, in its parameters
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
    cost: str | Quantity = defined(default="")
    names: tuple[str, ...] = bound(default=())

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        setting.with_variables(dict.fromkeys(self.names, "real"))  # raises ValueError where one is taken
        points = [self._read(setting, at, "a datum") for at, _ in self.data]
        labels = [
            put(setting.read(text, self.names), {"x": at}) for at, (_, text) in zip(points, self.data, strict=True)
        ]
        multipliers = [setting.tidy(self._read(setting, text, "a multiplier")) for text in self.multipliers]
        if len(multipliers) != len(points):
            raise RefusedError(f"{len(multipliers)} multipliers for {len(points)} data")
        in_order(setting, points)
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
            at = {name: setting.tidy(self._read(setting, text, f"{name} of a unit")) for name, text in unit.items()}
            self._allowed(setting, at)
            parts.append(put(setting.read(self.unit, self.names), at))
            costs.append(put(self._paid(setting), at))
        if len(self.coefficients) != len(self.free):
            raise RefusedError(f"{len(self.coefficients)} coefficients for {len(self.free)} free functions")
        for text, function in zip(self.coefficients, self.free, strict=True):
            parts.append(times(self._read(setting, text, "a coefficient"), setting.read(function, self.names)))
        network = total(parts)
        for x, label in zip(points, labels, strict=True):
            self._has_label(setting, put(network, {"x": x}), label, f"the network at {written(x)}")
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

    def _paid(self, setting: Setting) -> Operation:
        """What a unit costs, as a formula in its parameters; where it is a quantity, its value for each unit."""
        return value_of(self.cost, setting.with_variables(dict.fromkeys(self.names, "real")), Steps())

    def _read(self, setting: Setting, text: str, what: str) -> Operation:
        tree = setting.read(text)
        setting.defined(tree, what)
        return tree

    @property
    def reads(self) -> str:
        wanted = "label times network at least 1" if self.margins else "network = label"
        data = ", ".join(f"({at}, {label})" for at, label in self.data)
        more = "".join(f", and at any x with {', '.join(f'{r} >= 0' for r in region)}" for region, _ in self.further)
        free = f", with {', '.join(self.free)} free" if self.free else ""
        return f"least Σ {reading(self.cost)} over finite sums of {self.unit}{free}: {wanted} at {data}{more}"


@dataclass(frozen=True)
class CheapestRamps(_CheapestNetwork):
    """Units v [s(x - c)]₊ with s = ±1 and kinks c between `kinks`, on the whole line if there are none.

    Where v, s are fixed, price and cost are shown to be affine in the kink between neighbouring data and ends, so that
    their difference is nonnegative if it is so there; on an unbounded piece its slope is shown to point upwards.
    """

    unit: str = defined(default="v*ramp(s, c, x)")
    cost: str | Quantity = defined(default="path_cost(v, s)")
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
        phi, cost = setting.read(self.unit, self.names), self._paid(setting)
        piecewise_linear(phi, cost)
        ends = self._ends(setting)
        knots = [*ends[:1], *(x for x in points if _between(setting, x, ends)), *ends[1:]]
        in_order(setting, knots)
        for s in (number(1), number(-1)):

            def slack(c: Operation, s: Operation = s) -> tuple[Operation, Operation]:
                """Cost and price of the ramp of weight 1."""
                at = {"v": number(1), "s": s, "c": c}
                earned = [times(a, put(phi, {**at, "x": x})) for a, x in zip(multipliers, points, strict=True)]
                return setting.tidy(put(cost, at)), setting.tidy(total(earned))

            for knot in knots:
                paid, earned = slack(knot)
                gap = minus(paid, Operation("Abs", (earned,)))
                setting.at_least_zero(gap, f"cost less price at the kink {written(knot)}, side {written(s)}")
            for end, step in ((knots[0], number(-1)), (knots[-1], number(1))) if not ends else ():
                near, far = slack(end), slack(total([end, step]))
                rise, gain = minus(far[0], near[0]), minus(far[1], near[1])
                gap = minus(rise, Operation("Abs", (gain,)))
                setting.at_least_zero(gap, "rise of the cost less rise of the price beyond the data")
        steps.add("no ramp earns more than it costs", f"{len(knots)} knots", "affine between knots, compared there")


def _between(setting: Setting, x: Operation, ends: Sequence[Operation]) -> bool:
    """Whether a datum is shown to lie in the range of kinks; any choice of knots does that leaves no datum inside."""
    if not ends:
        return True
    for difference in (minus(ends[0], x), minus(x, ends[1])):
        sign = setting.sign(difference)
        if sign is not None and sign.at_least_zero:
            return False
    return True


@cache
def piecewise_linear(unit: Operation, cost: Operation) -> None:
    """Show that a unit with parameters v, s = ±1, c is v times a function of its kink c that is affine where c passes
    no datum x, and that its cost is |v| times an affine function of the kink.

    Raises RefusedError or NotShownError.
    """
    v, c, x, left, right = map(Operation, ("v", "c", "x", "left", "right"))
    weights = Setting({"v": "real", "c": "real", "x": "real"})
    kinks = Setting(dict.fromkeys(("c", "x", "left", "right"), "real"))
    for s in (number(1), number(-1)):
        one = {"v": number(1), "s": s}
        weights.zero(minus(put(unit, {"s": s}), times(v, put(unit, one))), "a unit is linear in its weight")
        weights.zero(
            minus(put(cost, {"s": s}), times(Operation("Abs", (v,)), put(cost, one))), "the cost grows with |v|"
        )
        for function, sides in ((unit, (1, -1)), (cost, (0,))):
            at = {k: put(function, {**one, "c": k_}) for k, k_ in (("c", c), ("left", left), ("right", right))}
            chord = total([times(minus(right, c), at["left"]), times(minus(c, left), at["right"])])
            for side in sides:
                beside = (times(number(side), minus(kink, x)) for kink in (c, left, right))
                here = kinks.assuming(*beside, strict=False) if side else kinks
                line = minus(times(minus(right, left), at["c"]), chord)
                here.zero(line, "price and cost are affine in the kink between data")


@dataclass(frozen=True)
class CheapestUnits(_CheapestNetwork):
    """Units v [wx + b]₊ with any v, w, b, whose cost is |v| n(w, b), or k v² + n(w, b)²/4k: a norm of w and b is paid.

    The rays wx_i + b = 0 and ±(0, 1) cut the plane of (w, b) into cones. On each of them the price of (w, b) is shown
    to be linear and n² to be quadratic, and n² - price² to be nonnegative by its three coefficients.
    """

    unit: str = defined(default="unit(v, w, b, x)")
    cost: str | Quantity = defined(default="")
    names: tuple[str, ...] = bound(default=("v", "w", "b", "x"))

    def _price_is_at_most_the_cost(
        self, setting: Setting, points: Sequence[Operation], multipliers: Sequence[Operation], steps: Steps
    ) -> None:
        from implicitbias.theorems.cones import at_least_the_square, conic, squared_norm

        unit = setting.read(self.unit, self.names)
        conic(unit)
        norm = squared_norm(self._paid(setting))

        def price(w: Operation, b: Operation) -> Operation:
            at = {"v": number(1), "w": w, "b": b}
            return total([times(a, put(unit, {**at, "x": x})) for a, x in zip(multipliers, points, strict=True)])

        def squared(w: Operation, b: Operation) -> Operation:
            return put(norm, {"w": w, "b": b})

        at_least_the_square(setting, points, squared, price)
        steps.add(
            "no unit earns more than it costs", f"{2 * len(points) + 2} cones", "quadratic on cones, by coefficients"
        )
