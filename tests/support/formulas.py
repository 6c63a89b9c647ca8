"""Random formulas, dubious rewritings of them, and exact points at which to look."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from hypothesis import strategies as st

from implicitbias.exact.enclosure import NoValueError, evaluate
from implicitbias.exact.formula import Assumption, Expression, Operation, parse
from implicitbias.theorems.points import Holds
from implicitbias.theorems.sign import Hypothesis

VARIABLES: dict[str, Assumption] = {"x": "real", "y": "real", "p": "positive", "q": "nonnegative"}

VALUES = [Fraction(v) for v in ("-2", "-1", "-1/2", "0", "1/3", "1/2", "1", "3/2", "2", "7")]
"""Few values, so that ties and zeros are met often."""

NUMBERS = ("0", "1", "2", "3", "1/2", "-1")
OPERATIONS = ("({} + {})", "({} - {})", "({} * {})", "({} / {})", "Max({}, {})", "Min({}, {})")
FUNCTIONS = ("sqrt({})", "Abs({})", "(-{})", "{}**2", "{}**3", "1/({})", "exp({})", "log({})", "sign({})")
RATIONAL = ("(-{})", "{}**2", "{}**3")

REWRITINGS = {
    "sqrt({0}**2)": "{0}",
    "Abs({0})": "{0}",
    "sqrt({0}*{1})": "sqrt({0})*sqrt({1})",
    "sqrt({0}/{1})": "sqrt({0})/sqrt({1})",
    "sqrt({0}**2*{1})": "{0}*sqrt({1})",
    "log({0}*{1})": "log({0}) + log({1})",
    "log({0}**2)": "2*log({0})",
    "exp(log({0}))": "{0}",
    "exp({0} + {1})": "exp({0})*exp({1})",
    "exp({0}*{1})": "exp({0})**2",
    "({0}**2)**(1/2)": "{0}",
    "({0}**2)**(1/2) ": "Abs({0})",
    "({0}*{1})**(3/2)": "{0}**(3/2)*{1}**(3/2)",
    "{0}/{1}*{1}": "{0}",
    "{0}**2/{0}": "{0}",
    "Max({0}, {1})": "({0} + {1} + Abs({0} - {1}))/2",
    "Max({0}, {1}) ": "{0}",
    "Min({0}, {1})": "{0} + {1} - Max({0}, {1})",
    "sign({0})*{0}": "Abs({0})",
    "sign({0})**2": "1",
    "sin({0})**2": "1 - cos({0})**2",
    "sin(-{0})": "-sin({0})",
    "cos(-{0})": "cos({0})",
    "cos({0})": "sin({0})",
    "cosh({0})": "(exp({0}) + exp(-{0}))/2",
    "gamma({0} + 1)": "{0}*gamma({0})",
    "gamma({0} + 2)": "gamma({0})",
    "tan(-{0})": "-tan({0})",
    "{0}**0": "1",
    "{0}**(1/3)": "{0}**(2/6)",
    "({0}**3)**(1/3)": "{0}",
    "{0}": "{1}",
}
"""Some always true, some true for positive arguments, some false."""


def texts(names: Sequence[str] = tuple(VARIABLES), *, rational: bool = False, size: int = 6) -> st.SearchStrategy[str]:
    """Formulas as texts; `rational`: polynomials with Abs, Max and Min."""
    leaves = st.sampled_from([*names, *names, *NUMBERS])
    pairs = [o for o in OPERATIONS if "/" not in o] if rational else OPERATIONS
    ones = (*RATIONAL, "Abs({})") if rational else FUNCTIONS

    def grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        two = st.builds(lambda form, a, b: form.format(a, b), st.sampled_from(pairs), inner, inner)
        one = st.builds(lambda form, a: form.format(f"({a})"), st.sampled_from(ones), inner)
        return st.one_of(two, two, one)

    return st.recursive(leaves, grown, max_leaves=size)


@st.composite
def rewritten(draw: st.DrawFn) -> tuple[str, str]:
    """A formula and a rewriting of it that may be false, put in the same place of a larger formula."""
    before, after = draw(st.sampled_from(sorted(REWRITINGS.items())))
    parts = [f"({draw(texts(size=3))})" for _ in range(2)]
    around = draw(st.sampled_from(["{}", "{} - x", "p*{}", "sqrt({})", "Abs({})", "Max({}, y)", "1/({})", "exp({})"]))
    return around.format(before.strip().format(*parts)), around.format(after.format(*parts))


def everywhere(
    variables: Mapping[str, Assumption] = VARIABLES, step: int = 7, where: Sequence[Hypothesis] = ()
) -> Iterator[dict[str, Fraction]]:
    """Points of the domain on a grid, every `step`-th of them; those where the hypotheses are known to hold."""
    holds = Holds(where)
    allowed = [[v for v in VALUES if _allows(domain, v)] for domain in variables.values()]
    for values in itertools.islice(itertools.product(*allowed), 0, None, step):
        point = dict(zip(variables, values, strict=True))
        if holds(point):
            yield point


def _allows(domain: Assumption, value: Fraction) -> bool:
    return {"positive": value > 0, "nonnegative": value >= 0, "negative": value < 0}.get(domain, True)


def has_value(tree: Operation, point: Mapping[str, Fraction]) -> bool | None:
    """Whether the formula has a value at the point; None where that is not decided."""
    from implicitbias.exact.enclosure import UndefinedError

    try:
        evaluate(Expression("", frozenset(point), tree), point)
    except UndefinedError:
        return False
    except NoValueError:
        return None
    return True


def tree(text: str) -> Operation:
    return parse(text, VARIABLES).tree
