"""What may stand in a Coq text that is to be checked, read from the text alone.

Comments and strings are taken out as Coq's lexer does (comments nest, strings inside comments count), then words are
looked for: those that leave a proof open, assume something, switch a check of the kernel off, or touch files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

ASSUMPTIONS = (
    *(
        "Admitted",
        "Admit",
        "admit",
        "give_up",
        "Axiom",
        "Axioms",
        "Parameter",
        "Parameters",
        "Hypothesis",
        "Hypotheses",
    ),
    *("Conjecture", "Conjectures", "Variable", "Variables", "Context", "Primitive", "Declare"),
)
WITHDRAWALS = ("Abort", "Fail", "Reset", "Back", "Undo", "Restart", "Quit", "Drop")
"""With these a theorem could be stated, given up, and its name given to another."""

SWITCHES = ("bypass_check", "type_in_type")
FILES = ("Load", "Cd", "Redirect", "Extraction", "LoadPath")
FORBIDDEN = frozenset((*ASSUMPTIONS, *WITHDRAWALS, *SWITCHES, *FILES))
"""Words that are refused wherever they stand outside comments and strings."""

UNCHECKED = re.compile(r"\b(?:Unset\s+[\w\s]*?\bChecking|Set\s+Type\s+In\s+Type)\b")
"""Settings that switch off guards, positivity or universes."""

WORD = re.compile(r"[A-Za-z_][\w']*")
STATEMENT = re.compile(r"\b(?:Theorem|Lemma|Corollary|Proposition|Fact|Remark|Property|Example)\s+([A-Za-z_][\w']*)")


class UnreadableTextError(ValueError):
    """A comment or a string that does not end."""


def code(text: str) -> str:
    """The text with every comment and string replaced by blanks of the same length, lines kept.

    Raises
    ------
    UnreadableTextError
        If a comment or a string does not end.
    """
    return "".join(_characters(text))


def _characters(text: str) -> Iterator[str]:
    depth, quoted, i = 0, False, 0
    while i < len(text):
        two = text[i : i + 2]
        if quoted:
            # Coq writes a quotation mark inside a string twice: closing and opening again comes to the same.
            quoted = text[i] != '"'
            step = 1
        elif text[i] == '"':
            quoted, step = True, 1
        elif two == "(*":
            depth, step = depth + 1, 2
        elif two == "*)" and depth:
            depth, step = depth - 1, 2
        else:
            step = 1
            if not depth:
                yield text[i]
                i += 1
                continue
        for character in text[i : i + step]:
            yield "\n" if character == "\n" else " "
        i += step
    if quoted or depth:
        raise UnreadableTextError("a string does not end" if quoted else "a comment does not end")


def refusal(text: str) -> str:
    """Why the text is not given to Coq, or "" where nothing forbids it."""
    try:
        bare = code(text)
    except UnreadableTextError as error:
        return f"refused: {error}"
    for word in WORD.finditer(bare):
        if word[0] in FORBIDDEN:
            return f"refused: line {_line(bare, word.start())} has the word {word[0]}"
    switched = UNCHECKED.search(bare)
    if switched:
        return f"refused: line {_line(bare, switched.start())} switches a check off: {' '.join(switched[0].split())}"
    return "" if STATEMENT.search(bare) else "refused: the text states no theorem"


def theorems(text: str) -> tuple[str, ...]:
    """The names of the theorems that the text states, in order, each once."""
    return tuple(dict.fromkeys(STATEMENT.findall(code(text))))


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1
