"""How many weights the cheapest solutions of linear equations have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from scipy.linalg import null_space

from implicitbias.errors import FormulaError
from implicitbias.theorems.quantity import Quantity, Steps
from implicitbias.theorems.rules.extrema.sparse_weights import AlwaysImprovable, SparsestMinimiser
from implicitbias.theorems.setting import NotShownError, RefusedError, Setting
from implicitbias.theorems.theorem import assumed

WHOLE = Setting({"N": "positive integer", "k": "positive integer", "L": "positive integer", "r": "positive"})
BRIDGE = SparsestMinimiser(cost="bridge_penalty(a, L)", weight="a", equations="N")
IMPROVABLE = AlwaysImprovable(cost="bridge_penalty(a, L)", weight="a", equations="N", active="k")
SPLIT = replace(IMPROVABLE, cost="path_cost(a, r)", at="r/k", multiplier="r")


def where(*hypotheses: str) -> Setting:
    setting = WHOLE
    for text in hypotheses:
        setting = assumed(setting, text)
    return setting


def test_the_sparsest_minimiser_has_as_many_weights_as_there_are_equations() -> None:
    assert BRIDGE.establish(where("L >= 2"), Steps()).head == "N"
    assert replace(BRIDGE, cost="norm(a)").establish(WHOLE, Steps()).head == "N"
    assert replace(BRIDGE, cost="sqrt(norm(a))").establish(WHOLE, Steps()).head == "N"


@pytest.mark.parametrize(
    ("quantity", "setting", "answer"),
    [
        (IMPROVABLE, where("L >= 3", "k >= N + 1"), 1),
        (IMPROVABLE, where("L >= 2", "k <= N"), 0),
        (SPLIT, where("k >= N + 1"), 0),
        (replace(SPLIT, cost="dot(a, a)", at="1/k", multiplier="2/k"), where("k >= N + 1"), 0),
        (replace(IMPROVABLE, cost="sqrt(norm(a))"), where("k >= N + 1"), 1),
        (replace(IMPROVABLE, cost="norm(a)/(r + norm(a))"), where("k >= N + 1"), 1),
    ],
    ids=["strictly concave", "no more than equations", "split", "square", "root", "bounded"],
)
def test_more_weights_than_equations_can_be_improved_where_their_cost_is_strictly_concave(
    quantity: AlwaysImprovable, setting: Setting, answer: int
) -> None:
    assert quantity.establish(setting, Steps()).number == answer


@pytest.mark.parametrize(
    ("quantity", "setting"),
    [
        (BRIDGE, WHOLE),  # L = 1: squares
        (replace(BRIDGE, cost="dot(a, a)"), WHOLE),
        (replace(BRIDGE, cost="norm(a) + 1"), WHOLE),
        (replace(BRIDGE, cost="norm(a) - dot(a, a)"), WHOLE),  # concave, not bounded below
        (replace(BRIDGE, cost="a"), WHOLE),
        (replace(BRIDGE, cost="Max(norm(a), 2*norm(a) - 1)"), WHOLE),  # convex where it bends
        (replace(BRIDGE, cost="Min(norm(a), 1)"), WHOLE),  # true, and in pieces: not shown
        (replace(BRIDGE, cost="1/norm(a)"), WHOLE),
        (replace(BRIDGE, cost="r"), WHOLE),
        (replace(BRIDGE, weight="N"), WHOLE),
        (replace(BRIDGE, equations="N - 1"), where("L >= 2")),
        (replace(BRIDGE, equations="r"), where("L >= 2")),
        (replace(BRIDGE, equations="a"), where("L >= 2")),
        (IMPROVABLE, where("L >= 2", "k >= N + 1")),
        (IMPROVABLE, where("L >= 3", "k >= N")),
        (IMPROVABLE, where("L >= 3")),
        (replace(IMPROVABLE, cost="norm(a)"), where("k >= N + 1")),
        (replace(IMPROVABLE, active="k + 1"), where("L >= 3", "k >= N + 1")),
        (replace(IMPROVABLE, at="1/k", multiplier="2/L"), where("L >= 3", "k >= N + 1")),
        (replace(SPLIT, multiplier="2*r"), where("k >= N + 1")),
        (replace(SPLIT, multiplier=""), where("k >= N + 1")),
        (replace(SPLIT, at="-1/k"), where("k >= N + 1")),
        (replace(SPLIT, at="0"), where("k >= N + 1")),
        (replace(SPLIT, at="a"), where("k >= N + 1")),
    ],
    ids=str,
)
def test_what_is_not_concave_or_not_counted_is_refused(quantity: Quantity, setting: Setting) -> None:
    with pytest.raises((RefusedError, NotShownError, FormulaError, ValueError)):
        quantity.establish(setting, Steps())


def moved_to_an_end(columns: np.ndarray, alpha: np.ndarray) -> list[np.ndarray]:
    """The solutions at which the first weight along a direction of the kernel becomes 0, both ways."""
    b = null_space(columns)[:, 0]
    times = [-a / c for a, c in zip(alpha, b, strict=True) if abs(c) > 1e-9]
    ends = [min((t for t in times if t > 0), default=None), max((t for t in times if t < 0), default=None)]
    return [alpha + t * b for t in ends if t is not None]


@pytest.mark.parametrize("exponent", [2 / 3, 1 / 2, 1 / 4])
def test_along_a_kernel_vector_an_end_is_cheaper(exponent: float) -> None:
    """What the rule's text says, on random equations: N + 1 to N + 3 weights."""
    draw = np.random.default_rng(5)
    for equations, spare in combinations(range(1, 6), 2):
        columns = draw.normal(size=(equations, spare + equations - 1))
        alpha = draw.normal(size=columns.shape[1])
        ends: Sequence[np.ndarray] = moved_to_an_end(columns, alpha)
        assert all(np.allclose(columns @ end, columns @ alpha) for end in ends)
        costs = [(np.abs(end) ** exponent).sum() for end in ends]
        assert min(costs) < (np.abs(alpha) ** exponent).sum()
