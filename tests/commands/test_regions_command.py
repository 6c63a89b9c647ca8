"""`implicitbias regions` as a user runs it."""

from __future__ import annotations

import json
import os
import pickle
import random
from fractions import Fraction
from pathlib import Path

import pytest
import torch

import implicitbias as ib

CSV = "w,b,v\n1,0,2\n-2,0.2,1\n0.1,-0.3,1\n1,-3,-0.1\n0,1,1\n0,-1,5\n4,1,0\n"
"""A kink at 0, one at 0.1, a pair that cancels at 3 in decimals but not in doubles, a constant, two dead units."""


@pytest.fixture
def write(tmp_path):
    def make(text, name="net.csv"):
        file = tmp_path / name
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file

    return make


def test_a_csv_is_read_as_exact_decimals(run, write):
    ran = run("regions", write(CSV), "--c", "1/3", "--json")
    assert ran.code == 0
    document = json.loads(ran.out)
    assert document["regions"] == {"raw": 6, "merged": 4, "exact": 3}
    assert [(kink["x"], kink["jump"], kink["units"]) for kink in document["kinks"]] == [
        ("0", "2", [1]),
        ("1/10", "2", [2]),
    ]
    assert (document["dead"], document["constant"], document["cancelling"]) == ([6, 7], [5], [3, 4])
    assert (document["output_bias"], document["balanced"], document["shared_places"]) == ("1/3", False, 1)


def test_words_say_the_same(run, write):
    out = run("regions", write(CSV)).out
    for words in ("raw     6", "merged  4", "exact   3", "Kinks: 2", "units 3, 4", "units 6, 7"):
        assert words in out


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("header.csv", "v;b;w\n2;0;1\n-1;1;1/3\nc;0.5\n"),
        ("bare.csv", "# a network\n1 0 2\n1/3 1 -1\nc 0.5\n"),
        ("quoted.csv", '"w","b","v"\n"1","0","2"\n"1/3","1","-1"\n"c","0.5"\n'),
        ("net.json", '{"w": [1, "1/3"], "b": [0, 1], "v": [2, -1.0], "c": 5e-1}'),
    ],
)
def test_the_forms_of_a_network_agree(run, write, name, text):
    document = json.loads(run("regions", write(text, name), "--json").out)
    assert [kink["x"] for kink in document["kinks"]] == ["-3", "0"]
    assert document["output_bias"] == "1/2"


def test_a_state_dict_counts_as_the_network_it_is(run, tmp_path):
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(1, 9), torch.nn.ReLU(), torch.nn.Linear(9, 1))
    with torch.no_grad():
        model[0].weight[3], model[0].bias[3] = 4 * model[0].weight[2], 4 * model[0].bias[2]
        model[2].weight[0, 5] = 0
    torch.save(model.state_dict(), tmp_path / "net.pt")
    document = json.loads(run("regions", tmp_path / "net.pt", "--json").out)
    assert document["regions"] == {"raw": 10, "merged": 8, "exact": 8}
    net = ib.Network(
        model[0].weight[:, 0].tolist(), model[0].bias.tolist(), model[2].weight[0].tolist(), model[2].bias.item()
    )
    assert [kink["x"] for kink in document["kinks"]] == [str(knot) for knot in net.to_piecewise_linear().knots]
    assert document["output_bias"] == str(net.c)


@pytest.mark.parametrize(
    "state",
    [
        {"w": torch.ones(2), "b": torch.zeros(2), "v": torch.ones(2)},
        {"a.weight": torch.ones(2, 1), "z.weight": torch.ones(1, 2)},
        {
            "fc.weight": torch.ones(2, 1, dtype=torch.bfloat16),
            "fc.bias": torch.zeros(2),
            "out.weight": torch.ones(1, 2),
        },
    ],
)
def test_state_dicts_without_biases_or_with_plain_names_are_read(run, tmp_path, state):
    torch.save(state, tmp_path / "net.pt")
    document = json.loads(run("regions", tmp_path / "net.pt", "--json").out)
    assert [(kink["x"], kink["jump"]) for kink in document["kinks"]] == [("0", "2")]


class Executes:
    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self):
        return os.mkdir, (str(self.mark),)


@pytest.mark.parametrize("protocol", [0, 2, 4])
@pytest.mark.parametrize("name", ["net.pkl", "net.pt", "net.csv"])
def test_a_pickle_is_refused_and_not_executed(run, write, tmp_path, name, protocol):
    mark = tmp_path / "executed"
    ran = run("regions", write(pickle.dumps(Executes(mark), protocol=protocol), name))
    assert ran.code == 2
    assert name in ran.err
    assert not mark.exists()


