"""A slip that two claims show, and one in words that none can."""

from implicitbias.claims import Edition, Erratum

FIRST = Edition("first edition", "tested_1.txt")
SECOND = Edition("second edition", "tested_2.txt")

ONE_TOO_MUCH = Erratum(
    "tested-e1",
    "Theorem 1",
    "x² + 1",
    True,
    "x²",
    "a formula changes",
    "misprint",
    "A one too much; Theorem 2 has it right.",
    "The square alone is meant.",
    (FIRST.prints("page 1", "the picture of the page"),),
)
ROUND = Erratum(
    "tested-e2",
    "Introduction",
    "every square is a defi-nite circle",
    False,
    "every square is a square",
    "wording",
    "imprecise wording",
    "",
    "Squares are meant.",
    (
        FIRST.prints("page 1", "the scan's text"),
        SECOND.mends("page 2", "the text of the file", "every square is a square"),
    ),
)
ERRATA = (ONE_TOO_MUCH, ROUND)
