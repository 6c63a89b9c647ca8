"""What is wrong in print in Ergen and Pilanci (2021), as far as claims here show it."""

from implicitbias.claims import Edition, Erratum

JMLR = Edition("JMLR 22 (2021)", "ergen2021_jmlr.txt")

ANY_DIRECTION = Erratum(
    "ergen2021-e1",
    "Lemma 6",
    "for any vector",
    False,
    "for any vector v whose entries have a sum that is not positive",
    "a theorem changes",
    "missing hypothesis",
    """For Σ v_j > 0 large biases make the sum as large as one likes: with all data active (36) takes the least of an
    empty set. The lemma is needed for dual feasible v alone: v and -v both have a greatest value, so Σ v_j = 0.""",
    "Appendix 9 notes that one of the two problems has no bound unless the entries sum to zero: such v are meant.",
    (JMLR.prints("page 11, Lemma 6", "the text of the file"),),
)

ERRATA = (ANY_DIRECTION,)
