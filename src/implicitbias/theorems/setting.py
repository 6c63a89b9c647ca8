"""Where a statement is made: variables with their domains, hypotheses, and what can be shown there.

Three questions are answered here, for all values of the variables that the hypotheses allow: is this formula 0, what
sign has it, has it a value. Equality is refuted at exact points and shown on every cell that Abs, Max and Min cut out,
by two engines (python-flint and sympy).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from implicitbias.exact.formula import CONSTANTS, Assumption, Expression, Operation, substituted, written
from implicitbias.theorems.primitives import PRIMITIVES, Vocabulary, read, unfolded
from implicitbias.theorems.sign import Hypothesis, Sign

if TYPE_CHECKING:
    from implicitbias.theorems.positivity import Signs

INFINITY = "oo"
"""An infinite end of an integral: no variable may have this name."""

LARGEST_SPLIT = 512
"""The most cells of one comparison."""


class RefusedError(Exception):
    """The witness or the definition is wrong, with a point that shows it."""


class NotShownError(Exception):
    """No rule shows a step; it may be true."""


def number(value: Fraction | int) -> Operation:
    return Operation("number", number=Fraction(value))


def minus(a: Operation, b: Operation) -> Operation:
    return Operation("-", (a, b))


def times(a: Operation, b: Operation) -> Operation:
    return Operation("*", (a, b))


def total(terms: Sequence[Operation]) -> Operation:
    result = terms[0] if terms else number(0)
    for term in terms[1:]:
        result = Operation("+", (result, term))
    return result


def negated(a: Operation) -> Operation:
    return Operation("neg", (a,))


@dataclass(frozen=True)
class Setting:
    """Variables with their domains and hypotheses (formulas that are positive or nonnegative).

    vocabulary  the definitions of the primitives: only tests put another in its place
    fixed       names that stand for a formula in the variables, as in the case y = 0
    bound       how deep each variable is bound, as that of an entry: no total may depend on one bound deeper than it
    """

    variables: Mapping[str, Assumption]
    hypotheses: tuple[Hypothesis, ...] = ()
    vocabulary: Vocabulary = field(default_factory=lambda: PRIMITIVES)
    fixed: Mapping[str, Operation] = field(default_factory=dict)
    bound: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if constants := self.variables.keys() & {*CONSTANTS, INFINITY}:
            raise ValueError(f"{min(constants)} is a constant: give the variable another name")

    @cached_property
    def signs(self) -> Signs:
        from implicitbias.theorems.positivity import Signs

        return Signs(self.variables, self.hypotheses)

    # reading

    def read(self, text: str, also: Sequence[str] = ()) -> Operation:
        """A formula in the variables, with its primitives unfolded. Raises FormulaError."""
        names = {**self.variables, **self.fixed, **dict.fromkeys(also, "real")}
        return put(unfolded(read(text, names, self.vocabulary).tree, self.vocabulary), self.fixed)

    def with_variables(self, more: Mapping[str, Assumption]) -> Setting:
        """Raises ValueError for a name that is taken."""
        if taken := (self.variables.keys() | self.fixed.keys()) & more.keys():
            raise ValueError(f"the name {min(taken)} is taken: give bound variables names of their own")
        deeper = dict.fromkeys(more, 1 + max(self.bound.values(), default=0))
        return replace(self, variables={**self.variables, **more}, bound={**self.bound, **deeper})

    def assuming(self, *trees: Operation, strict: bool = True) -> Setting:
        """With these formulas positive (nonnegative if not `strict`). Abs, Max and Min in them are split later."""
        return replace(self, hypotheses=(*self.hypotheses, *(Hypothesis(tree, strict) for tree in trees)))

    # questions

    def sign(self, tree: Operation, *, searched: bool = False) -> Sign | None:
        """The sign of a formula, as far as it is the same on all cells; `searched`: with more effort."""
        found: Sign | None = None
        for index, (cell, plain) in enumerate(self.cells(tree)):
            sign = cell.signs.searched(plain) if searched else cell.signs.of(plain)
            found = sign if index == 0 else _weaker(found, sign)
            if found is None:
                return None
        return found

    def zero(self, tree: Operation, what: str) -> str:
        """Show that a formula is 0; how, in words. Raises RefusedError or NotShownError with `what`."""
        from implicitbias.theorems import second_engine
        from implicitbias.theorems.normal_form import NotReducedError

        self.refute(tree, lambda sign: sign != 0, f"{what}: not 0")
        count = 0
        for cell, plain in self.cells(tree):
            count += 1
            try:
                ratio = cell.signs.field.of(plain)
            except NotReducedError as error:
                raise NotShownError(f"{what}: {written(plain)} = 0 is not shown ({error})") from None
            if not cell.signs.field.vanishes(ratio):
                if cell.signs.pinned(ratio):  # a thin cell, as where s >= 0 and s <= 0
                    continue
                raise NotShownError(f"{what}: {written(plain)} = 0 is not shown")
            if not second_engine.vanishes(plain, cell.signs.field):
                raise NotShownError(f"{what}: python-flint reduces {written(plain)} to 0, sympy does not")
        return f"python-flint and sympy, {count} cell{'' if count == 1 else 's'}"

    def at_least_zero(self, tree: Operation, what: str, *, strict: bool = False) -> str:
        """Show that a formula is nonnegative (positive if `strict`). Raises RefusedError or NotShownError."""
        self.refute(
            tree,
            lambda sign: sign < 0 or (strict and sign == 0),
            f"{what}: not {'positive' if strict else 'nonnegative'}",
        )
        sign = self.sign(tree)
        if sign is Sign.POSITIVE or (not strict and sign is not None and sign.at_least_zero):
            return "sign by certificate"
        raise NotShownError(f"{what}: {written(tree)} {'>' if strict else '>='} 0 is not shown")

    def defined(self, tree: Operation, what: str) -> None:
        """Show that no denominator is 0, no radicand negative, no logarithm of what is not positive."""
        for demand, part in demands(tree, naturals(self.variables)):
            if not any(_meets(demand, self.sign(part, searched=searched)) for searched in (False, True)):
                self.refute(part, _violates(demand), f"{what}: {written(part)} is not {demand}")
                raise NotShownError(f"{what}: {written(part)} is not shown to be {demand}")

    def tidy(self, tree: Operation) -> Operation:
        """The formula in normal form, where one cell is all there is; otherwise as it is."""
        from implicitbias.theorems.normal_form import NotReducedError

        try:
            (cell, plain), *more = self.cells(tree)
            return tree if more else cell.signs.field.tree(cell.signs.field.of(plain))
        except (NotReducedError, NotShownError):
            return tree

    # points and cells

    def refute(self, tree: Operation, wrong: Callable[[int], bool], what: str) -> None:
        """Raise RefusedError if the sign of the formula (-1, 0, 1) is wrong at an exact point of the setting."""
        from implicitbias.theorems.points import counterexample

        if unknown := names_in(tree) - self.variables.keys() - set(CONSTANTS):
            raise RefusedError(f"{what}: {min(unknown)} is no variable here")
        found = counterexample(self.variables, self.hypotheses, tree, wrong)
        if found is not None:
            raise RefusedError(f"{what} at {', '.join(f'{k} = {v}' for k, v in found.items()) or 'all points'}")

    def cells(self, tree: Operation) -> Iterator[tuple[Setting, Operation]]:
        """The formula without Abs, Max, Min and sign on each cell that they cut out, with the cell as hypotheses.

        Cells are closed and cover everything; a cell that contradicts the hypotheses is passed over.
        """
        from implicitbias.theorems.square_roots import with_moduli

        count = 0
        todo = [(self, tree)]
        while todo:
            setting, formula = todo.pop()
            assumed = next((h.tree for h in setting.hypotheses if _innermost(h.tree)), formula)
            if (piece := _innermost(assumed)) is None:
                if (other := with_moduli(formula, setting.signs.field)) != formula:
                    todo.append((setting, other))
                    continue
                count += 1
                if count > LARGEST_SPLIT:
                    raise NotShownError(f"more than {LARGEST_SPLIT} cells")
                yield setting, formula
                continue
            if piece.head in ("Max", "Min") and len(piece.arguments) == 1:
                todo.append(_resolved(setting, formula, piece, piece.arguments[0]))
                continue
            argument = minus(*piece.arguments) if piece.head in ("Max", "Min") else piece.arguments[0]
            if piece.head == "sign":
                sign = setting.signs.searched(argument)
                todo.append(_resolved(setting, formula, piece, number(_strict_sign(sign, argument))))
                continue
            sign = setting.signs.of(argument)
            if sign is not None:
                todo.append(_resolved(setting, formula, piece, _on_side(piece, sign.at_least_zero)))
                continue
            for side in (argument, negated(argument)):
                narrower = setting.assuming(side, strict=False)
                narrower, plainer = _resolved(narrower, formula, piece, _on_side(piece, side is argument))
                if not narrower.signs.contradictory:
                    todo.append((narrower, plainer))


def _resolved(setting: Setting, formula: Operation, piece: Operation, by: Operation) -> tuple[Setting, Operation]:
    """The piece replaced in the formula and in the hypotheses."""
    assumed = tuple(Hypothesis(_replaced(h.tree, piece, by), h.strict) for h in setting.hypotheses)
    return replace(setting, hypotheses=assumed), _replaced(formula, piece, by)


def _strict_sign(sign: Sign | None, argument: Operation) -> int:
    known = {Sign.POSITIVE: 1, Sign.NEGATIVE: -1, Sign.ZERO: 0}
    if sign not in known:
        raise NotShownError(f"the sign of {written(argument)} is not shown")
    return known[sign]


def _on_side(piece: Operation, nonnegative: bool) -> Operation:
    """The value of Abs(a), Max(a, b), Min(a, b) where a (or a - b) is at least 0, or at most 0."""
    first = piece.arguments[0]
    if piece.head == "Abs":
        return first if nonnegative else negated(first)
    return first if nonnegative == (piece.head == "Max") else piece.arguments[1]


def _innermost(tree: Operation) -> Operation | None:
    """A part that is piecewise, has two arguments at most, and holds no other such part."""
    for argument in tree.arguments:
        if (found := _innermost(argument)) is not None:
            return found
    if tree.head in ("Abs", "sign"):
        return tree
    if tree.head in ("Max", "Min"):
        if len(tree.arguments) > 2:
            return Operation(tree.head, tree.arguments[:2])
        return tree
    return None


def _replaced(tree: Operation, piece: Operation, by: Operation) -> Operation:
    if tree is piece or (tree.head == piece.head and tree == piece):
        return by
    if tree.head == piece.head and piece.head in ("Max", "Min") and tree.arguments[:2] == piece.arguments:
        rest = tuple(_replaced(a, piece, by) for a in tree.arguments[2:])
        return Operation(tree.head, (by, *rest))
    if not tree.arguments:
        return tree
    arguments = tuple(_replaced(a, piece, by) for a in tree.arguments)
    return tree if all(map(operator.is_, arguments, tree.arguments)) else Operation(tree.head, arguments)


def constant(tree: Operation) -> Fraction | None:
    """The rational value of a formula without names, by arithmetic alone; None otherwise."""
    if tree.number is not None:
        return tree.number
    if tree.is_name:
        return None
    parts = [constant(a) for a in tree.arguments]
    known = [p for p in parts if p is not None]
    if len(known) < len(parts):
        return None
    match tree.head, known:
        case "+", [a, b]:
            return a + b
        case "-", [a, b]:
            return a - b
        case "*", [a, b]:
            return a * b
        case "/", [a, b] if b:
            return a / b
        case "neg", [a]:
            return -a
    return None


def naturals(variables: Mapping[str, Assumption]) -> frozenset[str]:
    """The variables that are whole numbers of at least 0."""
    return frozenset(n for n, d in variables.items() if d in ("positive integer", "nonnegative integer"))


def _is_natural(tree: Operation, whole: frozenset[str]) -> bool:
    """Whether the formula is a whole number of at least 0 by its form."""
    if tree.number is not None:
        return tree.number.denominator == 1 and tree.number >= 0
    if tree.is_name:
        return tree.head in whole
    return tree.head in ("+", "*") and all(_is_natural(a, whole) for a in tree.arguments)


def demands(tree: Operation, whole: frozenset[str] = frozenset()) -> Iterator[tuple[str, Operation]]:
    """What must hold for the formula to have a value: parts that are nonzero, nonnegative or positive.

    whole  names that are whole numbers of at least 0
    """
    for argument in tree.arguments:
        yield from demands(argument, whole)
    match tree.head:
        case "/":
            if tree.arguments[1].number is None or tree.arguments[1].number == 0:
                yield "nonzero", tree.arguments[1]
        case "sqrt":
            yield "nonnegative", tree.arguments[0]
        case "log":
            yield "positive", tree.arguments[0]
        case "tan":
            yield "nonzero", Operation("cos", tree.arguments)
        case "asin" | "acos":
            yield "nonnegative", minus(number(1), Operation("**", (tree.arguments[0], number(2))))
        case "gamma":
            yield "positive", tree.arguments[0]
        case "tan":
            yield "nonzero", Operation("cos", tree.arguments)
        case "**":
            base, exponent = tree.arguments
            if _is_natural(exponent, whole):
                return
            value = constant(exponent)
            if value is None or value.denominator != 1:
                yield ("nonnegative" if value is not None and value > 0 else "positive"), base
            elif value < 0:
                yield "nonzero", base


def _meets(demand: str, sign: Sign | None) -> bool:
    match demand:
        case "nonzero":
            return sign in (Sign.POSITIVE, Sign.NEGATIVE)
        case "nonnegative":
            return sign is not None and sign.at_least_zero
    return sign is Sign.POSITIVE


def _violates(demand: str) -> Callable[[int], bool]:
    return lambda sign: sign < 0 if demand == "nonnegative" else sign == 0 or (demand == "positive" and sign < 0)


def _weaker(a: Sign | None, b: Sign | None) -> Sign | None:
    if a is None or b is None or a is b:
        return a if a is b else None
    if a.at_least_zero and b.at_least_zero:
        return Sign.NONNEGATIVE
    if a.mirrored.at_least_zero and b.mirrored.at_least_zero:
        return Sign.NONPOSITIVE
    return None


def put(tree: Operation, parts: Mapping[str, Operation]) -> Operation:
    """The formula with others in the place of some names."""
    return substituted(tree, dict(parts))


def names_in(tree: Operation) -> set[str]:
    """The names in a formula, constants among them."""
    if tree.is_name:
        return {tree.head}
    return set().union(*(names_in(a) for a in tree.arguments))


def in_domain(setting: Setting, tree: Operation, domain: Assumption) -> Setting:
    """The setting in which the formula lies in the domain. Raises NotShownError for whole numbers."""
    match domain:
        case "real":
            return setting
        case "positive" | "negative":
            return setting.assuming(tree if domain == "positive" else negated(tree))
        case "nonnegative":
            return setting.assuming(tree, strict=False)
    raise NotShownError(f"{written(tree)} as {domain}")


def shown_in_domain(setting: Setting, tree: Operation, domain: Assumption, what: str) -> None:
    """Show that the formula lies in the domain. Raises RefusedError or NotShownError."""
    match domain:
        case "positive" | "negative":
            setting.at_least_zero(tree if domain == "positive" else negated(tree), what, strict=True)
        case "nonnegative":
            setting.at_least_zero(tree, what)
        case "integer" | "positive integer" | "nonnegative integer":
            whole = tree.number is not None and tree.number.denominator == 1
            if not whole:
                raise NotShownError(f"{what}: {written(tree)} is not shown to be a whole number")
            setting.at_least_zero(tree, what, strict=domain == "positive integer")


def expression(tree: Operation, names: Mapping[str, object]) -> Expression:
    return Expression(written(tree), frozenset(names), tree)
