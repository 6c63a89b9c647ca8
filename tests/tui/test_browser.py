"""`tui --web` in a real browser: the same keys as in a terminal lead through the same screens, and nothing is fetched
from elsewhere."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.playing import FOLDER

BROWSER = next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), "")
PATIENCE = 30.0
pytestmark = [
    pytest.mark.skipif(not BROWSER, reason="needs Chromium"),
    pytest.mark.skipif(importlib.util.find_spec("textual_serve") is None, reason="needs the extra web"),
]


@pytest.fixture
def address(ledger: Path, tmp_path: Path) -> Iterator[str]:
    with socket.socket() as found:
        found.bind(("localhost", 0))
        port = found.getsockname()[1]
    options = ["--claims", str(FOLDER), "--ledger", str(ledger), "--workers", "1", "--port", str(port)]
    environment = os.environ | {"XDG_STATE_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "implicitbias", "tui", "--web", *options]
    server = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with socket.socket() as tried:
                if tried.connect_ex(("localhost", port)) == 0:
                    break
            time.sleep(0.1)
        yield f"http://localhost:{port}"
    finally:
        server.terminate()
        server.wait(PATIENCE)


class Page:
    """A page whose terminal draws on a canvas: what the terminal is sent is read instead."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.painted = ""
        page.on("websocket", lambda opened: opened.on("framereceived", self._read))

    def _read(self, frame: str | bytes) -> None:
        text = frame if isinstance(frame, str) else frame.decode("utf-8", "replace")
        self.painted += re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)

    def until(self, text: str) -> None:
        """Wait until `text` has been painted since the last key."""
        end = time.monotonic() + PATIENCE
        while text not in self.painted:
            assert time.monotonic() < end, f"{text!r} did not appear in: {self.painted}"
            self.page.wait_for_timeout(50)

    def press(self, *keys: str) -> None:
        self.painted = ""
        for key in keys:
            self.page.keyboard.press(key)
            # What a key opens has the focus a moment later; what is typed at once would overtake it.
            self.page.wait_for_timeout(500 if key in ("Escape", "/", "t") else 50)


def test_front_claim_filter_tour_try_and_back(address: str) -> None:
    from playwright.sync_api import sync_playwright

    said: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        opened = browser.new_page(viewport={"width": 1200, "height": 800})
        opened.on("console", lambda m: said.append(m.text) if m.type in ("error", "warning") else None)
        opened.on("pageerror", lambda error: said.append(str(error)))
        opened.on("request", lambda r: said.append(r.url) if not r.url.startswith((address, "data:")) else None)
        page = Page(opened)
        opened.goto(address)
        page.until("train a network on points of your own")
        page.press("Escape")  # no click before: the terminal listens
        page.until("The area, as printed")
        page.press("/")
        page.press(*"slowly")
        page.until("1 claim")
        page.press("Enter", "Escape")
        page.press("/", *["Backspace"] * 6, "Enter")
        page.until("headline")
        page.press("T")
        page.until("What is claimed")
        page.press("Space")
        page.until("What would refute it")
        page.press("Escape")
        page.until("claims")
        page.press("/", *"printed", "Enter", "Escape")  # to a claim that has run
        page.press("t")
        page.until("try")
        page.press("End", "+", "1", "Enter")
        page.until("REFUTED")
        page.press("Escape")
        page.press("F")
        page.until("the playground")
        page.press("q")
        opened.wait_for_selector("body.-closed", timeout=1000 * PATIENCE)
        browser.close()
    assert said == []
