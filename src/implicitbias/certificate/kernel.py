"""The trusted checker of certificates: standard library only, nothing of this project, to be read in one sitting.

`python kernel.py FILE` works alone: exit code 0 valid, 1 refused (with the reason), 2 unreadable. Kinds of certificate
other than the one explained below have a file each, kernel_….py, which must lie beside this one.

A certificate is a JSON object {"format": "implicitbias certificate", "version": 1, "kind": …, …, "digest": …}; the
fields between depend on the kind (a function of the table KINDS). Every number is text in lowest terms, "-7/3" or "12";
floats, other spellings, unknown, missing and repeated fields are refused. Nothing the document says is believed:
everything is recomputed in integers. The digest is the SHA-256 of the document without it (keys sorted, no spaces,
ASCII): an altered document is refused even where it happens to be another true certificate. Anyone can recompute a
digest, so no mathematical conclusion rests on it.

Kind "minimum-norm interpolation"
---------------------------------
  data    {"x": [x_1 < … < x_N], "y": [y_1, …, y_N]}
  primal  {"function": {"knots", "values", "left_slope", "right_slope"}}, a piecewise-linear f; or {"left_share": θ},
          the linear spline through the data continued with slopes (a - σθt, b - σ(1-θ)t), in the notation below
  dual    {"p": [p_1, …, p_N]}, values at the x_n of the function p that is linear between them and constant outside
  claim   {"value": V, "unique": bool, "end_slopes": [[l, r], [l', r']]}: V is the smallest R(f) = max(T(f), |s(f)|),
          T(f) = ∫|f''|, s(f) = f'(-∞) + f'(+∞), of all functions f through the data (Savarese et al. 2019, eq. 25);
          unique says whether only one function attains it; the (f'(-∞), f'(+∞)) of all that do fill the segment from
          (l, r) to (l', r'). Where a number is too long to be written, {"at_least": A, "at_most": B} encloses it.

Why the check suffices. Let m = p_1 and let p_N = 0, |p_n| <= 1, |p_n - m| <= 1. As p is linear between the x_n and
constant outside, |p| <= 1 and |p - m| <= 1 everywhere, that is |p - m/2| <= 1 - |m|/2. With ν_n the jump of p' at x_n,
Σν_n = 0, Σν_n x_n = m, Σν_n [x_n - t]_+ = p(t). Any f with T(f) finite is f(x) = ½∫|x-t| df'(t) + (s/2)x + constant,
the integral taken as a limit, so for every f through the data
  Σν_n y_n = ∫(p - m/2) df' + m s/2 <= (1 - |m|/2) T + (|m|/2)|s| <= max(T, |s|) = R(f).            (weak duality)
The primal f attains its own bound, and so is a minimiser, if (i) at each kink t of f, p(t) = m/2 + (1 - |m|/2)·sign of
the kink; (ii) m s >= 0; (iii) T >= |s| if m = 0, T = |s| if not. Then V = T(f). These conditions are checked one kink
at a time, so the sums of huge fractions in Σν_n y_n are never needed; only T against |s| and V is, and that is decided
by integer bounds of growing precision, exactly if need be.

The claim about all minimisers is computed from the data alone. Let l_1, …, l_{N-1} be the slopes between the data,
a = l_1, b = l_{N-1}, κ_n = l_n - l_{n-1} (n = 2, …, N-1), T_int = Σ|κ_n|, t = max(0, (|a+b| - T_int)/2), σ = sign(a+b);
for N = 1 put a = b = T_int = 0.
  End slopes. The mean of f' over (x_n, x_{n+1}) is l_n, and putting means in its place does not raise the variation:
  T(f) >= T_int + u, u = |f'(-∞) - a| + |f'(+∞) - b|, with equality for the linear spline; and |s| >= |a+b| - u. So
  R(f) >= max(T_int + u, |a+b| - u) >= T_int + t, and equality demands u = 0 if t = 0; if t > 0 it demands u = t and
  both slopes moved by -σ times nonnegative shares of t. So the optimal end slopes fill the segment from (a - σt, b) to
  (a, b - σt), and the linear spline attains every point of it.
  Uniqueness. If t > 0 the segment has many points. If t = 0, f minimises iff T(f) = T_int, and its end slopes are a, b.
  Where κ_n κ_{n+1} > 0, the lines of slopes l_{n-1} and l_{n+1} meet inside (x_n, x_{n+1}) and may replace the piece
  between: another minimiser. Where never, each l_n is a smallest or a largest among its neighbours (l_0 = a, l_N = b);
  if f' were not constant between x_n and x_{n+1} it would take a value v there beyond l_n, so that, with means on the
  other intervals, T(f) >= T_int + 2|v - l_n|. Outside the data likewise. So f is the spline.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib.machinery import SourceFileLoader
from types import ModuleType
from typing import Any, NoReturn

FORMAT = "implicitbias certificate"
VERSION = 1

MAX_DIGITS = 4000
"""A longer numerator or denominator is refused: Python itself reads no more than 4300 digits."""
MAX_NUMBERS = 4_000_000
"""More numbers than this in one list are refused."""
MAX_BYTES = 1 << 28
"""A larger file is not read."""
MAX_EXACT_BITS = 1 << 24
"""A sum whose common denominator is longer is not added up exactly: undecided, hence refused."""
EASY_BITS = 1 << 15
"""A sum whose common denominator is shorter is added up exactly at once."""
PRECISIONS = (96, 4096)
"""Bits after the point with which longer sums are enclosed first."""

_NUMBER = re.compile(r"-?[0-9]+(?:/[0-9]+)?", re.ASCII)
_DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)


@dataclass(frozen=True)
class Outcome:
    """Whether a certificate is valid; if not, why; if so, what it proves, in words."""

    valid: bool
    reason: str
    statement: str


class UnreadableError(ValueError):
    """The file cannot be read, or is no JSON text at all."""


class _RefusedError(Exception):
    """The certificate is refused; the message says why."""


def check_certificate(document: object) -> Outcome:
    """Check a certificate given as the JSON object it is. Never raises: what is not a valid certificate is refused."""
    try:
        if not isinstance(document, dict):
            refuse(f"a certificate is a JSON object, not {kind_of(document)}")
        for name, expected in (("format", FORMAT), ("version", VERSION)):
            given = document.get(name)
            if type(given) is not type(expected) or given != expected:
                refuse(f"{name} must be {expected!r}, not {shown(given)}")
        fields, check = _kind(document.get("kind"))
        read_fields(document, "the certificate", ("format", "version", "kind", *fields, "digest"))
        statement = check(document)
        given = document["digest"]
        if not isinstance(given, str) or not _DIGEST.fullmatch(given):
            refuse("digest must be 64 hexadecimal digits in lower case")
        if given != digest(document):
            refuse("the digest does not fit the document: something was altered after the certificate was made")
    except _RefusedError as refusal:
        return Outcome(False, str(refusal), "")
    except (RecursionError, MemoryError):
        return Outcome(False, "the document is nested too deeply or is too large", "")
    return Outcome(True, "", statement)


def check_text(text: str | bytes) -> Outcome:
    """Check a certificate given as JSON text. Raises UnreadableError for what is no JSON text in UTF-8."""
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8")
        document = json.loads(
            text, object_pairs_hook=_object, parse_float=_no_float, parse_constant=_no_float, parse_int=_small_integer
        )
    except _RefusedError as refusal:
        return Outcome(False, str(refusal), "")
    except RecursionError:
        return Outcome(False, "the document is nested too deeply", "")
    except ValueError as error:
        raise UnreadableError(f"this is no JSON text in UTF-8: {error}") from None
    return check_certificate(document)


def check_file(path: str) -> Outcome:
    """Check the certificate in a file. Raises UnreadableError where there is none, or what it holds is no JSON text."""
    try:
        with open(path, "rb") as file:
            content = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise UnreadableError(getattr(error, "strerror", None) or str(error)) from None
    if len(content) > MAX_BYTES:
        raise UnreadableError(f"the file has more than {MAX_BYTES} bytes")
    return check_text(content)


def digest(document: dict[str, Any]) -> str:
    """SHA-256 of the document without its field "digest", keys sorted, no spaces, ASCII."""
    body = {name: value for name, value in document.items() if name != "digest"}
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


# Kind "minimum-norm interpolation" ----------------------------------------------------------------------------------


def _minimum_norm(document: dict[str, Any]) -> str:
    data = read_fields(document["data"], "data", ("x", "y"))
    x, y = read_numbers(data["x"], "data.x"), read_numbers(data["y"], "data.y")
    if not x:
        refuse("data.x is empty: at least one point is needed")
    if len(x) != len(y):
        refuse(f"data.x has {len(x)} numbers and data.y has {len(y)}")
    require_increasing(x, "data.x")
    slopes = _slopes(x, y)
    a, b = (slopes[0], slopes[-1]) if slopes else (Fraction(0), Fraction(0))
    kinks = _signs(slopes)
    interior = _Variation(slopes, kinks)
    sigma = _sign(a + b)
    moved = interior.sign(-1, abs(a + b)) > 0  # t > 0

    p = read_numbers(read_fields(document["dual"], "dual", ("p",))["p"], "dual.p")
    if len(p) != len(x):
        refuse(f"dual.p has {len(p)} numbers, the data have {len(x)}")
    m = p[0]
    if p[-1] != 0:
        refuse(f"dual.p must end with 0, not {in_words(p[-1])}")
    low, high = max(Fraction(-1), m - 1), min(Fraction(1), m + 1)
    for n, value in enumerate(p):
        if not low <= value <= high:
            refuse(f"dual.p[{n}] = {in_words(value)} breaks |p| <= 1 or |p - p[0]| <= 1: the dual is not feasible")

    claim = read_fields(document["claim"], "claim", ("value", "unique", "end_slopes"))
    primal = document["primal"]
    if isinstance(primal, dict) and "function" in primal:
        total = _optimal_function(read_fields(primal, "primal", ("function",))["function"], x, y, p)
        total.compare(claim["value"], "claim.value", Fraction(1), Fraction(0))
    else:
        share = read_number(read_fields(primal, "primal", ("left_share",))["left_share"], "primal.left_share")
        if not 0 <= share <= 1:
            refuse(f"primal.left_share must lie in [0, 1], not {in_words(share)}")
        signs = [sigma if moved and share > 0 else 0, *kinks, -sigma if moved and share < 1 else 0]
        for n, sign in enumerate(signs[: len(x)]):
            if sign and p[n] != (high if sign > 0 else low):
                refuse(f"complementary slackness fails at the data point {n}: kink {sign:+d}, p = {in_words(p[n])}")
        # If t > 0, the kinks at the ends have forced m = σ, and T = T_int + t = |a + b| - t = |s| by the choice of t.
        if not moved and m != 0 and (m * sigma < 0 or interior.sign(-1, abs(a + b)) != 0):
            refuse(f"p[0] = {in_words(m)} does not fit the end slopes: weak duality is not attained")
        multiple, rest = (Fraction(1, 2), abs(a + b) / 2) if moved else (Fraction(1), Fraction(0))
        interior.compare(claim["value"], "claim.value", multiple, rest)

    ends = claim["end_slopes"]
    if not isinstance(ends, list) or len(ends) != 2 or any(not isinstance(e, list) or len(e) != 2 for e in ends):
        refuse("claim.end_slopes must be two pairs, the ends of the segment: [[left, right], [left, right]]")
    for i, j, slope, shifted in ((0, 0, a, moved), (0, 1, b, False), (1, 0, a, False), (1, 1, b, moved)):
        # a - σt = T_int·σ/2 + a - (a + b)/2, and the same with b
        multiple = Fraction(sigma, 2) if shifted else Fraction(0)
        rest = slope - (a + b) / 2 if shifted else slope
        interior.compare(ends[i][j], f"claim.end_slopes[{i}][{j}]", multiple, rest)
    neighbours = next((n for n in range(1, len(kinks)) if kinks[n] * kinks[n - 1] > 0), None)
    unique = not moved and neighbours is None
    if claim["unique"] is not unique:
        why = (
            "the interior variation is below |a + b|, so a segment of end slopes is optimal"
            if moved
            else "no two neighbouring kinks have the same sign"
            if neighbours is None
            else f"the kinks at the data points {neighbours} and {neighbours + 1} have the same sign"
        )
        refuse(f"claim.unique must be {str(unique).lower()}, not {shown(claim['unique'])}: {why}")
    value = claim["value"]
    told = in_words(Fraction(value if isinstance(value, str) else value["at_least"]))
    attained = "exactly one function attains it: the linear spline" if unique else "more than one function attains it"
    told += "" if isinstance(value, str) else " (enclosed by claim.value)"
    return (
        f"Of all functions f through the {len(x)} data point{'s' * (len(x) > 1)}, the smallest "
        f"max(∫|f''|, |f'(-∞) + f'(+∞)|) is {told}; {attained}."
    )


def _optimal_function(given: object, x: list[Fraction], y: list[Fraction], p: list[Fraction]) -> _Variation:
    """T(f) of a piecewise-linear f; refused if it misses the data or does not make weak duality with p an equality."""
    function = read_fields(given, "primal.function", ("knots", "values", "left_slope", "right_slope"))
    knots = read_numbers(function["knots"], "primal.function.knots")
    values = read_numbers(function["values"], "primal.function.values")
    left = read_number(function["left_slope"], "primal.function.left_slope")
    right = read_number(function["right_slope"], "primal.function.right_slope")
    if not knots or len(knots) != len(values):
        refuse(
            f"primal.function has {len(knots)} knots and {len(values)} values: as many, and at least one, are needed"
        )
    require_increasing(knots, "primal.function.knots")
    slopes = [left, *_slopes(knots, values), right]
    m, low, high = p[0], max(Fraction(-1), p[0] - 1), min(Fraction(1), p[0] + 1)
    n, signs = 0, _signs(slopes)
    for i, (at, target) in enumerate(zip(x, y, strict=True)):
        while n < len(knots) and knots[n] < at:
            n += 1
        near = min(n, len(knots) - 1)
        if values[near] + (slopes[n] * (at - knots[near]) if knots[near] != at else 0) != target:
            refuse(f"the function misses the data point {i}: ({in_words(at)}, {in_words(target)})")
    n = 0
    for k, (at, sign) in enumerate(zip(knots, signs, strict=True)):
        while n < len(x) and x[n] < at:
            n += 1
        # m/2 ± (1 - |m|/2) are the largest and the smallest value allowed to p, and p is linear between the data: it
        # reaches them between two data points only if it has them at both.
        inside = 0 < n < len(x) and x[n] != at
        for i in (n - 1, n) if inside else (min(n, len(x) - 1),):
            if sign and p[i] != (high if sign > 0 else low):
                refuse(
                    f"complementary slackness fails at knot {k} of the function: kink {sign:+d}, p = {in_words(p[i])}"
                )
    s, total = left + right, _Variation(slopes, signs)
    surplus = total.sign(1, -abs(s))
    if m * s < 0 or (surplus != 0 if m else surplus < 0):
        refuse(f"with p[0] = {in_words(m)} the function's variation and |f'(-∞) + f'(+∞)| do not attain weak duality")
    return total


class _Variation:
    """T = Σ sign_n (slope_n - slope_{n-1}), integer multiples of fractions that are added up only as far as needed."""

    def __init__(self, slopes: Sequence[Fraction], signs: Sequence[int]) -> None:
        before, after = [0, *signs, 0], [*signs, 0]
        terms = [
            (c, slope)
            for slope, c in zip(slopes, (p - q for p, q in zip(before, after, strict=False)), strict=False)
            if c
        ]
        self._exact: tuple[int, int] | None = None
        self._bounds: dict[int, tuple[int, int]] = {}
        groups: dict[int, int] = {}
        for c, slope in terms:
            groups[slope.denominator] = groups.get(slope.denominator, 0) + c * slope.numerator
        self.groups = [(p, q) for q, p in groups.items() if p]
        self.bits = sum(q.bit_length() for _, q in self.groups)

    def sign(self, multiple: Fraction | int, rest: Fraction) -> int:
        """The sign of multiple·T + rest, never guessed."""
        if self.bits > EASY_BITS:
            for bits in PRECISIONS:
                low, high = sorted(multiple * bound + rest * (1 << bits) for bound in self.bounds(bits))
                if low > 0 or high < 0 or low == high:
                    return _sign(low)
        numerator, denominator = self.exact()
        return _sign(multiple * numerator + rest * denominator)

    def compare(self, claimed: object, where: str, multiple: Fraction, rest: Fraction) -> None:
        """Refuse a claimed number, exact or enclosed, that is not multiple·T + rest."""
        if isinstance(claimed, dict):
            ends = read_fields(claimed, where, ("at_least", "at_most"))
            low, high = (read_number(ends[name], f"{where}.{name}") for name in ("at_least", "at_most"))
            if self.sign(multiple, rest - low) < 0 or self.sign(multiple, rest - high) > 0:
                refuse(f"{where} does not lie between {in_words(low)} and {in_words(high)}")
        elif self.sign(multiple, rest - read_number(claimed, where)) != 0:
            refuse(f"{where} is not {shown(claimed)}")

    def bounds(self, bits: int) -> tuple[int, int]:
        """Integers around T·2^bits."""
        if bits not in self._bounds:
            low = high = 0
            for numerator, denominator in self.groups:
                quotient, remainder = divmod(numerator << bits, denominator)
                low += quotient
                high += quotient + (remainder > 0)
            self._bounds[bits] = low, high
        return self._bounds[bits]

    def exact(self) -> tuple[int, int]:
        """A numerator and a positive denominator of T, by a balanced tree of sums."""
        if self._exact is None:
            if self.bits > MAX_EXACT_BITS:
                refuse(f"undecided: an exact sum with a denominator of up to {self.bits} bits would be needed")
            level = self.groups or [(0, 1)]
            while len(level) > 1:
                pairs = zip(level[::2], level[1::2], strict=False)
                odd = level[-1:] if len(level) % 2 else []
                level = [(p * s + r * q, q * s) for (p, q), (r, s) in pairs] + odd
            self._exact = level[0]
        return self._exact


# Numbers and fields ---------------------------------------------------------------------------------------------------


def read_fields(given: object, where: str, names: Sequence[str]) -> dict[str, Any]:
    if not isinstance(given, dict):
        refuse(f"{where} must be a JSON object with the fields {', '.join(names)}, not {kind_of(given)}")
    for name in given:
        if name not in names:
            refuse(f"{where} has an unknown field {shown(name)}")
    for name in names:
        if name not in given:
            refuse(f"{where} lacks the field {name!r}")
    return given


def read_numbers(given: object, where: str) -> list[Fraction]:
    if not isinstance(given, list):
        refuse(f"{where} must be a list of numbers, not {kind_of(given)}")
    if len(given) > MAX_NUMBERS:
        refuse(f"{where} has {len(given)} numbers; {MAX_NUMBERS} are allowed")
    return [read_number(text, where, i) for i, text in enumerate(given)]


def read_number(given: object, where: str, index: int | None = None) -> Fraction:
    """The rational that the text is, if it is written in the one allowed way."""
    if (number := _rational(given) if type(given) is str else None) is None:
        refuse(
            f'{where if index is None else f"{where}[{index}]"} must be a rational in lowest terms as text, "-7/3" or '
            f'"12", of at most {MAX_DIGITS} digits: got {shown(given)}'
        )
    return number


def _rational(text: str) -> Fraction | None:
    top, _, bottom = text.partition("/")
    if len(top) > MAX_DIGITS or len(bottom) > MAX_DIGITS or not _NUMBER.fullmatch(text):
        return None
    try:
        number = Fraction(int(top), int(bottom or "1"))
        return number if str(number) == text else None
    except (ZeroDivisionError, ValueError):
        return None  # a ValueError: Python was told to read fewer digits than MAX_DIGITS


def require_increasing(numbers: list[Fraction], where: str) -> None:
    for i in range(1, len(numbers)):
        if numbers[i - 1] >= numbers[i]:
            below, above = in_words(numbers[i - 1]), in_words(numbers[i])
            refuse(f"{where} must increase: [{i - 1}] = {below} is not below [{i}] = {above}")


def _slopes(x: list[Fraction], y: list[Fraction]) -> list[Fraction]:
    return [(y[i] - y[i - 1]) / (x[i] - x[i - 1]) for i in range(1, len(x))]


def _signs(slopes: list[Fraction]) -> list[int]:
    return [(slopes[i] > slopes[i - 1]) - (slopes[i] < slopes[i - 1]) for i in range(1, len(slopes))]


def _sign(number: Fraction | int) -> int:
    return (number > 0) - (number < 0)


# JSON and words -------------------------------------------------------------------------------------------------------


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            refuse(f"the field {shown(name)} is repeated")
        found[name] = value
    return found


def _no_float(text: str) -> NoReturn:
    refuse(f'numbers are text in lowest terms, such as "1/10": the float {shown(text)} is refused')


def _small_integer(text: str) -> int:
    if len(text) > 18:
        refuse(f"numbers are text: the JSON integer {shown(text)} is refused")
    return int(text)


def refuse(reason: str) -> NoReturn:
    raise _RefusedError(reason)


def kind_of(given: object) -> str:
    names: dict[type, str] = {dict: "an object", list: "a list", str: "a text"}
    names |= {bool: "a truth value", int: "an integer", float: "a float"}
    return "null" if given is None else names.get(type(given), "something that JSON does not have")


def shown(given: object) -> str:
    if isinstance(given, str):
        return repr(given) if len(given) <= 60 else f"{given[:40]!r}… ({len(given)} characters)"
    return repr(given) if given is None or isinstance(given, bool | float) else kind_of(given)


def in_words(number: Fraction) -> str:
    """The number, with its decimal value where it is a fraction; a long one by its decimal value alone."""
    text = str(number)
    try:
        decimal = f"{float(number):.12g}"
    except OverflowError:
        return shown(text)
    exact = text if number.denominator == 1 else f"{text} (about {decimal})"
    return exact if len(text) <= 60 else f"about {decimal}"


Kind = tuple[tuple[str, ...], Callable[[dict[str, Any]], str]]
KINDS: dict[str, Kind] = {"minimum-norm interpolation": (("data", "primal", "dual", "claim"), _minimum_norm)}
"""The kinds of certificate: their fields, and the function that checks them and says what is proved."""
BESIDE = {
    "interpolation by ramps": "ramps",
    "interpolation with penalised biases": "biases",
    "interpolation of least total variation": "variation",
    "least loss penalised by total variation": "variation",
    "margins of least total variation": "variation",
    "all minimisers of least variation": "minimisers",
    "maximum margin": "margin",
    "KKT point of the margin problem": "kkt",
}
"""Kinds with a file of their own in kinds/: its FIELDS and check(document, kernel) likewise."""


def _kind(given: object) -> Kind:
    if isinstance(given, str) and given in KINDS:
        return KINDS[given]
    if not isinstance(given, str) or given not in BESIDE:
        refuse(f"kind must be one of {sorted([*KINDS, *BESIDE])}, not {shown(given)}")
    module = beside(BESIDE[given])
    return KINDS.setdefault(given, (module.FIELDS, lambda document: str(module.check(document, sys.modules[__name__]))))


def beside(name: str) -> ModuleType:
    file = os.path.join(os.path.dirname(os.path.abspath(__file__)), "kinds", f"{name}.py")
    if not os.path.exists(file):
        refuse(f"this kind is checked by kinds/{name}.py, which must lie beside kernel.py and does not")
    SourceFileLoader(f"kinds_{name}", file).exec_module(module := ModuleType(f"kinds_{name}"))
    return module


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 1:
        print("usage: python kernel.py FILE", file=sys.stderr)
        return 2
    try:
        outcome = check_file(arguments[0])
    except UnreadableError as error:
        print(f"unreadable: {error}", file=sys.stderr)
        return 2
    print(f"valid: {outcome.statement}" if outcome.valid else f"refused: {outcome.reason}")
    return 0 if outcome.valid else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
