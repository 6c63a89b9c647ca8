"""A device that was asked for arrives where networks are trained in steps: in experiments and in the playground."""

from collections.abc import Callable
from typing import Any

import pytest

from implicitbias import training
from implicitbias.theory.jin2021 import theorem_1_any_data, theorem_1_zero_error
from implicitbias.theory.observed.data.triangles import ABSOLUTE
from implicitbias.theory.observed.training import section_6_runs
from implicitbias.theory.stewart2022 import appendix_a, section_6_local_minimum
from implicitbias.tui.data import playground

SECTION_6 = {
    "model": "regression", "target": ABSOLUTE, "protocol": "paper", "units": 6, "bins": 3, "step": 0.05, "epochs": 2,
    "look": 1, "data": 0, "start": 0,
}  # fmt: skip


class TrainedOn(Exception):  # noqa: N818  # it is no error
    """Tells the device, instead of training."""


def told(*_: Any, device: str = "cpu", **__: Any) -> None:
    raise TrainedOn(device)


JOBS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "zero error": (
        theorem_1_zero_error.descent_job,
        {"law": next(iter(theorem_1_zero_error.LAWS)), "n": 5, "count": 2, "seed": 0},
    ),
    "any data": (theorem_1_any_data.train_job, {"case": 0, "n": 5, "seed": 0, "steps": 2}),
    "Section 6": (section_6_runs.run, SECTION_6),
    "Section 6, a dead network": (
        section_6_local_minimum.plateau_job,
        {**SECTION_6, "network": section_6_local_minimum.DEAD},
    ),
    "Appendix A": (appendix_a.margin_job, {"data": next(iter(appendix_a.DATA)), "seed": 0, "trained": "wbv"}),
}


@pytest.mark.parametrize("device", ["cpu", "cuda"])
@pytest.mark.parametrize("job", JOBS)
def test_a_job_trains_on_the_device_it_is_given(monkeypatch: pytest.MonkeyPatch, job: str, device: str) -> None:
    monkeypatch.setattr(training, "train", told)
    function, parameters = JOBS[job]
    with pytest.raises(TrainedOn, match=f"^{device}$"):
        function(parameters, device)


def test_the_playground_trains_on_the_device_it_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    state, _ = playground.begin(playground.Setup(width=5), "cuda")
    monkeypatch.setattr(training, "train", told)
    with pytest.raises(TrainedOn, match=r"^cuda$"):
        playground.advance(state, 0.5, 0.05)
