"""Derivatives of formulas by structure.

`derivative` is right at every point around which `smooth` holds: there every part that depends on the variable is
differentiable. It knows nothing of Abs, Max, Min, sign and floor: what depends on the variable through one of them is
not shown here, and has to be taken apart into cells before.
"""

from __future__ import annotations

from implicitbias.exact.formula import Operation, parse, substituted, written
from implicitbias.theorems.setting import NotShownError, Setting, demands, minus, names_in, number, put

_ONE = number(1)

_OUTER = {
    "exp": "exp(u)",
    "log": "1/u",
    "sqrt": "1/(2*sqrt(u))",
    "sin": "cos(u)",
    "cos": "-sin(u)",
    "tan": "1/cos(u)**2",
    "asin": "1/sqrt(1 - u**2)",
    "acos": "-1/sqrt(1 - u**2)",
    "atan": "1/(1 + u**2)",
    "sinh": "cosh(u)",
    "cosh": "sinh(u)",
    "tanh": "1/cosh(u)**2",
    "erf": "2*exp(-u**2)/sqrt(pi)",
}
"""The derivative of each function in its argument u."""


def derivative(tree: Operation, variable: str) -> Operation:
    """The derivative in the variable, all other names being constants.

    >>> written(derivative(parse("a*x**3 - exp(-x/2)").tree, "x"))
    'a*(3*x**2) - exp(-x/2)*(-1/2)'

    Raises NotShownError for a function that has no rule here.
    """
    if variable not in names_in(tree):
        return number(0)
    if tree.is_name:
        return _ONE
    if tree.head in _OUTER:
        (inner,) = tree.arguments
        return _product(_outer(tree.head, inner), derivative(inner, variable))
    match tree.head, tree.arguments:
        case "neg", (a,):
            return _product(number(-1), derivative(a, variable))
        case "+", (a, b):
            return _sum(derivative(a, variable), derivative(b, variable))
        case "-", (a, b):
            return _difference(derivative(a, variable), derivative(b, variable))
        case "*", (a, b):
            return _sum(_product(derivative(a, variable), b), _product(a, derivative(b, variable)))
        case "/", (a, b):
            da, db = derivative(a, variable), derivative(b, variable)
            if db.number == 0:
                return _quotient(da, b)
            return _quotient(_difference(_product(da, b), _product(a, db)), Operation("**", (b, number(2))))
        case "**", (a, b):
            return _of_a_power(a, b, variable)
    raise NotShownError(f"the derivative of {written(tree)} in {variable}: {tree.head} has no rule")


def smooth(setting: Setting, tree: Operation, variable: str, what: str, at: Operation | None = None) -> None:
    """Show that every part that depends on the variable is differentiable around the point.

    at  the value of the variable, in the setting's other variables; None: every point of the setting

    Denominators are not 0, radicands, logarithms and bases of powers positive, as far as the variable stands in them;
    the other parts only have a value. A part without a rule (Abs, Max, floor, …) is not smooth. Raises RefusedError
    or NotShownError.
    """
    derivative(tree, variable)
    here = {} if at is None else {variable: at}
    setting.defined(put(tree, here), what)
    for demand, part in demands(tree):
        if demand == "nonnegative" and variable in names_in(part):
            setting.at_least_zero(put(part, here), f"{what} is differentiable: {written(part)}", strict=True)
    for cosine in _cosines(tree, variable):
        setting.defined(put(Operation("/", (_ONE, cosine)), here), what)


def _cosines(tree: Operation, variable: str) -> list[Operation]:
    """What must not be 0 for the tangents to be smooth."""
    own = [Operation("cos", tree.arguments)] if tree.head == "tan" and variable in names_in(tree) else []
    return own + [found for argument in tree.arguments for found in _cosines(argument, variable)]


def _outer(head: str, inner: Operation) -> Operation:
    return substituted(parse(_OUTER[head], ("u",)).tree, {"u": inner})


def _of_a_power(base: Operation, exponent: Operation, variable: str) -> Operation:
    """b·a^(b−1)·a' where b is constant; else a^b·(b' log a + b a'/a)."""
    inner = derivative(base, variable)
    if variable not in names_in(exponent):
        lower = number(exponent.number - 1) if exponent.number is not None else minus(exponent, _ONE)
        power = base if lower == _ONE else Operation("**", (base, lower))
        return _product(_product(exponent, _ONE if lower == number(0) else power), inner)
    grows = _product(derivative(exponent, variable), Operation("log", (base,)))
    return _product(Operation("**", (base, exponent)), _sum(grows, _quotient(_product(exponent, inner), base)))


def tidied(tree: Operation) -> Operation:
    """The formula without sums with 0, products with 0 and 1, and operations on numbers alone.

    It has the same value wherever the formula has one: show first that it is defined.

    >>> written(tidied(parse("(1 - 0**2)*x + (a - 1)*0").tree))
    'x'
    """
    if not tree.arguments:
        return tree
    a = tuple(tidied(argument) for argument in tree.arguments)
    match tree.head, a:
        case "+", (x, y):
            return _sum(x, y)
        case "-", (x, y):
            return _difference(x, y)
        case "*", (x, y):
            return _product(x, y)
        case "/", (x, y):
            return _quotient(x, y)
        case "neg", (x,):
            return _product(number(-1), x) if x.number is not None else Operation("neg", a)
        case "**", (x, y) if x.number is not None and y.number in (1, 2, 3):
            return number(x.number ** int(y.number or 0))
        case "**", (x, y) if y == _ONE:
            return x
    return Operation(tree.head, a)


# sums and products without zeros and ones, so that derivatives stay readable


def _sum(a: Operation, b: Operation) -> Operation:
    if a.number is not None and b.number is not None:
        return number(a.number + b.number)
    if a.number == 0:
        return b
    return a if b.number == 0 else Operation("+", (a, b))


def _difference(a: Operation, b: Operation) -> Operation:
    if a.number is not None and b.number is not None:
        return number(a.number - b.number)
    if b.number == 0:
        return a
    return _product(number(-1), b) if a.number == 0 else minus(a, b)


def _product(a: Operation, b: Operation) -> Operation:
    if a.number == 0 or b.number == 0:
        return number(0)
    if a.number is not None and b.number is not None:
        return number(a.number * b.number)
    if a == _ONE:
        return b
    return a if b == _ONE else Operation("*", (a, b))


def _quotient(a: Operation, b: Operation) -> Operation:
    if a.number is not None and b.number:
        return number(a.number / b.number)
    return a if a.number == 0 or b == _ONE else Operation("/", (a, b))
