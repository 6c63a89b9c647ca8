"""The mean square of the mean of independent copies, against lists of all draws from finite laws."""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction

import pytest

from implicitbias.errors import FormulaError
from implicitbias.exact.enclosure import evaluate
from implicitbias.exact.formula import Assumption, Expression
from implicitbias.exact.vectors import relu
from implicitbias.theorems.quantity import Steps
from implicitbias.theorems.rules.sequences.independent_copies import IndependentCopies
from implicitbias.theorems.rules.values.value import Value
from implicitbias.theorems.setting import NotShownError, RefusedError, Setting, minus

DOMAINS: dict[str, Assumption] = {"n": "positive integer", "M": "nonnegative", "Q": "nonnegative", "c": "real"}
SETTING = Setting(DOMAINS)
SHIFTED = IndependentCopies(
    term="relu(w) + c",
    entries={"w": "real"},
    copies="n",
    totals={"M": "relu(w)", "Q": "relu(w)**2"},
    by={"M": "1"},
    each="c",
    square_by={"Q": "1", "M": "2*c"},
    square_each="c**2",
)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("law", [(1, -1), (2, 0, 3), (5,)])
@pytest.mark.parametrize("c", [0, -1, Fraction(2, 3)])
def test_the_value_is_the_mean_over_all_draws(n: int, law: tuple[int, ...], c: Fraction) -> None:
    value = SHIFTED.establish(SETTING, Steps())
    draws = [Fraction(sum(relu(Fraction(w)) + c for w in drawn), n) ** 2 for drawn in itertools.product(law, repeat=n)]
    mean, square = (Fraction(sum(max(w, 0) ** k for w in law), len(law)) for k in (1, 2))
    at = {"n": Fraction(n), "M": mean, "Q": square, "c": Fraction(c)}
    assert evaluate(Expression("", frozenset(at), value), at) == sum(draws) / len(draws)


def test_a_quantity_may_be_the_term() -> None:
    same = replace(SHIFTED, term=Value("relu(w) + c"))
    difference = minus(same.establish(SETTING, Steps()), SHIFTED.establish(SETTING, Steps()))
    assert SETTING.zero(difference, "the values")


@pytest.mark.parametrize(
    "altered",
    [
        {"by": {"M": "2"}},
        {"by": {}},
        {"each": "0"},
        {"square_by": {"Q": "1"}},
        {"square_by": {"M": "M"}, "square_each": "c**2 + 2*c*M"},
        {"square_each": "0"},
        {"by": {"M": "w"}},
        {"term": "c"},
        {"term": "M"},
        {"totals": {"M": "relu(w)", "Q": "M**2"}},
        {"copies": "c"},
    ],
)
def test_a_wrong_witness_and_what_is_no_copy_are_refused(altered: dict[str, object]) -> None:
    with pytest.raises((RefusedError, NotShownError, FormulaError)):
        replace(SHIFTED, **altered).establish(SETTING, Steps())  # type: ignore[arg-type]


def test_no_copies_have_no_mean() -> None:
    with pytest.raises(RefusedError, match="positive integer"):
        SHIFTED.establish(Setting({**DOMAINS, "n": "nonnegative integer"}), Steps())
