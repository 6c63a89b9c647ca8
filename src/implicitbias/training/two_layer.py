"""Two-layer ReLU networks as arrays of numbers in floating point: one network, or a batch of seeds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from implicitbias.errors import DataError
from implicitbias.functions.network import Network
from implicitbias.training.evaluation import inputs_of, sum_of_relus
from implicitbias.training.given import reals

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]


class Groups(NamedTuple):
    """One number for each group of parameters: w and b of the hidden layer, v and c of the output layer."""

    w: float = 1.0
    b: float = 1.0
    v: float = 1.0
    c: float = 1.0


EVEN = Groups()
"""All groups learn at the same rate."""


@dataclass(frozen=True, eq=False)
class TwoLayer:
    """f(x) = Σ_i v_i [⟨w_i, x⟩ + b_i]_+ + c, with the rates at which its parameters learn.

    w      (n,) for inputs x in R, (n, d) for inputs in R^d; all arrays of a batch have a leading axis of seeds
    b      (n,)
    v      (n,), or (n, k) for k outputs
    c      a number, or (k,)
    rates  gradient descent with learning rate η moves group p by -η rates.p ∂L/∂p. A parametrisation that trains
           p̃ with p = s p̃ has the rate s²; so this one class serves the standard and the NTK parametrisation.

    >>> f = TwoLayer(w=[1.0, -1.0], b=[0.0, 0.0], v=[2.0, 2.0])
    >>> f(np.array([-0.5, 3.0]))
    array([1., 6.])

    Raises DataError if shapes do not fit or a number is not finite.
    """

    w: Array
    b: Array
    v: Array
    c: Array = 0.0  # type: ignore[assignment]  # an array once constructed
    rates: Groups = EVEN

    def __post_init__(self) -> None:
        w, b, v, c = (_parameters(name, getattr(self, name)) for name in "wbvc")
        if b.ndim not in (1, 2):
            raise DataError(f"b must have shape (n,), or (seeds, n) for a batch: got shape {b.shape}")
        batch, n = b.shape[:-1], b.shape[-1]
        if w.shape != b.shape and (w.ndim != b.ndim + 1 or w.shape[:-1] != b.shape):
            raise DataError(f"w must have shape {b.shape}, or {b.shape} and d more for inputs in R^d: got {w.shape}")
        if v.shape != b.shape and (v.ndim != b.ndim + 1 or v.shape[:-1] != b.shape):
            raise DataError(f"v must have shape {b.shape}, or {b.shape} and k more for k outputs: got {v.shape}")
        outputs = v.shape[b.ndim :]
        try:
            c = np.broadcast_to(c, (*batch, *outputs)).copy()
        except ValueError:
            raise DataError(f"c must have shape {(*batch, *outputs)}: got {c.shape}") from None
        for name, array in zip("wbvc", (w, b, v, c), strict=True):
            if not np.isfinite(array).all():
                where = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
                raise DataError(f"parameters must be finite: {name}{list(where)} = {array[where]}")
            object.__setattr__(self, name, array)
        if n == 0:
            raise DataError("a network needs at least one unit: got n = 0")

    @property
    def width(self) -> int:
        """n, the number of units."""
        return int(self.b.shape[-1])

    @property
    def seeds(self) -> int | None:
        """The number of networks of a batch; None for a single network."""
        return int(self.b.shape[0]) if self.b.ndim == 2 else None

    @property
    def inputs(self) -> int | None:
        """d for inputs that are vectors; None for univariate inputs."""
        return int(self.w.shape[-1]) if self.w.ndim > self.b.ndim else None

    @property
    def outputs(self) -> int | None:
        """k for vector outputs; None for a scalar output."""
        return int(self.v.shape[-1]) if self.v.ndim > self.b.ndim else None

    @classmethod
    def from_network(cls, network: Network) -> TwoLayer:
        """The exact network, rounded to doubles."""
        w, b, v = (np.array([float(p) for p in group]) for group in (network.w, network.b, network.v))
        return cls(w, b, v, np.asarray(float(network.c)))

    def network(self, seed: int | None = None) -> Network:
        """The exact Network with these doubles as parameters; for a batch that with index `seed`."""
        one = self if seed is None else self.one(seed)
        if one.seeds is not None or one.inputs is not None or one.outputs is not None:
            raise DataError(
                "only a univariate network with a scalar output becomes a Network; of a batch, name the seed"
            )
        return Network(one.w.tolist(), one.b.tolist(), one.v.tolist(), float(one.c))

    def one(self, seed: int) -> TwoLayer:
        """The network with index `seed` of a batch."""
        if self.seeds is None:
            raise DataError("this is a single network, not a batch: it has no seeds to choose from")
        return TwoLayer(self.w[seed], self.b[seed], self.v[seed], self.c[seed], self.rates)

    def __call__(self, x: ArrayLike) -> Array:
        """f(x) for x of shape (Q,), or (Q, d): shape (Q,), for a batch (seeds, Q), with a trailing axis for k outputs.

        One input, a number or a vector (d,), gives the same without the axis Q. For univariate inputs the cost is
        O((n + Q) log Q) per network: the ReLUs are summed by their kinks.
        """
        points, one = inputs_of(self.inputs, x)
        w, b, v, c = (a[None] if self.seeds is None else a for a in (self.w, self.b, self.v, self.c))
        v, c = (v[..., None], c[..., None]) if self.outputs is None else (v, c)
        out = np.stack([sum_of_relus(w[s], b[s], v[s], points) + c[s] for s in range(b.shape[0])])
        out = out[:, 0] if one else out
        out = out[..., 0] if self.outputs is None else out
        return out[0] if self.seeds is None else out


def _parameters(name: str, given: ArrayLike) -> Array:
    return given if isinstance(given, np.ndarray) and given.dtype == np.float32 else np.array(reals(name, given))


def unchecked(w: Array, b: Array, v: Array, c: Array, rates: Groups) -> TwoLayer:
    """A TwoLayer whose shapes are known to fit; its numbers need not be finite, as training may have diverged."""
    made = object.__new__(TwoLayer)
    for name, value in (("w", w), ("b", b), ("v", v), ("c", c), ("rates", rates)):
        object.__setattr__(made, name, value)
    return made
