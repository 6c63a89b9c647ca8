"""A formula with Abs, Max, Min, sign or roots as smooth formulas on the cells of a subdivision of the line."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from implicitbias.errors import FormulaError
from implicitbias.exact.enclosure import NoValueError, UndefinedError, evaluate
from implicitbias.exact.formula import Expression, Operation
from implicitbias.formulas.jets import Arb, ball, depends, jet, number
from implicitbias.formulas.roots import Imprecise, Root, Undecided
from implicitbias.formulas.zeros import zeros

MAX_CELLS = 200
WHOLE_LINE = "a representation cost needs a function on the whole line"


@dataclass(frozen=True)
class Cell:
    """An open interval between two roots (None: to infinity) on which the formula is the smooth `tree`.

    `cut_at`: formulas at whose zeros the line is already cut.
    """

    left: Root | None
    right: Root | None
    tree: Operation
    cut_at: frozenset[Operation] = frozenset()

    def point(self) -> Fraction:
        """A rational point inside."""
        match self.left, self.right:
            case None, None:
                return Fraction(0)
            case None, Root() as right:
                return _dyadic(right.ball.lower().floor()) - 1
            case Root() as left, None:
                return _dyadic(left.ball.upper().ceil()) + 1
            case Root() as left, Root() as right:
                return _dyadic(((left.ball + right.ball) / 2).mid())
        raise AssertionError

    def point_ball(self) -> Arb:
        return ball(self.point())

    def contains(self, root: Root) -> bool:
        after = self.left is None or self.left.before(root)
        return after and (self.right is None or root.before(self.right))


def _dyadic(point: Arb) -> Fraction:
    """The number that a ball of radius 0 holds."""
    mantissa, exponent = point.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def cells(expression: Expression) -> list[Cell]:
    """The subdivision, from left to right.

    The line is cut where the argument of an Abs or a sign, the difference of two arguments of a Max or Min, the base of
    a root, the argument of a logarithm or a denominator is zero. Raises FormulaError if the formula has no real value
    somewhere, Undecided if a zero cannot be located.
    """
    done: list[Cell] = []
    todo = [Cell(None, None, normal(expression.tree))]
    while todo:
        cell = todo.pop()
        if len(done) + len(todo) > MAX_CELLS:
            raise Undecided(f"the formula has more than {MAX_CELLS} pieces")
        found = _cut(cell.tree, cell.cut_at)
        if found is None:
            done.append(cell)
            continue
        node, decider = found
        inside = [root for root in _zeros(cell, node, decider) if cell.contains(root)]
        for root in inside:
            _require_value(expression, root, node)
        ends = [cell.left, *inside, cell.right]
        pieces = [Cell(a, b, cell.tree, cell.cut_at | {decider}) for a, b in pairwise(ends)]
        todo.extend(_resolved(piece, node, decider) for piece in reversed(pieces))
    return done


def _zeros(cell: Cell, node: Operation, decider: Operation) -> list[Root]:
    try:
        return zeros(decider, cell.left, cell.right)
    except Undecided:
        if node.head in ("/", "tan") and (place := _sign_change(cell, decider)):
            low, high = place
            raise FormulaError(f"the formula has a pole between x = {low} and x = {high}; {WHOLE_LINE}") from None
        raise


def _sign_change(cell: Cell, decider: Operation) -> tuple[Fraction, Fraction] | None:
    """Two nearby points of the cell between which a continuous formula changes its sign."""
    points = [Fraction(k, 4) for k in range(-64, 65)]
    inside = [x for x in points if cell.contains(Root((x,), ball(x), x))]
    for low, high in sorted(pairwise(inside), key=lambda pair: abs(pair[0] + pair[1])):
        a, b = (jet(decider, ball(x))[0] for x in (low, high))
        whole = jet(decider, ball(low).union(ball(high)))[0]
        if whole.is_finite() and a * b < 0:
            return low, high
    return None


def normal(tree: Operation) -> Operation:
    """The same formula: constants folded, numbers for exponents, exp(g log a) for a^g, cosh(u)⁻² for 1 - tanh(u)²."""
    if tree.number is not None or tree.is_name:
        return tree
    arguments = tuple(normal(argument) for argument in tree.arguments)
    result = Operation(tree.head, arguments)
    if not depends(result):
        return _folded(result)
    if tree.head == "**":
        base, exponent = arguments
        if exponent.number is None or exponent.number.denominator > 64:
            logarithm = normal(Operation("log", (base,)))
            return Operation("exp", (Operation("*", (exponent, logarithm)),))
        if exponent.number in (0, 1):
            return base if exponent.number == 1 else number(1)
    if len(arguments) == 1 and tree.head in ("Max", "Min"):
        return arguments[0]
    return _without_cancellation(result)


def _without_cancellation(tree: Operation) -> Operation:
    """1 - tanh(u)² as cosh(u)⁻², and powers of powers of cosh(u) > 0 as one.

    The difference loses all digits where tanh(u) is near 1, which nothing but many more digits makes up for; and the
    derivatives of one power are known without differences (`jets`).
    """
    if tree.head == "-" and tree.arguments[0].number == 1:
        square = tree.arguments[1]
        if square.head == "**" and square.arguments[0].head == "tanh" and square.arguments[1].number == 2:
            return _power_of_cosh(square.arguments[0].arguments[0], Fraction(-2))
    if tree.head == "/" and tree.arguments[0].number == 1:
        exponent: Fraction | None = Fraction(-1)
    elif tree.head == "sqrt":
        exponent = Fraction(1, 2)
    else:
        exponent = tree.arguments[1].number if tree.head == "**" else None
    base = tree.arguments[-1 if tree.head == "/" else 0]
    if tree.head == "log" and base.head == "**" and base.arguments[0].head == "cosh":
        cosh, power = base.arguments
        return Operation("*", (power, Operation("log", (cosh,))))
    if exponent is None:
        return tree
    if base.head == "cosh":
        return _power_of_cosh(base.arguments[0], exponent)
    if base.head == "**" and base.arguments[0].head == "cosh" and base.arguments[1].number is not None:
        return _power_of_cosh(base.arguments[0].arguments[0], base.arguments[1].number * exponent)
    return tree


def _power_of_cosh(u: Operation, exponent: Fraction) -> Operation:
    cosh = Operation("cosh", (u,))
    return cosh if exponent == 1 else Operation("**", (cosh, number(exponent)))


def _folded(constant: Operation) -> Operation:
    try:
        value = evaluate(Expression("", frozenset(), constant), {})
    except NoValueError as error:
        if "exceeds" in str(error):
            raise Undecided(f"a constant is too large to carry: {error}") from None
        raise FormulaError(f"the formula has no real value: {error}") from None
    return number(value) if isinstance(value, Fraction) else constant


def _cut(tree: Operation, cut_at: frozenset[Operation]) -> tuple[Operation, Operation] | None:
    """An innermost node at which the line must be cut, with the formula at whose zeros it must."""
    for argument in tree.arguments:
        if found := _cut(argument, cut_at):
            return found
    if not tree.arguments or not depends(tree):
        return None
    a = tree.arguments
    match tree.head:
        case "Abs" | "sign":
            return tree, a[0]
        case "Max" | "Min":
            return tree, Operation("-", a[:2])
        case "floor":
            raise Undecided("floor is not resolved here: write the pieces with Max and Min")
        case "sqrt" | "log" | "gamma":
            decider = a[0]
        case "/":
            decider = a[1]
        case "**" if a[1].number is not None and (a[1].number < 0 or a[1].number.denominator > 1):
            decider = a[0]
        case "asin" | "acos":
            decider = Operation("-", (number(1), Operation("**", (a[0], number(2)))))
        case "tan":
            decider = Operation("cos", a)
        case _:
            return None
    return None if decider in cut_at or not depends(decider) else (tree, decider)


def _resolved(cell: Cell, node: Operation, decider: Operation) -> Cell:
    """The cell with the branch of the node that holds there."""
    point = cell.point()
    sign = _sign(decider, point)
    a = node.arguments
    match node.head:
        case "Abs":
            chosen = a[0] if sign > 0 else Operation("neg", (a[0],)) if sign < 0 else number(0)
        case "sign":
            chosen = number(sign)
        case "Max" | "Min":
            first = a[0] if (sign >= 0) == (node.head == "Max") else a[1]
            chosen = Operation(node.head, (first, *a[2:])) if len(a) > 2 else first
        case "gamma" if sign <= 0:
            raise Undecided(f"gamma of a number that is not positive, near x = {float(point):g}")
        case "/" | "tan":
            if sign == 0:
                raise FormulaError("the formula has no value anywhere: it divides by zero")
            return cell
        case head:
            whole = head == "**" and a[1].number is not None and a[1].number.denominator == 1
            if (sign < 0 and not whole) or (sign == 0 and head == "log"):
                raise FormulaError(
                    f"the formula has no real value at x = {_near(point)}: {_reason(head)}; {WHOLE_LINE}"
                )
            return cell
    return replace(cell, tree=normal(_replaced(cell.tree, node, chosen)))


def _reason(head: str) -> str:
    return {
        "log": "the logarithm of a number that is not positive",
        "asin": "asin beyond [-1, 1]",
        "acos": "acos beyond [-1, 1]",
    }.get(head, "a root of a negative number")


def _require_value(expression: Expression, root: Root, node: Operation) -> None:
    """Raises FormulaError if the formula itself, all branches together, has no value at the root."""
    has_pole = node.head in ("/", "log", "tan") or (node.head == "**" and (node.arguments[1].number or 0) < 0)
    try:
        if root.exact is not None:
            evaluate(expression, {"x": root.exact})
            return
    except NoValueError as error:
        if not has_pole and not is_proof(error):
            return
        raise FormulaError(f"the formula has no real value at x = {_near(root.exact)}: {error}; {WHOLE_LINE}") from None
    if has_pole:
        raise FormulaError(
            f"the formula has no real value at x ≈ {float(root.ball.mid()):.12g}, where its {node.head} has a pole; "
            f"{WHOLE_LINE}"
        )


def is_proof(error: NoValueError) -> bool:
    """Whether the evaluation failed on exact numbers: a ball that is too wide or too large proves nothing."""
    return isinstance(error, UndefinedError)


def _near(x: Fraction | None) -> str:
    return "?" if x is None else str(x) if x.denominator < 10**6 else f"{float(x):.6g}"


def _replaced(tree: Operation, old: Operation, new: Operation) -> Operation:
    if tree == old:
        return new
    if not tree.arguments:
        return tree
    return Operation(tree.head, tuple(_replaced(argument, old, new) for argument in tree.arguments), tree.number)


def _sign(tree: Operation, x: Fraction) -> int:
    """The sign of the formula at a point of a cell without zeros: 0 only if it is zero throughout."""
    try:
        exact = evaluate(Expression("", frozenset({"x"}), tree), {"x": x})
    except NoValueError:
        exact = None
    if isinstance(exact, Fraction):
        return (exact > 0) - (exact < 0)
    value = jet(tree, ball(x))[0]
    if value > 0:
        return 1
    if value < 0:
        return -1
    raise Imprecise(f"the sign of a part of the formula at x = {float(x):g} could not be determined")
