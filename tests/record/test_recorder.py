"""A module's file belongs to every check that takes something from it, however often and whoever took it before."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

PROGRAM = """
    import builtins
    import importlib.util
    import sys
    from implicitbias.record import layers

    layers.install()
    sys.path.insert(0, sys.argv[1])
    import first
    sys.given = first  # taken by a body without an import statement of its own

    def used(*actions):
        with layers.RECORDER.recording([]) as found:
            for action in actions:
                action()
            return {name.rpartition("/")[2] for name in found().files}

    def take():
        return first.VALUE

    def load():
        sys.modules.pop("second", None)
        import second

    ours = {"first.py", "second.py", "third.py"}
    assert used(take, take) & ours == {"first.py"}, "taken twice"
    assert used(lambda: None) & ours == set(), "taken by another check only"
    assert used(take) & ours == {"first.py"}, "taken again, by a third check"
    assert used(load) & ours == ours, "what a body takes comes with it"
    assert used(take, load) & ours == ours
    body = layers.RECORDER.bodies[sys.modules["second"].__file__]
    files = {name.rpartition("/")[2] for name in body.files}
    assert files & ours == {"first.py", "third.py"}, "what the check had taken before is the body's as well"

    builtins.given = first
    fourth = first.__file__.replace("first", "fourth")
    for _ in range(2):  # compiled at first, then read as it was compiled, which imports nothing
        take()  # between checks what is taken is nobody's, but what a body takes is its own
        spec = importlib.util.spec_from_file_location("fourth", fourth)
        spec.loader.exec_module(importlib.util.module_from_spec(spec))
        files = {name.rpartition("/")[2] for name in layers.RECORDER.bodies[fourth].files}
        assert files & ours == {"first.py"}, "a body that is run by hand between checks has what it takes"
    assert used(take) & ours == {"first.py"}, "what was taken between checks is taken anew"
"""


def test_what_checks_and_bodies_take_is_recorded_for_each_of_them(tmp_path: Path) -> None:
    (tmp_path / "first.py").write_text("VALUE = 1\n")
    (tmp_path / "second.py").write_text("import sys, third\nTAKEN = sys.given.VALUE + third.VALUE\n")
    (tmp_path / "third.py").write_text("VALUE = 2\n")
    (tmp_path / "fourth.py").write_text("TAKEN = given.VALUE\n")
    subprocess.run([sys.executable, "-c", textwrap.dedent(PROGRAM), str(tmp_path)], check=True)


def test_folders_of_what_is_installed_are_no_inputs() -> None:
    program = """
        import os
        import sysconfig
        from implicitbias.record import layers

        layers.install()
        with layers.RECORDER.recording([]) as found:
            for kind in ("stdlib", "purelib"):
                os.stat(sysconfig.get_path(kind))
            assert not {sysconfig.get_path("stdlib"), sysconfig.get_path("purelib")} & found().files.keys()
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(program)], check=True)
