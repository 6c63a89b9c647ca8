"""Points from CSV files: what is read exactly, and what is refused with its line."""

from __future__ import annotations

import io
import re
import sys
import time
from fractions import Fraction
from pathlib import Path

import pytest

from implicitbias.data.points import read_labelled, read_points
from implicitbias.errors import DataError


def write(folder: Path, text: str | bytes) -> Path:
    file = folder / "points.csv"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


@pytest.mark.parametrize(
    "text",
    [
        "0.1,1\n0.2,-2e-1\n",
        "x,y\n0.1,1\n0.2,-0.2\n",
        "x;y\n0.1;1\n0.2;-0.2\n",
        "x\ty\n0.1\t1\n0.2\t-0.2\n",
        "0.1 1\n  0.2   -0.2\n",
        "# two points\n\n1/10, 1\n\n1/5, -1/5",
        "\ufeffx,y\r\n0.1,1\r\n0.2,-0.2\r\n",
        '"x","y"\n"0.1","1"\n"0.2","-.2"\n',
        "x,y,remark\n0.1,1,first\n0.2,-0.2\n",
    ],
)
def test_decimals_are_taken_exactly_whatever_the_separators(tmp_path: Path, text: str) -> None:
    points = read_points(write(tmp_path, text))
    assert points.x == (Fraction(1, 10), Fraction(1, 5))
    assert points.y == (Fraction(1), Fraction(-1, 5))


def test_columns_are_chosen_by_name_or_by_position(tmp_path: Path) -> None:
    file = write(tmp_path, "label,time,2\n7,0,1\n8,1,3\n")
    named = read_points(file, x="time", y="2")
    assert (named.x, named.y, named.x_name, named.y_name) == ((0, 1), (1, 3), "time", "2")
    assert read_points(file, x="time", y="1").y == (7, 8)
    assert read_points(write(tmp_path, "7,0,1\n8,1,3\n"), x="2", y="3").y == (1, 3)


def test_lines_are_those_of_the_file(tmp_path: Path) -> None:
    assert read_points(write(tmp_path, "# remark\nx,y\n\n0,1\n1,2\n")).lines == (4, 5)


def test_standard_input_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"0,1\n1,2\n")))
    assert read_points("-").y == (1, 2)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "holds no data"),
        ("\n\n# nothing\n", "holds no data"),
        ("x,y\n", "no points, and at least 2"),
        ("0,1\n", "one point, and at least 2"),
        ("0,1\n1,nan\n", "line 2, column 2: 'nan' is not a number"),
        ("nan,nan\n1,2\n", "line 1, column 1: 'nan' is not a number"),
        ("x,y\n0,1\ninf,2\n", "line 3, column x: 'inf' is not a number"),
        ("0,1\n1,1e308\n", "line 2, column 2: 1e308 is outside"),
        ("0,1\n1e-300,1\n", "line 2, column 1: 1e-300 is outside"),
        ("0,1\n1,1e999999999\n", "line 2, column 2: the exponent"),
        ("0,1\n1\n", "line 2: column 2 is missing"),
        ("0,1\n1,\n", "line 2: the cell of column 2 is empty"),
        ("0,1\n1,two\n", "line 2, column 2: 'two' is not a number"),
        ("0,1\n1,1/0\n", "divides by zero"),
        ("0\n1\n", "needs a column for x and one for y; it has 1 column"),
        ("0,1\n0,1\n", "x=0.0 stands on line 1 and on line 2, with the same y"),
        ("0,1\n1,1\n0,2\n", "x=0.0 stands on line 1 and on line 3, with y=1.0 and y=2.0"),
        ("0,1\n2,1\n1,2\n", "x=1.0 on line 3 follows x=2.0 on line 2: sort"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "is not text (a zero byte on line 3)"),
        (b"0,1\n1,2\n\xff\xfe", "is no UTF-8 text (byte 0xff on line 3)"),
        ("x;y\n0;1,5\n1;2\n", "line 2, column y: '1,5' is not a number"),
    ],
)
def test_bad_data_is_refused_with_its_line(tmp_path: Path, text: str | bytes, says: str) -> None:
    with pytest.raises(DataError, match=re.escape(says)):
        read_points(write(tmp_path, text))


def test_a_missing_column_is_named_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no column 'z'; it has 2 columns: x, y"):
        read_points(write(tmp_path, "x,y\n0,1\n1,2\n"), y="z")
    with pytest.raises(DataError, match="no column '3'; it has 2 columns; choose by position"):
        read_points(write(tmp_path, "0,1\n1,2\n"), y="3")


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there is no file"):
        read_points(tmp_path / "nowhere.csv")
    with pytest.raises(DataError, match="cannot be read: Is a directory"):
        read_points(tmp_path)


def test_one_point_is_enough_where_that_is_asked(tmp_path: Path) -> None:
    assert len(read_points(write(tmp_path, "0,1\n"), at_least=1)) == 1


def test_a_hundred_thousand_points_take_seconds(tmp_path: Path) -> None:
    file = write(tmp_path, "".join(f"{i}.{i % 10},{(i * 7919) % 1000}.25\n" for i in range(100_000)))
    started = time.process_time()
    assert len(read_points(file)) == 100_000
    assert time.process_time() - started < 20


def test_labels_are_in_the_column_that_is_called_so(tmp_path: Path) -> None:
    path = tmp_path / "three.csv"
    path.write_text("id,label,x,z\n7,b,2,5\n8,a,1,6\n")
    assert read_labelled(path).labels == ("a", "b")
    assert read_labelled(path).x == (1, 2)
    assert read_labelled(path, "z", "id").labels == (7, 8)
    path.write_text("at,kind,label,label\n1,a,8,8\n2,b,9,9\n")
    assert read_labelled(path).labels == ("a", "b")  # two are called so: neither is meant


@pytest.mark.parametrize("digits", [4301, 4400, 5000, 100_000])
def test_a_column_may_be_asked_for_by_any_number_of_digits(tmp_path: Path, digits: int) -> None:
    file = write(tmp_path, "x,y\n0,1\n1,2\n")
    for read in (read_points, read_labelled):
        with pytest.raises(DataError, match=rf"has no column '7777…7777 \({digits} digits\)'; it has 2 columns"):
            read(file, "7" * digits)


def test_a_column_may_be_named_by_any_number_of_digits(tmp_path: Path) -> None:
    name = "7" * 4400
    assert read_points(write(tmp_path, f"x,{name}\n0,1\n1,2\n"), y=name).y == (1, 2)


@pytest.mark.parametrize("digits", [4001, 4301, 5000])
def test_a_number_that_is_too_long_is_named_with_its_line(tmp_path: Path, digits: int) -> None:
    with pytest.raises(DataError, match=r"line 2, column 2: .*characters long") as caught:
        read_points(write(tmp_path, f"0,1\n1,0.{'3' * digits}\n"))
    assert len(str(caught.value)) < 400


def test_a_thousand_columns_are_not_all_named(tmp_path: Path) -> None:
    header = ",".join(f"column{k}" for k in range(1000))
    with pytest.raises(DataError, match=r"it has 1000 columns: column0, .*, …; choose") as caught:
        read_points(write(tmp_path, f"{header}\n{'1,' * 999}1\n"), y="z")
    assert len(str(caught.value)) < 400


def test_a_line_that_is_no_line_of_a_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="line 1 has 1200000 characters, more than the 1000000"):
        read_points(write(tmp_path, "1," * 600_000))
