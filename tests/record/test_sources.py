"""The scan of imports finds every file that a result depends on, and no others."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest

import implicitbias
from implicitbias.record.sources import file_of, imports, sources

PACKAGE = Path(implicitbias.__file__).parent


def statements(source: str) -> set[str]:
    return {ast.unparse(statement) for statement in imports(source.encode())}


def write(folder: Path, files: dict[str, str]) -> None:
    for name, contents in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(contents)


@pytest.mark.parametrize(
    "source",
    [
        "import a.b",
        "from a import b",
        "def f():\n    from a import b\n",
        "class C:\n    try:\n        import a\n    except ImportError:\n        import b\n",
        "from a import (  # (why)\n    b,\n    c as d,  # )\n)\n",
        "from a import b, \\\n    c\n",
        "if x: import a\n",
        "x = 1; from a import b\n",
        "from . import a\nfrom ..b import c\n",
        "match x:\n    case 1:\n        import a\n",
        '"""\nimport networks from files, says this line\n"""\nimport a\n',
        "async def f():\n    with g():\n        import a\n",
        "from a import b;import c\n",
        "if TYPE_CHECKING:\n    import a\nelse:\n    import b\nimport c\n",
        "import typing\nif typing.TYPE_CHECKING:\n    import a\n\n    import b\nimport c\n",
    ],
)
def test_the_quick_scan_finds_what_a_full_parse_finds(source: str) -> None:
    full = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            node.body = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            full.add(ast.unparse(node))
    hidden = {"import a"} | ({"import b"} if "typing." in source else set()) if "TYPE_CHECKING" in source else set()
    assert statements(source) == full - hidden


def test_the_quick_scan_misses_nothing_in_this_project() -> None:
    for file in PACKAGE.rglob("*.py"):
        source = file.read_text()
        if "TYPE_CHECKING" not in source:
            full = {ast.unparse(n) for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Import | ast.ImportFrom)}
            assert full <= statements(source), file


def test_imports_are_followed_through_functions_packages_and_relative_names(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "claims.py": "def f():\n    from ._shared import g\n    from .data import table\n",
            "_shared.py": "from . import deep\nfrom .deep import lower\n",
            "deep/__init__.py": "",
            "deep/lower.py": "from .. import top\nfrom ..packed import VALUE\n",
            "top.py": "",
            "packed/__init__.py": "VALUE = 1\n",
            "packed/unused.py": "",
            "data/table.py": "FILE = 'table.json'\n",
            "data/table.json": "{}",
            "data/other.json": "{}",
            "unused.py": "",
        },
    )
    found = sources([tmp_path / "claims.py"], tmp_path)
    used = {"claims.py", "_shared.py", "deep/__init__.py", "deep/lower.py", "top.py", "packed/__init__.py"}
    assert set(found) == used | {"data/table.py", "data/table.json"}


def test_this_project_is_followed_too_and_its_files_have_names_without_a_place(tmp_path: Path) -> None:
    write(tmp_path, {"claims.py": "from implicitbias.claims.evidence import Evidence\n"})
    found = sources([tmp_path / "claims.py"], tmp_path)
    assert {"claims.py", "implicitbias/claims/evidence.py"} <= set(found)
    assert "implicitbias/__init__.py" not in found
    assert not [name for name in found if os.path.isabs(name)]
    assert "implicitbias/claims/check.py" not in sources([PACKAGE / "errors.py"])


def test_modules_of_the_theory_are_found_where_they_live() -> None:
    theory = file_of("implicitbias.theory")
    assert theory is not None
    assert theory.name == "__init__.py"
    assert list(sources([theory])) == ["theory/__init__.py"]
    assert file_of("implicitbias.judging.judgement") == PACKAGE / "judging" / "judgement.py"
    assert file_of("implicitbias.no_such_module") is None
    assert file_of("numpy") is None


def test_a_changed_file_has_another_digest_and_new_imports(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "x = 1\n", "b.py": ""})
    before = sources([tmp_path / "a.py"], tmp_path)
    write(tmp_path, {"a.py": "from . import b\n"})
    after = sources([tmp_path / "a.py"], tmp_path)
    assert before["a.py"] != after["a.py"]
    assert set(after) == {"a.py", "b.py"}


def test_a_file_that_does_not_parse_still_counts(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "from . import b\n", "b.py": "def ("})
    assert set(sources([tmp_path / "a.py"], tmp_path)) == {"a.py", "b.py"}


def test_files_that_import_each_other_are_no_trap(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "from . import b\n", "b.py": "from . import a\n"})
    assert set(sources([tmp_path / "a.py"], tmp_path)) == {"a.py", "b.py"}
