"""What estimators of one input draw: the data, the function that was fitted, its kinks."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from implicitbias.errors import DataError, brought_by_extra
from implicitbias.functions.piecewise_linear import PiecewiseLinear

Array = NDArray[np.float64]

PLACES = 513
"""Where the function is evaluated, its kinks apart."""
BEYOND = 0.1
"""The share of the data's range that is drawn beyond each end: there the end slopes show."""


class Plotted:
    """An estimator with one input, or one that can have one, that draws itself."""

    n_features_in_: int
    _seen: tuple[Array, Array]
    """X and y of `fit`, drawn as they were given."""

    def plot(self, ax: Any = None) -> Any:
        """Draw the data, the fitted function and its kinks with matplotlib (extra `plot`).

        ax  the Axes to draw on; by default those of a new figure

        Returns the Axes. Raises DataError with several inputs, sklearn's NotFittedError before `fit`.
        """
        check_is_fitted(self)
        if self.n_features_in_ != 1:
            name = type(self).__name__
            raise DataError(f"plot draws functions of one input: this {name} was fitted to {self.n_features_in_}")
        with brought_by_extra("plot"):
            from matplotlib import pyplot
        if ax is None:
            _, ax = pyplot.subplots()
        kinks = self._kinks()
        self._draw(ax, self._places(kinks), kinks)
        ax.set_xlabel(next(iter(getattr(self, "feature_names_in_", ())), "x"))
        ax.legend()
        return ax

    def _places(self, kinks: Array) -> Array:
        low, high = float(self._seen[0].min()), float(self._seen[0].max())
        beyond = BEYOND * (high - low) or 1.0
        grid = np.linspace(low - beyond, high + beyond, PLACES)
        inside = kinks[(grid[0] < kinks) & (kinks < grid[-1])]
        return np.union1d(grid, inside)  # so that each corner is a corner of the picture

    def _draw(self, ax: Any, places: Array, kinks: Array) -> None:
        """One function: a regressor's."""
        ax.plot(places, self._at(places), label=type(self).__name__)
        if len(kinks):
            ax.plot(kinks, self._at(kinks), "D", markersize=8, fillstyle="none", color="black", label="kinks")
        ax.plot(*self._seen, "o", markersize=4, color="tab:red", label="data")
        ax.set_ylabel("y")

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
