"""The documentation site: every page is in its contents, and what is written by program can be written."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
WRITTEN = {"index.md", "errata.md", "commands.md", "reference.md", "changes.md"}


def test_every_page_is_in_the_contents() -> None:
    listed = re.findall(r"[\w/]+\.md", (ROOT / "mkdocs.yml").read_text().partition("\nnav:")[2])
    assert len(listed) == len(set(listed))
    assert set(listed) - WRITTEN == {page.name for page in (ROOT / "docs").glob("*.md")}
