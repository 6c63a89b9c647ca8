"""`several_inputs_limit`: what an infinitely wide network learns from data with several inputs."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from implicitbias.errors import DataError
from implicitbias.laws.isotropic.isotropic_law import IsotropicLaw, with_one
from implicitbias.laws.isotropic.sphere import SphericalUnits
from implicitbias.shown.shown import Shown
from implicitbias.splines.affine_adjustment import ADJUSTMENTS
from implicitbias.splines.several_inputs.data import Distinct, distinct, rows
from implicitbias.splines.several_inputs.system import DenseSystem, Solution

Array = NDArray[np.float64]

BLOCK = 2**22
"""Values of the kernel that are held at once in evaluation."""


@dataclass(frozen=True, repr=False)
class SeveralInputsLimit(Shown):
    """f(x) = Σ_j λ_j R(x, x_j) + ½(x, 1)G Σ_j λ_j(x_j, 1) + ⟨u, x⟩ + v, as K = ½(x, 1)G(x', 1)ᵀ + R.

    law             of the units
    X               (M, d), the distinct inputs of the data
    multipliers     (M,), λ
    moments         (d + 1,), Σ_j λ_j(x_j, 1): exactly 0 where the affine part is free
    u, v            (d,) and a number: what was subtracted from the data and is added again
    values          (N,), f at the data, in their order
    norm_squared    λᵀK(X, X)λ, what is minimised
    """

    law: IsotropicLaw
    X: Array
    multipliers: Array
    moments: Array
    u: Array
    v: float
    values: Array
    norm_squared: float

    def _quantities(self) -> dict[str, float]:
        return {"data": len(self.X), "inputs": self.X.shape[1], "norm squared": self.norm_squared}

    def __call__(self, X: ArrayLike) -> Array:
        """f at the rows of X (n, d): (n,), in blocks. O(nMd)."""
        at = rows(X)
        if at.shape[1] != self.X.shape[1]:
            raise DataError(f"X must have {self.X.shape[1]} columns, as the data: got {at.shape[1]}")
        step = max(1, BLOCK // len(self.X))
        parts = [self._values(at[start : start + step]) for start in range(0, len(at), step)]
        return np.concatenate(parts) if parts else np.zeros(0)

    def _values(self, X: Array) -> Array:
        bent = self.law.curved(X, self.X) @ self.multipliers
        return np.asarray(bent + self.law.affine(X) @ self.moments + X @ self.u + self.v)


def several_inputs_limit(
    X: ArrayLike,
    y: ArrayLike,
    law: IsotropicLaw,
    *,
    adjust: str = "none",
    ridge: float = 0.0,
    time: float = np.inf,
) -> SeveralInputsLimit:
    """The limit, as n → ∞, of Σ_{i<=n} V_i [⟨W_i, x⟩ + B_i]₊ trained by gradient descent on the square loss from f = 0:

        f = K(·, X)K(X, X)⁻¹y,   K(x, x') = E[[⟨W, x⟩ + B]₊[⟨W, x'⟩ + B]₊].

    All parameters are trained, standard parametrisation, learning rate η̄/n.

    O(N²(N + d)), with a time a few times more; N = 5000 takes some ten seconds and 1 GiB. For d = 1 it is
    `raw_data_limit`.

    Parameters
    ----------
    X, y : array_like of shape (N, d) and (N,)
        Data at the same input count as their mean, as often as there are: that is what fits the square loss best.
    law : IsotropicLaw
        Of (W, B), as `isotropic_law` makes it.
    adjust : {"none", "exact", "ols"}, default="none"
        "none": the data as they are. "exact": the affine ⟨u, x⟩ + v of Theorem 6 is subtracted from them and added
        again; so f minimises ∫R{(-Δ)^{(d+1)/2}f}²/ζ among the functions through the data, and is Σ λ_j R(x, x_j)
        plus an affine function, with Σλ_j = 0 and Σλ_j x_j = 0. "ols": the same with the affine function of least
        squares.
    ridge : float, default=0.0
        Σ(f(x_j) - y_j)² + ridge λᵀKλ is minimised instead, the affine part free if adjust is "exact". With ridge = 1/T
        it is close to training for a time T.
    time : float, default=inf
        T = η̄ · steps of gradient flow on ½Σ(f(x_j) - y_j)²: f_T = K(·, X)K(X, X)⁻¹(I - e^{-TK(X, X)})y.

    Returns
    -------
    SeveralInputsLimit
        f, to be called with rows of inputs.

    Raises
    ------
    DataError
        For data that are not finite or too near to one another to be told apart; for "exact" and "ols" if the data lie
        in one hyperplane, where (u, v) is not determined; with kinks on a bounded interval [-a, a] for data with
        |x_j| > a.

    References
    ----------
    Jin and Montúfar 2023 (JMLR 24), Theorems 6 and 16, Section 5; (7) and Appendix K.

    Examples
    --------
    >>> from implicitbias.laws.isotropic.build import isotropic_law
    >>> X, y = [[-1, -1], [1, 1], [0, 0], [-1, 1], [1, -1]], [1.5, 1.5, 0.5, -0.5, -0.5]
    >>> f = several_inputs_limit(X, y, isotropic_law("sphere(1)", "uniform(-2,2)"))
    >>> f([[1, 1], [0, 0.5]]).round(6)
    array([1.5     , 0.497601])
    """
    if adjust not in ADJUSTMENTS:
        raise DataError(f"adjust is one of {', '.join(ADJUSTMENTS)}: got {adjust!r}")
    if not 0 <= ridge < np.inf:
        raise DataError(f"ridge must be a number that is at least 0: got {ridge}")
    if not time >= 0:
        raise DataError(f"training time must be at least 0: got {time}")
    if ridge and time != np.inf:
        raise DataError("give a ridge or a time of training, not both: each stands for the other")
    data = distinct(X, y)
    system = DenseSystem(law, data.X, data.count, ridge)
    if adjust != "none" and system.rank < data.X.shape[1] + 1:
        raise DataError(
            f"the {len(data.X)} distinct data lie in one hyperplane of the {data.X.shape[1]} inputs, so no affine "
            f"function is singled out by adjust={adjust!r}: take adjust='none', which needs none, or fewer inputs"
        )
    affine = np.zeros(data.X.shape[1] + 1)
    if adjust == "exact":
        solved = system.solve(data.y, affine_free=True)
        if time == np.inf:
            return _limit(system, data, solved, data.y)
        affine = solved.affine
    elif adjust == "ols":
        affine = least_squares(data)
    target = data.y - with_one(data.X) @ affine
    if time < np.inf:
        target = target - system.decay(target, time)
    return _limit(system, data, replace(system.solve(target), affine=affine), target + with_one(data.X) @ affine)


def polyharmonic_spline(X: ArrayLike, y: ArrayLike) -> SeveralInputsLimit:
    """h(x) = Σ_j λ_j‖x - x_j‖³ + ⟨u, x⟩ + v through the data, with Σλ_j = 0 and Σλ_j x_j = 0 (unique up to the scale of
    the λ in which it is kept, that of the units' law).

    For every d it minimises ∫|(-Δ)^{(d+3)/4}h|² among the functions through the data (Jin and Montúfar 2023, Theorem 8,
    (9) to (11)), and it is what networks with W uniform on the sphere, B uniform on [-a, a], a >= max |x_j|, learn from
    data that are adjusted as in Theorem 6 (Theorem 7). For d = 1 it is the natural cubic spline.

    >>> h = polyharmonic_spline([[0, 0], [1, 0], [0, 1], [1, 1]], [1, 2, 3, 5])
    >>> round(float(h([[1, 1]])[0]), 12), abs(float(h.multipliers.sum())) < 1e-12
    (5.0, True)
    """
    data = distinct(X, y)
    reach = float(np.linalg.norm(data.X, axis=1).max()) or 1.0
    return several_inputs_limit(X, y, SphericalUnits(1.0, 2 * reach), adjust="exact")


def least_squares(data: Distinct) -> Array:
    """(u, v) of the affine function of least squares, (d + 1,)."""
    root, centre = np.sqrt(data.count), data.X.mean(0)
    found = np.linalg.lstsq(root[:, None] * with_one(data.X - centre), root * data.y)[0]
    return np.append(found[:-1], found[-1] - found[:-1] @ centre)


def _limit(system: DenseSystem, data: Distinct, found: Solution, target: Array) -> SeveralInputsLimit:
    values = target - system.ridge * found.multipliers / data.count
    norm = float(found.multipliers @ (values - with_one(data.X) @ found.affine))
    u, v = found.affine[:-1], float(found.affine[-1])
    return SeveralInputsLimit(system.law, data.X, found.multipliers, found.moments, u, v, values[data.place], norm)
