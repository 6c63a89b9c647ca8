"""What is wrong in print in Jin, Montúfar: the submission of 2021, held against the version of record of 2023.

The submission was read in a scan's text, which loses bars and halves of exponents: what only that shows is not listed.
"""

from implicitbias.claims import Edition, Erratum

SUBMISSION = Edition("the ICLR submission of 2021", "jin2021.txt")
JMLR = Edition("JMLR 2023", "jin2023_jmlr.txt")

ABSTRACT = Erratum(
    "jin2021-e1",
    "Abstract",
    "of the function which fits the training data and whose difference from",
    False,
    "which fits the training data adjusted by ux + v, as in Theorem 1",
    "wording",
    "imprecise wording",
    """For the data themselves a constant error remains as n → ∞, for the data of Figure 1 about 1% of their range.
    Theorem 1 has the adjustment; the version of 2023 says in Appendix A that the limit is slightly different without
    it, and gives networks with skip connections that need none.""",
    "An abstract is short: Theorem 1 is what is claimed.",
    (
        SUBMISSION.prints("abstract", "the scan's text"),
        JMLR.prints("page 1, abstract", "the text of the file"),
    ),
)

ANY_DATA = Erratum(
    "jin2021-e2",
    "Theorem 1",
    "Then, for any finite data set",
    False,
    "for any finite data set with distinct inputs in supp(ζ)",
    "a theorem changes",
    "missing hypothesis",
    """Inputs far from the support of ζ lie on one straight piece of a wide network, whose kinks hardly move: three
    labels off a line are not fitted. Theorem 6 (in 2023 Theorem 13) has the hypothesis, and Theorem 4 supposes a
    positive kernel.""",
    "Data inside the support of ζ are meant throughout.",
    (
        SUBMISSION.prints("Theorem 1", "the scan's text"),
        JMLR.prints("page 4, Theorem 1", "the picture of the page"),
    ),
)

KINKED_START = Erratum(
    "jin2021-e3",
    "Theorem 1, equation (4)",
    "min_{g∈C²(S)} ∫_S (1/ζ(x)) (g″(x) − f″(x, θ₀))² dx",
    True,
    "the same over g with g − f(·, θ₀) ∈ C²(S)",
    "a formula changes",
    "imprecise wording",
    """f(·, θ₀) has kinks, so that for g in C² the integrand is the square of a sum of point masses. The solution has
    the kinks of f(·, θ₀) with their heights. Where f(·, θ₀) ≡ 0, as everything from Section 5 on assumes, nothing
    changes.""",
    "The change g − f(·, θ₀) is what is minimised over; (6) and Remark 3 of 2023 write it so.",
    (
        SUBMISSION.prints("(4)", "the scan's text"),
        JMLR.prints("page 5, (5)", "the picture of the page"),
    ),
)

NTK_PARAMETRIZATION = Erratum(
    "jin2021-e4",
    "Section 3, strategy of the proof",
    "hold for the NTK parametrization",
    False,
    "there both layers move, and as n → ∞ the limit is a kernel regime too, with another kernel",
    "wording",
    "imprecise wording",
    """Only the clause that follows, that it leads to the adaptive regime, is not so as n → ∞. That Theorem 4 fails
    there is right, and nothing else uses the clause.""",
    "At widths up to some thousands trained networks do look adaptive.",
    (
        SUBMISSION.prints(
            "Section 3, strategy of the proof",
            "the scan's text",
            "hold for the NTK parametrization (defined in Appendix C.3), which leads to the adaptive regime",
        ),
        JMLR.prints(
            "page 10, strategy of the proof",
            "the text of the file",
            "although it does not hold for the NTK parametrization, which leads to the adaptive regime",
        ),
    ),
)

