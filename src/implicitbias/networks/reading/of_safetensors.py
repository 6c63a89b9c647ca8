"""Networks from safetensors files, read by the library of that name."""

from __future__ import annotations

from typing import Any

from implicitbias.errors import DataError, brought_by_extra
from implicitbias.networks.reading.of_torch import real_array
from implicitbias.networks.reading.tensors import from_tensors
from implicitbias.networks.stack import Origin, Stack


def from_safetensors(raw: bytes, source: str) -> Stack:
    """The network whose tensors the file holds; as files have no order of tensors, names decide that of layers."""
    with brought_by_extra(f"{source} is a safetensors file, which"):
        from safetensors import deserialize
    try:
        entries = deserialize(raw)  # type: ignore[no-untyped-call]
    except Exception as error:  # the library has an error class of its own
        raise DataError(f"{source} is no safetensors file: {str(error)[:120]}") from None
    tensors = {name: real_array(_array(entry, f"{source}: {name}"), f"{source}: {name}") for name, entry in entries}
    dtypes = dict.fromkeys(_NAMES.get(entry["dtype"], entry["dtype"]) for _, entry in entries)
    return from_tensors(tensors, Origin(source, "safetensors", " and ".join(dtypes)), ordered=False)


_NAMES = {"F64": "float64", "F32": "float32", "F16": "float16", "BF16": "bfloat16"}
_INTEGERS = {"I64": "int64", "I32": "int32", "I16": "int16", "I8": "int8", "U8": "uint8", "BOOL": "bool"}


def _array(entry: dict[str, Any], name: str) -> Any:
    import numpy as np

    kind, shape = entry["dtype"], tuple(entry["shape"])
    if kind == "BF16":  # the upper half of a float32
        halves = np.frombuffer(entry["data"], dtype="<u2").astype(np.uint32) << 16
        return halves.view(np.float32).reshape(shape)
    known = {**_NAMES, **_INTEGERS}
    if kind not in known:
        raise DataError(f"{name} holds {kind}: numbers of {', '.join(_NAMES.values())} are read")
    return np.frombuffer(entry["data"], dtype=np.dtype(known[kind]).newbyteorder("<")).reshape(shape)
