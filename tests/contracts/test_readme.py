"""What the README shows of a claim's page is what the command prints."""

import io
from pathlib import Path

import pytest

from implicitbias.claims.catalogue import load
from implicitbias.commands.claims.show import print_page
from implicitbias.judging.result import Result, stand

README = Path(__file__).parents[2] / "README.md"
CLAIM = "savarese2019.theorem_3_1"
LEFT_OUT = "…"


def test_the_page_of_a_claim_is_as_it_is_shown(results: list[Result], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)  # the README shows what is printed where nobody said how wide
    shown = README.read_text(encoding="utf-8").partition(f"$ implicitbias show {CLAIM}\n")[2].partition("\n\n")[0]
    catalogue, stream = load(), io.StringIO()
    print_page(catalogue, stand(catalogue.claims, results), CLAIM, stream)
    printed = iter(stream.getvalue().splitlines())
    assert LEFT_OUT in shown.splitlines()
    for line in shown.splitlines():
        assert line == LEFT_OUT or line in printed, line  # `in` goes on from where it was: the order counts
