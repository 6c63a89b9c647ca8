"""How many units an optimal network needs: one less than there are data points."""

from __future__ import annotations

from implicitbias.check import Check, Kind
from implicitbias.claim import OWN_RESULT, Claim, Control, Source

from .observed.unit_counts import vertices, zigzags

UNITS = Claim(
    id="savarese2019.theorem_3_3_units",
    source=Source(OWN_RESULT, "beside the proof of Theorem 3.3"),
    title="Units of an optimal network",
    statement=(
        "N - 1 units and an output bias suffice for the least cost of interpolating N points, and some data needs them "
        "all. Proof: the programme over measures has an optimal vertex with at most N columns, one of which is the "
        "output bias. (The text speaks of N + 1 units.)"
    ),
    latex=r"\#\text{units}\le N-1",
    hypotheses=("N ≥ 1", "the output bias is free"),
    rests_on=("savarese2019.theorem_3_3",),
    formula="N - 1",
    symbols={"N": "number of data points"},
    controls=(
        Control("N - 2", "one unit a kink of the spline"),
        Control("N", "one unit a data point: true, not sharp"),
        Control("N + 1", "one unit a data point and one for the bias: true, not sharp"),
    ),
    see_also=("savarese2019.section_2_rosset_sharp",),
    checks=(
        Check(
            name="zigzag data",
            kind=Kind.CERTIFICATE,
            observe=zigzags,
            about="unique minimisers by strict prices, their units counted over all orientations, N = 1 to 8",
        ),
        Check(
            name="vertices of the programme",
            kind=Kind.CERTIFICATE,
            observe=vertices,
            about="55 data sets of 1 to 8 points: an exact optimal vertex never has more",
        ),
    ),
)

CLAIMS: tuple[Claim, ...] = (UNITS,)
