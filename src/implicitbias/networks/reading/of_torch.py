"""Networks of torch: modules by what their forward pass does, files by their state dicts alone."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from implicitbias.errors import DataError, brought_by_extra
from implicitbias.networks.reading.supported import refuse
from implicitbias.networks.reading.tensors import from_tensors
from implicitbias.networks.stack import Origin, Stack, stack

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

INSIDE = ("state_dict", "model_state_dict", "model")
"""Where checkpoints keep the state dict, beside the optimiser's and more."""


def from_module(module: Any) -> Stack:
    """A module that is Linear, ReLU, Linear, … in the order of its forward pass, nested or not.

    A Sequential is read part by part; of another module the forward pass is traced by torch.fx.
    """
    import torch

    source = type(module).__name__
    weights: list[Any] = []
    biases: list[Any] = []
    bent = True
    dtypes = []
    for part in _parts(module, source):
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
    return stack(weights, biases, Origin(source, "torch module", " and ".join(dict.fromkeys(dtypes))))


def _parts(module: Any, source: str) -> Iterator[Any]:
    """The Linear and ReLU modules in the order in which they act; anything else is refused."""
    import torch

    nothing = (torch.nn.Identity, torch.nn.Flatten)
    if isinstance(module, torch.nn.Sequential):
        for part in module:
            yield from _parts(part, source)
    elif isinstance(module, torch.nn.Linear | torch.nn.ReLU):
        yield module
    elif isinstance(module, nothing):
        return
    elif type(module).__module__.startswith("torch.nn."):
        refuse(source, f"{type(module).__name__}")
    else:
        yield from _traced(module, source)


def _traced(module: Any, source: str) -> Iterator[Any]:
    """The same of a class of the user's own: what its forward pass does to its input, one step after another."""
    import torch

    relu = torch.nn.ReLU()
    relus = (torch.relu, torch.nn.functional.relu, torch.relu_)
    shapes = (torch.flatten, torch.squeeze)
    try:
        graph = torch.fx.symbolic_trace(module).graph
    except Exception as error:  # whatever the forward pass does
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0][:120]
        raise DataError(
            f"{source}: its forward pass cannot be followed ({reason}); give a torch.nn.Sequential"
        ) from None
    before: Any = None
    for node in graph.nodes:
        if node.op == "placeholder":
            if before is not None:
                refuse(source, "a forward pass with several inputs")
            before = node
            continue
        if node.op == "get_attr" or before is None:
            refuse(source, f"a parameter that is used outside of layers ({node.target})")
        if node.all_input_nodes != [before]:
            refuse(source, f"a forward pass that is no chain of layers (at {node.name})")
        if node.op == "call_module":
            yield from _parts(module.get_submodule(str(node.target)), source)
        elif (node.op == "call_function" and node.target in relus) or (
            node.op == "call_method" and node.target in ("relu", "relu_")
        ):
            yield relu
        elif not (
            node.op == "output"
            or (node.op == "call_function" and node.target in shapes)
            or (node.op == "call_method" and node.target in ("flatten", "squeeze"))
        ):
            refuse(source, f"{getattr(node.target, '__name__', node.target)} in its forward pass")
        before = node


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
    if not isinstance(given, Mapping) or not given:
        raise DataError(f"{source} holds a {type(given).__name__}: a state dict with the weights of layers is needed")
    tensors, dtypes = {}, []
    for key, value in given.items():
        if not isinstance(key, str) or not hasattr(value, "dtype"):
            raise DataError(f"{source}: the entry {str(key)[:40]!r} is no named tensor; a state dict is needed")
        tensors[key] = _array(value, f"{source}: {key}")
        dtypes.append(_dtype(value))
    return from_tensors(tensors, Origin(source, form, " and ".join(dict.fromkeys(dtypes))), ordered=True)


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
