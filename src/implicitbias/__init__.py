"""Checks what is claimed about the implicit bias of shallow ReLU networks.

>>> import implicitbias as ib
>>> ib.min_norm_interpolant([0, 1, 2], [0, 1, 0]).cost
Fraction(2, 1)
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from implicitbias.catalogue import load as load
    from implicitbias.certificate.kernel import check_certificate as check_certificate
    from implicitbias.convex.margin import max_margin as max_margin
    from implicitbias.convex.minimum_norm import min_norm_interpolant as min_norm_interpolant
    from implicitbias.convex.ramps import ramp_interpolant as ramp_interpolant
    from implicitbias.functions.network import Network as Network
    from implicitbias.functions.piecewise_linear import PiecewiseLinear as PiecewiseLinear
    from implicitbias.functions.regions import linear_regions as linear_regions
    from implicitbias.functions.representation_cost import representation_cost as representation_cost
    from implicitbias.initialisation import initialisation as initialisation
    from implicitbias.runner import run as run
    from implicitbias.splines.adaptive import AdaptiveSpline as AdaptiveSpline
    from implicitbias.splines.smoothing import SmoothingSpline as SmoothingSpline
    from implicitbias.splines.wide_network import WideNetworkRegressor as WideNetworkRegressor
    from implicitbias.training import train as train

# Imported when first asked for: `import implicitbias` alone loads none of the libraries below.
_HOMES = {
    "PiecewiseLinear": "functions.piecewise_linear",
    "Network": "functions.network",
    "linear_regions": "functions.regions",
    "representation_cost": "functions.representation_cost",
    "max_margin": "convex.margin",
    "min_norm_interpolant": "convex.minimum_norm",
    "ramp_interpolant": "convex.ramps",
    "check_certificate": "certificate.kernel",
    "initialisation": "initialisation",
    "AdaptiveSpline": "splines.adaptive",
    "SmoothingSpline": "splines.smoothing",
    "WideNetworkRegressor": "splines.wide_network",
    "load": "catalogue",
    "run": "runner",
    "train": "training",
}

__all__ = [
    "AdaptiveSpline",
    "Network",
    "PiecewiseLinear",
    "SmoothingSpline",
    "WideNetworkRegressor",
    "check_certificate",
    "initialisation",
    "linear_regions",
    "load",
    "max_margin",
    "min_norm_interpolant",
    "ramp_interpolant",
    "representation_cost",
    "run",
    "train",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
