"""Cones that are cut: the exact rays are where the doubles say, within the error that is followed; halves cover."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from implicitbias.convex.variation.cuts import LEAST_SHARE, SHARES, Cones, chosen, cut

Ray = tuple[int, ...]


def whole(r: int) -> Cones:
    return Cones(np.eye(r)[None], np.zeros((1, r)), np.zeros((1, r)))


def cut_exactly(first: Ray, second: Ray, alpha: int, beta: int, power: int) -> Ray:
    alpha, beta = alpha << max(-power, 0), beta << max(power, 0)
    return tuple(alpha * s + beta * t for s, t in zip(first, second, strict=True))


def apart(ray: Ray, unit: np.ndarray, size: float) -> Fraction:
    """|2^size unit - ray| / |ray|, up to the rounding of the last root, with 2^size split so that it has a value."""
    scale = Fraction(2) ** int(np.floor(size)) * Fraction(2.0 ** (size - np.floor(size)))
    off = sum((scale * Fraction(float(u)) - t) ** 2 for u, t in zip(unit, ray, strict=True))
    return off / sum(t * t for t in ray)


@settings(max_examples=30)
@given(r=st.integers(2, 6), seed=st.integers(0, 2**32 - 1))
def test_rays_are_known_to_within_their_error(r: int, seed: int) -> None:
    draw = np.random.default_rng(seed)
    cones, exact = whole(r), [tuple(int(j == k) for j in range(r)) for k in range(r)]
    for _ in range(60):
        a, b = draw.choice(r, 2, replace=False)
        share = draw.uniform(LEAST_SHARE, 1 - LEAST_SHARE)
        both, cuts = cut(cones, np.array([a]), np.array([b]), np.array([share]))
        how = tuple(int(values[0]) for values in cuts)
        assert how[:2] == (a, b)
        assert all(1 <= v <= SHARES for v in how[2:4])
        new = cut_exactly(exact[a], exact[b], *how[2:])
        half = int(draw.integers(2))
        cones = Cones(*(values[half : half + 1] for values in both))
        exact[(b, a)[half]] = new
        for k in range(r):
            assert np.linalg.norm(cones.rays[0, k]) == pytest.approx(1, abs=1e-14)
            bound = Fraction(float(cones.error[0, k])) ** 2
            assert apart(exact[k], cones.rays[0, k], float(cones.size[0, k])) <= bound
        assert cones.error.max() < 1e-10, "small enough to be of use"


def test_the_cut_is_near_the_share_that_was_asked_for() -> None:
    """The new ray, of length 1, as (1 - t) r_a + t r_b up to its length: t is near the share."""
    cones = whole(3)
    for share in (0.1, 0.3, 0.5, 0.77, 0.9):
        both, _ = cut(cones, np.array([0]), np.array([2]), np.array([share]))
        first, third = both.rays[0, 2][[0, 2]]
        assert third / (first + third) == pytest.approx(share, abs=0.02)
        assert both.rays[0, 0].tolist() == [1, 0, 0], "the first half keeps r_a"
        assert both.rays[1, 2].tolist() == [0, 0, 1], "the second half keeps r_b"


def test_the_edge_with_the_most_of_what_is_overestimated_is_cut_at_the_kink() -> None:
    cones = whole(3)
    # θ·x̃ = 0 crosses the edge from r_0 to r_1 at a quarter of the way; another, weaker one the edge from r_1 to r_2
    points = np.array([[1.0, -3.0, 0.1], [1.0, 1.0, -1.0]])
    a, b, share = chosen(cones, cones.rays @ points.T, np.array([1.0, 1e-3]), np.full((1, 3), 0.5))
    assert {int(a[0]), int(b[0])} == {0, 1}
    assert share[0] == pytest.approx(0.25)


def test_without_a_kink_the_longest_edge_is_halved() -> None:
    rays = np.array([[1.0, 0.0, 0.0], [0.8, 0.6, 0.0], [0.0, 0.0, 1.0]])[None]
    cones = Cones(rays, np.zeros((1, 3)), np.zeros((1, 3)))
    a, b, share = chosen(cones, rays @ np.array([[1.0, 1.0, 1.0]]).T, np.array([1.0]), np.full((1, 3), 0.5))
    assert (int(a[0]), int(b[0])) in ((0, 2), (1, 2))
    assert share[0] == 0.5
    assert {int(a[0]), int(b[0])} == {0, 2}, "an edge of 90 degrees"
