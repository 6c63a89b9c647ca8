"""The steps of the proof that the global optimum has the fewest regions, on random functions in doubles."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from implicitbias.theory.safran2022.observed import kkt_points
from implicitbias.theory.safran2022.optimum_regions import bends


def random_function(rng, switches):
    """Knots, values and end slopes of a function with margin 1 at some data and kinks of all kinds."""
    data = np.sort(rng.normal(size=switches + 4) * 2)
    labels, cuts = np.ones(len(data)), rng.choice(np.arange(1, len(data)), size=switches, replace=False)
    for cut in cuts:
        labels[cut:] *= -1
    knots = np.sort(np.concatenate([data, rng.normal(size=8) * 2.5]))
    values = rng.normal(size=len(knots)) * 3
    for at, label in zip(data, labels, strict=True):
        values[knots == at] = label * (1 + rng.exponential())
    # behind the data the signs are those of the outer points
    slopes = -labels[0] * rng.exponential(), labels[-1] * rng.exponential()
    values[knots < data[0]] = labels[0] * (1 + rng.exponential(size=(knots < data[0]).sum()))
    values[knots > data[-1]] = labels[-1] * (1 + rng.exponential(size=(knots > data[-1]).sum()))
    return data, labels, knots, values, slopes


def weighted(places, jumps):
    return float(np.sum(np.abs(jumps) * np.hypot(1, places)))


def zigzag(data, labels, knots, values):
    """The lines (slope, intercept) of the steepest pieces, one per switch."""
    lines = []
    for i in np.flatnonzero(np.diff(labels)):
        inside = np.flatnonzero((knots >= data[i]) & (knots <= data[i + 1]))
        pieces = [(values[b] - values[a]) / (knots[b] - knots[a]) for a, b in itertools.pairwise(inside)]
        best = int(np.argmax(np.array(pieces) * labels[i + 1]))
        a = inside[best]
        lines.append((pieces[best], values[a] - pieces[best] * knots[a]))
    return np.array(lines)


@pytest.mark.parametrize("switches", [1, 2, 3, 5])
def test_the_zigzag_of_steepest_pieces_classifies_and_bends_less(switches):
    rng = np.random.default_rng(switches)
    for _ in range(100):
        data, labels, knots, values, (left, right) = random_function(rng, switches)
        slopes = np.concatenate([[left], np.diff(values) / np.diff(knots), [right]])
        lines = zigzag(data, labels, knots, values)
        places = -np.diff(lines[:, 1]) / np.diff(lines[:, 0]) if switches > 1 else np.zeros(0)
        assert (np.diff(places) > 0).all()
        assert weighted(places, np.diff(lines[:, 0])) <= weighted(knots, np.diff(slopes)) * (1 + 1e-12)
        which = np.searchsorted(places, data)
        heights = lines[which, 0] * data + lines[which, 1]
        assert (labels * heights).min() >= 1 - 1e-9


@pytest.mark.parametrize("switches", [3, 4, 6])
def test_a_zigzag_costs_no_more_than_its_kinks(switches):
    rng = np.random.default_rng(switches)
    for _ in range(100):
        data, labels, knots, values, _ = random_function(rng, switches)
        lines = zigzag(data, labels, knots, values)
        places, jumps = -np.diff(lines[:, 1]) / np.diff(lines[:, 0]), np.diff(lines[:, 0])
        tops = lines[:-1, 0] * places + lines[:-1, 1]
        second = tops[0] / (places[1] - places[0])
        left = np.array([-lines[0, 0] - second, second])
        right = jumps.copy()
        right[:2] -= left
        assert (np.abs(left) <= np.abs(jumps[:2]) * (1 + 1e-9)).all()
        assert (left * jumps[:2] > 0).all()
        cost = weighted(places[:2], left) + weighted(places, right)
        assert cost == pytest.approx(weighted(places, jumps), rel=1e-9)
        x = np.concatenate([data, places, data * 3])
        network = np.maximum(x[:, None] - places, 0) @ right + np.maximum(places[:2] - x[:, None], 0) @ left
        which = np.searchsorted(places, x)
        assert network == pytest.approx(lines[which, 0] * x + lines[which, 1], rel=1e-6, abs=1e-6)


def test_optima_are_their_own_zigzags():
    draw = random.Random(31)
    for switches in (3, 4):
        found = kkt_points.search(draw, switches, 1.0)
        assert found is not None
        assert found.document["claim"] == {
            "kinks_at_least": switches - 1,
            "kinks_at_most": switches - 1,
            "global_optimum": True,
        }
        jumps = bends(found)
        assert len(jumps) == switches - 1
        signs = [jumps[place] > 0 for place in sorted(jumps)]
        assert all(one != two for one, two in itertools.pairwise(signs))
        assert float(found.cost) == pytest.approx(
            weighted(np.array([float(at) for at in jumps]), np.array([float(jump) for jump in jumps.values()])),
            rel=1e-12,
        )
