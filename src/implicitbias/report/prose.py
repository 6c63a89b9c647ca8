"""A sentence about mathematics as it is shown: primes, powers, indices and relations as signs."""

from __future__ import annotations

import re
from functools import lru_cache

GREEK = {
    **dict(zip(("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"), "αβγδεζηθ", strict=True)),
    **dict(zip(("kappa", "lambda", "mu", "nu", "xi", "pi", "rho", "sigma"), "κλμνξπρσ", strict=True)),
    **dict(zip(("tau", "phi", "chi", "psi", "omega"), "τφχψω", strict=True)),
}
GREEK["lam"] = "λ"  # lambda is a word of Python
SUBSCRIPT = dict(zip("0123456789+-−aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₋ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True))
SUPERSCRIPT = dict(
    zip(
        "0123456789+-−/abcdefghijklmnoprstuvwxyz",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁄ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ",
        strict=True,
    )
)
"""Unicode has no others, of the Latin letters no q."""
LONGEST = 6
"""Characters of a power that can be read when raised."""

DEEPEST = 3
"""Indices of indices that are read: `u_{j_{q+1}}` has two."""

QUOTED = r"(?:(?<=[\s(])|^)'[^']*'"
PRIMED = r"(?<![^\W\d_])[^\W\d_]{1,2}[\u0300-\u036f]?|[ᵢⱼₖₗₘₙᵣₓ₀-₉)\]]"
PRIMES = re.compile(rf"({QUOTED})|({PRIMED})('{{1,3}})(?![A-Za-z]\w*\b)")
"""Primes after a letter or two, or after a bracket, but no possessive `n's` and no quotation."""
POWER = re.compile(r"\^(\{[^{}]*\}|\([^()]*\)|-?\d+|-?[a-z](?![\w(]))")
INDEX = re.compile(
    r"((?:\b[^\W\d_]{1,2}[\u0300-\u036f]?|\b(?:sup|inf|min|max|lim)|[Σ∫∏∪∇])[′″]?|[\])‖])"
    r"_(\d+|[a-z]|ij|max|min|[-+](?![-+])|\{[^{}]*\})(?![A-Za-z0-9_])"
)
"""A letter or two, a bracket or an operator, with an index: `x_1`, `α_-`, `l_{n+1}`, `[x]_+`, `sup_t`; no identifier
such as `lemma_1`."""
NUMBERED = re.compile(r"(?<![\w.\-/^_'′])([ABD-KM-Za-z])(\d)(?!\w|\.\d)")
"""A symbol that is typed with its number, `n0`; a C¹ and an L² are no such symbols."""
NAME = re.compile(rf"\b({'|'.join(GREEK)})(?=(?:_\w)? (?:from|=) |_\w\b)")
"""The name of a Greek letter where a symbol is told, not in a sentence about ζ."""
INFINITE = re.compile(r"(?<!\w)oo\b")
SIGNS = {">=": "≥", "<=": "≤", "!=": "≠", " -> ": " → ", "sqrt(": "√(", "linf": "l∞"}


@lru_cache(maxsize=16_384)
def prose(text: str) -> str:
    """A sentence with its primes, powers and indices raised and lowered, as far as Unicode has them.

    >>> prose("the slopes l_{n+1}-l_n and x_1 of l_N, see lemma_1")
    'the slopes lₙ₊₁-lₙ and x₁ of l_N, see lemma_1'
    >>> prose("of order n^{-3/2} and n^(-2) where s >= 0, in S^{d-1}, e^(-x|y|)")
    'of order n⁻³⁄² and n⁻² where s ≥ 0, in Sᵈ⁻¹, e^(-x|y|)'
    >>> prose("[θ·x̃_i]_+ and ‖f'‖_1, ∫|f''|, Barron's and n's bounds")
    "[θ·x̃ᵢ]₊ and ‖f′‖₁, ∫|f″|, Barron's and n's bounds"
    >>> prose("sup_t λ_max, sup_{|x|>K} |f|, at n0 = 256, x from -oo, beta_w from 1")
    'supₜ λₘₐₓ, sup_(|x|>K) |f|, at n₀ = 256, x from -∞, β_w from 1'
    """
    text = PRIMES.sub(_primed, text)
    for typed, sign in SIGNS.items():
        text = text.replace(typed, sign)
    text = POWER.sub(_high, NAME.sub(lambda found: GREEK[found[1]], text))
    for _ in range(DEEPEST):
        text = INDEX.sub(_low, text)
    return INFINITE.sub("∞", NUMBERED.sub(lambda found: found[1] + SUBSCRIPT[found[2]], text))


def raised(power: str) -> str:
    """A short power in raised signs; empty if Unicode lacks one of them.

    >>> raised("-3/2"), raised("d - 1"), raised("|x|")
    ('⁻³⁄²', 'ᵈ⁻¹', '')
    """
    tight = power.replace(" ", "")
    known = len(tight) <= LONGEST and all(sign in SUPERSCRIPT for sign in tight)
    return "".join(SUPERSCRIPT[sign] for sign in tight) if known else ""


def lowered(index: str) -> str:
    """An index in lowered signs; empty if Unicode lacks one of them.

    >>> lowered("n+1"), lowered("w")
    ('ₙ₊₁', '')
    """
    known = all(sign in SUBSCRIPT for sign in index)
    return "".join(SUBSCRIPT[sign] for sign in index) if known else ""


def _primed(found: re.Match[str]) -> str:
    return found[1] or found[2] + "′″‴"[len(found[3]) - 1]


def _high(found: re.Match[str]) -> str:
    inner = found[1][1:-1] if found[1][0] in "{(" else found[1]
    return raised(inner) or (f"^({inner})" if found[1][0] in "{(" else found[0])


def _low(found: re.Match[str]) -> str:
    index = found[2].strip("{}")
    return found[1] + (lowered(index) or (f"_({index})" if found[2][0] == "{" else f"_{index}"))
