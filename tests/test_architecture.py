"""Who may import whom, and what is loaded when: the house stays as the README describes it."""

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import networkx
import pytest

ROOT = Path(__file__).parent.parent
FOUNDATION = {"errors", "legible", "exact", "data", "shown"}
MATHEMATICS = {
    "functions",
    "formulas",
    "convex",
    "certificate",
    "laws",
    "splines",
    "training",
    "networks",
    "estimators",
}
CHECKER = {"claims", "theorems", "formal", "judging", "running", "record", "report"}
FACE = {"pytest_plugin", "commands", "cli", "__main__", "__init__"}
OWN_FOLDERS = {
    "implicitbias": ROOT / "src" / "implicitbias",
    "implicitbias.theory": ROOT / "theory",
    "implicitbias.tui": ROOT / "tui",
}
KERNEL = "implicitbias.certificate.kernel"
"""Trusted, of the standard library only: whoever shows a certificate may have it checked."""

PLAYGROUND = {"implicitbias.tui.data.playground"}
"""The modules of the interface that use the engines, inside functions that run in a worker."""


@cache
def modules() -> dict[str, Path]:
    """Every module of the project by its dotted name."""
    found = {}
    for package, folder in OWN_FOLDERS.items():
        for path in sorted(folder.rglob("*.py")):
            parts = [*package.split("."), *path.relative_to(folder).with_suffix("").parts]
            found[".".join(p for p in parts if p != "__init__")] = path
    return found


def imported(name: str, path: Path) -> set[str]:
    """Dotted names that the file imports from this project, wherever the statement stands."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            origin = ".".join([*base, *([node.module] if node.module else [])])
            found |= {f"{origin}.{alias.name}" for alias in node.names}
    return {f for f in found if f.split(".")[0] == "implicitbias"}


def module_of(dotted: str) -> str:
    """The module that a dotted name is, or is found in."""
    while dotted not in modules():
        dotted = dotted.rpartition(".")[0]
    return dotted


def room(dotted: str) -> str:
    parts = dotted.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


def layer(dotted: str) -> str:
    place = room(dotted)
    if place in ("theory", "tui"):
        return place
    rooms = {"foundation": FOUNDATION, "mathematics": MATHEMATICS, "checker": CHECKER, "face": FACE}
    return next(name for name, places in rooms.items() if place in places)


ALLOWED = {
    "foundation": {"foundation"},
    "mathematics": {"foundation", "mathematics"},
    "checker": {"foundation", "checker"},
    "theory": {"foundation", "mathematics", "checker", "theory"},
    "tui": {"foundation", "checker", "tui"},
    "face": {"foundation", "mathematics", "checker", "face"},
}


@pytest.mark.parametrize(("name", "path"), modules().items(), ids=lambda v: v if isinstance(v, str) else "")
def test_imports_follow_the_arrows(name: str, path: Path) -> None:
    allowed = ALLOWED[layer(name)] | ({"mathematics"} if name in PLAYGROUND else set())
    wrong = {other for other in imported(name, path) if layer(other) not in allowed}
    if layer(name) == "tui" or name.startswith("implicitbias.report."):
        wrong = {other for other in wrong if not other.startswith(KERNEL)}
    assert not wrong, f"{name} is {layer(name)} and must not import {sorted(wrong)}"


def test_no_files_import_each_other_in_a_circle() -> None:
    """Imports inside functions and those for types alone included."""
    graph = networkx.DiGraph(
        (name, other)
        for name, path in modules().items()
        for other in map(module_of, imported(name, path))
        if other != name
    )
    circles = [sorted(circle) for circle in networkx.strongly_connected_components(graph) if len(circle) > 1]
    assert not circles


MOST_FILES = 22


def test_no_folder_holds_more_files_than_one_can_see() -> None:
    """The folders of the papers, a file per place in the paper, excepted."""
    for package in ("implicitbias", "implicitbias.tui"):
        for folder in {path.parent for path in OWN_FOLDERS[package].rglob("*.py")}:
            files = [path.name for path in folder.glob("*.py") if path.name != "__init__.py"]
            assert len(files) <= MOST_FILES, f"{folder.relative_to(ROOT)} has {len(files)} files"


def test_the_root_of_the_package_shows_its_rooms() -> None:
    root = OWN_FOLDERS["implicitbias"]
    files = {path.name for path in root.iterdir() if path.is_file()}
    assert files == {"__init__.py", "__init__.pyi", "__main__.py", "cli.py", "errors.py", "legible.py", "py.typed"}
    folders = {path.parent.relative_to(root).parts[0] for path in root.rglob("*.py") if path.parent != root}
    assert folders <= FOUNDATION | MATHEMATICS | CHECKER | FACE


CERTIFICATE = OWN_FOLDERS["implicitbias"] / "certificate"
TRUSTED = sorted(CERTIFICATE.rglob("*.py"))


@pytest.mark.parametrize("path", TRUSTED, ids=lambda path: path.relative_to(CERTIFICATE).as_posix())
def test_the_trusted_checker_is_alone_short_and_seen_by_mypy(path: Path) -> None:
    """It imports the standard library and its own folder, so that the folder works wherever it is copied."""
    source = path.read_text()
    depth = len(path.relative_to(CERTIFICATE).parts)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            assert {alias.name.split(".")[0] for alias in node.names} <= sys.stdlib_module_names
        elif isinstance(node, ast.ImportFrom):
            assert node.level <= depth
            assert node.level or (node.module or "").split(".")[0] in sys.stdlib_module_names
    assert len(source.splitlines()) < 400
    assert not re.search(r"\bAny\b", source)
    assert not re.search(r"\b(eval|exec|__import__|pickle|open\([^)]*w)\b", source)


def test_theory_files_import_mathematics_and_libraries_only_inside_functions() -> None:
    heavy = {"sympy", "scipy", "numpy", "torch", "flint", "textual", "mpmath"}
    for name, path in modules().items():
        if layer(name) != "theory":
            continue
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                targets = {a.name for a in node.names} if isinstance(node, ast.Import) else {node.module or ""}
                assert not {t.split(".")[0] for t in targets} & heavy, f"{path.name} imports {targets} at the top"
                assert not any(layer(t) == "mathematics" for t in targets if t.startswith("implicitbias.")), path.name


def test_every_folder_of_source_files_is_a_package_that_is_installed() -> None:
    for folder in OWN_FOLDERS.values():
        for path in folder.rglob("*.py"):
            assert (path.parent / "__init__.py").is_file(), f"{path.parent} has no __init__.py, so it is not installed"


def loaded_by(code: str) -> set[str]:
    out = subprocess.run(
        [sys.executable, "-c", f"import sys\n{code}\nprint('MODULES', *sys.modules, file=sys.stderr)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return {word.split(".")[0] for word in out.stderr.partition("MODULES ")[2].split()}


COMMAND = """
from implicitbias.cli import main
sys.argv = ["implicitbias", {!r}]
try:
    main()
