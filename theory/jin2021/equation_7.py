"""Equation (7): gradient descent after t steps, compared with the smoothing spline with penalty 1/(η̄t)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from implicitbias.claims import Context, Flaw, Interval, Measured, Observation, Premise, certificate, claim, seen
from implicitbias.exact.vectors import dot, solve

from ..observed.data.draws import of_any_size, random_data, triples, values
from ..observed.wide.exact_laws import Kernel, Number, rational_kernels
from ..observed.wide.finite_width import Unit, empirical_kernel, feature, random_units
from . import errata


def descended(
    units: Sequence[Unit], x: Sequence[Fraction], y: Sequence[Fraction], eta: Fraction, steps: int
) -> list[list[Fraction]]:
    """f_t(X) for t = 0, 1, …: n output weights from 0, each moved by -η̄/n times the derivative of Σ½(f-y)² in it."""
    outputs = [[feature(unit, a) for unit in units] for a in x]
    weights = [Fraction(0)] * len(units)
    history = [[Fraction(0)] * len(x)]
    for _ in range(steps):
        r = [a - b for a, b in zip(history[-1], y, strict=True)]
        slopes = [dot(r, [row[i] for row in outputs]) for i in range(len(units))]
        weights = [a - eta / len(units) * slope for a, slope in zip(weights, slopes, strict=True)]
        history.append([dot(weights, row) for row in outputs])
    return history


def _shares(context: Context, odd_only: bool) -> Observation:
    draw = context.random()
    for case in range(context.choose(300, 600)):
        half = random_units(draw, 2 + case % 4)
        if case % 3 == 0:  # with eigenvalues that are simple numbers
            half = [(Fraction(draw.randint(1, 2)), Fraction(draw.randint(-2, 3)))]
        if case % 5 == 4:  # large steps for small eigenvalues
            half = [(w / 16, b / 16) for w, b in half]
        units = [*half, *((-w, b) for w, b in half)]  # even in x, so that the modes of data at ±a are known
        kernel = empirical_kernel(units)
        a = Fraction(draw.randint(2, 12), 6) if case % 3 else Fraction(draw.randint(1, 2))
        three = odd_only and case % 2 == 1
        x = [-a, Fraction(0), a] if three else [-a, a]
        for sign in (-1,) if odd_only else (1, -1):
            y = [sign * Fraction(1), Fraction(0), Fraction(1)] if three else [sign * Fraction(1), Fraction(1)]
            lam = kernel(a, a) + sign * kernel(a, -a)
            if lam == 0:
                continue
            # beyond 2/λ, too, where descent diverges
            eta = draw.choice([of_any_size(draw, -6, 8) / lam, Fraction(draw.choice([1, 2, 3]), draw.randint(1, 3))])
            history = descended(units, x, y, eta, 9)
            for t in (0, 1, 2, draw.randint(3, 8), 9):
                label = f"{len(units)} units, {len(x)} points up to ±{a}, t = {t}"
                yield seen(history[t][-1], label, eta=eta, lam=lam, t=t, a=a)


@certificate("descent of output weights")
def shares(context: Context) -> Observation:
    """The fitted share of the even and of the odd mode of data at ±a after t steps on the output weights of even
    networks, in fractions."""
    yield from _shares(context, odd_only=False)


@certificate("descent on a line")
def odd_shares(context: Context) -> Observation:
    """The same for y = x/a, an affine function, on two and three points."""
    yield from _shares(context, odd_only=True)


@certificate("branch and bound")
def gaps(context: Context) -> Observation:
    """sup over s >= 0 of |1/(1+s) - e^{-s}| by branch and bound in balls; and gaps along trajectories of networks,
    which are smaller."""
    import flint

    from implicitbias.exact.enclosure import from_arb, lower, upper

    before, flint.ctx.prec = flint.ctx.prec, 200
    try:
        worst = _maximum()
        root = _stationary()
        enclosed = from_arb(root)
    finally:
        flint.ctx.prec = before
    yield seen(worst, "the largest gap over all times", s=enclosed)
    sizes = []
    for label, gap in _network_gaps(context):
        sizes.append(gap)
        below = Fraction(gap) * (1 - Fraction(1, 10**9))  # rounding of eigenvalues in float64
        yield seen(below, label, relation="<=", s=enclosed)
    yield Premise("the enclosure is narrower than 10⁻¹²", upper(worst) - lower(worst) < Fraction(1, 10**12))
    yield Premise("the gap is nearly attained by some data", max(sizes) > 0.2, f"{max(sizes):.4f}")
    yield Measured("largest gap", float(upper(worst)))
    yield Measured("gaps of trajectories", tuple(sizes))


def _maximum() -> Interval:
    """Branch and bound on [0, 40]; beyond it 1/(1+s) is below 1/41 and e^{-s} below that."""
    import flint

    from implicitbias.exact.enclosure import from_arb

    def gap(low: Fraction, high: Fraction) -> Fraction:
        """The value at the middle, and the derivative over the box times half its width."""
        middle, half = (low + high) / 2, (high - low) / 2
        m, h = (flint.arb(flint.fmpq(e.numerator, e.denominator)) for e in (middle, half))
        box = m + h.union(-h)
        slope = from_arb((-box).exp() - 1 / (1 + box) ** 2)
        there = from_arb(abs(1 / (1 + m) - (-m).exp()))
        return there.upper + max(abs(slope.lower), abs(slope.upper)) * half

    def value(s: Fraction) -> Fraction:
        a = flint.arb(flint.fmpq(s.numerator, s.denominator))
        return from_arb(abs(1 / (1 + a) - (-a).exp())).lower

    boxes, best = [(Fraction(k, 8), Fraction(k + 1, 8)) for k in range(320)], Fraction(1, 41)
    while True:
        boxes = [half for a, b in boxes for half in ((a, (a + b) / 2), ((a + b) / 2, b))]
        best = max([best, *(value((a + b) / 2) for a, b in boxes)])
        bounds = [gap(a, b) for a, b in boxes]
        boxes = [box for box, bound in zip(boxes, bounds, strict=True) if bound >= best]
        top = max(best, *bounds)
        if top - best < Fraction(1, 10**13) or len(boxes) > 4000:
            return Interval(best, top)


def _stationary() -> Any:
    """The positive root of 2 ln(1+s) = s, by bisection: decreasing beyond s = 1."""
    import flint

    low, high = Fraction(2), Fraction(3)
    for _ in range(150):
        middle = (low + high) / 2
        s = flint.arb(flint.fmpq(middle.numerator, middle.denominator))
        value = 2 * (1 + s).log() - s
        if value > 0:
            low = middle
        elif value < 0:
            high = middle
        else:
            break
    ends = [flint.arb(flint.fmpq(e.numerator, e.denominator)) for e in (low, high)]
    return ends[0].union(ends[1])


def _network_gaps(context: Context) -> list[tuple[str, float]]:
    """sup_t ‖f_t - f_ridge‖/‖y‖ on the data for kernels of infinitely wide networks; y random, and an eigenvector."""
    import numpy as np

    rng = context.rng()
    found = []
    times = np.geomspace(1e-3, 1e9, 4000)
    for name, kernel in rational_kernels():
        x = [Fraction(k, 2) for k in (-4, -2, 0, 2, 4)]
        K = np.array([[float(kernel(p, q)) for q in x] for p in x])
        lam, modes = np.linalg.eigh(K)
        for label, y in (("random y", rng.normal(size=5)), ("y an eigenvector", modes[:, 2])):
            s = times[:, None] * lam
            difference = (1 / (1 + s) - np.exp(-s)) * (modes.T @ y)
            found.append((f"{name}, {label}", float(np.linalg.norm(difference, axis=1).max() / np.linalg.norm(y))))
    return found


def loss(factor: Fraction, misses: Sequence[Fraction]) -> Fraction:
    """a·Σ(f-y)²."""
    return factor * sum((miss * miss for miss in misses), Fraction(0))


@certificate("first steps")
def first_steps(context: Context) -> Observation:
    """The c for which the smoothing spline with penalty c/(η̄t) starts like descent on a·Σ(f-y)², for the output weights
    of random units: one step from 0, by difference quotients of the loss in each weight, against the weights of the
    least Σ(g-y)² plus n/(η̄t) times their squares, for a very small η̄t; in fractions."""
    draw = context.random()
    eta = Fraction(1, 10**40)
    for case in range(context.choose(60, 150)):
        units = random_units(draw, 2 + case % 4)
        n = len(units)
        x, a = random_data(draw, 1 + case % 7).x, of_any_size(draw)
        y = values(draw, len(x))
        outputs = [[feature(unit, place) for unit in units] for place in x]

        h = Fraction(1, 7)
        slopes = []
        for i in range(n):
            up, down = (loss(a, [way * h * row[i] - b for row, b in zip(outputs, y, strict=True)]) for way in (1, -1))
            slopes.append((up - down) / (2 * h))
        stepped = [-eta / n * slope for slope in slopes]
        normal = [
            [sum((r[i] * r[j] for r in outputs), Fraction(0)) + (n / eta if i == j else 0) for j in range(n)]
            for i in range(n)
        ]
        ridge = solve(normal, [dot(y, [r[i] for r in outputs]) for i in range(n)])
        for row in outputs:
            moved, fitted = dot(stepped, row), dot(ridge, row)
            if moved != 0:
                room = abs(fitted / moved) / 10**30
                yield seen(Interval.around(fitted / moved, room), f"{n} units, L = {a}·Σ", a=a, M=len(x))


@certificate("(7) solved in fractions")
def as_printed(context: Context) -> Observation:
    """The share of the bend of three data that the solution of (7) fits. It is found among the functions that
    infinitely wide networks learn, with a free line: Σ(g-y)² + λᵀKλ/(η̄t), K integrated over the law; in fractions."""
    draw = context.random()
    lines = True
    for case in triples(draw, context.choose(80, 160)):
        eta, t = of_any_size(draw), draw.choice([1, 2, 9, 100])
        fitted = _penalised(case.kernel, case.x, case.y, 1 / (eta * t))
        bend, left = _bend(case.x, case.y), _bend(case.x, fitted)
        along = [2 * a - 1 for a in case.x]
        lines = lines and _penalised(case.kernel, case.x, along, 1 / (eta * t)) == along
        if bend != 0:
            given: dict[str, Any] = {name: value for name, value in case.symbols.items() if name in ("h", "k")}
            yield seen(left / bend, f"{case.label}, t = {t}", **given, z=case.z, eta=eta, t=t)
    yield Premise("data on a line are fitted exactly at every t", lines)


def _bend(x: Sequence[Fraction], y: Sequence[Fraction]) -> Fraction:
    """The jump between the slopes of the two chords."""
    return (y[2] - y[1]) / (x[2] - x[1]) - (y[1] - y[0]) / (x[1] - x[0])


def _penalised(kernel: Kernel, x: Sequence[Fraction], y: Sequence[Fraction], penalty: Fraction) -> list[Fraction]:
    """The values at the data of the minimiser of Σ(g-y)² + penalty·λᵀKλ over g = K(·, X)λ + ux + v, Σλ = Σλx = 0."""
    m = len(x)
    rows: list[list[Number]] = [[*(kernel(p, q) + (penalty if p == q else 0) for q in x), p, 1] for p in x]
    rows += [[*x, 0, 0], [*[1] * m, 0, 0]]
    multipliers = solve(rows, [*y, 0, 0])[:m]
    return [b - penalty * lam for b, lam in zip(y, multipliers, strict=True)]


MODE = {"eta": "η̄, learning rate times n", "lam": "λ, the mode's eigenvalue of K(X, X)", "t": "steps"}

EQUATION_7 = claim(
    "jin2021.equation_7",
    "Equation (7)",
    "The fitted share of a mode after t steps",
    """After t steps with learning rate η̄/n on Σ½(f-y)² the output layer of n units has fitted the share 1 - (1-η̄λ)^t
    of the mode with eigenvalue λ of K_n, at every width. Kernel ridge regression with the penalty 1/(η̄t), which
    penalises the affine part too, fits η̄tλ/(1+η̄tλ): equal to first order in t, and at most 0.2036 away in the limit
    of small steps. (7) leaves the affine part free, and so fits more. (The version of 2023 takes the mean of the
    losses over the M data; then η̄/M stands for η̄.)""",
    latex=r"1-(1-\bar\eta\lambda)^t\ \text{against}\ \frac{\bar\eta t\lambda}{1+\bar\eta t\lambda}",
    hypotheses=("f(·, θ₀) = 0", "L = Σ½(f-y)²", "the output layer is trained"),
    formula="1 - (1 - eta*lam)**t",
    symbols=MODE,
    controls={
        "eta*t*lam/(1 + eta*t*lam)": "kernel ridge regression with the penalty 1/(η̄t)",
        "1 - (1 - eta*lam)**(t + 1)": "one step more",
        "1 - (1 - 2*eta*lam)**t": "squares without the half",
        "1 - exp(-eta*lam*t)": "gradient flow",
    },
    checks=(shares,),
    rests_on=("jin2021.equation_9", "jin2021.tangent_kernel"),
)


AFFINE = claim(
    "jin2021.equation_7_affine",
    "Equation (7)",
    "Affine data in (7)",
    """For data on a line through 0 at symmetric points gradient descent fits the share 1 - (1-η̄λ)^t after t steps. (7)
    as printed does not penalise affine functions: it fits the line at every t > 0, and as t → 0 it tends to the
    regression line of the data instead of the initial function.""",
    latex=r"f_t(x_j)=\big(1-(1-\bar\eta\lambda)^t\big)\,y_j\quad\text{for}\ y_j=x_j/a",
    hypotheses=("f(·, θ₀) = 0", "data at ±a, or at ±a and 0, with y = x/a"),
    formula="1 - (1 - eta*lam)**t",
    symbols=MODE,
    flaw=Flaw(errata.AFFINE_PART, "1"),
    controls={
        "eta*t*lam/(1 + eta*t*lam)": "the full kernel norm as penalty",
        "1 - (1 - eta*lam)**(2*t)": "twice the time",
        "Min(1, eta*lam*t)": "linear until it is fitted",
    },
    checks=(odd_shares,),
    part_of="jin2021.equation_7",
    rests_on=("jin2021.equation_7",),
)


SOLVED = claim(
    "jin2021.equation_7_solved",
    "next to equation (7)",
    "Equation (7) as printed, solved for three points",
    """(7) as printed does not penalise affine functions: data on a line are fitted at every t. Of three data at -h, 0,
    k it fits the share A/(A + D/(η̄t)) of the bend, with A = ζ(h+k)/3 and D = 1/h² + (1/h+1/k)² + 1/k², where ζ is
    constant between them. Proof: s'' = ζℓ with ℓ a hat; (A + D/(η̄t))ℓ is the bend of the data.""",
    latex=r"\frac{A}{A+D/(\bar\eta t)},\quad A=\tfrac{\zeta_0}3(h+k),\quad D=h^{-2}+(h^{-1}+k^{-1})^2+k^{-2}",
    hypotheses=("three points", "ζ constant between them"),
    formula="z*(h + k)/3/(z*(h + k)/3 + (1/h**2 + (1/h + 1/k)**2 + 1/k**2)/(eta*t))",
    symbols={
        "h": "distance of the first two points",
        "k": "distance of the last two",
        "z": "ζ between them",
        "eta": "η̄, learning rate times n",
        "t": "steps",
    },
    controls={
        "1": "the data are interpolated at every t",
        "z*(h + k)/3/(z*(h + k)/3 + 1/(eta*t))": "the bend without its norm",
        "(h + k)/(3*z)/((h + k)/(3*z) + (1/h**2 + (1/h + 1/k)**2 + 1/k**2)/(eta*t))": "ζ and 1/ζ exchanged",
        "z*(h + k)/3/(z*(h + k)/3 + (1/h**2 + (1/h + 1/k)**2 + 1/k**2)/t)": "the learning rate forgotten",
    },
    checks=(as_printed,),
    part_of="jin2021.equation_7",
    rests_on=("jin2021.equation_4",),
    own=True,
)


LOSS = claim(
    "jin2021.equation_7_loss",
    "next to equation (7)",
    "The constant of (7), by loss",
    """Descent on L = a·Σ(f-y)² with learning rate η̄/n starts like the smoothing spline Σ(g-y)² + (c/(η̄t))·penalty
    with c = 1/(2a): the 1 of (7) belongs to a = ½; for the plain sum c = ½, for the mean over M data c = M/2.""",
    latex=r"c=\frac1{2a}\quad\text{for}\ L=a\sum_j(f(x_j)-y_j)^2",
    hypotheses=("first order in t", "the full kernel norm as penalty"),
    formula="1/(2*a)",
    symbols={"a": "factor of the loss", "M": "number of data"},
    controls={
        "1": "the same for every loss",
        "1/a": "the half forgotten",
        "2*a": "inverted",
        "M/2": "the mean over the data",
    },
    checks=(first_steps,),
    part_of="jin2021.equation_7",
    own=True,
)


GAP = claim(
    "jin2021.equation_7_gap",
    "next to equation (7)",
    "The largest gap between descent and the smoothing spline",
    """On the data, gradient flow and kernel ridge with penalty 1/τ differ by at most se^{-s}‖y‖ = 0.2036‖y‖ at all
    times, where s = 2.5129 solves 2 ln(1+s) = s; data along one eigenvector attain it. The bound does not depend on
    n.""",
    latex=r"\sup_{s\ge0}\Big|\frac1{1+s}-e^{-s}\Big|=s_*e^{-s_*}=0.20363\ldots,\quad 2\ln(1+s_*)=s_*",
    hypotheses=("f(·, θ₀) = 0", "the full kernel norm as penalty, c = 1"),
    formula="s*exp(-s)",
    symbols={"s": "s_*, the positive root of 2 ln(1+s) = s"},
    controls={
        "1/4": "the maximum of s/(1+s)²",
        "exp(-1)": "the maximum of se^{-s}",
        "s/(1+s) - exp(-s)": "the fitted share compared with the remaining one",
        "exp(-s)": "the share not yet fitted by flow at that time",
    },
    checks=(gaps,),
    part_of="jin2021.equation_7",
    rests_on=("jin2021.equation_7",),
    own=True,
)
