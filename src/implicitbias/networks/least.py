"""The least that functions with a network's values at the data can cost, proved, and how many times that it costs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from implicitbias.errors import CertificateError, DataError, UnsolvedError
from implicitbias.exact.rational import Interval
from implicitbias.networks.quantity import Quantity, Section

if TYPE_CHECKING:
    from implicitbias.networks.one_input import Line
    from implicitbias.networks.samples import Samples
    from implicitbias.networks.weights import Weights

MOST_POINTS = 20_000
"""Data of one input: values of 10⁶ units at so many take some seconds."""
MOST_CELLS = 1500
"""Data of several inputs with more cells take more than half a minute to list: their directions are bounded instead."""
MOST_BOUNDED, MOST_INPUTS, MOST_CONES = 100, 4, 50_000
"""More points, inputs or cones of directions take more than half a minute."""
ACCURACY = 1e-3


@dataclass(frozen=True)
class Least:
    """The least cost of any function with the values of one output at the data.

    value        exactly, or enclosed
    kind         "R̄" with one input, where biases are free; "V" with several, where they count
    certificate  for the trusted checker, or None
    proof        how it was found, in words
    attained     the function that attains it, for pictures; None with several inputs
    """

    value: Fraction | Interval
    kind: str
    certificate: dict[str, Any] | None
    proof: str
    attained: Any = None


def of_one_input(line: Line, samples: Samples) -> Least:
    """The minimum-norm interpolation of the network's own values at the data.

    Raises DataError for too many data.
    """
    from implicitbias.convex.minimum_norm.interpolants import min_norm_interpolant

    places = sorted({row[0] for row in samples.inputs})
    if len(places) > MOST_POINTS:
        raise DataError(f"{len(places)} points are given, and {MOST_POINTS} at most are taken")
    found = min_norm_interpolant(places, line.values(places))
    try:
        certificate = found.certificate()
    except CertificateError:
        certificate = None
    return Least(found.cost, "R̄", certificate, UNPROVED if certificate is None else PROVED, found)


def of_several_inputs(weights: Weights, output: int, samples: Samples) -> Least:
    """The least total variation through the network's own values at the data, biases counted, between bounds.

    Raises DataError for too many data, inputs, or cones of directions where they have too many cells.
    """
    from implicitbias.convex.cells.counts import general_position_count
    from implicitbias.convex.variation.least import tv_interpolant
    from implicitbias.networks.patterns import exact_values

    rows = sorted(set(samples.inputs))
    cells = general_position_count(len(rows), min(len(rows), len(rows[0]) + 1))
    if cells > MOST_CELLS:
        cells = general_position_count(len(rows), _dimension(tuple(rows)))
    if cells > MOST_CELLS:
        return _bounded(weights, output, samples, len(rows), cells)
    values = exact_values(weights, output, samples)
    found = tv_interpolant(samples.inputs, values)
    return Least(Interval(found.lower, found.upper), "V", found.certificate(), PROVED)


@lru_cache(maxsize=1)  # the outputs of a network have the same data
def _dimension(rows: tuple[tuple[Fraction, ...], ...]) -> int:
    """Of the span of the (x, 1)."""
    from implicitbias.convex.cells.lifted import independent_columns, lifted

    return len(independent_columns(lifted(rows)))


def _bounded(weights: Weights, output: int, samples: Samples, count: int, cells: int) -> Least:
    import numpy as np

    from implicitbias.convex.variation.through import bounded_interpolant
    from implicitbias.networks.patterns import exact_values

    inputs = len(samples.inputs[0])
    if count > MOST_BOUNDED or inputs > MOST_INPUTS:
        many = str(cells) if cells < 10**9 else "more than 10⁹"
        raise DataError(
            f"the {count} points can cut the neurons into {many} cells, and beyond {MOST_CELLS} at most {MOST_BOUNDED} "
            f"points of at most {MOST_INPUTS} inputs are taken: give fewer points"
        )
    own = weights.variation(output)
    values = exact_values(weights, output, samples)
    theta = np.column_stack([weights.w, weights.b])
    found = bounded_interpolant(samples.inputs, values, theta, max(float(own.upper), 1e-300), ACCURACY, MOST_CONES)
    upper = min(found.upper, own.upper)
    try:
        certificate = found.certificate()
    except (CertificateError, UnsolvedError):
        return Least(Interval(found.lower, upper), "V", None, BOUNDED)
    return Least(Interval(Fraction(certificate["claim"]["lower"]), upper), "V", certificate, PROVED)


def times(cost: Fraction | Interval, least: Fraction | Interval) -> Fraction | Interval | None:
    """cost/least, enclosed where either is; None if the least may be 0."""
    if isinstance(cost, Fraction) and isinstance(least, Fraction):
        return cost / least if least else None
    over, under = ((x, x) if isinstance(x, Fraction) else (x.lower, x.upper) for x in (cost, least))
    return Interval(over[0] / under[1], over[1] / under[0]) if under[0] > 0 else None


def section(weights: Weights, lines: list[Line], samples: Samples) -> tuple[Section, list[Least]]:
    """For each output the least cost and how many times that the network costs; and what was found."""
    quantities: list[Quantity] = []
    leasts: list[Least] = []
    outputs = weights.v.shape[1]
    for output in range(outputs):
        key, name = (f"_{output + 1}", f" of output {output + 1}") if outputs > 1 else ("", "")
        try:
            if lines:
                leasts.append(of_one_input(lines[output], samples))
            else:
                leasts.append(of_several_inputs(weights, output, samples))
        except (DataError, ArithmeticError) as error:
            quantities.append(Quantity(f"least{key}", f"least{name}", None, note=f"{error}"))
            continue
        found = leasts[-1]
        quantities += (
            _of_line(lines[output], weights, found, key, name)
            if lines
            else _of_variation(weights, output, found, key, name)
        )
    return Section("Least cost through the same values at the data", tuple(quantities)), leasts


PROVED = "certified; --certificate FILE writes the proof"
UNPROVED = "exact; its numbers have too many digits for a certificate"
BOUNDED = "bounded by branch and bound over directions, rounding included; no certificate was found"


def _of_line(line: Line, weights: Weights, found: Least, key: str, name: str) -> Iterator[Quantity]:
    formula = "least R̄ of all functions with these values"
    yield Quantity(f"least{key}", f"least{name}", found.value, formula, found.proof)
    said = "of the function; merging and rescaling units can save no more"
    yield _ratio("function", "R̄(f)/least", line.cost, found, key, said)
    if not key:
        yield _ratio("merged", "merged/least", weights.merged_path_norm, found, key, "of the path norm, units merged")
        yield _ratio("path_norm", "path norm/least", weights.path_norm, found, key, "of the path norm")
        yield _ratio("weights", "½ Σ/least", weights.squares, found, key, "of the sum of squares, as the network is")


def _of_variation(weights: Weights, output: int, found: Least, key: str, name: str) -> Iterator[Quantity]:
    formula = "Σ |v|‖(w, b)‖, biases counted, units of one ray taken as one"
    own = weights.variation(output)
    yield Quantity(f"variation{key}", f"variation{name}", own, formula, "enclosed, rounding included")
    formula = "least Σ |v|‖(w, b)‖ of all networks with these values"
    yield Quantity(f"least{key}", f"least{name}", found.value, formula, found.proof)
    yield _ratio("network", "variation/least", own, found, key, "of the network, units merged")


def _ratio(which: str, name: str, cost: Fraction | Interval, found: Least, key: str, said: str) -> Quantity:
    ratio = times(cost, found.value)
    note = "" if ratio is not None else "the least is 0: a constant has these values"
    return Quantity(f"times_least_{which}{key}", name, ratio, said, note)
