"""Every estimator is asked the same: NaN stays NaN, and scikit-learn's pipelines find it fitted."""

import numpy as np
import pytest

from implicitbias.splines.adaptive import AdaptiveSpline
from implicitbias.splines.estimator import Estimator
from implicitbias.splines.raw_data import raw_data_limit
from implicitbias.splines.smoothing import SmoothingSpline
from implicitbias.splines.wide_network import WideNetworkRegressor

X, Y = np.array([0.0, 1.0, 2.0, 3.5]), np.array([0.0, 1.0, 0.0, 2.0])
MADE = [
    AdaptiveSpline(),
    AdaptiveSpline(zeta="1/(1+x**2)"),
    AdaptiveSpline(zeta=WideNetworkRegressor("normal(0,1)", "uniform(-4,4)").fit(X, Y).law_),
    SmoothingSpline(),
    WideNetworkRegressor("normal(0,1)", "uniform(-4,4)"),
]
AT = np.array([[np.nan, -1.0], [0.3, np.nan], [9.0, 2.0]])


@pytest.mark.parametrize("made", MADE, ids=repr)
def test_nan_stays_nan_and_leaves_the_others_alone(made: Estimator) -> None:
    fitted = made.fit(X, Y)
    found = fitted.predict(AT[:, 0])
    assert np.isnan(found).tolist() == [True, False, False]
    assert np.array_equal(found[1:], fitted.predict(AT[1:, 0]))
    assert np.isnan(fitted.predict([np.nan])).all()


@pytest.mark.parametrize("made", [AdaptiveSpline(), AdaptiveSpline(zeta="1/(1+x**2)"), SmoothingSpline()], ids=repr)
@pytest.mark.parametrize("order", [0, 1, 2])
def test_derivatives_at_nan_are_nan(made: AdaptiveSpline | SmoothingSpline, order: int) -> None:
    fitted = made.fit(X, Y)
    assert np.isnan(fitted.derivative(np.nan, order))
    assert np.array_equal(np.isnan(fitted.derivative(AT, order)), np.isnan(AT))


@pytest.mark.parametrize("order", [0, 1, 2])
def test_the_limit_at_nan_is_nan_beside_places_outside_the_data(order: int) -> None:
    limit = raw_data_limit(MADE[-1].fit(X, Y).law_, X, Y)  # type: ignore[attr-defined]
    assert np.array_equal(np.isnan(limit(AT, order)), np.isnan(AT))
    assert limit(AT, order)[0, 1] == limit(np.array([-1.0]), order)[0]


@pytest.mark.parametrize("kind", [AdaptiveSpline, SmoothingSpline, WideNetworkRegressor])
def test_an_estimator_says_whether_it_is_fitted(kind: type[Estimator]) -> None:
    assert not kind().__sklearn_is_fitted__()
    assert kind().fit(X, Y).__sklearn_is_fitted__()


def test_splines_given_their_data_at_once_are_fitted() -> None:
    assert AdaptiveSpline(X, Y).__sklearn_is_fitted__()
    assert SmoothingSpline(X, Y).__sklearn_is_fitted__()


@pytest.mark.parametrize("kind", [AdaptiveSpline, SmoothingSpline, WideNetworkRegressor])
def test_they_predict_in_a_pipeline(kind: type[Estimator]) -> None:
    pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    from sklearn.model_selection import cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    x = np.linspace(0, 3, 40)[:, None]
    pipeline = make_pipeline(StandardScaler(), kind())
    assert pipeline.fit(x, np.sin(x[:, 0])).predict(x) == pytest.approx(np.sin(x[:, 0]), abs=0.5)
    assert np.isfinite(cross_val_score(pipeline, x, np.sin(x[:, 0]), cv=3)).all()
