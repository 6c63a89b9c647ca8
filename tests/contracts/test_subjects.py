"""Observations depend on their subject: with another kernel, penalty, loss or solver in its place, the evidence must
reject the claim's formula. Evidence that accepts it all the same is algebra that knew the answer.

A row of `SUBJECTS` is enough for a further claim: what is replaced is named by its file in the theory and its name
there, and is replaced wherever it was imported to.
"""

import contextlib
import hashlib
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from importlib import import_module
from typing import Any

import pytest

from implicitbias.claims import Context, Kind
from implicitbias.claims.catalogue import load
from implicitbias.exact.enclosure import to_arb
from implicitbias.judging.judge import judge
from implicitbias.judging.judgement import Outcome

THEORY = "implicitbias.theory"
Replacement = tuple[str, Any]


@contextlib.contextmanager
def replaced(*replacements: Replacement) -> Iterator[None]:
    """Another function in the place of each named one, in every module of the theory that has it; nothing cached."""
    load()  # what is imported later would keep the replacement
    with pytest.MonkeyPatch.context() as patch:
        for place, other in replacements:
            module, _, name = place.partition(":")
            original = getattr(import_module(f"{THEORY}.{module}"), name)
            for loaded in [m for key, m in sys.modules.items() if key.startswith(THEORY)]:
                for attribute, value in list(vars(loaded).items()):
                    if value is original:
                        patch.setattr(loaded, attribute, other)
        _forget()
        yield
    _forget()


def _forget() -> None:
    for key, module in list(sys.modules.items()):
        if key.startswith(THEORY):
            for value in list(vars(module).values()):
                if callable(getattr(value, "cache_clear", None)):
                    value.cache_clear()


def is_accepted(claim_id: str) -> bool:
    """Whether every certificate of the claim holds its premises and accepts the formula."""
    claim = load().claim(claim_id)
    checks = [check for check in claim.checks if check.kind is Kind.CERTIFICATE]
    assert checks, f"{claim_id} has no certificate"
    evidence = [check.observe(Context(seed=5)) for check in checks]
    return all(
        all(premise.holds for premise in seen.premises)
        and judge(seen, claim.formula, list(claim.symbols)).outcome is Outcome.ACCEPTED
        for seen in evidence
    )


def bell(*_: object) -> Callable[[Any, Any], Fraction]:
    """1/(1 + (x - z)²): a kernel that has nothing to do with units."""
    return lambda x, z: 1 / (1 + (Fraction(x) - z) ** 2)


def comb(*_: object) -> Callable[[Any, Any], Fraction]:
    """A kernel whose modes do not oscillate in order: neighbours at distance 1/2 and more are unlike each other."""
    return lambda x, z: (1 - 4 * (Fraction(x) - z) ** 2) / (1 + (Fraction(x) - z) ** 2) ** 4


def noise(unit: object, at: object) -> Fraction:
    """A number that depends on unit and place in no order."""
    return Fraction(int(hashlib.sha256(repr((unit, Fraction(str(at)))).encode()).hexdigest()[:6], 16), 2**20)


def squares(alpha: Any, depth: int) -> tuple[Fraction, Fraction]:
    """Σα², in the place of the bridge penalty."""
    total = sum((Fraction(a) ** 2 for a in alpha), Fraction(0))
    return total, total


KERNELS = "observed.wide.exact_laws"
OTHER_KERNEL = ((f"{KERNELS}:slab_kernel", bell), (f"{KERNELS}:rectangle_kernel", bell))
OTHER_FINITE_KERNEL = (("observed.wide.finite_width:empirical_kernel", bell),)
OTHER_UNITS = (("observed.wide.finite_width:feature", noise),)
OTHER_BUMP = (("observed.functions.bump_far:hat", lambda t: (1 - t) ** 2),)
OTHER_FLUX = (("savarese2019.claim_5_1:relative_flux", lambda d, share: share + d),)
OTHER_NETWORKS = (("observed.functions.second_derivative:cheapest_exact_network", lambda f: Fraction(1)),)

