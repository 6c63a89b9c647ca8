"""What wide networks of several inputs learn: independent solutions, one input, symmetries, trained networks."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.interpolate import RBFInterpolator

from implicitbias.errors import DataError
from implicitbias.estimators.wide_network import WideNetworkRegressor
from implicitbias.laws.isotropic.build import isotropic_law
from implicitbias.laws.isotropic.gaussian import GaussianUnits
from implicitbias.laws.isotropic.isotropic_law import IsotropicLaw
from implicitbias.laws.isotropic.sphere import SphericalUnits
from implicitbias.laws.joint.build import initialisation
from implicitbias.splines.early_stopping import GradientFlow
from implicitbias.splines.raw_data import raw_data_limit
from implicitbias.splines.several_inputs.limit import polyharmonic_spline, several_inputs_limit
from implicitbias.splines.smoothing import kernel_ridge
from implicitbias.training import anti_symmetric, standard, train

Array = NDArray[np.float64]

LAWS: tuple[IsotropicLaw, ...] = (GaussianUnits(1.0, 1.0), GaussianUnits(0.7, 1.4), SphericalUnits(2.0, 12.0))


def drawn(seed: int, n: int, d: int) -> tuple[Array, Array, Array]:
    """Data, and places beyond them."""
    rng = np.random.default_rng(seed)
    return rng.uniform(-1, 1, (n, d)), rng.normal(size=n), rng.uniform(-3, 3, (40, d))


def exact_kernel(law: IsotropicLaw, x: Array, z: Array) -> mpmath.mpf:
    """K from Cho and Saul's angle, or from |x - z|³ by Theorem 8's neighbour in the catalogue, in many digits."""
    a, b = ([mpmath.mpf(float(e)) for e in w] for w in (x, z))
    if isinstance(law, GaussianUnits):
        u, v = ([law.weight * e for e in w] + [mpmath.mpf(law.bias)] for w in (a, b))
        one, two = mpmath.sqrt(mpmath.fdot(u, u)), mpmath.sqrt(mpmath.fdot(v, v))
        cosine = mpmath.fdot(u, v) / one / two
        t = mpmath.acos(min(cosine, mpmath.mpf(1)))
        return one * two * (mpmath.sin(t) + (mpmath.pi - t) * cosine) / (2 * mpmath.pi)
    assert isinstance(law, SphericalUnits)
    d, reach = len(x), mpmath.mpf(law.bias) / law.radius
    cube = mpmath.sqrt(sum((e - f) ** 2 for e, f in zip(a, b, strict=True))) ** 3
    third = mpmath.gamma(mpmath.mpf(d) / 2) / (mpmath.sqrt(mpmath.pi) * mpmath.gamma(mpmath.mpf(d + 3) / 2))
    unit = (mpmath.fdot(a, b) / d + reach**2 / 3) / 2 + third * cube / (24 * reach)
    return law.radius**2 * unit


@pytest.mark.parametrize("d", [1, 2, 3, 5])
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.text)
def test_the_limit_is_the_interpolant_of_the_kernel_in_forty_digits(law: IsotropicLaw, d: int) -> None:
    X, y, places = drawn(d, 12, d)
    Z = places[:6] / 3 * 2
    before, mpmath.mp.dps = mpmath.mp.dps, 40
    try:
        gram = mpmath.matrix([[exact_kernel(law, a, b) for b in X] for a in X])
        multipliers = mpmath.lu_solve(gram, mpmath.matrix([mpmath.mpf(float(v)) for v in y]))
        expected = [
            float(mpmath.fsum(exact_kernel(law, z, x) * m for x, m in zip(X, multipliers, strict=True))) for z in Z
        ]
        norm = float(mpmath.fsum(m * float(v) for m, v in zip(multipliers, y, strict=True)))
    finally:
        mpmath.mp.dps = before
    found = several_inputs_limit(X, y, law)
    assert np.abs(found(Z) - expected).max() < 1e-10 * np.abs(expected).max()
    assert found.norm_squared == pytest.approx(norm, rel=1e-10)


@pytest.mark.parametrize("adjust", ["none", "exact", "ols"])
@pytest.mark.parametrize("time", [np.inf, 3.0])
def test_one_input_is_the_code_of_one_input(adjust: str, time: float) -> None:
    x, y = np.array([-2, -1.7, -1.6, 0.9, 1.1, 1.3, 2]), np.array([1.5, -1.2, 0.7, 2.4, 0.6, 2.8, 2.5])
    pairs = [
        (("rademacher", "uniform(-4,4)"), SphericalUnits(1, 4)),
        (("normal(0,1)", "normal(0,2)"), GaussianUnits(1, 2)),
    ]
    at = np.linspace(-6, 6, 97)
    for laws, law in pairs:
        one = WideNetworkRegressor(*laws, adjust=adjust, time=time).fit(x[:, None], y)
        several = several_inputs_limit(x[:, None], y, law, adjust=adjust, time=time)
        assert np.abs(one.predict(at[:, None]) - several(at[:, None])).max() < 1e-9


def test_one_input_with_a_ridge_is_the_code_of_one_input() -> None:
    x, y = np.array([-2, -1.7, -1.6, 0.9, 1.1, 1.3, 2]), np.array([1.5, -1.2, 0.7, 2.4, 0.6, 2.8, 2.5])
    one = kernel_ridge(initialisation("normal(0,1)", "normal(0,2)"), x, y, 0.3)
    several = several_inputs_limit(x[:, None], y, GaussianUnits(1, 2), ridge=0.3)
    at = np.linspace(-6, 6, 97)
    assert np.abs(one(at) - several(at[:, None])).max() < 1e-11
    assert several.norm_squared == pytest.approx(one.norm_squared, rel=1e-11)


@pytest.mark.parametrize("d", [1, 2, 3, 5])
def test_adjusted_data_of_uniform_kinks_give_the_polyharmonic_spline(d: int) -> None:
    X, y, Z = drawn(d, 20, d)
    expected = RBFInterpolator(X, y, kernel="cubic", degree=1)
    spline, limit = polyharmonic_spline(X, y), several_inputs_limit(X, y, SphericalUnits(1.5, 6.0), adjust="exact")
    size = np.abs(expected(Z)).max()
    assert np.abs(spline(Z) - expected(Z)).max() < 1e-9 * size
    assert np.abs(limit(Z) - expected(Z)).max() < 1e-9 * size
    # on adjusted data there is nothing left to adjust
    left = several_inputs_limit(X, y - X @ limit.u - limit.v, SphericalUnits(1.5, 6.0))
    assert np.abs(left(Z) + Z @ limit.u + limit.v - limit(Z)).max() < 1e-8 * size
    # raw data are another matter
    assert np.abs(several_inputs_limit(X, y, SphericalUnits(1.5, 6.0))(Z) - limit(Z)).max() > 1e-3


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.text)
@pytest.mark.parametrize("time", [0.0, 0.02, 1.0, 300.0, 1e9])
def test_early_stopping_is_gradient_flow_of_the_kernel(law: IsotropicLaw, time: float) -> None:
    X, y, Z = drawn(4, 15, 3)
    values, vectors = np.linalg.eigh(law.kernel(X, X))
    learned = vectors @ (-np.expm1(-time * values) / values * (vectors.T @ y))
    found = several_inputs_limit(X, y, law, time=time)
    scale = np.abs(learned).sum() * np.finfo(float).eps * values[-1] * 100
    assert np.abs(found(Z / 2) - law.kernel(Z / 2, X) @ learned).max() < scale + 1e-14


def test_times_end_in_the_limit_and_start_from_zero() -> None:
    X, y, Z = drawn(5, 15, 2)
    law = GaussianUnits(1, 1)
    end = several_inputs_limit(X, y, law)
    assert np.abs(several_inputs_limit(X, y, law, time=1e12)(Z) - end(Z)).max() < 1e-6
    assert not several_inputs_limit(X, y, law, time=0)(Z).any()


def test_one_input_over_time_is_the_flow_of_one_input() -> None:
    x, y = np.array([-2, -1.7, -1.6, 0.9, 1.1, 1.3, 2]), np.array([1.5, -1.2, 0.7, 2.4, 0.6, 2.8, 2.5])
    flow = GradientFlow(initialisation("normal(0,1)", "normal(0,1)"), x, y)
    for time in (0.1, 10, 1e3, 1e5):
        found = several_inputs_limit(x[:, None], y, GaussianUnits(1, 1), time=time)
        assert np.abs(found(x[:, None]) - flow.at(time)(x)).max() < 1e-9


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), d=st.integers(2, 6), which=st.integers(0, len(LAWS) - 1))
def test_rotated_data_rotate_the_prediction(seed: int, d: int, which: int) -> None:
    X, y, Z = drawn(seed, 12, d)
    turn = np.linalg.qr(np.random.default_rng(seed).normal(size=(d, d)))[0]
    for adjust in ("none", "ols", "exact"):
        plain = several_inputs_limit(X, y, LAWS[which], adjust=adjust)
        turned = several_inputs_limit(X @ turn, y, LAWS[which], adjust=adjust)
        size = np.abs(plain.multipliers).sum() + np.abs(plain(Z)).max()
        assert np.abs(turned(Z @ turn) - plain(Z)).max() < 1e-10 * size


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), d=st.integers(1, 5), shift=st.floats(-3, 3))
def test_translated_data_translate_the_prediction_where_zeta_is_constant(seed: int, d: int, shift: float) -> None:
    X, y, Z = drawn(seed, 12, d)
    plain = several_inputs_limit(X, y, SphericalUnits(1.0, 12.0), adjust="exact")
    moved = several_inputs_limit(X + shift, y, SphericalUnits(1.0, 12.0), adjust="exact")
    size = np.abs(plain.multipliers).sum() + np.abs(plain(Z)).max()
    assert np.abs(moved(Z + shift) - plain(Z)).max() < 1e-9 * size


def test_where_zeta_is_not_constant_translated_data_give_another_prediction() -> None:
    X, y, Z = drawn(3, 12, 2)
    plain, moved = (several_inputs_limit(X + s, y, GaussianUnits(1, 1), adjust="exact") for s in (0, 1.0))
    assert np.abs(moved(Z + 1) - plain(Z)).max() > 1e-3


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), times=st.lists(st.integers(1, 4), min_size=12, max_size=12))
def test_repeated_data_count_as_often_as_they_are_there(seed: int, times: list[int]) -> None:
    X, y, Z = drawn(seed, 12, 3)
    law, many = GaussianUnits(1, 1), np.repeat(np.arange(12), times)
    once = several_inputs_limit(X, y, law)
    again = several_inputs_limit(X[many], y[many], law)
    assert np.abs(again(Z) - once(Z)).max() < 1e-9 * np.abs(once.multipliers).sum()
    K = law.kernel(X[many], X[many])
    ridge = several_inputs_limit(X[many], y[many], law, ridge=0.1)
    assert np.abs(ridge(Z) - law.kernel(Z, X[many]) @ np.linalg.solve(K + 0.1 * np.eye(len(K)), y[many])).max() < 1e-9
    twice, longer = (
        several_inputs_limit(*data, law, time=t)
        for data, t in (((np.repeat(X, 2, 0), np.repeat(y, 2)), 1.5), ((X, y), 3.0))
    )
    assert np.abs(twice(Z) - longer(Z)).max() < 1e-9


def test_contradictory_data_are_fitted_by_their_mean() -> None:
    X, y = [[0.0, 0], [0, 0], [1, 0], [0, 1]], [1.0, 3, 0, 1]
    found = several_inputs_limit(X, y, GaussianUnits(1, 1))
    assert found([[0, 0]])[0] == pytest.approx(2, abs=1e-12)
    assert found.values == pytest.approx([2, 2, 0, 1])


def test_with_the_affine_part_free_a_ridge_leaves_affine_data_alone() -> None:
    X, _, Z = drawn(2, 15, 3)
    found = several_inputs_limit(X, X @ [1, 2, 3] - 4, GaussianUnits(1, 1), adjust="exact", ridge=10.0)
    assert np.abs(found(Z) - Z @ [1, 2, 3] + 4).max() < 1e-11
    assert abs(found.norm_squared) < 1e-11


def test_the_norm_is_the_least_and_that_of_the_kernel() -> None:
    X, y, _ = drawn(8, 10, 2)
    for law in LAWS:
        found = several_inputs_limit(X, y, law)
        K = law.kernel(found.X, found.X)
        assert found.norm_squared == pytest.approx(found.multipliers @ K @ found.multipliers, rel=1e-9)
        fewer = several_inputs_limit(X[1:], y[1:], law)
        assert fewer.norm_squared < found.norm_squared


def test_few_or_collinear_data_need_no_affine_part() -> None:
    law = GaussianUnits(1, 1)
    X = np.array([[0.0, 0, 0], [1, 1, 1], [2, 2, 2], [3.5, 3.5, 3.5]])
    found = several_inputs_limit(X, [1, 0, 2, 1], law)
    assert np.abs(found(X) - [1, 0, 2, 1]).max() < 1e-11
    assert several_inputs_limit([[1.0, 2]], [3], law)([[1, 2]])[0] == pytest.approx(3)
    for adjust in ("exact", "ols"):
        with pytest.raises(DataError, match="lie in one hyperplane of the 3 inputs"):
            several_inputs_limit(X, [1, 0, 2, 1], law, adjust=adjust)


def test_close_data_are_told_apart_or_refused() -> None:
    law = GaussianUnits(1, 1)
    X, y, _ = drawn(9, 20, 2)
    for step in (1e-3, 1e-5):
        near = np.vstack([X, X[0] + [step, 0]])
        assert np.abs(several_inputs_limit(near, np.append(y, y[0] + step), law)(near)[-1] - y[0] - step) < 1e-8
    near = np.vstack([X, X[0] + [1e-9, 0]])
    with pytest.raises(DataError, match=r"the nearest two, .* are 1e-09 apart"):
        several_inputs_limit(near, np.append(y, y[0] + 1), law)


@pytest.mark.parametrize(
    ("X", "y", "options", "says"),
    [
        ([1, 2], [1, 2], {}, r"X must have the shape \(N, d\)"),
        ([[1], [2]], [1], {}, "one number for each of the 2 rows"),
        ([[1], [np.nan]], [1, 2], {}, r"X\[1, 0\] is nan"),
        ([[1], [2]], [1, np.inf], {}, r"y\[1\] is inf"),
        ([["a"]], [1], {}, "X must be an array of numbers"),
        (np.zeros((0, 2)), [], {}, "there are no data"),
        ([[1], [2]], [1, 2], {"adjust": "some"}, "adjust is one of"),
        ([[1], [2]], [1, 2], {"ridge": -1}, "ridge must be"),
        ([[1], [2]], [1, 2], {"time": -1}, "training time must be"),
        ([[1], [2]], [1, 2], {"time": 1, "ridge": 1}, "not both"),
    ],
)
def test_what_cannot_be_used_is_refused_in_words(X, y, options, says) -> None:
    with pytest.raises(DataError, match=says):
        several_inputs_limit(X, y, GaussianUnits(1, 1), **options)


def test_places_with_other_columns_are_refused() -> None:
    with pytest.raises(DataError, match="X must have 2 columns"):
        several_inputs_limit([[1, 2]], [3], GaussianUnits(1, 1))([[1, 2, 3]])


def spread_out(d: int) -> tuple[Array, Array]:
    """Data at the origin and at both unit vectors of each axis; of d = 2, Setting 2 of Jin and Montúfar 2023."""
    if d == 2:
        return np.array([[-1.0, -1], [1, 1], [0, 0], [-1, 1], [1, -1]]), np.array([1.5, 1.5, 0.5, -0.5, -0.5])
    return np.vstack([np.zeros(d), np.eye(d), -np.eye(d)]), np.random.default_rng(d).choice([-1.0, 1], 2 * d + 1)


@pytest.mark.parametrize("d", [2, 3, 5])
@pytest.mark.parametrize("law", [GaussianUnits(1.0, 1.0), SphericalUnits(2.0, 6.0)], ids=lambda law: law.text)
def test_trained_networks_tend_to_the_limit(law: IsotropicLaw, d: int) -> None:
    """16 networks of 4096 pairs and 16 of 1024, all parameters trained by gradient flow: at each of six places their
    means, extrapolated by 1/n, are within five standard errors of the limit. The affine fit is over ten away."""
    rng = np.random.default_rng(100 + d)
    (X, y), Z = spread_out(d), rng.uniform(-1, 1, (6, d))
    means, errors = [], []
    for n in (1024, 4096):
        W, B = law.sample(16 * n, d, rng)
        start = anti_symmetric(standard(W.reshape(16, n, d), B.reshape(16, n), rng.normal(size=(16, n))))
        trained = train(start, X, y, engine="gradient_flow", times=[np.inf], tolerance=1e-3)
        assert np.max(trained.final_loss) < 1e-20
        values = np.asarray(trained(Z))
        means.append(values.mean(0))
        errors.append(values.std(0, ddof=1) / 4)
    extrapolated = (4 * means[1] - means[0]) / 3
    error = np.hypot(4 * errors[1], errors[0]) / 3
    assert (np.abs(extrapolated - several_inputs_limit(X, y, law)(Z)) / error).max() < 5
    rival = np.linalg.lstsq(np.column_stack([X, np.ones(len(X))]), y)[0]
    assert (np.abs(extrapolated - Z @ rival[:-1] - rival[-1]) / error).max() > 10


def test_the_law_is_read_from_text() -> None:
    X, y, Z = drawn(1, 10, 2)
    read = several_inputs_limit(X, y, isotropic_law("normal(0,0.7)", "normal(0,1.4)"))
    assert np.array_equal(read(Z), several_inputs_limit(X, y, GaussianUnits(0.7, 1.4))(Z))
    one = several_inputs_limit([[-1.0], [1.0], [2.0]], [1, 0, 1], isotropic_law("normal(0,1)", "normal(0,1)"))
    other = raw_data_limit(initialisation("normal(0,1)", "normal(0,1)"), [-1, 1, 2], [1, 0, 1])
    assert one([[0.5]])[0] == pytest.approx(float(other(np.array(0.5))), abs=1e-12)
