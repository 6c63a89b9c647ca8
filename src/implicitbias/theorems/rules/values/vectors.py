"""Vectors of any dimension through their inner products.

A formula in numbers and vectors that meets the vectors only in `dot(u, v)` and `norm(u)` is expanded bilinearly; what
is left are the products of the vectors themselves, which are variables. All dimensions are covered at once: nothing is
used but that the product is bilinear and symmetric, u·u >= 0 and (u·v)² <= (u·u)(v·v).
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field

from implicitbias.exact.formula import Operation, written
from implicitbias.theorems.primitives import PRIMITIVES, read, unfolded
from implicitbias.theorems.quantity import Quantity, Steps, bound, defined
from implicitbias.theorems.setting import (
    NotShownError,
    RefusedError,
    Setting,
    minus,
    names_in,
    number,
    put,
    times,
    total,
)

Combination = dict[str, Operation]
"""A vector as coefficients of the named vectors."""

ONE = number(1)


@dataclass(frozen=True, kw_only=True)
class VectorValue(Quantity):
    """
    formula   a number, in numbers and in `dot` and `norm` of combinations of the vectors: `dot(a*u + v, w)`
    vectors   the names that stand for vectors of one dimension, whichever
    products  for each pair `"u v"` that occurs: the inner product as a formula in the theorem's variables
    """

    formula: str = defined()
    vectors: tuple[str, ...] = bound()
    products: Mapping[str, str] = defined()

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        if taken := set(self.vectors) & (setting.variables.keys() | setting.fixed.keys()):
            raise RefusedError(f"{min(taken)} is a number of the theorem, it cannot be a vector")
        if any(setting.vocabulary.get(name) != PRIMITIVES[name] for name in ("dot", "norm")):
            raise RefusedError("dot and norm are not those of vectors in this vocabulary")
        names = {**setting.variables, **setting.fixed, **dict.fromkeys(self.vectors, "vector")}
        tree = read(self.formula, names, setting.vocabulary).tree
        if not names_in(tree) & set(self.vectors):
            raise RefusedError("the formula holds no vector: it is no quantity of vectors")
        expansion = _Expansion(self.vectors, self._products(setting))
        expanded = put(unfolded(expansion.number(tree), setting.vocabulary), setting.fixed)
        inner = self._assuming(setting, expansion)
        inner.defined(expanded, "the definition")
        steps.add("inner products of combinations are expanded", f"{self.formula} = {written(expanded)}", "bilinearity")
        return expanded

    def _products(self, setting: Setting) -> dict[frozenset[str], Operation]:
        found: dict[frozenset[str], Operation] = {}
        for pair, text in self.products.items():
            ends = pair.split()
            if len(ends) != 2 or not set(ends) <= set(self.vectors):
                raise RefusedError(f"{pair!r} is no pair of the vectors {', '.join(self.vectors)}")
            if frozenset(ends) in found:
                raise RefusedError(f"the product of {pair} is given twice")
            found[frozenset(ends)] = setting.read(text)
            setting.defined(found[frozenset(ends)], f"the product of {pair}")
        return found

    def _assuming(self, setting: Setting, expansion: _Expansion) -> Setting:
        """With what holds of any vectors. Raises NotShownError if no vectors are found to have such products."""
        from implicitbias.theorems.points import points_of

        known = expansion.products
        squares = {u: known[frozenset({u})] for u in self.vectors if frozenset({u}) in known}
        setting = setting.assuming(*squares.values(), strict=False)
        for u, v in itertools.combinations(squares, 2):
            if frozenset({u, v}) in known:
                mixed = Operation("**", (known[frozenset({u, v})], number(2)))
                setting = setting.assuming(minus(times(squares[u], squares[v]), mixed), strict=False)
        if next(points_of(setting.variables, setting.hypotheses, ()), None) is None:
            raise NotShownError("no vectors were found to have such products: the statement may be empty")
        lengths = (put(unfolded(square, setting.vocabulary), setting.fixed) for square in expansion.squares)
        return setting.assuming(*lengths, strict=False)

    @property
    def reads(self) -> str:
        products = ", ".join(f"{pair.replace(' ', '·')} = {text}" for pair, text in self.products.items())
        return f"{self.formula} for vectors {', '.join(self.vectors)} of any dimension, where {products}"


@dataclass
class _Expansion:
    """Formulas with their inner products expanded; `squares` are the squared lengths that were met."""

    vectors: tuple[str, ...]
    products: Mapping[frozenset[str], Operation]
    squares: list[Operation] = field(default_factory=list)

    def number(self, tree: Operation) -> Operation:
        """Raises RefusedError where a vector stands in the place of a number."""
        if self._is_vector(tree):
            raise RefusedError(f"the vector {written(tree)} stands where a number is meant")
        if tree.head == "dot":
            left, right = map(self._vector, tree.arguments)
            return self._product(left, right)
        if tree.head == "norm":
            (vector,) = map(self._vector, tree.arguments)
            self.squares.append(self._product(vector, vector))
            return Operation("sqrt", (self.squares[-1],))
        return Operation(tree.head, tuple(map(self.number, tree.arguments)), tree.number)

    def _is_vector(self, tree: Operation) -> bool:
        if tree.is_name:
            return tree.head in self.vectors
        return tree.head in ("+", "-", "*", "/", "neg") and any(map(self._is_vector, tree.arguments))

    def _vector(self, tree: Operation) -> Combination:
        """Raises RefusedError where a number stands in the place of a vector."""
        if not self._is_vector(tree):
            raise RefusedError(f"the number {written(tree)} stands where a vector is meant")
        if tree.is_name:
            return {tree.head: ONE}
        parts = tree.arguments
        match tree.head, tuple(map(self._is_vector, parts)):
            case "neg", _:
                return _scaled(self._vector(parts[0]), number(-1), "*")
            case (("+" | "-"), (True, True)):
                left, right = map(self._vector, parts)
                return _added(left, right if tree.head == "+" else _scaled(right, number(-1), "*"))
            case (("*" | "/"), (True, False)):
                return _scaled(self._vector(parts[0]), self.number(parts[1]), tree.head)
            case "*", (False, True):
                return _scaled(self._vector(parts[1]), self.number(parts[0]), "*")
        raise RefusedError(f"{written(tree)} is neither a number nor a combination of vectors")

    def _product(self, left: Combination, right: Combination) -> Operation:
        terms = []
        for (u, c), (v, d) in itertools.product(left.items(), right.items()):
            if frozenset({u, v}) not in self.products:
                raise RefusedError(f"the product of {u} and {v} is not given")
            terms.append(_times(_times(c, d), self.products[frozenset({u, v})]))
        return total(terms)


def _times(a: Operation, b: Operation) -> Operation:
    return b if a == ONE else a if b == ONE else times(a, b)


def _scaled(vector: Combination, by: Operation, head: str) -> Combination:
    return {name: _times(c, by) if head == "*" else Operation("/", (c, by)) for name, c in vector.items()}


def _added(left: Combination, right: Combination) -> Combination:
    both = {name: Operation("+", (left[name], right[name])) for name in left.keys() & right.keys()}
    return {**left, **right, **both}
