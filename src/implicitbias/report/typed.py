"""A formula typed as it is displayed, read into the small language: `2|s|·√(T² + 1)` as `2*Abs(s)*sqrt(T**2 + 1)`.

Bars, √, ⌊ ⌋, powers with ^ or raised, ·, Greek letters, lowered indices; products without a sign where only one
reading is possible. What is in the language already stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from implicitbias.errors import FormulaError
from implicitbias.exact.formula import ALIASES, CONSTANTS, FUNCTIONS, MAX_DEPTH, MAX_LENGTH, parse
from implicitbias.report.prose import SUPERSCRIPT
from implicitbias.report.typeset import NAMED, symbol

RAISED = {shown: plain for plain, shown in reversed(SUPERSCRIPT.items()) if plain != "−"}
CALLED = {**{name: name for name in FUNCTIONS}, **ALIASES, **{shown: name for name, shown in NAMED.items()}}
NUMBERS = {**{name: name for name in CONSTANTS}, "π": "pi", "e": "E"}
SIGNS = {"·": "*", "×": "*", "⋅": "*", "−": "-", "÷": "/", "^": "**"}
TOKEN = re.compile(
    rf"\s*(?:(?P<number>\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+)|(?P<raised>[{''.join(RAISED)}]+)"
    rf"|(?P<name>[^\W\d](?:(?![{''.join(RAISED)}])\w)*)|(?P<sign>\*\*|[-+*/^(),|√⌊⌋·×⋅−÷]))"
)
LONGEST = 40
"""Letters of a word that may be a product."""
BEGINS = frozenset("(|√⌊")
"""Signs that an operand begins with."""


@dataclass(frozen=True)
class Typed:
    """A formula as it was typed, and as the small language has it."""

    text: str
    formula: str

    @property
    def is_as_typed(self) -> bool:
        return self.formula == self.text


def read(text: str, names: Iterable[str]) -> Typed:
    """Read a formula in these names. Raises FormulaError.

    >>> read("max(T, |s|) + 2√x₁", ["T", "s", "x_1"]).formula
    'Max(T, Abs(s)) + 2*sqrt(x_1)'
    >>> read("σ_w²/(2π)", ["sigma_w"]).formula, read("a*b", "ab").is_as_typed
    ('sigma_w**2/(2*pi)', True)
    """
    text, known = text.strip(), tuple(names)
    try:
        parse(text, known)
        return Typed(text, text)
    except FormulaError as error:
        in_the_language = error
    if not text or len(text) > MAX_LENGTH:
        raise in_the_language
    try:
        formula = _Reader(text, known).whole()
    except _NotReadError:
        raise in_the_language from None
    parse(formula, known)
    return Typed(text, formula)


class _NotReadError(Exception):
    """It is not written as formulas are displayed either."""


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str


class _Reader:
    """Reads from left to right: sums of products of powers of what is in one piece. Each method returns its part."""

    def __init__(self, text: str, names: Sequence[str]) -> None:
        self._names = frozenset(names)
        self._shown = {symbol(name): name for name in names}
        self._tokens = list(_tokens(text))
        self._at = 0
        self._bars = 0
        self._depth = 0

    def whole(self) -> str:
        found = self._sum()
        if self._at < len(self._tokens):
            raise _NotReadError
        return found

    @property
    def _next(self) -> _Token:
        return self._tokens[self._at] if self._at < len(self._tokens) else _Token("end", "")

    @contextmanager
    def _deeper(self) -> Iterator[None]:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise _NotReadError
        yield
        self._depth -= 1

    def _takes(self, *signs: str) -> str:
        """The sign that comes next, if it is one of these."""
        token = self._next
        if token.kind != "sign" or token.text not in signs:
            return ""
        self._at += 1
        return token.text

    def _sum(self) -> str:
        with self._deeper():
            found = self._product()
            while sign := self._takes("+", "-"):
                found = f"{found} {sign} {self._product()}"
        return found

    def _product(self) -> str:
        found, is_over = self._signed(), ""
        while True:
            if sign := self._takes("*", "/"):
                part = self._signed()
                found, is_over = f"{found}{sign}{part}", part if sign == "/" else ""
            elif self._next.kind == "name" or (
                self._next.text in BEGINS and not (self._next.text == "|" and self._bars)
            ):
                if is_over:
                    raise _two_ways("/", is_over, self._next.text)
                found = f"{found}*{self._power()}"
            else:
                return found

    def _signed(self) -> str:
        if sign := self._takes("-", "+"):
            with self._deeper():
                return sign + self._signed()
        return self._power()

    def _power(self) -> str:
        base = self._piece()
        if self._next.kind == "raised":
            base += self._raised()
        if not self._takes("**"):
            return base
        exponent = self._signed()
        if self._next.kind == "name" and exponent[-1:] != ")":
            raise _two_ways("^", exponent, self._next.text)
        return f"{base}**{exponent}"

    def _raised(self) -> str:
        power = "".join(RAISED[sign] for sign in self._tokens[self._at].text)
        self._at += 1
        return f"**{power}" if power.isdigit() else f"**({_Reader(power, tuple(self._names)).whole()})"

    def _piece(self) -> str:
        token = self._next
        self._at += 1
        if token.kind == "number":
            return token.text
        if token.kind == "name":
            return self._named(token.text)
        match token.text:
            case "(":
                return self._closed("(", ")")
            case "⌊":
                return self._closed("floor(", "⌋")
            case "|":
                self._bars += 1
                inner = self._sum()
                self._bars -= 1
                if not self._takes("|"):
                    raise _NotReadError
                return f"Abs({inner})"
            case "√":
                with self._deeper():
                    under = self._piece()
                if self._next.kind == "raised":
                    power = self._next.text
                    raise FormulaError(
                        f"√{under}{power} can be read in two ways: write (√{under}){power} or √({under}{power})"
                    )
                return f"sqrt{under}" if under.startswith("(") else f"sqrt({under})"
        raise _NotReadError

    def _closed(self, opened: str, closes: str) -> str:
        bars, self._bars = self._bars, 0
        parts = [self._sum()]
        while self._takes(","):
            parts.append(self._sum())
        self._bars = bars
        if not self._takes(closes):
            raise _NotReadError
        return f"{opened}{', '.join(parts)})"

    def _named(self, word: str) -> str:
        """A name, a constant, a function with its arguments, or the product of the names that the word consists of."""
        meant = word if word in self._names else self._shown.get(word)
        if meant is None and word in CALLED and self._takes("("):
            return self._closed(f"{CALLED[word]}(", ")")
        if meant := meant or NUMBERS.get(word):
            return meant
        factors = self._factors(word)
        if self._next.kind == "raised":
            factors[-1] += self._raised()
        return "*".join(factors)

    def _factors(self, word: str) -> list[str]:
        """The names that a word consists of, if there is one way to read it so; else the word."""
        if len(word) > LONGEST:
            return [word]
        ways: list[list[list[str]]] = [[[]], *([] for _ in word)]
        for end in range(1, len(word) + 1):
            for start in range(end):
                meant = word[start:end] if word[start:end] in self._names else self._shown.get(word[start:end])
                if meant is not None:
                    ways[end] = [*ways[end], *([*way, meant] for way in ways[start])][:2]
        return ways[-1][0] if len(ways[-1]) == 1 else [word]


def _two_ways(sign: str, first: str, then: str) -> FormulaError:
    return FormulaError(
        f"{sign}{first} {then} can be read in two ways: write {sign}({first}·{then}…) or {sign}{first}·{then}…"
    )


def _tokens(text: str) -> Iterator[_Token]:
    at = 0
    while at < len(text):
        found = TOKEN.match(text, at)
        if found is None or found.lastgroup is None:
            raise _NotReadError
        shown = found[found.lastgroup]
        yield _Token(found.lastgroup, SIGNS.get(shown, shown))
        at = found.end()