def test_a_saved_model_is_refused_and_not_executed(run, tmp_path):
    mark = tmp_path / "executed"
    torch.save({"0.weight": torch.ones(2, 1), "extra": Executes(mark)}, tmp_path / "net.pt")
    ran = run("regions", tmp_path / "net.pt")
    assert ran.code == 2
    assert "was not executed" in ran.err
    assert not mark.exists()


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ({}, "holds a"),
        ([torch.ones(2)], "holds a list"),
        ({"a.weight": torch.ones(2, 3), "b.weight": torch.ones(1, 2)}, "(width, 1) and (1, width)"),
        ({"a.weight": torch.ones(2, 1)}, "two layers"),
        ({"a.weight": torch.ones(2, 1), "b.weight": torch.ones(1, 2), "b.bias": torch.ones(2)}, "biases of the shapes"),
        (
            {"a.weight": torch.ones(2, 1), "b.weight": torch.ones(1, 2), "scale": torch.ones(2)},
            "none of the two layers",
        ),
        ({"w": torch.ones(2), "b": torch.tensor([0, float("nan")]), "v": torch.ones(2)}, "NaN"),
        ({"w": torch.ones(2), "b": torch.ones(2), "v": torch.ones(3)}, "2, 2 and 3"),
    ],
)
def test_state_dicts_that_are_no_network_are_refused(run, tmp_path, state, words):
    torch.save(state, tmp_path / "net.pt")
    ran = run("regions", tmp_path / "net.pt")
    assert ran.code == 2
    assert words in ran.err


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.csv", "", "empty network"),
        ("a.csv", "w,b,v\n", "empty network"),
        ("a.csv", "c,1\n", "empty network"),
        ("a.csv", "w,b,v\n1,NaN,2\n", "line 2, column b"),
        ("a.csv", "1,inf,2\n", "column b"),
        ("a.csv", "1,2,1_0\n", "column v"),
        ("a.csv", "w,b\n1,2\n", "'v' is needed"),
        ("a.csv", "1,2\n", "w, b and v are needed"),
        ("a.csv", "w,b,v\n1,2,3\n1,2\n", "line 3: column v is missing"),
        ("a.csv", "w,b,v\n1,2,3\nc,1\nc,2\n", "second output bias"),
        ("a.csv", "\xff\x00", "text"),
        ("a.json", '{"w": [], "b": [], "v": []}', "empty network"),
        ("a.json", '{"w": [1], "b": [NaN], "v": [1]}', "b[0]"),
        ("a.json", '{"w": [1], "b": [true], "v": [1]}', "b[0]"),
        ("a.json", '{"w": [1], "b": [1, 2], "v": [1]}', "1, 2 and 1"),
        ("a.json", '{"w": [1], "b": [1]}', "the fields w, b, v"),
        ("a.json", '{"w": [1], ', "no JSON"),
        ("a.json", "[1, 2]", "JSON object"),
        ("a.pt", b"PK\x03\x04broken", "not a torch state dict"),
        ("a.pt", b"", "not a torch state dict"),
    ],
)
def test_bad_files_end_with_2_and_say_what_is_wrong(run, write, name, text, words):
    ran = run("regions", write(text, name))
    assert ran.code == 2
    assert words in ran.err


def test_an_output_bias_is_given_once(run, write):
    ran = run("regions", write("1,0,1\nc,2\n"), "--c", "2")
    assert (ran.code, "leave one of them out" in ran.err) == (2, True)
    assert run("regions", write("1,0,1\n"), "--c", "nan").code == 2


KKT = "w,b,v\n0.8,0.6,1\n-0.8,0.6,-1\n"
DATA = "x,label\n4/3,1\n-4/3,-1\n"


def test_a_kkt_point_is_recognised_exactly_and_certified(run, write, tmp_path):
    proof = tmp_path / "proof.json"
    ran = run("regions", write(KKT), "--data", write(DATA, "data.csv"), "--certificate", proof, "--json")
    assert ran.code == 0
    found = json.loads(ran.out)["kkt"]
    assert (found["status"], found["kinks"], found["certificate"]) == ("exact", [2, 2], str(proof))
    assert run("check-certificate", proof).code == 0


@pytest.mark.parametrize(("words", "status"), [(("no", "yes"), "exact"), (("a", "b"), "exact"), (("b", "a"), "no")])
def test_labels_may_be_two_words_the_later_one_being_positive(run, write, words, status):
    data = write(f"-4/3,{words[0]}\n4/3,{words[1]}\n", "data.csv")
    document = json.loads(run("regions", write(KKT), "--data", data, "--json").out)["kkt"]
    assert (document["status"], document["labels"][max(words)]) == (status, 1)
    chosen = json.loads(run("regions", write(KKT), "--data", data, "--positive", words[1], "--json").out)["kkt"]
    assert chosen["status"] == "exact"


def test_a_network_near_a_kkt_point_is_told_so_with_its_distance(run, write):
    near = write(KKT.replace("0.8,0.6,1", "0.80001,0.6,1"))
    ran = run("regions", near, "--data", write(DATA, "data.csv"), "--json")
    found = json.loads(ran.out)["kkt"]
    assert (ran.code, found["status"]) == (0, "near")
    assert 1e-6 < found["distance"] < 1e-4


