"""Section 5.3: R_reg and R_class counted."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction

from implicitbias.claims import Context, Observation, Premise, Step, certificate, claim, seen

from ..observed.data.points import batch, by_hand
from ..observed.data.supports import class_support, nearest_bins, regression_support


def absolute_value(n: int) -> tuple[list[Fraction], list[Fraction]]:
    """n equally spaced points on [-1, 1] with y = |x|."""
    x = [Fraction(2 * i, n - 1) - 1 for i in range(n)]
    return x, [abs(c) for c in x]


def fewest_lines(x: Sequence[Fraction], y: Sequence[Fraction]) -> int:
    """The fewest lines whose chain, bending at data only, passes through all points: every partition is tried."""
    n = len(x)

    def straight(first: int, last: int) -> bool:
        run = x[last] - x[first]
        return all((y[i] - y[first]) * run == (y[last] - y[first]) * (x[i] - x[first]) for i in range(first, last))

    best = [0] + [n] * (n - 1)
    for last in range(1, n):
        best[last] = min(best[first] + 1 for first in range(last) if straight(first, last))
    return best[-1]


@certificate("pieces against three points in a row")
def pieces_against_three_points_in_a_row(context: Context) -> Observation:
    """R_reg and the fewest pieces for random data, with and without points in a row."""
    draw = context.random()
    instances, shorter = [], 0
    for data in (*by_hand(), *batch(draw, 16), *batch(draw, 24, largest=8, row=True)):
        x, y = [Fraction(c) for c in data.x], [Fraction(v) for v in data.y]
        support = regression_support(x, y)
        shorter += len(support) < len(x)
        instances.append(seen(len(support), data.label, p=fewest_lines(x, y), n=len(x), **data.given))
    yield from instances
    yield Premise("R_reg smaller than the data in a third of them", 3 * shorter > len(instances))
    figure_8 = [Fraction(2 * i, 5) - 1 for i in range(6)], [Fraction(v) for v in (0, 1, 2, 1, 3, 5)]
    support = regression_support(*figure_8)
    yield Premise("six points as in Figure 8: J_reg = {1, 3, 4, 6}", support == [0, 2, 3, 5], f"{support}, from 0")
    yield Step("the fewest lines by trying every partition, R_reg by the three-point condition")


@certificate("counted for many n")
def counted_for_many_n(context: Context) -> Observation:
    """R_reg of |x| at n equally spaced points, n up to 250: two pieces if 0 is a datum, three if it is not; and of
    chains of one line to 60."""
    for n in (*range(3, 40), 100, 101, 250):
        yield seen(len(regression_support(*absolute_value(n))), f"|x| at {n} points", p=2 if n % 2 else 3, n=n)
    draw = context.random()
    for pieces in (*range(1, 50), 60, 100, 199):
        for n in (pieces + 1, pieces + draw.randint(2, 50), 250):
            corners = set(draw.sample(range(1, n - 1), pieces - 1))
            x, y, slope = [Fraction(2 * i, n - 1) - 1 for i in range(n)], [Fraction(draw.randint(-9, 9))], 0
            for i in range(n - 1):
                slope += draw.choice([-3, -1, 1, 2]) if i in corners else 0
                y.append(y[-1] + slope)
            yield seen(len(regression_support(x, y)), f"{pieces} pieces drawn", p=pieces, n=n)
    yield Step("the three-point condition in fractions, no tolerance")


PIECES = claim(
    "stewart2022.section_5_3_r_reg",
    "Section 5.3, Figures 3 and 8",
    "The size of R_reg",
    """R_reg holds one point more than the piecewise-linear interpolant has pieces: the two ends and the corners. Points
    on the line through their neighbours do not count, however many there are. Figure 8: six points, J_reg = {1, 3, 4,
    6}, three pieces. Figure 3, |x| at n ≥ 3 equally spaced points: 3 points if n is odd (the corner is a datum), 4 if n
    is even (its two neighbours are).""",
    latex=r"|R_{reg}|=1+\#\text{pieces of }P",
    formula="p + 1",
    symbols={"p": "number of pieces of the interpolant P", "n": "number of data"},
    controls={
        "p": "corners and one end",
        "p + 2": "the ends counted in addition to the pieces",
        "n": "all data",
        "Min(n, 2*p)": "two points per piece",
    },
    checks=(pieces_against_three_points_in_a_row, counted_for_many_n),
    part_of="stewart2022.theorem_1_regression",
    formerly=("stewart2022.figure_3_regression",),
)


@certificate("labels and neighbours")
def class_size(context: Context) -> Observation:
    """R_class by its definition for hundreds of pairs (n, k)."""
    largest = context.choose(60, 202)
    pairs = [(n, k) for n in range(2, largest) for k in range(2, context.choose(12, 61)) if (n + k) % 3 == 0 or n < 12]
    pairs += [(4 * (k - 1) + 1, k) for k in range(2, 16)] + [(30, 5), (30, 8), (101, 26), (101, 25), (201, 50)]
    pairs += [(n, k) for n in range(2, 30) for k in (15, 20, 27, 35, 44)]
    for n, k in pairs:
        labels = nearest_bins(absolute_value(n)[1], k)
        yield seen(len(class_support(labels)), n=n, k=k)
    yield Step("labels by trying every bin, neighbours compared")
    yield Step("n = 4(k-1)+1: the points are half a bin apart, x = 0 and its two neighbours tie into or lie in one bin")


FIGURE_3_CLASS = claim(
    "stewart2022.figure_3_classification",
    "next to Figure 3",
    "R_class for the absolute value",
    """For n equally spaced points on |x| and k bins the set R_class has min(n, 4(k-1)+2) points, and one fewer exactly
    if n = 4(k-1)+1: then the points are half a bin apart, ties go to the left bin, and x = 0 has two neighbours of its
    own label. In words: two points at each of the 2(k-1) changes of label, and the ends.""",
    latex=r"|R_{class}|=\min(n,4(k-1)+2)-[n=4(k-1)+1]",
    hypotheses=("n ≥ 2 points, equally spaced on [-1, 1]", "y = |x|, k ≥ 2 uniform bins, ties to the left"),
    formula="Min(n, 4*(k - 1) + 2) - Max(0, 1 - Abs(n - 4*(k - 1) - 1))",
    symbols={"n": "number of points", "k": "number of bins"},
    controls={
        "Min(n, 4*(k - 1) + 2)": "the exception forgotten",
        "Min(n, 4*(k - 1) + 1)": "the middle bin shared",
        "Min(n, 2*(k - 1) + 2)": "one point per change of label",
        "4*(k - 1) + 2": "more points than there are",
        "Min(n, 4*k + 2)": "k changes of label on each side",
    },
    checks=(class_size,),
    part_of="stewart2022.theorem_1_classification",
    rests_on=("stewart2022.section_2_labels",),
    own=True,
)


@certificate("edges of both")
def nesting(context: Context) -> Observation:
    """Edges of k bins that are not edges of q(k-1)+1 bins, in fractions; R_class of both on random labels."""
    draw = context.random()
    nested, broken = True, 0
    for q in range(1, 8):
        for k in (2, 3, 4, 5, 8, 13):
            fine = q * (k - 1) + 1
            coarse_edges = {Fraction(2 * j - 1, 2 * (k - 1)) for j in range(1, k)}
            fine_edges = {Fraction(2 * j - 1, 2 * (fine - 1)) for j in range(1, fine)}
            yield seen(len(coarse_edges - fine_edges), k=k, q=q)
            for _ in range(6):
                y = [Fraction(draw.randint(0, 60), 60) for _ in range(12)]
                missing = set(class_support(nearest_bins(y, k))) - set(class_support(nearest_bins(y, fine)))
                nested = nested and (q % 2 == 0 or not missing)
                broken += q % 2 == 0 and bool(missing)
    zigzag = [len(class_support(nearest_bins([Fraction(9, 20), Fraction(11, 20)] * 2, k))) for k in range(2, 11)]
    yield Premise("R_class(k) inside R_class(q(k-1)+1) for all odd q tried", nested)
    yield Premise("four points with labels 0.45, 0.55, …: 4, 2, 4, 2, … for k = 2, …, 10", zigzag == [4, 2] * 4 + [4])
    yield Premise("and not always for even q", broken > 0, f"{broken} data sets where it is not")
    yield Step("(2j-1)/(2(k-1)) = (2i-1)/(2q(k-1)) if and only if 2i - 1 = q(2j - 1): q must be odd")


NESTING = claim(
    "stewart2022.remark_nesting",
    "next to the Remark after Theorem 1",
    "Refinements under which R_class grows",
    """If k bins are refined to q(k-1)+1, every inner edge of the coarse bins is an edge of the fine ones if q is odd,
    and none of the k-1 is if q is even. So R_class(k) ⊆ R_class(q(k-1)+1) for odd q, ties included; for even q it can
    fail: R_class does not grow with every bin. For four points with labels 0.45, 0.55, 0.45, 0.55 its size is 4, 2, 4,
    2, … for k = 2, 3, 4, 5, …, 10, since an odd number of bins puts a midpoint between the two labels.""",
    latex=r"""\#\{\text{inner edges of}\ k\ \text{bins that are none of}\ q(k-1)+1\}=(k-1)\,[q\text{ even}],\quad
    q\text{ odd}\ \Rightarrow\ R_{class}(k)\subseteq R_{class}(q(k-1)+1)""",
    hypotheses=("uniform bins, k ≥ 2, q ≥ 1",),
    formula="(k - 1)*(1 - q + 2*floor(q/2))",
    symbols={"k": "number of coarse bins", "q": "the fine bins are q times narrower"},
    controls={
        "0": "every refinement nests",
        "(k - 1)*(q - 2*floor(q/2))": "even refinements nest",
        "k - 1": "none nests, not even q = 1",
        "Min(k, 2)*(1 - q + 2*floor(q/2))": "only the outer edges are lost",
    },
    checks=(nesting,),
    part_of="stewart2022.theorem_1_classification",
    own=True,
    formerly=("stewart2022.remark_not_monotone",),
)


@certificate("random functions, sampled")
def sampled_corners(context: Context) -> Observation:
    """R_reg of random functions with K corners, none at a datum, at least one point between neighbouring corners."""
    draw = context.random()
    instances = []
    for trial in range(context.choose(60, 400)):
        K = draw.randint(1, 8) if trial else 8
        corners = sorted(draw.sample(range(-90, 91, 6), K))
        slopes = [draw.randint(-5, 5)]
        while len(slopes) <= K:
            slopes.append(draw.choice([v for v in range(-5, 6) if v != slopes[-1]]))
        ends = [-100, *corners, 100]
        x: list[Fraction] = []
        single = 0
        for cell, (left, right) in enumerate(itertools.pairwise(ends)):
            count = draw.choice([1, 2, 3]) if trial else 2
            inside = sorted(draw.sample(range(1, 12), count))
            if cell == 0:
                inside[0] = 0  # x_1 = -1
            if cell == K:
                inside[-1] = 12  # x_n = 1
            single += len(inside) == 1
            x += [Fraction(left) + Fraction(j * (right - left), 12) for j in inside]
        y = []
        for at in x:
            value, place = Fraction(0), Fraction(-100)
            for corner, slope in zip([*corners, 100], slopes, strict=True):
                if at <= place:
                    break
                value += slope * (min(at, Fraction(corner)) - place)
                place = Fraction(corner)
            y.append(value)
        if single and _lines_up(x, y, ends):
            continue
        size = len(regression_support([c / 100 for c in x], y))
        instances.append(seen(size, f"{K} corners, {single} cells with one point", K=K, s=single))
    yield from instances
    yield Premise("ten samples at least", len(instances) >= 10, f"{len(instances)}")
    yield Step("no datum at a corner; the first is -1, the last is 1")


def _lines_up(x: Sequence[Fraction], y: Sequence[Fraction], ends: Sequence[int]) -> bool:
    """Whether the only datum between two corners is on the line through its neighbours by chance."""
    for i in range(1, len(x) - 1):
        left, right = max(e for e in ends if e <= x[i]), min(e for e in ends if e >= x[i])
        alone = x[i - 1] < left and right < x[i + 1]
        if alone and (y[i + 1] - y[i]) * (x[i] - x[i - 1]) == (y[i] - y[i - 1]) * (x[i + 1] - x[i]):
            return True
    return False


SAMPLED = claim(
    "stewart2022.figure_4_r_reg",
    "next to Figure 4",
    "R_reg of a sampled function",
    """If a function with K corners inside [-1, 1] is sampled with two points or more between neighbouring corners, and
    never at a corner, R_reg has 2 + 2K points: one on each side of every corner, and the ends. Each cell with a single
    point (the first and the last cell included) saves one. Figure 4: eight corners, 18 points.""",
    latex="|R_{reg}|=2+2K-s",
    hypotheses=(
        "no datum at a corner, at least one between two corners",
        "s cells hold a single point, which is not by chance in line with its neighbours",
    ),
    domain=("K >= 1", "s >= 0", "s <= K + 1"),
    formula="2 + 2*K - s",
    symbols={"K": "corners of the function inside (-1, 1)", "s": "cells between corners with a single datum"},
    controls={
        "2 + K": "the corners themselves",
        "2 + 2*K": "always two points per corner",
        "2*K - s": "the ends forgotten",
        "2 + 2*K - 2*s": "a single point saves both",
        "2 + 2*K - Min(s, 1)": "only one cell with a single point saves one",
    },
    checks=(sampled_corners,),
    part_of="stewart2022.figure_4",
    rests_on=("stewart2022.section_5_3_r_reg",),
    own=True,
)
