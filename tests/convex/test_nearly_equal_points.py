"""Points that nearly coincide: bounds stay close, whatever their labels."""

from __future__ import annotations

import numpy as np
import pytest

from implicitbias.certificate.kernel import check_certificate
from implicitbias.convex.variation.least import tv_interpolant


@pytest.mark.parametrize("digits", [2, 4, 6])
@pytest.mark.parametrize("d", [1, 2, 3])
def test_bounds_are_close_however_near_two_points_are(digits: int, d: int) -> None:
    generator = np.random.default_rng(100 * digits + d)
    x, y = generator.standard_normal((5, d)), generator.standard_normal(5)
    x[0] = x[-1] + 10.0**-digits * generator.standard_normal(d)
    found = tv_interpolant(x.tolist(), y.tolist())
    assert found.gap < 1e-8
    # a network of variation V changes by no more than V|x - x'|
    assert float(found.upper) * np.linalg.norm(x[0] - x[-1]) >= abs(y[0] - y[-1])
    outcome = check_certificate(found.certificate())
    assert outcome.valid, outcome.reason


def test_bounds_do_not_depend_on_the_order_of_the_points() -> None:
    generator = np.random.default_rng(5)
    x, y = generator.standard_normal((6, 2)), generator.standard_normal(6)
    x[3] = x[1] + [1e-5, -2e-5]
    one, other = tv_interpolant(x.tolist(), y.tolist()), tv_interpolant(x[::-1].tolist(), y[::-1].tolist())
    assert one.lower <= other.upper
    assert other.lower <= one.upper
