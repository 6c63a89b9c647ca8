"""The Hessian's spectrum at the data, multipliers, and the distance to a KKT point."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from implicitbias.errors import DataError
from implicitbias.networks.losses import loss_of, margins
from implicitbias.networks.quantity import LISTED, Quantity, Section
from implicitbias.networks.tangent import Tangent
from implicitbias.networks.weights import EPS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from implicitbias.networks.losses import Loss
    from implicitbias.networks.samples import Samples
    from implicitbias.networks.stack import Stack

    Array = NDArray[np.float64]

LARGEST = 1500
"""Parameters up to which all eigenvalues are computed: some seconds."""
MOST_CONSTRAINTS = 1000
"""Points up to which the multipliers of the margin problem are computed: some seconds."""


def section(network: Stack, samples: Samples) -> Section:
    """Of the loss where there are labels, and of the norm at the network's values."""
    title = "At the data, to second order"
    try:
        tangent = Tangent(network, samples)
    except DataError as error:
        return Section(title, (Quantity("hessian", "Hessian", None, note=str(error)),))
    loss = loss_of(tangent.values, samples)
    quantities = [] if loss is None else [*_stationary(tangent, loss), *_spectrum(tangent, loss)]
    return Section(title, (*quantities, *_multipliers(tangent, samples)))


def _stationary(tangent: Tangent, loss: Loss) -> Iterator[Quantity]:
    gradient = np.einsum("ikp,ik->p", tangent.jacobian, loss.gradient)
    yield Quantity("gradient_norm", "gradient", float(np.linalg.norm(gradient)), f"‖∇θ {loss.formula}‖")


def _spectrum(tangent: Tangent, loss: Loss) -> Iterator[Quantity]:
    whole = tangent.parameters <= LARGEST
    note = f"{tangent.parameters} parameters: up to {LARGEST} the whole Hessian is computed"
    values = np.linalg.eigvalsh(tangent.hessian(loss))[::-1] if whole else _of_kernel(tangent, loss)
    if values is None:
        yield Quantity("hessian", "Hessian", None, note=note)
        return
    formula = f"∂²/∂θ² of {loss.formula}" if whole else "Σ (∂f/∂θ)ᵀ ℓ″ ∂f/∂θ, the Hessian where the loss is 0"
    note = "a ReLU's derivative at 0 is 0" if whole else note
    rounding = EPS * tangent.parameters * float(np.abs(values).max(initial=0.0))
    yield Quantity("hessian", "Hessian", tuple(float(x) for x in values[:LISTED]), formula, f"the largest; {note}")
    yield Quantity("hessian_least", "smallest", float(values[-1]), "its smallest eigenvalue")
    yield Quantity("hessian_trace", "trace", float(values.sum()))
    negative, positive = int((values < -rounding).sum()), int((values > rounding).sum())
    formula = "eigenvalues below, at and above 0, to rounding"
    yield Quantity("hessian_signs", "signs", (negative, tangent.parameters - negative - positive, positive), formula)


def _of_kernel(tangent: Tangent, loss: Loss) -> Array | None:
    """Eigenvalues of Jᵀ ℓ″ J that are not 0 by its rank, from a matrix of the size of the data."""
    J = tangent.jacobian
    size = J.shape[0] * J.shape[1]
    if size > LARGEST:
        return None
    values, vectors = np.linalg.eigh(loss.curvature)
    roots = vectors * np.sqrt(np.maximum(values, 0))[:, None, :]
    rows = np.einsum("ikl,ikp->ilp", roots, J).reshape(size, -1)
    found: Array = np.append(np.linalg.eigvalsh(rows @ rows.T)[::-1], 0.0)
    return found


def _multipliers(tangent: Tangent, samples: Samples) -> Iterator[Quantity]:
    """θ as Σ λ ∂f/∂θ: with λ of any sign at fixed values; with λ y >= 0 for the margin problem."""
    size = float(np.linalg.norm(tangent.theta))
    rows = tangent.jacobian.reshape(-1, tangent.parameters)
    if not size:
        return
    if len(rows) < tangent.parameters:
        weights = np.linalg.lstsq(rows.T, tangent.theta, rcond=None)[0]
        left = float(np.linalg.norm(tangent.theta - rows.T @ weights)) / size
        formula = "min over λ of ‖θ - Σ λ ∂f(x)/∂θ‖/‖θ‖"
        note = "0 where ½‖θ‖² cannot decrease, to first order, at these values of f"
        yield Quantity("stationarity", "stationarity", left, formula, note)
    else:
        note = f"{len(rows)} outputs at data and {tangent.parameters} parameters: their gradients span everything"
        yield Quantity("stationarity", "stationarity", None, note=note)
    yield from _margin_problem(tangent, samples, rows)


def _margin_problem(tangent: Tangent, samples: Samples, rows: Array) -> Iterator[Quantity]:
    """How far θ is from a KKT point of min ½‖θ‖², y f(x) >= 1, for two classes (Lyu & Li 2020, in doubles)."""
    q = margins(tangent.values, samples)
    if q is None or tangent.values.shape[1] > 1:
        return
    if q.min() <= 0:
        yield Quantity("kkt_distance", "KKT", None, note="some points are not classified: there is no margin")
        return
    if len(q) > MOST_CONSTRAINTS:
        note = f"{len(q)} points are given, and {MOST_CONSTRAINTS} at most are taken"
        yield Quantity("kkt_distance", "KKT", None, note=note)
        return
    from scipy.optimize import nnls

    try:
        weights, left = nnls(samples.signs * rows.T, tangent.theta)
    except RuntimeError as error:
        yield Quantity("kkt_distance", "KKT", None, note=f"the multipliers were not found: {error}")
        return
    size = float(np.linalg.norm(tangent.theta))
    formula = "min over λ ≥ 0 of ‖θ - Σ λ y ∂f(x)/∂θ‖/‖θ‖"
    note = "of min ½‖θ‖², y f(x) ≥ 1; 0 at KKT points"
    yield Quantity("kkt_distance", "KKT distance", float(left) / size, formula, note)
    support = np.flatnonzero(weights)
    yield Quantity("support", "support", len(support), "points with a multiplier λ > 0")
    if len(support):
        slack = float(weights @ (q / q.min() - 1) / weights.sum())
        yield Quantity("kkt_slack", "KKT slack", slack, "mean of y f(x)/margin - 1, weighed by λ", "0 at KKT points")
        shown = np.sort(weights[support])[::-1]
        yield Quantity("multipliers", "multipliers", tuple(shown.tolist()), "λ, the largest first")
