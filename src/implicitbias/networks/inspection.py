"""What theory says of a trained network: `implicitbias.inspect`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from implicitbias.exact.rational import Interval
from implicitbias.networks import (
    curvature,
    deep,
    least,
    losses,
    margin_problem,
    one_input,
    patterns,
    picture,
    segments,
    weights,
    wide,
)
from implicitbias.networks.quantity import Quantity, Section, Value
from implicitbias.networks.reading.read import read_network
from implicitbias.networks.samples import Samples, samples
from implicitbias.training.two_layer import TwoLayer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from implicitbias.networks.picture import Picture
    from implicitbias.networks.stack import Stack

    Array = NDArray[np.float64]

ASSUMED = "pytorch()"
"""The initialisation of one input where none is named."""


@dataclass(frozen=True, eq=False)
class Inspection:
    """All that was found, in sections of named quantities: `found["path_norm"]`, `print(found)`, `found.document()`.

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

    def __repr__(self) -> str:
        return f"<Inspection: {self.title}; {len(self.quantities)} quantities>"

    def __str__(self) -> str:
        from implicitbias.networks.words import lines

        return "\n".join(lines(self))

    def document(self) -> dict[str, Any]:
        """Everything as JSON values."""
        from implicitbias.networks.words import document

        return document(self)

    def _repr_html_(self) -> str:
        from implicitbias.networks.page import body

        return body(self)


def _in_three_digits(ratio: Value) -> str:
    """A ratio that is known exactly, or between bounds."""
    assert isinstance(ratio, Fraction | Interval)
    bounds = (ratio,) if isinstance(ratio, Fraction) else (ratio.lower, ratio.upper)
    return " to ".join(dict.fromkeys(f"{float(bound):.3f}" for bound in bounds))


def inspect(
    network: Any, X: Any = None, y: Any = None, *, initialisation: Any = None, classes: bool = False
) -> Inspection:
    """What a trained ReLU network costs, where it bends, and how far it is from what theory calls the least.

    network         a torch module of Linear, ReLU, Linear (of more layers only path norms and pieces are told); a state
                    dict, a Network, or the path of a .pt, .safetensors, .onnx, .json or .csv file
    X               (M, d) data, or (M,) for one input
    y               (M,) or (M, k): numbers; words or booleans are classes
    initialisation  the law of weights and biases before training, as for `ib.initialisation`, by default torch's: with
                    one input the network is compared with what the infinitely wide one learns from y
    classes         numbers in y are classes too

    >>> found = inspect({"w": [[1.0], [1.0], [-1.0]], "b": [0.0, -1.0, 0.0], "v": [2.0, -3.0, 1.0]}, [0, 1, 2])
    >>> found["path_norm"], found["representation_cost"], found["least"], found["times_least_function"]
    (Fraction(6, 1), Fraction(6, 1), Fraction(3, 1), Fraction(2, 1))

    Raises DataError for networks that there is no theory of, and for data that do not fit.
    """
    stack = read_network(network)
    given = None if X is None else samples(X, y, stack.inputs, stack.outputs, classes)
    return inspection_of(stack, given, initialisation)


def inspection_of(stack: Stack, given: Samples | None, law: Any = None) -> Inspection:
    """The same of a network that was read, and its data."""
    if len(stack.widths) > 1:
        return _of_many_layers(stack, given)
    found = weights.Weights(stack.two_layer)
    sections = [weights.section(found, stack.biases[0] is not None)]
    lines = [one_input.Line(found, k) for k in range(stack.outputs)] if stack.inputs == 1 else []
    f = _values_of(stack)
    if lines:
        sections.append(one_input.section(lines))
    leasts: list[least.Least] = []
    others: dict[str, Callable[[Array], Array]] = {}
    if given is not None:
        told, leasts = least.section(found, lines, given)
        sections += [told, patterns.section(found, given)]
        if not lines:
            sections.append(segments.section(stack, given.x))
        else:
            others = {"least": leasts[0].attained} if leasts and leasts[0].attained is not None else {}
        sections += [losses.section(f(given.x), given, float(found.all_squares)), curvature.section(stack, given)]
        if lines and given.classes is not None and stack.outputs == 1:
            sections.append(margin_problem.section(stack, given))
        told, limit = _wide(stack, f, given, law)
        sections.append(told)
        others |= {} if limit is None else {"limit": limit}
    if lines:
        drawn = picture.of_one_input(lines[0], given, lambda x: f(x[:, None])[:, 0], others)
    else:
        drawn = picture.along_a_segment(stack, given)
    certificates = tuple(one.certificate for one in leasts)
    return Inspection(stack, tuple(sections), drawn, certificates, _remarks(stack, given))


def _of_many_layers(stack: Stack, given: Samples | None) -> Inspection:
    sections = [deep.section(stack)]
    if given is not None:
        sections.append(segments.section(stack, given.x))
    said = f"of {len(stack.widths)} hidden layers there is no theory here: path norms and pieces along segments alone"
    drawn = picture.along_a_segment(stack, given)
    return Inspection(stack, tuple(sections), drawn, (), (*_remarks(stack, given), said))


def _remarks(stack: Stack, given: Samples | None) -> tuple[str, ...]:
    if given is not None:
        return stack.origin.remarks
    return (*stack.origin.remarks, "no data are given: what it costs to have its values at data, and more, needs some")


def _values_of(stack: Stack) -> Callable[[Array], Array]:
    """(M, d) to (M, k), by sorted kinks where there is one input."""
    two = stack.two_layer
    if stack.inputs > 1:
        return two
    line = TwoLayer(two.w[:, 0], two.b, two.v, two.c)
    return lambda x: line(x[:, 0])


def _wide(stack: Stack, f: Callable[[Array], Array], given: Samples, law: Any) -> tuple[Section, Any]:
    if stack.inputs > 1 or stack.outputs > 1:
        return wide.not_available("for one input and one output alone"), None
    if given.y is None:
        return wide.not_available("the limit is that of the square loss: labels that are numbers are needed"), None
    from implicitbias.laws.joint.build import initialisation

    start = initialisation(ASSUMED if law is None else law)
    return wide.section(lambda x: f(x[:, None])[:, 0], given, start, law is None)
