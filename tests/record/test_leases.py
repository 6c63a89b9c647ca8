"""A computation is leased to one run that lives."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from implicitbias.record import leases
from implicitbias.record.leases import Leases
from implicitbias.record.ledger import Ledger


def test_only_one_run_has_the_lease_until_it_gives_it_back(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger") as ledger:
        one, two = Leases(ledger), Leases(ledger)
        assert one.take("k")
        assert one.take("k")
        assert not two.take("k")
        assert two.take("other")
        two.release("k")
        assert not two.take("k")
        one.release("k")
        assert two.take("k")
        two.release_all()
        assert one.take("k")
        assert one.take("other")


def test_the_lease_of_a_process_that_was_killed_is_free(tmp_path: Path) -> None:
    program = """
import os, sys
from implicitbias.record.leases import Leases
from implicitbias.record.ledger import Ledger
Leases(Ledger(sys.argv[1])).take("k")
os.kill(os.getpid(), 9)
"""
    path = tmp_path / "ledger"
    assert subprocess.run([sys.executable, "-c", program, str(path)], check=False).returncode == -9
    with Ledger(path) as ledger:
        assert Leases(ledger).take("k")


def test_the_lease_of_another_machine_lapses_unless_it_is_renewed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000.0]
    monkeypatch.setattr(leases.time, "time", lambda: now[0])
    with Ledger(tmp_path / "ledger") as ledger:
        one = Leases(ledger)
        monkeypatch.setattr(leases.platform, "node", lambda: "another machine")
        two = Leases(ledger)
        assert one.take("k")
        now[0] += leases.LAPSE - 1
        assert not two.take("k")
        one.renew()
        now[0] += leases.LAPSE - 1
        assert not two.take("k")
        now[0] += 2
        assert two.take("k")
