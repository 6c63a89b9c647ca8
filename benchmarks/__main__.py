"""Run all benchmarks, or the named ones, and write RESULTS.md next to this file.

Every module of this folder with a function `report() -> str` is a benchmark; its text is Markdown. One that needs what
may not be there has a function `missing() -> str | None` that says so; asked for by name it then ends with code 2.
"""

from __future__ import annotations

import datetime
import gc
import importlib
import sys
from pathlib import Path

from benchmarks.timing import machine

HERE = Path(__file__).parent


def main(names: list[str]) -> None:
    """Run the modules of this folder with these names; without names run all of them and write RESULTS.md."""
    about = machine()
    found = sorted(path.stem for path in HERE.glob("*.py") if path.stem not in ("__init__", "__main__", "timing"))
    unknown = set(names) - set(found)
    if unknown:
        sys.exit(f"no benchmark is named {', '.join(sorted(unknown))}: available: {', '.join(found)}")
    parts = []
    for name in names or found:
        module = importlib.import_module(f"benchmarks.{name}")
        if hasattr(module, "missing") and (why := module.missing()) is not None:
            if names:
                print(f"benchmark {name} was not run: {why}", file=sys.stderr)
                sys.exit(2)
            parts.append(f"## {name}\n\nnot run: {why}\n")
        elif hasattr(module, "report"):
            print(f"{name} …", file=sys.stderr)
            gc.collect()
            gc.freeze()  # what earlier benchmarks left is not searched for garbage in this one's time
            try:
                parts.append(module.report())
            except Exception as error:  # a benchmark that fails must not lose the results of the others
                parts.append(f"## {name}\n\nfailed: {type(error).__name__}: {error}\n")
    measured = f"Medians, all measured in one run of `make bench`, {datetime.date.today()}"
    text = f"# Speed\n\n{measured}; on GPUs: [GPU.md](GPU.md).\n\n"
    text += "".join(f"- {line}\n" for line in about) + "\n" + "\n".join(parts)
    print(text)
    if not names:
        (HERE / "RESULTS.md").write_text(text)


main(sys.argv[1:])
