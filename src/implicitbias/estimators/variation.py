"""The function of least loss plus total variation, of one input or several, as an estimator."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.model_selection import KFold
from sklearn.utils.validation import check_is_fitted, validate_data

from implicitbias.convex.cells.counts import general_position_count
from implicitbias.convex.penalised.fit import PenalisedFunction, penalised_function
from implicitbias.convex.variation.descent import descended
from implicitbias.convex.variation.many_cells import BoundedFit, bounded_fit
from implicitbias.convex.variation.penalised import PenalisedFit, penalised_fit
from implicitbias.errors import CertificateError, DataError, UnsolvedError
from implicitbias.estimators.parameters import in_doubles, number, require_finite, whole
from implicitbias.estimators.plotted import Plotted, kinks_of

Array = NDArray[np.float64]

FEW_CELLS, FEW_INPUTS = 700, 50
"""Data with more cells or inputs are not bounded cell by cell: with 80 inputs that takes ten seconds for six data."""
MOST_DATA, MOST_CONES = {2: 500, 3: 200}, 100_000
"""More data, by the number of inputs, or cones of directions are not bounded: it would take more than ten seconds."""
ACCURACY = 1e-4
"""How far apart, about and relatively, the bounds of data with many cells are."""

PENALTIES = np.logspace(0, -5, 16)
"""Those that cross-validation tries, in units of the variance of the labels times the size of X."""


@dataclass(frozen=True)
class _Fitted:
    function: Callable[[Array], Array]
    upper: float
    lower: float
    cost: float
    certificate: dict[str, Any] | None
    found: Any


class VariationRegressor(RegressorMixin, Plotted, BaseEstimator):  # type: ignore[misc]  # scikit-learn ships no types
    """The f that minimises (1/n) Σ(f(x_i) - y_i)² + penalty · cost(f), a two-layer ReLU network.

    With one input and cost "network" the cost is R̄(f) = max(∫|f''|, |f'(-∞) + f'(+∞)|), what weight decay costs when
    biases are free (Savarese et al. 2019); with "slopes" it is ∫|f''|, L1 trend filtering. f is piecewise linear with
    knots at data, monotone or curved if that is asked for, and its distance from the optimum is bounded exactly.
    With several inputs it is Σ|c_j||(w_j, b_j)|, biases counted (de Dios and Bruna 2020, problem (22)). Where the data
    have few cells, and at most 50 inputs, the optimum is bounded exactly; with more cells by branch and bound over
    directions, for up to 500 data of two inputs and 200 of three; both with a certificate. Beyond that, or where
    inputs repeat, f is what descent with growing width finds.

    Parameters
    ----------
    penalty : float or "cv", default=0.1
        What variation costs; "cv" chooses among 16 by cross-validation.
    cost : {"network", "slopes"}, default="network"
        With one input, what is penalised.
    monotone : {None, "increasing", "decreasing"}, default=None
        With one input, the shape asked for.
    curved : {None, "convex", "concave"}, default=None
        With one input, the shape asked for.
    folds : int, default=5
        Of the cross-validation.
    seed : int, default=0
        Of the folds, and of the descent with several inputs.

    Attributes
    ----------
    penalty_ : float
        The penalty that was taken.
    penalties_, errors_ : ndarray or None
        What cross-validation tried, the largest first, and the mean squared errors.
    found_ : PenalisedFunction, PenalisedFit, BoundedFit or Descended
        The function with what is known of it.
    cost_ : float
        Its cost.
    upper_, lower_ : float
        Its penalised loss, and a bound from below of that of all functions: NaN where there is none.
    certificate_ : dict or None
        The proof of both for `implicitbias.check_certificate`. None where there is no lower bound, and where the bounds
        are too far apart to say anything, as where both are 0 up to rounding.
    n_features_in_ : int
        The number of inputs.

    Examples
    --------
    >>> from implicitbias import VariationRegressor
    >>> made = VariationRegressor(penalty=0.1, cost="slopes").fit([[0], [1], [2]], [0, 1, 0])
    >>> made.predict([[0], [1], [2]]).round(6).tolist(), round(made.upper_ - made.lower_, 9)
    ([0.15, 0.7, 0.15], 0.0)
    >>> from implicitbias import check_certificate
    >>> check_certificate(made.certificate_).valid
    True
    """

    penalty_: float
    penalties_: Array | None
    errors_: Array | None
    found_: Any
    cost_: float
    upper_: float
    lower_: float
    _certificate: dict[str, Any] | None
    n_features_in_: int

    def __init__(
        self,
        penalty: float | str = 0.1,
        *,
        cost: str = "network",
        monotone: str | None = None,
        curved: str | None = None,
        folds: int = 5,
        seed: int = 0,
    ) -> None:
        self.penalty = penalty
        self.cost = cost
        self.monotone = monotone
        self.curved = curved
        self.folds = folds
        self.seed = seed

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Find the function.

        Parameters
        ----------
        X : array_like of shape (n, d)
            Inputs, in any order.
        y : array_like of shape (n,)
            Targets; of several at one x the mean counts.

        Returns
        -------
        self

        Raises
        ------
        DataError
            Which is a ValueError: for settings that there are not, shapes and cost "slopes" with several inputs, fewer
            data than folds, and what exceeds floating point.
        """
        rows, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        labels = np.asarray(y, dtype=np.float64)
        if self.cost not in ("network", "slopes"):
            raise DataError(f"cost is 'network' or 'slopes': got {self.cost!r}")
        if rows.shape[1] > 1 and (self.cost, self.monotone, self.curved) != ("network", None, None):
            raise DataError(f"cost 'slopes' and shapes are for one input: X has {rows.shape[1]}")
        self._seen = rows[:, 0], labels
        self.penalties_ = self.errors_ = None
        whole(self.seed, "seed", 0)
        if isinstance(self.penalty, str):
            self.penalty_ = self._chosen(rows, labels)
        else:
            self.penalty_ = number(self.penalty, "penalty", "a positive number or 'cv'")
        if not (np.isfinite(self.penalty_) and self.penalty_ > 0):
            raise DataError(f"penalty is a positive number or 'cv': got {self.penalty!r}")
        with in_doubles():
            fitted = self._fitted(rows, labels, self.penalty_, bounded=True)
            require_finite(fitted.upper, fitted.cost)
        self._function = fitted.function
        self.upper_, self.lower_, self.cost_ = fitted.upper, fitted.lower, fitted.cost
        self.found_, self._certificate = fitted.found, fitted.certificate
        return self

    @property
    def certificate_(self) -> dict[str, Any] | None:
        """The proof of `upper_` and `lower_`; by cones, which may be many, it is made when it is asked for."""
        check_is_fitted(self, "found_")
        if self._certificate is None and isinstance(self.found_, BoundedFit):
            with suppress(CertificateError):  # bounds too far apart to say anything
                self._certificate = self.found_.certificate()
        return self._certificate

    def predict(self, X: ArrayLike) -> Array:
        """f at each row of X.

        Parameters
        ----------
        X : array_like of shape (n, d)
            Where.

        Returns
        -------
        ndarray of shape (n,)
            f there.

        Raises
        ------
        NotFittedError
            Before `fit`.
        """
        check_is_fitted(self)
        return self._function(validate_data(self, X, reset=False, dtype=np.float64))

    def _kinks(self) -> Array:
        return kinks_of(self.found_.function)

    def _chosen(self, X: Array, y: Array) -> float:
        if self.penalty != "cv":
            raise DataError(f"penalty is a positive number or 'cv': got {self.penalty!r}")
        if len(y) < whole(self.folds, "folds", 2):
            raise DataError(f"cross-validation with {self.folds} folds needs as many data: got n_samples={len(y)}")
        reach = float(np.linalg.norm(X - X.mean(axis=0), axis=1).max()) or 1.0
        self.penalties_ = PENALTIES * (float(y.std()) or 1.0) * reach
        self.errors_ = np.zeros(len(self.penalties_))
        for train, test in KFold(self.folds, shuffle=True, random_state=self.seed).split(X):
            for k, penalty in enumerate(self.penalties_):
                missed = self._fitted(X[train], y[train], float(penalty)).function(X[test]) - y[test]
                self.errors_[k] += float(missed @ missed) / len(y)
        return float(self.penalties_[int(np.argmin(self.errors_))])

    def _fitted(self, X: Array, y: Array, penalty: float, bounded: bool = False) -> _Fitted:
        places, inverse, counts = np.unique(X, axis=0, return_inverse=True, return_counts=True)
        means = np.bincount(inverse.ravel(), weights=y) / counts
        # what no function can meet, the labels of one x differing, is part of every loss
        within = float(((y - means[inverse.ravel()]) ** 2).mean())
        if X.shape[1] == 1:
            found = self._of_one(places[:, 0], means, counts, within, penalty)
            return replace(found, certificate=_proof_of(found.found, X[:, 0], y)) if bounded else found
        few = X.shape[1] <= FEW_INPUTS and general_position_count(len(X), X.shape[1] + 1) <= FEW_CELLS
        if few and len(places) == len(X):
            return _of_units(exact := penalised_fit(X.tolist(), y.tolist(), penalty), exact.certificate())
        if bounded and len(places) == len(X) <= MOST_DATA.get(X.shape[1], 0):
            with suppress(UnsolvedError):
                return _of_units(bounded_fit(X.tolist(), y.tolist(), penalty, ACCURACY, MOST_CONES, self.seed), None)
        far = descended(places, means, penalty, counts.astype(np.float64), self.seed)
        return _Fitted(far, far.objective + within, np.nan, far.variation, None, far)

    def _of_one(self, x: Array, y: Array, counts: NDArray[np.intp], within: float, penalty: float) -> _Fitted:
        found = penalised_function(
            x,
            y,
            penalty,
            weights=[int(count) for count in counts],
            network=self.cost == "network",
            monotone=self.monotone,
            curved=self.curved,
        )
        function = found.function
        bounds = found.upper + within, found.lower + within
        return _Fitted(_Line(function), *bounds, float(found.cost), None, found)


