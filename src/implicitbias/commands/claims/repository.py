"""What makes a repository of a folder of claims: tests, a workflow that runs them, a README with its badge."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from implicitbias.errors import UserError

README = """# What {paper} claims, checked

[![claims](../../actions/workflows/claims.yml/badge.svg)](../../actions/workflows/claims.yml)

Each claim in `{folder}` has observations, made without its formula, and controls: false formulas that they must reject.

```console
$ pip install -r requirements.txt
$ pytest
```
"""

REQUIREMENTS = """# Where no index has the package: pip install --find-links FOLDER_WITH_ITS_WHEEL -r requirements.txt
implicitbias>={version}
pytest>=8.2
"""

WORKFLOW = """name: claims

on: [push, pull_request]

jobs:
  claims:
    runs-on: ubuntu-latest
    env:
      IMPLICITBIAS_LEDGER: ledger.sqlite
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
          cache: pip
      - uses: actions/cache@v4
        with:
          path: ledger.sqlite
          key: claims-${{{{ github.sha }}}}
          restore-keys: claims-
      - run: pip install -r requirements.txt
      - run: pytest --junitxml claims.xml
      - if: always()
        run: implicitbias report --claims {folder} --format html --output claims.html || true
      - if: always()
        uses: actions/upload-artifact@v4
        with:
          name: claims
          path: |
            claims.xml
            claims.html
"""

FILES = {
    "README.md": README,
    "requirements.txt": REQUIREMENTS,
    "pytest.ini": "[pytest]\nclaims = {folder}\n",
    ".gitignore": "__pycache__/\n.pytest_cache/\nledger.sqlite*\nclaims.xml\nclaims.html\nclaims.svg\n",
    ".github/workflows/claims.yml": WORKFLOW,
}


def write_repository(claims: Path, paper: str) -> Iterator[tuple[Path, bool]]:
    """Write each file beside the folder of claims that is not there yet: (file, whether it was written).

    Raises UserError where a file cannot be written.
    """
    claims = claims.resolve()
    for name, text in FILES.items():
        file = Path(os.path.relpath(claims.parent / name))
        if file.exists():
            yield file, False
            continue
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            written = text.format(folder=claims.name, paper=paper, version=version("implicitbias"))
            file.write_text(written, encoding="utf-8")
        except OSError as error:
            raise UserError(f"cannot write {file}: {error.strerror}") from None
        yield file, True
