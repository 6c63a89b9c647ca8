"""Where machine code made from this package's functions is kept, and how it is compiled.

numba asks of kept code only whether the file of the function itself has changed, not the files of the functions and
constants that were compiled into it. So the folder is named by the sources of all that may be.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

from implicitbias.errors import brought_by_extra

F = TypeVar("F", bound=Callable[..., Any])

Variant = tuple[str, str, Any]
"""Machine code by name: the module and the name of the function, and the types of its arguments."""

_functions: dict[tuple[str, str], Any] = {}
"""The functions whose machine code is kept, by module and name."""


@lru_cache
def folder(room: Path) -> str:
    """The folder for the sources of a room as they are, in the user's cache: functions take all they use from there."""
    import platformdirs

    digest = hashlib.sha256()
    for file in sorted(room.rglob("*.py")):
        digest.update(file.relative_to(room).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return str(platformdirs.user_cache_path("implicitbias") / "machine_code" / digest.hexdigest()[:20])


def room_of(file: str) -> Path:
    """The folder of the package, `training` or `splines` say, that the file lies in."""
    package = Path(__file__).parent.parent
    return package / Path(file).relative_to(package).parts[0]


def is_available() -> bool:
    """Whether the compiler is installed."""
    return find_spec("numba") is not None


def compiled(**options: Any) -> Callable[[F], F]:
    """A decorator: machine code by numba, kept on disk."""
    with brought_by_extra("compiled training"):
        import numba

    def decorated(function: F) -> F:
        config: Any = numba.config
        before, config.CACHE_DIR = config.CACHE_DIR, folder(room_of(function.__code__.co_filename))
        try:
            made: F = numba.njit(cache=True, **options)(function)
        finally:
            config.CACHE_DIR = before
        _functions[function.__module__, function.__qualname__] = made
        return made

    return decorated


def present() -> list[Variant]:
    """The machine code that has been compiled, or read from the disk, in this process."""
    return [(*name, types) for name, function in _functions.items() for types in function.signatures]


def read(variants: Iterable[Variant]) -> None:
    """Have this machine code in memory, from the disk where it is kept, without running any of it.

    Copies of this process then have it as well: reading it, and setting the compiler up for that, takes a process a
    few tenths of a second. What is not on the disk is compiled.
    """
    for module, name, types in variants:
        if function := _functions.get((module, name)):
            function.compile(types)