UNADJUSTED_CONSTRAINT = Erratum(
    "jin2021-e5",
    "Theorem 2, equation (5)",
    "g(x_j) = y_j, j = 1, …, M",
    True,
    "g(x_j) = y_j − ⟨u, x_j⟩ − v, j = 1, …, M",
    "a formula changes",
    "misprint",
    "None beyond (5): the theorem's own text trains on the adjusted data.",
    "Theorem 1 prints the adjustment in (4).",
    (
        SUBMISSION.prints("(5)", "the scan's text"),
        JMLR.mends("page 7, (8)", "the picture of the page"),
    ),
)

WHOLE_SPACE = Erratum(
    "jin2021-e6",
    "Theorem 2",
    "(the 2-norm over Rd)",
    False,
    "the supremum over any compact set",
    "a theorem changes",
    "false statement",
    """Two functions with different slopes far out differ by infinitely much in that norm, at every finite width. On
    compact sets the statement is right; nothing else uses the norm over the whole space.""",
    "Theorem 1 and Theorem 5 state their bounds on bounded sets.",
    (
        SUBMISSION.prints("Theorem 2", "the scan's text"),
        JMLR.mends("page 7, Theorem 6", "the picture of the page", "Then, for any compact set"),
    ),
)

SYMMETRIC_LAW = Erratum(
    "jin2021-e7",
    "Theorem 2, equation (5)",
    "where W is a d-dimensional random vector and B is a random variable",
    False,
    "and (W, B) and (−W, −B) have the same distribution; or ζ in (5) is replaced by its even part",
    "a theorem changes",
    "missing hypothesis",
    """(V, c) and (−V, −c) are the same hyperplane, and what is integrated is even: with an asymmetric law (5) has
    the sum of two reciprocals where the reciprocal of the sum belongs, and contradicts Theorem 1 for d = 1.""",
    "For the symmetric laws used in practice the two agree.",
    (
        SUBMISSION.prints("Theorem 2", "the scan's text"),
        JMLR.mends("page 7, Theorem 6", "the picture of the page", "have the same distribu-tion"),
    ),
)

SMOOTHNESS_CLASS = Erratum(
    "jin2021-e8",
    "Corollary 3, equation (6)",
    "min_{g∈C²(S)} ∫_S (1/ζ(x)) [L(g(x) − f(x, θ₀))]² dx",
    True,
    "over the class in which L has its meaning; the minimiser has 2k continuous derivatives",
    "a formula changes",
    "misprint",
    """C² is right for ReLU, k = 1, where ζ is continuous. For k = 0 the minimiser is piecewise linear and not in C²;
    for k ≥ 2 the operator L, of order k + 1, is not defined on C². The corollary stands with the class changed.""",
    "(6) is (4) with L for the second derivative, and its class was kept.",
    (
        SUBMISSION.prints("(6)", "the scan's text"),
        JMLR.prints("page 5, Corollary 4, (6)", "the picture of the page"),
    ),
)

AFFINE_PART = Erratum(
    "jin2021-e9",
    "Equation (7)",
    "approximates the output function of the network after gradient descent",
    False,
    "for data adjusted by linear regression; or with the affine part penalised too",
    "a formula changes",
    "missing hypothesis",
    """(7) does not penalise affine functions: it fits a line at once, and gradient descent fits it gradually. For
    data with an affine part the two can differ by as much as nine tenths of the data. The spectral bias that is
    read off (7) is not affected.""",
    """Section 3 advises to subtract the regression line, and the version of 2023 does so in Figure 14: then no
    affine part is left.""",
    (
        SUBMISSION.prints("before (7)", "the scan's text"),
        JMLR.prints(
            "page 6, Remark 5",
            "the picture of the page",
            "learning rate ¯η/n is approximated by the solution to following optimization problem",
        ),
    ),
)

