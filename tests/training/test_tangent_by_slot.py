"""The tangent in one pass over the units, against the one that writes out every unit at every datum."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from implicitbias.training import Groups
from implicitbias.training.tangent import tangent
from implicitbias.training.tangent_by_slot import TangentBySlot

HALVES = st.integers(-6, 6).map(lambda i: i / 2)
"""Values that put kinks exactly on data, and weights that are zero."""


@given(
    units=st.lists(st.tuples(HALVES, HALVES, HALVES, HALVES, HALVES, HALVES), min_size=1, max_size=8),
    data=st.lists(st.tuples(HALVES, HALVES), min_size=1, max_size=6),
    shared=st.booleans(),
    rates=st.tuples(*[st.sampled_from([0.0, 0.5, 1.0])] * 4),
)
def test_outputs_kernel_and_pull_back_are_those_of_every_unit_at_every_datum(
    units: list[tuple[float, ...]],
    data: list[tuple[float, float]],
    shared: bool,
    rates: tuple[float, ...],
) -> None:
    w, b, v = np.array(units).reshape(len(units), 3, 2).transpose(1, 2, 0)
    c, a = np.array([0.5, -1.0]), np.array(data).T
    x = np.sort(a, axis=1)[:1] if shared else np.sort(a, axis=1)
    by_slot, whole = TangentBySlot(w, b, v, c, x), tangent(w, b, v, c, x)
    np.testing.assert_allclose(by_slot.outputs, whole.outputs, atol=1e-12)
    np.testing.assert_allclose(by_slot.kernel(Groups(*rates)), whole.kernel(Groups(*rates)), atol=1e-12)
    moves = whole.pull_back(a, Groups(*rates))
    for mine, other in zip(by_slot.pull_back(a, Groups(*rates)), moves, strict=True):
        np.testing.assert_allclose(mine, other, atol=1e-12)
    for mine, before, move in zip(by_slot.after(a, Groups(*rates)), (w, b, v, c), moves, strict=True):
        np.testing.assert_allclose(mine, before - move, atol=1e-12)
