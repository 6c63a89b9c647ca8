"""Sentences about mathematics as they are shown."""

from __future__ import annotations

import re

import pytest

from implicitbias.claims.catalogue import load
from implicitbias.claims.statement import Rule
from implicitbias.report.prose import prose
from implicitbias.report.typed import read
from implicitbias.report.typeset import typeset
from implicitbias.report.words import titled


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("max(∫|f''|, |f'(-∞)|), g''' and (f - g)'", "max(∫|f″|, |f′(-∞)|), g‴ and (f - g)′"),
        ("Barron's norm, n's neighbours, 'at least 1 - δ' if", "Barron's norm, n's neighbours, 'at least 1 - δ' if"),
        ("n^(-3/2), n^{-2}, R^3, 2^k, 2^-k, S^{d-1}", "n⁻³⁄², n⁻², R³, 2ᵏ, 2⁻ᵏ, Sᵈ⁻¹"),
        ("e^(-x|y|), ‖ν‖^q, f^lin", "e^(-x|y|), ‖ν‖^q, f^lin"),
        ("sup_t, λ_max, σ'_ij, Θ̂_n", "supₜ, λₘₐₓ, σ′ᵢⱼ, Θ̂ₙ"),
        ("σ_w, l_N, R_class, E_D[x]", "σ_w, l_N, R_class, E_D[x]"),
        ("Σ_{k<=N} e_{y_i}, x_{j_{q+1}}", "Σ_(k≤N) e_(yᵢ), x_(j_(q+1))"),
        ("n0 = 256, x - z0, b1 from 0", "n₀ = 256, x - z₀, b₁ from 0"),
        ("savarese2019-e10, theorem_3_1, C2, L2, 1.5e3", "savarese2019-e10, theorem_3_1, C2, L2, 1.5e3"),
        ("beta_w from 1, zeta is no word for ζ", "β_w from 1, zeta is no word for ζ"),
        ("x -> -oo, s >= 1, a != b, sqrt(r/π), linf", "x → -∞, s ≥ 1, a ≠ b, √(r/π), l∞"),
    ],
)
def test_signs_stand_where_unicode_has_them(typed: str, shown: str) -> None:
    assert prose(typed) == shown
    assert prose(shown) == shown


RAW = re.compile(r"(?<![A-Za-z])[A-Za-z]''|\*\*|<=|>=|!=|[_^]\{|\b(Abs|Max|Min|sqrt)\(|\bsup_t\b|\^\(?-?\d+(/\d+)?\)")
"""What a keyboard has in the place of signs."""


def test_nothing_of_the_catalogue_is_shown_as_it_was_typed() -> None:
    for claim in load().claims:
        shown = [
            titled(claim),
            prose(claim.statement),
            *map(prose, claim.hypotheses),
            *map(prose, claim.symbols.values()),
        ]
        for formula in (claim.formula, *(control.candidate for control in claim.controls)):
            shown.append(prose(formula.says) if isinstance(formula, Rule) else typeset(formula))
        shown += [prose(text) for check in claim.checks for text in (check.about, check.acceptance)]
        for text in shown:
            found = RAW.search(text)
            assert found is None, f"{claim.id}: {found[0]} in {text}"


def test_raised_powers_can_be_typed() -> None:
    assert read("|w|²ᵏ⁺¹·(n/m)⁻³⁄²", ["w", "k", "n", "m"]).formula == "Abs(w)**(2*k + 1)*(n/m)**(-3/2)"
