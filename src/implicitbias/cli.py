"""The command line, assembled from `implicitbias.commands`, one command per file.

Exit codes: 0 everything is as the catalogue expects; 1 something is refuted, refused or broken; 2 bad usage or input;
3 only undecided or out of time; 4 implicitbias itself failed; 130 interrupted.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import logging
import os
import sys
import traceback
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from implicitbias.commands.output import FAULT, Warnings, remark, say
from implicitbias.errors import UserError, missing_extra
from implicitbias.legible import legible
from implicitbias.report.printable import printable

BadUsage: Any = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")
"""What typer raises for a command line that it refuses: click's class, or that of the click within typer."""

COLLECT_EVERY = 20_000
"""Objects that are made before cycles are looked for among them: 700, Python's own, costs a command a tenth of its
time, mostly among claims and modules that stay until its end."""

DEBUG = "IMPLICITBIAS_DEBUG"
"""The environment variable that makes failures of implicitbias itself show their traceback."""

COMMANDS = {
    "list": ("claims.list_", "List the claims, paper by paper."),
    "show": ("claims.show", "Show a claim as a page."),
    "verify": ("claims.verify", "Verify claims: run their checks."),
    "try": ("claims.try_", "Try a formula of your own in a claim's place."),
    "rivals": ("claims.rivals", "Search for formulas that the evidence cannot tell apart."),
    "attack": ("claims.attack", "Alter a claim's theorems: nothing may pass."),
    "errata": ("claims.errata", "Check the errata's quotations against texts."),
    "report": ("claims.report", "Report recorded results, running nothing."),
    "history": ("claims.history", "Show a claim's verdicts over time."),
    "formalise": ("claims.formalise", "Write theorems as Coq files."),
    "explain": ("claims.explain", "Explain why results are fresh or stale."),
    "examples": ("examples", "Write small files of data to begin with."),
    "cost": ("data.cost", "Compute what a function costs a network."),
    "interpolate": ("data.interpolate", "Find the cheapest function through data."),
    "cells": ("data.cells", "List the cells that data cut neurons into."),
    "zeta": ("data.zeta", "Compute what curvature costs after an initialisation."),
    "predict": ("data.predict", "Predict what a wide network learns."),
    "margin": ("data.margin", "Find the classifier of largest margin."),
    "inspect": ("networks.inspect", "Inspect a trained network."),
    "regions": ("data.regions", "Count a network's linear regions."),
    "tui": ("claims.tui", "Walk through the claims in the terminal."),
    "new-claim": ("claims.new_claim", "Write a new claim file that runs."),
    "check-certificate": ("data.check_certificate", "Check a certificate with the trusted checker."),
    "write-checker": ("data.write_checker", "Write the trusted checker as one file."),
}
"""Each command with its module in `implicitbias.commands` (its function has the module's name), and its help."""

EXIT_CODES = (
    "Exit codes: 0 all is as expected; 1 something is refuted or broken; 2 bad usage or input; "
    "3 only undecided or out of time; 4 implicitbias itself failed; 130 interrupted."
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code. Raises what failed where tracebacks were asked for."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    _write_unicode()
    log, warnings = logging.getLogger("implicitbias"), Warnings()
    log.addHandler(warnings)
    try:
        if unusable := [argument for argument in given if "\0" in argument]:
            raise UserError(f"{legible(repr(unusable[0]))} holds a null character, which no argument can")
        if given == ["tui"] or (not given and _is_on_a_terminal()):
            # Typer imports every command, which takes a while; here there are no options to read.
            from implicitbias.commands.claims.tui import tui

            tui()
        code = application(given)(given, prog_name="implicitbias", standalone_mode=False)
    except typer.Exit as end:
        return end.exit_code
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BadUsage as error:
        error.message = legible(error.message)
        error.show()
        return 2
    except typer.Abort:
        remark("implicitbias: aborted")
        return 130
    except UserError as error:
        remark(f"implicitbias: {error}")
        return 2
    except Exception as error:
        if missing := missing_extra(error):
            remark(f"implicitbias: {missing}")
            return 2
        if os.environ.get(DEBUG, "0") not in ("", "0"):
            raise
        remark(f"implicitbias failed: {type(error).__name__}: {error}")
        advice = "`implicitbias --debug …` shows the traceback."
        remark(f"This is a fault of implicitbias, not of what you gave it; {advice}")
        return FAULT
    finally:
        log.removeHandler(warnings)
    return code if isinstance(code, int) else 0


def run() -> int:
    """The program: `main`, with the traceback of a failure where it was asked for; the exit code."""
    gc.set_threshold(COLLECT_EVERY)
    try:
        return main()
    except Exception:
        remark(traceback.format_exc().rstrip())
        return FAULT


def application(arguments: Sequence[str] = ()) -> typer.Typer:
    """The typer application: with the command that the arguments name, or with all commands."""
    app = typer.Typer(
        name="implicitbias",
        cls=_Group,
        add_completion=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=True, epilog=EXIT_CODES)(_root)
    named = [name for name in COMMANDS if name in arguments[:2]]
    for name in named or COMMANDS:
        module, line = COMMANDS[name]
        loaded = importlib.import_module(f"implicitbias.commands.{module}")
        settings = getattr(loaded, "CONTEXT", None)
        function = getattr(loaded, module.rpartition(".")[2])
        app.command(name, short_help=line, context_settings=settings)(function)
    return app


class _Group(TyperGroup):
    """All commands; what they say of arguments that they refuse is printable."""

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        with _printable_refusals():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: Any) -> Any:
        with _printable_refusals():
            return super().invoke(ctx)


@contextlib.contextmanager
def _printable_refusals() -> Iterator[None]:
    """Usage errors repeat the arguments in their `message`, and typer prints them on its own."""
    try:
        yield
    except Exception as error:
        if isinstance(getattr(error, "message", None), str):
            error.message = printable(error.message)  # type: ignore[attr-defined]
        raise


def _root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
    debug: Annotated[bool, typer.Option("--debug", envvar=DEBUG, help="Show the traceback of a failure.")] = False,
) -> None:
    """Checks what is claimed about the implicit bias of shallow ReLU networks.

    Every claim is derived or observed independently of its formula, and judged together with false neighbours
    that the same evidence must reject.
    """
    if debug:
        os.environ[DEBUG] = "1"
    if version:
        from importlib.metadata import version as installed

        say(f"implicitbias {installed('implicitbias')}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        if _is_on_a_terminal():
            from implicitbias.commands.claims.tui import tui

            tui()
        say(context.get_help())


def _is_on_a_terminal() -> bool:
    return sys.stdout.isatty() and sys.stdin.isatty() and os.environ.get("TERM") not in (None, "", "dumb")


def _write_unicode() -> None:
    """Replace characters that the encoding of a stream lacks by question marks."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
