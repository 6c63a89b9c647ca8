"""The kernel theorems, by hand: there, finished, on allowed axioms only; and their conditions can be met."""

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
KINDS = ("minimum_norm", "ramps", "margin", "variation", "variation_margins", "penalised_variation")
HEADLINES = (
    "counted_at_most",
    "linear_between_variation",
    "minimum_norm_of_networks",
    "minimum_norm_of_weights",
    "network_cost_at_least",
    "network_of_linear_between",
    "smallest_between_infimum",
    "weight_norm_min",
)
"""Others that docs/formal.md names."""


def named(kind: str) -> tuple[str, tuple[str, ...]]:
    """The Coq file and the theorems that a kind's docstring names."""
    found = NAMED.search(import_module(f"implicitbias.certificate.kinds.{kind}").__doc__ or "")
    assert found, kind
    return found[1], tuple(found[2].split(", "))


def required(name: str) -> set[str]:
    """The library files that a file needs, itself among them."""
    text = (LIBRARY / f"{name}.v").read_text(encoding="utf-8")
    found = re.findall(r"From ImplicitBias Require (?:Import|Export)([\w\s]+)\.", text)
    return {name}.union(*(required(other) for names in found for other in names.split()))


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_names_theorems_that_its_file_states(kind: str) -> None:
    name, names = named(kind)
    assert set(names) <= set(theorems((LIBRARY / f"{name}.v").read_text(encoding="utf-8")))
    assert name in required("Kernels")


def test_nothing_is_left_open_or_assumed() -> None:
    """By text, also where coqc is missing."""
    for name in required("Kernels"):
        text = (LIBRARY / f"{name}.v").read_text(encoding="utf-8")
        assert refusal(text + "\nTheorem t : True.") == "", name


def test_generated_files_do_not_load_them() -> None:
    assert not required("All") & {named(kind)[0] for kind in KINDS}


def test_the_docs_name_them_all() -> None:
    text = (Path(__file__).parents[2] / "docs" / "formal.md").read_text(encoding="utf-8")
    for theorem in (*HEADLINES, *(t for kind in KINDS for t in named(kind)[1])):
        assert f"`{theorem}`" in text, theorem


@needs_coq
@pytest.mark.timeout(1200)
def test_they_rest_on_allowed_axioms_only() -> None:
    names = (*HEADLINES, *(theorem for kind in KINDS for theorem in named(kind)[1]))
    uses = "\n".join(f"Theorem uses_{n} : True. Proof. pose proof @{n}. exact I. Qed." for n in names)
    answer = check(f"From ImplicitBias Require Import Kernels.\n{uses}\n", seconds=120)
    assert answer.accepted, answer.message
    assert answer.grade == Grade.CLASSICAL
    assert len(answer.theorems) == len(names)


@needs_coq
def test_what_a_used_theorem_rests_on_is_seen() -> None:
    """The way in which the test above asks: an axiom below a theorem that is only used is found."""
    text = "From Coq Require Import ProofIrrelevance.\n"
    uses = "Theorem uses : True. Proof. pose proof @proof_irrelevance. exact I. Qed."
    assert check(text + uses).message == "rests on an axiom that is not allowed: proof_irrelevance"


@needs_coq
@pytest.mark.timeout(1200)
def test_their_conditions_can_be_met() -> None:
    """By a certificate of each form, written out: what is printed of it is a theorem."""
    text = (Path(__file__).parent / "kernel_cases.v").read_text(encoding="utf-8")
    assert all(
        f"apply {theorem}" in text or f"apply ({theorem} " in text for kind in KINDS for theorem in named(kind)[1]
    )
    answer = check(text, seconds=150)
    assert answer.accepted, answer.message
    assert answer.grade == Grade.CLASSICAL


def test_a_proof_left_open_in_a_kernel_file_is_refused() -> None:
    text = (LIBRARY / "Variation.v").read_text(encoding="utf-8")
    assert "Admitted" in refusal(text[: text.rindex("Proof.")] + "Proof. Admitted.\n")
