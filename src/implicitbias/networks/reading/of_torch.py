"""Networks of torch: modules by what their forward pass does, files by their state dicts alone."""

from __future__ import annotations

import io
import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from implicitbias.errors import DataError, brought_by_extra
from implicitbias.networks.reading.forward_pass import layers, require_same, unwrapped
from implicitbias.networks.reading.supported import refuse
from implicitbias.networks.reading.tensors import from_tensors
from implicitbias.networks.stack import Origin, Stack, stack

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

INSIDE = ("state_dict", "model_state_dict", "model")
"""Where checkpoints keep the state dict, beside the optimiser's and more; else it is the one entry with tensors."""


def from_module(module: Any) -> Stack:
    """A module that is Linear, ReLU, Linear, … in the order of its forward pass, nested or not, and nothing else."""
    import torch

    module = unwrapped(module)
    source = type(module).__name__
    weights: list[Any] = []
    biases: list[Any] = []
    bent = True
    dtypes = []
    for part in layers(module, source):
        if isinstance(part, torch.nn.Linear):
            if not bent:
                refuse(source, "two linear layers without a ReLU between them")
            weights.append(_array(part.weight, f"{source}: a weight"))
            biases.append(None if part.bias is None else _array(part.bias, f"{source}: a bias"))
            dtypes.append(_dtype(part.weight))
            bent = False
        elif bent:
            refuse(source, "a ReLU that does not follow a linear layer")
        else:
            bent = True
    if weights and bent:
        refuse(source, "a ReLU after the last linear layer")
    found = stack(weights, biases, Origin(source, "torch module", " and ".join(dict.fromkeys(dtypes))))
    require_same(module, found, source)
    return found


def from_file(raw: bytes, source: str) -> Stack:
    """A file of torch, read with `weights_only`: nothing in it is executed."""
    with brought_by_extra(f"{source} is a file of torch, which"):
        import torch

    needed = "a state dict is needed: torch.save(model.state_dict(), FILE)"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            given: Any = torch.load(io.BytesIO(raw), map_location="cpu", weights_only=True)
    except Exception as error:  # torch raises what it likes: UnpicklingError, RuntimeError, EOFError, KeyError, …
        lines = str(error).strip().splitlines() or [type(error).__name__]
        unsafe = "weights_only" in str(error) or "Unsupported" in str(error)
        reason = "it holds other objects than tensors, and was not executed" if unsafe else lines[0][:120]
        raise DataError(f"{source} is no file of weights: {reason}; {needed}") from None
    return from_state(given, source, "torch state dict")


def from_state(given: Any, source: str, form: str) -> Stack:
    """A mapping from names to tensors or arrays; of a checkpoint, its state dict."""
    for key in INSIDE:
        if isinstance(given, Mapping) and isinstance(given.get(key), Mapping):
            given = given[key]
    if isinstance(given, Mapping) and not any(map(_is_tensor, given.values())):
        held = [
            entry for entry in given.values() if isinstance(entry, Mapping) and any(map(_is_tensor, entry.values()))
        ]
        given = held[0] if len(held) == 1 else given
    if not isinstance(given, Mapping) or not given:
        raise DataError(f"{source} holds a {type(given).__name__}: a state dict with the weights of layers is needed")
    tensors, dtypes = {}, []
    for key, value in given.items():
        if not isinstance(key, str) or not _is_tensor(value):
            raise DataError(f"{source}: the entry {str(key)[:40]!r} is no named tensor; a state dict is needed")
        tensors[key] = _array(value, f"{source}: {key}")
        dtypes.append(_dtype(value))
    return from_tensors(tensors, Origin(source, form, " and ".join(dict.fromkeys(dtypes))), ordered=True)


def _is_tensor(value: Any) -> bool:
    return hasattr(value, "dtype")


def _array(tensor: Any, name: str) -> NDArray[np.float64]:
    """The tensor's numbers as doubles, which hold every half, bfloat16 and float32 exactly."""
    import numpy as np

    if not hasattr(tensor, "detach"):
        return real_array(tensor, name)
    import torch

    if isinstance(tensor, torch.nn.parameter.UninitializedParameter):
        raise DataError(f"{name} has no values yet: run the network once")
    if tensor.is_complex() or tensor.is_quantized or tensor.layout != torch.strided or tensor.is_meta:
        raise DataError(f"{name} holds no real numbers in memory ({_dtype(tensor)}): a dense real tensor is needed")
    return np.asarray(tensor.detach().cpu().to(torch.float64).numpy())


def real_array(given: Any, name: str) -> NDArray[np.float64]:
    """An array of real numbers as doubles. Raises DataError where they are none, or more exact than doubles."""
    import numpy as np

    array = np.asarray(given)
    if array.dtype.kind not in "fiub" and array.dtype.name not in ("bfloat16",):
        raise DataError(f"{name} holds {array.dtype.name}: real numbers are needed")
    doubles = array.astype(np.float64)
    if array.dtype.itemsize > 4 and not (doubles == array).all():
        raise DataError(f"{name} holds {array.dtype.name} numbers that doubles do not hold exactly: round them first")
    return doubles


def _dtype(tensor: Any) -> str:
    return str(tensor.dtype).removeprefix("torch.")