def _proof_of(found: PenalisedFunction, x: Array, y: Array) -> dict[str, Any] | None:
    with suppress(CertificateError):
        return found.certificate(
            [(Fraction(float(at)), Fraction(float(v)), Fraction(1)) for at, v in zip(x, y, strict=True)]
        )
    return None


def _of_units(found: PenalisedFit | BoundedFit, certificate: dict[str, Any] | None) -> _Fitted:
    theta = np.array([[float(v) for v in unit.theta] for unit in found.units])
    c = np.array([float(unit.c) for unit in found.units])
    cost = float(sum(unit.cost for unit in found.units))
    return _Fitted(_Units(theta, c), float(found.upper), float(found.lower), cost, certificate, found)


@dataclass(frozen=True)
class _Line:
    """A function of one input at rows of X."""

    function: Any

    def __call__(self, X: Array) -> Array:
        return np.asarray(self.function(X[:, 0]), dtype=np.float64)


@dataclass(frozen=True)
class _Units:
    """Σ c_j [θ_j·(x, 1)]_+ at rows of X."""

    theta: Array
    c: Array

    def __call__(self, X: Array) -> Array:
        if not len(self.c):
            return np.zeros(len(X))
        return np.asarray(np.maximum(np.column_stack([X, np.ones(len(X))]) @ self.theta.T, 0.0) @ self.c)
