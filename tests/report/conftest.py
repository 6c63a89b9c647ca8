"""Three claims and what came out of their checks: one corrected, one with a control that survives, one not run."""

from __future__ import annotations

from fractions import Fraction

import pytest

from implicitbias.claims.check import Check, Context, Kind
from implicitbias.claims.erratum import Edition, Erratum
from implicitbias.claims.evidence import Evidence, Identity, Instance, Premise, Step
from implicitbias.claims.statement import Claim, Control, Flaw, Paper, Source
from implicitbias.judging.result import Result, assess, stand
from implicitbias.report.summary import Report

SYMBOLS = {"T": "∫|f''|, the total variation of f'", "s": "f'(-∞) + f'(+∞)"}


def instances(context: Context) -> Evidence:
    cases = [(Fraction(1), Fraction(0)), (Fraction(2), Fraction(-3)), (Fraction(1, 3), Fraction(1, 3))]
    return Evidence(
        instances=tuple(Instance(f"case {i}", {"T": T, "s": s}, max(T, abs(s))) for i, (T, s) in enumerate(cases)),
        premises=(Premise("the kinks are distinct", True, "smallest gap 1/2"),),
        measured={"cases": 3, "largest gap": Fraction(1, 3), "rate": 0.123456789},
    )


def derivation(context: Context) -> Evidence:
    return Evidence(
        identities=(
            Identity("T = s + p", {"p": "nonnegative", "s": "nonnegative"}, {"T": "s+p", "s": "s"}, "s+p"),
            Identity("T < -s", {"p": "positive", "T": "nonnegative"}, {"T": "T", "s": "-T-p"}, "T+p"),
        ),
        steps=(Step("split the measure in two", "f'' = a + b", "sympy reduces the difference to 0"),),
    )


def too_little(context: Context) -> Evidence:
    return Evidence(instances=(Instance("one", {"T": 1, "s": 0}, 1),))


FORMULA = "Max(T, Abs(s))"

EDITION = Edition("first edition", "paper2020.txt")
LOST_BARS = Erratum(
    "paper2020-e1",
    "Theorem 1",
    "max(T, s)",
    True,
    "max(T, |s|)",
    "a formula changes",
    "misprint",
    "The bars are lost; Corollary 2 uses the right form.",
    "the text says |s|",
    (EDITION.prints("page 3", "the picture of the page"),),
)
ONLY_WORDS = Erratum(
    "paper2020-e2",
    "Introduction",
    "for <b>every</b> function",
    False,
    "for some",
    "wording",
    "imprecise wording",
    "",
    "some are meant",
    (EDITION.prints("page 1", "the scan's text"),),
)

CORRECTED = Claim(
    "paper2020.theorem_1",
    Source("paper2020", "Theorem 1"),
    "The cost of a function [of one variable]",
    "The least cost is the larger of T and |s|.",
    FORMULA,
    (Control("T + Abs(s)", "both seem to be paid for"), Control("Max(T, Abs(s)/2)", "half of the slopes")),
    (
        Check("primal and dual", Kind.CERTIFICATE, instances, "solves the programme"),
        Check("derivation", Kind.PROOF, derivation),
    ),
    hypotheses=("f is continuous",),
    rests_on=("paper2020.equation_2",),
    symbols=SYMBOLS,
    flaw=Flaw(LOST_BARS, "Max(T, s)"),
)
SURVIVED = Claim(
    "paper2020.equation_2",
    Source("paper2020", "(2)"),
    "The constant",
    "…",
    FORMULA,
    (Control("T", "forgets s"), Control("s", "forgets T")),
    (Check("one case", Kind.CERTIFICATE, too_little),),
    symbols=SYMBOLS,
)
NOT_RUN = Claim(
    "paper2020.lemma_3",
    Source("implicitbias", "beside Lemma 3"),
    "A sharper bound",
    "…",
    "T",
    (Control("2*T", "doubled"),),
    (Check("trained networks", Kind.EXPERIMENT, too_little, acceptance="the interval lies within [0.9, 1.1]"),),
    symbols={"T": "the variation"},
)
PAPER = Paper("paper2020", "On papers", "A. Author, B. Author", 2020)


def results_of(*claims: Claim) -> list[Result]:
    provenance = {"seed": 0, "budget": "quick"}
    return [
        assess(claim, check, check.observe(Context()), seconds=0.25, provenance={**provenance, "check": check.name})
        for claim in claims
        for check in claim.checks
    ]


@pytest.fixture
def report() -> Report:
    claims = (CORRECTED, SURVIVED, NOT_RUN)
    return Report(
        tuple(stand(claims, results_of(CORRECTED, SURVIVED)).values()), (PAPER,), errata=(LOST_BARS, ONLY_WORDS)
    )


@pytest.fixture
def good_report() -> Report:
    """The corrected claim alone: all as expected."""
    return Report(tuple(stand((CORRECTED,), results_of(CORRECTED)).values()), (PAPER,))
