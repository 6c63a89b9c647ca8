"""What is wrong in print in Stewart, Bach, Berthet, Vert (2022): the preprint at HAL, held against AISTATS 2023.

Places and numbers are those of the preprint; the readings give those of the version of record.
"""

from implicitbias.claims import Edition, Erratum

HAL = Edition("HAL 03846706, version 1", "stewart2022.txt")
AISTATS = Edition("AISTATS 2023 (PMLR 206)", "stewart2023_aistats.txt")

DOMAIN_OF_INTEGRATION = Erratum(
    "stewart2022-e1",
    "Section 5.1, second display",
    "∫_{ℝ²} ((1/|a₁|)(a₁x + a₂))₊ |a₁| dν(a₁, a₂)",
    True,
    "the integral over S¹, without the two poles a₁ = 0",
    "a constant or an index",
    "misprint",
    "None.",
    "ν is a measure on S¹.",
    (
        HAL.prints("Section 5.1, second display", "the scan's text"),
        AISTATS.mends("page 4, (9)", "the picture of the page"),
    ),
)

KINK = Erratum(
    "stewart2022-e2",
    "Section 5.1, before (6)",
    "s = a₁/|a₁|, c = −a₂/|a₁|",
    True,
    "c = −a₂/a₁",
    "a formula changes",
    "misprint",
    """For a₁ < 0 the printed c is the mirror image of the kink: (−x + 2)₊ bends at 2, not at −2, and (6) would not
    give the same function. From (6) on c is used as the kink, and nothing changes.""",
    "s(x − c) with c the kink, as (7) and Figure 2 have it, is meant; for a₁ > 0 the two agree.",
    (
        HAL.prints("Section 5.1, before (6)", "the scan's text"),
        AISTATS.prints("page 4, (8)", "the picture of the page"),
    ),
)

RESTRICTION_TO_U = Erratum(
    "stewart2022-e3",
    "Section 5.2, first sentence and its footnote of 2023",
    "all results and proofs generalize to W",
    False,
    "they hold on U; on W the infima may not be attained, and the optimal supports are others",
    "wording",
    "false statement",
    """On W labels that are all 1 are fitted by kinks at −M and M for 1/M, which tends to 0: no measure on W is optimal
    for them, and Theorem 1 and Proposition 1 do not carry over. The paper's problems (9) and (10) are defined on U, and
    every result about them stands. The preprint says only: without loss of generality.""",
    "As a statement about functions on [−1, 1] it is right: every one that a measure on W gives, one on U gives too.",
    (
        HAL.prints(
            "Section 5.2, first sentence", "the scan's text", "Without loss of generality, we restrict our analysis"
        ),
        AISTATS.prints("page 5, footnote 4", "the picture of the page"),
    ),
)

BOUND_INDEX = Erratum(
    "stewart2022-e4",
    "Section 5.4, the sets S_i for classification",
    "S_i = {v ∈ ℝ^k : (e_{y_i} − e_l)ᵀv ≥ 1(y_i ≠ l) ∀i ∈ [n], ∀l ∈ [k]}",
    True,
    "S_i = {v ∈ ℝ^k : (e_{y_i} − e_l)ᵀv ≥ 1(y_i ≠ l) ∀l ∈ [k]}",
    "a constant or an index",
    "misprint",
    "None: read literally every S_i would be empty as soon as two labels differ; the text says that they are not.",
    "The i is that of S_i.",
    (
        HAL.prints("Section 5.4", "the scan's text"),
        AISTATS.prints("page 6, Section 6.2", "the picture of the page"),
    ),
)

REASON_FOR_DUALITY = Erratum(
    "stewart2022-e5",
    "Corollary 1, proof",
    "so it attains strong duality",
    False,
    "so it does for polyhedral sets S_i, as in (9) and (10); in general it needs another argument",
    "wording",
    "wrong step",
    """A feasible point alone is not enough for general closed convex constraints. Corollary 1 is true for all of
    them, by the map of U_X onto ℝ^{nk}; for the problems (9) and (10) the reason given is right.""",
    "The chapter that is cited has the refinement for affine constraints.",
    (
        HAL.prints("Corollary 1, proof", "the scan's text"),
        AISTATS.prints("page 7, proof of Corollary 6.3.1", "the picture of the page"),
    ),
)

BRACE = Erratum(
    "stewart2022-e6",
    "Lemma 4, proof",
    "t(⟨g(u₀), v₀⟩ − Ω(v₀)) with > 1 under the brace",
    True,
    "> 0 under the brace",
    "a constant or an index",
    "misprint",
    "None: that the bracket is positive is all that is used.",
    "⟨g(u₀), v₀⟩ > 1 is the line before.",
    (
        HAL.prints("Appendix B, proof of Lemma 4", "the scan's text"),
        AISTATS.prints("page 12, proof of Lemma B.1", "the picture of the page"),
    ),
)

UNDEFINED_SET = Erratum(
    "stewart2022-e7",
    "Lemma 4, last line of the proof",
    "Ω(g(u))_* ≤ 1 ∀u ∈ A",
    True,
    "Ω_*(g(u)) ≤ 1 ∀u ∈ U",
    "a constant or an index",
    "misprint",
    "None: there is no A, and the statement of the lemma has U.",
    "The hypothesis of the lemma is meant.",
    (
        HAL.prints("Appendix B, last line of the proof of Lemma 4", "the scan's text"),
        AISTATS.prints("page 13, first display, as ∀a ∈ A", "the picture of the page"),
    ),
)

