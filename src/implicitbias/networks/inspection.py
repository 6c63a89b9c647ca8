"""What theory says of a trained network: `implicitbias.inspect`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from implicitbias.errors import DataError
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
    words,
)
from implicitbias.networks.findings import Findings
from implicitbias.networks.quantity import Section
from implicitbias.networks.reading.read import read_network
from implicitbias.networks.samples import Samples, samples
from implicitbias.shown.drawn import axes_of
from implicitbias.training.two_layer import TwoLayer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from implicitbias.networks.stack import Stack

    Array = NDArray[np.float64]


class Inspection(Findings):
    """What was found, to be shown: `found["path_norm"]`, `print(found)`, `found.document()`, `found.page()`."""

    def __repr__(self) -> str:
        return f"<Inspection: {self.title}; {len(self.quantities)} quantities>"

    def __str__(self) -> str:
        return "\n".join(words.lines(self))

    def document(self) -> dict[str, Any]:
        """Everything as JSON values."""
        return words.document(self)

    def _repr_html_(self) -> str:
        from implicitbias.networks.page import part

        return part(self)

    def plot(self, ax: Any = None) -> Any:
        """Draw the first output, its kinks and the data with matplotlib (extra `plot`).

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default the axes of a new figure.

        Returns
        -------
        matplotlib Axes
            `ax`, or the new one.

        Raises
        ------
        DataError
            Where there is no picture.
        MissingExtraError
            If matplotlib is not installed.
        """
        if self.picture is None:
            raise DataError("of this network there is no picture: its values exceed floating point")
        from implicitbias.networks.page import SAYS

        ax = axes_of(ax)
        for name, values in self.picture.curves.items():
            ax.plot(self.picture.x, values, label=SAYS[name])
        for (x, y), mark, name in ((self.picture.kinks, "D", "kinks"), (self.picture.points, "o", "data")):
            if len(x):
                ax.plot(x, y, mark, fillstyle="none", label=name)
        ax.set_xlabel(self.picture.axis)
        ax.legend()
        return ax

    def page(self) -> str:
        """Everything as an HTML file that needs no network."""
        from implicitbias.networks.page import page

        return page(self)


def inspect(
    network: Any, X: Any = None, y: Any = None, *, initialisation: Any = None, classes: bool = False
) -> Inspection:
    """What a trained ReLU network costs, where it bends, and how far it is from what theory calls the least.

    Parameters
    ----------
    network : torch module, dict, Network or path
        Of Linear, ReLU, Linear (of more layers only path norms and pieces are told): a module, a state dict, a Network,
        or the path of a .pt, .safetensors, .onnx, .json or .csv file.
    X : array_like of shape (M, d), optional
        Data, or (M,) for one input.
    y : array_like of shape (M,) or (M, k), optional
        Numbers; words or booleans are classes.
    initialisation : law, or pair of laws, optional
        That of weights and biases before training, as for `ib.initialisation`, or with several inputs
        `ib.isotropic_law`: the network is compared with what the infinitely wide one learns from y. By default torch's;
        with several inputs a normal one with torch's variances.
    classes : bool, default=False
        Numbers in y are classes too.

    Returns
    -------
    Inspection
        Quantities by name, `found["path_norm"]`: a Fraction is exact, an Interval certain, a float rounded.

    Raises
    ------
    DataError
        For networks that there is no theory of, and for data that do not fit.

    Examples
    --------
    >>> found = inspect({"w": [[1.0], [1.0], [-1.0]], "b": [0.0, -1.0, 0.0], "v": [2.0, -3.0, 1.0]}, [0, 1, 2])
    >>> found["path_norm"], found["representation_cost"], found["least"], found["times_least_function"]
    (Fraction(6, 1), Fraction(6, 1), Fraction(3, 1), Fraction(2, 1))
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
    if stack.outputs > 1:
        return wide.not_available("for one output alone"), None
    if given.y is None:
        return wide.not_available("the limit is that of the square loss: labels that are numbers are needed"), None
    start = wide.law_of(stack.inputs, law)
    if stack.inputs > 1:
        return wide.section_of_several(lambda x: f(x)[:, 0], given, start, law is None), None
    return wide.section(lambda x: f(x[:, None])[:, 0], given, start, law is None)
