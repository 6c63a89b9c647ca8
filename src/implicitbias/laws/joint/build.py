"""`initialisation`: the law of (W, B) from what a user gives, and the table of named ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from implicitbias.errors import DataError
from implicitbias.exact.rational import Real
from implicitbias.laws.joint.correlated_normal import correlated_normal
from implicitbias.laws.joint.elliptical import bivariate_t, circle, disk
from implicitbias.laws.joint.independent import Independent
from implicitbias.laws.joint.joint_law import Initialisation
from implicitbias.laws.one import table as laws
from implicitbias.laws.one.atoms import binary, constant
from implicitbias.laws.one.laplace import laplace
from implicitbias.laws.one.law import Law
from implicitbias.laws.one.normal import normal
from implicitbias.laws.one.parameter import Parameter
from implicitbias.laws.one.table import LAWS, law
from implicitbias.laws.one.text import read
from implicitbias.laws.one.uniform import uniform

Given = Parameter | Real


def gaussian(weight_deviation: Given = 1, bias_deviation: Given = 1) -> Independent:
    """W ~ N(0, s²), B ~ N(0, t²) (Jin & Montúfar 2021, Theorem 9(a))."""
    return Independent(normal(0, weight_deviation), normal(0, bias_deviation))


def binary_uniform(bias_bound: Given) -> Independent:
    """W = ±1, B ~ U(-a, a) (Theorem 9(b))."""
    return Independent(binary(1), uniform(bias_bound))


def uniform_uniform(weight_bound: Given, bias_bound: Given) -> Independent:
    """W ~ U(-a, a), B ~ U(-b, b) (Theorem 9(c))."""
    return Independent(uniform(weight_bound), uniform(bias_bound))


def rademacher_gaussian(bias_deviation: Given = 1) -> Independent:
    """W = ±1, B ~ N(0, t²)."""
    return Independent(binary(1), normal(0, bias_deviation))


def rademacher_laplace(bias_scale: Given = 1) -> Independent:
    """W = ±1, B Laplace."""
    return Independent(binary(1), laplace(bias_scale))


def pytorch() -> Independent:
    """torch.nn.Linear(1, n) as it comes: W, B ~ U(-1, 1)."""
    return Independent(laws.pytorch(), laws.pytorch())


def kaiming_normal() -> Independent:
    """Kaiming's normal weights, zero biases: all kinks at 0, so there is no zeta."""
    return Independent(laws.kaiming_normal(), constant(0))


def kaiming_uniform() -> Independent:
    """Kaiming's uniform weights, zero biases: all kinks at 0, so there is no zeta."""
    return Independent(laws.kaiming_uniform(), constant(0))


def xavier_normal(width: Given) -> Independent:
    """Xavier's normal weights, zero biases: all kinks at 0, so there is no zeta."""
    return Independent(laws.xavier_normal(width), constant(0))


def xavier_uniform(width: Given) -> Independent:
    """Xavier's uniform weights, zero biases: all kinks at 0, so there is no zeta."""
    return Independent(laws.xavier_uniform(width), constant(0))


INITIALISATIONS: dict[str, Callable[..., Initialisation]] = {
    "gaussian": gaussian,
    "correlated_normal": correlated_normal,
    "correlated_gaussian": correlated_normal,
    "bivariate_t": bivariate_t,
    "circle": circle,
    "disk": disk,
    "binary_uniform": binary_uniform,
    "uniform": uniform_uniform,
    "rademacher_gaussian": rademacher_gaussian,
    "rademacher_laplace": rademacher_laplace,
    "pytorch": pytorch,
    "kaiming_normal": kaiming_normal,
    "kaiming_uniform": kaiming_uniform,
    "xavier_normal": xavier_normal,
    "xavier_uniform": xavier_uniform,
}
"""Laws of (W, B) with their names."""


def initialisation(weight: Any = None, bias: Any = None, *, joint: Any = None) -> Initialisation:
    """The law of a neuron's weight and bias at initialisation.

    weight, bias   independent laws: text ("normal(0,1)"; mean and standard deviation), a Law, a number for a constant,
                   a frozen scipy.stats distribution
    joint          instead of both, also as the only argument: text ("correlated_normal(1.5,0.7,0.6)") or an
                   Initialisation such as `joint_density(p)` makes

    >>> initialisation("normal(0,1)", "uniform(-2,2)").zeta(0.0)
    0.3989422804014327
    >>> initialisation("circle(1)").zeta(0.0)
    0.3183098861837907
    """
    if bias is not None:
        if weight is None or joint is not None:
            raise DataError("give a law of the weight and one of the bias, or a joint law of both")
        return Independent(law(weight), law(bias))
    given = joint if joint is not None else weight
    if given is None or (joint is not None and weight is not None):
        raise DataError("give a law of the weight and one of the bias, or a joint law of both")
    if isinstance(given, Initialisation):
        return given
    if isinstance(given, str):
        return _joint(given)
    if isinstance(given, Law):
        raise DataError(f"{given.text} is the law of the weight: give that of the bias too")
    raise DataError(f"expected a joint law, as text such as 'circle(1)', got {type(given).__name__}")


def _joint(text: str) -> Initialisation:
    name = text.split("(")[0].strip()
    if name in LAWS and name not in INITIALISATIONS:
        raise DataError(f"{text.strip()!r} is the law of one variable: give that of the weight and that of the bias")
    found: Initialisation = read(text, INITIALISATIONS, "joint law", LAWS)
    return found
