"""The trusted checker's files, joined to one: what they say, in the order in which they need one another.

Nothing is rewritten but the imports, which come first, and the names `check` and `KIND`, which every kind has. All
other names at the top of the files must differ.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from implicitbias.certificate import kernel

ROOT = Path(kernel.__file__).parent
FRAME = ROOT / "kernel.py"
KINDS = ROOT / "kinds"
ABOUT = '''#!/usr/bin/env python3
"""The trusted checker of certificates in one file: `python FILE PROOF`, standard library only.

Written by `implicitbias write-checker`, version {version}, from the files named below. Exit code 0: valid; 1: refused,
with the reason; 2: unreadable; 4: the checker itself failed, which proves nothing.
"""
'''
ALL_KINDS = '''
def all_kinds() -> dict[str, Kind]:
    """The kinds of certificate by name."""
    return {{kind.name: kind for kind in ({kinds})}}
'''


def checker_in_one_file() -> str:
    """The text of the file. Raises AssertionError where two of the files define one name."""
    kinds = sorted(path for path in KINDS.glob("*.py") if path.name != "__init__.py")
    order: list[Path] = []
    for path in (*kinds, FRAME):
        _after_what_it_needs(path, order)
    imports, sections, seen = set[str](), list[str](), dict[str, Path]()
    for path in order:
        source = path.read_text(encoding="utf-8")
        tree = ast.parse(source)
        imports |= set(_imports(tree))
        title = f"# {path.relative_to(ROOT).as_posix()} "
        if path == FRAME:
            sections.append(ALL_KINDS.format(kinds=", ".join(f"KIND_{kind.stem.upper()}" for kind in kinds)))
        text = _without_imports(source, tree)
        names = set(_names(tree))
        if path in kinds:
            text = _renamed(text, path.stem)
            names -= {"check", "KIND"}
        for name in names:
            assert name not in seen, f"{name} is defined in {path} and in {seen[name]}"
            seen[name] = path
        sections.append(f"\n{title}{'-' * (120 - len(title))}\n\n{text}")
    head = ABOUT.format(version=version("implicitbias"))
    return "\n".join([head, "from __future__ import annotations\n", *sorted(imports), *sections])


def _after_what_it_needs(path: Path, order: list[Path]) -> None:
    if path in order:
        return
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.level and node.module != "kinds":
            assert all(alias.asname is None for alias in node.names), f"{path} gives an imported name another name"
            folder = path.parent if node.level == 1 else path.parent.parent
            _after_what_it_needs(folder / f"{(node.module or '').replace('.', '/')}.py", order)
    order.append(path)


def _imports(tree: ast.Module) -> Iterator[str]:
    """Each imported name of the standard library as a line of its own."""
    for node in tree.body:
        if isinstance(node, ast.Import) or (
            isinstance(node, ast.ImportFrom) and not node.level and node.module != "__future__"
        ):
            for alias in node.names:
                name = ast.alias(alias.name, alias.asname)
                alone = ast.Import([name]) if isinstance(node, ast.Import) else ast.ImportFrom(node.module, [name], 0)
                yield ast.unparse(alone)


def _without_imports(source: str, tree: ast.Module) -> str:
    """The text without imports, and without what makes a folder a package."""
    lines = source.splitlines()
    for node in tree.body:
        packaging = isinstance(node, ast.If) and "__package__" in ast.unparse(node.test)
        if isinstance(node, ast.Import | ast.ImportFrom) or packaging:
            assert node.end_lineno is not None
            for n in range(node.lineno - 1, node.end_lineno):
                lines[n] = ""
    text = "\n".join(lines)
    while "\n\n\n\n" in text:
        text = text.replace("\n\n\n\n", "\n\n\n")
    return text.strip() + "\n"


def _names(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                yield from (name.id for name in ast.walk(target) if isinstance(name, ast.Name))


def _renamed(text: str, stem: str) -> str:
    """With names of its own for the kind and its check."""
    for old, new in (
        ("\ndef check(", f"\ndef check_{stem}("),
        ("\nKIND = Kind(", f"\nKIND_{stem.upper()} = Kind("),
        (", check)\n", f", check_{stem})\n"),
    ):
        assert text.count(old) == 1, f"kinds/{stem}.py has {old.strip()!r} {text.count(old)} times"
        text = text.replace(old, new)
    return text
