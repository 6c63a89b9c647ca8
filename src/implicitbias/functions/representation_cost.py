"""What it costs a two-layer ReLU network of unbounded width to be a function of one variable (output bias free)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, overload

from implicitbias.exact.formula import Expression
from implicitbias.functions.network import Network, attaining_network
from implicitbias.functions.piecewise_linear import PiecewiseLinear

if TYPE_CHECKING:
    from implicitbias.formulas.smooth import FormulaCost

__all__ = ["attaining_network", "local_cost", "representation_cost"]


@overload
def representation_cost(f: PiecewiseLinear | Network) -> Fraction: ...
@overload
def representation_cost(f: Expression | str) -> FormulaCost: ...
def representation_cost(f: PiecewiseLinear | Network | Expression | str) -> Fraction | FormulaCost:
    """R̄(f) = max(T, |s|), with T = ∫|f''| and s = f'(-oo) + f'(+oo)  (Savarese et al. 2019, Theorem 3.1).

    Parameters
    ----------
    f : PiecewiseLinear, Network, Expression or str
        A function, a network for the function that it computes, or a formula in x.

    Returns
    -------
    Fraction or FormulaCost
        The exact value; of a network at most its path norm. Of a formula rigorous enclosures, and the reason if the
        cost is infinite.

    Raises
    ------
    FormulaError
        For what is not a formula in x, or is not defined on the whole line.

    Examples
    --------
    >>> representation_cost(PiecewiseLinear([0], [0], Fraction(1, 10), 1))     # leaky ReLU: T = 9/10, s = 11/10
    Fraction(11, 10)
    >>> representation_cost("tanh(x)").exact
    '2'
    """
    if isinstance(f, PiecewiseLinear):
        return max(f.total_variation, abs(f.end_slope_sum))
    if isinstance(f, Network):
        return representation_cost(f.to_piecewise_linear())
    # This imports sympy, which exact functions do not need.
    from implicitbias.formulas.smooth import formula_cost

    return formula_cost(f)


def local_cost(f: PiecewiseLinear | Network) -> Fraction:
    """max(T, (T + |s|)/2): the infimum of the costs of networks that come close to f on every bounded interval only.

    Kinks may then run away to infinity, which frees the end slopes: x -> x costs 1 where it costs 2 on the whole line.

    >>> local_cost(PiecewiseLinear.affine(1, 0)), representation_cost(PiecewiseLinear.affine(1, 0))
    (Fraction(1, 1), Fraction(2, 1))
    """
    g = f.to_piecewise_linear() if isinstance(f, Network) else f
    T = g.total_variation
    return max(T, (T + abs(g.end_slope_sum)) / 2)
