"""What is wrong in print in de Dios, Bruna (2020), quotation by quotation.

One edition was read, in a scan's text: formulas are transcribed from that.
"""

from implicitbias.claims import Edition, Erratum

PREPRINT = Edition("the preprint of 19 June 2020", "dedios2020.txt")

POTENTIAL = Erratum(
    "dedios2020-e1",
    "Section 2.1, before (3)",
    "inf_{α,c} V(αa, αb, c) > 0",
    True,
    "inf_{α>0} V(αa, αb, c/α) > 0, for neurons that are not zero on the data",
    "a formula changes",
    "misprint",
    """As printed no potential of the paper satisfies it: over all α and c the infimum is 0 for every one of them. Over
    the rescalings of a neuron it is positive, as it should be.""",
    "The rescalings (αa, αb, c/α), which leave the neuron as it is, are meant.",
    (PREPRINT.prints("Section 2.1, before (3)", "the scan's text"),),
)

KERNELS = Erratum(
    "dedios2020-e2",
    "Section 2.1, after (4)",
    "This variation-norm space contains any RKHS whose kernel is generated as an expectation over features",
    False,
    "if the base measure has second moments, ∫ c²‖θ‖² dμ₀ < ∞",
    "wording",
    "missing hypothesis",
    "A remark on known results, which nothing in the paper uses.",
    "For the base measures in use the sentence is right.",
    (PREPRINT.prints("Section 2.1, after (4)", "the scan's text"),),
)

EXTREME_POINTS = Erratum(
    "dedios2020-e3",
    "Section 2.2, after (6)",
    "of support r at most n",
    False,
    "extreme points in P(Θ) have up to n + 1 atoms; as measures on the sphere, n",
    "wording",
    "imprecise wording",
    "The conclusion drawn, that at most n neurons suffice, is right.",
    "The atoms with weights c_j are those of the signed measure on the sphere.",
    (PREPRINT.prints("Section 2.2, after (6)", "the scan's text"),),
)

EQUATION_9 = Erratum(
    "dedios2020-e4",
    "Equation (9)",
    "min_μ (1/n) Σ_i ℓ(⟨φ_{x_i}, μ⟩, y_i) − λH(μ)",
    True,
    "the same with a confining term, such as + τ∫‖θ‖² dμ, and H the entropy",
    "a formula changes",
    "missing hypothesis",
    """Without a confining term the entropy has no upper bound, the objective none from below, and no minimiser exists.
    (9) reports a result of [MMN18], where a quadratic potential confines the parameters; nothing later uses it.""",
    "The regularised problem of [MMN18] is meant.",
    (PREPRINT.prints("(9)", "the scan's text"),),
)

SMOOTH_DENSITY = Erratum(
    "dedios2020-e5",
    "Section 2.4, after (9)",
    "Minimizers to this functional have a smooth density",
    False,
    "a positive and continuous density; for ReLUs its logarithm has kinks where a datum is at the hinge",
    "wording",
    "imprecise wording",
    "None: what is used is that the density is positive, so that minimisers are not sparse.",
    "For smooth activations, as in [MMN18], the density is smooth.",
    (PREPRINT.prints("Section 2.4, after (9)", "the scan's text"),),
)

COUNTING_MEASURE = Erratum(
    "dedios2020-e6",
    "Section 3.1, before (11)",
    "is now an integral over the counting measure",
    False,
    "over the empirical measure, which has total mass 1",
    "wording",
    "imprecise wording",
    "None.",
    "The formula for μ that follows has the factor 1/m.",
    (PREPRINT.prints("Section 3.1, before (11)", "the scan's text"),),
)

EQUATION_11 = Erratum(
    "dedios2020-e7",
    "Equation (11)",
    "∫ E_D[|∇_{θ_i} φ(θ_i, x)|²] dμ(θ)",
    True,
    "∫ E_D[|∇_θ φ(θ, x)|²] dμ(θ)",
    "a constant or an index",
    "misprint",
    "None.",
    "θ_i is the variable of integration θ.",
    (PREPRINT.prints("(11)", "the scan's text"),),
)

