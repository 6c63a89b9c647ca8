"""What is wrong in print in Savarese, Evron, Soudry, Srebro (2019), quotation by quotation."""

from implicitbias.claims import Edition, Erratum

ARXIV = Edition("arXiv 1902.05040", "savarese2019.txt")
COLT = Edition("COLT 2019 (PMLR 99)", "savarese2019_colt.txt")

DEFINITION_6 = Erratum(
    "savarese2019-e1",
    "Theorem 3.1 with definition (6)",
    """For any f : ℝ → ℝ, we have: R̄(f) = max(∫|f″(x)|dx, |f′(−∞) + f′(∞)|), with R̄(f) = lim_{ε→0} (inf C(θ) s.t.
    ‖h_θ − f‖_∞ ≤ ε)""",
    True,
    """for f with an affine asymptote at both ends; or for any f, if R̄ is defined by (8) as an infimum, or by sup
    |h_θ − f|/(1 + |x|) in (6)""",
    "a theorem changes",
    "missing hypothesis",
    """With the sup norm over the whole line R̄(log(1 + x²)) is infinite, and the formula says 4. Nothing else is
    touched: piecewise linear functions, and so Theorem 3.3 and Corollary 3.4, have affine ends. The sentence before
    (6), that any continuous function can be approximated, is true in this norm on bounded intervals only.""",
    "(8), read as an infimum, is meant: with it the theorem holds for every f, as its proof shows.",
    (
        ARXIV.prints("Theorem 3.1 and (6)", "the scan's text"),
        COLT.prints("pages 3 and 4, (6) and Theorem 3.1", "the picture of the page"),
    ),
)

CONVEX_LOSS = Erratum(
    "savarese2019-e2",
    "Section 2, after (11)",
    "and so also (11) are convex (although (10) is not!)",
    False,
    "(11) is convex where the loss functional L is",
    "wording",
    "missing hypothesis",
    "No result uses it: existence and the sparse minimisers are had without convexity of the loss.",
    "The sentence sets R̄ against the non-convex (10), and has the usual convex losses in mind.",
    (ARXIV.prints("after (11)", "the scan's text"), COLT.prints("page 4, after (11)", "the picture of the page")),
)

ATTAINED = Erratum(
    "savarese2019-e3",
    "Footnote 4 and Corollary 3.4",
    "This is required only to ensure the minimum of (10) is attained. … will always have a global minimum",
    False,
    "lower semi-continuity is not enough: some coercivity of the loss, along constants, is needed too",
    "a theorem changes",
    "missing hypothesis",
    """The logistic and the exponential loss are continuous, and with all labels equal no minimiser exists. What
    Corollary 3.4 says of minimisers holds wherever there is one: for the squared loss of the experiments, and for the
    logistic loss as soon as both labels occur.""",
    "Read minimum as infimum; for losses that grow in both directions both sentences are right.",
    (
        ARXIV.prints("footnote 4 and Corollary 3.4", "the scan's text"),
        COLT.prints("page 4, footnote 4; page 8, end of Corollary 3.4", "the picture of the page"),
    ),
)

EQUATION_17 = Erratum(
    "savarese2019-e4",
    "Equation (17)",
    "(− ∫ b α₋(b) db + c)",
    True,
    "(− ½ ∫ b α₋(b) db + c)",
    "a constant or an index",
    "misprint",
    "None: the next sentence lets the free bias c absorb the constant.",
    "The line before, (16), has the factor ½.",
    (ARXIV.prints("(17)", "the scan's text"), COLT.prints("page 5, (17)", "the picture of the page")),
)

EQUATION_25 = Erratum(
    "savarese2019-e5",
    "Equation (25)",
    "arg min_{h_θ : θ∈Θ₂} C(θ) s.t. (∀n∈[N], h_θ(x_n) = y_n) = arg min_{f : ℝ→ℝ} R̄(f) s.t. (∀n∈[N], f(x_n) = y_n)",
    True,
    "the left set lies in the right one, and the two minima are equal",
    "wording",
    "imprecise wording",
    """Functions that no finite network represents can be minimisers on the right. Theorem 3.3 uses the equality of the
    values.""",
    "Section 2 says it of (10) and (11): a global minimum of the one also minimises the other.",
    (ARXIV.prints("(25)", "the scan's text"), COLT.prints("page 7, (25)", "the picture of the page")),
)

FOOTNOTE_5 = Erratum(
    "savarese2019-e6",
    "Footnote 5",
    "Take f_r to be a convolution of f* with exp(−rx²), so that ‖f* − f‖_∞ → 0",
    True,
    "a convolution with √(r/π) exp(−rx²), so that ‖f* − f_r‖_∞ → 0",
    "a constant or an index",
    "misprint",
    "None: with normalised kernels everything that the footnote says is right.",
    "A kernel of mass 1 is meant.",
    (ARXIV.prints("footnote 5", "the scan's text"), COLT.prints("page 7, footnote 5", "the picture of the page")),
)

