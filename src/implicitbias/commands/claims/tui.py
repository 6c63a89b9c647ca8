"""`implicitbias tui`: walk through the claims in the terminal."""

from __future__ import annotations

import os
import shlex
import sys
from importlib.resources import files
from typing import Annotated

import typer

from implicitbias.claims.check import Budget
from implicitbias.commands.options import (
    BudgetOption,
    ClaimsFolder,
    Device,
    DeviceOption,
    LedgerFile,
    Seed,
    Workers,
    belong,
)
from implicitbias.commands.output import FAULT, say
from implicitbias.errors import UserError, brought_by_extra

CRASHED = 1
"""What Textual returns where the interface failed."""
THEME = "IMPLICITBIAS_THEME"
"""The environment variable that names a theme."""


def tui(
    tour: Annotated[bool, typer.Option("--tour", help="One claim after another as a lesson.")] = False,
    claims: ClaimsFolder = None,
    ledger: LedgerFile = None,
    budget: BudgetOption = Budget.QUICK,
    seed: Seed = 0,
    device: DeviceOption = Device.CPU,
    workers: Workers = None,
    theme: Annotated[
        str | None,
        typer.Option("--theme", metavar="NAME", envvar=THEME, help="slate, paper, ansi-dark, …"),
    ] = None,
    web: Annotated[bool, typer.Option("--web", help="Serve the same in a browser, on this machine alone.")] = False,
    port: Annotated[
        int | None, typer.Option("--port", metavar="N", min=1, max=65535, help="With --web [default: 8000].")
    ] = None,
) -> None:
    """Walk through the claims: read, run, try.

    Press ? for the keys. The options say how checks are run from there, and where results are.
    """
    import gc
    import importlib

    belong({"--port": port}, "--web", web)
    if web:
        options = {
            "--claims": claims,
            "--ledger": ledger,
            "--seed": seed or None,
            "--workers": workers,
            "--theme": theme,
        }
        given = [f"{name}={value}" for name, value in options.items() if value is not None]
        _serve([*given, f"--budget={budget}", f"--device={device}", *(["--tour"] if tour else [])], port or 8000)
        return
    _require_terminal()
    # Nothing that is read until the first screen is garbage: to look for some takes a sixth of the start.
    gc.disable()
    from implicitbias.claims.catalogue import load

    # Problems of claims are reported on the command line, where there is room for them.
    # Tests parse the formulas of the shipped ones, which would take a third of the start.
    catalogue = load(claims)
    settings_type = importlib.import_module("implicitbias.tui.settings").Settings
    settings = settings_type(
        claims=claims,
        ledger=ledger,
        front=True,
        tour=tour,
        budget=budget,
        seed=seed,
        workers=workers,
        device=str(device),
        # Without a command no option has been read.
        theme=theme or os.environ.get(THEME),
    )
    application = importlib.import_module("implicitbias.tui.app").ImplicitBias(catalogue, settings)
    application.run()
    raise typer.Exit(FAULT if application.return_code == CRASHED else application.return_code or 0)


def _serve(options: list[str], port: int) -> None:
    """Serve the interface with these options until Ctrl+C; each visitor gets a process of their own."""
    with brought_by_extra("--web"):
        from textual_serve.server import Server
    say(f"http://localhost:{port} shows the interface; Ctrl+C ends it")
    command = shlex.join([sys.executable, "-m", "implicitbias", "tui", *options])
    page = files("implicitbias.tui") / "web"
    Server(command, port=port, title="implicitbias", templates_path=str(page)).serve()


def _require_terminal() -> None:
    if os.environ.get("TEXTUAL_DRIVER"):  # a server of `--web` reads and writes in the place of a terminal
        return
    instead = "`implicitbias list`, `show` and `verify` print the same."
    if not (sys.stdout.isatty() and sys.stdin.isatty()):
        raise UserError(f"the terminal interface needs a terminal for its input and output. {instead}")
    if os.environ.get("TERM", "") in ("", "dumb", "unknown"):
        given = os.environ.get("TERM", "")
        raise UserError(f"the terminal interface cannot draw on a terminal of the kind TERM={given!r}. {instead}")
