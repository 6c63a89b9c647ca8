"""Section 2, after (11): the number of units of a minimiser for N data points."""

from __future__ import annotations

from implicitbias.claims import certificate, claim

from ..observed.units.unit_counts import vertices

SECTION_2_ROSSET = claim(
    "savarese2019.section_2_rosset",
    "Section 2, after (11), citing Rosset et al. 2007",
    "Number of units of a minimiser",
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
        "N/2": "one unit per two data points",
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
