"""Writing certificates: only what the trusted checker accepts, and a whole file or none."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import Any

from implicitbias.certificate.budget import UNDECIDED
from implicitbias.errors import CertificateError

SHORT = 1000
"""Characters up to which a certificate is written with one entry per line, to be read."""


def write_accepted(document: dict[str, Any], certificate: Path | None) -> None:
    """Have the checker accept the certificate, then write it if a file is named.

    Raises CertificateError where checking takes more than the checker's budget.
    """
    from implicitbias.certificate import kernel

    text = json.dumps(document)
    text = (json.dumps(document, indent=1) if len(text) <= SHORT else text) + "\n"
    outcome = kernel.check_text(text)
    if outcome.reason.startswith(UNDECIDED):
        raise CertificateError(f"the checker leaves the proof {outcome.reason}: round the data, or take fewer points")
    if not outcome.valid:
        raise AssertionError(f"the checker refuses the certificate: {outcome.reason}")
    if certificate is not None:
        write_atomically(certificate, text)


def write_atomically(file: Path, text: str) -> None:
    """Write the file in one step: a reader never sees half of a certificate."""
    from implicitbias.commands.output import opened

    target = file.resolve()
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        if target.exists() and not target.is_file():
            # a pipe or a device has no half-written state that stays, and cannot be replaced by a file
            with opened(target) as stream:
                stream.write(text)
            return
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(target)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise CertificateError(f"the certificate cannot be written to {file}: {error.strerror or error}") from None
