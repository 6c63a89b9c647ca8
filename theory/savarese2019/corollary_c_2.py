"""Corollary C.2: at the optimum all layers of a sub-network have the same norm."""

from __future__ import annotations

from implicitbias.claims import Context, Derivation, Observation, certificate, claim, proof

from ..observed.units.layer_norms import derive_norms, observe_norms
from .equation_53 import P_AND_L


@certificate("stationary and convex")
def layer_norm_at_the_optimum(context: Context) -> Observation:
    """The layer norm at which a strictly convex cost is stationary; other scalings cost more."""
    yield from observe_norms(context, per_layer=True)


@proof("derived for all depths")
def layer_norm(d: Derivation) -> None:
    """Stationarity solved with L as a symbol."""
    derive_norms(d, per_layer=True)


COROLLARY_C_2 = claim(
    "savarese2019.corollary_c_2",
    "Corollary C.2, (47)",
    "At the optimum all layers of a sub-network have the same norm",
    """In a parallel network of least norm, the squared norm of every layer of a sub-network, the output weight
    included, is p^(2/L), where p is the product of the layers' norms.""",
    latex=r"\|W_i^{(1)}\|_F^2=\dots=\|W_i^{(L-1)}\|_F^2=|w_i^{(L)}|^2 = p^{2/L}",
    formula="p**(2/L)",
    symbols=P_AND_L,
    controls={
        "p**(2/(L-1))": "only the inner layers are balanced among themselves",
        "p**(2/L)/L": "the cost shared out once more",
        "p**2": "each layer carries the product",
    },
    checks=(layer_norm_at_the_optimum, layer_norm),
    rests_on=("savarese2019.equation_53",),
)
