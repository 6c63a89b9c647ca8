"""What estimators of one input share: how they take their data."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from implicitbias.errors import DataError
from implicitbias.estimators.averaged import Averaged, averaged
from implicitbias.estimators.plotted import Plotted

Array = NDArray[np.float64]


class OneInput(Plotted, BaseEstimator):  # type: ignore[misc]  # scikit-learn ships no types
    """An estimator whose X has one column: shape (n, 1), or (n,)."""

    n_features_in_: int

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.one_d_array = True
        return tags

    def _column(self, X: ArrayLike) -> Array:
        """X of `predict`. Raises sklearn's NotFittedError before `fit`."""
        check_is_fitted(self)
        return one_column(self, validate_data(self, X, reset=False, ensure_2d=False, dtype=np.float64))

    def _data(self, X: ArrayLike, y: ArrayLike) -> tuple[Array, Array]:
        """X and numeric y of `fit`."""
        rows, y = validate_data(self, X, y, ensure_2d=False, dtype=np.float64, y_numeric=True)
        x = one_column(self, rows)
        self.n_features_in_ = 1
        self._seen = x, np.asarray(y, dtype=np.float64)
        return self._seen

    def _averaged(self, X: ArrayLike, y: ArrayLike, at_least: int = 2) -> Averaged:
        """X and y of `fit`, each x once."""
        return averaged(*self._data(X, y), type(self).__name__, at_least)


class OneInputRegressor(RegressorMixin, OneInput):  # type: ignore[misc]
    """One that predicts the values of the function that it has found."""

    def predict(self, X: ArrayLike) -> Array:
        """The function's value at each row of X.

        Parameters
        ----------
        X : array_like of shape (n, 1) or (n,)
            Where.

        Returns
        -------
        ndarray of shape (n,)
            The values there.

        Raises
        ------
        NotFittedError
            Before `fit`.
        """
        return np.asarray(self._values(self._column(X)), dtype=np.float64)

    def _values(self, at: Array) -> ArrayLike:
        raise NotImplementedError


def one_column(estimator: BaseEstimator, X: Array) -> Array:
    if X.ndim == 2 and X.shape[1] == 1:
        return X[:, 0]
    if X.ndim != 1:
        raise DataError(
            f"{type(estimator).__name__} takes one input: X has shape {X.shape}, where (n, 1) or (n,) is expected"
        )
    return X
