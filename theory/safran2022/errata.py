"""What is wrong in print in Safran, Vardi, Lee (2022), quotation by quotation.

One edition was read, without its appendices and in a scan's text.
"""

from implicitbias.claims import Edition, Erratum

PREPRINT = Edition("the preprint of 2022", "safran2022.txt")

SIGN_CHANGES = Erratum(
    "safran2022-e1",
    "Section 1, and the note on label switches in Theorem 4.2",
    "a target network of width r (which thus changes sign between -1 and 1 at most r times)",
    False,
    "at most r + 1 times for r ≥ 4, at most r times for r ≤ 3",
    "a theorem changes",
    "false statement",
    """r kinks make r + 1 pieces, each of which can change the sign: a network of width 4 changes it five times.
    Theorem 4.2 notes the same bound on label switches. Every statement with O(r) stands, and so do the constants:
    32r + 67 has room for one more switch.""",
    "It is right for r ≤ 3, and up to one change for every r.",
    (PREPRINT.prints("Section 1, third paragraph; Theorem 4.2, 'Note that'", "the scan's text"),),
)

WIDTH_AND_LENGTH = Erratum(
    "safran2022-e2",
    "Section 1, on the sufficient width",
    "with the length of the shortest interval on which the labels do not change sign",
    False,
    "with the inverse of that length",
    "wording",
    "imprecise wording",
    "None: Theorems 2.3 and 3.1 have ρ in the denominator, and the text after Theorem 3.1 says 1/ρ.",
    "The inverse is meant.",
    (PREPRINT.prints("Section 1, third paragraph", "the scan's text"),),
)

SHORTEST_INTERVAL = Erratum(
    "safran2022-e3",
    "Section 2.1, after Assumption 2.2",
    "however the last two assumptions always hold for some",
    False,
    "ρ > 0 exists exactly if the teacher does not touch zero from above at a single point",
    "wording",
    "imprecise wording",
    """For N* = |x| the labels are −1 at 0 alone: the shortest interval is a point, however smooth the density. The
    bound on the density, the assumption before, does follow. No result changes.""",
    "Counting intervals of positive length only, it is right for all teachers.",
    (PREPRINT.prints("Section 2.1, after Assumption 2.2", "the scan's text"),),
)

NOT_CAPABLE = Erratum(
    "safran2022-e4",
    "Section 3, before Theorem 3.2",
    "GF is not capable of attaining loss below an absolute constant unless",
    False,
    "for k < ⌊1.3r⌋ it fails with probability at least 1/4, and for r ≤ k it may succeed",
    "wording",
    "imprecise wording",
    "None: Theorem 3.2 itself has the probability.",
    "The sentence announces the theorem that follows it.",
    (PREPRINT.prints("Section 3, before Theorem 3.2", "the scan's text"),),
)

THRESHOLD = Erratum(
    "safran2022-e5",
    "Theorem 4.1, and Theorem 4.2, Corollary 5.1 and the contributions",
    "L(θ(t₀)) < 1/n, namely, y_i Φ(θ(t₀); x_i) > 0 for every x_i",
    True,
    "L(θ(t₀)) < ℓ(0)/n, which for the logistic loss is log 2/n",
    "a theorem changes",
    "convention slip",
    """For the logistic loss with the natural logarithm L < 1/n allows a negative margin, and there are flows that
    start below 1/n and never reach zero loss. Theorems 4.1 and 4.2 and Corollary 5.1 need the smaller threshold;
    Theorem 2.3 does not change, since Theorem 3.1 delivers 1/(2n) < log 2/n. For the exponential loss 1/n is
    right.""",
    """With logarithms to base 2, ℓ(0) = 1 and 1/n is right; and if the margins' being positive is taken as the
    hypothesis, the theorem stands.""",
    (PREPRINT.prints("Theorem 4.1; Theorem 4.2; Corollary 5.1", "the scan's text"),),
)

STRICT_LABELS = Erratum(
    "safran2022-e6",
    "Theorem 4.2, as used for Corollary 5.1",
    "y_i N*(x_i) > 0 for all i ∈ [n]",
    True,
    "y_i = sign(N*(x_i)) for all i ∈ [n], where sign(0) = −1",
    "wording",
    "missing hypothesis",
    """A teacher that vanishes with positive probability labels samples −1 where y_i N*(x_i) = 0, and Theorem 4.2 as
    stated does not cover them, though Corollary 5.1 and Theorem 2.3 do. Such labels switch no more often than
    others, which is what the text says that the proof uses.""",
    "For teachers that vanish with probability 0, as most do, nothing is missing.",
    (PREPRINT.prints("Theorem 4.2 and Corollary 5.1", "the scan's text"),),
)

ERRATA = (
    SIGN_CHANGES,
    WIDTH_AND_LENGTH,
    SHORTEST_INTERVAL,
    NOT_CAPABLE,
    THRESHOLD,
    STRICT_LABELS,
)
