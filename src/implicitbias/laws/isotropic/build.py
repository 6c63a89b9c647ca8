"""`isotropic_law`, which reads the law of (W, B) for several inputs."""

from __future__ import annotations

from typing import Any

from implicitbias.errors import DataError
from implicitbias.exact.rational import Real
from implicitbias.laws.isotropic.gaussian import GaussianUnits
from implicitbias.laws.isotropic.isotropic_law import IsotropicLaw
from implicitbias.laws.isotropic.sphere import SphericalUnits
from implicitbias.laws.one.law import Law
from implicitbias.laws.one.location_scale import LocationScale
from implicitbias.laws.one.normal import StandardNormal
from implicitbias.laws.one.parameter import Parameter, positive
from implicitbias.laws.one.table import LAWS, law
from implicitbias.laws.one.text import read
from implicitbias.laws.one.uniform import Uniform


def sphere(radius: Parameter | Real = 1) -> float:
    """W uniform on the sphere of this radius."""
    return positive(radius, "the radius of sphere(radius)").number


def isotropic_law(weight: Any = "normal(0,1)", bias: Any = "normal(0,1)") -> IsotropicLaw:
    """The law of (W, B) of units with any number of inputs.

    Parameters
    ----------
    weight, bias : str or Law, default="normal(0,1)"
        normal(0, σ_w) and normal(0, σ_b), independent entries of W, and B; or sphere(r) and uniform(-b, b), W uniform
        on the sphere of radius r, and B.

    Returns
    -------
    IsotropicLaw
        With its kernel in closed form.

    Raises
    ------
    DataError
        For others, for which no kernel is known in closed form.

    Examples
    --------
    >>> isotropic_law("sphere(1)", "uniform(-2,2)").reach
    2.0
    >>> isotropic_law("normal(0,1)", "normal(0,0.5)").bias
    0.5
    """
    if isinstance(weight, IsotropicLaw):
        return weight
    on_sphere = isinstance(weight, str) and weight.strip().startswith("sphere")
    entry = None if on_sphere else law(weight)
    other = law(bias)
    if on_sphere:
        radius: float = read(weight, {**LAWS, "sphere": sphere}, "law", LAWS)
        if isinstance(other, Uniform) and other.lower.number == -other.upper.number:
            return SphericalUnits(radius, other.upper.number)
    elif entry is not None and (w := _centred(entry)) is not None and (b := _centred(other)) is not None:
        return GaussianUnits(w, b)
    raise DataError(
        f"with several inputs the laws are normal(0,σ) for weights and biases, or sphere(r) for the weights and "
        f"uniform(-b,b) for the biases: got {weight if on_sphere or entry is None else entry.text} and {other.text}"
    )


def _centred(entry: Law) -> float | None:
    """σ of normal(0, σ); None for other laws."""
    if not isinstance(entry, LocationScale) or not isinstance(entry.standard, StandardNormal):
        return None
    return entry.scale.number if entry.location.sign == 0 else None
