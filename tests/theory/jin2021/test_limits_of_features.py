"""Networks with trained output weights beside the minimisers of (6): what heavy tails of (W, B) change."""

from __future__ import annotations

import numpy as np

from implicitbias.theory.observed.wide.limits_of_features import circle_error


def test_tails_that_are_nearly_none_leave_the_circle() -> None:
    """R = U^(-1/ν) is 1 to a ten-millionth for ν = 10⁹."""
    np.testing.assert_allclose(circle_error(2, 64, 8, 3, index=1e9), circle_error(2, 64, 8, 3), rtol=1e-3)


def test_the_heaviside_function_does_not_see_the_radius() -> None:
    np.testing.assert_array_equal(circle_error(0, 64, 8, 3, index=0.5), circle_error(0, 64, 8, 3))


def test_heavy_tails_keep_networks_further_from_the_same_minimiser() -> None:
    light, heavy = (np.exp(np.log(circle_error(2, 2048, 60, 5, index=nu)).mean()) for nu in (None, 5.0))
    assert 1.5 * light < heavy < 20 * light
