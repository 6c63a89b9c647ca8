"""The tangent of several inputs in one pass over the units, against the one that writes out every unit and datum."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from implicitbias.training import Groups
from implicitbias.training.tangent import tangent
from implicitbias.training.tangent_by_activity import TangentByActivity

HALVES = st.integers(-6, 6).map(lambda i: i / 2)
"""Values that put kinks exactly on data, and weights that are zero."""


@given(
    units=st.lists(st.tuples(*[HALVES] * 8), min_size=1, max_size=8),
    data=st.lists(st.tuples(*[HALVES] * 6), min_size=1, max_size=6),
    shared=st.booleans(),
    rates=st.tuples(*[st.sampled_from([0.0, 0.5, 1.0])] * 4),
)
def test_outputs_kernel_and_pull_back_are_those_of_every_unit_at_every_datum(
    units: list[tuple[float, ...]],
    data: list[tuple[float, ...]],
    shared: bool,
    rates: tuple[float, ...],
) -> None:
    parameters, points = np.array(units).reshape(len(units), 2, 4), np.array(data).reshape(len(data), 2, 3)
    w, b, v = (part.swapaxes(0, 1) for part in (parameters[..., :2], parameters[..., 2], parameters[..., 3]))
    c, a = np.array([0.5, -1.0]), points[..., 2].T
    x = points[..., :2].swapaxes(0, 1)[: 1 if shared else 2]
    quick, whole = TangentByActivity(w, b, v, c, x), tangent(w, b, v, c, x)
    np.testing.assert_allclose(quick.outputs, whole.outputs, atol=1e-12)
    np.testing.assert_allclose(quick.kernel(Groups(*rates)), whole.kernel(Groups(*rates)), atol=1e-12)
    moves = whole.pull_back(a, Groups(*rates))
    for mine, other in zip(quick.pull_back(a, Groups(*rates)), moves, strict=True):
        np.testing.assert_allclose(mine, other, atol=1e-12)
    for mine, before, move in zip(quick.after(a, Groups(*rates)), (w, b, v, c), moves, strict=True):
        np.testing.assert_allclose(mine, before - move, atol=1e-12)