SUBJECTS: dict[str, tuple[Replacement, ...]] = {
    **dict.fromkeys(
        (
            "jin2021.abstract_natural_spline",
            "jin2021.abstract_natural_spline_many_points",
            "jin2021.adjustment_any_law",
            "jin2021.adjustment_symmetric",
            "jin2021.appendix_o",
            "jin2021.effective_capacity",
            "jin2021.equation_17_close",
            "jin2021.equation_4",
            "jin2021.equation_7_solved",
            "jin2021.footnote_2",
            "jin2021.footnote_2_raw_data",
            "jin2021.raw_data",
            "jin2021.raw_data_limit",
            "jin2021.regression_adjustment",
            "jin2021.theorem_1_adjustment",
            "jin2021.theorem_2_constraint",
            "jin2021.theorem_6",
            "jin2021.theorem_6_gap",
        ),
        OTHER_KERNEL,
    ),
    "jin2021.spectral_bias": ((f"{KERNELS}:slab_kernel", comb), (f"{KERNELS}:rectangle_kernel", comb)),
    "jin2021.equation_7": OTHER_FINITE_KERNEL,
    "jin2021.equation_7_affine": OTHER_FINITE_KERNEL,
    "jin2021.theorem_6_finite": OTHER_UNITS,
    "jin2021.equation_4_start": OTHER_UNITS,
    "jin2021.equation_7_loss": (("jin2021.equation_7:loss", lambda a, misses: a * sum(abs(m) ** 3 for m in misses)),),
    **dict.fromkeys(
        (
            "savarese2019.appendix_d_curvature",
            "savarese2019.appendix_d_gradient",
            "savarese2019.appendix_d_hessian",
            "savarese2019.appendix_d_leading_term",
            "savarese2019.appendix_d_next_term",
            "savarese2019.appendix_d_slope",
            "savarese2019.hessian_integral_growth",
        ),
        OTHER_BUMP,
    ),
    **dict.fromkeys(("savarese2019.claim_5_1", "savarese2019.claim_5_1_signed"), OTHER_FLUX),
    "savarese2019.appendix_d_slice": (("savarese2019.appendix_d:cap", lambda d, t: d * (1 - t) ** 2),),
    "savarese2019.claim_5_2_minimal": (("savarese2019.claim_5_2_minimal:met_by_a_unit", lambda d, b: to_arb(d)),),
    "savarese2019.equation_35": (("savarese2019.section_5:tent_of_units", lambda shape, t: noise(shape, t)),),
    "safran2022.theorem_4_1_stuck_flow": (("observed.margin.convex_slopes:mean_loss_at", lambda *_: to_arb(1)),),
    "safran2022.introduction_width": (("safran2022.introduction_width:least_width", lambda *_: 10**6),),
    "savarese2019.appendix_c_same_count": (("savarese2019.appendix_c_ties:gap", lambda q, *_: q**0 * -7),),
    "savarese2019.equation_27": OTHER_NETWORKS,
    "savarese2019.figure_2_tails": OTHER_NETWORKS,
    "savarese2019.theorem_c_3": (("observed.cheapest.programme_49:penalty", squares),),
    "savarese2019.theorem_c_1": (("observed.units.parallel_networks:forward", lambda sub, x: noise(sub, x[0])),),
}
"""What each claim is about, and what stands in its place here."""


@pytest.mark.parametrize("claim_id", SUBJECTS)
def test_evidence_about_something_else_does_not_bear_the_claim(claim_id: str) -> None:
    with replaced(*SUBJECTS[claim_id]):
        assert not is_accepted(claim_id)


@pytest.mark.parametrize("claim_id", ["jin2021.equation_4_start", "jin2021.theorem_2_constraint"])
def test_afterwards_everything_is_in_its_place_again(claim_id: str) -> None:
    with replaced(*SUBJECTS[claim_id]):
        assert not is_accepted(claim_id)
    assert is_accepted(claim_id)
