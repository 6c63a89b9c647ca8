"""A formula in vectors of any dimension in Coq: its value for all vectors with the products, given that there are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from implicitbias.exact.formula import Operation, written
from implicitbias.formal.generator import Given, Statement
from implicitbias.formal.terms import NotInCoqError, Scope, named
from implicitbias.theorems.primitives import read
from implicitbias.theorems.rules.values.vectors import VectorValue
from implicitbias.theorems.setting import put

LIBRARY = "ImplicitBias.Vectors"
"""The library's products: a primitive of the same name is that of numbers."""


def statement(quantity: VectorValue, scope: Scope, value: str) -> Statement:
    vectors = [named(name) for name in quantity.vectors]
    kind = f"nat * {' * '.join('vector' for _ in vectors)}"
    bound = f"'(dim, {', '.join(vectors)})"
    known = {tuple(map(named, pair.split())): scope.term(text) for pair, text in quantity.products.items()}
    hold = " /\\ ".join(f"{LIBRARY}.dot dim {u} {v} = {p}" for (u, v), p in known.items())
    names = {**scope.variables, **scope.setting.fixed, **dict.fromkeys(quantity.vectors, "vector")}
    tree = put(read(quantity.formula, names).tree, scope.setting.fixed)
    terms = _Terms(quantity.vectors, scope)
    term = terms.number(tree)
    entries = " ".join(vectors)
    point = f"({', '.join('_' for _ in ['dim', *vectors])})"
    function = f"(fun {bound} => {term})"
    some = ["dim", *vectors]
    found, whole = "found_", "?"
    for _ in vectors:
        found, whole = f"[? {found}]", f"[{whole} ?]"
    return Statement(
        proposition=f"is_value_at (A := {kind}) (fun _ => True) (fun {bound} => {hold})\n    {function} {value}",
        proof=(
            f"assert (every : forall (dim : nat) ({entries} : vector), {hold} -> {term} = {value}).\n"
            "  { intros; open; expand_products; by_products. }\n"
            f"  match goal with H : exists _ : nat, _ |- _ => destruct H as [? {found}] end.\n"
            f"  split; [eexists {point}; split; [exact I | split; [exact found_ | apply every, found_]] |].\n"
            f"  intros point_ _ held_. destruct point_ as {whole}. exact (every {' '.join('_' for _ in some)} held_)."
        ),
        unique="is_value_at_unique",
        defined=terms.definedness(tree),
        given=[Given(f"(exists (dim : nat) ({entries} : vector), {hold})", lambda: _points(quantity, scope))],
    )


class _Terms:
    """Numbers and vectors of a formula as Coq terms."""

    def __init__(self, vectors: Sequence[str], scope: Scope) -> None:
        self.vectors, self.scope = vectors, scope

    def number(self, tree: Operation) -> str:
        """The formula with a variable for each product, and the products put in for them."""
        found: dict[str, str] = {}
        plain = self._without_products(tree, found)
        term = self.scope.within(dict.fromkeys(found, "real")).term(plain)
        for name, product in found.items():
            term = term.replace(named(name), product)
        return term

    def definedness(self, tree: Operation) -> list[str]:
        """What must hold for the formula to have a value. Raises NotInCoqError where that depends on the vectors."""
        found: dict[str, str] = {}
        plain = self._without_products(tree, found)
        demands = self.scope.within(dict.fromkeys(found, "real")).definedness(plain)
        if any(named(name) in demand for demand in demands for name in found):
            raise NotInCoqError("a formula in vectors that may have no value has no Coq generator yet")
        return demands

    def _without_products(self, tree: Operation, found: dict[str, str]) -> Operation:
        if tree.head in ("dot", "norm") and tree.arguments:
            name = f"product_{len(found)}_"
            found[name] = f"({LIBRARY}.{tree.head} dim {' '.join(map(self._vector, tree.arguments))})"
            return Operation(name)
        return Operation(tree.head, tuple(self._without_products(a, found) for a in tree.arguments), tree.number)

    def _is_vector(self, tree: Operation) -> bool:
        return tree.head in self.vectors if tree.is_name else any(map(self._is_vector, tree.arguments))

    def _vector(self, tree: Operation) -> str:
        if tree.is_name:
            return named(tree.head)
        parts = tree.arguments
        match tree.head:
            case "neg":
                return f"(vscale (-1) {self._vector(parts[0])})"
            case "+" | "-":
                return f"({'vplus' if tree.head == '+' else 'vminus'} {' '.join(map(self._vector, parts))})"
            case "*":
                c, u = parts if self._is_vector(parts[1]) else reversed(parts)
                return f"(vscale {self.number(c)} {self._vector(u)})"
            case "/":
                return f"(vscale (/ {self.number(parts[1])}) {self._vector(parts[0])})"
        raise NotInCoqError(f"{written(tree)} has no counterpart in Coq here")


def _points(quantity: VectorValue, scope: Scope) -> Iterator[tuple[Mapping[str, Fraction], str]]:
    """Points at which vectors with these products can be written down, by a triangle of roots."""
    from implicitbias.theorems.concrete_lists import exactly
    from implicitbias.theorems.points import points_of

    setting = scope.setting
    for point in points_of(setting.variables, setting.hypotheses, ()):
        gram = {frozenset(pair.split()): exactly(setting.read(text), point) for pair, text in quantity.products.items()}
        coordinates = _triangle(quantity.vectors, {pair: p for pair, p in gram.items() if p is not None})
        if coordinates is not None and None not in gram.values():
            written_out = "; ".join(f"exists {_as_function(row)}" for row in coordinates)
            yield point, f"exists {len(coordinates)}%nat; {written_out}; has_products"


def _triangle(
    vectors: Sequence[str], gram: Mapping[frozenset[str], Fraction]
) -> list[list[tuple[Fraction, Fraction]]] | None:
    """Coordinates q sqrt(r), as pairs (q, r), of vectors with these products; unknown products are taken as 0.

    One vector after the other (Cholesky): the i-th is Σ_j q_j sqrt(r_j) e_j with r_j the j-th squared pivot.
    """
    pivots: list[Fraction] = []
    rows: list[list[Fraction]] = []
    for i, u in enumerate(vectors):
        row: list[Fraction] = []
        for j in range(i):
            inner = sum((row[k] * rows[j][k] * pivots[k] for k in range(j)), Fraction(0))
            left = gram.get(frozenset({u, vectors[j]}), Fraction(0)) - inner
            if pivots[j] == 0 and left != 0:
                return None
            row.append(left / pivots[j] if pivots[j] else Fraction(0))
        below = sum((q * q * p for q, p in zip(row, pivots, strict=True)), Fraction(0))
        pivot = gram.get(frozenset({u}), below + 1) - below
        if pivot < 0:
            return None
        pivots.append(pivot)
        rows.append([*row, Fraction(1)])
    return [[(q, pivots[j]) for j, q in enumerate(row)] for row in rows]


def _as_function(row: Sequence[tuple[Fraction, Fraction]]) -> str:
    cases = " ".join(f"| {j}%nat => ({q.numerator} / {q.denominator}) * sqrt ({r})" for j, (q, r) in enumerate(row))
    return f"(fun j : nat => match j with {cases} | _ => 0 end)"
