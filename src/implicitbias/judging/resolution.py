"""The smallest difference that an experiment can tell: the factors by which its formula could be off."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from implicitbias.claims.evidence import Evidence, Instance
from implicitbias.exact.formula import Expression
from implicitbias.exact.rational import Interval
from implicitbias.judging.instances import predicted
from implicitbias.judging.tried import Range

NOTHING = Fraction(1, 10**9)
"""What is left between factors closer than this is rounding."""


def resolution(evidence: Evidence, formula: Expression) -> str:
    """Between which factors c the formula times c meets every instance; empty where only the formula itself does.

    >>> from implicitbias.exact.formula import parse
    >>> measured = Instance("", {"s": 2}, Interval(Fraction(39, 10), Fraction(41, 10)))
    >>> resolution(Evidence(instances=(measured,)), parse("2*s", ["s"]))
    'leaves open the formula times c, c from 39/40 to 41/40'
    >>> resolution(Evidence(instances=(Instance("", {"s": 2}, 3, "<="),)), parse("2*s", ["s"]))
    'leaves open the formula times c, c from 3/4 on'
    """
    least, greatest = list[Fraction](), list[Fraction]()
    try:
        for instance in evidence.instances:
            for end, is_least in _ends(instance, formula):
                (least if is_least else greatest).append(end)
    except (ArithmeticError, ValueError):  # not every instance is about numbers
        return ""
    if not least and not greatest:
        return ""
    low = max(least, default=Fraction(0))
    if not greatest:
        return f"leaves open the formula times c, c from {Range(low, low)} on".replace("from = ", "from ")
    high = min(greatest)
    if high - low < NOTHING:
        return ""
    return f"leaves open the formula times c, c {Range(low, high)}"


def _ends(instance: Instance, formula: Expression) -> Iterator[tuple[Fraction, bool]]:
    """The least (True) and the greatest factor with which the formula meets the instance."""
    says, (low, high) = _middle(predicted(formula, instance.given)), _between(instance)
    if not says:  # 0 times anything
        return
    for end, is_least in ((low, says > 0), (high, says < 0)):
        if end is not None:
            yield end / says, is_least


def _between(instance: Instance) -> tuple[Fraction | None, Fraction | None]:
    """Between what the formula's value must lie; None: no end."""
    observed = instance.observed
    if isinstance(observed, Interval):
        low, high = observed.lower, observed.upper
    else:
        low = high = _middle(observed)
    least = None if instance.relation == ">=" else high if instance.relation == "<=" else low
    greatest = None if instance.relation == "<=" else low if instance.relation == ">=" else high
    return least, greatest


def _middle(value: object) -> Fraction:
    if isinstance(value, Interval):
        return (value.lower + value.upper) / 2
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        return Fraction(value)
    raise ValueError("not an exact number")
