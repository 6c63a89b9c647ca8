"""What was found of a network: sections of quantities, a picture, certificates."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from implicitbias.exact.rational import Interval

if TYPE_CHECKING:
    from implicitbias.networks.picture import Picture
    from implicitbias.networks.quantity import Quantity, Section, Value
    from implicitbias.networks.stack import Stack


@dataclass(frozen=True, eq=False)
class Findings:
    """All that was found, in sections of named quantities.

    certificates  for each output the proof of the least cost, for `check_certificate`, or None
    remarks       what to know about the reading and about what was left out
    """

    network: Stack
    sections: tuple[Section, ...]
    picture: Picture | None
    certificates: tuple[dict[str, Any] | None, ...]
    remarks: tuple[str, ...]

    @cached_property
    def quantities(self) -> dict[str, Quantity]:
        """All quantities by their keys."""
        return {quantity.key: quantity for section in self.sections for quantity in section.quantities}

    def __getitem__(self, key: str) -> Value:
        """A value: a Fraction is exact, an Interval certain, a float rounded, None not computed."""
        return self.quantities[key].value

    @property
    def title(self) -> str:
        """What was inspected, in a line."""
        net, origin = self.network, self.network.origin
        units = " + ".join(map(str, net.widths))
        many = f"{net.inputs} input{'s' * (net.inputs > 1)}, {units} unit{'s' * (sum(net.widths) > 1)}"
        outputs = f"{net.outputs} output{'s' * (net.outputs > 1)}"
        return f"A network of {many}, {outputs} from {origin.source} ({origin.form}, {origin.dtype})"

    @property
    def headline(self) -> str:
        """How many times the least it costs, in a sentence; "" where that is not known."""
        for which, what in (("weights", "The weights cost"), ("network", "The network costs")):
            quantity = self.quantities.get(f"times_least_{which}")
            if quantity is not None and quantity.value is not None:
                ratio = _in_three_digits(quantity.value)
                return f"{what} {ratio} times the least that has the same values at the data."
        return ""


def _in_three_digits(ratio: Value) -> str:
    """A ratio that is known exactly, or between bounds."""
    assert isinstance(ratio, Fraction | Interval)
    bounds = (ratio,) if isinstance(ratio, Fraction) else (ratio.lower, ratio.upper)
    return " to ".join(dict.fromkeys(f"{float(bound):.3f}" for bound in bounds))
