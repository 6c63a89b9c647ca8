"""Networks as others write them: each is saved in some form, and given back with its numbers as they were meant."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import helper, numpy_helper
from safetensors.torch import save_file

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Written:
    """What a user gives, and w (n, d), b (n,), v (n, k), c (k,) as doubles."""

    given: Any
    w: Array
    b: Array
    v: Array
    c: Array

    def __call__(self, x: Array) -> Array:
        """(M, k) for x (M, d), in plain numpy."""
        return np.maximum(x @ self.w.T + self.b, 0) @ self.v + self.c


def sequential(d: int, n: int, k: int = 1, bias: bool = True, dtype: torch.dtype = torch.float32, seed: int = 0) -> Any:
    torch.manual_seed(seed)
    model = torch.nn.Sequential(torch.nn.Linear(d, n, bias=bias), torch.nn.ReLU(), torch.nn.Linear(n, k, bias=bias))
    return model.to(dtype)


def of(model: Any, given: Any = None) -> Written:
    """The module with its numbers; `given` is what is inspected in its place, such as a file."""
    linear = [part for part in model.modules() if isinstance(part, torch.nn.Linear)]
    w, v = (part.weight.detach().double().numpy() for part in linear)
    b, c = (
        np.zeros(len(m)) if p.bias is None else p.bias.detach().double().numpy()
        for p, m in zip(linear, (w, v), strict=True)
    )
    return Written(model if given is None else given, w, b, v.T, c)


class Custom(torch.nn.Module):
    """As most people write it."""

    def __init__(self, d: int, n: int, k: int) -> None:
        super().__init__()
        self.hidden, self.output = torch.nn.Linear(d, n), torch.nn.Linear(n, k)

    def forward(self, x: Any) -> Any:
        return self.output(torch.nn.functional.relu(self.hidden(x)))


def graph(model: Any, path: Path, by_matmul: bool = False) -> Path:
    """An ONNX file of the module, made by hand: Gemm as torch exports it, or MatMul and Add as TensorFlow does."""
    nodes, constants, at = [], [], "x"
    for i, part in enumerate(model):
        if isinstance(part, torch.nn.ReLU):
            nodes.append(helper.make_node("Relu", [at], [at := f"r{i}"]))
            continue
        weight = part.weight.detach().numpy()
        constants.append(numpy_helper.from_array(weight.T.copy() if by_matmul else weight, f"{i}.weight"))
        if part.bias is not None:
            constants.append(numpy_helper.from_array(part.bias.detach().numpy(), f"{i}.bias"))
        bias = [] if part.bias is None else [f"{i}.bias"]
        if by_matmul:
            nodes.append(helper.make_node("MatMul", [at, f"{i}.weight"], [at := f"m{i}"]))
            if bias:
                nodes.append(helper.make_node("Add", [*bias, at], [at := f"a{i}"]))
        else:
            nodes.append(helper.make_node("Gemm", [at, f"{i}.weight", *bias], [at := f"g{i}"], transB=1))
    kind = helper.np_dtype_to_tensor_dtype(model[0].weight.detach().numpy().dtype)
    ends = [helper.make_tensor_value_info(name, kind, None) for name in ("x", at)]
    onnx.save(helper.make_model(helper.make_graph(nodes, "net", ends[:1], ends[1:], constants)), path)
    return path


def _pruned(folder: Path) -> Written:
    from torch.nn.utils import prune

    model = sequential(2, 12, seed=3)
    prune.l1_unstructured(model[0], "weight", amount=0.5)
    prune.random_unstructured(model[2], "weight", amount=0.4)
    torch.save(model.state_dict(), folder / "pruned.pt")
    return of(model, folder / "pruned.pt")


def _dead(folder: Path) -> Written:
    model = sequential(1, 10, seed=4)
    with torch.no_grad():
        model[2].weight[0, [1, 5]] = 0
        model[0].weight[[2, 7]] = 0
        model[0].bias[2], model[0].bias[7] = -1, 1
    return of(model)


def _duplicated(folder: Path) -> Written:
    """Units that lie on one kink: copies, multiples by powers of two, a pair that cancels, one turned around."""
    model = sequential(1, 12, seed=5)
    with torch.no_grad():
        for target, source, factor in ((1, 0, 1.0), (3, 2, 4.0), (5, 4, 1.0), (7, 6, -1.0)):
            model[0].weight[target], model[0].bias[target] = (
                factor * model[0].weight[source],
                factor * model[0].bias[source],
            )
        model[2].weight[0, 5] = -model[2].weight[0, 4]
    return of(model)


def _duplicated_in_the_plane(folder: Path) -> Written:
    model = sequential(2, 9, k=2, seed=6)
    with torch.no_grad():
        model[0].weight[4], model[0].bias[4] = 2 * model[0].weight[1], 2 * model[0].bias[1]
        model[0].weight[8], model[0].bias[8] = model[0].weight[1], model[0].bias[1]
    return of(model)


def _saved(model: Any, path: Path) -> Written:
    torch.save(model.state_dict(), path)
    return of(model, path)


def _safe(model: Any, path: Path) -> Written:
    save_file(model.state_dict(), path)
    return of(model, path)


def _json(folder: Path) -> Written:
    w, b, v = [[1, -2], [0.5, 0.25], [-1, 3]], [0, 1, -1], [1, -2, 0.5]
    (folder / "net.json").write_text(json.dumps({"w": w, "b": b, "v": v, "c": 0.75}))
    return Written(folder / "net.json", np.array(w), np.array(b, float), np.array(v)[:, None], np.array([0.75]))


def _csv(folder: Path) -> Written:
    (folder / "net.csv").write_text("w,b,v\n1,0,2\n-2,0.5,1\n0.5,-3,-1\nc,0.25\n")
    return Written(
        folder / "net.csv",
        np.array([[1], [-2], [0.5]]),
        np.array([0, 0.5, -3]),
        np.array([[2.0], [1], [-1]]),
        np.array([0.25]),
    )


def _checkpoint(folder: Path) -> Written:
    model = sequential(5, 6, seed=8)
    optimiser = torch.optim.Adam(model.parameters())
    torch.save(
        {"epoch": 3, "model_state_dict": model.state_dict(), "optimizer": optimiser.state_dict()}, folder / "c.ckpt"
    )
    return of(model, folder / "c.ckpt")


def _external(folder: Path) -> Written:
    model = sequential(3, 8, seed=9)
    path = graph(model, folder / "inside.onnx")
    onnx.save_model(
        onnx.load(path), folder / "outside.onnx", save_as_external_data=True, size_threshold=0, location="outside.data"
    )
    return of(model, folder / "outside.onnx")


def _brain(folder: Path) -> Written:
    model = sequential(2, 7, seed=10, dtype=torch.bfloat16)
    return _safe(model, folder / "brain.safetensors")


def _onnx_half(folder: Path) -> Written:
    model = sequential(1, 8, seed=11, dtype=torch.float16)
    return of(model, graph(model, folder / "half.onnx", by_matmul=True))


NETWORKS: dict[str, Callable[[Path], Written]] = {
    "one input": lambda folder: of(sequential(1, 20)),
    "one input, double": lambda folder: of(sequential(1, 15, dtype=torch.float64)),
    "one input, half": lambda folder: of(sequential(1, 30, dtype=torch.float16)),
    "one input, bfloat16": lambda folder: of(sequential(1, 30, dtype=torch.bfloat16)),
    "one input, no biases": lambda folder: of(sequential(1, 6, bias=False)),
    "one input, two outputs": lambda folder: of(sequential(1, 10, k=2)),
    "two inputs": lambda folder: of(sequential(2, 16)),
    "two inputs, three outputs": lambda folder: of(sequential(2, 16, k=3)),
    "five inputs": lambda folder: of(sequential(5, 8)),
    "five inputs, no biases": lambda folder: of(sequential(5, 8, bias=False)),
    "one unit": lambda folder: of(sequential(1, 1)),
    "nested": lambda folder: of(
        torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Sequential(*sequential(2, 5)[:2]), torch.nn.Linear(5, 1))
    ),
    "a class of one's own": lambda folder: of(Custom(2, 9, 2)),
    "pruned": _pruned,
    "dead": _dead,
    "duplicated": _duplicated,
    "duplicated in the plane": _duplicated_in_the_plane,
    "state dict": lambda folder: _saved(sequential(1, 9, seed=1), folder / "net.pth"),
    "state dict of one's own class": lambda folder: _saved(Custom(3, 4, 2), folder / "net.pt"),
    "checkpoint": _checkpoint,
    "safetensors": lambda folder: _safe(sequential(1, 11, seed=2), folder / "net.safetensors"),
    "safetensors, bfloat16": _brain,
    "onnx": lambda folder: of(m := sequential(1, 12, seed=7), graph(m, folder / "net.onnx")),
    "onnx by MatMul and Add": lambda folder: of(
        m := sequential(2, 6, k=2), graph(m, folder / "m.onnx", by_matmul=True)
    ),
    "onnx, no biases": lambda folder: of(
        m := sequential(5, 4, bias=False), graph(m, folder / "n.onnx", by_matmul=True)
    ),
    "onnx, half": _onnx_half,
    "onnx, tensors outside": _external,
    "json": _json,
    "csv": _csv,
}
"""By a name that says what is special."""
