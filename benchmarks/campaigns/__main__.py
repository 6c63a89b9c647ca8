"""Run a campaign, a module of this folder with `run(count, seed) -> dict`, and print its figures as JSON."""

from __future__ import annotations

import argparse
import importlib
import json
from pathlib import Path

NAMES = sorted(path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_"))


def main() -> None:
    """Run the named campaign."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.campaigns", description=__doc__)
    parser.add_argument("name", choices=NAMES)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    figures = importlib.import_module(f"benchmarks.campaigns.{given.name}").run(given.count, given.seed)
    print(json.dumps(figures, indent=2, ensure_ascii=False))


if __name__ == "__main__":
    main()
