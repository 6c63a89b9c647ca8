"""Definite integrals in Coq: pieces with antiderivatives, and tails by the limit of what decays."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

from implicitbias.exact.formula import Operation
from implicitbias.formal.generator import Statement, in_cases
from implicitbias.formal.terms import NotInCoqError, Scope, named
from implicitbias.formal.within import within
from implicitbias.theorems.at_infinity import coefficients, limit_at_infinity
from implicitbias.theorems.differentiate import derivative
from implicitbias.theorems.quantity import Quantity
from implicitbias.theorems.rules.calculus.integral import End, Integral, Span
from implicitbias.theorems.setting import Setting, minus, names_in, negated, number, put

LINE = "(Rbar_locally m_infty) (Rbar_locally p_infty)"


def statement(quantity: Integral, scope: Scope, value: str) -> Statement:
    lower, upper = _end(scope.setting, quantity.lower), _end(scope.setting, quantity.upper)
    inside, over = scope.within({quantity.over: "real"}), named(quantity.over)
    conditions = [f"{scope.term(lower)} < {over}"] if lower is not None else []
    conditions += [f"{over} < {scope.term(upper)}"] if upper is not None else []
    if isinstance(quantity.integrand, Quantity):
        return _of_quantity(quantity, quantity.integrand, scope, " /\\ ".join(conditions) or "True", value)
    function = f"(fun {over} : R => {inside.term(quantity.integrand)})"
    between = "".join(f"{condition} -> " for condition in conditions)
    defined = [f"(forall {over} : R, {between}{d})" for d in inside.definedness(quantity.integrand)]
    return replace(_about(quantity, scope, function, value), defined=defined)


def _about(quantity: Integral, scope: Scope, function: str, value: str) -> Statement:
    lower, upper = _end(scope.setting, quantity.lower), _end(scope.setting, quantity.upper)
    proof = in_cases(lambda: _proof(quantity, scope))
    if lower is not None and upper is not None:
        proposition = f"is_RInt {function} {scope.term(lower)} {scope.term(upper)} {value}"
        unique = "is_RInt_unique_value"
    elif lower is not None:
        proposition = f"is_RInt_gen {function} (at_point {scope.term(lower)}) (Rbar_locally p_infty) {value}"
        unique = "integral_to_infinity_unique"
    elif upper is not None:
        proposition = f"is_RInt_gen {function} (Rbar_locally m_infty) (at_point {scope.term(upper)}) {value}"
        unique = "integral_from_minus_infinity_unique"
    else:
        proposition, unique = f"is_RInt_gen {function} {LINE} {value}", "integral_line_unique"
    return Statement(proposition, proof, unique)


def _of_quantity(quantity: Integral, integrand: Quantity, scope: Scope, domain: str, value: str) -> Statement:
    """An integral of a quantity between two ends, in one piece."""
    setting = scope.setting
    span = Span.read(setting, quantity.over, quantity.lower, quantity.splits, quantity.upper)
    lower, upper = span.ends[0], span.ends[-1]
    if lower is None or upper is None or len(span.pieces) > 1:
        raise NotInCoqError("an improper integral of another quantity has no Coq generator yet")
    pieces = list(span.inside(setting, lower, upper))
    if len(pieces) != 1:
        raise NotInCoqError("an integral of another quantity with cases has no Coq generator yet")
    ends = f"{scope.term(_end(setting, quantity.lower) or lower)} {scope.term(_end(setting, quantity.upper) or upper)}"
    return within(
        integrand,
        Scope(pieces[0]),
        {quantity.over: "real"},
        domain,
        None,
        {"": pieces[0]},
        f"(integral_looks_within {ends} _ _ _ ltac:(in_order))",
        lambda function, v: _about(quantity, scope, function, v),
        value,
    )


def _end(setting: Setting, text: str) -> End:
    """An end as it is written, its primitives unfolded; None for an infinite one."""
    return None if text.strip() in ("oo", "-oo") else setting.read(text)


def _proof(quantity: Integral, scope: Scope) -> str:
    """Pieces joined from the left."""
    pieces = _pieces(quantity, scope)
    return f"{_value(pieces)}; [{_joined(pieces)} | ends]."


@dataclass(frozen=True)
class _Piece:
    a: End
    b: End
    tactic: str


def _pieces(quantity: Integral, scope: Scope) -> list[_Piece]:
    setting = scope.setting
    span = Span.read(setting, quantity.over, quantity.lower, quantity.splits, quantity.upper)
    inside = scope.within({quantity.over: "real"})
    pieces = []
    # The outer ends stand as they are written in the statement, not in normal form.
    ends = [_end(setting, quantity.lower), *span.ends[1:-1], _end(setting, quantity.upper)]
    for (a, b), text in zip(pairwise(ends), quantity.antiderivatives, strict=True):
        primitive = inside.setting.read(text)
        pieces.append(_Piece(a, b, _tactic(setting, inside, quantity.over, a, b, primitive)))
    return pieces


def _tactic(setting: Setting, inside: Scope, over: str, a: End, b: End, primitive: Operation) -> str:
    """What proves one piece: its antiderivative with the derivative, the limit at an infinite end."""
    variable = named(over)
    g = f"(fun {variable} : R => {inside.term(derivative(primitive, over))})"
    G = f"(fun {variable} : R => {inside.term(primitive)})"
    if a is not None and b is not None:
        ends = f"{inside.term(a)} {inside.term(b)}"
        return f"apply (integral_piece _ {g} {G} {ends}); cbv beta; [in_order | agree | slope | continuous]"
    if a is None and b is None:
        raise NotInCoqError("an integral over the line needs a split point in Coq")
    limit, terms = _decaying(
        setting, inside, over, primitive if b is None else put(primitive, {over: negated(Operation(over))})
    )
    lemma = "integral_tail" if b is None else "integral_tail_below"
    end, constant = inside.term(a or b), inside.term(limit)  # type: ignore[arg-type]
    total = _nested([*["0"] * len(terms), constant])
    tends = (
        f"apply is_lim_ext with (fun {variable} : R => {_nested([*terms, constant])}); [agree |]; "
        f"replace (Finite {constant}) with (Finite {total}) by (f_equal; ring); decays"
    )
    return f"apply ({lemma} _ {g} {G} {end} {constant}); cbv beta; [agree | slope | continuous | {tends}]"


def _nested(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"({parts[0]} + {_nested(parts[1:])})"


def _decaying(setting: Setting, inside: Scope, over: str, tree: Operation) -> tuple[Operation, list[str]]:
    """A formula as limit + sum of constant * (over^k * exp(-rate * over^m)): the limit and these terms."""
    exponentials = list(dict.fromkeys(_exponentials(tree, over)))
    if not exponentials:
        if over in names_in(tree):
            raise NotInCoqError("a limit at infinity without an exponential has no Coq generator yet")
        return tree, []
    if len(exponentials) > 1:
        raise NotInCoqError("a limit with several exponentials has no Coq generator yet")
    (exponential,) = exponentials
    marked = _replaced(tree, exponential, Operation("exponential"))
    limit = limit_at_infinity(setting, tree, over)
    factor = coefficients(minus(put(marked, {"exponential": number(1)}), limit), over)
    power = coefficients(exponential.arguments[0], over)
    if factor is None or power is None or len(power) not in (2, 3):
        raise NotInCoqError("a limit of this shape has no Coq generator yet")
    variable = named(over)
    m = len(power) - 1
    decay = f"exp (- {inside.term(negated(power[m]))} * {variable}{' ^ 2' if m == 2 else ''})"
    return limit, [f"({inside.term(c)} * ({variable} ^ {k} * {decay}))" for k, c in enumerate(factor) if c != number(0)]


def _exponentials(tree: Operation, over: str) -> list[Operation]:
    if tree.head == "exp" and over in names_in(tree):
        return [tree]
    return [found for a in tree.arguments for found in _exponentials(a, over)]


def _replaced(tree: Operation, part: Operation, by: Operation) -> Operation:
    if tree == part:
        return by
    if not tree.arguments:
        return tree
    return Operation(tree.head, tuple(_replaced(a, part, by) for a in tree.arguments))


def _value(pieces: list[_Piece]) -> str:
    proper = pieces[0].a is not None and pieces[-1].b is not None
    return "eapply integral_value" if proper else "eapply integral_gen_value"


def _joined(pieces: list[_Piece]) -> str:
    """Tactics that join pieces: tails with what lies beside them, proper ones among each other."""
    first, *others = pieces
    if not others:
        return first.tactic
    if first.a is None and pieces[-1].b is None:
        return f"eapply integral_over_line; [{first.tactic} | {_joined(others)}]"
    if first.a is None:
        return f"eapply integral_join_below; [{first.tactic} | {_joined(others)}]"
    if pieces[-1].b is None:
        return f"eapply integral_join_to_infinity; [{first.tactic} | {_joined(others)}]"
    return f"eapply integral_join; [{first.tactic} | {_joined(others)}]"
