"""Named initialisations with independent weights and biases."""

from __future__ import annotations

from functools import wraps

from implicitbias.exact.rational import Real
from implicitbias.laws.joint.independent import Independent
from implicitbias.laws.joint.joint_law import Initialisation
from implicitbias.laws.one import layers
from implicitbias.laws.one import uniform as on_interval
from implicitbias.laws.one.atoms import binary, constant
from implicitbias.laws.one.laplace import laplace
from implicitbias.laws.one.law import Law
from implicitbias.laws.one.named import Named
from implicitbias.laws.one.normal import normal
from implicitbias.laws.one.parameter import Parameter

Given = Parameter | Real


def gaussian(weight_deviation: Given = 1, bias_deviation: Given = 1) -> Independent:
    """W ~ N(0, s²), B ~ N(0, t²) (Jin & Montúfar 2021, Theorem 9(a))."""
    return Independent(normal(0, weight_deviation), normal(0, bias_deviation))


def binary_uniform(bias_bound: Given) -> Independent:
    """W = ±1, B ~ U(-a, a) (Theorem 9(b))."""
    return Independent(binary(1), on_interval.uniform(bias_bound))


def uniform(weight_bound: Given, bias_bound: Given) -> Independent:
    """W ~ U(-a, a), B ~ U(-b, b) (Theorem 9(c))."""
    return Independent(on_interval.uniform(weight_bound), on_interval.uniform(bias_bound))


def rademacher_gaussian(bias_deviation: Given = 1) -> Independent:
    """W = ±1, B ~ N(0, t²)."""
    return Independent(binary(1), normal(0, bias_deviation))


def rademacher_laplace(bias_scale: Given = 1) -> Independent:
    """W = ±1, B Laplace."""
    return Independent(binary(1), laplace(bias_scale))


def pytorch() -> Independent:
    """torch.nn.Linear(1, n) as it comes: W, B ~ U(-1, 1)."""
    return Independent(layers.pytorch(), layers.pytorch())


def with_zero_biases(weights: Named[Law]) -> Named[Initialisation]:
    """The initialisation that has the same name as the law of its weights."""

    @wraps(weights.build)
    def build(*parameters: Given) -> Initialisation:
        return Independent(weights.build(*parameters), constant(0))

    build.__doc__ = f"{(weights.build.__doc__ or '').rstrip('.')}; zero biases: all kinks at 0, so there is no zeta."
    return Named(build, weights.examples)


LAWS = (
    Named(gaussian, ("gaussian(1,sqrt(0.1))",)),
    Named(binary_uniform, ("binary_uniform(2)",)),
    Named(uniform, ("uniform(1,2)",)),
    Named(rademacher_gaussian, ("rademacher_gaussian(1)",)),
    Named(rademacher_laplace, ("rademacher_laplace(1)",)),
    Named(pytorch, ("pytorch",)),
    *(with_zero_biases(weights) for weights in layers.ZERO_BIASES),
)
