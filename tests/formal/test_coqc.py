"""Coq asked: what is accepted, what is not and why, and what accepted theorems rest on."""

import re
import shutil
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from implicitbias.errors import CoqError
from implicitbias.formal import coqc
from implicitbias.formal.axioms import Grade
from implicitbias.formal.coqc import INSTALL, check, compiled_library, installed

needs_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason=f"coqc is not installed: {INSTALL}")
USING = "From ImplicitBias Require Import All.\nOpen Scope R_scope.\n"


@needs_coq
@pytest.mark.timeout(1200)  # half a minute of work, with the machine to itself
def test_the_library_compiles_and_carries_the_claims_it_was_made_for() -> None:
    """Every file of it: `All` requires the others."""
    folder = compiled_library()
    assert {path.stem for path in folder.glob("*.vo")} == {path.stem for path in coqc.LIBRARY.glob("*.v")}
    answer = check((Path(__file__).parent / "library_cases.v").read_text(), seconds=150)
    assert answer.accepted, answer.message
    assert answer.grade == Grade.CLASSICAL


@needs_coq
def test_the_library_assumes_nothing_of_its_own() -> None:
    """By text: no word that assumes. (By Coq: the axioms of each theorem that uses it.)"""
    for path in coqc.LIBRARY.glob("*.v"):
        assert coqc.refusal(path.read_text() + "\nTheorem t : True.") == "", path.name


@needs_coq
def test_a_true_theorem_is_accepted_with_what_it_rests_on() -> None:
    text = "Theorem t : forall x, Rabs x = Rmax x (- x). Proof. equal. Qed. Lemma u : True. exact I. Qed."
    answer = check(USING + text, by_theorem=True)
    assert answer.accepted
    assert answer.theorems == ("t", "u")
    assert answer.grade == Grade.CLASSICAL
    assert answer.by_theorem == {"t": answer.axioms, "u": ()}
    assert "ClassicalDedekindReals.sig_forall_dec" in answer.axioms


@needs_coq
def test_a_closed_theorem_needs_no_axiom() -> None:
    assert check("Theorem t : 1 + 1 = 2. Proof. reflexivity. Qed.").grade == Grade.CLOSED


@needs_coq
def test_a_false_theorem_is_not_accepted_and_the_line_is_said() -> None:
    answer = check(USING + "Theorem t : forall x, Rabs x = x.\nProof. equal. Qed.")
    assert not answer.accepted
    assert answer.grade is None
    assert answer.message.startswith("line 4: ")


@needs_coq
@pytest.mark.parametrize("end", ["", "Proof. idtac. ", "Proof. exact I. Defined. End None."])
def test_an_unfinished_text_is_not_accepted(end: str) -> None:
    assert not check(f"Theorem t : True. {end}").accepted


@needs_coq
def test_axioms_cannot_be_printed_by_the_text_itself() -> None:
    text = """From Coq Require Import ProofIrrelevance.
        Theorem t : forall (P : Prop) (p q : P), p = q. Proof. idtac "Closed under the global context".
        apply proof_irrelevance. Qed. Print Assumptions I."""
    answer = check(text)
    assert not answer.accepted
    assert answer.message == "rests on an axiom that is not allowed: proof_irrelevance"


@needs_coq
def test_interval_arithmetic_has_its_own_grade() -> None:
    text = """From Coq Require Import Reals. From Interval Require Import Tactic. Open Scope R_scope.
        Theorem t : 1.41 < sqrt 2. Proof. interval. Qed."""
    answer = check(text, seconds=100)
    assert answer.accepted, answer.message
    assert answer.grade == Grade.MACHINE


@needs_coq
def test_a_proof_that_does_not_end_is_stopped_and_leaves_no_process() -> None:
    begun = time.monotonic()
    answer = check("Theorem t : True.\nProof.\n  do 1000000 (do 1000000 idtac). exact I. Qed.", seconds=2)
    assert not answer.accepted
    assert answer.message == "line 3: no answer in 2 s"
    assert time.monotonic() - begun < 60
    assert "checked.v" not in subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout


@needs_coq
def test_a_proof_that_takes_all_memory_is_refused_at_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled_library()
    monkeypatch.setattr(coqc, "MEMORY", 2**29)
    answer = check(
        "(* π *) Ltac turn := apply not_eq_sym; turn.\nTheorem t : 0 <> 0.\nProof.\n  turn. Qed.", seconds=60
    )
    assert not answer.accepted
    assert answer.message == "line 4: more than 0.5 GiB of memory"


@needs_coq
@pytest.mark.parametrize("goal", ["0 <> 0", "0 <> x * 0"])
def test_no_tactic_goes_round_in_circles(goal: str) -> None:
    """A step that the next one undoes would fill the memory until the time is over."""
    text = f"{USING}Theorem t : forall x : R, {goal}.\nProof. intros. nonzero_by leaf. Qed."
    answer = check(text, seconds=20)
    assert answer.message.startswith("line 4: ")
    assert not re.search("no answer|memory", answer.message)


@needs_coq
def test_every_tactic_ends_on_goals_that_are_out_of_reach() -> None:
    """Each way is limited in time; a goal that is false in a hard way ends as one that is false in an easy way."""
    hard = "exp (sin x) * sqrt (x ^ 2 + y ^ 2 + 1) + Rmax x (Rabs (y - x)) / (1 + x ^ 4)"
    for goal, tactic in ((f"{hard} = 1", "equal"), (f"0 <= {hard} - 20", "nonneg"), (f"{hard} - 20 <> 0", "defined")):
        answer = check(f"{USING}Theorem t : forall x y : R, {goal}. Proof. {tactic}. Qed.", seconds=120)
        assert answer.message.startswith("line 3: "), answer.message


def test_a_text_that_assumes_is_refused_unseen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coqc, "installed", lambda: pytest.fail("Coq was asked"))
    answer = check("Theorem t : False. Admitted.")
    assert not answer.accepted
    assert answer.message == "refused: line 1 has the word Admitted"


def test_without_coqc_the_line_that_installs_it_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    installed.cache_clear()
    try:
        with pytest.raises(CoqError, match="apt-get install coq libcoq-coquelicot libcoq-interval"):
            installed()
    finally:
        installed.cache_clear()


@needs_coq
def test_versions_are_known() -> None:
    coq = installed()
    assert coq.version[0].isdigit()
    assert coq.coquelicot
    assert coq.interval


@needs_coq
def test_several_at_once_compile_the_library_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = tmp_path / "sources"
    small.mkdir()
    (small / "One.v").write_text("Definition one := 1.\n")
    (small / "Two.v").write_text("From ImplicitBias Require Import One.\nDefinition two := one + one.\n")
    monkeypatch.setattr(coqc, "_cache", lambda: tmp_path / "cache")
    with ThreadPoolExecutor(3) as pool:
        folders = set(pool.map(lambda _: coqc._library_of(installed(), small), range(3)))
    (folder,) = folders
    assert {path.name for path in folder.glob("*.vo")} == {"One.vo", "Two.vo"}
    assert [path.name for path in (tmp_path / "cache").iterdir()] == [folder.name]


@needs_coq
def test_a_library_that_coq_does_not_accept_is_named_and_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "Wrong.v").write_text("Definition one : bool := 1.\n")
    monkeypatch.setattr(coqc, "_cache", lambda: tmp_path / "cache")
    with pytest.raises(CoqError, match=r"does not accept Wrong\.v of the library: line 1"):
        coqc._library_of(installed(), tmp_path)
    assert not list((tmp_path / "cache").iterdir())
