"""Layers from tensors with names, as state dicts and safetensors files hold them: by names, order and shapes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise, permutations
from typing import TYPE_CHECKING

import numpy as np

from implicitbias.errors import DataError
from implicitbias.networks.reading.supported import refuse
from implicitbias.networks.stack import Origin, Stack, stack

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Tensors = dict[str, NDArray[np.float64]]

NAMED = 6
"""Tensors that a message names."""
FEW = 6
"""Up to this many layers every order is tried."""
NORMALISATION = ("running_mean", "running_var", "num_batches_tracked")
REPARAMETRISED = (".parametrizations.", "weight_g", "weight_v")
"""Parts of the names of weights that torch computes of others: weight and spectral normalisation."""


def from_tensors(tensors: Mapping[str, NDArray[np.float64]], origin: Origin, ordered: bool) -> Stack:
    """The network whose layers these are.

    ordered  whether the order of the names is that of the layers, as in a state dict; otherwise numbers in the names
             decide. Where neither gives layers that fit each other and one other order does, it is taken.

    Raises DataError for tensors that belong to no linear layer, and for layers that do not fit.
    """
    source = origin.source
    given = _pruned(dict(tensors))
    if any(name.rsplit(".", 1)[-1] in NORMALISATION for name in given):
        refuse(source, f"batch normalisation ({next(n for n in given if n.rsplit('.', 1)[-1] in NORMALISATION)})")
    if many := [name for name, tensor in given.items() if tensor.ndim > 2]:
        refuse(source, f"a convolution, or another layer that is no matrix ({many[0]} {given[many[0]].shape})")
    if made := [name for name in given if any(part in name for part in REPARAMETRISED)]:
        raise DataError(
            f"{source} has weights that are computed of others ({made[0]}): give the module itself, or call "
            "torch.nn.utils.parametrize.remove_parametrizations first"
        )
    if {"w", "b", "v"} <= given.keys() <= {"w", "b", "v", "c"}:
        return _by_letters(given, origin)
    given = {name: tensor.T if _is_kernel(name) and tensor.ndim == 2 else tensor for name, tensor in given.items()}
    weights = [name for name, tensor in given.items() if tensor.ndim == 2]
    biases = {name: _bias_of(name, given) for name in weights}
    if strange := [name for name in given if name not in weights and name not in biases.values()]:
        refuse(source, f"{strange[0]} {given[strange[0]].shape}, which belongs to no linear layer ({_listed(given)})")
    if len(weights) < 2:
        raise DataError(f"{source}: two layers at least are needed, a matrix each, and it holds {_listed(given)}")
    order = _order(given, weights if ordered else sorted(weights, key=_natural), source)
    found = [biases[name] for name in order]
    remark = f"layers {', then '.join(order)}; the file does not name the activation: ReLU is assumed"
    origin = Origin(source, origin.form, origin.dtype, (*origin.remarks, remark))
    return stack([given[name] for name in order], [given[name] if name else None for name in found], origin)


def _pruned(given: Tensors) -> Tensors:
    """With `weight_orig` and `weight_mask`, as torch.nn.utils.prune leaves them, multiplied."""
    found: Tensors = {}
    for name, tensor in given.items():
        stem = name.removesuffix("_orig")
        if stem != name and given.get(f"{stem}_mask", np.empty(0)).shape == tensor.shape:
            found[stem] = tensor * given[f"{stem}_mask"]
        elif not (name.endswith("_mask") and f"{name.removesuffix('_mask')}_orig" in given):
            found[name] = tensor
    return found


def _by_letters(given: Tensors, origin: Origin) -> Stack:
    """w (n,) or (n, d), b (n,), v (n,) or (n, k), c a number or (k,): our own names."""
    w, b, v = given["w"], given["b"], given["v"]
    c = np.atleast_1d(given["c"]) if "c" in given else None
    if b.ndim != 1 or any(part.ndim not in (1, 2) or len(part) != len(b) for part in (w, v)):
        raise DataError(
            f"{origin.source}: w (n,) or (n, d), b (n,) and v (n,) or (n, k) are needed, n units each: got the shapes "
            f"{w.shape}, {b.shape} and {v.shape}"
        )
    return stack([w.reshape(len(b), -1), v.reshape(len(b), -1).T], [b, c], origin)


def _is_kernel(name: str) -> bool:
    """Whether the rows are inputs: Keras and Flax call such weights kernels, `dense/kernel` or `Dense_0.kernel`."""
    return re.split(r"[./]", name)[-1].startswith("kernel")


def _bias_of(weight: str, given: Tensors) -> str | None:
    """The name of the biases beside these weights: `fc.bias` for `fc.weight`, `b1` for `W1`."""
    stem, dot, last = weight.rpartition(".")
    for old, new in (("weight", "bias"), ("kernel", "bias"), ("W", "b"), ("w", "b")):
        name = stem + dot + last.replace(old, new, 1)
        if name != weight and name in given and given[name].ndim == 1:
            return name
    return None


def _order(given: Tensors, names: list[str], source: str) -> Sequence[str]:
    def fits(order: Sequence[str]) -> bool:
        return all(given[before].shape[0] == given[after].shape[1] for before, after in pairwise(order))

    if fits(names):
        return names
    others = [order for order in permutations(names) if fits(order)] if len(names) <= FEW else []
    if len(others) != 1:
        why = "no order of the layers fits" if not others else "several orders of the layers fit"
        raise DataError(f"{source}: {why}, with {_listed(given)}; name them so that they sort, such as 0.weight")
    return others[0]


def _natural(name: str) -> list[tuple[int, str]]:
    """To sort by numbers where there are numbers: 2.weight before 10.weight."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name) if part]


def _listed(given: Tensors) -> str:
    shown = ", ".join(f"{name} {tuple(tensor.shape)}" for name, tensor in list(given.items())[:NAMED])
    return shown + ", …" * (len(given) > NAMED)
