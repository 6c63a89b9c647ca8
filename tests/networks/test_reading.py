"""Networks are read exactly as they were written, or refused with what was found and what is supported."""

from __future__ import annotations

import json
import os
import pickle
from pathlib import Path

import numpy as np
import onnx
import pytest
import torch
from onnx import helper
from safetensors.torch import save_file

from implicitbias import Network
from implicitbias.errors import DataError, UserError
from implicitbias.networks.reading.read import read_network
from implicitbias.training.two_layer import TwoLayer
from tests.support.networks import NETWORKS, Custom, graph, sequential


@pytest.mark.parametrize("name", NETWORKS)
def test_every_number_is_read_exactly(name: str, tmp_path: Path) -> None:
    written = NETWORKS[name](tmp_path)
    found = read_network(written.given)
    assert np.array_equal(found.weights[0], written.w)
    assert np.array_equal(found.weights[1], written.v.T)
    assert np.array_equal(found.bias(0), written.b)
    assert np.array_equal(found.bias(1), written.c)
    x = np.random.default_rng(0).normal(size=(50, found.inputs))
    assert np.allclose(found.two_layer(x), written(x), rtol=1e-12, atol=1e-12)  # sums of a few products of size 1


@pytest.mark.parametrize(
    ("name", "dtype", "form"),
    [
        ("one input, half", "float16", "torch module"),
        ("safetensors, bfloat16", "bfloat16", "safetensors"),
        ("onnx, half", "float16", "ONNX"),
        ("state dict", "float32", "torch state dict"),
    ],
)
def test_the_form_and_the_type_of_numbers_are_told(name: str, dtype: str, form: str, tmp_path: Path) -> None:
    origin = read_network(NETWORKS[name](tmp_path).given).origin
    assert (origin.dtype, origin.form) == (dtype, form)


def test_a_network_without_biases_has_none(tmp_path: Path) -> None:
    assert read_network(NETWORKS["onnx, no biases"](tmp_path).given).biases == (None, None)


def test_our_own_objects_and_state_dicts_in_memory_are_read() -> None:
    assert read_network(Network([1, "1/2"], [0, 1], [2, -1], 3)).bias(1).tolist() == [3]
    assert read_network(Network([1, "1/3"], [0, 1], [2, -1], 3)).origin.remarks
    assert read_network(TwoLayer([[1.0, 2.0]], [0.0], [[1.0, 2.0]])).outputs == 2
    assert read_network(sequential(3, 4).state_dict()).inputs == 3
    assert read_network({"W1": np.ones((4, 3)), "b1": np.ones(4), "W2": np.ones((1, 4)), "b2": np.ones(1)}).inputs == 3


def test_layers_are_ordered_by_the_numbers_in_their_names_or_by_shape(tmp_path: Path) -> None:
    deep = {f"{i}.weight": torch.full((2, 2), float(i)) for i in (10, 2, 0)}
    save_file(deep, tmp_path / "deep.safetensors")
    found = read_network(tmp_path / "deep.safetensors")
    assert [matrix[0, 0] for matrix in found.weights] == [0, 2, 10]
    assert "0.weight, then 2.weight, then 10.weight" in found.origin.remarks[0]
    save_file({"a.weight": torch.ones(1, 7), "z.weight": torch.ones(7, 3)}, tmp_path / "named.safetensors")
    assert read_network(tmp_path / "named.safetensors").inputs == 3


class Residual(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = torch.nn.Linear(2, 2), torch.nn.Linear(2, 1)

    def forward(self, x):
        return self.second(torch.relu(self.first(x)) + x)


class Branching(Custom):
    def forward(self, x):
        return self.output(torch.relu(self.hidden(x))) if x.sum() > 0 else x


def parts(*more: torch.nn.Module) -> torch.nn.Sequential:
    return torch.nn.Sequential(*more)


LINEAR, OUT = torch.nn.Linear(2, 4), torch.nn.Linear(4, 1)
REFUSED = {
    "Dropout": parts(LINEAR, torch.nn.ReLU(), torch.nn.Dropout(), OUT),
    "BatchNorm1d": parts(LINEAR, torch.nn.BatchNorm1d(4), torch.nn.ReLU(), OUT),
    "LayerNorm": parts(LINEAR, torch.nn.LayerNorm(4), torch.nn.ReLU(), OUT),
    "Conv1d": parts(torch.nn.Conv1d(1, 4, 3), torch.nn.ReLU()),
    "Tanh": parts(LINEAR, torch.nn.Tanh(), OUT),
    "LeakyReLU": parts(LINEAR, torch.nn.LeakyReLU(), OUT),
    "Sigmoid": parts(LINEAR, torch.nn.ReLU(), OUT, torch.nn.Sigmoid()),
    "two linear layers without a ReLU": parts(LINEAR, OUT),
    "a ReLU after the last": parts(LINEAR, torch.nn.ReLU(), OUT, torch.nn.ReLU()),
    "no chain of layers": Residual(),
}


@pytest.mark.parametrize("found", REFUSED)
def test_modules_of_which_there_is_no_theory_are_refused(found: str) -> None:
    with pytest.raises(DataError, match="supported: a network of Linear, ReLU, Linear") as refused:
        read_network(REFUSED[found])
    assert found in str(refused.value)


def test_other_modules_are_refused_with_a_reason() -> None:
    with pytest.raises(DataError, match="cannot be followed"):
        read_network(Branching(2, 3, 2))
    with pytest.raises(DataError, match="one linear layer"):
        read_network(parts(LINEAR))
    with pytest.raises(DataError, match="must be finite"):
        read_network({"0.weight": torch.full((2, 1), torch.nan), "2.weight": torch.ones(1, 2)})
    with pytest.raises(DataError, match="complex"):
        read_network({"0.weight": torch.ones(2, 1, dtype=torch.complex64), "2.weight": torch.ones(1, 2)})
    with pytest.raises(DataError, match="a path, a torch module"):
        read_network(3)


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ({"0.weight": torch.ones(3, 2), "1.running_mean": torch.ones(3), "3.weight": torch.ones(1, 3)}, "batch norm"),
        ({"0.weight": torch.ones(3, 1, 5), "2.weight": torch.ones(1, 3)}, "convolution"),
        ({"0.weight": torch.ones(3, 2), "1.weight": torch.ones(3), "2.weight": torch.ones(1, 3)}, "1.weight"),
        ({"0.weight": torch.ones(3, 2)}, "two layers"),
        ({"0.weight": torch.ones(3, 2), "2.weight": torch.ones(1, 4)}, "no order of the layers fits"),
        ({"0.weight": torch.ones(3, 2), "2.weight": torch.ones(1, 3), "2.bias": torch.ones(2)}, "biases of the shape"),
        ([torch.ones(2)], "a list"),
        ({}, "a dict"),
    ],
)
def test_state_dicts_that_are_no_such_network(state: object, words: str, tmp_path: Path) -> None:
    torch.save(state, tmp_path / "net.pt")
    with pytest.raises(DataError, match=words):
        read_network(tmp_path / "net.pt")


