"""Corollary C.2: at the optimum all layers of a sub-network have the same norm."""

from __future__ import annotations

from implicitbias.claims.check import Check, Context, Kind
from implicitbias.claims.evidence import Evidence
from implicitbias.claims.statement import Claim, Control, Source

from .equation_53 import P_AND_L
from .observed.layer_norms import derive_norms, observe_norms


def layer_norm_at_the_optimum(context: Context) -> Evidence:
    return observe_norms(context, per_layer=True)


def derive_layer_norm(context: Context) -> Evidence:
    return derive_norms(per_layer=True)


CLAIMS = (
    Claim(
        id="savarese2019.corollary_c_2",
        source=Source("savarese2019", "Corollary C.2, (47)"),
        title="At the optimum all layers of a sub-network have the same norm",
        statement=(
            "In a parallel network of least norm, the squared norm of every layer of a sub-network, the output weight "
            "included, is p^(2/L), where p is the product of the layers' norms."
        ),
        latex=r"\|W_i^{(1)}\|_F^2=\dots=\|W_i^{(L-1)}\|_F^2=|w_i^{(L)}|^2 = p^{2/L}",
        rests_on=("savarese2019.equation_53",),
        formula="p**(2/L)",
        symbols=P_AND_L,
        controls=(
            Control("p**(2/(L-1))", "only the inner layers are balanced among themselves"),
            Control("p**(2/L)/L", "the cost shared out once more"),
            Control("p**2", "each layer carries the product"),
        ),
        checks=(
            Check(
                "stationary and convex",
                Kind.CERTIFICATE,
                layer_norm_at_the_optimum,
                "the layer norm at which a strictly convex cost is stationary; other scalings cost more",
            ),
            Check("derived for all depths", Kind.PROOF, derive_layer_norm, "stationarity solved with L as a symbol"),
        ),
    ),
)
