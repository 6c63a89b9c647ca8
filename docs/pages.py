"""Pages of the site that are written by program: the start from the README, speed, errata, commands, Python names."""

from __future__ import annotations

import inspect
import io
import re
from contextlib import redirect_stdout
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

import implicitbias
from implicitbias.claims.catalogue import load
from implicitbias.claims.erratum import Erratum
from implicitbias.cli import COMMANDS, main
from implicitbias.report.html.sentence import sentence

ROOT = Path(__file__).parent.parent


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add them."""
    written = {
        "index.md": _relinked((ROOT / "README.md").read_text(encoding="utf-8")),
        "changes.md": _relinked((ROOT / "CHANGELOG.md").read_text(encoding="utf-8")),
        "speed.md": _relinked((ROOT / "benchmarks" / "RESULTS.md").read_text(encoding="utf-8")),
        "errata.md": "\n".join(_errata()),
        "commands.md": "\n".join(_commands()),
        "reference.md": _reference(),
    }
    for name, text in written.items():
        files.append(File.generated(config, name, content=text))
    return files


def _relinked(text: str) -> str:
    """Links of a page of the checkout's root, as links of a page in `docs`."""
    text = re.sub(r"\]\((\.\./)?docs/", "](", text)
    return re.sub(r"\]\((?!https?:|#)([^)]*/|LICENSE|CONTRIBUTING)[^)]*\)", "]", text)


def _errata() -> list[str]:
    """Every erratum of the catalogue, paper by paper."""
    catalogue = load()
    lines = [
        "# Errata",
        "",
        "What is wrong in print, by what it changes. `implicitbias list --flaws` prints the same.",
        "",
    ]
    for paper in catalogue.papers:
        lines += [f"## {paper.title or paper.key}", "", f"{paper.authors} ({paper.year}), {paper.identifier}", ""]
        for erratum in (e for e in catalogue.errata if e.paper == paper.key):
            lines += _erratum(erratum, [claim.id for claim in catalogue.showing(erratum.id)])
    return lines


def _erratum(erratum: Erratum, shown_by: list[str]) -> list[str]:
    rows = [
        ("as printed", erratum.quotation),
        ("correct", erratum.correct),
        ("effect", erratum.bearing),
        ("charitably", erratum.charitable),
    ]
    cells = [f"| {name} | {_cell(says)} |" for name, says in rows if says]
    if shown_by:
        cells.append(f"| shown by | {', '.join(f'`{name}`' for name in shown_by)} |")
    return [f"### {erratum.id}", "", f"{erratum.place}: {erratum.word}.", "", "| | |", "|---|---|", *cells, ""]


def _cell(text: str) -> str:
    """A sentence in a cell of a table, with nothing in it that Markdown takes for its own."""
    shown = str(sentence(" ".join(text.split())))
    return shown.replace("|", "\\|").replace("*", "\\*").replace("_", "\\_")


def _commands() -> list[str]:
    """The help of every command."""
    lines = ["# Commands", ""]
    for name in COMMANDS:
        printed = io.StringIO()
        with redirect_stdout(printed):
            main([name, "--help"])
        lines += [f"## {name}", "", "```text", printed.getvalue().rstrip(), "```", ""]
    return lines


def _reference() -> str:
    """The public names, with their signatures and docstrings."""
    lines = ["# Python", "", "The names of `import implicitbias as ib`."]
    for name in sorted(implicitbias.__all__, key=str.lower):
        found = getattr(implicitbias, name)
        lines += ["", f"## {name}", "", *_described(name, found)]
        if inspect.isclass(found):
            for member, value in vars(found).items():
                function = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
                title = f"{name}.{member}" + (" (property)" if isinstance(value, property) else "")
                if not member.startswith("_") and callable(function) and inspect.getdoc(function):
                    lines += ["", f"### {title}", "", *_described(member, function)]
    return "\n".join(lines) + "\n"


def _described(name: str, found: object) -> list[str]:
    """The signature, the first paragraph, and what else the docstring says as it stands there."""
    first, _, rest = (inspect.getdoc(found) or "").partition("\n\n")
    signature = re.sub(r"'([^']*)'", r"\1", str(inspect.signature(found))) if callable(found) else ""
    shown = ["```python", f"{name}{signature}", "```", "", _cell(first)]
    return [*shown, *(["", "```text", rest, "```"] if rest else [])]
