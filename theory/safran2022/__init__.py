"""Safran, Vardi, Lee: how many linear regions gradient flow keeps in a shallow univariate network."""

from implicitbias.claims import Paper

PAPER = Paper(
    key="safran2022",
    title="On the Effective Number of Linear Regions in Shallow Univariate ReLU Networks: "
    "Convergence Guarantees and Implicit Bias",
    authors="I. Safran, G. Vardi, J. D. Lee",
    year=2022,
    venue="NeurIPS 2022",
    identifier="arXiv:2205.09072",
    edition="the preprint of 2022",
    about="""Gradient flow on a shallow univariate ReLU classifier whose teacher has r linear regions. Wide networks
    with a suitable initialisation reach zero loss, and converge in direction to a network with O(r) linear
    regions, whatever their width: the effective number of regions bounds the error on new data.""",
    order=(
        "theorem_2_3",
        "equation_1",
        "section_2",
        "assumption_2_2",
        "theorem_3_1",
        "introduction_width",
        "theorem_3_2",
        "introduction_neurons",
        "theorem_4_1",
        "equation_4",
        "equations_5_6",
        "example_1",
        "section_4_1",
        "theorem_4_2",
        "introduction",
        "sign_changes",
        "regions_at_kkt_points",
        "regions_search",
        "optimum_regions",
        "one_switch",
        "corollary_5_1",
        "corollary_5_1_trained",
        "section_5",
    ),
)