except SystemExit as ended:
    assert not ended.code, ended.code
"""


@pytest.mark.parametrize(
    "code",
    [
        "import implicitbias",
        "from implicitbias.claims.catalogue import load; load()",
        COMMAND.format("--help"),
        COMMAND.format("list"),
    ],
    ids=["import", "catalogue", "--help", "list"],
)
def test_looking_at_the_catalogue_loads_no_heavy_library(code: str) -> None:
    found = loaded_by(code)
    assert "implicitbias" in found
    assert not found & {"torch", "textual", "scipy", "sympy", "numpy"}


def test_nothing_on_disk_is_pickled_and_no_text_is_executed() -> None:
    for path in modules().values():
        source = path.read_text()
        # Between live processes of one run bytes travel as pickles; on disk there is none.
        assert not re.search(r"pickle\.(load|dump)\(|Unpickler|Pickler", source), path
        assert "allow_pickle=True" not in source, path
        assert not re.search(r"(?<![\w.])(eval|exec)\(", source), path


def test_widgets_and_screens_are_one_a_file_and_short() -> None:
    for path in (ROOT / "tui").rglob("*.py"):
        source = path.read_text()
        assert len(source.splitlines()) <= 310, path
        if path.parent.name in ("widgets", "screens"):
            public = [n for n in ast.parse(source).body if isinstance(n, ast.ClassDef) and not n.name.startswith("_")]
            assert len(public) <= 1, path


def test_the_interface_contains_no_mathematics_library() -> None:
    for path in (ROOT / "tui").rglob("*.py"):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                named = {a.name for a in node.names} if isinstance(node, ast.Import) else {node.module or ""}
                assert not {n.split(".")[0] for n in named} & {"numpy", "scipy", "sympy", "torch", "flint"}, path
