"""A sample of the catalogue: claims that have no rival inside the range that was tried, and must not get one."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from implicitbias.claims.catalogue import load
from implicitbias.judging.result import Result
from implicitbias.judging.rivals.confirmed import rivals_of
from implicitbias.running.executor import WorkerPool

SAMPLE = (
    "savarese2019.theorem_3_1_inequality",
    "savarese2019.lemma_1_excess",
    "savarese2019.reparametrisation",
    "safran2022.section_2_homogeneity",
    "jin2021.equation_2",
    "savarese2019.footnote_4",
    "savarese2019.theorem_3_3_band",
    "dedios2020.cells_order",
    "dedios2020.figure_1_cells",
    "dedios2020.theorem_4_7",
    "dedios2020.section_2_2_unicity",
    "jin2021.corollary_3",
    "jin2021.theorem_2_norm",
    "safran2022.equations_5_6_third",
    "safran2022.example_1_better",
    "stewart2022.lemma_4_bracket",
    "stewart2022.section_5_3_r_reg",
)
EXPRESSIONS = 20_000
"""Of each claim: a part of what `implicitbias rivals --all` tries."""


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool]:
    with WorkerPool(1) as opened:
        yield opened


@pytest.mark.parametrize("claim_id", SAMPLE)
def test_the_evidence_accepts_nothing_else_inside_its_range(
    claim_id: str, pool: WorkerPool, evidence_of: Callable[[str], list[Result]]
) -> None:
    claim = load().claim(claim_id)
    assert isinstance(claim.formula, str)
    found = evidence_of(claim_id)
    rivals = rivals_of(found, claim.formula, tuple(claim.symbols), pool, EXPRESSIONS, domain=claim.domain)
    assert not rivals.trouble
    assert rivals.found.evaluated >= min(EXPRESSIONS, 10_000)
    assert not rivals.inside
