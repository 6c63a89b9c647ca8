"""Safran, Vardi, Lee: how many linear regions gradient flow keeps in a shallow univariate network."""

from implicitbias.claim import Paper

PAPER = Paper(
    key="safran2022",
    title="On the Effective Number of Linear Regions in Shallow Univariate ReLU Networks: "
    "Convergence Guarantees and Implicit Bias",
    authors="I. Safran, G. Vardi, J. D. Lee",
    year=2022,
    files=(
        "introduction",
        "equation_1",
        "section_2",
        "section_2_flow",
        "assumption_2_2",
        "section_2_constants",
        "theorem_2_3",
        "theorem_3_1",
        "theorem_3_1_width",
        "theorem_3_2",
        "theorem_3_2_construction",
        "theorem_4_1",
        "equation_4",
        "theorem_4_1_branching",
        "section_4_1",
        "example_1",
        "example_1_optimum",
        "theorem_4_2_data",
        "theorem_4_2",
        "regions_at_kkt_points",
        "regions_search",
        "one_switch",
        "equations_5_6",
        "sign_changes",
        "section_5",
        "corollary_5_1",
        "corollary_5_1_error",
    ),
)
