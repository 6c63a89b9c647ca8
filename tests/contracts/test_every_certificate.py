"""Properties of every kind of certificate: true documents pass, altered ones are refused, and nothing raises."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from implicitbias.certificate import kernel
from implicitbias.certificate.kernel import check_certificate, check_text, digest
from implicitbias.convex.biases.interpolant import bias_penalised_interpolant
from implicitbias.convex.kkt.points import KKTPoint, KKTUnit
from implicitbias.convex.margin.classifier import max_margin
from implicitbias.convex.minimum_norm.interpolants import min_norm_interpolant
from implicitbias.convex.penalised.fit import penalised_function
from implicitbias.convex.ramps.interpolant import ramp_interpolant
from implicitbias.convex.variation.least import tv_interpolant
from implicitbias.convex.variation.margin import tv_margin
from implicitbias.convex.variation.penalised import penalised_fit
from implicitbias.convex.weighted.exact_minimiser import unique_minimiser
from tests.support.corruptions import corrupted

Document = dict[str, Any]
SQUARE = [[-1, -1], [-1, 1], [1, -1], [1, 1]]
CORRUPTIONS = 200


def kinks_on_data() -> Document:
    """A KKT point with two kinks on data points, where the Clarke coefficient is 24/25."""
    x = tuple(map(Fraction, ("-2", "0", "3/4", "4/3", "2", "3")))
    units = (
        KKTUnit(1, Fraction(15, 7), frozenset({3, 4, 5}), {2: Fraction(24, 25)}),
        KKTUnit(-1, Fraction(20, 7), frozenset({0, 1, 2}), {3: Fraction(24, 25)}),
    )
    return KKTPoint(x, (-1, -1, -1, 1, 1, 1), {2: Fraction(20, 7), 3: Fraction(15, 7)}, units).certificate()


EXAMPLES: dict[str, Callable[[], Document]] = {
    "minimum-norm interpolation": lambda: min_norm_interpolant([0, 1, 2, 3], [0, 1, 0, 0]).certificate(),
    "interpolation by ramps": lambda: ramp_interpolant([-1, "1/2", 1], [1, 2, 1]).certificate(),
    "interpolation with penalised biases": lambda: bias_penalised_interpolant([2, 3, 5], [1, 4, 1]).certificate(),
    "interpolation of least total variation": lambda: tv_interpolant(SQUARE, [0, 1, 1, 0]).certificate(),
    "least loss penalised by total variation": lambda: penalised_fit(SQUARE, [0, 1, 1, 0], "1/10").certificate(),
    "least penalised loss on a line": lambda: penalised_function(
        [0, 1, 2, 3], [0, 1, 0, 0], "1/10", monotone="increasing"
    ).certificate(),
    "margins of least total variation": lambda: tv_margin(SQUARE, [1, -1, -1, 1]).certificate(),
    "all minimisers of least variation": lambda: unique_minimiser([[0], [1]], ["-1/2", "1/2"]).certificate(),
    "maximum margin": lambda: max_margin([-1, "-1/2", 0, "1/2", 1], "abcba").certificate(),
    "KKT point of the margin problem": kinks_on_data,
}
KINDS = sorted(kernel.all_kinds())


@cache
def example(kind: str) -> str:
    return json.dumps(EXAMPLES[kind]())


@pytest.mark.parametrize("kind", KINDS)
def test_the_example_is_valid_and_states_something(kind: str) -> None:
    document = json.loads(example(kind))
    assert document["kind"] == kind
    outcome = check_certificate(document)
    assert outcome.valid, outcome.reason
    assert outcome.statement.endswith(".")
    assert check_text(example(kind)) == outcome


@pytest.mark.parametrize("kind", KINDS)
def test_every_field_is_needed_and_none_may_be_added(kind: str) -> None:
    document = json.loads(example(kind))
    for name in document:
        assert name in check_certificate({k: v for k, v in document.items() if k != name}).reason
    outcome = check_certificate({**document, "remark": "none"})
    assert not outcome.valid
    assert "remark" in outcome.reason


@pytest.mark.parametrize("kind", KINDS)
def test_corruptions_of_one_field_are_refused_with_a_reason(kind: str) -> None:
    rng, document = random.Random(kind), json.loads(example(kind))
    for _ in range(CORRUPTIONS):
        forged = corrupted(document, rng)
        if forged is not None:
            outcome = check_certificate(forged)
            assert not outcome.valid, forged
            assert outcome.reason


@pytest.mark.parametrize("kind", KINDS)
def test_the_conclusion_does_not_rest_on_the_digest(kind: str) -> None:
    """An altered document with a recomputed digest is refused for its content or form, unless it is true again."""
    rng, document, valid, tried = random.Random(kind + "signed"), json.loads(example(kind)), 0, 0
    while tried < CORRUPTIONS:
        forged = corrupted(document, rng)
        if forged is not None and "digest" in forged:
            outcome = check_certificate({**forged, "digest": digest(forged)})
            assert outcome.valid or outcome.reason
            tried, valid = tried + 1, valid + outcome.valid
    assert valid < tried / 2


@pytest.mark.parametrize("kind", KINDS)
def test_the_checker_needs_its_folder_and_the_standard_library_only(kind: str, tmp_path: Path) -> None:
    shutil.copytree(Path(kernel.__file__).parent, tmp_path / "checker", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "proof.json").write_text(example(kind))
    alone = [sys.executable, "-I", "-S", tmp_path / "checker" / "kernel.py", tmp_path / "proof.json"]
    ran = subprocess.run(alone, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout[:7]) == (0, "valid: "), ran.stderr


@pytest.mark.parametrize("kind", KINDS)
def test_the_documentation_says_what_it_states(kind: str) -> None:
    assert kind in (Path(__file__).parents[2] / "docs" / "certificates.md").read_text()
