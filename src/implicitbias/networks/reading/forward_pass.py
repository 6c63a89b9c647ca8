"""What a module of torch does to its inputs, layer by layer, and whether that is all that it does."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from implicitbias.errors import DataError
from implicitbias.networks.reading.supported import refuse

if TYPE_CHECKING:
    from implicitbias.networks.stack import Stack

AROUND = {"DataParallel": "module", "DistributedDataParallel": "module", "OptimizedModule": "_orig_mod"}
"""What torch puts around a module, to train it on several devices or to compile it, and where the module is inside."""
PASSING = {"flatten", "squeeze", "view", "reshape", "contiguous", "float", "double"}
"""Methods of tensors that leave the numbers as they are."""
PROBES = 5
"""Points at which a module is run."""
INSTEAD = "give a torch.nn.Sequential, or the state dict"


def layers(module: Any, source: str) -> Iterator[Any]:
    """The Linear and ReLU modules in the order in which they act; anything else is refused.

    A Sequential is read part by part; of another class the forward pass is traced by torch.fx.
    """
    import torch

    module = unwrapped(module)
    if isinstance(module, torch.jit.ScriptModule):
        raise DataError(f"{source} is compiled by torch.jit: give the module that it was made of, or its state_dict()")
    elif _acts_as(module, torch.nn.Sequential):
        for part in module:
            yield from layers(part, source)
    elif _acts_as(module, torch.nn.Linear) or _acts_as(module, torch.nn.ReLU):
        yield module
    elif _acts_as(module, torch.nn.Identity) or _acts_as(module, torch.nn.Flatten):
        return
    elif type(module).__module__.startswith("torch.nn."):
        refuse(source, f"{type(module).__name__}")
    else:
        yield from _traced(module, source)


def unwrapped(module: Any) -> Any:
    """The module itself: to run a compiled one would compile it first, which takes seconds."""
    inside = AROUND.get(type(module).__name__, "")
    if hasattr(module, inside) and type(module).__module__.startswith("torch."):
        return unwrapped(getattr(module, inside))
    return module


def _acts_as(module: Any, kind: Any) -> bool:
    """Whether it is of this class, or of one of a user's own with the same forward pass."""
    return isinstance(module, kind) and type(module).forward is kind.forward


def _traced(module: Any, source: str) -> Iterator[Any]:
    """The same of a class of the user's own: what its forward pass does to its input, one step after another."""
    import torch

    relu = torch.nn.ReLU()
    relus = (torch.relu, torch.nn.functional.relu, torch.relu_)
    passing = (torch.flatten, torch.squeeze, torch.reshape, operator.getitem)
    try:
        graph = torch.fx.symbolic_trace(module).graph
    except Exception as error:  # whatever the forward pass does
        raise DataError(f"{source}: its forward pass cannot be followed ({_reason(error)}); {INSTEAD}") from None
    before: Any = None
    sizes: set[Any] = set()  # nodes that are shapes, or numbers made of them
    for node in graph.nodes:
        if node.op == "placeholder":
            if before is not None:
                refuse(source, "a forward pass with several inputs")
            before = node
            continue
        if node.op == "get_attr" or before is None:
            refuse(source, f"a parameter that is used outside of layers ({node.target})")
        if _is_size(node, sizes):
            sizes.add(node)
            continue
        if [given for given in node.all_input_nodes if given not in sizes] != [before]:
            refuse(source, f"a forward pass that is no chain of layers (at {node.name})")
        if node.op == "call_module":
            yield from layers(module.get_submodule(str(node.target)), source)
        elif node.target in relus or (node.op == "call_method" and node.target in ("relu", "relu_")):
            yield relu
        elif not (node.op == "output" or node.target in (*passing, *PASSING)):
            refuse(source, f"{getattr(node.target, '__name__', node.target)} in its forward pass")
        before = node


def _is_size(node: Any, sizes: set[Any]) -> bool:
    asked = node.target == "size" if node.op == "call_method" else node.target is getattr and node.args[1] == "shape"
    return asked or (bool(node.all_input_nodes) and sizes.issuperset(node.all_input_nodes))


def require_same(module: Any, found: Stack, source: str) -> None:
    """Run the module at some points: its own numbers must be those of the layers that were read.

    A hook, or an index that takes one output of several, shows nowhere else. Raises DataError.
    """
    import torch

    weight = next(module.parameters())
    draws = np.random.default_rng(0).normal(size=(PROBES, found.inputs))
    x = torch.tensor(draws).to(device=weight.device, dtype=weight.dtype)
    try:
        with torch.no_grad():
            given = module(x)
    except Exception as error:  # whatever the forward pass does
        shape = (PROBES, found.inputs)
        raise DataError(
            f"{source} cannot be run on inputs of the shape {shape} ({_reason(error)}); {INSTEAD}"
        ) from None
    if not isinstance(given, torch.Tensor):
        raise DataError(f"{source} returns a {type(given).__name__}, where a tensor is needed; {INSTEAD}")
    at = x.double().cpu().numpy()
    expected = found(at)
    if given.numel() != expected.size:
        raise DataError(f"{source} returns {tuple(given.shape)} where its layers give {expected.shape}; {INSTEAD}")
    apart = np.abs(given.double().cpu().numpy().reshape(expected.shape) - expected)
    if not (apart <= _rounding(weight, found) * found.sizes(at)).all():
        raise DataError(
            f"{source} returns other numbers than its Linear and ReLU layers give, by {apart.max():.3g}: a hook or a "
            f"forward pass of its own does more; {INSTEAD} of what is meant"
        )


def _rounding(weight: Any, found: Stack) -> float:
    """What rounding can do, relative to sums of absolute values: of each layer, and, as √n, of sums of n terms.

    Sums are kept in float32 at least. GPUs may round factors to ten bits (TF32).
    """
    import torch

    eps = max(torch.finfo(weight.dtype).eps, 2.0**-10 if weight.is_cuda else 0.0)
    kept = min(eps, torch.finfo(torch.float32).eps)
    terms = max(matrix.shape[1] for matrix in found.weights)
    return float(2 * len(found.weights) * eps + 8 * terms**0.5 * kept)


def _reason(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:120]
