"""Two descents of a linear model, against descents that are run."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from implicitbias.claims import shows
from implicitbias.errors import FormulaError
from implicitbias.exact.enclosure import evaluate
from implicitbias.exact.formula import Assumption, Expression
from implicitbias.theorems.primitives import PRIMITIVES
from implicitbias.theorems.quantity import Bounded, Steps
from implicitbias.theorems.rules.sequences.two_descents import FunctionsApart, PartsApart, RestMoved
from implicitbias.theorems.setting import NotShownError, RefusedError, Setting
from implicitbias.theorems.theorem import Theorem, establish

SIZES: dict[str, Any] = {
    "loss": "squared_loss(z, y)",
    "output": "z",
    "label": "y",
    "rate": "r",
    "residual": "R",
    "least": "l",
    "most": "L",
    "least_of_part": "m",
    "rest": "q",
}
FUNCTIONS = FunctionsApart(**SIZES, across="a", across_rest="b")
WEIGHTS = PartsApart(**SIZES, most_of_part="p")
POSITIVE: dict[str, Assumption] = dict.fromkeys(("r", "R", "l", "L", "m", "q", "a", "b", "p"), "positive")
ALLOWED = ("l <= L", "m <= L", "m <= p", "p <= L", "r*L < 2")
QUANTITIES = (FUNCTIONS, RestMoved(**SIZES), WEIGHTS)


def bound_at(quantity: Bounded, sizes: dict[str, float]) -> float:
    """The bound where all variables have these values."""
    exact = {name: str(Fraction(value)) for name, value in sizes.items()}
    put = {name: exact[text] for name, text in vars(quantity).items() if text in exact}
    value = replace(quantity, **put).upper_bound(Setting({}), Steps())
    found = evaluate(Expression("", frozenset(), value), {})
    return float(getattr(found, "upper", found))


@pytest.mark.parametrize("seed", range(40))
def test_no_descent_exceeds_the_bounds(seed: int) -> None:
    """Of random features, data, rates and places; the labels lie along the least eigenvalue every other time."""
    rng = np.random.default_rng(seed)
    data, size, others = int(rng.integers(1, 4)), 5, int(rng.integers(1, 4))
    part, rest = rng.normal(size=(data, size)), rng.normal(size=(data, others)) * 10 ** rng.uniform(-2, 0.5)
    at_part, at_rest = rng.normal(size=size), rng.normal(size=others)
    kernels = part @ part.T, rest @ rest.T
    values = [np.linalg.eigvalsh(kernel) for kernel in (sum(kernels), *kernels)]
    residual = np.linalg.eigh(sum(kernels))[1][:, 0] if seed % 2 else rng.normal(size=data)
    rate = 2 / values[0][-1] * rng.choice([0.3, 0.5, 0.9, 0.999])
    c, c_part = np.zeros(data), np.zeros(data)
    functions, moved, apart = [], [], []
    for _ in range(4000):
        c = c + rate * (residual - sum(kernels) @ c)
        c_part = c_part + rate * (residual - kernels[0] @ c_part)
        functions.append(abs(at_part @ part.T @ (c_part - c) - at_rest @ rest.T @ c))
        moved.append(np.linalg.norm(rest.T @ c))
        apart.append(np.linalg.norm(part.T @ (c_part - c)))
    tiny = 1e-9
    sizes = {
        "r": rate,
        "R": np.linalg.norm(residual),
        "l": values[0][0] * (1 - tiny),
        "L": values[0][-1] * (1 + tiny),
        "m": values[1][0] * (1 - tiny),
        "p": values[1][-1],
        "q": values[2][-1] * (1 + tiny),
        "a": np.linalg.norm(part @ at_part),
        "b": np.linalg.norm(rest @ at_rest),
    }
    sizes["r"] *= 1 - 10 * tiny
    for quantity, seen in zip(QUANTITIES, (functions, moved, apart), strict=True):
        assert max(seen) <= bound_at(quantity, sizes) * (1 + 1e-6)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 1.0, 1.3, 1.9, 1.999])
def test_one_datum_moves_the_rest_as_far_as_is_said_at_every_rate(share: float) -> None:
    whole, rest, residual = 5.0, 2.0, 3.0
    c, moved = 0.0, []
    for _ in range(4000):
        c += share / whole * (residual - whole * c)
        moved.append(np.sqrt(rest) * abs(c))
    rate = float(Fraction(share / whole).limit_denominator(10**9))
    sizes = {"r": rate, "R": residual, "l": whole, "L": whole, "m": whole - rest, "q": rest}
    assert max(moved) == pytest.approx(bound_at(RestMoved(**SIZES), sizes), rel=1e-6)


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_one_datum_attains_what_is_said_to_be_equal(quantity: Bounded) -> None:
    one = replace(quantity, rest="l - m", **({"most_of_part": "m"} if quantity is WEIGHTS else {}))
    names = {name: domain for name, domain in POSITIVE.items() if name not in "qp"}
    stated = Theorem("", one, names, {n: n for n in names}, ("m < l", "l <= L", "r*(l + L) <= 2"))
    assert establish(stated).conclusions
    near = replace(stated, assuming=("m < l", "l <= L", "r*L < 2"))
    if isinstance(quantity, RestMoved):  # attained by the first step, if not in the limit
        assert establish(near).conclusions
    else:
        with pytest.raises((RefusedError, NotShownError)):
            establish(near)
    with pytest.raises((RefusedError, NotShownError)):
        establish(replace(stated, quantity=quantity, for_all=POSITIVE, assuming=(*ALLOWED, "r*(l + L) <= 2")))


@pytest.mark.parametrize(
    "altered",
    [
        {"loss": "logistic_loss(z*y)"},
        {"loss": "exponential_loss(z*y)"},
        {"loss": "unit_cost(z, y)"},
        {"loss": "squared_loss(z, 2*y)"},
        {"loss": "2*squared_loss(z, y)"},
        {"loss": "-squared_loss(z, y)"},
        {"loss": "dot(z, y)"},
        {"loss": "squared_loss(y, y)"},
        {"loss": "norm(z - y)"},
        {"rate": "2*r"},
        {"rate": "-r"},
        {"least": "0"},
        {"least": "2*L"},
        {"least_of_part": "m - p"},
        {"most": "2*L"},
        {"rest": "-q"},
        {"residual": "-R"},
        {"rate": "z"},
    ],
)
@pytest.mark.parametrize("quantity", QUANTITIES)
def test_other_losses_and_impossible_sizes_are_refused(quantity: Bounded, altered: dict[str, str]) -> None:
    stated = Theorem("", quantity, POSITIVE, {n: n for n in POSITIVE}, ALLOWED, relation="<=")
    assert establish(stated).conclusions
    with pytest.raises((RefusedError, NotShownError, FormulaError)):
        establish(replace(stated, quantity=replace(quantity, **altered)))  # type: ignore[arg-type]


def test_where_the_residual_counts_twice_the_rate_must_be_half() -> None:
    double = replace(FUNCTIONS, loss="2*squared_loss(z, y)", rate="r/2")
    shown = shows(double, for_all=POSITIVE, assuming=ALLOWED, relation="<=", **{n: n for n in POSITIVE})
    assert shown.conclusions  # type: ignore[union-attr]


def test_a_changed_primitive_is_refused() -> None:
    vocabulary = {**PRIMITIVES, "squared_loss": replace(PRIMITIVES["squared_loss"], formula="(z - y)**4")}
    with pytest.raises(RefusedError, match="not quadratic"):
        establish(Theorem("", FUNCTIONS, POSITIVE, {n: n for n in POSITIVE}, ALLOWED, relation="<="), vocabulary)
