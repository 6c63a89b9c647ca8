"""Walking: the tree, the filter, the claim, its checks, and what is known of each."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList

from implicitbias.tui.app import ImplicitBias
from implicitbias.tui.screens.choose_claim import ChooseClaim
from implicitbias.tui.screens.jump import Jump
from implicitbias.tui.settings import Settings
from implicitbias.tui.widgets.reading_pane import ReadingPane
from tests.support.playing import play, read, screen_text, until, walk

Pilots = Pilot[Any]


ROWS = (
    ("✓", "ESTABLISHED ", "Theorem 1", "The area of a square"),
    ("✎", "CORRECTED   ", "Theorem 2", "The area, as printed"),
    ("✗", "REFUTED     ", "Theorem 3", "An area with a slip"),
    ("?", "UNDECIDED   ", "Theorem 4", "The area of a bent square"),
    ("!", "BROKEN      ", "Theorem 5", "The area of nothing"),
    ("·", "UNCHECKED   ", "Theorem 6", "The area, measured slowly"),
    ("✓", "ESTABLISHED*", "Rule 8", "Which sides are whole"),
    ("?", "UNDECIDED   ", "Lemma 9", "The area in cases"),
)


def test_the_first_screen_shows_every_headline_with_standing_place_and_title(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        rows = [" ".join(line.split()) for line in screen_text(app).split("\n")]
        for glyph, word, place, title in ROWS:
            star = word[11:].strip()
            standing = f"{glyph}{star}"
            shown = place.replace("Theorem", "Thm.") if app.size.width == 120 else place
            assert any(f"{standing} {shown} {title[:20]}" in row for row in rows), (standing, place, rows)
        assert any("▾ shown Squ" in row and "! 1 ✗ 1 ? 1 · 2 ✓ 4 ✎ 1 ◇ ? 1" in row for row in rows), rows
        assert any("10 of the papers" in row and "1 our own" in row for row in rows)
        assert not any("Small sides" in row for row in rows)

    for size in ((80, 24), (120, 40), (160, 50)):
        play(settings, script, size)


def test_space_unfolds_a_headline_and_what_is_undecided_in_it_shows(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        walk(app).action_go("shown.lemma_9")
        await pilot.pause(0.1)
        page = " ".join(walk(app).query_one("#page", ReadingPane).text.split())  # type: ignore[attr-defined]
        assert "✓ ESTABLISHED" in page
        assert "? UNDECIDED with its parts; the weakest, lemma_9_bent: bent: the sides are straight" in page
        assert "1 of its 2 parts undecided (lemma_9_bent, our own result)" in page
        await pilot.press("space")
        await pilot.pause()
        assert "?  ◇ Lemma 9 bent  Bent sides" in screen_text(app)
        assert "✓  Lemma 9 small  Small sides" in screen_text(app)
        await pilot.press("n", "n")
        await pilot.pause(0.1)
        assert walk(app).shown_claim.id == "shown.lemma_9_bent"  # type: ignore[union-attr]
        assert "part of Lemma 9 · The area in cases" in walk(app).query_one("#page", ReadingPane).text  # type: ignore[attr-defined]
        walk(app).action_go("shown.lemma_9")
        await pilot.press("space", "n")
        assert walk(app).shown_claim.id == "shown.lemma_9"  # type: ignore[union-attr]

    play(settings, script)


def test_a_filter_shows_parts_under_their_headlines_and_then_folds_them_again(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        await pilot.press("slash", *"small", "enter")
        await until(pilot, lambda: len(walk(app).claim_tree.shown) == 1)
        await pilot.pause(0.1)
        shown = screen_text(app)
        assert "▾ ?  Lemma 9  The area in cases" in shown
        assert "✓  Lemma 9 small  Small sides" in shown
        assert walk(app).shown_claim.id == "shown.lemma_9_small"  # type: ignore[union-attr]
        await pilot.press("slash", "escape", "g")
        await pilot.pause(0.1)
        assert "1 claim" not in screen_text(app)

    play(settings, script)


def test_a_paper_has_a_page(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        await pilot.press("g")
        await pilot.pause(0.1)
        page = walk(app).query_one("#page", ReadingPane).text  # type: ignore[attr-defined]
        for part in ("Squares, seen from all sides", "A. Reader and B. Writer (2001)", "Journal of Squares 1",
                     "arXiv:0101.00001", "edition read  the first", "What a square is worth.",
                     "1 result of our own: 1 undecided", "9 headlines"):  # fmt: skip
            assert part in page
        assert not walk(app).query_one("#checks").display
        assert walk(app).shown_claim is None
        assert app.orders()[0].says == "this paper"
        await pilot.press("t", "c", "l", "l", "h", "o")
        assert app.screen is walk(app)
        await pilot.press("n")
        await pilot.pause(0.1)
        assert walk(app).shown_claim.id == "shown.theorem_1"  # type: ignore[union-attr]
        assert walk(app).query_one("#checks").display

    play(settings, script)


def test_the_claim_shows_statement_formula_hypotheses_and_checks(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        shown = screen_text(app)
        assert "Theorem 1 · The area of a square" in shown
        assert "f(x) = x·x = |x|²" in shown
        assert "formula  x²" in shown
        assert "the side x₁ of the square" in shown
        assert "the plane is flat" in shown
        rows = [line for line in shown.splitlines() if "DERIVED" in line or "CERTIFIED" in line]
        assert "for all sides" in rows[0]
        assert all(word in rows[0] for word in ("proof", "2/2", "0.25 s", "1 h"))
        assert all(word in rows[1] for word in ("certificate", "2/2", "0.5 s", "2 h"))
        assert "10 instances, x from -3 to 6" in shown, "what was tried stands below each check"

    play(settings, script, (160, 50))


def test_the_print_and_the_correction_stand_side_by_side(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        await pilot.press("n")
        shown = walk(app).query_one("#page", ReadingPane).text  # type: ignore[attr-defined]
        assert "✎ misprint  shown-e1, Theorem 2" in shown
        assert "printed     x² + 1" in shown
        assert "correct     x²" in shown
        assert "effect      None: the next line has it right." in shown
        assert "charitably  The square alone is meant." in shown
        assert "refuted     the printed form: a square of side 0 at x = 0" in shown

    play(settings, script)


def test_tabs_show_steps_numbers_plot_controls_certificates_and_history(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        await read(app, pilot)
        await pilot.press("1")
        assert "x·x = x²" in screen_text(app)
        assert "max(x, 0)² + min(x, 0)²" in screen_text(app)
        await pilot.press("right_square_bracket")
        await read(app, pilot)
        await pilot.press("2")
        assert "✓ holds  the sides are straight" in screen_text(app)
        sheet = walk(app).reader.detail.query_one(ReadingPane).text
        assert re.search(r"x = -5/2  a square of side -5/2 +25/4 +✓ 25/4  equal", sheet)
        await pilot.press("3")
        await pilot.pause()
        plot = screen_text(app)
        assert "● observed" in plot
        assert "the claim says x²" in plot
        await pilot.press("3")
        await pilot.pause()
        plot = screen_text(app)
        assert "parabola" in plot
        assert "● data" in plot
        assert any("\u2800" < char <= "\u28ff" for char in plot)
        await pilot.press("4")
        assert "2 of 2 false neighbours are rejected by this check" in screen_text(app)
        assert "✗ rejected  2x" in screen_text(app)
        await pilot.press("5")
        assert "1  minimum-norm interpolation" in screen_text(app)
        await pilot.press("6")
        await until(pilot, lambda: "run 1 time" in screen_text(app))

    play(settings, script)


def test_certificates_are_checked_again_by_the_trusted_checker(settings: Settings, home: Path) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        await pilot.press("right_square_bracket")
        await read(app, pilot)
        await pilot.press("c")
        await until(pilot, lambda: "✓ VALID" in screen_text(app))
        await pilot.press("w")
        [written] = home.glob("*.json")
        assert json.loads(written.read_text())["kind"] == "minimum-norm interpolation"
        assert walk(app).command_line() == f"implicitbias check-certificate {written}"
        bad = {**json.loads(written.read_text()), "claim": {"value": "1", "unique": True, "end_slopes": []}}
        app.recheck(walk(app).reader, "shown.theorem_1", "areas in rationals", [bad])
        await until(pilot, lambda: "✗ REFUSED" in screen_text(app))

    play(settings, script)


def test_typing_filters_by_fuzzy_text_and_escape_lifts_it(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        await pilot.press("slash", *"thm")
        await pilot.press("space", "3")
        await until(pilot, lambda: len(walk(app).claim_tree.shown) == 1)
        assert walk(app).claim_tree.shown[0].id == "shown.theorem_3"
        assert walk(app).shown_claim is walk(app).claim_tree.shown[0]
        await pilot.press("enter")
        assert app.focused is walk(app).claim_tree
        await pilot.press("slash", "escape")
        await pilot.pause()
        assert len(walk(app).claim_tree.shown) == 11
        assert walk(app).shown_claim.id == "shown.theorem_3"  # type: ignore[union-attr]

    play(settings, script)


def test_only_what_needs_a_look(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        await pilot.press("exclamation_mark")
        await pilot.pause()
        places = [claim.id.partition(".")[2] for claim in walk(app).claim_tree.shown]
        assert places == ["theorem_3", "theorem_4", "theorem_5", "theorem_6", "theorem_7", "lemma_9_bent"]

    play(settings, script)


def test_standings_and_kinds_are_chosen_in_a_dialogue_with_boxes(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        await pilot.press("f", "down", "down", "space")
        await pilot.pause()
        assert [c.id for c in walk(app).claim_tree.shown] == ["shown.theorem_2"]
        assert "[x] ✎ CORRECTED" in screen_text(app)
        assert "[ ] ✓ ESTABLISHED" in screen_text(app)
        await pilot.press("c", "end", "enter", "escape")
        await pilot.pause()
        assert {c.id for c in walk(app).claim_tree.shown} == {
            "shown.theorem_4",
            "shown.theorem_7",
            "shown.lemma_9_bent",
        }

    play(settings, script)


def test_related_claims_are_a_jump_away_and_back(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        await pilot.press("o")
        assert isinstance(app.screen, ChooseClaim)
        assert app.screen.query_one(OptionList).option_count == 3
        await pilot.press("j", "enter")
        await pilot.pause()
        assert walk(app).shown_claim.id == "shown.theorem_3"  # type: ignore[union-attr]
        await pilot.press("backspace")
        assert walk(app).shown_claim.id == "shown.theorem_1"  # type: ignore[union-attr]
        assert app.screen is walk(app)

    play(settings, script)


def test_headline_and_parts_are_a_jump_away(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        walk(app).action_go("shown.lemma_9")
        await pilot.press("o")
        assert app.screen.query_one(OptionList).option_count == 3, "a part that rests on it is offered once"
        await pilot.press("j", "enter")
        await pilot.pause()
        assert walk(app).shown_claim.id == "shown.lemma_9_bent"  # type: ignore[union-attr]
        await pilot.press("o", "enter")
        await pilot.pause()
        assert walk(app).shown_claim.id == "shown.lemma_9"  # type: ignore[union-attr]

    play(settings, script)


def test_a_click_on_a_claim_below_goes_there(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        await pilot.press("n")
        await pilot.pause()
        lines = screen_text(app).splitlines()
        y = next(i for i, line in enumerate(lines) if "✓ theorem_1" in line)
        await pilot.click(offset=(lines[y].index("theorem_1") + 2, y))
        await pilot.pause()
        assert walk(app).shown_claim.id == "shown.theorem_1"  # type: ignore[union-attr]

    play(settings, script, (120, 60))


def test_jump_mode_puts_a_letter_on_each_pane(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        await pilot.press("semicolon")
        assert isinstance(app.screen, Jump)
        await pilot.press("d")
        assert app.focused is not None
        assert app.focused.id == "page"

    play(settings, script)


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
def test_every_pane_is_reached_by_keyboard_alone_and_left_again(settings: Settings, size: tuple[int, int]) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        reached = []
        for _ in range(3):
            await pilot.press("l")
            reached.append(app.focused.id if app.focused else None)
        assert reached == ["page", "checks-list", "detail-pane"]
        for wanted in ("checks-list", "page", "tree"):
            await pilot.press("h")
            assert app.focused is not None
            assert app.focused.id == wanted

    play(settings, script, size)


def test_vi_keys_move_and_scroll(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        await pilot.press("j", "j")
        await pilot.pause()
        assert walk(app).shown_claim.id == "shown.theorem_3"  # type: ignore[union-attr]
        await pilot.press("k")
        await pilot.pause()
        assert walk(app).shown_claim.id == "shown.theorem_2"  # type: ignore[union-attr]
        await pilot.press("l", "j")
        page = walk(app).query_one("#page")
        assert page.scroll_target_y > 0
        await pilot.press("g")
        assert page.scroll_target_y == 0

    play(settings, script, (120, 24))


def test_zoom_gives_a_pane_the_whole_screen(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        await pilot.press("z")
        await pilot.pause()
        assert not walk(app).query_one("#page").is_on_screen
        assert walk(app).query_one("#detail").size.height > 30
        await pilot.press("z")
        await pilot.pause()
        assert walk(app).query_one("#page").is_on_screen

    play(settings, script)


def test_the_claim_is_exported_as_show_prints_it(settings: Settings, home: Path) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        await pilot.press("e", "s")
        await pilot.pause()

    play(settings, script)
    document = json.loads((home / "shown.theorem_1.json").read_text())
    assert document["standing"] == "ESTABLISHED"
    assert document["evidence"]["areas in rationals"]["certificates"]
    assert (home / "implicitbias-shown.theorem_1.svg").read_text().startswith("<svg")


def test_the_command_line_that_reproduces_what_is_shown_is_copied(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        await pilot.press("y")
        assert app.clipboard.startswith("implicitbias verify shown.theorem_1 --claims ")

    play(settings, script)


def test_keys_that_come_fast_are_for_the_claim_under_the_cursor(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        for key in ("n", "t"):
            app.simulate_key(key)
        await until(pilot, lambda: walk(app).reader.is_trying)
        await pilot.pause(0.3)
        assert walk(app).reader.is_trying
        assert walk(app).reader.claim is not None
        assert walk(app).reader.claim.id == "shown.theorem_2"

    play(settings, script)


def test_the_next_control_is_shown_beside_the_claim(settings: Settings) -> None:
    async def script(app: ImplicitBias, pilot: Pilots) -> None:
        claim = walk(app).claim
        assert claim is not None
        await until(pilot, lambda: walk(app).reader.detail.entry is not None)
        await pilot.press("b")
        await until(pilot, lambda: any("no instances" in n.message for n in app._notifications))
        await pilot.press("right_square_bracket")
        await until(pilot, lambda: "areas in rationals" in str(walk(app).reader.detail.border_title))
        await until(pilot, lambda: walk(app).reader.detail.entry is not None)
        await pilot.press("b")
        await pilot.pause(0.2)
        assert "and beside it the control" in screen_text(app)
        assert "the control" in screen_text(app)
        await pilot.press(*["b"] * len(claim.controls))
        await pilot.pause(0.1)
        assert "beside it the control" not in screen_text(app)

    play(settings, script, (160, 50))
