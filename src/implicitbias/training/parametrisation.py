"""From samples of (W, B), W̄, B̄ to the initial network (Jin & Montúfar 2021, section 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from implicitbias.training.two_layer import Groups, TwoLayer

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def standard(w: ArrayLike, b: ArrayLike, v: ArrayLike, c: ArrayLike = 0.0) -> TwoLayer:
    """Equations (1) and (2): W¹ = √(1/d) W, b¹ = √(1/d) B, W² = √(1/n) W̄, b² = √(1/n) B̄; all learn at the same rate.

    w, b, v, c are samples of W, B, W̄, B̄ of the shapes that TwoLayer takes (d = 1 for univariate inputs). A learning
    rate that suits all widths is η̄/n.

    >>> standard(w=[1.0, 2.0], b=[0.0, 1.0], v=[1.0, -1.0]).v
    array([ 0.70710678, -0.70710678])
    """
    w, b, v, c = (np.asarray(a, dtype=np.float64) for a in (w, b, v, c))
    root_d = np.sqrt(w.shape[-1]) if w.ndim > b.ndim else 1.0
    root_n = np.sqrt(b.shape[-1])
    return TwoLayer(w / root_d, b / root_d, v / root_n, c / root_n)


def ntk(w: ArrayLike, b: ArrayLike, v: ArrayLike, c: ArrayLike = 0.0) -> TwoLayer:
    """f(x) = √(1/n) Σ v_i [√(1/d)(⟨w_i, x⟩ + b_i)]_+ + c with w, b, v, c themselves trained: the NTK parametrisation.

    The function is that of `standard` (but c is taken as it is); the rates are 1/d, 1/d, 1/n, 1. A learning rate
    that suits all widths does not depend on n.
    """
    start = standard(w, b, v)
    d = 1 if start.inputs is None else start.inputs
    rates = Groups(w=1.0 / d, b=1.0 / d, v=1.0 / start.width, c=1.0)
    return TwoLayer(start.w, start.b, start.v, np.asarray(c, dtype=np.float64), rates)


def anti_symmetric(network: TwoLayer) -> TwoLayer:
    """The anti-symmetrical initialisation: √½ f(·, θ') - √½ f(·, θ'') with two copies θ' = θ'' of the network.

    2n units (w, b, √½ v) and (w, b, -√½ v), c = 0. The function is zero and the tangent kernel that of the network:
    v = ±√½ ṽ learns at half the rate, and of the two output biases only √½ (c' - c'') is seen, at the full rate.

    >>> f = anti_symmetric(TwoLayer([1.0], [0.5], [3.0], 2.0))
    >>> f(np.array([0.0, 7.0])), f.width, f.rates.v
    (array([0., 0.]), 2, 0.5)
    """
    axis = network.b.ndim - 1
    half = np.sqrt(0.5) * network.v
    return TwoLayer(
        np.concatenate([network.w, network.w], axis=axis),
        np.concatenate([network.b, network.b], axis=axis),
        np.concatenate([half, -half], axis=axis),
        np.zeros_like(network.c),
        network.rates._replace(v=network.rates.v / 2),
    )