EQUATION_13 = Erratum(
    "dedios2020-e8",
    "Equation (13)",
    "V_b(a, b, c) = |c| √(E_D[(aᵀx + b)₊²])",
    True,
    "V_b(a, b, c) = 2|c| √(E_D[(aᵀx + b)₊²] · E_D[(1 + |x|²) χ_{aᵀx+b≥0}])",
    "a formula changes",
    "false statement",
    """The minimum over λ of λ²A + c²B/λ² is 2|c|√(AB). The factor 2 is harmless, √B is not: it depends on which data
    the neuron is active at, and on the origin. So what is said of label noise changes: which functions it prefers
    (training follows the true weight), the convexity across cells, and, in Section 4, that the implicit
    regularization is translation invariant. Proposition 3.3 is right for the weight as printed, and Theorem 4.2 for
    the weights that it supposes.""",
    """Among neurons that are active at the same data √B is constant, and the printed weight is right up to that
    constant.""",
    (PREPRINT.prints("(13), and Section 4, implicit versus TV regularisation", "the scan's text"),),
)

ESSENTIALLY_CONVEX = Erratum(
    "dedios2020-e9",
    "Section 3.2, after (13)",
    "the function w is convex, and, as long as the neurons can 'see' enough of the dataset, essentially convex",
    False,
    "… effectively strictly convex, as defined next",
    "wording",
    "imprecise wording",
    "None.",
    "Definition 3.2 and Proposition 3.3 have the right words.",
    (PREPRINT.prints("Section 3.2, after (13)", "the scan's text"),),
)

WITHOUT_THE_BULK = Erratum(
    "dedios2020-e10",
    "Section 4, third paragraph",
    "the implicit regularization term that appeared in [BGVV19] is also effectively strictly convex",
    False,
    "it is so near neurons at the bulk of the data, as Proposition 3.3 says",
    "a theorem changes",
    "missing hypothesis",
    """Two neurons that are active at no datum, or that agree on the data, violate it for every data set. So Theorem
    4.2 does not apply to the weight w_b of label noise, and its conclusion fails for it: there are data with a
    continuum of minimisers. Proposition 3.3 itself is right.""",
    "For neurons at the bulk, or if neurons with equal outputs on the data are identified, the sentence is right.",
    (PREPRINT.prints("Section 4, third paragraph", "the scan's text"),),
)

IDLE_NEURONS = Erratum(
    "dedios2020-e11",
    "Definition 4.1 with Theorem 4.2",
    "H_{a,b} = {(βa, βb, c), c ∈ ℝ, β ∈ ℝ_{>0}}",
    True,
    "mass at c = 0 is left out of the support that is counted",
    "wording",
    "imprecise wording",
    """Mass with c = 0 costs nothing and outputs nothing, so a minimiser may have it anywhere, on infinitely many
    half-planes. The functions and the neurons that Theorem 4.2 is about are not affected.""",
    "Neurons with c = 0 are none; on the sphere, in Corollary 4.6, they do not appear.",
    (PREPRINT.prints("(15)", "the scan's text"),),
)

LEMMA_4_4 = Erratum(
    "dedios2020-e12",
    "Lemma 4.4, equation (19)",
    """|λc + (1−λ)c′| w(λa + (1−λ)a′, λb + (1−λ)b′) = λ|c|w(a, b) + (1−λ)|c′|w(a′, b′) if and only if there exist
    constants α, β ∈ ℝ⁺ such that (a, b, c) = (αa, αb, βc)""",
    True,
    "Lemma A.1: merging two neurons of a cell, with the moments (18) kept, makes them cheaper",
    "a theorem changes",
    "false statement",
    """Both directions fail: |c|w is a product of two factors, not jointly convex. (In the condition the primes are
    lost.) The authors say so: by footnote 4 there is a typo in the statement, in how the interpolation is performed,
    and Lemma A.1 takes its place. What follows uses Lemma A.1.""",
    "With the output weights not averaged, as in Lemma A.1, the equality holds for proportional neurons only.",
    (PREPRINT.prints("Lemma 4.4, (19)", "the scan's text"),),
)

