"""The kernels of several inputs, against their definition as a mean over units."""

from __future__ import annotations

from itertools import pairwise
from math import gamma, pi, sqrt

import mpmath
import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import quad

from implicitbias.errors import DataError
from implicitbias.laws.isotropic.build import isotropic_law
from implicitbias.laws.isotropic.gaussian import GaussianUnits
from implicitbias.laws.isotropic.isotropic_law import IsotropicLaw
from implicitbias.laws.isotropic.sphere import SphericalUnits

Array = NDArray[np.float64]


def gaussian_mean(law: GaussianUnits, x: Array, z: Array) -> float:
    """E[p₊q₊]: over q given p in closed form, over p by mpmath."""
    pp, qq, pq = (law.weight**2 * float(a @ b) + law.bias**2 for a, b in ((x, x), (z, z), (x, z)))
    spread = mpmath.sqrt(mpmath.mpf(qq) - mpmath.mpf(pq) ** 2 / pp)

    def given(p: mpmath.mpf) -> mpmath.mpf:
        mean = p * pq / pp
        if spread == 0:
            return p * max(mean, 0)
        ratio = mean / spread
        return p * (mean * mpmath.ncdf(ratio) + spread * mpmath.npdf(ratio))

    scale = mpmath.sqrt(pp)
    return float(mpmath.quad(lambda p: given(p) * mpmath.npdf(p / scale) / scale, [0, scale, 4 * scale, 40 * scale]))


def over_biases(s: float, t: float, a: float) -> float:
    """(1/2a)∫(s - c)₊(t - c)₊ dc over [-a, a], for any s and t."""
    top = min(s, t, a)
    if top <= -a:
        return 0.0
    inner = [s * t * c - (s + t) * c**2 / 2 + c**3 / 3 for c in (top, -a)]
    return (inner[0] - inner[1]) / (2 * a)


def spherical_mean(law: SphericalUnits, x: Array, z: Array) -> float:
    """Over the angle of V in the plane of x and z, and over the length of that projection, by quadrature."""
    d, a = len(x), law.reach
    if d == 1:
        return law.radius**2 * sum(over_biases(sign * x[0], sign * z[0], a) for sign in (1, -1)) / 2
    plane = np.linalg.qr(np.column_stack([x, z, np.eye(d)]))[0][:, :2]
    p, q = plane.T @ x, plane.T @ z
    cuts = [np.arctan2(-w[0], w[1]) % (2 * pi) for w in (p - q, q - p)]

    def at(angle: float, length: float) -> float:
        v = length * np.array([np.cos(angle), np.sin(angle)])
        return over_biases(float(v @ p), float(v @ q), a)

    def over_lengths(angle: float) -> float:
        if d == 2:
            return at(angle, 1.0)
        along = [float(w @ [np.cos(angle), np.sin(angle)]) for w in (p, q)]
        places = sorted({0.0, pi / 2, *(np.arcsin(a / abs(w)) for w in along if abs(w) > a)})
        # length = sin: the density (d - 2)(1 - length²)^{(d-4)/2} length has no pole then
        parts = [
            quad(lambda u: (d - 2) * np.cos(u) ** (d - 3) * np.sin(u) * at(angle, np.sin(u)), *ends, epsabs=1e-14)[0]
            for ends in pairwise(places)
        ]
        return float(sum(parts))

    ends = sorted({0.0, 2 * pi, *cuts, *_ends_of_biases(p, a), *_ends_of_biases(q, a)})
    total = sum(quad(over_lengths, *piece, epsabs=1e-13, epsrel=1e-12)[0] for piece in pairwise(ends))
    return law.radius**2 * total / (2 * pi)


def _ends_of_biases(w: Array, a: float) -> list[float]:
    """Angles at which |⟨V, w⟩| = a."""
    length = float(np.linalg.norm(w))
    if length <= a:
        return []
    turn, middle = np.arccos(a / length), np.arctan2(w[1], w[0])
    return [float((middle + side + half) % (2 * pi)) for side in (turn, -turn) for half in (0, pi)]


@pytest.mark.parametrize("d", [1, 2, 3, 5, 9])
def test_the_gaussian_kernel_is_the_mean_over_units(d: int) -> None:
    law, rng = GaussianUnits(1.5, 0.4), np.random.default_rng(d)
    x = rng.normal(size=d)
    others = [x, -x, 2 * x, x + 1e-6 * rng.normal(size=d), rng.normal(size=d), 1e-9 * x, np.zeros(d)]
    for z in others:
        expected = gaussian_mean(law, x, z)
        assert law.kernel(x[None], z[None])[0, 0] == pytest.approx(expected, rel=1e-12, abs=1e-14)


