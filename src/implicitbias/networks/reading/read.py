"""A network from whatever holds one: a file by what it contains, or an object of Python by what it is."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from implicitbias.data.source import STANDARD_INPUT, contents, decoded, name_of
from implicitbias.errors import DataError
from implicitbias.networks.stack import Origin, Stack, stack

MOST_BYTES = 500_000_000
TORCH = (b"PK\x03\x04", b"\x80")
"""The first bytes of torch's archives, and of pickles."""
TORCH_NAMES = {".pt", ".pth", ".ckpt", ".pkl", ".pickle"}
KINDS = "a .pt, .safetensors, .onnx, .json or .csv file of a network"


def read_file(source: str | Path) -> Stack:
    """The network in a file, or on standard input where the source is `-`."""
    name, raw = name_of(source), contents(source, KINDS, MOST_BYTES)
    suffix = Path(source).suffix.lower()
    if suffix == ".onnx":
        from implicitbias.networks.reading.of_onnx import from_onnx

        return from_onnx(raw, name, None if str(source) == STANDARD_INPUT else Path(source).absolute().parent)
    if suffix == ".safetensors" or raw[8:10] == b'{"':  # eight bytes tell how long the header is, which is JSON
        from implicitbias.networks.reading.of_safetensors import from_safetensors

        return from_safetensors(raw, name)
    if raw.startswith(TORCH) or suffix in TORCH_NAMES:
        from implicitbias.networks.reading.of_torch import from_file

        return from_file(raw, name)
    if b"\0" in raw:
        raise DataError(f"{name} is none of the files that are read: give {KINDS}")
    text = decoded(raw, name)
    if text.lstrip().startswith(("{", "[")):
        from implicitbias.networks.reading.written import from_json

        return from_json(text, name)
    from implicitbias.functions.network_file import units_in
    from implicitbias.networks.reading.written import from_units

    (w, b, v), c, _ = units_in(text, name)
    return from_units(w, b, v, c, name, "CSV")


def read_network(given: Any) -> Stack:
    """The network that a path names, or that an object is.

    given  a path; a torch module; a mapping from names to tensors, as a state dict; a Network or TwoLayer
    """
    import numpy as np

    from implicitbias.functions.network import Network
    from implicitbias.training.two_layer import TwoLayer

    if isinstance(given, Stack):
        return given
    if isinstance(given, str | Path):
        return read_file(given)
    torch = sys.modules.get("torch")  # whoever has a module has imported it
    if torch is not None and isinstance(given, torch.nn.Module):
        from implicitbias.networks.reading.of_torch import from_module

        return from_module(given)
    if isinstance(given, Mapping) and any(isinstance(part, list) for part in given.values()):
        from implicitbias.networks.reading.written import from_document

        return from_document(given, "the dict", "lists")
    if isinstance(given, Mapping):
        from implicitbias.networks.reading.of_torch import from_state

        return from_state(given, "the state dict", "state dict")
    if isinstance(given, Network):
        from implicitbias.networks.reading.written import from_units

        return from_units(given.w, given.b, given.v, given.c, "the Network", "exact units")
    if isinstance(given, TwoLayer):
        if given.seeds is not None:
            raise DataError("a batch of networks is given: choose one of them with .one(seed)")
        w, v = given.w.reshape(given.width, -1), given.v.reshape(given.width, -1)
        return stack([w, v.T], [given.b, np.atleast_1d(given.c)], Origin("the TwoLayer", "arrays"))
    raise DataError(
        f"what is given is of the type {type(given).__name__}: a path, a torch module, a state dict, a Network or a "
        "TwoLayer is needed"
    )
