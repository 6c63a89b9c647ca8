"""Data at the limits of doubles: an answer, or a message that says what to do; smallest examples of what fell over."""

from __future__ import annotations

import json

import pytest


def file_of(folder, text):
    file = folder / "data.csv"
    file.write_text(text)
    return file


def test_bounds_that_say_nothing_are_no_certificate(run, tmp_path):
    ran = run("interpolate", file_of(tmp_path, "0,-1,1\n1e149,2,5\n"), "--norm", "tv", "--penalty", "4")
    assert ran.code == 2
    assert "too far apart for a certificate" in ran.err
    assert "bring inputs and labels near 1" in ran.err


def test_points_that_doubles_hardly_tell_apart_leave_the_margin_unsolved(run, tmp_path):
    text = "".join(f"{n}e-150,{-1 if n == 2 else 1}\n" for n in range(5))
    ran = run("margin", file_of(tmp_path, text), "--norm", "tv")
    assert ran.code == 2
    assert "near 1" in ran.err


def test_a_cone_programme_that_ends_in_no_numbers_is_not_refined(run, tmp_path):
    text = "0,-4.06\n1e20,-0.7\n2e20,1.39\n-0.28,-8\n4e20,1.97\n"
    ran = run("margin", file_of(tmp_path, text), "--bins", 5)
    assert ran.code in (0, 2, 3)
    assert "fault" not in ran.err


def test_curvature_beyond_doubles_is_refused_by_predict(run, tmp_path):
    ran = run("predict", file_of(tmp_path, "0,-1\n1e-150,0\n2e-150,4\n"), "--joint", "circle(1)", "--json")
    assert ran.code == 2
    assert "beyond what floating point integrates: scale x up, or y down" in ran.err


@pytest.mark.parametrize("penalty", ["1e-300", "1e300", "1/" + "7" * 200])
def test_a_penalty_beyond_the_sizes_that_are_read_is_refused(run, tmp_path, penalty):
    ran = run("interpolate", file_of(tmp_path, "0,1\n1,2\n"), "--norm", "tv", "--penalty", penalty)
    assert ran.code == 2
    assert "is outside the sizes that are read, 1e-150 to 1e150" in ran.err


def test_a_hundred_thousand_columns_are_refused_at_once(run, tmp_path):
    row = ",".join(["1"] * 100_000)
    ran = run("cells", file_of(tmp_path, f"{row}\n{row}\n"))
    assert ran.code == 2
    assert "more than the 1000 that are taken" in ran.err


def test_weights_beyond_doubles_have_regions_and_no_decided_kkt_point(run, tmp_path):
    net = tmp_path / "net.json"
    net.write_text('{"w": [1e400, 1], "b": [1e400, 0], "v": [1e400, 1]}')
    ran = run("regions", net, "--data", file_of(tmp_path, "x,label\n-1,-1\n0,1\n2,1\n"), "--json")
    assert ran.code == 3
    found = json.loads(ran.out)
    assert found["kkt"]["status"] == "undecided"
    assert "beyond what a double can hold" in found["kkt"]["reason"]
    assert found["regions"]["exact"] == 3
