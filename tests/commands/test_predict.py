"""`implicitbias predict` as a user runs it."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from implicitbias.commands.data.predict import descended
from implicitbias.laws.joint.build import initialisation
from implicitbias.training import anti_symmetric, standard, train

EVEN = "x,y\n-2,1.5\n-1,0.5\n0,1.5\n1,0.5\n2,1.5\n"
UNEVEN = "-2,1.5\n-1.7,-1.2\n-1.6,0.7\n0.9,2.4\n1.1,0.6\n1.3,2.8\n2,2.5\n"
UNIFORM = ("--weight", "uniform(-1,1)", "--bias", "uniform(-2,2)")

# g(x) at x = -1.8, -1.3, -0.5, 0.25, 0.7, 1.6, 2.5, and (u, v), from a solver of 40 digits by another method
PLACES = "-1.8 -1.3 -0.5 0.25 0.7 1.6 2.5"
SPLINES = {
    ("even", "1/(0.1+x**2)**2"): (
        [
            1.286173818589,
            0.7656402411048,
            0.4516128394934,
            0.9035345088375,
            0.3726596720969,
            1.073820189459,
            2.035022777096,
        ],
        (0.0, -0.6400911083836),
        8.2953462509411,
    ),
    ("uneven", "1/(0.1+x**2)**2"): (
        [
            -1.319367283442,
            7.610847886293,
            23.79785928753,
            16.05909698244,
            5.999674177877,
            3.735438294176,
            0.5821556629849,
        ],
        (-10.6496951234, -11.62801289873),
        66408.270341979,
    ),
    ("uneven", "(1+x**2)**-2"): (
        [
            -1.354326495492,
            7.195383836155,
            18.05918780162,
            13.14830826083,
            5.697241332413,
            3.922809130969,
            0.2166527459371,
        ],
        (-11.23054863561, -11.32770825497),
        120012.88238232,
    ),
}


@pytest.fixture
def points(tmp_path: Path) -> Callable[[str], str]:
    def write(text: str) -> str:
        file = tmp_path / "points.csv"
        file.write_text(text)
        return str(file)

    return write


@pytest.fixture
def document(run: Callable[..., Any], points: Callable[[str], str]) -> Callable[..., dict[str, Any]]:
    def call(text: str, *options: object) -> dict[str, Any]:
        ran = run("predict", points(text), *options, "--json")
        assert ran.code == 0, ran.err
        found: dict[str, Any] = json.loads(ran.out)
        assert found["schema"] == 1
        return found

    return call


@pytest.mark.parametrize("which", SPLINES, ids=" ".join)
def test_the_adaptive_spline_has_the_digits_of_another_solver(
    which: tuple[str, str], document: Callable[..., dict[str, Any]]
) -> None:
    values, (u, v), energy = SPLINES[which]
    found = document(EVEN if which[0] == "even" else UNEVEN, "--zeta", which[1], "--at", PLACES)
    spline = found["spline"]
    assert spline["value"] == pytest.approx(values, rel=1e-11)
    assert (spline["u"], spline["v"]) == pytest.approx((u, v), rel=1e-11, abs=1e-12)
    assert spline["energy"] == pytest.approx(energy, rel=1e-11)
    assert spline["optimal"]
    assert found["limit"] is None
    assert "laws of weight and bias" in found["no_limit"]


def test_laws_give_the_spline_of_their_zeta(document: Callable[..., dict[str, Any]]) -> None:
    by_law = document(UNEVEN, "--weight", "normal(0,1)", "--bias", "normal(0,sqrt(0.1))", "--at", PLACES)
    assert by_law["spline"]["value"] == pytest.approx(SPLINES["uneven", "1/(0.1+x**2)**2"][0], rel=1e-10)
    assert by_law["spline"]["u"] == pytest.approx(-10.6496951234, rel=1e-10)


def test_without_adjustment_it_is_the_raw_limit_and_with_the_exact_one_the_spline(
    document: Callable[..., dict[str, Any]],
) -> None:
    at = ("--at", "-1.5 -0.5", "--at", "0.25,1.7")
    assert document(EVEN, *UNIFORM, "--at", "1/4", "-1", "-0.5")["at"] == [0.25, -1, -0.5]
    raw, exact, ols = (document(EVEN, *UNIFORM, *at, "--adjust", how) for how in ("none", "exact", "ols"))
    assert raw["at"] == [-1.5, -0.5, 0.25, 1.7]
    # the distances to the spline in fractions, worked out with exact kernels
    for found, known in (
        (raw, ["405/46592", "-81/46592", "-243/372736", "7533/832000"]),
        (exact, ["0", "0", "0", "0"]),
        (ols, ["159/11648", "-159/58240", "-477/465920", "14787/1040000"]),
    ):
        missed = np.array(found["prediction"]) - np.array(found["spline"]["value"])
        assert missed == pytest.approx([float(Fraction(v)) for v in known], abs=1e-13)
        assert found["limit"]["at_data"] == pytest.approx([1.5, 0.5, 1.5, 0.5, 1.5], abs=1e-13)
    assert (exact["limit"]["u"], exact["limit"]["v"]) == pytest.approx((0, -27 / 14))
    assert ols["limit"]["v"] == pytest.approx(1.1)
    assert raw["limit"]["distance_to_spline"]["largest"] == pytest.approx(0.00937, abs=1e-5)


def test_early_stopping_is_gradient_flow_of_the_kernel(document: Callable[..., dict[str, Any]]) -> None:
    law = initialisation("uniform(-1,1)", "uniform(-2,2)")
    x, y, at = np.arange(-2.0, 3), np.array([1.5, 0.5, 1.5, 0.5, 1.5]), np.array([-1.5, 0.3, 2.5])
    K, across = law.kernel(x[:, None], x), law.kernel(at[:, None], x)
    values, vectors = np.linalg.eigh(K)
    for time in (0.7, 500.0):
        found = document(EVEN, *UNIFORM, "--time", time, "--at", "-1.5 0.3 2.5")
        wanted = across @ (vectors @ (-np.expm1(-time * values) / values * (vectors.T @ y)))
        assert found["prediction"] == pytest.approx(list(wanted), abs=1e-11)
    assert document(EVEN, *UNIFORM, "--time", 0)["prediction"] == [0.0] * 21
    for endless in ("inf", "1e400"):  # more than a double holds is the end
        assert document(EVEN, *UNIFORM, "--time", endless) == document(EVEN, *UNIFORM)


def test_a_trained_network_ends_near_the_limit_and_says_how_near_to_expect(
    document: Callable[..., dict[str, Any]],
) -> None:
    found = document(EVEN, *UNIFORM, "--train", 512, "--seed", 3)
    trained = found["trained"]
    assert trained["loss"] < 1e-12
    expected = trained["expected"]
    # 1.687 is ∫ E[ρ²γ²] over the data's four units of length, known to a percent from thousands of networks on the
    # exactly adjusted data; the raw data's differs little
    assert expected["rms"] * 512**0.5 == pytest.approx((1.687 / 4) ** 0.5, rel=0.1)
    assert 0.05 * expected["rms"] < trained["distance_to_limit"]["rms"] < 4 * expected["rms"]
    assert expected["largest_median"] < expected["largest_9_of_10"]
    gap = np.abs(np.array(trained["value"]) - np.array(found["prediction"]))
    assert 0 < gap.max() <= trained["distance_to_limit"]["largest"]


@pytest.mark.skipif(torch.cuda.is_available(), reason="a CUDA GPU is here")
def test_a_gpu_that_is_not_there_is_said_to_be_missing(run: Callable[..., Any], points: Callable[[str], str]) -> None:
    ran = run("predict", points(EVEN), *UNIFORM, "--train", 16, "--device", "cuda")
    assert ran.code == 2
    assert "torch finds no CUDA GPU here" in ran.err


@pytest.mark.parametrize("time", [None, 1e-3, 0.0])
def test_descent_as_on_a_gpu_goes_where_the_flow_goes(time: float | None) -> None:
    rng = np.random.default_rng(3)
    start = anti_symmetric(standard(rng.uniform(-1, 1, 64), rng.uniform(-2, 2, 64), rng.normal(size=64)))
    x, y = np.arange(-2.0, 3.0), np.array([1.5, 0.5, 1.5, 0.5, 1.5])
    flow = train(start, x, y, engine="gradient_flow", times=[np.inf if time is None else time], tolerance=1e-6)
    steps = descended(start, x, y, time, "cpu")
    assert steps.engine == "prefix_sum"
    if time is not None:
        assert steps.times[-1] == pytest.approx(time)
    # Euler's steps of 1/λ_max follow the flow to a part of its way
    way = np.abs(flow(x)).max()
    assert np.abs(steps(x) - flow(x)).max() <= (1e-9 if time is None else 0.2 * way)


def test_people_see_a_plot_the_spline_the_distance_and_a_table(
    run: Callable[..., Any], points: Callable[[str], str]
) -> None:
    ran = run("predict", points(EVEN), *UNIFORM)
    assert ran.code == 0
    assert ran.out.count("●") == 6
    for words in ("as they are", "certificate holds", "(u, v) = (0, -1.92857142857)", "at most 0.00937", "1.170423077"):
        assert words in ran.out
    bare = run("predict", points(EVEN), *UNIFORM, "--no-plot")
    assert "●" not in bare.out
    assert len(bare.out) < len(ran.out)


def test_data_out_of_reach_get_a_qualified_answer(document: Callable[..., dict[str, Any]]) -> None:
    found = document("-0.5,0\n2,0\n3,1\n4,0\n", "--weight", "binary(1)", "--bias", "uniform(-1,1)", "--at", "2 3 4")
    assert found["spline"] is None
    assert "lie on no line" in found["no_spline"]
    assert found["prediction"] == pytest.approx([1 / 3] * 3)
    assert found["limit"]["final_loss"] == pytest.approx(1 / 3)


def test_data_beyond_the_support_on_lines_are_predicted(document: Callable[..., dict[str, Any]]) -> None:
    found = document("-2,1\n0,0\n2,1\n", "--weight", "binary(1)", "--bias", "uniform(-1,1)", "--at", "-1.5 1.5")
    assert found["spline"]["second_derivative"] == [0, 0]
    assert found["spline"]["value"] == pytest.approx([19 / 28, 19 / 28])
    assert found["limit"]["final_loss"] == 0


def test_a_law_without_second_moments_has_a_spline_but_no_limit(document: Callable[..., dict[str, Any]]) -> None:
    found = document(EVEN, "--weight", "binary(1)", "--bias", "student_t(1.5)")
    assert found["limit"] is None
    assert found["prediction"] is None
    assert found["no_limit"]
    assert found["spline"]["optimal"]


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        ("0,1\n0,2\n", UNIFORM, "stands on line"),
        ("0,1\n1,nan\n", UNIFORM, "not a number"),
        ("0,1\n", UNIFORM, "one point"),
        (EVEN, (), "say how the network is initialised"),
        (EVEN, ("--weight", "normal(0,1)"), "say how the network is initialised"),
        (EVEN, (*UNIFORM, "--zeta", "1"), "say how the network is initialised"),
        (EVEN, ("--zeta", "1", "--train", 10), "--zeta fixes the spline alone"),
        (EVEN, ("--zeta", "x"), "at least 0"),
        (EVEN, ("--zeta", "q"), "name"),
        (EVEN, ("--weight", "normal(0,-1)", "--bias", "normal(0,1)"), "normal"),
        (EVEN, ("--weight", "normal(0,1)", "--bias", "constant(0)"), "kink"),
        (EVEN, (*UNIFORM, "--adjust", "some"), "none, exact, ols"),
        (EVEN, (*UNIFORM, "--time", "-1"), "at least 0"),
        (EVEN, (*UNIFORM, "--time", "nan"), "at least 0"),
        (EVEN, (*UNIFORM, "--train", 0), "between 1 and"),
        (EVEN, (*UNIFORM, "--device", "cuda"), "--device belongs to --train"),
        (EVEN, (*UNIFORM, "--at", "0 a"), "not a number"),
        (EVEN, (*UNIFORM, "--at", ""), "needs numbers"),
        (EVEN, (*UNIFORM, "--at", "0 1e400"), "--at: 1e400 is beyond what a double can hold"),
        (EVEN, (*UNIFORM, "--nothing", "1"), "there is no option --nothing"),
        (EVEN, (*UNIFORM, "other.csv"), "stands without --at"),
    ],
)
def test_bad_requests_end_with_code_2_and_the_reason(
    text: str, options: tuple[object, ...], words: str, run: Callable[..., Any], points: Callable[[str], str]
) -> None:
    ran = run("predict", points(text), *options)
    assert ran.code == 2
    assert words in ran.err
    assert not ran.out


def test_a_network_stopped_early_is_near_the_limit_of_that_time_and_of_no_other(
    document: Callable[..., dict[str, Any]],
) -> None:
    found = document(EVEN, *UNIFORM, "--train", 4096, "--time", 0.4)
    assert found["trained"]["expected"] is None
    assert found["trained"]["distance_to_limit"]["largest"] < 0.05
    for time in (0.2, 0.8):
        other = document(EVEN, *UNIFORM, "--time", time)
        assert np.abs(np.array(other["prediction"]) - np.array(found["trained"]["value"])).max() > 0.1
