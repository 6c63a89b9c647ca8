"""The infinitely wide network: a kernel, and the function that training starts from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


@dataclass(frozen=True)
class InfiniteWidth:
    """A network of infinite width, trained by gradient descent: f_t solves ∂_t f_t = -K(·, X) (f_t(X) - y).

    kernel   (x, x') -> K(x, x'), on arrays that are broadcast against each other; for `standard` the kernel
             E[[Wx+B]_+ [Wx'+B]_+] with learning rate η̄/n at width n, time being η̄ × steps
    initial  x -> f_0(x); default: zero
    """

    kernel: Callable[[Array, Array], Array]
    initial: Callable[[Array], Array] | None = None

    def start(self, x: Array) -> Array:
        """f_0 at x."""
        return np.zeros(x.shape[0]) if self.initial is None else np.asarray(self.initial(x), dtype=np.float64)

    def matrix(self, x: Array, other: Array) -> Array:
        """K(x_i, x'_j)."""
        return np.asarray(self.kernel(x[:, None], other[None, :]), dtype=np.float64)
