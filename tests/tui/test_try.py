"""A formula of the reader's own, judged by what is recorded."""

from __future__ import annotations

from typing import Any

from textual.pilot import Pilot
from textual.widgets import Input

from implicitbias.judging.judgement import Outcome
from implicitbias.tui.app import ImplicitBias
from implicitbias.tui.settings import Settings
from implicitbias.tui.widgets.try_panel import TryPanel
from tests.support.playing import play, screen_text, until, walk

Pilots = Pilot[Any]


async def judge(app: ImplicitBias, pilot: Pilots, formula: str) -> Outcome | None:
    panel = walk(app).query_one(TryPanel)
    panel.query_one(Input).value = formula
    await pilot.press("enter")
    await until(pilot, lambda: panel.formula == formula and panel._end is not None)
    await pilot.pause()
    return panel.outcome


def test_formulas_are_accepted_refuted_and_refused(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        await pilot.press("t")
        field = walk(app).query_one("#try-formula", Input)
        assert field.has_focus
        assert field.value == "x²"
        assert await judge(app, pilot, "Abs(x)*Abs(x)") is Outcome.ACCEPTED
        assert "✓ ACCEPTED" in screen_text(app)
        assert await judge(app, pilot, "x**2 + x") is Outcome.REJECTED
        shown = screen_text(app)
        assert "✗ REFUTED" in shown
        assert "where     x = 1" in shown
        assert "+ your formula says" in shown
        assert walk(app).command_line().startswith("implicitbias try shown.theorem_1 --formula 'x**2 + x' --claims ")
        assert await judge(app, pilot, "z + 1") is None
        assert "'z' is not a name that this formula may use" in screen_text(app)
        assert await judge(app, pilot, "2*x +") is None
        assert "is not a formula" in screen_text(app)
        await pilot.press("escape")
        assert not walk(app).reader.is_trying
        assert app.focused is not None

    play(settings, script)


def test_a_formula_is_judged_as_it_is_typed(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        await pilot.press("t", "end", "backspace", "circumflex_accent", "3")
        panel = walk(app).query_one(TryPanel)
        await until(pilot, lambda: panel.outcome is Outcome.REJECTED)
        assert panel.formula == "x^3"

    play(settings, script, (80, 24))


def test_a_rule_and_a_claim_that_was_not_run_say_so(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        walk(app).action_go("shown.rule_8")
        await pilot.press("t")
        assert any("states a rule" in n.message for n in app._notifications)
        assert not walk(app).reader.is_trying
        walk(app).action_go("shown.theorem_6")
        await pilot.press("t")
        await judge(app, pilot, "x")
        assert "no evidence is recorded" in screen_text(app)

    play(settings, script)


def test_a_simplification_that_takes_long_holds_up_no_key(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        await pilot.press("t")
        panel = walk(app).query_one(TryPanel)
        deep = "x**2"
        for _ in range(9):
            deep = f"sqrt(({deep})**2 + sin({deep})**2 + cos({deep})**2 - 1)"
        panel.query_one(Input).value = deep
        await pilot.press("enter", "escape", "n")
        assert walk(app).shown_claim is not None
        assert walk(app).shown_claim.id == "shown.theorem_2"  # type: ignore[union-attr]
        await pilot.press("t")
        assert await judge(app, pilot, "x*x") is Outcome.ACCEPTED

    play(settings, script)
