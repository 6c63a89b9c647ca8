"""`implicitbias margin --flow` as a user runs it."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import hypot
from pathlib import Path

import pytest

from implicitbias.certificate.kernel import check_file

from .conftest import Ran

ONE_SWITCH = "x,label\n-0.9,cat\n-0.2,cat\n0.3,dog\n0.8,dog\n"


def write(folder: Path, text: str) -> str:
    file = folder / "labels.csv"
    file.write_text(text)
    return str(file)


def test_one_switch_ends_at_the_closed_form_and_the_certificate_holds(tmp_path: Path, run: Callable[..., Ran]) -> None:
    proof = tmp_path / "proof.json"
    ran = run("margin", write(tmp_path, ONE_SWITCH), "--flow", "--json", "--certificate", proof)
    assert ran.code == 0
    found = json.loads(ran.out)
    assert found["labels"] == {"cat": -1, "dog": 1}
    assert found["limit"]["cost"] == pytest.approx((hypot(1, 0.2) + hypot(1, 0.3)) / 0.5, rel=1e-12)
    assert found["limit"]["optimality"] == "global"
    assert found["excess"] == 0
    assert found["limit"]["kinks"] == [2, 2]
    assert [bend["x"] for bend in found["limit"]["bends"]] == pytest.approx([-0.2, 0.3])
    assert found["late_phase"]["surrogate"] is True
    most = found["gradient_flow"]["limit_costs_at_most"]
    assert found["optimum"]["cost"] < most < 1.002 * found["optimum"]["cost"]
    assert check_file(proof).valid
    assert run("check-certificate", proof).code == 0


def test_a_narrow_network_ends_above_the_certified_optimum(tmp_path: Path, run: Callable[..., Ran]) -> None:
    """Five switches and eight or twelve units: KKT points that are no optima, and one that is."""
    text = "x,label\n-3,1\n-2,-1\n-1,1\n0,-1\n1,1\n2,-1\n"
    excesses = []
    for width, seed in ((8, 1), (12, 0)):
        ran = run("margin", write(tmp_path, text), "--flow", "--width", width, "--seed", seed, "--json")
        document = json.loads(ran.out)
        assert ran.code == 0
        excesses.append(document["excess"])
        assert (document["limit"]["optimality"] == "global") == (document["excess"] == 0)
    assert excesses[0] > 0.01
    assert excesses[1] == 0


def test_people_read_what_is_proved_and_what_is_not(tmp_path: Path, run: Callable[..., Ran]) -> None:
    ran = run("margin", write(tmp_path, ONE_SWITCH), "--flow", "--positive", "cat", "--loss", "exponential")
    assert ran.code == 0
    assert "cat is +1" in ran.out
    assert "a zero-temperature surrogate, not gradient flow itself" in ran.out
    assert "the global optimum among networks of all widths" in ran.out
    assert "Not proved: that gradient flow from this start ends there" in ran.out


def test_a_network_that_cannot_classify_the_points_is_undecided(tmp_path: Path, run: Callable[..., Ran]) -> None:
    text = "x,label\n-3,1\n-2,-1\n-1,1\n0,-1\n1,1\n2,-1\n"
    ran = run("margin", write(tmp_path, text), "--flow", "--width", "1")
    assert ran.code == 3
    assert "it did not classify the points" in ran.out
    assert "optimum" in ran.out


@pytest.mark.parametrize(
    ("text", "arguments", "says"),
    [
        ("x,label\n0,cat\n1,cat\n", (), "one class only"),
        ("x,label\n0,cat\n1,dog\n2,owl\n", (), "two are needed"),
        ("x,label\n0,0\n1,1\n", (), "labels must be 1 and -1"),
        ("x,label\n0,cat\n0,dog\n", (), "no classifier has both"),
        ("x,label\nnan,cat\n0,dog\n", (), "nan"),
        (ONE_SWITCH, ("--width", "0"), "'--width'"),
        (ONE_SWITCH, ("--loss", "hinge"), "'hinge' is not one of 'logistic', 'exponential'"),
        (ONE_SWITCH, ("--branch", "left"), "'left' is not one of 'active', 'inactive', 'stay'"),
        (ONE_SWITCH, ("--positive", "owl"), "--positive 'owl' is not a label"),
        (ONE_SWITCH, ("--kinks", "-1:1"), "--kinks belongs to --norm group without --flow"),
        ("x,label\n0,cat\n1e-300,dog\n1,dog\n", (), ""),
    ],
)
def test_bad_input_is_refused(
    tmp_path: Path, run: Callable[..., Ran], text: str, arguments: tuple[str, ...], says: str
) -> None:
    ran = run("margin", write(tmp_path, text), "--flow", *arguments)
    if says:
        assert ran.code == 2
        assert says in ran.err
    else:
        assert ran.code in (0, 2, 3)


def test_options_of_the_flow_need_it(tmp_path: Path, run: Callable[..., Ran]) -> None:
    ran = run("margin", write(tmp_path, ONE_SWITCH), "--width", "50")
    assert ran.code == 2
    assert "--width belongs to --flow" in ran.err