@pytest.mark.parametrize("d", [1, 2, 3, 5])
def test_the_spherical_kernel_is_the_mean_over_units_inside_the_ball_and_beyond_it(d: int) -> None:
    law, rng = SphericalUnits(1.5, 3.0), np.random.default_rng(d)
    inside = rng.uniform(-1, 1, (2, d)) * 2 / sqrt(d)
    for x in (*inside, 0 * inside[0], 1.7 * inside[0], 9 * inside[0], 30 * np.eye(d)[0]):
        expected = spherical_mean(law, x, inside[1])
        assert law.kernel(x[None], inside[1:])[0, 0] == pytest.approx(expected, rel=1e-11, abs=1e-12)


def test_nearly_parallel_arguments_keep_the_digits_of_the_curved_part() -> None:
    law, x = GaussianUnits(1.0, 1.0), np.array([[0.3, -0.2]])
    z = x + np.array([[1e-5, 2e-5]])
    mpmath.mp.dps, before = 50, mpmath.mp.dps
    try:
        u, v = ([mpmath.mpf(float(e)) for e in (*w[0], 1.0)] for w in (x, z))
        cosine = mpmath.fdot(u, v) / mpmath.sqrt(mpmath.fdot(u, u) * mpmath.fdot(v, v))
        t = mpmath.acos(cosine)
        exact = mpmath.sqrt(mpmath.fdot(u, u) * mpmath.fdot(v, v)) * (mpmath.sin(t) - t * mpmath.cos(t)) / (2 * pi)
    finally:
        mpmath.mp.dps = before
    assert law.curved(x, z)[0, 0] == pytest.approx(float(exact), rel=1e-9)


@pytest.mark.parametrize("law", [GaussianUnits(2.0, 0.7), SphericalUnits(2.0, 9.0)], ids=lambda law: law.text)
@pytest.mark.parametrize("d", [1, 2, 4])
def test_samples_have_the_kernel_and_the_zeta(law: IsotropicLaw, d: int) -> None:
    rng = np.random.default_rng(1)
    W, B = law.sample(400_000, d, rng)
    X = rng.uniform(-1, 1, (3, d))
    units = np.maximum(W @ X.T + B[:, None], 0)
    assert np.allclose(units.T @ units / len(B), law.kernel(X, X), rtol=0.02)
    lengths = np.linalg.norm(W, axis=1)
    area = 2 * pi ** (d / 2) / gamma(d / 2)
    near = np.abs(-B / lengths - 0.3) < 0.1
    mean = quad(lambda c: float(law.zeta(np.array(c), d)), 0.2, 0.4)[0] / 0.2
    assert (lengths**2 * near).mean() / 0.2 / area == pytest.approx(mean, rel=0.03)


@pytest.mark.parametrize("d", [1, 2, 3, 5])
def test_all_of_zeta_is_the_second_moment_of_the_weights(d: int) -> None:
    for law in (GaussianUnits(1.3, 0.6), SphericalUnits(1.3, 2.0)):
        area = 2 * pi ** (d / 2) / gamma(d / 2)
        found = quad(lambda c, law=law: float(law.zeta(np.array(c), d)), 0, 2.0 / 1.3)[0]  # type: ignore[misc]
        found += quad(lambda c, law=law: float(law.zeta(np.array(c), d)), 2.0 / 1.3 * (1 + 1e-12), np.inf)[0]  # type: ignore[misc]
        assert 2 * area * found == pytest.approx(law.second_moments(d)[:-1].sum(), rel=1e-8)


def test_a_law_without_a_closed_form_is_refused_in_words() -> None:
    for weight, bias in (
        ("uniform(-1,1)", "uniform(-2,2)"),
        ("sphere(1)", "normal(0,1)"),
        ("sphere(1)", "uniform(-1,2)"),
        ("normal(0.1,1)", "normal(0,1)"),
        ("normal(0,1)", "laplace(0,1)"),
    ):
        with pytest.raises(DataError, match=r"with several inputs the laws are normal\(0,σ\)"):
            isotropic_law(weight, bias)
    with pytest.raises(DataError, match="radius of sphere"):
        isotropic_law("sphere(-1)", "uniform(-1,1)")
    with pytest.raises(DataError, match="datum 2 lies 3 from the origin"):
        isotropic_law("sphere(1)", "uniform(-2,2)").require_reach(np.array([[0.0, 1], [0, 3]]))
