"""What holds exactly at a KKT point of the margin problem: a part of kinds/kkt.py, standard library only.

Notation as in kinds/kkt.py; supports are the points with a multiplier listed, where y f = 1.

Intervals cannot settle margins that are exactly 1; lines through supports can. Let t < t' be two supports with one
label y, and look at x_i with that label. A unit that is active, or in contact, at both ends of an interval is affine
there; so is one that is inactive or in contact at both.
  (4) t < x_i < t': if all units not affine on [t, t'] have ε = -y, then y f is concave there, so y f(x_i) >= 1.
  (5) x_i beyond t': if all units not affine on [t, x_i] have ε = y, then y f is convex there, so y f(x_i) >= 1; and
      symmetrically beyond t.

Kinks of units that bend at one place, or nowhere, are told by equations:
  (6) if all units are affine between supports t < t' with one label, then f = y there, and its slope, Σ κ_j (w-part
      of s_j) over the units active between, is 0. Where all of these but one are known to be flat (w-part 0), so is
      that one;
  (7) let T = Σ_i λ_i y_i (x_i, 1), and call units p, q a mirrored pair if each support is active for exactly one of
      them, or in contact with both (with one support at most), and if s_p·s_q < 0. Then v = s_p - s_q is orthogonal to
      T: without contact T = s_p + s_q, and |s_p| = |s_q|; with contact at m both are unit vectors orthogonal to
      (x_m, 1), so s_p = -s_q and T is a multiple of (x_m, 1). If two pairs have independent v, then T = 0, so all
      mirrored pairs have s_p = -s_q: they bend at one place.

Global optimum: put D(u) = Σ_i λ_i y_i [u·(x_i, 1)]_+. If |D(u)| <= |u| for all u, then for every network with margins
of 1 or more ½ Σ (v² + |u|²) >= Σ |v||u| >= Σ v_j D(u_j) = Σ λ_i y_i f(x_i) >= Σ λ_i, which is Σ κ_j = ½|θ|² at the
point: (1) to (3) give Σ κ_j = Σ κ_j s_j·s_j = Σ λ_i y_i f(x_i). D is linear on each cone between the rays
u ⟂ (x_i, 1) of the supports, D(u) = s·u, so |D|/|u| is largest at a ray, or is |s| where s or -s lies in the cone.
  (8) On the cone of a unit's active supports |s| = 1, and on the ray of a contact |D| = |u|, both exactly; and on the
      opposite ones too where T = 0 by (7), since D(u) - D(-u) = T·u. Everything else is checked in intervals.
"""

from __future__ import annotations

from itertools import combinations, pairwise

from ..budget import spend
from ..rational import Rational
from .balls import ZERO, Ball, add, scaled, times
from .kkt_system import System


def _affine(system: System, j: int, i: int, k: int) -> bool:
    """Whether unit j is affine between the points i and k: on the same side of its kink, or on it, at both."""
    _, active, contacts = system.units[j]
    return i in contacts or k in contacts or (i in active) == (k in active)


def by_a_line(system: System, i: int, tied: bool) -> bool:
    """Whether (4) or (5) proves that the margin of the point i is 1 or more.

    tied  the kink of a unit is so near to x_i that its side is not known: then (5), which asks for it, is left out
    """
    spend(1 + (len(system.support) + len(system.units)) // 4)
    y = system.labels[i]
    before = [k for k in system.support if k < i and system.labels[k] == y]
    after = [k for k in system.support if k > i and system.labels[k] == y]
    chords = [(before[-1], after[0], -y)] if before and after else []
    if not tied:
        chords += [(before[-2], i, y)] if len(before) > 1 else []
        chords += [(i, after[1], y)] if len(after) > 1 else []
    return any(
        all(sign == bend or _affine(system, j, start, end) for j, (sign, _, _) in enumerate(system.units))
        for start, end, bend in chords
    )


def flat_units(system: System) -> set[int]:
    """The units that have w = 0 by (6)."""
    flat, support = set[int](), sorted(system.support)
    sloping = []
    for i, k in pairwise(support):
        if system.labels[i] == system.labels[k] and all(_affine(system, j, i, k) for j in range(len(system.units))):
            sloping.append({j for j, (_, active, _) in enumerate(system.units) if i in active or k in active})
    while alone := [units - flat for units in sloping if len(units - flat) == 1]:
        flat |= set.union(*alone)
    return flat


def mirrored(system: System, radius: Rational) -> dict[int, int]:
    """A unit of each mirrored pair, and the other one, if (7) proves that they bend at one place."""
    support, pairs, normals = set(system.support), dict[int, int](), list[list[Ball]]()
    directions = [system.direction(j, radius)[0] for j in range(len(system.units))]
    for p, (_, active, contacts) in enumerate(system.units):
        rest = support - active - set(contacts)
        for q in range(p + 1, len(system.units)):
            _, others, met = system.units[q]
            spend(2 + len(support) // 8)
            if set(met) != set(contacts) or len(met) > 1 or others & support != rest:
                continue
            s, r = directions[p], directions[q]
            if add(times(s[0], r[0]), times(s[1], r[1]))[1] < 0:
                pairs[q] = pairs.get(p, p)
                normals.append([add(s[a], (-r[a][1], -r[a][0])) for a in (0, 1)])
    for v, u in combinations(normals, 2):
        low, high = times(v[0], u[1])
        less, more = times(v[1], u[0])
        if low > more or high < less:
            return pairs
    return {}


def why_not_optimal(system: System, radius: Rational) -> str:
    """Where |D(u)| <= |u| is not proved by (8); "" where it is everywhere."""
    support = sorted(system.support)
    pull = {i: scaled(Rational(system.labels[i]), system.ball(k, radius)) for i, k in system.support.items()}
    known, even = set[tuple[frozenset[int], int | None]](), bool(mirrored(system, radius))
    for _, active, contacts in system.units:
        contact = next(iter(contacts), None)
        here = active & set(support)
        known.add((here, contact))
        if even:
            known.add((frozenset(support) - here - set(contacts), contact))
    for i in support:
        for right in (True, False):
            inside = frozenset(k for k in support if (k > i if right else k < i))
            value = ZERO
            for k in inside:
                value = add(value, scaled(abs(system.x[k] - system.x[i]), pull[k]))
            if (inside, i) not in known and max(value[0] ** 2, value[1] ** 2) > 1 + system.x[i] ** 2:
                return f"|D| on a ray of the point {i}"
    cones = [support[k:] for k in range(len(support))] + [support[:k] for k in range(1, len(support))]
    for cone in cones:
        if (frozenset(cone), None) in known:
            continue
        s = [ZERO, ZERO]
        for k in cone:
            s = [add(s[0], scaled(system.x[k], pull[k])), add(s[1], pull[k])]
        if sum((max(low**2, high**2) for low, high in s), Rational(0)) <= 1:
            continue
        heights = {k: system.at(s, k) for k in support}
        # s lies outside the cone if it is not positive at an active support, or not negative at another; so does -s
        outside = any(h[1] <= 0 if k in cone else h[0] >= 0 for k, h in heights.items())
        opposite = any(h[0] >= 0 if k in cone else h[1] <= 0 for k, h in heights.items())
        if not (outside and opposite):
            return f"|D| where {len(cone)} of the points with multipliers are active"
    return ""
