"""Neurons with no data on their hinges, and the averages that define the label-noise weights."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Value

from .neurons import (
    Neuron,
    Point,
    activity,
    mean_active_length,
    mean_length,
    mean_square_output,
    random_data,
    random_neuron,
)


def neurons_on_data(context: Context, count: int) -> list[tuple[Neuron, list[Point]]]:
    """Pairs of a neuron, active on some or all of the data, and data in one to three dimensions."""
    draw = context.random()
    one, zero = Fraction(1), Fraction(0)
    unit: list[Point] = [(zero,), (one,)]
    cases = [
        (Neuron((one, one), one), unit),
        (Neuron((one, one), -2 * one), unit),
        (Neuron((2 * one, -one), one), unit),
        (Neuron((-one, -one), 3 * one), unit),
    ]
    for d, n in ((1, 1), (1, 3), (2, 4), (3, 5)):
        for _ in range(count):
            data = random_data(draw, n, d)
            cases.append((random_neuron(draw, data), data))
    return cases


def averages(neuron: Neuron, data: list[Point]) -> dict[str, Value]:
    """The averages over the data in formulas for the label-noise potential: A, B and the alternatives M and P to B."""
    length = mean_active_length(neuron.theta, data)
    return {
        "A": mean_square_output(neuron.theta, data),
        "B": length,
        "c": neuron.c,
        "M": mean_length(data),
        "P": activity(neuron.theta, data),
    }
