"""Every estimator is asked what scikit-learn asks of estimators, and what is true of all of them."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator
from sklearn.utils.validation import validate_data

import implicitbias as ib
from implicitbias.errors import DataError
from implicitbias.estimators.checks import MAXIMUM_MARGIN, ONE_INPUT, SMOOTHING, WIDE

X, Y = np.array([[0.0], [1.0], [2.0], [3.5]]), np.array([0.0, 1.0, 0.0, 2.0])
REGRESSORS = [
    ib.MinimumNormRegressor(),
    ib.AdaptiveSplineRegressor(),
    ib.AdaptiveSplineRegressor("1/(1+x**2)"),
    ib.AdaptiveSplineRegressor(np.cosh),
    ib.AdaptiveSplineRegressor(ib.initialisation("normal(1,1)", "uniform(-4,4)")),
    ib.SmoothingSplineRegressor(penalty=0.1),
    ib.SmoothingSplineRegressor(),
    ib.VariationRegressor(),
    ib.VariationRegressor(cost="slopes", monotone="increasing"),
    ib.WideNetworkRegressor("normal(0,1)", "uniform(-4,4)"),
    ib.WideNetworkRegressor(adjust="ols", time=3.0),
]


class FirstColumn(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Takes one input out of many, so that the checks of many inputs reach an estimator of one."""

    def fit(self, X: Any, y: Any = None) -> FirstColumn:
        validate_data(self, X)
        self.fitted_ = True
        return self

    def transform(self, X: Any) -> Any:
        return validate_data(self, X, reset=False)[:, :1]


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (ib.MinimumNormRegressor(), ONE_INPUT),
        (ib.AdaptiveSplineRegressor(), ONE_INPUT),
        (ib.SmoothingSplineRegressor(), SMOOTHING),
        (ib.MaxMarginClassifier(), MAXIMUM_MARGIN),
        (ib.WideNetworkRegressor(), WIDE),
        (
            ib.VariationRegressor(penalty=30.0),
            {"check_regressors_train": "the penalty of this test is large, to be quick"},
        ),
    ],
    ids=lambda value: type(value).__name__,
)
@pytest.mark.filterwarnings("ignore")
def test_scikit_learns_checks_hold_but_those_that_cannot(made: BaseEstimator, expected: Mapping[str, str]) -> None:
    found = check_estimator(made, expected_failed_checks=dict(expected), on_skip=None, on_fail=None)
    assert not [(check["check_name"], check["exception"]) for check in found if check["status"] == "failed"]
    failed = {check["check_name"] for check in found if check["status"] == "xfail"}
    applying = {check["check_name"] for check in found}
    assert failed == set(expected) & applying, "what is declared to fail does"


@pytest.mark.parametrize("made", [ib.MinimumNormRegressor(), ib.AdaptiveSplineRegressor()], ids=repr)
@pytest.mark.filterwarnings("ignore")
def test_behind_the_choice_of_a_column_nothing_is_left_to_excuse(made: BaseEstimator) -> None:
    checks = ("check_estimators_overwrite_params", "check_dont_overwrite_parameters")
    of_pipelines = dict.fromkeys(checks, "a pipeline fits its own steps")
    found = check_estimator(
        make_pipeline(FirstColumn(), made), expected_failed_checks=of_pipelines, on_skip=None, on_fail=None
    )
    assert not [(check["check_name"], check["exception"]) for check in found if check["status"] == "failed"]


@pytest.mark.parametrize("made", REGRESSORS, ids=repr)
def test_they_fit_predict_score_clone_and_pickle(made: Any) -> None:
    order = [2, 0, 3, 1]
    fitted = clone(made).fit(X[order], Y[order])
    at = np.array([[-1.0], [0.3], [9.0]])
    predicted = fitted.predict(at)
    assert predicted.shape == (3,)
    assert fitted.score(X, Y) <= 1
    assert np.array_equal(pickle.loads(pickle.dumps(fitted)).predict(at), predicted)
    assert np.array_equal(clone(fitted).fit(X, Y).predict(at), predicted)
    assert fitted.n_features_in_ == 1
    assert np.isfinite(fitted.cost_)


@pytest.mark.parametrize("made", [*REGRESSORS, ib.MaxMarginClassifier()], ids=repr)
def test_before_fit_and_with_other_shapes_they_refuse(made: Any) -> None:
    with pytest.raises(NotFittedError):
        clone(made).predict(X)
    with pytest.raises(ValueError, match=r"input|features"):
        clone(made).fit(X, (Y > 0.5).astype(int)).predict(np.zeros((2, 2)))


@pytest.mark.parametrize("made", REGRESSORS, ids=repr)
def test_data_at_one_place_count_as_their_mean(made: Any) -> None:
    more_x, more_y = np.vstack([X, X[1:2]]), np.append(Y, 5.0)
    fitted = clone(made).fit(more_x, more_y)
    if isinstance(made, ib.MinimumNormRegressor | ib.AdaptiveSplineRegressor):
        assert fitted.predict(X)[1] == pytest.approx(3.0)


