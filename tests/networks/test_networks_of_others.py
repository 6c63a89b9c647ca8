"""Networks as others really hold them: wrapped, compiled, hooked, prefixed. They are read, or refused in a line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import scipy.sparse
import torch
from onnx import helper, numpy_helper
from safetensors.torch import save_file
from torch.nn.utils import parametrizations

import implicitbias as ib
from implicitbias.errors import DataError
from implicitbias.networks.reading.read import read_network
from implicitbias.networks.samples import samples
from tests.support.networks import Custom, of, sequential

Linear, ReLU, Sequential = torch.nn.Linear, torch.nn.ReLU, torch.nn.Sequential


def net(*more: torch.nn.Module, d: int = 2, n: int = 4, k: int = 1) -> Any:
    return Sequential(*sequential(d, n, k), *more)


class Of(torch.nn.Module):
    """A module that does something with a network of two layers."""

    def __init__(self, does: Any, d: int = 2, k: int = 1) -> None:
        super().__init__()
        self.fc1, self.fc2, self.does = Linear(d, 4), Linear(4, k), does

    def body(self, x: Any) -> Any:
        return self.fc2(torch.relu(self.fc1(x)))

    def forward(self, x: Any) -> Any:
        return self.does(self, x)


class Lightning(torch.nn.Module):
    """As frameworks for training want it: a model and a loss inside, and steps beside `forward`."""

    def __init__(self) -> None:
        super().__init__()
        self.model, self.loss = sequential(2, 4), torch.nn.MSELoss()

    def forward(self, x: Any) -> Any:
        return self.model(x)

    def training_step(self, batch: Any, index: int) -> Any:
        return self.loss(self(batch[0]), batch[1])


def normalised(model: Any) -> Any:
    parametrizations.weight_norm(model[0])
    return model


def tied() -> Any:
    layer = Linear(3, 3)
    return Sequential(layer, ReLU(), layer)


READ = {
    "wrapped for several devices": lambda: torch.nn.DataParallel(net()),
    "a wrapper inside": lambda: Sequential(torch.nn.DataParallel(net()[:2]), Linear(4, 1)),
    "compiled": lambda: torch.compile(net(), backend="eager"),
    "a compiled class": lambda: torch.compile(Custom(2, 4, 1), backend="eager"),
    "a Lightning module": Lightning,
    "fc1 and fc2": lambda: Of(lambda self, x: self.body(x)),
    "flattened by size": lambda: Of(lambda self, x: self.body(x.view(x.size(0), -1))),
    "flattened by shape": lambda: Of(lambda self, x: self.body(x.reshape(x.shape[0], -1))),
    "flattened by number": lambda: Of(lambda self, x: self.body(x.view(-1, 2))),
    "Flatten first": lambda: Sequential(torch.nn.Flatten(), *net()),
    "the only output taken": lambda: Of(lambda self, x: self.body(x)[:, 0]),
    "squeezed": lambda: Of(lambda self, x: self.body(x.float()).squeeze(-1)),
    "two branches of a mode": lambda: Of(lambda self, x: self.body(x + 1 if self.training else x)).eval(),
    "a Sequential of one's own": lambda: type("Mine", (Sequential,), {})(*net()),
    "normalised weights": lambda: normalised(net()),
    "a hook that only looks": lambda: (m := net(), m[0].register_forward_hook(lambda *_: None))[0],
}  # fmt: skip


@pytest.mark.parametrize("name", READ)
def test_modules_are_read_with_what_is_around_them(name: str) -> None:
    module = READ[name]()
    found, written = read_network(module), of(module)
    x = np.random.default_rng(1).normal(size=(7, 2))
    with torch.no_grad():
        own = module(torch.tensor(x, dtype=torch.float32)).reshape(7, 1).numpy()
    assert np.allclose(found(x), own, atol=1e-5)  # float32
    assert np.array_equal(found.weights[0], written.w)


def test_tied_weights_are_two_layers() -> None:
    found = read_network(tied())
    assert np.array_equal(found.weights[0], found.weights[1])
    assert found.outputs == 3


class Doubled(Linear):
    def forward(self, x: Any) -> Any:
        return 2 * super().forward(x)


class Lowered(ReLU):
    def forward(self, x: Any) -> Any:
        return super().forward(x) - 1


class Twice(Sequential):
    def forward(self, x: Any) -> Any:
        return super().forward(x) * 2


def hooked(change: Any) -> Any:
    model = net()
    model[0].register_forward_hook(lambda module, given, result: change(result))
    return model


OTHERWISE = {
    "a Linear that does more": (lambda: Sequential(Doubled(2, 4), ReLU(), Linear(4, 1)), "outside of layers"),
    "a ReLU that does more": (lambda: Sequential(Linear(2, 4), Lowered(), Linear(4, 1)), "sub in its forward pass"),
    "a Sequential that does more": (lambda: Twice(*net()), "mul in its forward pass"),
    "a hook that changes": (lambda: hooked(lambda result: 1.01 * result), "returns other numbers"),
    "a hook that fails": (lambda: hooked(lambda result: result[:, :2]), "cannot be run on inputs of the shape"),
    "one output of three": (lambda: Of(lambda self, x: self.body(x)[:, 0], k=3), r"returns \(5,\) where"),
    "outputs turned round": (lambda: Of(lambda self, x: self.body(x)[:, [1, 0]], k=2), "returns other numbers"),
    "a dict of outputs": (lambda: Of(lambda self, x: {"logits": self.body(x)}), "returns a dict"),
    "weights as numbers": (lambda: Of(lambda self, x: self.body(x - self.fc2.bias)), "outside of layers"),
    "two inputs": (lambda: torch.nn.Bilinear(2, 2, 3), "Bilinear"),
    "a sum of two": (lambda: Of(lambda self, x: self.body(x) + self.body(x)), "no chain of layers"),
    "scripted": (lambda: torch.jit.script(net()), "torch.jit: give the module"),
    "a ModuleList": (lambda: torch.nn.ModuleList(net()), "ModuleList"),
    "empty": (Sequential, "one linear layer"),
    "without values": (lambda: Sequential(torch.nn.LazyLinear(3), ReLU(), Linear(3, 1)), "no values yet"),
    "on no device": (lambda: net().to("meta"), "no real numbers in memory"),
    "the class, not a module": (lambda: Sequential, "of the type type"),
    "an array": (lambda: np.ones((3, 3)), "of the type ndarray"),
    "a network of scikit-learn": (lambda: ib.MinimumNormRegressor(), "of the type MinimumNormRegressor"),
}  # fmt: skip


@pytest.mark.parametrize("name", OTHERWISE)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_what_its_layers_do_not_explain_is_refused_in_one_line(name: str) -> None:
    made, words = OTHERWISE[name]
    with pytest.raises(DataError, match=words) as refused:
        read_network(made())
    assert "\n" not in str(refused.value)


PREFIXES = ("module.", "_orig_mod.", "net.module.", "größe.")


@pytest.mark.parametrize("prefix", PREFIXES)
def test_prefixes_of_names_do_not_matter(prefix: str, tmp_path: Path) -> None:
    model = sequential(2, 4)
    state = {f"{prefix}{name}": tensor for name, tensor in model.state_dict().items()}
    save_file(state, tmp_path / "net.safetensors")
    for given in (state, tmp_path / "net.safetensors"):
        assert np.array_equal(read_network(given).weights[0], of(model).w)


@pytest.mark.parametrize("key", ["state_dict", "net", "weights"])
def test_a_state_dict_is_found_in_a_checkpoint_whatever_its_name(key: str, tmp_path: Path) -> None:
    model = sequential(2, 4)
    optimiser = torch.optim.SGD(model.parameters())
    checkpoint = {"epoch": 3, key: model.state_dict(), "optimiser": optimiser.state_dict(), "notes": {"lr": 0.1}}
    torch.save(checkpoint, tmp_path / "c.ckpt")
    assert np.array_equal(read_network(tmp_path / "c.ckpt").weights[0], of(model).w)


def test_kernels_of_keras_and_flax_have_a_row_for_each_input() -> None:
    w, v = np.arange(4.0).reshape(2, 2) + 1, np.array([[1.0, 2.0], [0.0, 1.0]])
    keras = {"dense/kernel": w, "dense/bias": np.ones(2), "dense_1/kernel": v, "dense_1/bias": np.zeros(2)}
    x = np.array([[1.0, -2.0], [0.5, 3.0]])
    expected = np.maximum(x @ w + 1, 0) @ v
    assert np.array_equal(read_network(keras)(x), expected)
    flax = {"params.Dense_0.kernel": w, "params.Dense_0.bias": np.ones(2), "params.Dense_1.kernel": v}
    assert np.array_equal(read_network(flax)(x), expected)


@pytest.mark.parametrize("old", [False, True])
@pytest.mark.filterwarnings("ignore")
def test_a_state_dict_of_normalised_weights_says_what_to_do(old: bool) -> None:
    model = net()
    torch.nn.utils.weight_norm(model[0]) if old else normalised(model)
    with pytest.raises(DataError, match=r"computed of others.*give the module itself"):
        read_network(model.state_dict())


def onnx_file(nodes: list[Any], constants: dict[str, Any], path: Path) -> Path:
    ends = [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None) for name in "xy"]
    kept = [numpy_helper.from_array(np.asarray(value, np.float32), name) for name, value in constants.items()]
    onnx.save(helper.make_model(helper.make_graph(nodes, "g", ends[:1], ends[1:], kept)), path)
    return path


W, B, V = np.arange(6.0).reshape(2, 3), np.array([0.0, -1, 1]), np.array([[1.0], [-2.0], [0.5]])
NODE = helper.make_node
GRAPHS = {
    "Gemm with transB=0": [NODE("Gemm", ["x", "W", "b"], ["h"])],
    "MatMul and Add": [NODE("MatMul", ["x", "W"], ["m"]), NODE("Add", ["m", "b"], ["h"])],
}


@pytest.mark.parametrize("name", GRAPHS)
def test_graphs_with_the_weights_as_columns_are_read(name: str, tmp_path: Path) -> None:
    rest = [NODE("Relu", ["h"], ["r"]), NODE("MatMul", ["r", "V"], ["y"])]
    found = read_network(onnx_file([*GRAPHS[name], *rest], {"W": W, "b": B, "V": V}, tmp_path / "net.onnx"))
    x = np.array([[1.0, -2.0], [0.5, 3.0]])
    assert np.array_equal(found(x), np.maximum(x @ W + B, 0) @ V)


@pytest.mark.parametrize(
    ("first", "words"),
    [
        (NODE("Gemm", ["x", "W", "b"], ["h"], alpha=0.5), "alpha, beta or transA"),
        (NODE("Gemm", ["x", "W", "b"], ["h"], transA=1), "alpha, beta or transA"),
        (NODE("Add", ["x", "b"], ["h"]), "Add that does not follow a MatMul"),
        (NODE("Sub", ["x", "b"], ["h"]), "Sub"),
        (NODE("Clip", ["x", "b"], ["h"]), "Clip"),
    ],
)
def test_graphs_that_do_something_else_are_refused(first: Any, words: str, tmp_path: Path) -> None:
    rest = [NODE("Relu", ["h"], ["r"]), NODE("MatMul", ["r", "V"], ["y"])]
    with pytest.raises(DataError, match=words):
        read_network(onnx_file([first, *rest], {"W": W, "b": B, "V": V}, tmp_path / "net.onnx"))


@pytest.mark.parametrize(
    ("x", "y", "words"),
    [
        ([], None, r"the shape \(M, 2\)"),
        (np.zeros((0, 2)), [], r"the shape \(M, 2\)"),
        (3.0, None, r"the shape \(M, 2\)"),
        (scipy.sparse.csr_matrix(np.eye(2)), None, "X is a csr_matrix: an array"),
        ((row for row in np.eye(2)), None, "X is a generator: an array"),
        ({0, 1}, None, "X is a set: an array"),
        (np.ma.masked_array(np.eye(2), mask=np.eye(2)), None, "X has masked entries"),
        ("data.csv", None, "X holds text"),
        ([[1e300, 0], [0, 1]], None, r"X must be of sizes up to 1e\+150"),
        (np.eye(2), [1e308, -1e308], r"y must be of sizes up to 1e\+150"),
        (np.eye(2), [0, 0], "1 class "),
    ],
)
def test_data_of_another_kind_are_refused_in_one_line(x: Any, y: Any, words: str) -> None:
    with pytest.raises(DataError, match=words) as refused:
        samples(x, y, 2, 1, classes=y == [0, 0])
    assert "\n" not in str(refused.value)


def test_tensors_of_any_type_and_tables_with_any_names_are_taken() -> None:
    polars = pytest.importorskip("polars")
    for given in (
        torch.eye(2, dtype=torch.bfloat16),
        torch.eye(2, dtype=torch.float16, requires_grad=True),
        torch.eye(2, dtype=torch.int8),
        polars.DataFrame({"größe Δ\n": [1.0, 0.0], "": [0, 1]}),
    ):
        assert samples(given, [1, 2], 2, 1).x.tolist() == [[1, 0], [0, 1]]


def test_points_that_repeat_are_inspected() -> None:
    found = ib.inspect(sequential(2, 3), [[0, 1], [0, 1], [1, 1]], [0, 1, 2])
    assert found["times_least_network"].lower >= 1