REFERENCE_TO_3_3 = Erratum(
    "savarese2019-e7",
    "Section 3, after Theorem 3.3",
    "Theorem 3.1 guarantees that the linear spline interpolation is",
    False,
    "Theorem 3.3 guarantees it",
    "a constant or an index",
    "misprint",
    "None.",
    "Theorem 3.3, just proved, rests on Theorem 3.1.",
    (
        ARXIV.prints("after the proof of Theorem 3.3", "the scan's text"),
        COLT.prints("page 7, after the proof of Theorem 3.3", "the picture of the page"),
    ),
)

SIGN_OF_THE_BIAS = Erratum(
    "savarese2019-e8",
    "Section 4, u for (9), and equation (29)",
    "u(x) = α(1, x) + α(−1, −x) and u ≈ Σ w⁽²⁾|w⁽¹⁾| δ_{b/w⁽¹⁾}",
    True,
    "u(x) = α(1, −x) + α(−1, x) and u ≈ Σ w⁽²⁾|w⁽¹⁾| δ_{−b/w⁽¹⁾}, for units [⟨w, x⟩ + b]₊ as in (9) and (1)",
    "a constant or an index",
    "convention slip",
    """One slip: Sections 4 and 5 write a unit as [⟨w, x⟩ − b]₊, and refer to (9) and (1), which have + b; so does
    the reference before (34). Replacing b by −b leaves the norm of the measure unchanged: nothing that follows is
    affected.""",
    "With units [⟨w, x⟩ − b]₊ every formula of Sections 4 and 5 is right as printed.",
    (
        ARXIV.prints("Section 4, first paragraph and (29)", "the scan's text"),
        COLT.prints("page 9, first paragraph and (29)", "the picture of the page"),
    ),
)

COMMA_FOR_PLUS = Erratum(
    "savarese2019-e9",
    "Section 4, last sentence",
    "|f′(−∞), f′(+∞)|",
    True,
    "|f′(−∞) + f′(+∞)|",
    "a constant or an index",
    "misprint",
    "None: Theorem 3.1 itself has the plus.",
    "The term of Theorem 3.1 is meant.",
    (
        ARXIV.prints("Section 4, last sentence", "the scan's text"),
        COLT.prints("page 9, after (33)", "the picture of the page"),
    ),
)

LEMMA_1 = Erratum(
    "savarese2019-e10",
    "Lemma 1 (Appendix A), proof",
    "minimizes the left-hand side and achieves equality",
    False,
    "it does so where both weights of the unit are zero or neither is; otherwise the infimum is not attained",
    "wording",
    "missing hypothesis",
    "The two infima of the Lemma are equal all the same.",
    "Units with one zero weight compute a constant and can be removed first, without raising the cost.",
    (
        ARXIV.prints("proof of Lemma 1", "the scan's text"),
        COLT.prints("page 15, end of the proof", "the picture of the page"),
    ),
)

EQUATION_42 = Erratum(
    "savarese2019-e11",
    "Equation (42)",
    "h^{(i)}_{W_i^{(l)}}(x) = [W_i^{(l)} x]₊",
    True,
    "h^{(l)}_{W_i^{(l)}}(x) = [W_i^{(l)} x]₊",
    "a constant or an index",
    "misprint",
    "None.",
    "(41), the line before, has the index of the layer.",
    (ARXIV.prints("(42)", "the scan's text"), COLT.prints("page 17, (42)", "the picture of the page")),
)

NORM_P = Erratum(
    "savarese2019-e12",
    "Appendix C, after (44)",
    "‖α‖_p = (Σ_i α_i^p)^{1/p}",
    True,
    "‖α‖_p = (Σ_i |α_i|^p)^{1/p}",
    "a constant or an index",
    "misprint",
    "None: the proofs, as in (53), write the absolute values.",
    "The weights α_i have both signs, and the absolute values are meant.",
    (ARXIV.prints("after (44)", "the scan's text"), COLT.prints("page 17, after (44)", "the picture of the page")),
)

EXPONENT_OF_THE_SLICE = Erratum(
    "savarese2019-e13",
    "Appendix D, steps (2) to (5) and the closed form",
    "S_{d−1} (1 − w₁²)^{(d−1)/2}",
    True,
    "S_{d−1} (1 − w₁²)^{(d−3)/2}, S_{d−1} = |S^{d−2}|",
    "a formula changes",
    "wrong step",
    """The exponent is that of a slice of the ball; on the sphere it gives w₁² the mean 1/(d + 2) instead of 1/d. It
    is carried into the closed form of h, with (d + 1)/2 and 1/(d + 1) there. The last line, h ~ S_{d−1}/‖x‖, and
    Claim 5.2 are true for every d ≥ 2.""",
    "Read (d − 3)/2; the same steps then lead to the same leading term.",
    (
        ARXIV.prints("Appendix D, steps (2) to (5)", "the scan's text"),
        COLT.prints("page 23, steps (3) to (5) and the two displays below", "the picture of the page"),
    ),
)

