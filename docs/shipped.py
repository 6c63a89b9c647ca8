"""Packs what `verify` recorded into the package, to be shown where nothing has run yet.

python docs/shipped.py [LEDGER]
"""

from __future__ import annotations

import sys
from pathlib import Path

from implicitbias.claims.catalogue import load
from implicitbias.errors import UserError
from implicitbias.record.ledger import default_path
from implicitbias.record.shipped import PACKED, pack


def main() -> None:
    """Every check must have a result."""
    source = Path(sys.argv[1]) if sys.argv[1:] else default_path()
    checks = {(claim.id, check.name) for claim in load().claims for check in claim.checks}
    try:
        found = pack(source, PACKED, checks)
    except UserError as error:
        sys.exit(str(error))
    print(f"{found} of {len(checks)} checks, {PACKED.stat().st_size:,} bytes")
    if found < len(checks):
        sys.exit("some checks have no result: run `implicitbias verify` first")


if __name__ == "__main__":
    main()