EQUATION_16 = Erratum(
    "stewart2022-e8",
    "Equation (16), Appendix C",
    "Ω_*(Σ_i α_i (x_i − c)) ≤ 1 ∀c ∈ [−1, 1]",
    True,
    "Ω_*(Σ_i α_i (x_i − c)₊) ≤ 1 ∀c ∈ [−1, 1]",
    "a formula changes",
    "misprint",
    "Lemma 2 stands: the next display, and the function g of the proof, have the positive part.",
    "The features are ramps, and the positive part is meant.",
    (
        HAL.prints("(16)", "the scan's text"),
        AISTATS.prints("page 14, (20)", "the picture of the page"),
    ),
)

EQUATION_22 = Erratum(
    "stewart2022-e9",
    "Equation (22), Appendix D.1",
    "Σ_{l=2}^{m−1} (γ_{l+1} − γ_l) δ_{u_{j_l}}",
    True,
    "Σ_{l=2}^{m−1} (γ_l − γ_{l−1}) δ_{u_{j_l}}",
    "a constant or an index",
    "misprint",
    """As printed every corner gets the bend of the next one, and γ_m, which does not exist, is needed. Lemma 3, that a
    feasible measure exists, stands: the induction step uses γ_q − γ_{q−1}.""",
    "The bend at the l-th corner is meant.",
    (
        HAL.prints("(22)", "the scan's text"),
        AISTATS.prints("page 16, (26)", "the picture of the page"),
    ),
)

INDUCTION_STEP = Erratum(
    "stewart2022-e10",
    "Appendix D.1, the display after (25)",
    "x ∈ [x_{j_{q−1}}, x_{j_q}] ⟹ f_μ(x) = L_{q−1}(x) + (γ_q − γ_{q−1})(x − x_{j_{q−1}})₊",
    True,
    "x ∈ [x_{j_q}, x_{j_{q+1}}] ⟹ f_μ(x) = L_{q−1}(x) + (γ_q − γ_{q−1})(x − x_{j_q})₊",
    "a constant or an index",
    "misprint",
    "None: with the indices one higher the step is right, and it is what (25) asks for.",
    "The q-th interval is meant.",
    (
        HAL.prints("after (25)", "the scan's text"),
        AISTATS.prints("page 16, after (29)", "the picture of the page"),
    ),
)

INDEX_SETS = Erratum(
    "stewart2022-e11",
    "Equations (30) and (32), Appendix E",
    "0 if i ∉ R_reg, and 0 if i ∉ R_class",
    True,
    "0 if i ∉ J_reg, and 0 if i ∉ J_class",
    "a constant or an index",
    "misprint",
    "None.",
    "R holds points, J their indices.",
    (
        HAL.prints("(30) and (32)", "the scan's text"),
        AISTATS.prints("pages 17 and 18, (34) and (36)", "the picture of the page"),
    ),
)

PROBLEM_OF_E_2 = Erratum(
    "stewart2022-e12",
    "Appendix E.2, after (32)",
    """attain strong duality for (9). However, it remains to verify that they are indeed prime and dual feasible for
    problem (9)""",
    False,
    "for (10), the problem of classification",
    "a constant or an index",
    "misprint",
    "None.",
    "The paragraph is that of E.1, where (9) is right.",
    (
        HAL.prints("Appendix E.2, after (32)", "the scan's text"),
        AISTATS.prints(
            "page 18, after (36)",
            "the picture of the page",
            "attain strong duality for (13). However, it remains to verify that they are indeed prime"
            " and dual feasible for problem (13)",
        ),
    ),
)

COMPONENT = Erratum(
    "stewart2022-e13",
    "Appendix E.2, before the last display",
    "∀l ∈ [k], f_{μ*}(·)_k is a piece-wise affine function",
    True,
    "∀l ∈ [k], f_{μ*}(·)_l is a piece-wise affine function",
    "a constant or an index",
    "misprint",
    "None.",
    "The l of the quantifier is meant.",
    (
        HAL.prints("Appendix E.2", "the scan's text"),
        AISTATS.prints("page 18, before the last display", "the picture of the page"),
    ),
)

LABEL_OF_2023 = Erratum(
    "stewart2022-e14",
    "Appendix E.2, last display, in the version of 2023",
    "f_{μ*}(x_i)ᵀ(e_{y_i} − e_l) ≥ 1(y_i ≠ 1) ∀l ∈ [k]",
    True,
    "f_{μ*}(x_i)ᵀ(e_{y_i} − e_l) ≥ 1(y_i ≠ l) ∀l ∈ [k]",
    "a constant or an index",
    "misprint",
    "None: the preprint has l, and so has (14).",
    "The digit 1 stands for the letter l.",
    (AISTATS.prints("page 18, last display", "the picture of the page"),),
)

ERRATA = (
    DOMAIN_OF_INTEGRATION,
    KINK,
    RESTRICTION_TO_U,
    BOUND_INDEX,
    REASON_FOR_DUALITY,
    BRACE,
    UNDEFINED_SET,
    EQUATION_16,
    EQUATION_22,
    INDUCTION_STEP,
    INDEX_SETS,
    PROBLEM_OF_E_2,
    COMPONENT,
    LABEL_OF_2023,
)