class Executes:
    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self):
        return os.mkdir, (str(self.mark),)


@pytest.mark.parametrize("name", ["net.pt", "net.bin", "net.safetensors", "net.onnx"])
def test_nothing_in_a_file_is_executed(name: str, tmp_path: Path) -> None:
    mark = tmp_path / "executed"
    (tmp_path / name).write_bytes(pickle.dumps(Executes(mark)))
    with pytest.raises(DataError, match=name):
        read_network(tmp_path / name)
    torch.save(sequential(1, 2), tmp_path / "whole.pt")
    with pytest.raises(DataError, match="was not executed"):
        read_network(tmp_path / "whole.pt")
    assert not mark.exists()


@pytest.mark.parametrize(
    ("operation", "words"),
    [("Dropout", "Dropout"), ("Tanh", "Tanh"), ("BatchNormalization", "no chain|BatchNorm"), ("Softmax", "Softmax")],
)
def test_onnx_graphs_with_other_operations_are_refused(operation: str, words: str, tmp_path: Path) -> None:
    model = onnx.load(graph(sequential(2, 3), tmp_path / "net.onnx"))
    last = model.graph.output[0].name
    model.graph.node.append(helper.make_node(operation, [last], ["end"]))
    model.graph.output[0].name = "end"
    onnx.save(model, tmp_path / "net.onnx")
    with pytest.raises(DataError, match=words):
        read_network(tmp_path / "net.onnx")


def test_onnx_tensors_outside_of_the_folder_are_not_read(tmp_path: Path) -> None:
    NETWORKS["onnx, tensors outside"](tmp_path)
    (tmp_path / "in").mkdir()
    model = onnx.load(tmp_path / "outside.onnx", load_external_data=False)
    for tensor in model.graph.initializer:
        next(e for e in tensor.external_data if e.key == "location").value = "../outside.data"
    (tmp_path / "in" / "net.onnx").write_bytes(model.SerializeToString())
    with pytest.raises(DataError, match=r"cannot be read|no ONNX file"):
        read_network(tmp_path / "in" / "net.onnx")


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("net.json", '{"w": [1], "b": [0]}', "fields w, b, v"),
        ("net.json", '{"w": [[1, 2], [3]], "b": [0, 0], "v": [1, 1]}', "one length|number is needed"),
        ("net.json", '{"w": [true], "b": [0], "v": ["x"]}', "a number is needed"),
        ("net.json", '{"w": [NaN], "b": [0], "v": [1]}', "finite"),
        ("net.json", "{", "no JSON"),
        ("net.csv", "w,b\n1,2\n", "one column named"),
        ("net.h5", "\x89HDF\0", "none of the files"),
        ("net.onnx", "hello", "no ONNX file"),
        ("net.safetensors", "hello", "no safetensors file"),
    ],
)
def test_files_that_are_no_network(name: str, text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(DataError, match=words):
        read_network(tmp_path / name)


def test_fractions_of_json_are_rounded_and_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "net.json").write_text(json.dumps({"w": ["1/3"], "b": [0], "v": [1]}))
    found = read_network(tmp_path / "net.json")
    assert found.weights[0][0, 0] == 1 / 3
    assert "nearest doubles" in found.origin.remarks[0]


@pytest.mark.parametrize(("name", "extra"), [("safetensors", "safetensors"), ("onnx", "onnx")])
def test_a_library_that_is_not_there_is_named(
    name: str, extra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = NETWORKS[name](tmp_path)
    monkeypatch.setitem(__import__("sys").modules, extra, None)
    with pytest.raises(UserError, match=rf"pip install 'implicitbias\[{extra}\]'"):
        read_network(written.given)
