"""The page holds everything, escapes it, links only to what is there, and is one file that needs no network."""

from __future__ import annotations

import io
import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser

from implicitbias import report as reports
from implicitbias.claims.evidence import Curve
from implicitbias.claims.statement import Paper
from implicitbias.judging.result import stand
from implicitbias.report.summary import Report


def page(report: Report) -> str:
    stream = io.StringIO()
    reports.write(report, stream, "html")
    return stream.getvalue()


class _Read(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if given.get("id"):
            self.ids.append(given["id"] or "")
        for name in ("href", "src"):
            if given.get(name):
                self.links.append(given[name] or "")

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def words(report: Report) -> str:
    return re.sub(r"\s+", " ", " ".join(_Read(page(report)).words))


def test_ids_are_unique_and_all_links_lead_somewhere_on_the_page(report):
    read = _Read(page(report))
    assert max(Counter(read.ids).values()) == 1
    assert read.links
    assert all(link.startswith("#") and link[1:] in read.ids for link in read.links)
    assert {s.claim.id for s in report.standings} <= set(read.ids)


def test_every_claim_is_told_with_its_checks_controls_and_counterexamples(report):
    shown = words(report)
    for s in report.standings:
        for part in (s.claim.title, s.claim.statement, *(c.why for c in s.claim.controls), *s.claim.hypotheses):
            assert part in shown
        for check in s.claim.checks:
            assert check.name in shown
            assert check.acceptance in shown
    assert "observed 3, the candidate says 5" in shown  # the counterexample to T + |s|
    assert "in print: misprint" in shown.lower()
    assert "the text says |s|" in shown
    assert "No check rejects the control T" in shown
    assert "smallest gap 1/2" in shown
    assert "split the measure in two" in shown
    assert "0.123457" in shown


def test_what_a_claim_says_is_escaped(report):
    s = report.standings[0]
    hostile = replace(s.claim, title="<script>alert(1)</script>", statement="a < b & c", latex=r"\unknown{x}<y")
    text = page(replace(report, standings=(replace(s, claim=hostile), *report.standings[1:])))
    assert "<script>alert" not in text
    assert "a &lt; b &amp; c" in text
    assert r"<code>\unknown{x}&lt;y</code>" in text


def test_the_graph_links_a_headline_to_all_it_rests_on(report):
    text = page(report)
    assert "href=#paper2020.theorem_1 data-rests=paper2020.equation_2" in text
    assert "data-from=paper2020.theorem_1 data-to=paper2020.equation_2" in text
    assert text.split("on their own</text>")[1].count('class="node') == 3  # labels come last; lemma 3 has no line
    assert text.count("class=edge ") == 1


def test_what_rests_on_another_paper_is_listed_and_marked_in_the_graph(report):
    above, *others = (s.claim for s in report.standings)
    there = replace(above, id="other2021.lemma_1", rests_on=())
    above = replace(above, rests_on=(*above.rests_on, there.id))
    papers = (*report.papers, Paper("other2021", "Another", "A. Nother", 2021))
    text = page(replace(report, standings=tuple(stand((above, *others, there), ()).values()), papers=papers))
    assert 'href=#paper2020.theorem_1 data-rests="other2021.lemma_1 paper2020.equation_2"' in text
    assert "rests on other2021" in text.split("Across papers</h3>")[1]


def test_errata_show_the_printed_and_the_corrected_form_typeset(report):
    row = page(report).split("<tr id=paper2020-e1>")[1].split("<tr")[0]
    printed, correct = row.split("✗ ")[1], row.split("✓ ")[1]
    assert printed.startswith("<math>")
    assert correct.count("<mo>|</mo>") == 2


def test_claims_that_speak_of_the_same_thing_are_linked_from_both(report):
    first, *others = report.standings
    linked = replace(first, claim=replace(first.claim, see_also=("paper2020.lemma_3",)))
    text = page(replace(report, standings=(linked, *others)))
    assert text.count("<dt>see also") == 2
    assert "<a href=#paper2020.lemma_3>" in text


def test_curves_are_drawn_with_finite_points_only(report):
    s = report.standings[0]
    curve = Curve("the network", (0.0, 1.0, 2.0), (0.0, float("nan"), 4.0))
    evidence = replace(s.results[0].evidence, curves=(curve, Curve("data", (0.0, 2.0), (0.0, 4.0), "points")))
    seen = replace(s, results=(replace(s.results[0], evidence=evidence), *s.results[1:]))
    text = page(replace(report, standings=(seen, *report.standings[1:])))
    assert "<title>functions by x</title>" in text
    assert '<li class="series-0 line">the network<li class=data>data' in text
    assert "NaN" not in text
    assert "nan," not in text
    assert "Mnan" not in text


def test_a_report_without_claims_is_a_page_too():
    assert "0 claims" in page(Report(()))


def test_parts_are_folded_below_their_headline_and_our_own_results_are_marked(report):
    whole, part, own = report.standings
    part = replace(part, claim=replace(part.claim, part_of=whole.claim.id), headline=whole.claim)
    own = replace(own, claim=replace(own.claim, part_of=whole.claim.id), headline=whole.claim)
    text = page(replace(report, standings=(replace(whole, parts=(part, own)), part, own)))
    folded = text.split("<details class=parts>")[1].split("</details>\n</div>")[0]
    assert "1 of its 2 parts broken (equation_2), 1 not run" in folded
    assert f"id={part.claim.id} " in folded
    assert f"id={own.claim.id} " in folded
    assert 'class="where own">our own result, beside Lemma 3' in folded
    assert "2 of the papers, 1 our own" in text
    assert max(Counter(_Read(text).ids).values()) == 1


def test_cases_without_labels_have_no_column_for_them(report):
    assert "<th>case" in page(report)
    standings = tuple(
        replace(
            s,
            results=tuple(
                replace(
                    r,
                    evidence=replace(r.evidence, instances=tuple(replace(i, label="") for i in r.evidence.instances)),
                )
                for r in s.results
            ),
        )
        for s in report.standings
    )
    assert "<th>case" not in page(replace(report, standings=standings))
