"""The output of a job as it is sent and stored: JSON text, and each array as the bytes of a `.npy` file.

Pickles are refused in both directions, so a ledger from an untrusted source can do no harm.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from implicitbias.claims.check import JobOutput
from implicitbias.claims.evidence import decode, encode


@dataclass(frozen=True)
class Packed:
    """A job's output: `values` is a JSON object, `arrays` the `.npy` bytes by name."""

    values: str
    arrays: Mapping[str, bytes] = field(default_factory=dict)


def pack(output: JobOutput) -> Packed:
    """Pack an output. Raises TypeError for what is neither a JSON value nor a numpy array of numbers."""
    if not isinstance(output, Mapping):
        raise TypeError(f"a job returns values and arrays by name, a mapping, not {type(output).__name__}")
    numpy = sys.modules.get("numpy")  # unless numpy is loaded there are no arrays
    arrays: dict[str, bytes] = {}
    values: dict[str, Any] = {}
    for name, value in output.items():
        if numpy is not None and isinstance(value, numpy.ndarray):
            arrays[name] = _npy(name, value)
        else:
            values[name] = value.item() if numpy is not None and isinstance(value, numpy.generic) else value
    try:
        return Packed(json.dumps(encode(values)), arrays)
    except TypeError as error:
        raise TypeError(f"a job returns JSON values and, by name, numpy arrays: {error}") from None


def unpack(packed: Packed) -> JobOutput:
    """The output that `pack` was given, with sequences as tuples."""
    output = dict(decode(json.loads(packed.values)))  # type: ignore[arg-type]
    for name, contents in packed.arrays.items():
        import numpy as np

        output[name] = np.load(io.BytesIO(contents), allow_pickle=False)
    return output


def _npy(name: str, array: Any) -> bytes:
    import numpy as np

    buffer = io.BytesIO()
    try:
        np.save(buffer, array, allow_pickle=False)
    except ValueError:
        raise TypeError(f"the array {name!r} has dtype {array.dtype}: a job returns arrays of numbers") from None
    return buffer.getvalue()
