"""The environment variables of a worker process: those of its parent, but for what would make workers differ."""

from __future__ import annotations

import os

ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "NUMEXPR_NUM_THREADS": "1",
    "VECLIB_MAXIMUM_THREADS": "1",
}
"""Workers share the cores among themselves; threads inside them would only wait for each other (torch reads OMP)."""

ALIKE = {
    "PYTHONHASHSEED": "0",  # sympy walks sets: with random hashes a derivation takes different paths
    "PYTHONUTF8": "1",
    "PYTHONOPTIMIZE": "",
    "PYTHONWARNINGS": "",
    "PYTHONDEVMODE": "",
    "LC_ALL": "C",
    "TZ": "UTC",
}
"""What Python and the C library take from the environment unasked is the same in every worker."""

OF_SHELLS = "_ SHLVL PWD OLDPWD COLUMNS LINES GPG_TTY"
OF_TERMINALS = "TERM COLORTERM WINDOWID TERM_PROGRAM TERM_PROGRAM_VERSION TERM_SESSION_ID TMUX TMUX_PANE STY"
OF_LOGINS = "SSH_CLIENT SSH_CONNECTION SSH_TTY SSH_AUTH_SOCK SSH_AGENT_PID DBUS_SESSION_BUS_ADDRESS XDG_SESSION_ID"
OF_MAKE = "MAKEFLAGS MAKELEVEL MFLAGS MAKE_TERMOUT MAKE_TERMERR"
OF_THE_SESSION = frozenset(f"{OF_SHELLS} {OF_TERMINALS} {OF_LOGINS} {OF_MAKE}".split())
"""What shells, terminals and make set by themselves is in no worker. numba reads all variables when it compiles, and
its results would be stale in the next terminal."""

WORKERS_OWN = ("NUMBA_CACHE_DIR",)
"""Variables that are set for each worker: where machine code that claims keep ends with it."""


def environment() -> dict[str, str]:
    """The environment variables of a worker that this process would start."""
    of_the_user = {name: value for name, value in os.environ.items() if name not in OF_THE_SESSION}
    return {**of_the_user, **ONE_THREAD, **ALIKE}


def cache_folder() -> str:
    """Where this package keeps what it can make again; no result depends on what lies there."""
    import platformdirs

    return str(platformdirs.user_cache_path("implicitbias"))