ONE_PER_CELL = Erratum(
    "dedios2020-e13",
    "Lemma A.1 (proof), and with it Lemma 4.5, Theorem 4.7 and Figure 1",
    "have the same sign (since otherwise we can transfer mass from one neuron to the other)",
    False,
    "one neuron for each closed cell and sign of c",
    "a theorem changes",
    "false statement",
    """Two neurons of opposite signs in one closed cell cannot always be merged: their common moment may lie outside
    the cell and its mirror image. With x = 0, 1 and y = −½, ½ the only minimiser has two of them in one cell. So
    Lemma 4.5, the single point of Theorem 4.7 and the one neuron per cell of Figures 1.a and 1.b are false as
    printed; φ in the proof of Lemma 4.5 keeps the moments for one sign only. The finite supports of Theorem 4.2 and
    of Corollaries 4.6 and 4.8 stand, with at most twice the number.""",
    """For each sign of c, or for positive measures, the lemma and what depends on it are right, for every effectively
    strictly convex weight; for the total variation also one neuron per relatively open face.""",
    (PREPRINT.prints("Appendix A, proof of Lemma A.1; Lemma 4.5; Theorem 4.7; Figure 1", "the scan's text"),),
)

UNDEFINED_LOSSES = Erratum(
    "dedios2020-e14",
    "Lemma 4.5 and Theorem 4.7",
    "be zero-error minimizers of L_reg",
    False,
    "L_reg, and L_w in Lemma 4.5, are not defined: both are μ ↦ ⟨|c|w(a, b), μ⟩",
    "wording",
    "imprecise wording",
    "None.",
    "Problem (6) is meant, on one cell in Lemma 4.5.",
    (PREPRINT.prints("Theorem 4.7", "the scan's text"),),
)

INEQUALITY_OF_A_1 = Erratum(
    "dedios2020-e15",
    "Lemma A.1",
    "⟨V, μ⟩ < ⟨V, μ′⟩",
    True,
    "⟨V, μ′⟩ < ⟨V, μ⟩, for c and c′ of one sign and not zero",
    "a formula changes",
    "misprint",
    "As printed merging would make neurons dearer. The proof, and Lemma 4.5 which uses it, have the right direction.",
    "The last line of the proof is right.",
    (PREPRINT.prints("Lemma A.1", "the scan's text"),),
)

GAMMA = Erratum(
    "dedios2020-e16",
    "Lemma A.1, proof",
    "γ = c + c′",
    True,
    "γ = (c + c′)/2",
    "a constant or an index",
    "misprint",
    "None: with c + c′ the moments would be twice those of μ; the line that follows is right for the half of it.",
    "μ carries the masses ½; for masses 1 it is right.",
    (PREPRINT.prints("Appendix A, end of the proof of Lemma A.1", "the scan's text"),),
)

EQUATION_27 = Erratum(
    "dedios2020-e17",
    "Equation (27)",
    "⟨w, ν₀⟩ > ⟨w, φ_*μ⟩",
    True,
    "for every other minimiser μ, and with V for w",
    "wording",
    "imprecise wording",
    "None: it is used for a second minimiser, where it holds.",
    "The paragraph is about another minimiser ν′.",
    (PREPRINT.prints("Appendix A, (27)", "the scan's text"),),
)

ERRATA = (
    POTENTIAL,
    KERNELS,
    EXTREME_POINTS,
    EQUATION_9,
    SMOOTH_DENSITY,
    COUNTING_MEASURE,
    EQUATION_11,
    EQUATION_13,
    ESSENTIALLY_CONVEX,
    WITHOUT_THE_BULK,
    IDLE_NEURONS,
    LEMMA_4_4,
    ONE_PER_CELL,
    UNDEFINED_LOSSES,
    INEQUALITY_OF_A_1,
    GAMMA,
    EQUATION_27,
)
