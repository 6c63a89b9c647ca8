"""Outputs of jobs come back as they were, and nothing that would have to be unpickled is let in or out."""

from __future__ import annotations

import io
import pickle
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from implicitbias.record.outputs import Packed, pack, unpack


def test_values_and_arrays_come_back_exactly() -> None:
    arrays = {"losses": np.array([0.1, np.nan, -np.inf]), "steps": np.arange(4, dtype=np.int32).reshape(2, 2)}
    values = {"rate": 0.1, "exact": Fraction(1, 3), "converged": True, "seeds": (1, 2), "nothing": None}
    back = unpack(pack({**values, **arrays}))
    assert {name: back[name] for name in values} == values
    for name, array in arrays.items():
        assert back[name].dtype == array.dtype
        np.testing.assert_array_equal(back[name], array)


def test_numpy_scalars_are_numbers() -> None:
    assert unpack(pack({"loss": np.float32(0.5), "n": np.int64(7), "ok": np.bool_(True)})) == {
        "loss": 0.5,
        "n": 7,
        "ok": True,
    }


@pytest.mark.parametrize(
    ("output", "says"),
    [
        ([1, 2], "a mapping, not list"),
        ({"f": print}, "JSON values and, by name, numpy arrays"),
        ({"nested": {"array": np.zeros(2)}}, "JSON values and, by name, numpy arrays"),
        ({"objects": np.array([{}], dtype=object)}, "'objects' has dtype object"),
    ],
)
def test_anything_else_is_refused(output: Any, says: str) -> None:
    with pytest.raises(TypeError, match=says):
        pack(output)


def test_a_pickle_in_the_place_of_an_array_is_not_opened(tmp_path: Path) -> None:
    opened = tmp_path / "opened"

    class Trap:
        def __reduce__(self) -> tuple[Any, ...]:
            return (opened.touch, ())

    buffer = io.BytesIO()
    np.save(buffer, np.array([1, Trap()], dtype=object), allow_pickle=True)
    for contents in (buffer.getvalue(), pickle.dumps(Trap())):
        with pytest.raises(ValueError, match="allow_pickle="):
            unpack(Packed("{}", {"array": contents}))
        assert not opened.exists()
    pickle.loads(pickle.dumps(Trap()))
    assert opened.exists()  # the trap works
