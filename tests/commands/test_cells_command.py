"""`implicitbias cells` as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from implicitbias.cli import main


def write(folder: Path, rows: object, header: str = "") -> str:
    file = folder / "points.csv"
    lines = [",".join(map(str, row)) for row in rows]  # type: ignore[attr-defined]
    file.write_text("\n".join([*([header] if header else []), *lines]) + "\n")
    return str(file)


def run_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["cells", *arguments, "--json"]) == 0
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    return document


def test_two_points_of_the_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, write(tmp_path, [(0, 3), (1, 4)], "x,y"))
    assert document["count"] == 4
    assert document["counts"] == {"listed": 4, "deletion_restriction": 4, "cover": 4}
    assert document["inputs"] == ["x"]
    assert document["cells"][3] == {"active": [1, 2], "interior": [0, 1], "rays": [[-1, 1], [1, 0]]}


def test_a_grid_is_in_special_position(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path, [(i, j) for i in range(3) for j in range(3)])
    document = run_json(capsys, file)
    assert document["counts"] == {"listed": 58, "deletion_restriction": 58, "cover": None}
    assert document["most_possible"] == 74
    assert main(["cells", file]) == 0
    said = capsys.readouterr().out
    assert "cells       58" in said
    assert "34 more" in said


def test_equal_points_and_points_on_a_line_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cells", write(tmp_path, [(0, 0), (1, 2), (2, 4), (1, 2)])]) == 0
    said = capsys.readouterr().out
    assert "cells       6" in said
    assert "equal       points 2, 4" in said
    assert "rank        2 of 3" in said


def test_one_point_in_many_dimensions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, write(tmp_path, [(1, 2, 3, 4, 5)]))
    assert (document["count"], document["rank"], len(document["lineality"])) == (2, 1, 5)


def test_too_many_to_list_are_counted_where_that_is_cheap(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path, np.random.default_rng(0).integers(-(10**6), 10**6, (600, 2)).tolist())
    document = run_json(capsys, file)
    assert document["count"] == 2 * (1 + 599 + 599 * 598 // 2)
    assert document["cells"] is None
    assert "too many to list" in document["not_listed"]


def test_far_too_many_are_refused_with_an_estimate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path, np.random.default_rng(0).integers(-99, 99, (10**4, 5)).tolist())
    assert main(["cells", file, "--json"]) == 2
    assert "about 1.67e+18 cells" in capsys.readouterr().err
