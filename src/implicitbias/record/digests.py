"""What a file, a folder, a module's place or an environment variable is at the moment, as a short text to compare."""

from __future__ import annotations

import hashlib
import importlib.machinery
import os
import stat
from collections.abc import Iterable

ABSENT = "absent"
FOLDER = "a folder"
SPECIAL = "no regular file"
UNREADABLE = "unreadable"
INSTALLED = "installed"
BYTECODE = "__pycache__"


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:20]


def of_file(path: str) -> str:
    """The digest of a file's contents, through symbolic links; a word for what has none.

    A source file that another one of the same module name comes before (`x/__init__.py`, `x.so`) is not what an import
    would find: its digest says so.
    """
    if _is_bytecode(path):
        return FOLDER
    try:
        status = unwatched_stat(path)
        if stat.S_ISDIR(status.st_mode):
            return FOLDER
        if not stat.S_ISREG(status.st_mode):
            return SPECIAL
        with open(path, "rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()[:20]
    except (FileNotFoundError, NotADirectoryError):
        return ABSENT
    except (OSError, ValueError):
        return UNREADABLE
    return f"{found}, hidden by another" if path.endswith(".py") and any(map(exists, _before(path))) else found


def of_folder(path: str) -> str:
    """The digest of the names in a folder. Bytecode is not a part of it."""
    if _is_bytecode(path):
        return FOLDER
    try:
        return digest("\0".join(sorted(name for name in os.listdir(path) if name != BYTECODE)).encode())
    except (FileNotFoundError, NotADirectoryError):
        return ABSENT
    except (OSError, ValueError):
        return UNREADABLE


def _is_bytecode(path: str) -> bool:
    """Folders of bytecode are all alike, made or not: Python makes one while it imports, and finds the same without."""
    return os.path.basename(os.path.normpath(path)) == BYTECODE


def of_text(value: str | None) -> str:
    """The digest of a variable's value."""
    return ABSENT if value is None else digest(value.encode("utf-8", "surrogateescape"))


def of_texts(values: Iterable[str]) -> str:
    return digest("\0".join(values).encode("utf-8", "surrogateescape"))


unwatched_stat = os.stat
"""As it is when this is loaded: in a worker, that of later is a layer that tells the recorder."""


def exists(path: str) -> bool:
    """Whether something is there, unseen."""
    try:
        unwatched_stat(path)
    except (OSError, ValueError):
        return False
    return True


def _before(source: str) -> list[str]:
    """The files that an import would take instead of this source file."""
    stem = source.removesuffix(".py")
    if os.path.basename(stem) == "__init__":
        return []
    suffixes = importlib.machinery.EXTENSION_SUFFIXES
    return [os.path.join(stem, "__init__.py"), *(f"{stem}{suffix}" for suffix in suffixes)]
