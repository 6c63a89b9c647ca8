"""Formulas that are wrong and tempting, or wrong beyond small sizes only: the certificates of the claim reject them."""

from collections.abc import Callable

import pytest

from implicitbias.claims import Kind
from implicitbias.claims.catalogue import load
from implicitbias.judging.judge import judge
from implicitbias.judging.judgement import Outcome
from implicitbias.judging.result import Result

REJECTED = {
    "savarese2019.equation_27": (
        "Max(T + Abs(l_0 - a + l_N - b), Abs(l_0 + l_N))",
        "Max(T + Abs(l_0 - a) + Abs(l_N - b), Abs(l_0 - l_N))",
        "Max(T + Abs(l_0 - a) + Abs(l_N - b), l_0 + l_N)",
    ),
    "savarese2019.theorem_3_3": (
        "Max(T + Abs(a - l_0), Abs(l_0 + l_N))",
        "Max(T + Abs(b - l_N), Abs(l_0 + l_N))",
        "Max(T, Abs(l_0 + l_N))",
    ),
    "savarese2019.figure_2_tails": ("T + 2*Abs(a - l_0)", "T + 2*Abs(b - l_N)", "T + Abs(a - l_0 + b - l_N)"),
    "savarese2019.footnote_4": ("l", "c", "m", "v", "Max(l, c)", "1 - c", "l*v*m", "l*m"),
    "savarese2019.theorem_c_3_existence": ("N + 1", "N - 1", "Min(N, 3)", "Min(N, L)"),
    "jin2021.theorem_2_norm": ("3", "3*d", "2*d + 1", "d**2 + 2", "4 - d"),
    "jin2021.effective_capacity": ("Min(M, 5)", "M + Max(0, M - 5)", "Min(M, 7)"),
    "jin2021.theorem_4_hypothesis": ("Min(M, 2*n + 1, 11)", "Min(M, 2*n + 1, 16)", "Min(M, 2*n + 2)"),
    "jin2021.spectral_bias": ("k + Max(0, M - 7)", "Min(k, 6)"),
    "jin2021.jmlr_theorem_24": (
        "(c*r**2 - 2*b*r*s + a*s**2)/(a*c - b**2) + q/10**9",
        "Max(r**2/a, s**2/c)",
        "(c*r**2 - 2*Abs(b*r*s) + a*s**2)/(a*c - b**2)",
        "(r**2 + s**2)/Min(a, c)",
    ),
    "jin2021.jmlr_theorem_38": (
        "S/A",
        "Abs(S - A)/A",
        "(S + B - A)/(S + B)",
        "(S + B - A)/B",
        "Max(S - B, 0)/A",
        "(S + B - A)/A*Abs(sign(S - A))",
    ),
    "safran2022.corollary_5_1": ("5430*(log(1/eps) + log(1/delta))/eps", "32580/eps", "10860*(2 + log(1/delta))/eps"),
    "safran2022.theorem_3_1_event": ("6144*24*r/delta/rho", "98304*log(24*r/delta)/rho", "6144*Max(R, 1)**4/rho**2"),
    "safran2022.theorem_4_2_frozen": ("Max(a + 1, sqrt(n/k))",),
    "jin2021.figure_1_right": ("P*l*(1 + P/100)", "P*l + 1/100", "-P*l"),
}


@pytest.mark.parametrize("claim_id", REJECTED)
def test_the_certificates_reject(claim_id: str, evidence_of: Callable[[str], list[Result]]) -> None:
    claim = load().claim(claim_id)
    seen = [result.evidence for result in evidence_of(claim_id) if result.kind is Kind.CERTIFICATE]
    symbols = list(claim.symbols)
    for evidence in seen:
        assert judge(evidence, claim.formula, symbols).outcome is Outcome.ACCEPTED
    accepted = [
        form
        for form in REJECTED[claim_id]
        if not any(judge(evidence, form, symbols).outcome is Outcome.REJECTED for evidence in seen)
    ]
    assert not accepted