@pytest.mark.parametrize("frame", ["pandas", "polars"])
def test_tables_go_in_and_arrays_come_out(frame: str) -> None:
    library = pytest.importorskip(frame)
    table = library.DataFrame({"dose": X[:, 0]})
    fitted = ib.MinimumNormRegressor().fit(table, Y)
    assert isinstance(fitted.predict(table), np.ndarray)
    if frame == "pandas":
        assert list(fitted.feature_names_in_) == ["dose"]


@pytest.mark.parametrize("made", REGRESSORS[:3] + REGRESSORS[5:8] + REGRESSORS[9:], ids=repr)
def test_they_predict_in_a_pipeline(made: Any) -> None:
    x = np.linspace(0, 3, 40)[:, None]
    y = np.sin(x[:, 0])
    pipeline = make_pipeline(StandardScaler(), clone(made))
    assert pipeline.fit(x, y).predict(x) == pytest.approx(y, abs=0.6)
    assert np.isfinite(cross_val_score(pipeline, x, y, cv=3)).all()


def test_what_is_shown_is_short_and_made_for_notebooks_too() -> None:
    fitted = REGRESSORS[4]
    assert len(repr(fitted)) < 120
    assert "<style>" in fitted._repr_html_()


def test_the_least_norm_comes_with_its_proof() -> None:
    fitted = ib.MinimumNormRegressor(left_share=0.5).fit([[0], [1], [2]], [0, 3, 7])
    assert fitted.cost_ == 4.0
    assert ib.check_certificate(fitted.certificate_).valid
    with pytest.raises(DataError, match="left_share"):
        ib.MinimumNormRegressor(left_share=2).fit(X, Y)


def test_classes_are_told_apart_with_margin_one() -> None:
    x, labels = np.array([[-1.0], [-0.5], [0.0], [0.5], [1.0]]), np.array(["a", "b", "c", "b", "a"])
    fitted = ib.MaxMarginClassifier().fit(x, labels)
    scores = fitted.decision_function(x)
    own = scores[np.arange(5), [0, 1, 2, 1, 0]]
    others = np.sort(scores, axis=1)[:, -2]
    assert (own - others >= 1 - 1e-9).all()
    assert fitted.predict(x).tolist() == labels.tolist()
    assert fitted.margin_ * fitted.cost_ == pytest.approx(1)
    assert ib.check_certificate(fitted.certificate_).valid
    with pytest.raises(DataError, match="no classifier has both"):
        ib.MaxMarginClassifier().fit([[0], [0], [1]], [0, 1, 1])


def test_the_wide_network_learns_what_its_law_says_of_one_input_and_of_several() -> None:
    x, y = X[:, 0], Y
    raw = ib.WideNetworkRegressor("normal(0,1)", "uniform(-4,4)").fit(X, Y)
    from implicitbias.splines.raw_data import raw_data_limit

    assert np.array_equal(raw.predict(X + 0.3), raw_data_limit(raw.law_, x, y)(x + 0.3))
    exact = ib.WideNetworkRegressor("normal(0,1)", "uniform(-4,4)", adjust="exact").fit(X, Y)
    assert np.abs(exact.predict(X + 0.3) - ib.AdaptiveSpline(x, y, exact.law_)(x + 0.3)).max() < 1e-12
    with pytest.raises(DataError, match="adjusted by one of"):
        ib.WideNetworkRegressor(adjust="some").fit(X, Y)
    plane = np.random.default_rng(0).normal(size=(9, 2))
    several = ib.WideNetworkRegressor().fit(plane, plane[:, 0])
    limit = ib.several_inputs_limit(plane, plane[:, 0], several.law_)
    assert np.array_equal(several.predict(plane + 0.1), limit(plane + 0.1))


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({"penalty": "gcv"}, "'cv'"),
        ({"penalty": 0}, "positive"),
        ({"cost": "some"}, "'network' or 'slopes'"),
        ({"monotone": "up"}, "'increasing'"),
        ({"curved": "up"}, "'convex'"),
    ],
)
def test_settings_that_there_are_not_are_named(settings: dict[str, Any], word: str) -> None:
    with pytest.raises(DataError, match=word):
        ib.VariationRegressor(**settings).fit(X, Y)
    with pytest.raises(DataError, match="for one input"):
        ib.VariationRegressor(monotone="increasing").fit(np.zeros((3, 2)), [0, 1, 2])
    with pytest.raises(DataError, match="'gcv'"):
        ib.SmoothingSplineRegressor(penalty="cv").fit(X, Y)


