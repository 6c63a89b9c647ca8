"""The headlines proved by hand: named where their claims stand, finished, on allowed axioms only, about something."""

from __future__ import annotations

import re
import shutil
from importlib import import_module
from pathlib import Path

import pytest

from implicitbias.formal.axioms import Grade
from implicitbias.formal.coqc import INSTALL, LIBRARY, check
from implicitbias.formal.text import refusal, theorems

needs_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason=f"coqc is not installed: {INSTALL}")
NAMED = re.compile(r"^Coq: (\w+)\.v, ([\w, ]+) \(docs/formal\.md\)\.$", re.MULTILINE)
CLAIMS = (
    "dedios2020.equation_13",
    "dedios2020.equation_13_networks",
    "dedios2020.lemma_4_4",
    "jin2021.natural_spline",
    "safran2022.regions_at_kkt_points",
    "safran2022.theorem_4_2",
    "savarese2019.lemma_1",
    "savarese2019.theorem_3_1",
    "savarese2019.theorem_3_3",
    "stewart2022.appendix_d",
    "stewart2022.lemma_2",
)
"""Modules of `theory` whose docstrings name theorems."""


def named(module: str) -> tuple[str, tuple[str, ...]]:
    """The Coq file and the theorems that a module of claims names."""
    found = NAMED.search(import_module(f"theory.{module}").__doc__ or "")
    assert found, module
    return found[1], tuple(found[2].split(", "))


NAMES = tuple(theorem for module in CLAIMS for theorem in named(module)[1])


def text_of(file: str) -> str:
    return (LIBRARY / f"{file}.v").read_text(encoding="utf-8")


@pytest.mark.parametrize("module", CLAIMS)
def test_the_claims_name_theorems_that_their_file_states(module: str) -> None:
    file, names = named(module)
    assert set(names) <= set(theorems(text_of(file)))
    assert re.search(rf"Export .*\b{file}\b", text_of("Headlines") + text_of("Kernels"))


def test_every_claim_that_names_one_is_looked_at() -> None:
    root = Path(import_module("theory").__file__ or "").parent
    naming = {f"{p.parent.name}.{p.stem}" for p in root.glob("*/*.py") if NAMED.search(p.read_text(encoding="utf-8"))}
    assert naming == set(CLAIMS)


@pytest.mark.parametrize("file", sorted({named(module)[0] for module in CLAIMS}))
def test_nothing_is_left_open_or_assumed(file: str) -> None:
    """By text, also where coqc is missing; and a proof left open would be seen."""
    text = text_of(file)
    assert refusal(text + "\nTheorem t : True.") == ""
    assert "Admitted" in refusal(text[: text.rindex("Proof.")] + "Proof. Admitted.\n")


def test_the_docs_name_them_all() -> None:
    text = (Path(__file__).parents[2] / "docs" / "formal.md").read_text(encoding="utf-8")
    for theorem in NAMES:
        assert f"`{theorem}`" in text, theorem


@needs_coq
@pytest.mark.timeout(1200)
def test_they_rest_on_allowed_axioms_only() -> None:
    uses = "\n".join(f"Theorem uses_{n} : True. Proof. pose proof @{n}. exact I. Qed." for n in NAMES)
    answer = check(f"From ImplicitBias Require Import Kernels Headlines.\n{uses}\n", seconds=120)
    assert answer.accepted, answer.message
    assert answer.grade == Grade.CLASSICAL
    assert len(answer.theorems) == len(NAMES)


@needs_coq
@pytest.mark.timeout(1200)
def test_they_are_about_something() -> None:
    """By an instance of each, numbers in and numbers out."""
    text = (Path(__file__).parent / "headline_cases.v").read_text(encoding="utf-8")
    new = [n for module in CLAIMS if not module.startswith("savarese") for n in named(module)[1]]
    assert [n for n in new if not re.search(rf"\(?{n}\b", text)] == []
    answer = check(text, seconds=150)
    assert answer.accepted, answer.message
    assert answer.grade == Grade.CLASSICAL


@needs_coq
@pytest.mark.timeout(1200)
def test_a_false_instance_is_not_accepted() -> None:
    """The printed form of (13) in the place of the mended one; half the bending of a spline."""
    text = (Path(__file__).parent / "headline_cases.v").read_text(encoding="utf-8")
    for right, wrong in (("(sqrt 15)", "(sqrt (5 / 2))"), ("(bending 0 2) 6.", "(bending 0 2) 3.")):
        assert text.count(right) >= 1
        answer = check(text.replace(right, wrong), seconds=150)
        assert answer.message.startswith("line "), answer.message
