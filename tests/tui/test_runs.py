"""Runs: started, watched, cancelled, killed, quit from; results arrive live and from elsewhere."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList

from implicitbias.claims.catalogue import load
from implicitbias.judging.verdict import Standing
from implicitbias.record.ledger import Ledger
from implicitbias.running.runner import run
from implicitbias.tui.app import ImplicitBias
from implicitbias.tui.screens.choose_run import ChooseRun
from implicitbias.tui.screens.confirm import Confirm
from implicitbias.tui.settings import Settings
from tests.support.patience import AT_ONCE
from tests.support.playing import FOLDER, play, read, screen_text, until, walk

Pilots = Pilot[Any]
SLOW = "shown.theorem_6"
SWEEP = "shown.theorem_7"


def standing(app: ImplicitBias, claim: str) -> Standing:
    return app.snapshot.standing(claim).standing


async def ended(app: ImplicitBias, pilot: Pilots) -> None:
    await until(pilot, lambda: app.run_now is None and app.progress is None)


def test_a_claim_is_run_and_its_result_shows_up_and_is_in_the_ledger(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        walk(app).action_go(SLOW)
        await pilot.press("R")
        await until(pilot, lambda: standing(app, SLOW) is Standing.ESTABLISHED)
        await ended(app, pilot)
        await read(app, pilot)
        assert "✓  Thm. 6  The area, measured" in screen_text(app)

    play(settings, script)
    with Ledger(settings.ledger, read_only=True) as ledger:
        assert ledger.latest(SLOW, "slowly") is not None


def test_the_dialogue_offers_claims_and_counts_and_budgets(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        await pilot.press("slash", *"slowly", "enter", "r")
        assert isinstance(app.screen, ChooseRun)
        orders = {order.says: len(order.claims) for order in app.orders()}
        assert orders == {
            "this claim": 1,
            "this paper": 11,
            "what the filter shows": 1,
            "everything": 11,
            "only failed": 4,
            "only stale or not run here": 2,
        }
        await pilot.press("b", "a", "plus", "plus", "minus")
        shown = screen_text(app)
        assert "full: an hour or two" in shown
        assert "yes, whatever is recorded" in shown
        assert "seed    1" in shown
        await pilot.press("a", "b", "b", "minus")
        assert app.screen.query_one(OptionList).highlighted == 0
        await pilot.press("enter")
        await ended(app, pilot)
        assert standing(app, SLOW) is Standing.ESTABLISHED

    play(settings, script)


def test_what_is_fresh_need_not_run_again_and_the_interface_says_so(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        await pilot.press("r", "enter")
        await ended(app, pilot)
        assert any("Nothing had to run: 2 results still fresh" in n.message for n in app._notifications)

    play(settings, script)


def test_a_claim_is_run_with_what_it_rests_on_and_the_time_of_last_time_is_told(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        catalogue = app.snapshot.catalogue
        resting = next(c for c in catalogue.claims if c.rests_on and len(app.snapshot.with_support(c)) > 1)
        walk(app).action_go(resting.id)
        await pilot.press("R")
        assert app.run_now is not None
        order = app.run_now.order
        assert order.claims == (resting,)
        below = {claim.id for claim in app.snapshot.with_support(resting)} - {resting.id}
        assert {claim.id for claim in order.rests_on} == below
        told = [n.message for n in app._notifications]
        assert any("this claim and all it rests on" in message for message in told)
        assert order.took is None or any("last time that took" in message for message in told)
        await ended(app, pilot)

    play(settings, script)


def test_a_key_that_runs_the_shown_claim_says_so_where_none_is_shown(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        walk(app).action_go_to_paper(app.snapshot.catalogue.papers[0].key)
        await pilot.press("R")
        assert app.run_now is None
        assert any("No claim is shown" in n.message for n in app._notifications)

    play(settings, script)


def test_the_folder_of_the_default_ledger_is_made(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("IMPLICITBIAS_LEDGER", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "nowhere" / "yet"))

    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        walk(app).action_go("shown.theorem_1")
        await pilot.press("R")
        await ended(app, pilot)

    play(replace(settings, ledger=None), script)
    assert (tmp_path / "nowhere" / "yet" / "implicitbias" / "ledger.sqlite").is_file()


def test_progress_shows_each_running_check_with_its_jobs(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOWN_SECONDS", "0.4")

    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        walk(app).action_go(SWEEP)
        await pilot.press("R")
        await until(pilot, lambda: "theorem_7 · four points  job 2 of 4" in screen_text(app))
        assert "▸ this claim  0 of 1" in screen_text(app)
        assert "▸ four points" in screen_text(app)
        await ended(app, pilot)
        assert standing(app, SWEEP) is Standing.ESTABLISHED

    play(settings, script)


def test_a_run_is_cancelled_at_once_and_what_had_finished_is_kept(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOWN_SECONDS", "30")

    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        walk(app).action_go(SLOW)
        await pilot.press("R")
        await until(pilot, lambda: bool(app.progress and app.progress.active))
        assert app.run_now is not None
        await until(pilot, lambda: bool(app.run_now and app.run_now.worker_ids()))  # it may be starting yet
        workers = app.run_now.worker_ids()
        began = time.monotonic()
        await pilot.press("x")
        await ended(app, pilot)
        assert time.monotonic() - began < AT_ONCE
        assert workers
        assert not any(_lives(pid) for pid in workers)
        assert standing(app, SLOW) is Standing.UNCHECKED

    play(settings, script)


def test_a_killed_worker_is_replaced_and_the_run_goes_on(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOWN_SECONDS", "1")

    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        walk(app).action_go(SLOW)
        await pilot.press("R")
        await until(pilot, lambda: bool(app.progress and app.progress.active))
        assert app.run_now is not None
        for pid in app.run_now.worker_ids():
            os.kill(pid, signal.SIGKILL)
        await pilot.press("j", "k")
        await ended(app, pilot)
        assert standing(app, SLOW) is Standing.ESTABLISHED

    play(settings, script)


def test_quitting_during_a_run_asks_and_leaves_no_worker(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOWN_SECONDS", "30")
    workers: list[int] = []

    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        walk(app).action_go(SLOW)
        await pilot.press("R")
        await until(pilot, lambda: bool(app.progress and app.progress.active))
        run = app.run_now
        assert run is not None
        await until(pilot, lambda: bool(run.worker_ids()))
        workers.extend(run.worker_ids())
        await pilot.press("q")
        assert isinstance(app.screen, Confirm)
        await pilot.press("n")
        assert app.screen is walk(app)
        await pilot.press("q", "y")

    app = play(settings, script)
    assert app.return_code == 0
    assert workers
    assert not any(_lives(pid) for pid in workers)


def test_results_of_a_run_elsewhere_show_up(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        assert standing(app, SLOW) is Standing.UNCHECKED
        [result] = run([load(FOLDER).claim(SLOW)], folder=FOLDER, workers=1)
        with Ledger(settings.ledger) as ledger:
            ledger.append(replace(result, seconds=1.0))
        await until(pilot, lambda: standing(app, SLOW) is Standing.ESTABLISHED)
        assert "✓  Thm. 6" in screen_text(app)
        assert any("another run" in n.message for n in app._notifications)

    play(settings, script)


def test_only_one_run_at_a_time(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOWN_SECONDS", "30")

    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        walk(app).action_go(SLOW)
        await pilot.press("R")
        await until(pilot, lambda: bool(app.progress and app.progress.active))
        first = app.run_now
        await pilot.press("R", "r")
        assert app.run_now is first
        assert app.screen is walk(app)

    play(settings, script)


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