@pytest.mark.parametrize(
    "made",
    [
        ib.MinimumNormRegressor(left_share=None),
        ib.AdaptiveSplineRegressor(breaks=3),
        ib.AdaptiveSplineRegressor(breaks=["a"]),
        ib.SmoothingSplineRegressor(penalty=None),
        ib.VariationRegressor(penalty=None),
        ib.VariationRegressor(penalty=[1]),
        ib.VariationRegressor(penalty=1e300),
        ib.VariationRegressor(seed="a"),
        ib.VariationRegressor(penalty="cv", folds="a"),
        ib.VariationRegressor(penalty="cv", folds=1),
        ib.WideNetworkRegressor(time="a"),
    ],
    ids=repr,
)
def test_settings_of_another_type_are_refused_as_values(made: Any) -> None:
    with pytest.raises(DataError, match=r"left_share|breaks|penalty|seed|folds|time|floating point"):
        made.fit(X, Y)


@pytest.mark.parametrize("made", [*REGRESSORS, ib.MaxMarginClassifier()], ids=repr)
@pytest.mark.parametrize(
    ("x", "y"), [([-1e308, 0, 1e308], [0, 1, 0]), ([0, 1, 2], [0, 1e308, 1]), ([0, 5e-324, 1], [0, 1, 0])]
)
@pytest.mark.filterwarnings("error")
def test_numbers_at_the_ends_of_floating_point_are_fitted_or_refused(made: Any, x: list[float], y: list[float]) -> None:
    """Never NaN, no other error, no warning of numpy's."""
    at = np.array(x)[:, None]
    try:
        found = clone(made).fit(at, y)
    except DataError:
        return
    except ValueError as error:
        if "label type: continuous" not in str(error):  # scikit-learn's own word for labels that are no classes
            raise
        return
    assert np.isfinite(found.predict(at)).all()
    assert np.isfinite(found.cost_)


@pytest.mark.parametrize("x", [[0, 1e-16, 1], [1, 1 + 2**-52, 2]])
def test_a_spline_that_rounding_takes_off_its_data_is_refused(x: list[float]) -> None:
    """Its slope between the first two is 10¹⁶, and what is left at the third of so large terms is off by 1."""
    with pytest.raises(DataError, match="too close together"):
        ib.AdaptiveSplineRegressor().fit(np.array(x)[:, None], [0, 1, 0])
    exact = ib.MinimumNormRegressor().fit(x, [0, 1, 0])
    assert exact.predict(x).tolist() == [0, 1, 0]


def test_cross_validation_chooses_a_penalty() -> None:
    draw = np.random.default_rng(0)
    x = np.sort(draw.uniform(-2, 2, 60))[:, None]
    y = np.abs(x[:, 0]) + 0.1 * draw.normal(size=60)
    fitted = ib.VariationRegressor(penalty="cv").fit(x, y)
    assert fitted.penalty_ == fitted.penalties_[np.argmin(fitted.errors_)]
    assert fitted.errors_.min() < fitted.errors_[[0, -1]].min()
    at = np.linspace(-2, 2, 50)[:, None]
    assert np.abs(fitted.predict(at) - np.abs(at[:, 0])).mean() < 0.06


def test_with_several_inputs_the_optimum_is_enclosed_with_a_certificate() -> None:
    draw = np.random.default_rng(1)
    few, many = draw.normal(size=(8, 2)), draw.normal(size=(60, 3))
    fitted = ib.VariationRegressor(penalty=0.05).fit(few, few[:, 0] ** 2)
    assert fitted.lower_ <= fitted.upper_ <= fitted.lower_ * (1 + 1e-8)
    assert ib.check_certificate(fitted.certificate_).valid
    missed = ((fitted.predict(few) - few[:, 0] ** 2) ** 2).mean()
    assert missed + 0.05 * fitted.cost_ == pytest.approx(fitted.upper_)
    bounded = ib.VariationRegressor(penalty=0.05).fit(many, many[:, 0])
    assert ib.check_certificate(bounded.certificate_).valid
    assert bounded.lower_ <= bounded.upper_ <= bounded.lower_ * (1 + 1e-3)
    missed = ((bounded.predict(many) - many[:, 0]) ** 2).mean()
    assert missed + 0.05 * bounded.cost_ == pytest.approx(bounded.upper_)


def test_repeated_inputs_and_many_inputs_are_fitted_without_bounds() -> None:
    draw = np.random.default_rng(2)
    for X in (np.repeat(draw.normal(size=(30, 3)), 2, axis=0), draw.normal(size=(60, 25)), draw.normal(size=(6, 200))):
        y = X[:, 0] + draw.normal(size=len(X))
        fitted = ib.VariationRegressor(penalty=0.5).fit(X, y)
        assert fitted.certificate_ is None
        assert np.isnan(fitted.lower_)
        missed = ((fitted.predict(X) - y) ** 2).mean()
        assert missed + 0.5 * fitted.cost_ == pytest.approx(fitted.upper_)
