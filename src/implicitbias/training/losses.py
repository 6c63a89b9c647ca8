"""Losses of an output and its label, with slope and the greatest curvature."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from implicitbias.errors import DataError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


@dataclass(frozen=True)
class Loss:
    """ℓ(f, y) of outputs f (..., k) and labels y (..., k).

    says       the formula
    value      (f, y) -> (...,): summed over the k outputs
    slope      (f, y) -> (..., k): ∂ℓ/∂f
    curvature  the greatest second derivative in f (infinite for the exponential loss)
    signs      whether labels must be +1 or -1
    """

    says: str
    value: Callable[[Array, Array], Array]
    slope: Callable[[Array, Array], Array]
    curvature: float
    signs: bool = False


def _square(f: Array, y: Array) -> Array:
    total: Array = 0.5 * np.square(f - y).sum(-1)
    return total


def _square_slope(f: Array, y: Array) -> Array:
    return f - y


def _logistic(f: Array, y: Array) -> Array:
    total: Array = np.logaddexp(0.0, -y * f).sum(-1)
    return total


def _logistic_slope(f: Array, y: Array) -> Array:
    m = y * f
    small = np.exp(-np.abs(m))
    return -y * np.where(m > 0, small, 1.0) / (1.0 + small)


def _exponential(f: Array, y: Array) -> Array:
    total: Array = np.exp(-y * f).sum(-1)
    return total


def _exponential_slope(f: Array, y: Array) -> Array:
    return -y * np.exp(-y * f)


def _cross_entropy(f: Array, y: Array) -> Array:
    top = f.max(-1, keepdims=True)
    total: Array = (np.log(np.exp(f - top).sum(-1)) + top[..., 0]) * y.sum(-1) - (y * f).sum(-1)
    return total


def _cross_entropy_slope(f: Array, y: Array) -> Array:
    odds = np.exp(f - f.max(-1, keepdims=True))
    slope: Array = odds / odds.sum(-1, keepdims=True) * y.sum(-1, keepdims=True) - y
    return slope


LOSSES: dict[str, Loss] = {
    "square": Loss("½ (f - y)²", _square, _square_slope, 1.0),
    "logistic": Loss("log(1 + exp(-y f)), y = ±1", _logistic, _logistic_slope, 0.25, signs=True),
    "exponential": Loss("exp(-y f), y = ±1", _exponential, _exponential_slope, np.inf, signs=True),
    "cross_entropy": Loss("log Σ_k exp(f_k) - f_y", _cross_entropy, _cross_entropy_slope, 0.5),
}


def _probabilities(y: Array, shape: tuple[int, int, int]) -> bool:
    """Whether labels (seeds, M) are probabilities (M, k). Raises DataError where they may as well be class numbers."""
    _, m, k = shape
    if y.shape != (m, k):
        return False
    shares = bool((y >= 0).all() and np.isclose(y.sum(-1), 1.0).all())
    numbers = bool(((y == np.floor(y)) & (y >= 0) & (y < k)).all())
    if shares and numbers and k > 1:
        raise DataError(
            f"labels of shape {y.shape} may be class numbers of each seed, or probabilities shared by all seeds: "
            f"give probabilities of shape {shape}"
        )
    return not numbers


def labels_for(loss: str, y: Array, shape: tuple[int, int, int]) -> Array:
    """Labels as numbers of shape (seeds or 1, M, k), for outputs of the given shape (seeds, M, k).

    Class numbers of `cross_entropy` become rows of zeros with a one. A square (seeds, M) = (M, k) is read by what its
    numbers can be; DataError where they can be both.
    """
    seeds, m, k = shape
    if loss == "cross_entropy" and (y.shape == (m,) or (y.shape == (seeds, m) and not _probabilities(y, shape))):
        wrong = (y != np.floor(y)) | (y < 0) | (y >= k)
        if wrong.any():
            raise DataError(f"class numbers must be 0, …, {k - 1}: got {y[wrong][0]}")
        y = np.eye(k)[y.astype(np.int64)]
    allowed: tuple[tuple[int, ...], ...] = ((m, k), (seeds, m, k))
    if k == 1:
        allowed += ((m,), (seeds, m))
    if y.shape not in allowed:
        raise DataError(f"labels must have one of the shapes {', '.join(map(str, allowed))}: got {y.shape}")
    if LOSSES[loss].signs and not np.isin(y, (-1.0, 1.0)).all():
        raise DataError(f"labels of the {loss} loss must be +1 or -1: got {y[~np.isin(y, (-1.0, 1.0))][0]}")
    return np.ascontiguousarray(y.reshape((1, m, k) if y.shape in ((m,), (m, k)) else shape))
