"""No document raises, none runs without end, and what is unexpected is a fault of the checker, never a valid proof."""

from __future__ import annotations

import json
import random
import time
from fractions import Fraction
from typing import Any

import pytest

from implicitbias.certificate import kernel
from implicitbias.certificate.kernel import check_certificate, check_file, check_text, digest, main
from implicitbias.certificate.reading import Kind
from implicitbias.convex.minimum_norm.interpolants import min_norm_interpolant
from implicitbias.convex.weighted.exact_minimiser import unique_minimiser
from tests.support.corruptions import changed

Document = dict[str, Any]
VALID = min_norm_interpolant([0, 1, 2], [0, 1, 0]).certificate()
MEGABYTE = 10**6


def document(kind: str, **fields: Any) -> Document:
    made = {"format": "implicitbias certificate", "version": 1, "kind": kind, **fields}
    return {**made, "digest": digest(made)}


def fraction(rng: random.Random, digits: int) -> str:
    return str(Fraction(rng.randrange(10 ** (digits - 1), 10**digits), 10**digits - 2 * rng.randrange(10**3) - 1))


BOUNDS = {"lower": "0", "upper": "1", "relative_gap": "1/2"}


def long_biases(rng: random.Random, size: int) -> Document:
    x = [str(n) for n in range(size // 110)]
    units = [[fraction(rng, 20), "1", f"-{at}"] for at in x]
    return document(
        "interpolation with penalised biases",
        data={"x": x, "y": x},
        primal={"units": units},
        dual={"alpha": [fraction(rng, 10) for _ in x]},
        claim=BOUNDS,
    )


def long_ramps(rng: random.Random, size: int) -> Document:
    x = [str(n) for n in range(size // 90)]
    return document(
        "interpolation by ramps",
        data={"x": x, "y": x},
        kinks=["-1", str(len(x))],
        primal={"ramps": [[1, at, fraction(rng, 20)] for at in x]},
        dual={"alpha": x},
        claim={"value": "1"},
    )


def many_hyperplanes(rng: random.Random, size: int) -> Document:
    digits = 400
    x = [[fraction(rng, digits) for _ in range(6)] for _ in range(max(12, size // (6 * 2 * digits) // 2))]
    return document(
        "interpolation of least total variation",
        data={"x": x, "y": ["0"] * len(x)},
        primal={"units": []},
        dual={"p": ["0"] * len(x), "cells": []},
        claim={"lower": "0", "upper": "0", "relative_gap": "0"},
    )


def many_classes(rng: random.Random, size: int) -> Document:
    n = size // 12
    return document(
        "maximum margin",
        data={"x": [str(i) for i in range(n)], "labels": [0] * n, "classes": 20_000_000 // n},
        kinks=["-1", str(n)],
        primal={"unit": "1", "ramps": []},
        dual={"unit": "1", "beta": []},
        claim=BOUNDS,
    )


def many_unknowns(rng: random.Random, size: int) -> Document:
    n = 300
    unit = {"sign": 1, "active": list(range(n)), "contacts": []}
    return document(
        "KKT point of the margin problem",
        data={"x": [str(i) for i in range(n)], "labels": [1] * n},
        multipliers=[[i, fraction(rng, 50)] for i in range(100)],
        units=[{**unit, "square": fraction(rng, 50)} for _ in range(100)],
        radius="1/1000000000000",
        claim={"kinks_at_least": 0, "kinks_at_most": 0},
    )


LONG = [long_biases, long_ramps, many_hyperplanes, many_classes, many_unknowns]


@pytest.mark.parametrize("make", LONG, ids=lambda make: make.__name__)
def test_a_megabyte_takes_seconds_whatever_it_says(make: Any) -> None:
    text = json.dumps(make(random.Random(0), MEGABYTE))
    assert len(text) < 1.2 * MEGABYTE
    start = time.process_time()
    outcome = check_text(text)
    assert time.process_time() - start < 10
    assert not outcome.valid
    assert not outcome.fault


def test_what_costs_too_much_is_undecided_and_the_same_everywhere() -> None:
    made = many_hyperplanes(random.Random(0), 60_000)
    assert "undecided" in check_certificate(made).reason
    assert check_certificate(made) == check_certificate(made)


def test_a_larger_document_has_a_larger_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    made = min_norm_interpolant(range(2000), [n * n % 7 for n in range(2000)]).certificate()
    length = len(json.dumps(made))
    monkeypatch.setattr(kernel, "UNITS", 5 * length)
    assert check_certificate(made).valid
    monkeypatch.setattr(kernel, "UNITS", 1000)
    assert "undecided" in check_certificate(made).reason
    monkeypatch.setattr(kernel, "SMALL", 1000 * 1000 // (5 * length))
    assert check_certificate(made).valid


def scaled(made: Document, factor: int) -> Document:
    """The certificate of the same minimiser for larger labels."""
    made["data"]["y"] = times(made["data"]["y"], factor)
    for atom in made["primal"]["atoms"]:
        atom[0] = times(atom[0], factor)
    made["claim"]["value"] = times(made["claim"]["value"], factor)
    return {**made, "digest": digest(made)}


def times(number: Any, factor: int) -> Any:
    return [times(part, factor) for part in number] if isinstance(number, list) else str(Fraction(number) * factor)


@pytest.mark.parametrize("power", [309, 400, 3000])
def test_true_certificates_beyond_doubles_are_valid_and_say_so(power: int) -> None:
    value = 10**power
    exact = scaled(unique_minimiser([[0], [1]], ["-1/2", "1/2"]).certificate(), 2 * value)
    cost = min_norm_interpolant([0, 1, 2], [0, value, 0]).certificate()
    for made in (exact, cost):
        outcome = check_certificate(made)
        assert outcome.valid, outcome.reason
        assert f"e+{power}" in outcome.statement


def test_sums_longer_than_python_writes_are_refused_in_words() -> None:
    rng = random.Random(1)
    numbers = [fraction(rng, 1900) for _ in range(4)]
    made = document(
        "interpolation by ramps",
        data={"x": ["0", "1"], "y": ["0", "1"]},
        kinks=["0", "1"],
        primal={"ramps": [[1, "0", number] for number in numbers]},
        dual={"alpha": ["0", "0"]},
        claim={"value": "1"},
    )
    outcome = check_certificate(made)
    assert "miss the data point" in outcome.reason
    assert not outcome.fault


def deep(levels: int) -> Any:
    value: Any = "1"
    for _ in range(levels):
        value = [value]
    return value


def circular() -> Any:
    value: list[Any] = []
    value.append(value)
    return value


@pytest.mark.parametrize(
    "value",
    [
        deep(3),
        deep(100),
        deep(50_000),
        circular(),
        {1: 2},
        {"\ud800": "1"},
        "\ud800",
        "1e999999999",
        10**5000,
        -(10**5000),
        float("inf"),
        True,
        b"1",
        {1},
        object(),
        Fraction(1, 2),
        type("Text", (str,), {})("1"),
    ],
    ids=lambda value: type(value).__name__,
)
@pytest.mark.parametrize(
    "path", [("claim", "value"), ("data", "x"), ("data", "y", 1), ("dual",), ("kind",), ("digest",)]
)
def test_nothing_in_any_place_raises_or_is_valid(value: Any, path: tuple[str | int, ...]) -> None:
    forged = changed(VALID, path, value)
    outcome = check_certificate(forged)
    assert not outcome.valid
    assert outcome.reason
    assert not outcome.fault


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"a": 1, "a": 2}', "repeated"),
        ("[1e999999999]", "the float"),
        ("[-Infinity]", "the float"),
        ('{"\\ud800": 1, "\\ud800": 2}', "repeated"),
        ('{"\\u001b[31m": 1, "\\u001b[31m": 1}', "'\\x1b[31m' is repeated"),
        ("[" + "9" * 10_000 + "]", "the JSON integer"),
        ("[" * 200 + "]" * 200, "nested too deeply"),
        ('{"kind":' * 5000 + "1" + "}" * 5000, "nested too deeply"),
    ],
)
def test_hostile_json_is_refused_with_a_reason(text: str, says: str) -> None:
    outcome = check_text(text)
    assert (outcome.valid, outcome.fault) == (False, False)
    assert says in outcome.reason


@pytest.mark.parametrize(
    "error", [ValueError("odd"), RecursionError(), MemoryError(), KeyError("x"), OverflowError(), OSError()]
)
def test_what_is_unexpected_is_a_fault_and_never_valid(
    error: Exception, monkeypatch: pytest.MonkeyPatch, tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(given: Any) -> str:
        raise error

    kind = Kind(VALID["kind"], ("data", "primal", "dual", "claim"), fails)
    monkeypatch.setattr(kernel, "all_kinds", lambda: {kind.name: kind})
    outcome = check_certificate(VALID)
    assert (outcome.valid, outcome.fault) == (False, True)
    assert type(error).__name__ in outcome.reason
    file = tmp_path / "proof.json"
    file.write_text(json.dumps(VALID))
    assert check_file(str(file)) == outcome
    assert main([str(file)]) == 4
    told = capsys.readouterr()
    assert told.out == ""
    assert "proves nothing" in told.err
