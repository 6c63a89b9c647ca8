"""What a theorem rests on, by Coq's own account (`Print Assumptions`), and what that is worth."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum


class Grade(StrEnum):
    """What accepted theorems rest on."""

    CLOSED = "closed"
    CLASSICAL = "classical reals"
    MACHINE = "machine arithmetic"


CLASSICAL_REALS = frozenset(
    {
        "Coq.Reals.ClassicalDedekindReals.sig_forall_dec",
        "Coq.Reals.ClassicalDedekindReals.sig_not_dec",
        "Coq.Logic.FunctionalExtensionality.functional_extensionality_dep",
        "Coq.Logic.Classical_Prop.classic",
    }
)
"""The axioms of the real numbers of Coq 8.16 and of Coquelicot."""

MACHINE_ARITHMETIC = ("FloatAxioms.", "Uint63.", "PrimInt63.", "PrimFloat.")
"""Modules whose axioms say that the machine's whole numbers and floating-point numbers do what they are meant to."""


def axioms_of(printed: str) -> tuple[str, ...]:
    """The names in one answer of `Print Assumptions`; none where the theorem is closed.

    A name starts in the first column; its type follows after a colon, on the same line or indented.

    Raises
    ------
    ValueError
        If the answer is neither of the two that Coq gives.
    """
    lines = printed.strip().splitlines()
    if lines == ["Closed under the global context"]:
        return ()
    if not lines or lines[0].strip() != "Axioms:" or len(lines) == 1:
        raise ValueError(f"not an answer of Print Assumptions: {printed.strip()[:80]!r}")
    return tuple(dict.fromkeys(line.split()[0] for line in lines[1:] if line and not line[0].isspace()))


def grade_of(axioms: Iterable[str]) -> Grade | None:
    """What the axioms are worth together; None where one of them is not allowed."""
    names = tuple(axioms)
    if any(not (_is_classical(name) or _is_machine(name)) for name in names):
        return None
    if any(map(_is_machine, names)):
        return Grade.MACHINE
    return Grade.CLASSICAL if names else Grade.CLOSED


def not_allowed(axioms: Iterable[str]) -> tuple[str, ...]:
    """Those of the axioms that no theorem may rest on."""
    return tuple(name for name in axioms if grade_of((name,)) is None)


def _is_classical(name: str) -> bool:
    # Coq prints the shortest name that is not ambiguous.
    return any(full == name or full.endswith("." + name) for full in CLASSICAL_REALS)


def _is_machine(name: str) -> bool:
    return name.startswith(MACHINE_ARITHMETIC)
