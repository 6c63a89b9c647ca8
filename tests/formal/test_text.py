"""What is refused before Coq sees it."""

import pytest

from implicitbias.formal.text import UnreadableTextError, code, refusal, theorems

TRUE = "Theorem t : True. Proof. exact I. Qed.\n"

REFUSED = {
    "Admitted": "Theorem u : False. Admitted.",
    "admit": "Theorem u : False. Proof. admit. Qed.",
    "give_up": "Theorem u : False. Proof. give_up. Qed.",
    "Axiom": "Axiom a : False.",
    "Parameter": "Local Parameter a : False.",
    "Hypothesis": "Hypothesis a : False.",
    "Conjecture": "Conjecture a : False.",
    "Variable": "Variable a : False.",
    "Context": "Context (a : False).",
    "Declare": "Declare Instance a : False.",
    "bypass_check": "#[bypass_check(guard)] Fixpoint f (n : nat) : False := f n.",
    "Abort": "Theorem u : False. Abort. Definition u := I.",
    "Fail": "Fail Theorem u : 1.",
    "Load": 'Load "other".',
    "Redirect": 'Redirect "out" Print t.',
}


@pytest.mark.parametrize("word", REFUSED)
def test_a_word_that_assumes_withdraws_or_touches_files_is_refused_with_its_line(word: str) -> None:
    said = refusal(TRUE + "\n" + REFUSED[word])
    assert said == f"refused: line 3 has the word {word}"


@pytest.mark.parametrize(
    "setting",
    ["Unset Guard Checking", "Unset Positivity Checking", "Local Unset\n Universe  Checking", "Set Type In Type"],
)
def test_a_check_of_the_kernel_cannot_be_switched_off(setting: str) -> None:
    assert "switches a check off" in refusal(f"{setting}.\n{TRUE}")


@pytest.mark.parametrize(
    "harmless",
    [
        "(* Admitted *)",
        "(* nested (* Axiom *) still a comment: Axiom *)",
        '(* a string in a comment "*)" Axiom *)',
        'Definition s := "Axiom"%string.',
        'Definition s := "a "" Axiom"%string.',
        "Ltac f := match goal with |- context [Rabs] => idtac end.",
        "Definition Axiomatic' := 1. Definition my_Parameter := 2.",
    ],
)
def test_comments_strings_and_longer_words_are_not_read_as_commands(harmless: str) -> None:
    assert refusal(harmless + "\n" + TRUE) == ""


@pytest.mark.parametrize(
    "hidden",
    ['(* " *) Admitted. (* " *) Admitted. ', '(* "" *) Axiom a : False. (* *)', "(* (* *) *) Axiom a : False."],
)
def test_no_comment_hides_a_command(hidden: str) -> None:
    assert refusal(TRUE + hidden).startswith("refused: line 2")


@pytest.mark.parametrize("open_end", ["(* (* *)", 'Definition s := "', '(* "*)'])
def test_what_does_not_end_is_refused(open_end: str) -> None:
    with pytest.raises(UnreadableTextError):
        code(open_end)
    assert "does not end" in refusal(TRUE + open_end)


def test_a_text_without_a_theorem_is_refused() -> None:
    assert refusal("Definition one := 1. (* Theorem t : True. *)") == "refused: the text states no theorem"


def test_theorems_are_named_in_order() -> None:
    assert theorems("Lemma b' : True. (* Theorem no : x *) Theorem a : True. Corollary c1 : True.") == ("b'", "a", "c1")


def test_lines_and_columns_stay() -> None:
    text = 'a (* b\n c *) d "e\n"\nf'
    assert [len(line) for line in code(text).splitlines()] == [len(line) for line in text.splitlines()]
    assert code(text).split() == ["a", "d", "f"]
