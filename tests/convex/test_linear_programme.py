from __future__ import annotations

import itertools
import random
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from implicitbias.convex.programmes import linear_programme
from implicitbias.convex.programmes.linear_programme import Infeasible, Optimum, Unbounded, minimise, optimum, verified

THIRD = Fraction(1, 3)


def test_a_programme_solved_by_hand_gives_its_vertex_and_its_prices() -> None:
    # min -x - 2y, x + y <= 4, y <= 3: the vertex (1, 3); prices -1 on both constraints.
    found = optimum([-1, -2], A_ub=[[1, 1], [0, 1]], b_ub=[4, 3])
    assert found == Optimum(Fraction(-7), (Fraction(1), Fraction(3)), (), (Fraction(-1), Fraction(-1)))


def test_a_free_variable_may_be_negative() -> None:
    assert optimum([1], A_ub=[[-1]], b_ub=[5], free=True).primal == (-5,)
    assert optimum([1], A_ub=[[-1]], b_ub=[5]).primal == (0,)


def test_dependent_constraints_are_no_obstacle() -> None:
    found = optimum([1, 2], A_eq=[[1, 1], [2, 2], [3, 3]], b_eq=[THIRD, 2 * THIRD, 3 * THIRD])
    assert found.value == THIRD


def test_contradictory_constraints_come_with_farkas_multipliers() -> None:
    arguments: dict[str, Any] = {"c": [0, 0], "A_eq": [[1, 1], [1, 1]], "b_eq": [1, 2], "free": True}
    outcome = minimise(**arguments)
    assert isinstance(outcome, Infeasible)
    y = outcome.farkas_eq
    assert y[0] + y[1] == 0
    assert y[0] + 2 * y[1] > 0


def test_a_programme_without_a_bound_comes_with_a_ray() -> None:
    outcome = minimise([-1, 0], A_eq=[[1, -1]], b_eq=[0])
    assert isinstance(outcome, Unbounded)
    assert outcome.ray[0] == outcome.ray[1] > 0


def test_optimum_raises_with_the_proof_where_there_is_none() -> None:
    with pytest.raises(ArithmeticError, match="Unbounded"):
        optimum([-1])


def test_shapes_that_do_not_match_are_named() -> None:
    with pytest.raises(ValueError, match=r"A_eq needs 1 rows .* of 2 entries"):
        minimise([1, 2], A_eq=[[1]], b_eq=[0])
    with pytest.raises(ValueError, match="one for each of the 2 variables"):
        minimise([1, 2], free=[True])


def test_an_optimum_altered_anywhere_does_not_verify() -> None:
    arguments: dict[str, Any] = {"c": [-1, -2], "A_eq": [[1, -1]], "b_eq": [1], "A_ub": [[1, 1]], "b_ub": [4]}
    found = optimum(**arguments)
    assert verified(found, **arguments)
    for part in ("primal", "dual_eq", "dual_ub"):
        numbers = list(getattr(found, part))
        for i, step in itertools.product(range(len(numbers)), (Fraction(1, 10**30), Fraction(-1, 10**30))):
            changed = [*numbers[:i], numbers[i] + step, *numbers[i + 1 :]]
            forged = Optimum(**{**found.__dict__, part: tuple(changed)})
            assert not verified(forged, **arguments)
    assert not verified(Optimum(**{**found.__dict__, "value": found.value + THIRD}), **arguments)


ONE = (Fraction(1),)
FALSE_OUTCOMES: list[tuple[Any, dict[str, Any], dict[str, Any]]] = [
    # (outcome, the programme for which it is false, what to change to make it true)
    (Optimum(Fraction(-1), (Fraction(-1),), ONE, ()), {"c": [1], "A_eq": [[1]], "b_eq": [-1]}, {"free": True}),
    (
        Optimum(Fraction(0), (Fraction(0),), (), (Fraction(0),)),
        {"c": [1], "A_ub": [[1]], "b_ub": [2], "free": True},
        {"free": False},
    ),
    (Optimum(Fraction(2), (Fraction(2),), (), ONE), {"c": [1], "A_ub": [[1]], "b_ub": [2]}, {}),
    (Infeasible((), ONE), {"c": [0], "A_ub": [[-1]], "b_ub": [1]}, {}),
    (Infeasible((Fraction(-1),), ()), {"c": [0], "A_eq": [[1]], "b_eq": [-1], "free": True}, {"free": False}),
    (Unbounded((Fraction(0),), (Fraction(-1),)), {"c": [1]}, {"free": True}),
    (Unbounded((Fraction(0),), ONE), {"c": [-1], "A_ub": [[1]], "b_ub": [1]}, {"A_ub": [[-1]]}),
    (Unbounded((Fraction(0),), ONE), {"c": [-1], "A_eq": [[1]], "b_eq": [0]}, {"A_eq": [[0]]}),
    (Unbounded((Fraction(0),), ONE), {"c": [1]}, {"c": [-1]}),
]


@pytest.mark.parametrize(("outcome", "programme", "change"), FALSE_OUTCOMES)
def test_outcomes_with_a_wrong_sign_do_not_verify(
    outcome: Any, programme: dict[str, Any], change: dict[str, Any]
) -> None:
    assert not verified(outcome, **programme)
    if change:
        assert verified(outcome, **{**programme, **change})


