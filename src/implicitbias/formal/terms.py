"""Formulas as Coq terms over the reals, with the names of variables and primitives kept.

Coq's functions are total: 1/0, sqrt(-1), ln(-1) are numbers there. So `definedness` says what must hold for a formula
to have a value, and every generated statement carries it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from implicitbias.exact.formula import Assumption, Operation
from implicitbias.theorems.primitives import PRIMITIVES, read, unfolded
from implicitbias.theorems.setting import Setting, constant, demands, naturals, number, put
from implicitbias.theorems.theorem import RELATIONS

RESERVED = frozenset(
    [
        "R",
        "S",
        "O",
        "I",
        "E",
        "PI",
        "Z",
        "N",
        "T",
        "Prop",
        "Set",
        "Type",
        "SProp",
        "in",
        "at",
        "end",
        "as",
        "if",
        "then",
        "else",
        "fun",
        "let",
        "forall",
        "exists",
        "exists2",
        "fix",
        "cofix",
        "where",
        "with",
        "match",
        "return",
        "using",
        "for",
        "open",
        "sum",
        "map",
        "app",
        "pos",
        "side",
        "leaf",
        "fold",
        "length",
        "repeat",
        "equal",
        "defined",
        "cases",
        "signs",
        "nonneg",
        "nonzero",
        "exp",
        "ln",
        "sin",
        "cos",
        "sqrt",
        "tan",
        "atan",
        "sgn",
        "INR",
        "IZR",
        "pow",
        "plus",
        "mult",
        "minus",
        "opp",
        "fact",
        "Derive",
        "RInt",
        "is_min",
        "is_max",
        "is_inf",
        "is_sup",
        "true",
        "false",
        "same",
    ]
)
"""Names that mean something in Coq or in the library: variables of these names get an underscore."""

FUNCTIONS = {
    "Abs": "Rabs",
    "sqrt": "sqrt",
    "exp": "exp",
    "log": "ln",
    "sin": "sin",
    "cos": "cos",
    "tan": "tan",
    "asin": "asin",
    "acos": "acos",
    "atan": "atan",
    "sinh": "sinh",
    "cosh": "cosh",
    "tanh": "tanh",
    "sign": "sgn",
}

WHOLE = ("nonnegative integer", "positive integer")
"""Domains whose variables are natural numbers in Coq."""


class NotInCoqError(ValueError):
    """Something that has no counterpart in Coq here."""


def named(name: str) -> str:
    """The Coq name of a variable."""
    return name + "_" if name in RESERVED or name in PRIMITIVES else name


@dataclass(frozen=True)
class Scope:
    """The variables that a term may use, and the setting that they come from: one case of a theorem.

    >>> Scope(Setting({"a": "real", "k": "nonnegative integer"})).term("relu(a)**(2*k + 1)/2")
    '(((relu a) ^ ((2 * k) + 1)) / 2)'
    """

    setting: Setting

    @property
    def variables(self) -> Mapping[str, Assumption]:
        return self.setting.variables

    def within(self, more: Mapping[str, Assumption]) -> Scope:
        """With bound variables."""
        return Scope(self.setting.with_variables(more))

    def tree(self, text: str) -> Operation:
        """The formula, its primitives kept."""
        fixed = self.setting.fixed
        return put(read(text, {**self.variables, **fixed}).tree, fixed)

    def term(self, text: str | Operation) -> str:
        """A formula as a Coq term, primitives by name. Raises NotInCoqError."""
        return self._term(self.tree(text) if isinstance(text, str) else text)

    def _term(self, tree: Operation) -> str:
        if tree.number is not None:
            return _number(tree.number)
        if tree.is_name:
            return self._name(tree.head)
        if tree.head == "**":
            return self._power(*tree.arguments)
        if tree.head == "gamma":
            return self._gamma(tree.arguments[0])
        arguments = [self._term(a) for a in tree.arguments]
        if tree.head in ("+", "-", "*", "/"):
            return f"({arguments[0]} {tree.head} {arguments[1]})"
        if tree.head == "neg":
            return f"(- {arguments[0]})"
        if tree.head in ("Max", "Min"):
            function, result = "Rmax" if tree.head == "Max" else "Rmin", arguments[0]
            for argument in arguments[1:]:
                result = f"({function} {result} {argument})"
            return result
        if tree.head in FUNCTIONS:
            return f"({FUNCTIONS[tree.head]} {arguments[0]})"
        if tree.head in PRIMITIVES:
            return f"({tree.head} {' '.join(arguments)})"
        raise NotInCoqError(f"{tree.head} has no counterpart in Coq here")

    def _name(self, name: str) -> str:
        if name not in self.variables:
            return {"pi": "PI", "E": "(exp 1)"}[name]
        if self.variables[name] in WHOLE:
            return f"(INR {named(name)})"
        if self.variables[name] == "integer":
            return f"(IZR {named(name)})"
        return named(name)

    def _power(self, base: Operation, exponent: Operation) -> str:
        below = self._term(base)
        value = constant(exponent)
        if value is None:
            if (natural := self._natural(exponent)) is not None:
                return f"({below} ^ ({natural}))"
            return f"(Rpower {below} {self._term(exponent)})"
        if value.denominator == 1:
            return f"({below} ^ {int(value)})" if value >= 0 else f"(/ ({below} ^ {-int(value)}))"
        if value.denominator in (2, 4):
            root, times = f"(sqrt {below})", value.numerator
            if value.denominator == 4:
                root = f"(sqrt {root})"
            if times == 1:
                return root
            return f"({root} ^ {times})" if times > 0 else f"(/ ({root} ^ {-times}))"
        return f"(Rpower {below} {_number(value)})"

    def _natural(self, tree: Operation) -> str | None:
        """The formula as a natural number, if it is one by its form."""
        if tree.number is not None:
            return str(tree.number) if tree.number.denominator == 1 and tree.number >= 0 else None
        if tree.is_name:
            return named(tree.head) if self.variables.get(tree.head) in WHOLE else None
        if tree.head in ("+", "*"):
            parts = [self._natural(a) for a in tree.arguments]
            return None if None in parts else f" {tree.head} ".join(_natural_part(p) for p in parts if p is not None)
        return None

    def _gamma(self, argument: Operation) -> str:
        value = constant(argument)
        if value is not None and value.denominator == 1 and value > 0:
            return f"(INR (fact {int(value) - 1}))"
        if value is not None and value.denominator == 2 and value > 0:
            factor = Fraction(1)
            while value > Fraction(1, 2):
                value -= 1
                factor *= value
            return f"({_number(factor)} * sqrt PI)"
        above = argument.arguments[0] if argument.head == "+" and argument.arguments[1] == number(1) else None
        if above is not None and (natural := self._natural(above)) is not None:
            return f"(INR (fact ({natural})))"
        raise NotInCoqError("gamma of this argument has no counterpart in Coq here")

    # binders and hypotheses

    def binders(self) -> str:
        """`(a b : R) (k : nat)`, in order."""
        return " ".join(f"({named(n)} : {_type(d)})" for n, d in self.variables.items())

    def conditions(self, names: Mapping[str, Assumption] | None = None) -> list[str]:
        """What the domains of the variables (of these, if given) say."""
        chosen = self.variables if names is None else names
        return [c for name, domain in chosen.items() if (c := _condition(named(name), domain))]

    def hypotheses(self) -> list[str]:
        """The hypotheses of the setting as propositions."""
        return [f"0 {'<' if h.strict else '<='} {self.term(h.tree)}" for h in self.setting.hypotheses]

    def comparison(self, text: str) -> str:
        """A hypothesis `left < right` as a proposition."""
        for relation in RELATIONS:
            left, found, right = text.partition(relation)
            if found:
                return f"{self.term(left)} {relation} {self.term(right)}"
        raise NotInCoqError(f"{text!r} compares nothing")

    def definedness(self, *texts: str | Operation) -> list[str]:
        """What must hold for these formulas to have values, each once."""
        found: dict[str, None] = {}
        for text in texts:
            tree = self.tree(text) if isinstance(text, str) else text
            for demand, part in demands(unfolded(tree), naturals(self.variables)):
                if constant(part) in (None, 0):
                    left = {"nonzero": "0 <>", "nonnegative": "0 <=", "positive": "0 <"}[demand]
                    found[f"{left} {self.term(part)}"] = None
            for base in _exponential_bases(unfolded(tree)):
                if constant(base) is None:
                    found[f"0 < {self.term(base)}"] = None
        return list(found)


def definitions(names: frozenset[str]) -> Iterator[str]:
    """Coq definitions of these primitives and of those that they use, in order, from the one table."""
    for primitive in PRIMITIVES.values():
        if primitive.name not in _closure(names):
            continue
        scope = Scope(Setting(dict.fromkeys(primitive.parameters, "real")))
        parameters = " ".join(named(p) for p in primitive.parameters)
        yield f"(* {primitive.says.replace('(*', '( *').replace('*)', '* )')} *)"
        yield f"Definition {primitive.name} ({parameters} : R) : R := {scope.term(primitive.formula)}."
        yield f"#[export] Hint Unfold {primitive.name} : primitives."


def _closure(names: frozenset[str]) -> frozenset[str]:
    from implicitbias.theorems.primitives import used

    found = set(names)
    for primitive in reversed(list(PRIMITIVES.values())):
        if primitive.name in found:
            found |= used(read(primitive.formula, dict.fromkeys(primitive.parameters)).tree)
    return frozenset(found)


def _exponential_bases(tree: Operation) -> Iterator[Operation]:
    """Bases of powers that are written with an exponential and a logarithm: in Coq 0 to such a power is 1."""
    for argument in tree.arguments:
        yield from _exponential_bases(argument)
    if tree.head == "**" and (value := constant(tree.arguments[1])) is not None and value.denominator not in (1, 2, 4):
        yield tree.arguments[0]


def _number(value: Fraction) -> str:
    if value.denominator == 1:
        return str(value) if value >= 0 else f"({value})"
    return f"({value.numerator} / {value.denominator})"


def _natural_part(text: str) -> str:
    return text if " " not in text else f"({text})"


def _type(domain: Assumption) -> str:
    return "nat" if domain in WHOLE else "Z" if domain == "integer" else "R"


def _condition(name: str, domain: Assumption) -> str:
    match domain:
        case "positive":
            return f"0 < {name}"
        case "nonnegative":
            return f"0 <= {name}"
        case "negative":
            return f"{name} < 0"
        case "positive integer":
            return f"(1 <= {name})%nat"
    return ""
