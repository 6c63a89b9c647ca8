"""Section 2, after (11): how many units a minimiser needs for N data points."""

from __future__ import annotations

from implicitbias.claims import certificate, claim

from ..observed.units.unit_counts import vertices, zigzags

SECTION_2_ROSSET = claim(
    "savarese2019.section_2_rosset",
    "Section 2, after (11), citing Rosset et al. 2007",
    "N data points need at most N units",
    """For N data points there is a minimiser with at most N units besides the output bias, so from that width on the
    finite problem (10) and the problem over functions (11) have the same value.""",
    part_of="savarese2019.equation_10",
    latex=r"\#\mathrm{supp}(\alpha)\le N",
    hypotheses=(
        "a minimiser exists (see savarese2019.footnote_4)",
        "shown for interpolation; any minimiser interpolates its values",
    ),
    formula="N",
    symbols={"N": "the number of data points"},
    controls={
        "N - 2": "one unit for each inner data point",
        "N/2": "one unit for two data points",
        "sqrt(N)": "fewer than the data",
    },
    checks=(
        certificate(
            "vertices of the linear programme",
            about="55 data sets of 1 to 8 points: an exact optimal vertex, its units counted",
        )(vertices),
    ),
    rests_on=("savarese2019.equation_8",),
)


SHARP = claim(
    "savarese2019.section_2_rosset_sharp",
    "beside Section 2, after (11): number of units",
    "N data points need N−1 units, and some need all of them",
    """There is always a minimiser with at most N−1 units, and for every N some data have none with fewer. Proof: a
    vertex of the linear programme has N basic columns and the output bias is one of them. On zigzag data the linear
    spline is the only minimiser; its N−2 kinks take a unit each, and one more unless the signed kinks happen to add up
    to the sum of its end slopes.""",
    part_of="savarese2019.equation_10",
    latex=r"\max_{\text{data}}\min\#\mathrm{units}=N-1",
    hypotheses=("the output bias is free", "one input"),
    formula="N - 1",
    symbols={"N": "the number of data points"},
    controls={
        "N": "the bound of the citation, taken as sharp",
        "N - 2": "one unit for each kink of the spline",
        "N + 1": "the units of the citation with the output bias counted in",
    },
    checks=(
        certificate(
            "zigzag data",
            about="unique minimisers by strict prices, their units counted over all orientations, N = 1 to 8",
        )(zigzags),
        certificate("vertices of the linear programme", about="never more on 55 data sets")(vertices),
    ),
    rests_on=("savarese2019.section_2_rosset", "savarese2019.section_2_width"),
    own=True,
)
