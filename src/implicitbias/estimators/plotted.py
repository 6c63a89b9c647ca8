"""What estimators of one input draw: the data, the function that was fitted, its kinks."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from implicitbias.errors import DataError
from implicitbias.functions.piecewise_linear import PiecewiseLinear
from implicitbias.shown.drawn import axes_of, draw, draw_data, places_around

Array = NDArray[np.float64]


class Plotted:
    """An estimator with one input, or one that can have one, that draws itself."""

    n_features_in_: int
    _seen: tuple[Array, Array]
    """X and y of `fit`, drawn as they were given."""

    def plot(self, ax: Any = None) -> Any:
        """Draw the data, the fitted function and its kinks with matplotlib (extra `plot`).

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default the axes of a new figure.

        Returns
        -------
        matplotlib Axes
            `ax`, or the new one.

        Raises
        ------
        DataError
            With several inputs.
        NotFittedError
            Before `fit`.
        MissingExtraError
            If matplotlib is not installed.
        """
        check_is_fitted(self)
        if self.n_features_in_ != 1:
            name = type(self).__name__
            raise DataError(f"plot draws functions of one input: this {name} was fitted to {self.n_features_in_}")
        ax, kinks = axes_of(ax), self._kinks()
        self._draw(ax, places_around(float(self._seen[0].min()), float(self._seen[0].max()), kinks), kinks)
        ax.set_xlabel(next(iter(getattr(self, "feature_names_in_", ())), "x"))
        ax.legend()
        return ax

    def _draw(self, ax: Any, places: Array, kinks: Array) -> None:
        """One function: a regressor's."""
        draw(ax, type(self).__name__, self._at, places, kinks)
        draw_data(ax, *self._seen)

    def _at(self, places: Array) -> Array:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "X does not have valid feature names")
            found: Array = self.predict(places[:, None])  # type: ignore[attr-defined]
        return found

    def _kinks(self) -> Array:
        """Where the slope jumps: nowhere, unless an estimator says otherwise."""
        return np.empty(0)


def kinks_of(function: PiecewiseLinear) -> Array:
    """The places of its kinks, in doubles."""
    return np.array([float(place) for place, _ in function.kinks])
