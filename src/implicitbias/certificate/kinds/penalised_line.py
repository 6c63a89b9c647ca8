"""The trusted check of kind "least penalised loss on a line": standard library only, run by kernel.py.

  data    {"x": [x_1 <= … <= x_M], "y": [y_1, …, y_M], "weights": [w_1, …, w_M], "penalty": λ, "cost": "network" or
          "slopes", "monotone": null, "increasing" or "decreasing", "curved": null, "convex" or "concave"}; all w_i
          and λ are positive
  primal  {"height": h, "slopes": [m_0, …, m_N]}: f with f(ξ_1) = h, ξ_1 < … < ξ_N the different inputs, and the slopes
          m_0 before ξ_1, m_n between ξ_n and ξ_{n+1}, m_N after ξ_N
  dual    {"bends": [p_2, …, p_{N-1}], "ends": e, "steps": [q_1, …, q_{N-1}]}; "steps" is [] where no f is asked to be
          monotone, e = 0 with cost "slopes"
  claim   {"lower": L, "upper": U, "relative_gap": G}: L <= V <= U and U - L <= G·U, where V is the least
          Σ w_i (f(x_i) - y_i)²/Σ w_i + λ C(f) of all functions f that are as monotone and as curved as is asked;
          C(f) = max(∫|f''|, |f'(-∞) + f'(+∞)|) is what weight decay costs a two-layer ReLU network (Savarese et al.
          2019), cost "network"; with "slopes" C(f) = ∫|f''| (L1 trend filtering)

Why the check suffices. The function of the primal has the shape, its slopes say so, and its penalised loss is at most
U: so V <= U. The lower bound is weak duality. Let f be any function of the shape with ∫|f''| finite, l_n its mean slope
between ξ_n and ξ_{n+1}, κ_n = l_n - l_{n-1} and T = Σ|κ_n|, n from 2 to N - 1, and s = l_1 + l_{N-1}. Means of f' vary
no more than f' does, so ∫|f''| >= T + u with u = |f'(-∞) - l_1| + |f'(+∞) - l_{N-1}|; and |f'(-∞) + f'(+∞)| >= |s| - u.
The mean of the two bounds is free of u, so C(f) >= T and, for a network, C(f) >= (T + |s|)/2. Let |p_n| + |e| <= λ and
2|e| <= λ, e = 0 for "slopes". Then
  Σp_n κ_n + e s <= (λ - |e|)T + |e||s| = (λ - 2|e|)T + 2|e|(T + |s|)/2 <= λ C(f).
If f is convex, κ_n >= 0, and p_n <= λ - |e| is enough; if it is concave, p_n >= |e| - λ is. If it increases, l_n >= 0,
and Σq_n l_n with q_n >= 0 can be taken away; if it decreases, Σ(-q_n) l_n can. So λ C(f) is at
least Σ_n a_n l_n = Σ_n c_n f(ξ_n), with
  a_n = p_n - p_{n+1} + e·[n = 1] + e·[n = N - 1] - (±q_n),   c_n = a_{n-1}/(ξ_n - ξ_{n-1}) - a_n/(ξ_{n+1} - ξ_n),
where p_1, p_N, a_0 and a_N stand for 0. With W_n the share of the weights at ξ_n, ȳ_n the mean of the labels there, and
R the share of their scatter around these means, Σ w_i (y_i - ȳ_n)²/Σ w_i, which no f avoids,
  loss + λ C(f) >= R + Σ_n (W_n (f(ξ_n) - ȳ_n)² + c_n f(ξ_n)) >= R + Σ_n (c_n ȳ_n - c_n²/(4 W_n)),
as W t² + c t >= -c²/(4W) for every t. That is L or more, for every f: L <= V. If ∫|f''| is infinite there is nothing to
show. Long terms are rounded away from what they bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..about import on_a_line
from ..budget import price, refuse, spend
from ..rational import Rational, total
from ..reading import Fields, Kind, Proved, read_bounds, read_fields, read_number, read_numbers
from ..words import in_words, shown

TERM_BITS = 192
"""Significant bits, about, to which the terms of a long sum are rounded."""
MONOTONE = {"increasing": 1, "decreasing": -1}
CURVED = {"convex": 1, "concave": -1}


@dataclass(frozen=True)
class _Asked:
    """The data by their different inputs, and what is asked for.

    at, shares, means  ξ, W, ȳ
    scatter            R, rounded down and up
    """

    at: list[Rational]
    shares: list[Rational]
    means: list[Rational]
    scatter: tuple[Rational, Rational]
    penalty: Rational
    network: bool
    rising: int
    bending: int


def check(document: Fields) -> Proved:
    """What the certificate proves, in words; refused otherwise."""
    names = ("x", "y", "weights", "penalty", "cost", "monotone", "curved")
    data = read_fields(document["data"], "data", names)
    x, y, weights = (read_numbers(data[name], f"data.{name}") for name in names[:3])
    if not x or len({len(x), len(y), len(weights)}) > 1:
        refuse(
            f"data.x, data.y and data.weights have {len(x)}, {len(y)} and {len(weights)} numbers: as many, and at "
            "least one, are needed"
        )
    asked = _read_asked(data, x, y, weights)
    upper = _of_primal(document["primal"], asked)
    lower = _of_dual(document["dual"], asked)
    bounds = read_bounds(document["claim"], lower, upper)
    equal = all(weight == weights[0] for weight in weights)
    loss = "mean squared error" if equal else "mean squared error, with the weights of the data,"
    cost = "max(∫|f''|, |f'(-∞) + f'(+∞)|)" if asked.network else "∫|f''|"
    shape = " ".join(str(word) for word in (data["monotone"], data["curved"]) if word is not None)
    return Proved(
        f"Of all {shape + ' ' if shape else ''}functions f of one input, on {len(x)} data point{'s' * (len(x) > 1)}, "
        f"the smallest {loss} plus {in_words(asked.penalty)} times {cost} {bounds}.",
        on_a_line(x, y),
    )


def _read_asked(data: Fields, x: list[Rational], y: list[Rational], weights: list[Rational]) -> _Asked:
    penalty = read_number(data["penalty"], "data.penalty")
    if penalty <= 0:
        refuse(f"data.penalty must be positive, not {in_words(penalty)}")
    cost = data["cost"]
    if cost not in ("network", "slopes"):
        refuse(f"data.cost must be 'network' or 'slopes', not {shown(cost)}")
    rising = _read_sign(data["monotone"], "data.monotone", MONOTONE)
    bending = _read_sign(data["curved"], "data.curved", CURVED)
    if any(weight <= 0 for weight in weights):
        refuse("data.weights must be positive")
    at: list[Rational] = []
    groups: list[list[int]] = []
    for i, place in enumerate(x):
        if at and place < at[-1]:
            refuse(f"data.x must not decrease: [{i}] = {in_words(place)} is below {in_words(at[-1])}")
        if not at or place > at[-1]:
            at.append(place)
            groups.append([])
        groups[-1].append(i)
    all_weights = total(weights)
    sums = [total(weights[i] for i in group) for group in groups]
    means = [
        y[group[0]] if len(group) == 1 else total(weights[i] * y[i] for i in group) / weight
        for group, weight in zip(groups, sums, strict=True)
    ]
    apart = [
        weights[i] * (y[i] - mean) ** 2 / all_weights
        for group, mean in zip(groups, means, strict=True)
        for i in group
        if len(group) > 1
    ]
    scatter = total(_cut(term, -1) for term in apart), total(_cut(term, 1) for term in apart)
    shares = [weight / all_weights for weight in sums]
    return _Asked(at, shares, means, scatter, penalty, cost == "network", rising, bending)


def _read_sign(given: object, where: str, known: dict[str, int]) -> int:
    """What the word asks for; 0 where nothing is asked."""
    if given is None:
        return 0
    if not isinstance(given, str) or given not in known:
        refuse(f"{where} must be null, {' or '.join(map(repr, known))}, not {shown(given)}")
    return known[given]


def _of_primal(given: object, asked: _Asked) -> Rational:
    """The penalised loss of the function, rounded up; refused where it lacks the shape."""
    primal = read_fields(given, "primal", ("height", "slopes"))
    height, slopes = read_number(primal["height"], "primal.height"), read_numbers(primal["slopes"], "primal.slopes")
    if len(slopes) != len(asked.at) + 1:
        refuse(f"primal.slopes has {len(slopes)} numbers, and {len(asked.at) + 1} are needed")
    values = [height]
    for n in range(1, len(asked.at)):
        values.append(values[-1] + slopes[n] * (asked.at[n] - asked.at[n - 1]))
    kinks = [slopes[n] - slopes[n - 1] for n in range(1, len(slopes))]
    if asked.rising and any(asked.rising * slope < 0 for slope in slopes):
        refuse("the function of the primal is not as monotone as is asked")
    if asked.bending and any(asked.bending * kink < 0 for kink in kinks):
        refuse("the function of the primal is not as curved as is asked")
    variation = total(_cut(abs(kink), 1) for kink in kinks)
    cost = max(variation, abs(slopes[0] + slopes[-1])) if asked.network else variation
    data = zip(asked.shares, values, asked.means, strict=True)
    loss = total(_cut(share * (value - mean) ** 2, 1) for share, value, mean in data)
    return asked.scatter[1] + loss + asked.penalty * cost


def _of_dual(given: object, asked: _Asked) -> Rational:
    """What the multipliers prove of every function, rounded down; refused where they are not feasible."""
    dual = read_fields(given, "dual", ("bends", "ends", "steps"))
    bends, steps = (read_numbers(dual[name], f"dual.{name}") for name in ("bends", "steps"))
    e = read_number(dual["ends"], "dual.ends")
    n = len(asked.at)
    if len(bends) != max(0, n - 2):
        refuse(f"dual.bends has {len(bends)} numbers, and there are {max(0, n - 2)} inner inputs")
    if len(steps) != (n - 1 if asked.rising else 0):
        refuse(f"dual.steps has {len(steps)} numbers, and {n - 1 if asked.rising else 0} are needed")
    if (e != 0 and not (asked.network and n > 1)) or 2 * abs(e) > asked.penalty:
        refuse("dual.ends must be at most half the penalty in size, and 0 where end slopes cost nothing")
    room = asked.penalty - abs(e)
    for i, p in enumerate(bends):
        if (asked.bending <= 0 and p < -room) or (asked.bending >= 0 and p > room):
            refuse(f"dual.bends[{i}] = {in_words(p)} is too large: with dual.ends it exceeds the penalty")
    for i, q in enumerate(steps):
        if q < 0:
            refuse(f"dual.steps[{i}] = {in_words(q)} must not be negative")
    c = _pulls(bends, e, [asked.rising * q for q in steps], asked.at)
    data = zip(c, asked.shares, asked.means, strict=True)
    return asked.scatter[0] + total(_cut(v * mean - v**2 / (4 * share), -1) for v, share, mean in data if v)


def _pulls(bends: Sequence[Rational], e: Rational, steps: Sequence[Rational], at: Sequence[Rational]) -> list[Rational]:
    """c_1, …, c_N."""
    zero = Rational(0)
    padded = [zero, *bends, zero]
    quotients = [zero]
    for n in range(len(at) - 1):
        a = padded[n] - padded[n + 1] + (e if n == 0 else 0) + (e if n == len(at) - 2 else 0)
        quotients.append((a - steps[n] if steps else a) / (at[n + 1] - at[n]))
    quotients.append(zero)
    return [quotients[n] - quotients[n + 1] for n in range(len(at))]


def _cut(number: Rational, direction: int) -> Rational:
    """The number, or one of fewer bits that is not below it (direction 1) or not above it (-1)."""
    if number.bits <= 2 * TERM_BITS:
        return number
    shift = TERM_BITS + number.denominator.bit_length() - number.numerator.bit_length()
    spend(2 * price(number.bits + abs(shift), number.denominator.bit_length()))
    top, bottom = number.numerator << max(0, shift), number.denominator << max(0, -shift)
    whole = -(-top // bottom) if direction > 0 else top // bottom
    return Rational(whole << max(0, -shift), 1 << max(0, shift))


KIND = Kind("least penalised loss on a line", ("data", "primal", "dual", "claim"), check)
