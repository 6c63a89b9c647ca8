"""What a worker sees of the environment."""

from __future__ import annotations

import pytest

from implicitbias.record.environment import environment
from implicitbias.record.recorder import EVERY_VARIABLE, of_variable


def test_another_terminal_is_the_same_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    before = of_variable(EVERY_VARIABLE, environment())
    for name in ("_", "SHLVL", "TMUX", "SSH_CONNECTION", "MAKELEVEL", "COLUMNS"):
        monkeypatch.setenv(name, "another")
    assert of_variable(EVERY_VARIABLE, environment()) == before
    assert "_" not in environment()


def test_what_a_user_sets_is_another_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    before = of_variable(EVERY_VARIABLE, environment())
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "7")
    assert of_variable(EVERY_VARIABLE, environment()) != before
    assert environment()["CUDA_VISIBLE_DEVICES"] == "7"


def test_settings_that_would_make_workers_differ_are_the_same_in_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "8")
    monkeypatch.setenv("PYTHONHASHSEED", "5")
    assert environment()["OMP_NUM_THREADS"] == "1"
    assert environment()["PYTHONHASHSEED"] == "0"
