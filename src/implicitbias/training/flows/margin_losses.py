"""Losses of a margin in the log-domain: nothing underflows, however large the margins q_i = y_i f(x_i) are.

With ℓ(q) = e^{-q} or log(1 + e^{-q}), gradient flow moves along Σ_i p_i y_i ∇f(x_i), p_i = |ℓ'(q_i)|/Σ|ℓ'|: only
log ℓ and log |ℓ'| are needed, and these are about -q. The mean loss is L = (1/n) Σ ℓ(q_i).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

LARGE = 30.0
"""Beyond this margin the two losses agree to e^-30, and their logarithms are written without exponentials."""


@dataclass(frozen=True)
class MarginLoss:
    """A loss ℓ, given by the logarithms of its value and slope.

    says       the formula
    log_value  q -> log ℓ(q)
    log_force  q -> log |ℓ'(q)|
    decay      q -> -d log |ℓ'|/dq, between 0 and 1
    inverse    log ℓ -> q
    at_zero    ℓ(0): a mean loss below ℓ(0)/n forces all margins to be positive
    logistic   whether it is the logistic one: compiled code takes no functions
    """

    says: str
    log_value: Callable[[Array], Array]
    log_force: Callable[[Array], Array]
    decay: Callable[[Array], Array]
    inverse: Callable[[float], float]
    at_zero: float
    logistic: bool


def _log_logistic(q: Array) -> Array:
    near = np.log(np.logaddexp(0.0, -np.minimum(q, LARGE)))
    found: Array = np.where(q > LARGE, -q - 0.5 * np.exp(-np.maximum(q, LARGE)), near)
    return found


def _logistic_inverse(log_value: float) -> float:
    if log_value < -LARGE:
        return -log_value
    value = float(np.exp(log_value))
    return -value if value > LARGE else float(-np.log(np.expm1(value)))


def _one(q: Array) -> Array:
    return np.ones_like(q)


MARGIN_LOSSES: dict[str, MarginLoss] = {
    "exponential": MarginLoss(
        "exp(-q)", lambda q: -q, lambda q: -q, _one, lambda log_value: -log_value, at_zero=1.0, logistic=False
    ),
    "logistic": MarginLoss(
        "log(1 + exp(-q))",
        _log_logistic,
        lambda q: -np.logaddexp(0.0, q),
        lambda q: np.exp(-np.logaddexp(0.0, -q)),
        _logistic_inverse,
        at_zero=float(np.log(2.0)),
        logistic=True,
    ),
}


def log_sum(values: Array) -> float:
    """log Σ exp(values)."""
    top = float(values.max())
    return top + float(np.log(np.exp(values - top).sum()))


def log_mean_loss(loss: MarginLoss, q: Array) -> float:
    """log L.

    >>> round(log_mean_loss(MARGIN_LOSSES["logistic"], np.array([2000.0, 2001.0])), 9)
    -2000.379885493
    """
    return log_sum(loss.log_value(q)) - float(np.log(len(q)))


def forces(loss: MarginLoss, q: Array) -> Array:
    """p_i = |ℓ'(q_i)|/Σ|ℓ'|."""
    weights = loss.log_force(q)
    found: Array = np.exp(weights - log_sum(weights))
    return found


def smoothed_margin(loss: MarginLoss, q: Array, norm_squared: float) -> float:
    """ℓ⁻¹(n L)/|θ|²: nondecreasing along gradient flow once n L < ℓ(0) (Lyu and Li 2020), and near min q/|θ|².

    >>> smoothed_margin(MARGIN_LOSSES["exponential"], np.array([1000.0, 3000.0]), 10.0)
    100.0
    """
    return loss.inverse(log_sum(loss.log_value(q))) / norm_squared
