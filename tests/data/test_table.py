"""Tables of points: which columns are inputs, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from implicitbias.data.table import read_table
from implicitbias.errors import DataError


def write(folder: Path, text: str) -> Path:
    file = folder / "points.csv"
    file.write_text(text)
    return file


def test_a_column_called_y_holds_the_labels_wherever_it_stands(tmp_path: Path) -> None:
    file = write(tmp_path, "u,y,v\n0.1,5,1/3\n-2,6,4\n")
    table = read_table(file, labelled=True)
    assert table.x == ((Fraction(1, 10), Fraction(1, 3)), (Fraction(-2), Fraction(4)))
    assert (table.y, table.x_names, table.y_name, table.lines) == ((5, 6), ("u", "v"), "y", (2, 3))
    assert read_table(file).y == ()


def test_without_a_header_the_last_column_is_the_label_where_one_is_needed(tmp_path: Path) -> None:
    file = write(tmp_path, "1 2 3\n4 5 6\n")
    assert read_table(file).x == ((1, 2, 3), (4, 5, 6))
    assert read_table(file, labelled=True).x == ((1, 2), (4, 5))
    assert read_table(file, x=["3"], y="1", labelled=True).x == ((3,), (6,))


def test_equal_points_are_found(tmp_path: Path) -> None:
    assert read_table(write(tmp_path, "1,2\n3,4\n1.0,2\n")).repeated() == [(0, 2)]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no data"),
        ("1,2\n3\n", "line 2 has 1 cells"),
        ("1,nan\n", "line 1, column 2"),
        ("a,b\n1,x\n", "line 2, column b"),
        ("a,b\n", "0 points"),
        ("y\n1\n", "needs a column of inputs"),
    ],
)
def test_bad_tables_are_refused_with_the_line(text: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=reason):
        read_table(write(tmp_path, text))
