"""Estimators of one input draw their data, the function and its kinks, with the numbers that they predict."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

import implicitbias as ib
from implicitbias.errors import DataError, MissingExtraError

matplotlib.use("Agg")
from matplotlib import pyplot

X, Y = np.array([[3.5], [0.0], [1.0], [2.0]]), np.array([2.0, 0.0, 1.0, 0.0])
REGRESSORS = [
    ib.MinimumNormRegressor(),
    ib.AdaptiveSplineRegressor("1/(1+x**2)"),
    ib.SmoothingSplineRegressor(penalty=0.1),
    ib.VariationRegressor(penalty=0.01),
    ib.WideNetworkRegressor("normal(0,1)", "uniform(-4,4)"),
]


@pytest.fixture(autouse=True)
def _close_what_was_drawn() -> Iterator[None]:
    yield
    pyplot.close("all")


def lines(ax: Any) -> dict[str, Any]:
    return {line.get_label(): line for line in ax.lines}


@pytest.mark.parametrize("made", REGRESSORS, ids=lambda made: type(made).__name__)
def test_a_regressor_draws_what_it_was_given_and_what_it_predicts(made: Any) -> None:
    ax = made.fit(X, Y).plot()
    assert isinstance(ax, matplotlib.axes.Axes)
    drawn = lines(ax)
    assert sorted(zip(*drawn["data"].get_data(), strict=True)) == sorted(zip(X[:, 0], Y, strict=True))
    x, y = drawn[type(made).__name__].get_data()
    assert x[0] < 0 < 3.5 < x[-1]
    assert np.array_equal(y, made.predict(x[:, None]))
    ax.figure.canvas.draw()


def test_the_kinks_are_where_the_slope_jumps() -> None:
    made = ib.MinimumNormRegressor().fit(X, Y)
    drawn = lines(made.plot())
    assert drawn["kinks"].get_xdata().tolist() == [float(place) for place, _ in made.function_.kinks]
    assert set(drawn["kinks"].get_xdata()) <= set(drawn["MinimumNormRegressor"].get_xdata())
    smoothed = ib.VariationRegressor(penalty=0.01).fit(X, Y)
    kinks, heights = lines(smoothed.plot())["kinks"].get_data()
    assert set(kinks) <= set(X[:, 0])
    assert np.array_equal(heights, smoothed.predict(kinks[:, None]))


@pytest.mark.parametrize("made", [REGRESSORS[1], REGRESSORS[2], REGRESSORS[4]], ids=lambda made: type(made).__name__)
def test_a_smooth_function_has_no_kinks(made: Any) -> None:
    assert "kinks" not in lines(made.fit(X, Y).plot())


def test_a_line_has_no_kinks() -> None:
    assert "kinks" not in lines(ib.VariationRegressor(penalty=1e6).fit(X, Y).plot())


def test_a_classifier_draws_the_scores_of_its_classes_and_the_data_at_their_own() -> None:
    x, labels = np.array([-1, -0.5, 0, 0.5, 1]), np.array(["a", "b", "c", "b", "a"])
    made = ib.MaxMarginClassifier().fit(x, labels)
    ax = made.plot()
    drawn = lines(ax)
    assert {"class a", "class b", "class c", "kinks"} <= drawn.keys()
    for k, name in enumerate(made.classes_):
        places, scores = drawn[f"class {name}"].get_data()
        assert np.allclose(scores, made.decision_function(places)[:, k], rtol=1e-12, atol=1e-12)
    assert set(drawn["kinks"].get_xdata()) == {float(ramp.kink) for ramp in made.found_.ramps}
    dots = [line for line in ax.lines if line.get_marker() == "o"]
    assert sorted(at for line in dots for at in line.get_xdata()) == sorted(x)
    two = ib.MaxMarginClassifier().fit([-1, 0, 1], [False, True, False])
    assert {"class False", "class True"} <= lines(two.plot()).keys()


def test_it_draws_on_the_axes_that_are_given() -> None:
    figure, (left, right) = pyplot.subplots(1, 2)
    assert ib.MinimumNormRegressor().fit(X, Y).plot(ax=right) is right
    assert not left.lines
    assert len(pyplot.get_fignums()) == 1
    assert figure.axes == [left, right]


def test_the_name_of_a_column_is_the_name_of_the_axis() -> None:
    table = pd.DataFrame({"height": X[:, 0]})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ib.WideNetworkRegressor().fit(table, Y).plot().get_xlabel() == "height"
    assert ib.WideNetworkRegressor().fit(X, Y).plot().get_xlabel() == "x"


def test_one_datum_is_drawn_too() -> None:
    assert len(lines(ib.MinimumNormRegressor().fit([[1.0]], [2.0]).plot())["data"].get_xdata()) == 1


@pytest.mark.parametrize("made", [ib.VariationRegressor(), ib.WideNetworkRegressor()], ids=["variation", "wide"])
def test_several_inputs_are_refused(made: Any) -> None:
    made.fit(np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]]), [0.0, 1.0, 2.0])
    with pytest.raises(DataError, match=r"plot draws functions of one input: this \w+ was fitted to 2"):
        made.plot()


@pytest.mark.parametrize("made", [ib.VariationRegressor(), ib.MaxMarginClassifier()], ids=["regressor", "classifier"])
def test_nothing_is_drawn_before_fit(made: Any) -> None:
    with pytest.raises(NotFittedError):
        made.plot()


def test_without_matplotlib_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    made = ib.MinimumNormRegressor().fit(X, Y)
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingExtraError, match=re.escape("pip install 'implicitbias[plot]'")):
        made.plot()
