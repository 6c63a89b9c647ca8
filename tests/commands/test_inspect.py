"""`implicitbias inspect` as a user runs it."""

from __future__ import annotations

import json

import pytest
import torch

from tests.support.networks import sequential

NETWORK = '{"w": [1, 1, -1, 1], "b": [1, 0, 1, -1], "v": [1, -2, 0.5, 1], "c": 0.25}'


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "net.json").write_text(NETWORK)
    (tmp_path / "points.csv").write_text("x,y\n-2,0.5\n0,1/3\n1,0.1\n")
    (tmp_path / "classes.csv").write_text("x,label\n-2,cat\n0,dog\n1,cat\n")
    return tmp_path


def test_it_prints_a_picture_and_how_many_times_the_least_it_costs(run, files):
    """By hand: f is 1.75, 1.75 and 0.25 there, so the least is 1.5, and ½ Σ of squares is 5.125."""
    found = run("inspect", "net.json", "--data", "points.csv")
    assert found.code == 0
    assert "●" in found.out
    assert "The weights cost 3.417 times the least that has the same values at the data." in found.out
    assert "●" not in run("inspect", "net.json", "--data", "points.csv", "--no-plot").out


def test_json_a_page_and_a_certificate_that_is_accepted(run, files):
    found = run("inspect", "net.json", "--data", "points.csv", "--json", "--html", "p.html", "--certificate", "c.json")
    assert found.code == 0
    told = json.loads(found.out)
    assert told["certificate"] == "c.json"
    assert told["sections"][1]["quantities"]["representation_cost"]["value"]["exact"] == "9/2"
    assert (files / "p.html").read_text().startswith("<!doctype html>")
    assert run("check-certificate", "c.json").code == 0
    assert run("inspect", "net.json", "--html", "-").out.startswith("<!doctype html>")


def test_decimals_of_data_are_taken_as_they_are_written(run, files):
    (files / "ramp.json").write_text('{"w": [1], "b": [0], "v": [1]}')
    (files / "third.csv").write_text("-1\n0.1\n1/3\n")
    told = json.loads(run("inspect", "ramp.json", "--data", "third.csv", "--json").out)
    least = told["sections"][2]["quantities"]["least"]["value"]["exact"]
    assert least == "1"  # slopes 1/11 and 1 by hand: max(T, (T + |a + b|)/2) = max(10/11, 1)


def test_labels_that_are_words_are_classes(run, files):
    found = run("inspect", "net.json", "--data", "classes.csv")
    assert "y = 1 is dog" in found.out
    assert "labels that are numbers are needed" in found.out
    assert run("inspect", "net.json", "--data", "points.csv", "--classes").code == 2


def test_several_inputs_and_outputs_from_a_torch_file(run, files):
    torch.save(sequential(2, 6, 3).state_dict(), files / "net.pt")
    (files / "d.csv").write_text("a,b,y\n0,0,0\n1,0,1\n0,1,2\n")
    found = run("inspect", "net.pt", "--data", "d.csv")
    assert found.code == 0
    assert "softmax" in found.out
    assert "variation of output 3" in found.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["none.json"], "there is no file"),
        (["net.json", "--certificate", "c.json"], "belongs to --data"),
        (["net.json", "--data", "points.csv", "--weight", "normal(0,1)"], "say how the network was initialised"),
        (["net.json", "--data", "net.json"], "net.json"),
        (["net.json", "--data", "wide.csv"], "has 4 columns"),
        (["net.json", "--data", "bad.csv"], "line 2"),
        (["net.json", "--html", "none/p.html"], "does not exist"),
        (["norm.pt"], "batch normalisation"),
        (["-", "--data", "-"], "cannot both come"),
    ],
)
def test_what_cannot_be_inspected_is_refused_with_exit_code_2(run, files, arguments, words):
    (files / "wide.csv").write_text("1,2,3,4\n")
    (files / "bad.csv").write_text("x,y\n1,nan\n")
    torch.save({"0.weight": torch.ones(2, 1), "1.running_mean": torch.ones(2), "2.weight": torch.ones(1, 2)}, "norm.pt")
    found = run("inspect", *arguments)
    assert found.code == 2
    assert words in found.err
