"""Data sets with known least variations for three weights, computed by other programs."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

Data = tuple[list[list[Fraction | float]], list[Fraction | float]]


def on_a_line(seed: int, n: int) -> Data:
    g = np.random.default_rng(seed)
    x, y = np.sort(g.uniform(-2, 2, n)), g.standard_normal(n)
    return [[float(v)] for v in x], [float(v) for v in y]


def normal(seed: int, n: int, d: int) -> Data:
    g = np.random.default_rng(seed)
    return g.standard_normal((n, d)).tolist(), g.standard_normal(n).tolist()


def one_ridge() -> Data:
    x = np.random.default_rng(12).standard_normal((9, 2))
    return x.tolist(), (np.maximum(x[:, 0], 0) - 0.5 * x[:, 1]).tolist()


F = Fraction
DATA: dict[str, Data] = {
    "A1": ([[F(0)], [F(1)]], [F(-1, 2), F(1, 2)]),
    "A2": on_a_line(0, 3),
    "A3": on_a_line(1, 5),
    "A4": on_a_line(2, 8),
    "A5": on_a_line(3, 12),
    "A6": ([[F(i, 2)] for i in range(-2, 3)], [F(abs(i), 2) for i in range(-2, 3)]),
    "A7": ([[F(i)] for i in (-3, -2, -1, 1, 2, 3)], [F(9 * abs(i) + 4, 10) for i in (-3, -2, -1, 1, 2, 3)]),
    "A8": ([[F(-2)], [F(0)], [F(2)]], [F(1), F(1, 2), F(1)]),
    "A9": ([[F(0)], [F(1)], [F(2)], [F(3)]], [F(0), F(1), F(3), F(6)]),
    "B0": ([[F(-3, 4), F(3)], [F(-3, 4), F(-3)], [F(4), F(1)], [F(4), F(-1)]], [F(0), F(0), F(1), F(-1)]),
    "B1": (
        [[F(-4, 3), F(5, 4)], [F(-4, 3), F(-5, 4)], [F(4), F(1)], [F(4), F(-1)]],
        [F(0), F(0), F(1), F(-1)],
    ),
    "B2": ([[F(-1), F(-1)], [F(-1), F(1)], [F(1), F(-1)], [F(1), F(1)]], [F(1), F(-1), F(-1), F(1)]),
    "B3": normal(10, 5, 2),
    "B4": normal(11, 7, 2),
    "B5": one_ridge(),
    "C1": normal(20, 6, 3),
}
VALUES: dict[str, dict[str, float]] = {
    name: dict(zip(("norm", "printed", "true"), values, strict=False))
    for name, values in {
        "A1": (1.207106781186548, 0.7071067811865475, 1.2071067811865475),
        "A2": (2.175960082214572, 1.355046693149077, 3.249537597422056),
        "A3": (24.11512724022273, 2.603205993029906, 5.290200550782333),
        "A4": (46.57926906213159, 6.250055611526974, 11.98277156565441),
        "A5": (81.02680198257450, 23.49796913962598, 37.02532418469093),
        "A6": (2, 1, 1.612451549659710),
        "A7": (1.969771560359221, 2.943167672515499, 11.04294646671198),
        "A8": (0.9013878188659973, 1.077350269189626, 3.314757303333053),
        "A9": (4.472135954999579, 3.441649164903116, 13.62489015927714),
        "B0": (1.85102818822,),
        "B1": (1.25, 1, 4.242640687119285),
        "B2": (2.828427124746190, 2, 3.464101615137755),
        "B3": (2.020115096693598, 0.8575661196430999, 1.566849956834806),
        "B4": (13.70080836869686, 6.105822908671899, 12.33987002795274),
        "B5": (1.746655755662331, 1.380782618352787, 3.114103487904220),
        "C1": (2.653843660787516, 1.336369658500804, 2.728218388073013),
    }.items()
}
