"""Certificates to files: only what the trusted checker accepts, and never half of it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from implicitbias.errors import CertificateError


def write_accepted(document: dict[str, Any], certificate: Path | None, indent: int | None = None) -> None:
    """The certificate to its file, if the checker accepts it."""
    from implicitbias.certificate import kernel

    text = json.dumps(document, indent=indent) + "\n"
    outcome = kernel.check_text(text)
    if not outcome.valid:
        raise AssertionError(f"the checker refuses the certificate: {outcome.reason}")
    if certificate is not None:
        write_atomically(certificate, text)


def write_atomically(file: Path, text: str) -> None:
    """The whole file or nothing: a reader never sees half a certificate."""
    target = file.resolve()
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        if target.exists() and not target.is_file():
            # a pipe or a device has no half-written state that stays, and must not be replaced by a file
            target.write_text(text, encoding="utf-8")
            return
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(target)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise CertificateError(f"the certificate cannot be written to {file}: {error.strerror or error}") from None