def test_what_is_no_kkt_point_has_a_reason_and_no_certificate(run, write, tmp_path):
    data, proof = write(DATA, "data.csv"), tmp_path / "proof.json"
    ran = run("regions", write(KKT.replace("0.8,0.6,1", "0.6,0.8,1")), "--data", data)
    assert (ran.code, "multipliers" in ran.out) == (0, True)
    biased = run("regions", write(KKT), "--c", "0.1", "--data", data, "--certificate", proof)
    assert (biased.code, "no output bias" in biased.out, proof.exists()) == (1, True, False)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("0,1\n1,2\n", "labels must be 1 and -1"),
        ("0,0\n1,1\n", "labels must be 1 and -1"),
        ("0,a\n1,b\n2,c\n", "3 classes"),
        ("0,1\n1,1\n", "one class only"),
        ("0,a\n1,a\n", "one class only"),
        ("0,1\n0,-1\n", "no classifier has both"),
        ("0,nan\n1,-1\n", "label"),
        ("nan,1\n1,-1\n", "nan"),
    ],
)
def test_bad_labels_end_with_2(run, write, data, words):
    ran = run("regions", write(KKT), "--data", write(data, "data.csv"))
    assert (ran.code, words in ran.err) == (2, True), ran.err


@pytest.mark.parametrize(
    "arguments",
    [("--certificate", "proof.json"), ("--positive", "yes"), ("--data", "-", "--certificate", "-")],
)
def test_options_that_do_not_fit_end_with_2(run, write, arguments):
    assert run("regions", write(KKT), *arguments).code == 2


def test_a_wrong_word_for_the_positive_class_ends_with_2(run, write):
    assert run("regions", write(KKT), "--data", write(DATA, "d.csv"), "--positive", "1").code == 2
    assert run("regions", write(KKT), "--data", write("0,a\n1,b\n", "d.csv"), "--positive", "c").code == 2


NARROW = """w,b,v
0.2886245828268131,0.6678772846612454,-0.7275742004623516
-0.6723739580083792,1.6459714492045123,1.7780069603362796
-1.313063618228942,-1.6649646679142984,2.1204347221547404
-1.261179233746094,1.2927087145897465,-1.8060091030802308
"""
SWITCHES = "-2.314,1\n-1.268,-1\n1.025,1\n2.448,-1\n"


def test_a_kkt_point_is_told_whether_it_is_optimal(run, write):
    """For two points of opposite labels 1.2 is the least; four units for three switches can be a point far from it."""
    opposite = write(DATA, "opposite.csv")
    found = json.loads(run("regions", write(KKT), "--data", opposite, "--json").out)["kkt"]
    assert (found["global_optimum"]["status"], found["global_optimum"]["cost"]) == ("global", 1.2)
    assert "yes, ½‖θ‖² = 1.2" in run("regions", write(KKT), "--data", opposite).out
    ran = run("regions", write(NARROW), "--data", write(SWITCHES, "switches.csv"), "--json")
    found = json.loads(ran.out)["kkt"]
    assert (found["status"], found["kinks"], found["one_of_a_continuum"]) == ("near", [4, 4], False)
    assert found["global_optimum"]["status"] == "not global"
    assert found["global_optimum"]["better"] < 7.76 < 11.4 < found["global_optimum"]["cost"]


@pytest.mark.parametrize("seed", range(4))
def test_hidden_networks_are_counted_exactly(run, write, seed):
    """Duplicates, cancelling pairs, zero weights, units at one place on both sides: against sums by place."""
    rng, units, jumps = random.Random(seed), [], {}
    for _ in range(30):
        w, b = Fraction(rng.randint(-9, 9), rng.randint(1, 7)), Fraction(rng.randint(-9, 9), rng.randint(1, 7))
        v, scale = Fraction(rng.randint(-4, 4)), Fraction(rng.randint(1, 9), rng.randint(1, 5))
        units.append((w, b, v))
        if rng.random() < 0.5:
            units.append((scale * w, scale * b, rng.choice((-v / scale, v))))
        if rng.random() < 0.3:
            units.append((-w, -b, -v))
    rng.shuffle(units)
    for w, b, v in units:
        if w:
            jumps[-b / w] = jumps.get(-b / w, Fraction(0)) + v * abs(w)
    text = "w,b,v\n" + "\n".join(",".join(map(str, unit)) for unit in units)
    document = json.loads(run("regions", write(text), "--json").out)
    kinks = {Fraction(kink["x"]): Fraction(kink["jump"]) for kink in document["kinks"]}
    assert kinks == {place: jump for place, jump in jumps.items() if jump}
    assert document["regions"]["exact"] == 1 + len(kinks)
    assert document["regions"]["exact"] < document["regions"]["merged"] < document["regions"]["raw"]
