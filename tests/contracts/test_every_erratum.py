"""Every erratum of the shipped theory quotes, cites, and says what it changes; none is counted twice."""

from __future__ import annotations

import importlib
import re

import pytest

from implicitbias.claims.catalogue import load
from implicitbias.claims.errata import problems_of_errata
from implicitbias.claims.erratum import COUNTED, EFFECTS
from implicitbias.claims.statement import candidate_text

CATALOGUE = load()
ERRATA = {erratum.id: erratum for erratum in CATALOGUE.errata}
FLAWED = [claim.id for claim in CATALOGUE.claims if claim.flaw]
SCANNED = {"dedios2020", "safran2022"}
"""Papers of which only a scan's text was read."""


def same(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def test_the_errata_are_well_formed_and_their_ids_unique_and_without_a_gap() -> None:
    files = [(CATALOGUE.file_of(CATALOGUE.claims[0].id), erratum) for erratum in CATALOGUE.errata]
    assert not list(problems_of_errata(files))
    for paper in CATALOGUE.papers:
        numbers = sorted(int(i.rpartition("-e")[2]) for i, erratum in ERRATA.items() if erratum.paper == paper.key)
        assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("claim_id", FLAWED)
def test_a_claim_points_to_an_erratum_of_its_papers_file(claim_id: str) -> None:
    claim = CATALOGUE.claim(claim_id)
    assert claim.flaw is not None
    module = importlib.import_module(f"implicitbias.theory.{claim.paper}.errata")
    assert claim.flaw.erratum in module.ERRATA
    if claim.printed is not None:
        assert candidate_text(claim.printed) != candidate_text(claim.formula)


@pytest.mark.parametrize("erratum_id", ERRATA)
def test_an_erratum_quotes_what_differs_from_the_correct_form_and_says_what_it_changes(erratum_id: str) -> None:
    erratum = ERRATA[erratum_id]
    assert erratum.effect in EFFECTS
    assert erratum.quotation != erratum.correct
    if not erratum.formula:
        assert same(erratum.quotation) not in same(erratum.correct), "the correct words are other words"
    assert len(erratum.charitable) > 10
    assert len(erratum.quotation) < 260, "a few words are quoted, not a passage"
    if erratum.effect in COUNTED:
        assert len(erratum.bearing) > 40


@pytest.mark.parametrize("erratum_id", ERRATA)
def test_an_erratum_names_edition_and_place_and_what_it_was_transcribed_from(erratum_id: str) -> None:
    erratum = ERRATA[erratum_id]
    assert erratum.readings
    for reading in erratum.readings:
        assert reading.edition.name
        assert reading.edition.file.endswith(".txt")
        assert reading.where
        if erratum.formula and erratum.paper not in SCANNED:
            last = erratum.readings[-1]
            assert last.seen in ("the picture of the page", "the text of the file")
            assert re.search(r"pages? \d", last.where), "a formula of a version of record is looked up on its page"
    assert erratum.word != "retracted by the authors", "none of these authors has said so"


def test_no_slip_is_listed_under_two_ids() -> None:
    quoted = [(erratum.paper, same(erratum.quotation)) for erratum in CATALOGUE.errata]
    assert len(set(quoted)) == len(quoted)


def test_what_was_mended_is_marked_and_only_that() -> None:
    mended = {erratum.id: erratum.mended for erratum in CATALOGUE.errata if erratum.mended}
    assert mended == {
        "jin2021-e5": "JMLR 2023",
        "jin2021-e6": "JMLR 2023",
        "jin2021-e7": "JMLR 2023",
        "stewart2022-e1": "AISTATS 2023 (PMLR 206)",
    }
