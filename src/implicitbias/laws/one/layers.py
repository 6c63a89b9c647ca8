"""What frameworks draw a layer's weights from, for units with one input."""

from __future__ import annotations

from implicitbias.exact.rational import Real
from implicitbias.laws.one.law import Law
from implicitbias.laws.one.named import Named
from implicitbias.laws.one.normal import normal
from implicitbias.laws.one.parameter import Parameter, positive
from implicitbias.laws.one.uniform import uniform


def pytorch() -> Law:
    """What torch.nn.Linear(1, n) draws weights and biases from: U(-1, 1)."""
    return uniform(1)


def kaiming_normal() -> Law:
    """Kaiming's normal weights for ReLU units with one input: variance 2."""
    return normal(0, "sqrt(2)")


def kaiming_uniform() -> Law:
    """Kaiming's uniform weights for ReLU units with one input: variance 2."""
    return uniform("sqrt(6)")


def xavier_normal(width: Parameter | Real) -> Law:
    """Xavier's (Glorot's) normal weights of a layer of `width` units with one input: variance 2/(1 + width)."""
    return normal(0, f"sqrt(2/(1+({positive(width, 'the width')})))")


def xavier_uniform(width: Parameter | Real) -> Law:
    """Xavier's (Glorot's) uniform weights of a layer of `width` units with one input: variance 2/(1 + width)."""
    return uniform(f"sqrt(6/(1+({positive(width, 'the width')})))")


ZERO_BIASES = (
    Named(kaiming_normal, ("kaiming_normal",)),
    Named(kaiming_uniform, ("kaiming_uniform",)),
    Named(xavier_normal, ("xavier_normal(9)",)),
    Named(xavier_uniform, ("xavier_uniform(9)",)),
)
"""Laws of weights that come with biases of zero."""

LAWS = (Named(pytorch, ("pytorch",)), *ZERO_BIASES)
