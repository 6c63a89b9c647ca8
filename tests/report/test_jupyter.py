"""`%load_ext implicitbias.report.jupyter`: what the public functions return, as tables that obey nothing in them."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

import implicitbias as ib
from implicitbias.claims.check import Context
from implicitbias.judging.result import Result, assess
from implicitbias.report.jupyter import load_ipython_extension
from tests.shown.test_shown import Tags

CLAIM = ib.load(formulas=False).claim("savarese2019.lemma_1")


@pytest.fixture
def shown() -> Any:
    """What a shell of IPython would show of an object, by the class that it looks up."""
    html: dict[tuple[str, str], Any] = {}
    formatter = SimpleNamespace(for_type_by_name=lambda module, name, show: html.update({(module, name): show}))
    load_ipython_extension(SimpleNamespace(display_formatter=SimpleNamespace(formatters={"text/html": formatter})))

    def show(thing: Any) -> str:
        text: str = html[type(thing).__module__, type(thing).__name__](thing)
        assert Tags(text).seen <= {"table", "caption", "tr", "th", "td", "scope", "style"}
        return text

    return show


def result() -> Result:
    check = next(check for check in CLAIM.checks if check.name == "bracketed over all scales")
    return assess(CLAIM, check, check.observe(Context()))


def test_a_result_shows_its_verdict_and_what_was_rejected(shown: Any) -> None:
    text = Tags(shown(found := result())).text
    assert "CERTIFIED" in text
    assert f"{len(found.controls)} of {len(CLAIM.controls)}" in text
    assert "·" not in text.partition("verdict")[2].partition("reason")[0]


def test_a_claim_shows_its_statement_and_formula_whole(shown: Any) -> None:
    text = Tags(shown(CLAIM)).text
    assert CLAIM.statement in text
    assert all(str(part) in text for part in (CLAIM.id, CLAIM.title, CLAIM.formula))


def test_a_catalogue_counts_the_claims_of_each_paper(shown: Any) -> None:
    catalogue = ib.load(formulas=False)
    text = Tags(shown(catalogue)).text
    counts = [int(word) for word in text.split() if word.isdecimal()]
    assert counts[0] == sum(counts[1:]) == len(catalogue.claims)


def test_a_certificate_shows_whether_it_is_valid_and_why_not(shown: Any) -> None:
    good = ib.min_norm_interpolant([0, 1], [0, 1]).certificate()
    assert ib.check_certificate(good).statement in Tags(shown(ib.check_certificate(good))).text
    bad = shown(ib.check_certificate({"format": "<script>"}))
    assert "no" in Tags(bad).text
    assert "<script>" in Tags(bad).text


def test_what_is_written_in_a_claim_is_not_obeyed(shown: Any) -> None:
    text = shown(replace(CLAIM, title="<script>alert(1)</script>", statement="\x1b[31m<b>"))
    assert "\x1b" not in text
    assert "<script>alert(1)</script>" in Tags(text).text


def test_loading_the_extension_loads_no_class_that_it_shows() -> None:
    program = "import sys, implicitbias.report.jupyter; print('implicitbias.claims' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
