"""Least costs of chains along lists of any length."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product

import pytest

from implicitbias.errors import FormulaError
from implicitbias.theorems.primitives import PRIMITIVES
from implicitbias.theorems.quantity import Steps
from implicitbias.theorems.rules.sequences.chain import CheapestChain
from implicitbias.theorems.rules.values.value import Value
from implicitbias.theorems.setting import NotShownError, RefusedError, Setting, minus
from implicitbias.theorems.theorem import assumed

SLOPES = CheapestChain(
    stage="norm(l - u) + norm(w - l)",
    start="norm(u - p)",
    end="norm(q - u)",
    state="u",
    following="w",
    entry={"l": "real"},
    known={"T": ("0", "T + Abs(l - b)"), "a": ("l", "a"), "b": ("l", "l")},
    least="T + Abs(a - p) + Abs(u - b)",
    at_first="p",
    at="b",
    at_last="b",
)
"""The least variation of a slope that takes the values l one after the other, from p to q."""
LINE = Setting({"T": "nonnegative", "a": "real", "b": "real", "p": "real", "q": "real"})


def test_it_is_what_the_list_turns() -> None:
    found = SLOPES.establish(LINE, Steps())
    LINE.zero(minus(found, LINE.read("T + Abs(a - p) + Abs(q - b)")), "the value")


@pytest.mark.parametrize("entries", [[2], [1, 3], [3, -1, 2], [0, 0, -2]], ids=str)
def test_no_chain_is_cheaper_on_a_grid(entries: list[int]) -> None:
    """Brute force: piecewise-linear costs with whole breaks have a minimiser on whole numbers."""
    p, q = -1, 1
    variation = sum(abs(y - x) for x, y in pairwise(entries))
    claimed = variation + abs(entries[0] - p) + abs(q - entries[-1])
    costs = (
        abs(chain[0] - p)
        + sum(abs(e - u) + abs(w - e) for (u, w), e in zip(pairwise(chain), entries, strict=True))
        + abs(q - chain[-1])
        for chain in product(range(-2, 4), repeat=len(entries) + 1)
    )
    assert min(costs) == claimed


@pytest.mark.parametrize(
    "chain",
    [
        replace(SLOPES, least="T + Abs(a - p) + Abs(u - b)/2"),
        replace(SLOPES, least="T + Abs(u - b)"),
        replace(SLOPES, least="T + Abs(u - p)"),
        replace(SLOPES, least="2*T + Abs(a - p) + Abs(u - b)"),
        replace(SLOPES, least="Max(T, Abs(a - p) + Abs(u - b))"),
        replace(SLOPES, at_first="w"),
        replace(SLOPES, at_first="l + w"),
        replace(SLOPES, at="a"),
        replace(SLOPES, at="w + b"),
        replace(SLOPES, at_first="b"),
        replace(SLOPES, at_last="a"),
        replace(SLOPES, at_last="w"),
        replace(SLOPES, known={**SLOPES.known, "T": ("0", "T + Abs(l - a)")}),
        replace(SLOPES, known={**SLOPES.known, "T": ("1", "T + Abs(l - b)")}),
        replace(SLOPES, known={**SLOPES.known, "T": ("0", "T")}),
        replace(SLOPES, known={**SLOPES.known, "T": ("b", "T + Abs(l - b)")}),
        replace(SLOPES, known={**SLOPES.known, "b": ("l", "b")}),
        replace(SLOPES, known={**SLOPES.known, "z": ("l", "l")}),
        replace(SLOPES, known={name: SLOPES.known[name] for name in ("T", "b")}),
        replace(SLOPES, stage="norm(l - u) + norm(w - l) + T"),
        replace(SLOPES, stage="norm(l - u)"),
        replace(SLOPES, stage="norm(w - u)"),
        replace(SLOPES, stage="norm(l - u) - norm(w - l)"),
        replace(SLOPES, stage=Value("norm(l - u)")),
        replace(SLOPES, start="norm(p)"),
        replace(SLOPES, start="norm(u - b)"),
        replace(SLOPES, end="T + Abs(a - p)"),
        replace(SLOPES, end="-norm(q - u)*3"),
        replace(SLOPES, state="p"),
        replace(SLOPES, following="u"),
    ],
    ids=str,
)
def test_a_wrong_witness_is_refused_and_nothing_is_typed(chain: CheapestChain) -> None:
    with pytest.raises((RefusedError, NotShownError, FormulaError, ValueError)):
        chain.establish(LINE, Steps())


def test_what_the_theorem_says_of_the_whole_list_is_not_used_for_its_beginnings() -> None:
    """T <= 0 holds of the whole list only where nothing turns; V without T would be right there alone."""
    with pytest.raises((RefusedError, NotShownError)):
        replace(SLOPES, least="Abs(a - p) + Abs(u - b)").establish(assumed(LINE, "T <= 0"), Steps())
    assert SLOPES.establish(assumed(LINE, "T <= 0"), Steps())


def test_totals_that_no_list_has_are_not_shown() -> None:
    with pytest.raises(NotShownError, match="no list"):
        SLOPES.establish(assumed(assumed(LINE, "T <= 0"), "a >= b + 1"), Steps())


def test_another_length_makes_another_cost() -> None:
    twice = {**PRIMITIVES, "norm": replace(PRIMITIVES["norm"], formula="2*Abs(u)")}
    with pytest.raises(RefusedError):
        SLOPES.establish(replace(LINE, vocabulary=twice), Steps())