def _random_programme(rng: random.Random) -> dict[str, Any]:
    def number() -> Fraction:
        return Fraction(rng.randint(-4, 4), rng.choice((1, 1, 2, 3)))

    n, equalities, inequalities = rng.randint(1, 5), rng.randint(0, 3), rng.randint(0, 4)
    return {
        "c": [number() for _ in range(n)],
        "A_eq": [[number() for _ in range(n)] for _ in range(equalities)],
        "b_eq": [number() for _ in range(equalities)],
        "A_ub": [[number() for _ in range(n)] for _ in range(inequalities)],
        "b_ub": [number() for _ in range(inequalities)],
        "free": [rng.random() < 0.3 for _ in range(n)],
    }


@given(st.integers(0, 10**6))
def test_the_guess_and_the_rational_simplex_come_to_the_same_end(seed: int) -> None:
    programme = _random_programme(random.Random(seed))
    pivoted = minimise(**programme)  # smaller than a guess is worth
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(linear_programme, "SMALL", 0)
        guessed = minimise(**programme)
    assert type(guessed) is type(pivoted)
    assert verified(guessed, **programme)
    if isinstance(guessed, Optimum):
        assert isinstance(pivoted, Optimum)
        assert guessed.value == pivoted.value


@given(st.integers(0, 10**6))
def test_the_optimum_is_the_best_vertex_of_all(seed: int) -> None:
    rng = random.Random(seed)
    n = rng.randint(1, 3)
    rows = [[Fraction(rng.randint(-3, 3)) for _ in range(n)] for _ in range(rng.randint(1, 3))]
    box = [[Fraction(int(i == j)) for j in range(n)] for i in range(n)]
    A = rows + box + [[-v for v in row] for row in box]
    b = [Fraction(rng.randint(0, 6)) for _ in rows] + [Fraction(5)] * n + [Fraction(0)] * n
    c = [Fraction(rng.randint(-5, 5)) for _ in range(n)]
    best = min(
        sum(p * q for p, q in zip(c, vertex, strict=True))
        for chosen in itertools.combinations(range(len(A)), n)
        if (vertex := _solved([A[i] for i in chosen], [b[i] for i in chosen])) is not None
        and all(sum(p * q for p, q in zip(row, vertex, strict=True)) <= limit for row, limit in zip(A, b, strict=True))
    )
    assert optimum(c, A_ub=A, b_ub=b).value == best


def _solved(A: list[list[Fraction]], b: list[Fraction]) -> list[Fraction] | None:
    """Cramer's rule, for at most three unknowns."""

    def determinant(M: list[list[Fraction]]) -> Fraction:
        if len(M) == 1:
            return M[0][0]
        return sum(
            ((-1) ** j * M[0][j] * determinant([row[:j] + row[j + 1 :] for row in M[1:]]) for j in range(len(M))),
            Fraction(0),
        )

    whole = determinant(A)
    if whole == 0:
        return None
    return [
        determinant([[*row[:j], right, *row[j + 1 :]] for row, right in zip(A, b, strict=True)]) / whole
        for j in range(len(b))
    ]


def test_a_degenerate_programme_that_cycles_under_the_largest_coefficient_rule_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Beale's example (1955): the optimum is -1/20.
    F = Fraction
    c = [F(-3, 4), F(150), F(-1, 50), F(6)]
    A = [[F(1, 4), F(-60), F(-1, 25), F(9)], [F(1, 2), F(-90), F(-1, 50), F(3)], [F(0), F(0), F(1), F(0)]]
    assert optimum(c, A_ub=A, b_ub=[0, 0, 1]).value == F(-1, 20)
    monkeypatch.setattr(linear_programme, "SMALL", 0)
    assert optimum(c, A_ub=A, b_ub=[0, 0, 1]).value == F(-1, 20)


def test_a_guess_and_the_rational_simplex_agree_on_larger_programmes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Degenerate (many of the right sides are 0), of up to 12 rows and 40 columns, some without a point or a bound."""
    kinds = set()
    for seed in range(30):
        rng = random.Random(seed)
        rows, columns = rng.randint(6, 12), rng.randint(20, 40)
        A = [[rng.randint(-3, 3) * rng.randint(0, 1) for _ in range(columns)] for _ in range(rows)]
        b = [rng.choice((0, 0, rng.randint(-5, 9))) for _ in range(rows)]
        c = [rng.randint(-1 if seed % 5 == 0 else 0, 5) for _ in range(columns)]
        programme: dict[str, Any] = {"c": c, "A_eq": A[:4], "b_eq": b[:4], "A_ub": A[4:], "b_ub": b[4:]}
        found = []
        for small in (0, 10**9):
            monkeypatch.setattr(linear_programme, "SMALL", small)
            found.append(minimise(**programme))
        guessed, pivoted = found
        kinds.add(type(guessed))
        assert type(guessed) is type(pivoted)
        if isinstance(guessed, Optimum) and isinstance(pivoted, Optimum):
            assert guessed.value == pivoted.value
    assert kinds == {Optimum, Infeasible, Unbounded}


def test_numbers_that_floating_point_cannot_hold_are_solved_all_the_same() -> None:
    huge = Fraction(10) ** 400
    assert optimum([huge], A_eq=[[huge]], b_eq=[1]).value == 1
    tiny = Fraction(1, 10**40)
    assert optimum([1, 1], A_eq=[[1, 1 + tiny]], b_eq=[1]).value == 1 / (1 + tiny)
