"""The classifier of largest margin for its group norm, as an estimator."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from implicitbias.convex.margin.classifier import MaxMargin, max_margin
from implicitbias.errors import DataError
from implicitbias.estimators.one_input import Array, OneInput, one_column
from implicitbias.estimators.parameters import in_doubles, require_finite


class MaxMarginClassifier(ClassifierMixin, OneInput):  # type: ignore[misc]
    """The f(x) = Σ_j w_j [s_j(x - c_j)]₊ of least Σ‖w_j‖ with margins f_{y_i}(x_i) - f_l(x_i) >= 1 for all l != y_i.

    What training on the cross-entropy leads two-layer ReLU networks with one input to (Stewart et al. 2022, problem
    (10)): w_j in R^k for k classes, kinks c_j in an interval around the data.

    Parameters
    ----------
    kinks : (float, float), default=None
        The range of the kinks; by default [-1, 1], widened to the data.

    Attributes
    ----------
    found_ : MaxMargin
        The classifier with its exact bounds.
    classes_ : ndarray of shape (k,)
        The classes.
    cost_ : float
        The least Σ‖w_j‖; `found_.lower` and `found_.upper` enclose it.
    margin_ : float
        1/cost_, the largest margin of a classifier of norm one.
    certificate_ : dict
        The proof of both bounds, for `implicitbias.check_certificate`.
    n_features_in_ : int
        1.

    Examples
    --------
    >>> from implicitbias import MaxMarginClassifier
    >>> made = MaxMarginClassifier().fit([-1, -0.5, 0, 0.5, 1], ["a", "b", "c", "b", "a"])
    >>> made.predict([0.1]).tolist(), round(made.cost_, 6)
    (['c'], 13.503519)
    """

    found_: MaxMargin
    classes_: Any
    cost_: float
    margin_: float

    def __init__(self, kinks: tuple[float, float] | None = None) -> None:
        self.kinks = kinks

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Find the classifier.

        Parameters
        ----------
        X : array_like of shape (n, 1) or (n,)
            Inputs, in any order.
        y : array_like of shape (n,)
            Classes: two at least, numbers or words.

        Returns
        -------
        self

        Raises
        ------
        DataError
            Which is a ValueError: for several inputs, a single class, data that no classifier tells apart, and what
            exceeds floating point.
        """
        rows, y = validate_data(self, X, y, ensure_2d=False, dtype=np.float64)
        with in_doubles():
            check_classification_targets(y)
        x = one_column(self, rows)
        self.n_features_in_ = 1
        self.classes_, positions = np.unique(y, return_inverse=True)
        self._seen = x, positions.astype(np.float64)
        if len(self.classes_) < 2:
            raise DataError(f"there is one class only, {self.classes_[0]!r}: at least two classes are needed")
        pairs = np.unique(np.column_stack([x, positions]), axis=0)  # a point given twice with one label is one point
        known = range(len(self.classes_))
        with in_doubles():
            self.found_ = max_margin(pairs[:, 0], [int(k) for k in pairs[:, 1]], known, self.kinks)
            self.cost_, self.margin_ = self.found_.value, self.found_.margin
            require_finite(self.cost_, self._scores(x))
        return self

    def decision_function(self, X: ArrayLike) -> Array:
        """The score of each class at each row of X.

        Parameters
        ----------
        X : array_like of shape (n, 1) or (n,)
            Where.

        Returns
        -------
        ndarray of shape (n, k), or (n,) for two classes
            f there; for two classes f_2 - f_1.

        Raises
        ------
        NotFittedError
            Before `fit`.
        """
        at = self._column(X)
        scores = self._scores(at)
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores

    def predict(self, X: ArrayLike) -> Any:
        """The class with the largest score at each row of X.

        Parameters
        ----------
        X : array_like of shape (n, 1) or (n,)
            Where.

        Returns
        -------
        ndarray of shape (n,)
            One of `classes_` for each row.

        Raises
        ------
        NotFittedError
            Before `fit`.
        """
        scores = self.decision_function(X)
        return self.classes_[(scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)]

    @property
    def certificate_(self) -> dict[str, Any]:
        """The proof of both bounds of the least norm, for `implicitbias.check_certificate`."""
        return self.found_.certificate()

    def _scores(self, at: Array) -> Array:
        """f at each place, shape (n, k)."""
        sides, kinks, weights = self._ramps
        return np.asarray(np.maximum(sides * (at[:, None] - kinks), 0.0) @ weights)

    def _kinks(self) -> Array:
        return np.unique(self._ramps[1])

    def _draw(self, ax: Any, places: Array, kinks: Array) -> None:
        """The score of each class, the data at that of their own class, the kinks as short strokes."""
        scores = self._scores(places)
        x, positions = self._seen
        own = self._scores(x)
        for k, label in enumerate(self.classes_):
            [line] = ax.plot(places, scores[:, k], label=f"class {label}")
            mine = positions == k
            ax.plot(x[mine], own[mine, k], "o", markersize=4, color=line.get_color())
        ax.plot(kinks, np.full(len(kinks), scores.min()), "|", markersize=10, color="black", label="kinks")
        ax.set_ylabel("score")

    @property
    def _ramps(self) -> tuple[Array, Array, Array]:
        ramps = self.found_.ramps
        return (
            np.array([ramp.side for ramp in ramps], dtype=np.float64),
            np.array([float(ramp.kink) for ramp in ramps]),
            np.array([[float(w) for w in ramp.weights] for ramp in ramps]),
        )
