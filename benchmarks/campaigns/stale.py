"""Ways to make a recorded result stale: after the change none may be called fresh, and no other check be stale.

    python -m benchmarks.campaigns stale --count 100 --seed 0

The claims of `count` ways (all of them at most) are checked once, in one folder; then each way's change is made and
undone, in an order by the seed. A check must be stale after its own change, fresh after the changes of some others, and
fresh again when all is as it was.
"""

from __future__ import annotations

import contextlib
import io
import os
import sqlite3
import sys
import tempfile
import textwrap
import zipfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

from benchmarks.staleness.ways import WAYS, Way
from implicitbias.claims.catalogue import Catalogue, load
from implicitbias.record.freshness import freshness
from implicitbias.record.ledger import Ledger
from implicitbias.running.runner import run as run_checks

OTHERS = 10

CLAIM = '''
from implicitbias.claims import Context, Observation, certificate, claim, seen
{head}

@certificate("only")
def only(context: Context) -> Observation:
    """Powers."""
    exponent = {power}
    for x in (2, 3, 5):
        yield seen(x**exponent, x=x)

CLAIM = claim("ways.{name}", "{name}", "A square", "The square of x.", formula="x**2", symbols={{"x": "a number"}},
              controls={{"2*x": "right at 2", "x**3": "right at 1"}}, checks=(only,))
'''


def run(count: int, seed: int, others: int = OTHERS) -> dict[str, object]:
    """The figures: how many ways, and the names of those that are called fresh, or stale without a reason.

    others  how many other checks are looked at after each change
    """
    names = list(WAYS)
    Random(f"{seed} stale").shuffle(names)
    names = names[:count]
    wrong: dict[str, list[str]] = {"called fresh": [], "stale by another's change": [], "stale though restored": []}
    with tempfile.TemporaryDirectory() as place, _surroundings(Path(place).resolve(), names) as folder:
        catalogue = load(folder)
        with Ledger(Path(place) / "ledger.sqlite") as ledger:
            results = list(run_checks(catalogue.claims, folder=folder, ledger=ledger))
            failed = [f"{r.claim}: {r.reason}" for r in results if not r.verdict.accepts]
            for index, name in enumerate(names):
                way = WAYS[name]
                near = [names[(index + step) % len(names)] for step in range(1, min(others, len(names) - 1) + 1)]
                if way.library:
                    used = ledger.history(f"ways.{name}")[-1].result.provenance["used"]["files"]
                    wrong["called fresh"] += [name] if way.library not in used else []
                    continue
                with _changed(folder, way):
                    if not _stale(ledger, catalogue, name):
                        wrong["called fresh"].append(name)
                    for other in near:
                        if not WAYS[other].never_fresh and not _touches(way, WAYS[other]):
                            wrong["stale by another's change"] += _stale(ledger, catalogue, other)
                if not way.never_fresh:
                    wrong["stale though restored"] += _stale(ledger, catalogue, name)
    return {"ways": len(names), "not computed": failed, **wrong}


def _stale(ledger: Ledger, catalogue: Catalogue, name: str) -> list[str]:
    """Why the way's result is stale, in one line; empty if it is fresh."""
    claim = catalogue.claim(f"ways.{name}")
    reasons = freshness(ledger, catalogue, claim, claim.checks[0]).reasons
    return [f"{name}: {', '.join(reasons)}"] if reasons else []


def _touches(way: Way, other: Way) -> bool:
    """Whether the change is one of the surroundings that the other way rightly depends on as a whole."""
    if any(word in other.power for word in ("environ.copy", "dict(os.environ)")) and way.changed:
        return True
    return (way.elsewhere and other.elsewhere) or bool({*way.changed} & {*other.changed})


@contextlib.contextmanager
def _surroundings(place: Path, names: list[str]) -> Iterator[Path]:
    """The claims folder with the files of these ways, the folders beside it on the path, the variables set."""
    folder = place / "claims"
    for beside in ("claims", "outside", "before", "work", "elsewhere"):
        (place / beside).mkdir()
    for directory, content in (("work", "2"), ("elsewhere", "3")):
        (place / directory / "here").write_text(content)
    (place / "elsewhere" / "there").touch()
    variables: dict[str, str] = {}
    for name in names:
        way = WAYS[name]
        own = folder / f"_{name}"
        own.mkdir()
        for path, content in way.files.items():
            _write(own / path if not path.startswith("../") else folder / path, content, own)
        for link, target in way.links.items():
            (own / link).symlink_to(target)
        head = f"from ._{name} import _claim\n"
        source = CLAIM.format(name=name, head=way.head, power=way.power).replace("FOLDER", str(own)).lstrip()
        (own / "__init__.py").write_text("")
        (own / "_claim.py").write_text(way.prefix + source, encoding="utf-8")
        (folder / f"{name}.py").write_text(textwrap.dedent(f"{head}\nCLAIM = _claim.CLAIM\n"))
        variables |= {key: value.replace("FOLDER", str(own)) for key, value in way.variables.items()}
    path, directory, environment = list(sys.path), os.getcwd(), dict(os.environ)
    try:
        sys.path[:0] = [str(place / "before"), str(place / "outside")]
        os.chdir(place / "work")
        os.environ.update(variables)
        yield folder
    finally:
        sys.path[:] = path
        os.chdir(directory)
        os.environ.clear()
        os.environ.update(environment)


@contextlib.contextmanager
def _changed(folder: Path, way: Way) -> Iterator[None]:
    """The change of the way, undone at the end."""
    name = next(name for name, known in WAYS.items() if known is way)
    own = folder / f"_{name}"
    before: dict[Path, bytes | None] = {}
    directory, environment = os.getcwd(), dict(os.environ)
    made: list[Path] = []
    for relative, content in way.change.items():
        path = own / relative if not relative.startswith("../") else folder / relative
        before[path] = path.read_bytes() if path.exists() else None
        if content is None:
            path.unlink()
        else:
            made += [parent for parent in path.parents if not parent.exists()]
            _write(path, content, own)
    for link, target in way.relinked.items():
        (own / link).unlink()
        (own / link).symlink_to(target)
    for key, value in way.changed.items():
        if value is None:
            del os.environ[key]
        else:
            os.environ[key] = value.replace("FOLDER", str(own))
    if way.elsewhere:
        os.chdir(folder.parent / "elsewhere")
    try:
        yield
    finally:
        for path, old in before.items():
            path.unlink(missing_ok=True)
            if old is not None:
                path.write_bytes(old)
        for parent in made:
            parent.rmdir()
        for link in way.relinked:
            (own / link).unlink()
            (own / link).symlink_to(way.links[link])
        os.chdir(directory)
        os.environ.clear()
        os.environ.update(environment)


def _write(path: Path, content: str | bytes, own: Path) -> None:
    """Write a file; `SQLITE n` makes a database, `ZIP source` an archive with a module."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content.startswith("SQLITE "):
        path.unlink(missing_ok=True)
        with contextlib.closing(sqlite3.connect(path)) as connection:
            connection.execute(f"PRAGMA user_version = {int(content.split()[1])}")
            connection.execute("CREATE TABLE t (x)")
    elif content.startswith("ZIP "):
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            archive.writestr("h_zipped.py", content.removeprefix("ZIP "))
        path.write_bytes(buffer.getvalue())
    else:
        path.write_text(content.replace("FOLDER", str(own)), encoding="utf-8")
