r"""Nothing that a claim, data or a file's name says reaches a terminal, a page or a report as a control character.

One claim has sequences that a terminal would obey in every text that it has: colours, a title (OSC), a bell, the
one-character CSI of C1, direction overrides, a carriage return, a lone surrogate. Every way to look at it is tried.
"""

from __future__ import annotations

import ast
import json
import re
import textwrap
from pathlib import Path
from xml.etree import ElementTree

import pytest

from implicitbias.cli import COMMANDS, main
from implicitbias.report import FORMATS
from implicitbias.report.printable import in_place, printable
from implicitbias.tui.settings import Settings
from tests.support.playing import play, screen_text

EVIL = "\x1b[31m\x1b]0;owned\x07\x9b2J\x7f\u202elive\u2066\r\x00\u2028\ufffe"
LONE = "\ud800"
RAW = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029\ud800-\udfff\ufffe\uffff]"
)
STYLE = re.compile(r"\x1b\[[0-9;]*m")
"""What our own console writes on a terminal."""

CLAIM = """
    from implicitbias.claims.check import Check, Kind
    from implicitbias.claims.erratum import Edition, Erratum
    from implicitbias.claims.statement import Claim, Control, Flaw, Rule, Source
    from implicitbias.claims.evidence import Evidence, Instance, Premise

    E = {evil!r} + {lone!r}
    N = {evil!r}

    def says(name, value):
        return Rule(name + N, "says" + E, lambda given: value)

    def seen(context):
        return Evidence(
            instances=(Instance("label" + E, {{"x" + N: "y" + E}}, 1),),
            premises=(Premise("premise" + E, True, "detail" + E),),
            measured={{"measured" + E: "value" + E}},
        )

    def not_seen(context):
        return Evidence(
            instances=(Instance("label" + E, {{"x": 1}}, 1),),
            premises=(Premise("premise" + E, False, "detail" + E),),
        )

    def other(context):
        return Evidence(instances=(Instance("label" + E, {{"k": "v" + E}}, 9),))

    def raises(context):
        print("printed" + E)
        raise ValueError("reason" + E)

    def dies(context):
        import os, sys
        sys.stderr.write("last words" + N)
        sys.stderr.flush()
        os._exit(3)

    def of(name, observe, **more):
        return Claim(
            "evil." + name, Source("evil", "locator" + E), "title" + E, "statement" + E, says("right", 1),
            (Control(says("control", 2), "why" + E), Control(says("other", 3), "why" + E)),
            (Check("check" + N + name, Kind.CERTIFICATE, observe, "observes" + E),),
            latex="x" + E, hypotheses=("hypothesis" + E,), **more,
        )

    reading = Edition("edition" + E, "evil.txt").prints("page" + E, "the scan's text")
    slip = Erratum("evil-e1", "place" + E, "printed" + E, False, "correct" + E, "a formula changes", "misprint",
                   "bearing" + E, "charitable" + E, (reading,))
    flaw = Flaw(slip, says("printed", 5))
    CLAIMS = (
        of("stands", seen), of("corrected", seen, flaw=flaw), of("raises", raises), of("dies", dies),
        of("undecided", not_seen), of("refuted", other),
    )
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("evil")


@pytest.fixture(scope="module")
def options(place: Path) -> list[str]:
    """The folder of the claims and a ledger with their results, whose names are no better."""
    folder = place / f"claims{EVIL.replace(chr(0), '')}"
    folder.mkdir()
    (folder / "evil.py").write_text(textwrap.dedent(CLAIM.format(evil=EVIL, lone=LONE)))
    (folder / "__init__.py").write_text(
        "from implicitbias.claims.statement import Paper\n"
        f"E = {EVIL!r}\n"
        "PAPER = Paper('evil', 't' + E, 'authors' + E, 2026, 'venue' + E, 'id' + E, 'edition' + E, 'about' + E)\n"
    )
    ledger = place / f"ledger{EVIL.replace(chr(0), '')}"
    given = ["--claims", str(folder), "--ledger", str(ledger)]
    assert main(["verify", "--workers", "1", *given]) == 1
    return given


def assert_printable(text: str) -> None:
    found = RAW.search(text)
    assert not found, f"{found!r} in {text[max(0, found.start() - 60) : found.end() + 20]!r}"  # type: ignore[union-attr]


def test_what_is_shown_instead_says_which_character_it_was() -> None:
    assert printable(f"a{EVIL}{LONE}\tb\n") == (
        "a\\u001b[31m\\u001b]0;owned\\u0007\\u009b2J\\u007f\\u202elive\\u2066\\u000d\\u0000\\u2028\\ufffe\\ud800\tb\n"
    )
    for text in ("über ½‖w‖² → ∞", "🙂 e\u0301", ""):
        assert printable(text) is text
        assert in_place(text) is text
    assert_printable(printable("".join(map(chr, range(0x10000)))))
    assert_printable(in_place("".join(map(chr, range(0x10000)))))


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_of_reports(
    form: str, options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "report"
    assert main(["report", "--format", form, "--output", str(file), *options]) == 1
    main(["report", "--format", form, *options])
    shown = capsys.readouterr()
    assert_printable(shown.err)
    for text in (file.read_text(encoding="utf-8"), shown.out):
        assert_printable(text)
        if form != "badge":
            assert "\\u001b[31m" in text
        if form == "json":
            titles = [claim["title"] for claim in json.loads(text)["claims"]]
            assert titles[0].startswith("title\x1b[31m\x1b]0;owned\x07\x9b2J\x7f\u202elive\u2066")
        if form in ("junit", "badge"):
            ElementTree.fromstring(text)


def test_the_colours_of_a_terminal_are_our_own(
    options: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    main(["show", "evil.corrected", *options])
    main(["verify", "--workers", "1", *options])
    shown = capsys.readouterr()
    assert STYLE.search(shown.out)
    assert_printable(STYLE.sub("", shown.out))
    assert_printable(re.sub(r"\x1b\[\?25[lh]|\x1b\[\d*[AK]|\r", "", STYLE.sub("", shown.err)))


LOOKS = {
    "list": [["list", "--all"], ["list", "--flaws"], ["list", "--json"]],
    "show": [
        ["show", f"evil.{name}", *more]
        for name in ("stands", "corrected", "raises", "dies", "undecided", "refuted")
        for more in ([], ["--json"])
    ]
    + [["show", "evil"]],
    "verify": [["verify", "--workers", "1"], ["verify", "--workers", "1", "--fresh", "--json", "-"]],
    "try": [["try", "evil.stands", "--formula", f"x{EVIL}"], ["try", "evil.stands", "--formula", "1"]],
    "rivals": [["rivals", "evil.stands"], ["rivals", f"no{EVIL}"]],
    "attack": [["attack", "evil.stands"]],
    "errata": [["errata", "--check", "."], ["errata", "--check", ".", "--json"], ["errata", "--check", f"no{EVIL}"]],
    "report": [["report", f"no{EVIL}"]],
    "history": [["history", "evil.raises"], ["history", "evil.raises", "--json"]],
    "formalise": [["formalise", "evil.stands"]],
    "explain": [["explain", "evil.stands"], ["explain", "evil.raises", "--json"]],
    "new-claim": [["new-claim", f"a{EVIL}.b"]],
    "examples": [["examples", f"new{EVIL}"], ["examples", f"missing{EVIL}\0/folder"]],
    "cost": [["cost", "DATA"], ["cost", "--formula", f"x+{EVIL}"], ["cost", f"missing{EVIL}.csv"]],
    "interpolate": [
        ["interpolate", "DATA"],
        ["interpolate", "DATA", "--x", f"c{EVIL}"],
        ["interpolate", "GOOD", "--json"],
    ],
    "cells": [["cells", "DATA"]],
    "zeta": [["zeta", "--weight", f"normal(0,1){EVIL}", "--bias", "uniform(-2,2)", "--at", "0"]],
    "predict": [["predict", "DATA", "--weight", "normal(0,1)", "--bias", f"u{EVIL}"]],
    "margin": [["margin", "DATA"], ["margin", "GOOD"]],
    "inspect": [
        ["inspect", "NETWORK", "--html", "-"],
        ["inspect", "NETWORK", "--data", "GOOD"],
        ["inspect", "NETWORK", "--data", "GOOD", "--json"],
        ["inspect", "NETWORK", "--data", "DATA", "--y", f"c{EVIL}"],
        ["inspect", f"missing{EVIL}.onnx"],
    ],
    "regions": [["regions", "DATA"], ["regions", f"missing{EVIL}"]],
    "tui": [["tui"]],
    "write-checker": [["write-checker", "CERTIFICATE"], ["write-checker", f"missing{EVIL}/checker.py"]],
    "check-certificate": [
        ["check-certificate", "DATA"],
        ["check-certificate", "CERTIFICATE"],
        ["check-certificate", f"missing{EVIL}"],
    ],
}
"""For every command calls that show what is said by others, and calls that refuse it."""

OF_CLAIMS = {"list", "show", "verify", "try", "attack", "report", "history", "explain", "formalise", "rivals", "errata"}


def test_every_command_is_tried() -> None:
    assert LOOKS.keys() == COMMANDS.keys()


@pytest.mark.parametrize("command", LOOKS)
def test_every_command(
    command: str, options: list[str], place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    evil = EVIL.replace("\0", "").replace("\r", "")
    names = ("data.csv", "good.csv", "proof.json", "network.json")
    data, good, certificate, network = (place / f"{name}{evil}" for name in names)
    data.write_text(f'"x{evil}","y{evil}"\n0,"1{evil}"\n"2{evil}",3\n')
    good.write_text(f'"x{evil}","y{evil}"\n0,1\n1,-1\n2,1\n')
    certificate.write_text(json.dumps({"kind": f"kind{EVIL}", "schema": f"s{EVIL}", EVIL: [EVIL]}))
    network.write_text('{"w": [1, -1], "b": [0, 1], "v": [1, 2]}')
    monkeypatch.setenv("IMPLICITBIAS_LEDGER", options[-1])
    monkeypatch.chdir(place)
    files = {"DATA": str(data), "GOOD": str(good), "CERTIFICATE": str(certificate), "NETWORK": str(network)}
    for look in LOOKS[command]:
        given = [files.get(word, word) for word in look]
        if command in OF_CLAIMS:
            given += options if command not in ("attack", "formalise", "errata") else options[:2]
        for wrong in ([], [f"--{EVIL}"], [f"{EVIL}"]):
            code = main([*given, *wrong])
            shown = capsys.readouterr()
            assert "fault of implicitbias" not in shown.err, (given, shown.err)
            assert "Traceback" not in shown.err
            assert_printable(shown.out)
            assert_printable(shown.err)
            assert code in (0, 1, 2, 3)


def test_usage_errors(capsys: pytest.CaptureFixture[str]) -> None:
    for given in (
        [EVIL],
        [f"--{EVIL}"],
        ["verify", "--budget", EVIL],
        ["verify", "--workers", EVIL],
        ["list", f"--js{EVIL}"],
    ):
        assert main(given) == 2
        shown = capsys.readouterr()
        assert_printable(shown.out + shown.err)


def test_the_name_of_a_check_must_be_text(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = place / "surrogates"
    folder.mkdir()
    text = textwrap.dedent(CLAIM.format(evil=EVIL, lone=LONE)).replace('"check" + N + name', '"check" + E')
    (folder / "evil.py").write_text(text)
    assert main(["verify", "--claims", str(folder), "--ledger", str(place / "none")]) == 2
    said = capsys.readouterr().err
    assert "lone surrogates" in said
    assert_printable(said)


def test_claims_that_are_not_well_formed(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = place / "wrong"
    folder.mkdir()
    for text in (
        f"raise ValueError({EVIL!r})\n",
        f"x = {EVIL[:8]!r} +\n",
        f"# {EVIL}\n1 +\n",
        f"from {'a' * 9} import b # \x1b[31m\n",
    ):
        (folder / "wrong.py").write_text(text)
        assert main(["list", "--claims", str(folder)]) == 2
        shown = capsys.readouterr()
        assert_printable(shown.out + shown.err)


def test_the_terminal_interface(options: list[str], place: Path) -> None:
    settings = Settings(claims=Path(options[1]), ledger=Path(options[3]))
    seen: list[str] = []

    async def script(app: object, pilot: object) -> None:
        for keys in (
            ("j",) * 3,
            ("right",),
            ("2",),
            ("3",),
            ("4",),
            ("5",),
            ("j",),
            ("j",),
            ("L",),
            ("escape",),
            ("question_mark",),
        ):
            await pilot.press(*keys)  # type: ignore[attr-defined]
            await pilot.pause()  # type: ignore[attr-defined]
            seen.append(screen_text(app))  # type: ignore[arg-type]

    play(settings, script)  # type: ignore[arg-type]
    text = "\n".join(seen)
    assert "[31m" in text
    assert_printable(text)


WRITES = {
    "implicitbias/commands/output.py": {"typer.echo"},
    "implicitbias/report/words.py": {"Console"},
    "implicitbias/certificate/kernel.py": {"print"},  # on the standard library alone
}
"""The modules that may write on a stream, and by what."""


def test_no_other_module_writes_on_a_stream() -> None:
    root = Path(__file__).parents[2]
    for folder, name in (
        (root / "src" / "implicitbias", "implicitbias"),
        (root / "tui", "tui"),
        (root / "theory", "theory"),
    ):
        for file in folder.rglob("*.py"):
            called = {
                ast.unparse(node.func) for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Call)
            }
            by = called & {"print", "typer.echo", "typer.secho", "Console", "sys.stdout.write", "sys.stderr.write"}
            assert by <= WRITES.get(f"{name}/{file.relative_to(folder).as_posix()}", set()), file
