"""The conventions of scikit-learn's estimators, without scikit-learn: fit, predict, score, get_params, set_params."""

from __future__ import annotations

import importlib
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from implicitbias.errors import DataError

Array = NDArray[np.float64]


class Estimator:
    """A regressor of one input. `PARAMETERS` names the arguments of the constructor that are settings, not data.

    The constructor stores settings as they are given and checks them in `fit`, so that `sklearn.base.clone` works.
    """

    PARAMETERS: ClassVar[tuple[str, ...]] = ()

    FITTED: ClassVar[str] = ""
    """The attribute that `fit` sets."""

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        raise NotImplementedError

    def predict(self, X: ArrayLike) -> Array:
        raise NotImplementedError

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The settings by name. `deep` exists for scikit-learn; settings contain no estimators."""
        return {name: getattr(self, name) for name in self.PARAMETERS}

    def set_params(self, **settings: Any) -> Self:
        """Change settings; they take effect at the next `fit`."""
        unknown = sorted(set(settings) - set(self.PARAMETERS))
        if unknown:
            raise DataError(
                f"{type(self).__name__} has no setting {unknown[0]!r}: there are {', '.join(self.PARAMETERS)}"
            )
        for name, setting in settings.items():
            setattr(self, name, setting)
        return self

    def score(self, X: ArrayLike, y: ArrayLike) -> float:
        """R² of the predictions, 1 - Σ(y - s(x))²/Σ(y - mean y)²."""
        target = np.asarray(y, dtype=np.float64).ravel()
        missed = float(((target - self.predict(X)) ** 2).sum())
        spread = float(((target - target.mean()) ** 2).sum())
        if spread == 0:
            return 1.0 if missed == 0 else 0.0
        return 1 - missed / spread

    def __sklearn_is_fitted__(self) -> bool:
        """Whether there are data; scikit-learn's pipelines ask before they predict."""
        return hasattr(self, self.FITTED)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in self.PARAMETERS)})"

    def __sklearn_tags__(self) -> Any:
        # only scikit-learn calls this, so it can be imported
        tags = importlib.import_module("sklearn.utils")
        return tags.Tags(
            estimator_type="regressor",
            target_tags=tags.TargetTags(required=True),
            regressor_tags=tags.RegressorTags(),
            input_tags=tags.InputTags(),
        )


def column(X: ArrayLike) -> Array:
    """One input per row: an array of shape (N, 1) or (N,) as (N,)."""
    values = np.asarray(X, dtype=np.float64)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise DataError(f"X must have shape (N, 1) or (N,), one input per row: got {values.shape}")
    return values


def in_order(X: ArrayLike, y: ArrayLike) -> tuple[Array, Array]:
    """Data as `fit` takes them, sorted by x."""
    x, target = column(X), column(y)
    if x.shape != target.shape:
        raise DataError(f"as many y as rows of X are needed: got {len(x)} rows and {len(target)} y")
    order = np.argsort(x, kind="stable")
    return x[order], target[order]
