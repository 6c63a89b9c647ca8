"""The documentation site: every page is in its contents, and what is written by program can be written."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
WRITTEN = {"index.md", "errata.md", "commands.md", "reference.md", "changes.md", "speed.md"}


def test_every_page_is_in_the_contents() -> None:
    listed = re.findall(r"[\w/]+\.md", (ROOT / "mkdocs.yml").read_text().partition("\nnav:")[2])
    assert len(listed) == len(set(listed))
    assert set(listed) - WRITTEN == {page.name for page in (ROOT / "docs").glob("*.md")}


def test_pages_of_the_root_link_to_pages_of_the_site_or_to_what_the_site_leaves_out() -> None:
    """`docs/pages.py` takes `docs/` away from links, and links to these two files altogether."""
    for name in ("README.md", "CHANGELOG.md"):
        links = re.findall(r"\]\((?!https?:|#)([^)#]*)", (ROOT / name).read_text())
        assert links
        assert all((ROOT / link).is_file() for link in links)
        assert {link for link in links if not link.startswith("docs/")} <= {"LICENSE", "CONTRIBUTING.md"}
