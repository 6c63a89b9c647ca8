"""Problem (10) of stewart2022 for two classes as problem (9) for the difference of the outputs: what a ramp costs."""

from __future__ import annotations

from implicitbias.theorems.rules.extrema.extremum import Minimum
from implicitbias.theorems.rules.values.composition import Composition

TWO_CLASSES = Composition(
    "path_cost(v, sqrt(squared))",
    {
        "squared": Minimum(
            "pair_norm(mean + 1/2, mean - 1/2)**2", over={"mean": "real"}, at={"mean": "0"}, gap=("2*mean**2",)
        )
    },
)
"""What a ramp costs in (10) with two classes: |v| times the least length of a weight in R² whose entries differ by 1.
The margins depend on the differences v alone."""