LOST_FACTOR_B = Erratum(
    "savarese2019-e14",
    "Appendix D, step (4)",
    "+ S_{d−1} ∫_{−b/‖x‖}^1 dw₁ (1 − w₁²)^{(d−1)/2}",
    True,
    "+ b S_{d−1} ∫_{−b/‖x‖}^1 dw₁ (…)",
    "a formula changes",
    "wrong step",
    """‖x‖ · b/‖x‖ = b, and step (4) keeps no factor. Step (5) then drops as odd in b what is even in b: a term that
    contributes 2 S_{d−1}/‖x‖ to h. Independent of the exponent. Claim 5.2 is true all the same.""",
    "For b = 1 the two agree; h also uses b = 0 and b = −1.",
    (
        ARXIV.prints("Appendix D, step (4)", "the scan's text"),
        COLT.prints("page 23, step (4)", "the picture of the page"),
    ),
)

SIGN_OF_THE_EXPANSION = Erratum(
    "savarese2019-e15",
    "Appendix D, from the closed form of h to its expansion",
    "2‖x‖ S_{d−1}/(d+1) [(1 − 1/‖x‖²)^{(d+1)/2} − 1] = S_{d−1}/‖x‖ + O(1/‖x‖³)",
    True,
    "the left side is − S_{d−1}/‖x‖ + O(1/‖x‖³)",
    "a constant or an index",
    "misprint",
    "The sign makes up for the factor that was lost in step (4): the right side is the true expansion of h.",
    "The right side is what is used, and it is right.",
    (
        ARXIV.prints("Appendix D, the display of h", "the scan's text"),
        COLT.prints("page 23, the display of h", "the picture of the page"),
    ),
)

INDEX_OF_THE_AREA = Erratum(
    "savarese2019-e16",
    "Appendix D, below the first display",
    "as the surface area of the d-sphere",
    False,
    "S_d is the area of the sphere in ℝ^d, of dimension d − 1, so that S_{d−1} = |S^{d−2}|",
    "a constant or an index",
    "misprint",
    "None: only a constant factor of h depends on it.",
    """Step (2) integrates over a d − 2 dimensional sphere, as it must; by d-sphere the sphere in ℝ^d is meant.""",
    (
        ARXIV.prints("Appendix D, below the first display", "the scan's text"),
        COLT.prints("page 23, below the first display", "the picture of the page"),
    ),
)

GRADIENT_WITHOUT_AREA = Erratum(
    "savarese2019-e17",
    "Appendix D, gradient and Hessian of h",
    "∇h(x) ∼ −x/‖x‖³, ∇²h(x) ∼ (1/‖x‖³)(3xxᵀ/‖x‖² − I)",
    True,
    "∇h(x) ∼ −S_{d−1} x/‖x‖³, ∇²h(x) ∼ (S_{d−1}/‖x‖³)(3xxᵀ/‖x‖² − I)",
    "a constant or an index",
    "misprint",
    "None: the next display has a constant C in front.",
    "∼ can be read as: up to a constant factor.",
    (
        ARXIV.prints("Appendix D, last displays but one", "the scan's text"),
        COLT.prints("page 23, below the display of h", "the picture of the page"),
    ),
)

RATE = Erratum(
    "savarese2019-e18",
    "Appendix D, last display",
    "(C/r^{d−1}) ∫_{r₀}^r u^{d−4} du = (C/r^{d−1}) r^{d−3} = C/r²",
    True,
    "C/r² for d ≥ 4, C log r/r² for d = 3, C/r for d = 2",
    "a formula changes",
    "wrong step",
    """The integral is r^{d−3}/(d − 3) only for d > 3. The ball ‖x‖ ≤ r₀, dropped as well, contributes C/r^{d−1}. The
    limit (39), which is all that is used, is 0 for every d ≥ 2.""",
    "Only the limit matters, and it is right.",
    (
        ARXIV.prints("Appendix D, last display", "the scan's text"),
        COLT.prints("page 23, last display", "the picture of the page"),
    ),
)

ERRATA = (
    DEFINITION_6,
    CONVEX_LOSS,
    ATTAINED,
    EQUATION_17,
    EQUATION_25,
    FOOTNOTE_5,
    REFERENCE_TO_3_3,
    SIGN_OF_THE_BIAS,
    COMMA_FOR_PLUS,
    LEMMA_1,
    EQUATION_42,
    NORM_P,
    EXPONENT_OF_THE_SLICE,
    LOST_FACTOR_B,
    SIGN_OF_THE_EXPANSION,
    INDEX_OF_THE_AREA,
    GRADIENT_WITHOUT_AREA,
    RATE,
)
