"""The loss of a network at its data, with its derivatives in the outputs; margins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from implicitbias.networks.quantity import Quantity, Section

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from implicitbias.networks.samples import Samples

    Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Loss:
    """Σ_i ℓ(f(x_i), y_i).

    formula     of the sum
    value       the sum
    gradient    (M, k), ∂ℓ/∂f
    curvature   (M, k, k), ∂²ℓ/∂f²
    """

    formula: str
    value: float
    gradient: Array
    curvature: Array


def loss_of(f: Array, samples: Samples) -> Loss | None:
    """Half the squares for numbers; for two classes the logistic loss, for more cross-entropy; None without labels."""
    count, outputs = f.shape
    if samples.y is not None:
        residual = f - samples.y
        curvature = np.broadcast_to(np.eye(outputs), (count, outputs, outputs))
        return Loss("½ Σ (f(x) - y)²", float((residual**2).sum() / 2), residual, curvature)
    if samples.classes is None:
        return None
    if outputs == 1:
        signs = samples.signs[:, None]
        odds = _logistic(-signs * f)  # the probability of the wrong class
        value = float(np.logaddexp(0, -signs * f).sum())
        return Loss("Σ log(1 + exp(-y f(x))), y = ±1", value, -signs * odds, (odds * (1 - odds))[:, :, None])
    shifted = f - f.max(axis=1, keepdims=True)
    weights = np.exp(shifted)
    p = weights / weights.sum(axis=1, keepdims=True)
    at = np.arange(count), samples.classes
    value = float((np.log(weights.sum(axis=1)) - shifted[at]).sum())
    gradient = p.copy()
    gradient[at] -= 1
    curvature = p[:, :, None] * np.eye(outputs) - p[:, :, None] * p[:, None, :]
    return Loss("Σ cross-entropy of softmax f(x)", value, gradient, curvature)


def _logistic(t: Array) -> Array:
    """1/(1 + e^-t) without overflow."""
    found: Array = np.exp(-np.logaddexp(0, -t))
    return found


def margins(f: Array, samples: Samples) -> Array | None:
    """y f(x) of two classes, else f_y - max of the others; None where labels are numbers."""
    if samples.classes is None:
        return None
    if f.shape[1] == 1:
        found: Array = samples.signs * f[:, 0]
        return found
    at = np.arange(len(f)), samples.classes
    others = f.copy()
    others[at] = -np.inf
    return np.asarray(f[at] - others.max(axis=1))


def section(f: Array, samples: Samples, all_squares: float) -> Section:
    """All that is said of outputs and labels.

    all_squares  ½‖θ‖²
    """
    return Section("Loss and margins", tuple(_quantities(f, samples, all_squares)))


def _quantities(f: Array, samples: Samples, all_squares: float) -> Iterator[Quantity]:
    found = loss_of(f, samples)
    if found is None:
        yield Quantity("loss", "loss", None, note="the data have no labels")
        return
    yield Quantity("loss", "loss", found.value, found.formula)
    if samples.y is not None:
        mean = float((found.gradient**2).mean())
        yield Quantity("mean_square", "mean square", mean, "mean of (f(x) - y)²")
        yield Quantity("largest_residual", "largest error", float(np.abs(found.gradient).max()), "max |f(x) - y|")
    q = margins(f, samples)
    if q is None:
        return
    meaning = f"y = 1 is {samples.names[1]}" if f.shape[1] == 1 else "f_y(x) - max of the others"
    yield Quantity(
        "smallest_margin", "smallest margin", float(q.min()), "min y f(x)" if f.shape[1] == 1 else "", meaning
    )
    yield Quantity("median_margin", "median margin", float(np.median(q)))
    if all_squares:
        formula = "min margin/‖θ‖²"
        yield Quantity("normalised_margin", "normalised", float(q.min()) / (2 * all_squares), formula)
    yield Quantity("misclassified", "misclassified", int((q <= 0).sum()), f"of {len(q)}")
