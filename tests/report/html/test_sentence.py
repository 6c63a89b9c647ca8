"""Sentences on the page: every index and power is lowered or raised, and nothing else is."""

from __future__ import annotations

import re

import pytest

from implicitbias.claims.catalogue import load
from implicitbias.report.html.sentence import sentence


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("lim_{e->0} ‖h_θ − f‖_∞", "lim<sub>e-&gt;0</sub> ‖h<sub>θ</sub> − f‖<sub>∞</sub>"),
        ("[W_ix + B_i]_+", "[W<sub>i</sub>x + Bᵢ]₊"),
        ("σ_w³σ_b²x", "σ<sub>w</sub>³σ<sub>b</sub>²x"),
        ("h^(l)_(W_i)", "hˡ<sub>Wᵢ</sub>"),
        ("n^{-(1 - 2/ν)} < 1", "n<sup>-(1 - 2/ν)</sup> &lt; 1"),
        ("lemma_1, x_train and savarese2019.theorem_3_1", "lemma_1, x_train and savarese2019.theorem_3_1"),
        ("<b>a & b</b>", "&lt;b&gt;a &amp; b&lt;/b&gt;"),
    ],
)
def test_indices_and_powers(typed: str, shown: str) -> None:
    assert str(sentence(typed)) == shown


def test_nothing_of_the_catalogue_is_left_as_it_was_typed() -> None:
    catalogue = load()
    told = [t for c in catalogue.claims for t in (c.statement, *c.hypotheses, *c.symbols.values())]
    told += [t for e in catalogue.errata for t in (e.quotation, e.correct, e.bearing, e.charitable) if t]
    names = re.compile(r"\b\w{3,}\.\w+|\b[a-z]+(_[a-z0-9]+)+\b")
    left = [t for t in told if re.search(r"[_^]", names.sub("", str(sentence(t))))]
    assert left == []
