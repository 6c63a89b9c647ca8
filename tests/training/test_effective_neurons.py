"""Counting different neurons: by direction, by cell; what is dropped and what is told apart."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from implicitbias.training.effective_neurons import ANGLE, SHARE, by_cell, clusters
from implicitbias.training.label_noise import lifted_points


@given(st.integers(1, 6), st.integers(1, 5), st.integers(0, 10**6))
def test_copies_and_rescalings_of_neurons_are_not_counted_again(k: int, copies: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    angles = np.linspace(0, 2 * np.pi, k, endpoint=False) + rng.uniform()
    theta = np.repeat(np.stack([np.cos(angles), np.sin(angles)], 1), copies, 0)
    c = np.repeat(rng.choice([-1.0, 1.0], k), copies)
    scale, order = rng.uniform(0.5, 2.0, k * copies), rng.permutation(k * copies)
    found = clusters((theta * scale[:, None])[order], (c / scale)[order])
    assert sorted(f.neurons for f in found) == [copies] * k
    assert sum(f.cost for f in found) == pytest.approx(k * copies)


def test_opposite_signs_and_directions_beyond_the_angle_are_told_apart_and_small_costs_dropped() -> None:
    def at(angle: float) -> list[float]:
        return [float(np.cos(angle)), float(np.sin(angle))]

    theta = np.array([at(0), at(0.9 * ANGLE), at(0), at(-1.1 * ANGLE), at(2)])
    c = np.array([3.0, 2.0, -1.0, 1.0, 6 * SHARE])
    assert [(f.sign, f.neurons) for f in clusters(theta, c)] == [(1, 2), (-1, 1), (1, 1)]


def test_neurons_of_a_cell_are_compared_by_what_the_data_see() -> None:
    points = lifted_points([0.0, 1.0])
    theta = np.array([[2.0, -1.0], [1.0, 0.0], [0.5, 0.5], [-1.0, -1.0], [1.0, 1.0]])
    c = np.array([1.0, 1.0, 1.0, 9.0, -1.0])
    found = {(g.pattern, g.sign): g for g in by_cell(theta, c, points, np.ones(5), 0.01)}
    assert found.keys() == {((1,), 1), ((0, 1), 1), ((0, 1), -1)}, "the neuron that sees no datum is left out"
    assert found[(1,), 1].neurons == (0, 1)
    assert found[(1,), 1].spread == 0, "different parameters, equal outputs at the data"
    again = by_cell(theta * [[1], [2], [1], [1], [1]], c, points, np.ones(5), 0.01)
    assert again[0].spread == pytest.approx(abs(np.arctan(1) - np.arctan(2)))
