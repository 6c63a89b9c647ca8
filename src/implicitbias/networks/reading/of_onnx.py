"""Networks from ONNX files, read by the library onnx: chains of Gemm, or MatMul and Add, and Relu."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from implicitbias.errors import DataError, brought_by_extra
from implicitbias.networks.reading.of_torch import real_array
from implicitbias.networks.reading.supported import refuse
from implicitbias.networks.stack import Origin, Stack, stack

MOST_BYTES = 500_000_000
"""Of tensors that are kept in files beside the graph."""
PASSING = {"Identity", "Flatten", "Squeeze", "Reshape"}
"""Operations that leave the numbers of one input as they are."""


def from_onnx(raw: bytes, source: str, folder: Path | None) -> Stack:
    """The network that the graph computes.

    folder  where tensors outside of the file are looked for
    """
    with brought_by_extra(f"{source} is an ONNX file, which"):
        import onnx
    try:
        model = onnx.load_model_from_string(raw)
        if folder is not None:
            _load_outside(model, folder)
        graph = model.graph
        constants = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in graph.initializer}
        for node in graph.node:
            if node.op_type == "Constant" and (value := _attribute(node, "value")) is not None:
                constants[node.output[0]] = onnx.numpy_helper.to_array(value)
    except DataError:
        raise
    except Exception as error:  # protobuf's errors, and those of tensors that are not where they should be
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0][:120]
        raise DataError(f"{source} is no ONNX file that can be read: {reason}") from None
    return _Chain(source, constants).read(graph)


def _load_outside(model: Any, folder: Path) -> None:
    from onnx.external_data_helper import _get_all_tensors, load_external_data_for_model, uses_external_data

    outside = [tensor for tensor in _get_all_tensors(model) if uses_external_data(tensor)]
    if not outside:
        return
    size = sum(8 * _product(tensor.dims) for tensor in outside)
    if size > MOST_BYTES:
        raise DataError(f"the tensors beside the graph take some {size // 10**6} MB: {MOST_BYTES // 10**6} are read")
    load_external_data_for_model(model, str(folder))


def _product(numbers: Any) -> int:
    total = 1
    for number in numbers:
        total *= int(number)
    return total


@dataclass
class _Chain:
    """The layers that were met on the way from the input to the output."""

    source: str
    constants: dict[str, Any]
    weights: list[Any] = field(default_factory=list)
    biases: list[Any] = field(default_factory=list)
    dtypes: list[str] = field(default_factory=list)
    bent: bool = True

    def read(self, graph: Any) -> Stack:
        inputs = [entry.name for entry in graph.input if entry.name not in self.constants]
        if len(inputs) != 1 or len(graph.output) != 1:
            refuse(self.source, f"{len(inputs)} inputs and {len(graph.output)} outputs")
        at = inputs[0]
        for node in graph.node:  # a graph lists its nodes in the order in which they are computed
            if not self._constant(node):
                at = self._step(node, at)
        if at != graph.output[0].name:
            refuse(self.source, "an output that is not at the end of the chain of layers")
        if self.weights and self.bent:
            refuse(self.source, "a Relu after the last linear layer")
        return stack(self.weights, self.biases, Origin(self.source, "ONNX", " and ".join(dict.fromkeys(self.dtypes))))

    def _constant(self, node: Any) -> bool:
        """Whether the node only names or transposes constants."""
        if node.op_type == "Constant":
            if node.output[0] not in self.constants:
                refuse(self.source, "a constant that is no tensor")
            return True
        if node.op_type not in ("Transpose", "Identity", "Cast") or node.input[0] not in self.constants:
            return False
        if node.op_type == "Cast":
            refuse(self.source, "Cast of its weights")
        value = self.constants[node.input[0]]
        self.constants[node.output[0]] = value.transpose(_attribute(node, "perm")) if node.op_type[0] == "T" else value
        return True

    def _step(self, node: Any, at: str) -> str:
        """Go through the node; the name of what comes out."""
        kind = node.op_type
        varying = [name for name in node.input if name and name not in self.constants]
        if varying != [at] or len([name for name in node.output if name]) != 1:
            refuse(self.source, f"a graph that is no chain of layers (at {kind})")
        if kind == "Gemm":
            self._gemm(node)
        elif kind == "MatMul":
            if node.input[0] != at:
                refuse(self.source, "MatMul with the weights before the inputs")
            self._layer(self._of(node.input[1]).T, None)
        elif kind == "Add":
            self._add(node, at)
        elif kind == "Relu":
            if self.bent:
                refuse(self.source, "a Relu that does not follow a linear layer")
            self.bent = True
        elif kind not in PASSING or node.input[0] != at:
            refuse(self.source, f"{kind}")
        return str(node.output[0])

    def _gemm(self, node: Any) -> None:
        if _attribute(node, "alpha", 1.0) != 1 or _attribute(node, "beta", 1.0) != 1 or _attribute(node, "transA", 0):
            refuse(self.source, "Gemm with alpha, beta or transA")
        if node.input[1] not in self.constants:
            refuse(self.source, "Gemm with the weights before the inputs")
        weight = self._of(node.input[1])
        bias = self._of(node.input[2]) if len(node.input) > 2 and node.input[2] else None
        self._layer(weight if _attribute(node, "transB", 0) else weight.T, bias)

    def _add(self, node: Any, at: str) -> None:
        bias = self._of(next(name for name in node.input if name != at))
        if self.bent or self.biases[-1] is not None:
            refuse(self.source, "Add that does not follow a MatMul")
        self.biases[-1] = self._row(bias)

    def _layer(self, weight: Any, bias: Any) -> None:
        if not self.bent:
            refuse(self.source, "two linear layers without a Relu between them")
        self.weights.append(weight)
        self.biases.append(None if bias is None else self._row(bias))
        self.bent = False

    def _row(self, bias: Any) -> Any:
        """A bias as one number per output: onnx also writes one row, or one number for all."""
        import numpy as np

        outputs = len(self.weights[-1])
        return (
            bias.reshape(-1) if bias.size == outputs else np.broadcast_to(bias, (outputs,)) if bias.size == 1 else bias
        )

    def _of(self, name: str) -> Any:
        value = self.constants[name]
        self.dtypes.append(str(value.dtype))
        if value.ndim > 2:
            refuse(self.source, f"a constant of the shape {value.shape}")
        return real_array(value, f"{self.source}: {name}")


def _attribute(node: Any, name: str, default: Any = None) -> Any:
    from onnx.helper import get_attribute_value

    return next((get_attribute_value(found) for found in node.attribute if found.name == name), default)