POSITIVE_AT_EVERY_WIDTH = Erratum(
    "jin2021-e10",
    "Theorem 4, hypothesis (2)",
    "inf_n λ_min(Θ̂_n) > 0",
    True,
    "lim inf_{n→∞} λ_min(Θ̂_n) > 0",
    "wording",
    "imprecise wording",
    """Θ̂_n has rank at most 2n + 1 in one input, so that for narrow networks and many data λ_min = 0, whatever the
    law: read over all n the hypothesis is never met. The theorem, about n → ∞, needs it from some width on.""",
    "The infimum over sufficiently large n is meant: Appendix E of the version of 2023 writes lim inf.",
    (
        SUBMISSION.prints("Theorem 4, (2)", "the scan's text"),
        JMLR.prints("page 13, Theorem 10", "the picture of the page"),
    ),
)

GAP_IN_THE_SUPPORT = Erratum(
    "jin2021-e11",
    "Theorem 6, equation (19)",
    "min_{h∈C²(S)} ∫_S (h″(x))²/ζ(x) dx s.t. h(x_j) = y_j, j = 1, …, m",
    True,
    "over h of class C¹ on the whole hull of the data, with h″ = 0 outside S",
    "a theorem changes",
    "missing hypothesis",
    """If S is not an interval, (19) does not couple its components: a straight piece on each has energy 0, and the
    network is not that function. It is the minimiser of least energy among the C¹ functions that run straight across
    the gap. Where S is an interval, as for the laws of Theorem 9, nothing changes.""",
    "Read with the sentence before it, g″ = 0 for x ∉ S, on all of the hull, it is right.",
    (
        SUBMISSION.prints("Theorem 6, (19)", "the scan's text"),
        JMLR.prints("page 16, Theorem 13, (24)", "the picture of the page"),
    ),
)

EQUATION_10_OF_2023 = Erratum(
    "jin2021-e12",
    "Theorem 8 of the version of 2023, equation (10)",
    "h(x) − f(x, θ₀) = Σ_j λ_j‖x − x_j‖³ + ⟨u, x_i⟩ + v",
    True,
    "… + ⟨u, x⟩ + v",
    "a constant or an index",
    "misprint",
    "None: (11) has x_i on both sides.",
    "The variable x is meant.",
    (JMLR.prints("page 7, (10)", "the picture of the page"),),
)

MARGINAL_OF_2023 = Erratum(
    "jin2021-e13",
    "Theorem 16 of the version of 2023",
    "denote the marginal distribution of C and assume it has a density function",
    False,
    "the marginal distribution of V",
    "a constant or an index",
    "misprint",
    "None.",
    "The names of the measure and of its density say V.",
    (JMLR.prints("page 19, Theorem 16", "the picture of the page"),),
)

TIME_OF_2023 = Erratum(
    "jin2021-e14",
    "Equation (7) of the version of 2023",
    "+ (1/(η̄t)) ∫_S (1/ζ(x)) (g″(x) − f″(x, θ₀))² dx",
    True,
    "+ (M/(η̄t)) ∫_S …, for the loss (1/M) Σ_j ½|f(x_j) − y_j|² of its Section 2",
    "a constant or an index",
    "misprint",
    """With the mean of the losses a step of size η̄/n fits the share η̄λ/M of a mode, not η̄λ. The submission has
    the sum of the losses, for which 1/(η̄t) is right to first order. The path of the minimisers is the same; the
    time along it is not.""",
    "For the sum of the losses it is right.",
    (JMLR.prints("pages 4 and 6, Section 2 and (7)", "the picture of the page"),),
)

RAY_OF_2023 = Erratum(
    "jin2021-e15",
    "Proposition 18 of the version of 2023",
    "∫_ℝ u^{d+2} p_{W,B}(uV, −uc) du",
    True,
    "∫_{ℝ⁺} u^{d+2} p_{W,B}(uV, −uc) du",
    "a constant or an index",
    "misprint",
    """U = ‖W‖ is not negative. Over all u the opposite ray counts too, that of -V and -c: for even d it is added,
    for odd d subtracted, so that a symmetric law would have ζ = 0.""",
    "The proof has the positive half line, and Theorem 19 is computed with it.",
    (JMLR.prints("page 20, Proposition 18", "the picture of the page"),),
)

