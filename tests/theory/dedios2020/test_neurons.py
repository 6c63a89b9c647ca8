"""Gradients, averages and fibres of neurons against automatic differentiation, closed forms and brute force."""

import random
from fractions import Fraction

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from implicitbias.exact.vectors import dot
from implicitbias.theory.observed.units.fibres import kernel_vector, largest_fibre, outputs
from implicitbias.theory.observed.units.neurons import (
    Neuron,
    gradient_potential,
    mean_active_length,
    mean_square_output,
    random_data,
    random_neuron,
    random_unit_vector,
    squared_gradient,
    squared_network_gradient,
)

seeds = st.integers(0, 10**6)


def squared_gradient_by_torch(neurons: list[Neuron], x: tuple[Fraction, ...], scale: float) -> float:
    theta = torch.tensor([[float(t) for t in u.theta] for u in neurons], dtype=torch.float64, requires_grad=True)
    c = torch.tensor([float(u.c) for u in neurons], dtype=torch.float64, requires_grad=True)
    at = torch.tensor([*map(float, x), 1.0], dtype=torch.float64)
    value = scale * (c * torch.relu(theta @ at)).sum()
    gradients = torch.autograd.grad(value, (theta, c))
    return float(sum((g**2).sum() for g in gradients))


@given(seeds)
def test_difference_quotients_are_the_gradients_of_automatic_differentiation(seed: int) -> None:
    draw = random.Random(seed)
    data = random_data(draw, 2, draw.choice((1, 2, 3)))
    neurons = [random_neuron(draw, data, alive=False) for _ in range(3)]
    assert float(squared_gradient(neurons[0], data[0])) == pytest.approx(
        squared_gradient_by_torch(neurons[:1], data[0], 1.0), rel=1e-12, abs=1e-12
    )
    assert float(squared_network_gradient(neurons, data[0])) == pytest.approx(
        squared_gradient_by_torch(neurons, data[0], 1 / 3), rel=1e-12, abs=1e-12
    )


def test_a_neuron_on_a_wall_has_no_gradient() -> None:
    neuron = Neuron((Fraction(1), Fraction(-1)), Fraction(1))
    with pytest.raises(ValueError, match="hinge"):
        squared_gradient(neuron, (Fraction(1),))


def test_averages_by_hand() -> None:
    theta, data = (Fraction(1), Fraction(0)), [(Fraction(0),), (Fraction(1),), (Fraction(-2),)]
    assert mean_square_output(theta, data) == Fraction(1, 3)
    assert mean_active_length(theta, data) == Fraction(2, 3)
    assert mean_active_length(theta, data, walls=True) == 1
    assert gradient_potential(Neuron((Fraction(1), Fraction(3)), Fraction(2)), data[:1]) == 9 + 4


@given(seeds, st.integers(1, 5))
def test_unit_vectors_have_length_one(seed: int, size: int) -> None:
    vector = random_unit_vector(random.Random(seed), size)
    assert len(vector) == size
    assert dot(vector, vector) == 1


def test_fibres_at_walls_are_those_of_the_smaller_pattern() -> None:
    unit = [(Fraction(0),), (Fraction(1),)]
    cases = {(1, 1): 0, (1, 0): 1, (-1, -1): 2, (0, 0): 2, (2, -1): 1, (0, 1): 0}
    for theta, dimension in cases.items():
        found = largest_fibre(tuple(map(Fraction, theta)), unit, random.Random(1))
        assert found.dimension == dimension, theta
        if found.twins is not None:
            one, other = found.twins
            assert one != other
            assert outputs(one, unit) == outputs(other, unit)


def test_a_kernel_vector_is_orthogonal_to_the_rows_and_missing_where_they_span() -> None:
    rows = [(Fraction(1, 2), Fraction(1)), (Fraction(1), Fraction(2))]
    vector = kernel_vector(rows)
    assert any(vector)
    assert all(dot(row, vector) == 0 for row in rows)
    with pytest.raises(ValueError, match="span"):
        kernel_vector([(Fraction(1), Fraction(0)), (Fraction(1), Fraction(1))])
