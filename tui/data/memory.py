"""The position in the tour, kept in a small file in the user's state folder; failing to write it is ignored."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path


def default_file() -> Path:
    import platformdirs

    return platformdirs.user_state_path("implicitbias") / "tour.json"


def recall(file: Path | None) -> tuple[str, int]:
    """The claim and the stage; ("", 0) if nothing is remembered."""
    with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
        document = json.loads((file or default_file()).read_text())
        return str(document["claim"]), int(document["stage"])
    return "", 0


def remember(file: Path | None, claim: str, stage: int) -> None:
    with contextlib.suppress(OSError):
        path = file or default_file()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"claim": claim, "stage": stage}))
