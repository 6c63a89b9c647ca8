"""An inspection of any network that is read has all its parts: text, JSON, a page; what is not computed says why."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
import torch

import implicitbias as ib
from implicitbias.errors import DataError
from implicitbias.networks.samples import samples
from tests.support.networks import NETWORKS, sequential


class _Tags(HTMLParser):
    """Every tag that must be closed is."""

    VOID = ("meta", "circle", "path", "polyline", "tr", "th", "td")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.met: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.met.add(tag)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open.pop() == tag


@pytest.mark.parametrize("name", NETWORKS)
def test_every_network_is_told_of_in_words_json_and_a_page(name: str, tmp_path: Path) -> None:
    written = NETWORKS[name](tmp_path)
    rng = np.random.default_rng(0)
    outputs = written.v.shape[1]
    x = rng.normal(size=(4, written.w.shape[1]))
    y = rng.normal(size=(4, outputs))
    found = ib.inspect(written.given, x, y)
    for key, quantity in found.quantities.items():
        assert quantity.value is not None or quantity.note, f"{key} is not computed and does not say why"
    assert found["loss"] == pytest.approx(((written(x) - y) ** 2).sum() / 2, rel=1e-9)
    text = str(found)
    assert found.title in text
    assert all(section.title in text for section in found.sections)
    document = json.loads(json.dumps(found.document(), allow_nan=False))
    assert document["network"]["units"] == [len(written.w)]
    keys = [key for section in document["sections"] for key in section["quantities"]]
    assert keys == list(found.quantities)
    assert not _Tags(found.page()).open
    assert "svg" in _Tags(found._repr_html_()).met
    assert repr(found).startswith("<Inspection: A network of")


def test_of_more_layers_path_norms_and_pieces_are_told_and_no_more():
    torch.manual_seed(0)
    layers = [torch.nn.Linear(2, 5), torch.nn.ReLU(), torch.nn.Linear(5, 4), torch.nn.ReLU(), torch.nn.Linear(4, 2)]
    found = ib.inspect(torch.nn.Sequential(*layers), [[0.0, 1.0], [1.0, -1.0], [2.0, 0.0]])
    assert [section.title for section in found.sections] == ["Weights", "Along segments between data"]
    assert "there is no theory here" in str(found)
    a, b, c = (layer.weight.detach().double().numpy() for layer in layers[::2])
    paths = [abs(c[k, j] * b[j, i] * a[i, m]) for k in range(2) for j in range(4) for i in range(5) for m in range(2)]
    assert found["path_norm_1"] == pytest.approx(sum(paths))
    assert found["path_norm_2"] == pytest.approx(sum(path**2 for path in paths) ** 0.5)


def test_without_data_it_says_what_data_are_for():
    found = ib.inspect(sequential(1, 3))
    assert "no data are given" in found.remarks[0]
    assert "representation_cost" in found.quantities
    assert found.headline == ""


def test_names_of_files_are_escaped_on_the_page(tmp_path: Path) -> None:
    file = tmp_path / "<script>alert(1)<.json"
    file.write_text('{"w": [1], "b": [0], "v": [1]}')
    assert "<script" not in ib.inspect(file).page()


@pytest.mark.parametrize(
    ("x", "y", "words"),
    [
        (np.ones((2, 3)), None, "the network has 2 inputs"),
        (np.full((2, 2), np.nan), None, "must be finite"),
        (np.ones((2, 2)), [1.0], "one label for each"),
        (np.ones((2, 2)), np.ones((2, 3)), r"the shape \(M, 1\)"),
        (np.ones((3, 2)), ["a", "b", "c"], "3 classes"),
        ([[1, 2], [3]], None, "rows of one length"),
        ([["a", "b"]], None, "numbers are needed"),
        (np.ones((2, 2)), [1j, 2], "real numbers or classes"),
    ],
)
def test_data_that_do_not_fit_are_refused(x: object, y: object, words: str) -> None:
    with pytest.raises(DataError, match=words):
        ib.inspect(sequential(2, 3), x, y)


def test_data_frames_are_taken():
    pandas = pytest.importorskip("pandas")
    assert samples(pandas.DataFrame({"a": [1, 2], "b": [3.5, 4]}), pandas.Series([1, 2]), 2, 1).x.tolist() == [
        [1, 3.5],
        [2, 4],
    ]


def test_data_come_as_tensors_and_lists_and_classes_as_they_are_written():
    x = [[0.0, 1.0], [2.0, 3.0]]
    for given in (x, np.array(x), torch.tensor(x)):
        assert samples(given, None, 2, 1).x.tolist() == x
    assert samples(x, ["no", "yes"], 2, 1).signs.tolist() == [-1, 1]
    assert samples(x, [True, False], 2, 1).signs.tolist() == [1, -1]
    assert samples(x, [0, 1], 2, 1).classes is None
    assert samples(x, [0, 1], 2, 1, classes=True).signs.tolist() == [-1, 1]
    assert samples(x, [1.0, -1.0], 2, 1).signs.tolist() == [1, -1]
    assert samples(x, [2, 0], 2, 3).names == ("0", "1", "2")
    assert samples(np.ones((2, 1, 2)), None, 2, 1).x.shape == (2, 2)
