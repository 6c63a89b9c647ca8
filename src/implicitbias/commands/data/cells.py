"""`implicitbias cells DATA.csv`: the cells into which the data cut the parameters of a neuron."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from implicitbias.commands.data.answers import ROWS, WORDS, Answer, give, left_out
from implicitbias.commands.options import AsJson
from implicitbias.errors import DataError

if TYPE_CHECKING:
    from implicitbias.convex.cells.arrangement import Cells
    from implicitbias.data.table import Table

WITH_RAYS = 2000
"""The largest number of cells that are listed with their rays and an interior parameter each."""
MOST_WORK = 2_000_000
"""If there are too many cells to list, they are counted provided this takes at most this many vectors (seconds)."""

Data = Annotated[
    str, typer.Argument(metavar="DATA.csv", help="A CSV file of points, one per line; - for standard input.")
]
Inputs = Annotated[
    list[str] | None,
    typer.Option("--x", metavar="COLUMN", help="Name or position of an input; repeat it [default: all but y]."),
]
LeftOut = Annotated[
    str | None, typer.Option("--y", metavar="COLUMN", help="A column to leave out [default: the one called y].")
]


def cells(data: Data, x: Inputs = None, y: LeftOut = None, as_json: AsJson = False) -> None:
    """Count and list the cells of the neurons x ↦ [a·x + b]_+ on given points, exactly.

    Two neurons (a, b) are in one cell if they are active, a·x + b > 0, at the same points. Points are numbered from 1,
    in the order of the file; equal points and points in special position are counted as they are. The number is found
    by listing and, apart from that, by deletion and restriction, and where it applies by Cover's formula.
    """
    from implicitbias.data.table import read_table

    table = read_table(data, x or (), y)
    document, found = _found(table)
    if as_json:
        document["cells"] = None if found is None else _listed(found)
    give(Answer(document, _in_words(document, table, found)), as_json)


def _found(table: Table) -> tuple[dict[str, Any], Cells | None]:
    """Everything about the cells but their list, and the list if there are not too many of them."""
    from implicitbias.convex.cells.arrangement import cells_of, too_many
    from implicitbias.convex.cells.counts import count_by_deletion, deletion_work, general_position_count
    from implicitbias.convex.cells.lifted import independent_columns, lifted

    n, d = len(table), len(table.x_names)
    rows = lifted(table.x)
    rank = len(independent_columns(rows))
    refusal = too_many(n, d, rank)
    counted = count_by_deletion(rows) if deletion_work(n, rank) <= MOST_WORK else None
    if refusal is not None and counted is None:
        raise DataError(f"{table.source}: {refusal}")
    found = None if refusal is not None else cells_of(table.x)
    if found is not None:
        cover = general_position_count(n, rank) if found.general_position else None
        if any(other is not None and other != len(found) for other in (counted, cover)):
            raise AssertionError(f"counts differ: listed {len(found)}, deletion {counted}, Cover {cover}")
        count = len(found)
    else:
        cover, count = None, counted or 0
    document = {
        "schema": 1,
        "source": table.source,
        "inputs": list(table.x_names),
        "points": n,
        "dimension": d,
        "rank": rank,
        "repeated": [[i + 1 for i in group] for group in table.repeated()],
        "general_position": None if found is None else found.general_position,
        "most_possible": general_position_count(n, rank),
        "count": count,
        "counts": {"listed": None if found is None else count, "deletion_restriction": counted, "cover": cover},
        "not_listed": refusal,
        "lineality": None if found is None else [list(vector) for vector in found.lineality],
    }
    return document, found


def _listed(found: Cells) -> list[dict[str, Any]]:
    rows = [{"active": [i + 1 for i in found.active(k)]} for k in range(len(found))]
    if len(found) > WITH_RAYS:
        return list(rows)
    return [
        {**row, "interior": list(found.interior(k)), "rays": [list(ray) for ray in found.extreme_rays(k)]}
        for k, row in enumerate(rows)
    ]


def _in_words(document: dict[str, Any], table: Table, found: Cells | None) -> list[str]:
    n, d, rank = document["points"], document["dimension"], document["rank"]
    out = f" ({table.y_name} is left out)" if table.y_name else ""
    lines = [
        f"{n} point{'s' * (n > 1)} of {table.source}, input{'s' * (d > 1)} {', '.join(table.x_names)}{out}",
        "",
        f"cells       {document['count']}",
    ]
    counts = document["counts"]
    agreed = [
        *(["listing them"] if found is not None else []),
        *(["deletion and restriction"] if counts["deletion_restriction"] is not None else []),
        *(["Cover's formula"] if counts["cover"] is not None else []),
    ]
    lines.append(f"found by    {', '.join(agreed)}")
    if found is None:
        return [*lines, f"not listed  {document['not_listed']}"]
    if found.general_position:
        lines.append(f"position    general: {n} points can have no more cells")
    else:
        lines.append(f"position    special: in general position there would be {document['most_possible']} cells")
    for group in document["repeated"]:
        lines.append(f"equal       points {', '.join(map(str, group))}")
    if rank <= d:
        lines.append(
            f"rank        {rank} of {d + 1}: the points lie in an affine subspace of dimension {rank - 1}, and "
            "every cell contains lines"
        )
    lines += [
        "",
        "cell  active at",
        *(f"{k + 1:>4}  {_points(found.active(k))}" for k in range(min(ROWS, len(found)))),
        *left_out(len(found)),
    ]
    return lines


def _points(active: tuple[int, ...]) -> str:
    shown = ", ".join(str(i + 1) for i in active[:WORDS]) or "no point"
    return shown + (f", … ({len(active)} points)" if len(active) > WORDS else "")