SQUARE_OF_2023 = Erratum(
    "jin2021-e16",
    "Equation (159) of the version of 2023",
    "min_{u∈ℝ,v∈ℝ} ‖g − ux − v‖_Θ̃ = ∫_S (g″(x))²/ζ(x) dx",
    True,
    "min_{u∈ℝ,v∈ℝ} ‖g − ux − v‖²_Θ̃ = ∫_S (g″(x))²/ζ(x) dx",
    "a constant or an index",
    "misprint",
    "None: (151) and (158) have the same minimisers with the norm and with its square.",
    "Theorem 43, which restates it, has the square in (160).",
    (JMLR.prints("page 81, (159)", "the picture of the page"),),
)

STEP_OF_THE_WEIGHT = Erratum(
    "jin2021-e17",
    "Theorem 6, equation (19)",
    "min_{h∈C²(S)} ∫_S (h″(x))²/ζ(x) dx",
    True,
    "over functions with a square-integrable second derivative; over C²(S) if ζ is continuous",
    "a formula changes",
    "imprecise wording",
    """h″ = ζℓ with a continuous ℓ: where ζ has a step, the solution has one in its second derivative, and no function
    in C²(S) attains the infimum. Theorem 6 does not suppose that ζ is continuous, and Proposition 8 makes any positive
    ζ, with steps too. The infimum and the network's function do not change.""",
    """Theorem 9's initialisations have a ζ that is continuous between the data: there C²(S) is right. The version of
    2023 supposes a continuous density in Theorem 1.""",
    (
        SUBMISSION.prints("Theorem 6, (19)", "the scan's text"),
        JMLR.prints("page 16, Theorem 13, (24)", "the picture of the page"),
    ),
)

STEP_SHARE = Erratum(
    "jin2021-e18",
    "Theorem 4",
    "η < 2/(nλ_max(Θ̂_n))",
    True,
    "η ≤ 2θ/(nλ_max(Θ̂_n)) with a fixed θ < 1",
    "a theorem changes",
    "missing hypothesis",
    """The step size depends on n. If ηnλ_max tends to 2 fast enough, the residual of the full descent keeps its length
    for a long time, changing its sign, while that of the output weights is gone: the distance (13) does not fall with
    n, so that of the output weights is of order n^(-1/2). The proof bounds the powers by sup_t tρ^(t-1), which is
    finite for every n and not for all n together. The rates of W¹, b¹ and b² stand at every step size: they move by
    at most √q‖r‖ max(1/(nλ_min), η), q being the greatest eigenvalue of their part of nΘ̂_n.""",
    """With η = η̄/n, as in (7), and a fixed η̄ below the limit of 2/λ_max(Θ̂_n), or with any fixed share of the critical
    step, the rates hold, with constants that depend on the share: so the theorem is right where η is chosen once for
    all widths, and O(1/n) is not claimed uniformly in the choice.""",
    (
        SUBMISSION.prints("Theorem 4", "the scan's text", "η < 2/(…), damaged in the scan"),
        JMLR.prints("page 14, Theorem 10", "the picture of the page"),
    ),
)

ERRATA = (
    ABSTRACT,
    ANY_DATA,
    KINKED_START,
    NTK_PARAMETRIZATION,
    UNADJUSTED_CONSTRAINT,
    WHOLE_SPACE,
    SYMMETRIC_LAW,
    SMOOTHNESS_CLASS,
    AFFINE_PART,
    POSITIVE_AT_EVERY_WIDTH,
    GAP_IN_THE_SUPPORT,
    EQUATION_10_OF_2023,
    MARGINAL_OF_2023,
    TIME_OF_2023,
    RAY_OF_2023,
    SQUARE_OF_2023,
    STEP_OF_THE_WEIGHT,
    STEP_SHARE,
)
