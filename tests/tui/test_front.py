"""The front page: the papers and how they stand, where results come from, and the ways on from there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from implicitbias.claims.catalogue import load
from implicitbias.judging.result import Result
from implicitbias.record import known, shipped
from implicitbias.record.ledger import Ledger
from implicitbias.report.words import located
from implicitbias.tui.app import ImplicitBias
from implicitbias.tui.data.snapshot import of
from implicitbias.tui.palette import rank
from implicitbias.tui.says import story
from implicitbias.tui.screens.front import FrontScreen
from implicitbias.tui.screens.playground import PlaygroundScreen
from implicitbias.tui.screens.tour import TourScreen
from implicitbias.tui.screens.walk import WalkScreen
from implicitbias.tui.settings import Settings
from tests.support.playing import play, screen_text, until, walk

Pilots = Pilot[Any]


def test_it_shows_the_papers_and_leads_to_one(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        assert isinstance(app.screen, FrontScreen)
        if app.size.height >= 24:
            assert "results were made here" in screen_text(app)
        for paper in app.snapshot.catalogue.papers:
            assert paper.key in screen_text(app)
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, WalkScreen)
        assert app.screen.paper is app.snapshot.catalogue.papers[0]
        await pilot.press("F")
        await pilot.pause()
        assert isinstance(app.screen, FrontScreen)
        await pilot.press("slash", *"lemma")
        await pilot.pause()
        assert isinstance(app.screen, WalkScreen)
        assert app.screen.query_one("#filter-text").has_focus

    for size in ((120, 40), (80, 24), (52, 15)):
        play(replace(settings, front=True), script, size)


def test_the_keys_of_somebody_in_a_hurry_wait_for_the_walk(settings: Settings) -> None:
    """The walk is laid out only after the front page is drawn."""

    async def at_once(leave: Callable[[ImplicitBias], None], there: Callable[[ImplicitBias], bool]) -> None:
        app = ImplicitBias(load(settings.claims), replace(settings, front=True))
        async with app.run_test() as pilot:
            leave(app)
            await until(pilot, lambda: isinstance(app.screen, WalkScreen) and app.screen.is_mounted and there(app))

    paper, claim = load(settings.claims).papers[0].key, load(settings.claims).claims[2].id
    asyncio.run(at_once(lambda app: app.go_to_paper(paper), lambda app: walk(app).paper is not None))
    asyncio.run(at_once(lambda app: app.go(claim), lambda app: walk(app).shown_claim.id == claim))  # type: ignore[union-attr]
    asyncio.run(at_once(lambda app: app.search(), lambda app: walk(app).query_one("#filter-text").has_focus))


def test_the_other_ways_on(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        await pilot.press("T")
        assert isinstance(app.screen, TourScreen)
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, WalkScreen)
        await pilot.press("F", "P")
        assert isinstance(app.screen, PlaygroundScreen)
        await pilot.press("escape")
        await pilot.pause()
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, WalkScreen)

    play(replace(settings, front=True), script)


def test_results_that_came_with_the_package_are_told_apart(
    settings: Settings, results: tuple[Result, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("IMPLICITBIAS_LEDGER", raising=False)
    monkeypatch.setattr(shipped, "PACKED", tmp_path / "packed.xz")
    monkeypatch.setattr(shipped, "cache_folder", lambda: str(tmp_path / "cache"))
    monkeypatch.setattr(known, "default_path", lambda: tmp_path / "default.sqlite")
    shipped.pack(settings.ledger_path, shipped.PACKED, {(r.claim, r.check) for r in results})
    with Ledger(tmp_path / "default.sqlite"):
        pass

    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        await until(pilot, lambda: len(app.snapshot.elsewhere) == len(results))
        await until(pilot, lambda: "results came with implicitbias, recorded" in screen_text(app))
        assert f"All {len(results)} results" in screen_text(app)
        await pilot.press("escape", "6")
        await until(pilot, lambda: "It came with implicitbias, made elsewhere" in screen_text(app))
        assert "↓ " in screen_text(app)
        await pilot.press("R")
        await until(pilot, lambda: app.run_now is None and len(app.snapshot.elsewhere) < len(results))
        await until(pilot, lambda: "The last result is fresh" in screen_text(app))
        unlike = next(order for order in app.orders() if order.says == "only stale or not run here")
        assert len(unlike.claims) == len(app.snapshot.claims) - 1

    play(replace(settings, front=True, ledger=tmp_path / "default.sqlite"), script)


def test_the_story_tells_claims_of_the_shipped_theory(settings: Settings) -> None:
    catalogue = load()
    assert [claim.id for claim in story.told(catalogue)] == [chapter.claim for chapter in story.STORY]
    assert story.told(load(settings.claims)) == ()

    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        await pilot.press("T")
        await pilot.pause()
        assert story.STORY[0].question in screen_text(app)
        assert "chapter 1 of 10" in screen_text(app)
        await pilot.press("m")
        await pilot.pause()
        assert "part 1 of" in screen_text(app)
        await pilot.press("m", "n")
        await pilot.pause()
        assert story.STORY[1].question in screen_text(app)
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, WalkScreen)
        assert app.screen.shown_claim is not None
        assert app.screen.shown_claim.id == story.STORY[1].claim
        await pilot.press("down", "i")
        await pilot.pause()
        assert isinstance(app.screen, TourScreen)
        assert app.screen.chapter is None

    play(replace(settings, claims=None, front=True), script)


def test_the_palette_finds_a_theorem_before_what_mentions_it(settings: Settings) -> None:
    catalogue = load()
    hits = sorted(
        catalogue.claims,
        key=lambda claim: -rank(claim, f"{located(claim)} · {claim.title}", "theorem 3.1"),
    )
    assert {claim.id for claim in hits[:2]} == {"savarese2019.theorem_3_1", "safran2022.theorem_3_1"}


def test_a_filter_that_nothing_passes_says_so(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        await pilot.press("slash", *"zzzz")
        await until(pilot, lambda: "no claim passes the filter: esc clears it" in screen_text(app))
        await pilot.press("escape")
        await until(pilot, lambda: "no claim passes" not in screen_text(app))

    play(settings, script)


def test_a_claim_can_be_run_with_all_it_rests_on() -> None:
    catalogue = load()
    known = {claim.id for claim in of(catalogue).with_support(catalogue.claim("savarese2019.theorem_3_3"))}
    assert {"savarese2019.theorem_3_3", "savarese2019.theorem_3_1", "savarese2019.equation_14"} <= known
    assert known < {claim.id for claim in catalogue.claims}
