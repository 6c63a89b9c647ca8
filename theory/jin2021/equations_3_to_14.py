"""Equations (3), (9), (10), (14) and the step size of Theorem 4: descent in parameter space, exactly."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from implicitbias.check import Check, Context, Kind
from implicitbias.claim import Claim, Control, Source
from implicitbias.evidence import Evidence, Identity, Instance, Premise, Value
from implicitbias.exact.rational import Interval

from .observed.exact_training import Small, small

DATA: tuple[tuple[tuple[int | Fraction, ...], tuple[int | Fraction, ...]], ...] = (
    ((0, 1), (1, 0)),
    ((-1, 1), (1, 2)),
    ((-2, 3), (Fraction(1, 2), -4)),
    ((Fraction(1, 3), Fraction(1, 2)), (5, 1)),
)


def one_step(context: Context) -> Evidence:
    """θ - η dL/dθ with dL/dθ from values of the loss alone; Σ_j (f_j - y_j) ∂f_j/∂θ from values of f alone."""
    from .observed.exact_training import derivative

    draw = context.random()
    instances, smooth = [], True
    for case in range(context.choose(10, 60)):
        m = 1 + case % 4
        x: list[Fraction] = sorted({Fraction(draw.randint(-20, 20), 7) for _ in range(m)})
        y = [Fraction(draw.randint(-9, 9), 4) for _ in x]
        network = small(draw, 1 + case % 3, x)
        smooth = smooth and network.is_smooth_at(x)
        eta = Fraction(draw.randint(1, 9), draw.choice((10, 100, 1)))

        def loss(net: Small, x: list[Fraction] = x, y: list[Fraction] = y) -> Fraction:
            return sum(((net(a) - b) ** 2 for a, b in zip(x, y, strict=True)), Fraction(0)) / 2

        for parameter in draw.sample(network.parameters, min(4, len(network.parameters))):
            given: dict[str, Value] = {
                "p": network.value(parameter),
                "eta": eta,
                "S": sum(
                    (network(a) - b) * derivative(lambda net, a=a: net(a), network, parameter)  # type: ignore[misc]
                    for a, b in zip(x, y, strict=True)
                ),
                "M": len(x),
            }
            observed = network.value(parameter) - eta * derivative(loss, network, parameter)
            label = f"{len(x)} points, {len(network.w)} units, parameter {parameter[0]}"
            instances.append(Instance(label, given, observed))
    return Evidence(
        instances=tuple(instances),
        premises=(Premise("no unit switches at a data point within the difference quotients", smooth),),
    )


def symmetric(draw: Any, units: int, a: Fraction, sizes: int = 4) -> Small:
    """A network that is even in x, so that K(a, a) = K(-a, -a) and the modes of data at ±a are known."""
    half = small(draw, units, (a, -a))
    w, b, v = half.w + tuple(-w for w in half.w), half.b * 2, half.v * 2
    return Small(w, b, v, half.c)


def residual_modes(context: Context) -> Evidence:
    """Linearised networks at ±a (modes (1, 1) and (1, -1)) and at a, 0, -a (mode (1, 0, -1)): exact descent on ω."""
    from .observed.exact_training import gram, jacobian

    draw = context.random()
    instances = []
    for case in range(context.choose(10, 50)):
        a = Fraction(draw.randint(1, 9), draw.randint(1, 4))
        network = symmetric(draw, 1 + case % 3, a)
        three = case % 3 == 2 and network.is_smooth_at((0,))
        x = (a, Fraction(0), -a) if three else (a, -a)
        rows = jacobian(network, x)
        K = gram(rows)
        y = [Fraction(draw.randint(-9, 9), 2) for _ in x]
        start = [network(z) - b for z, b in zip(x, y, strict=True)]
        eta = Fraction(1, draw.randint(1, 3) * (1 + int(K[0][0] + abs(K[0][-1]))))
        steps = (0, 1, 2, 5, 11)
        history = _residuals(rows, start, eta, steps[-1])
        for sign in (-1,) if three else (1, -1):
            lam = K[0][0] + sign * K[0][-1]
            for t in steps:
                r0, r = ((h[0] + sign * h[-1]) / 2 for h in (history[0], history[t]))
                given: dict[str, Value] = {"r": r0, "eta": eta, "lam": lam, "t": t}
                if r0 != 0 and lam != 0:
                    instances.append(Instance(f"{len(x)} points, {len(network.w)} units, t = {t}", given, r))
    return Evidence(instances=tuple(instances))


def _residuals(rows: Any, start: Sequence[Fraction], eta: Fraction, steps: int) -> list[list[Fraction]]:
    """f^lin(X, ω_t) - y for t = 0, 1, …, by descent on the parameters."""
    delta = [Fraction(0)] * len(rows[0])
    history = [list(start)]
    for _ in range(steps):
        r = history[-1]
        delta = [d - eta * sum(q * row[k] for q, row in zip(r, rows, strict=True)) for k, d in enumerate(delta)]
        history.append(
            [s + sum(d * e for d, e in zip(delta, row, strict=True)) for s, row in zip(start, rows, strict=True)]
        )
    return history


def derive_modes(context: Context) -> Evidence:
    """r_{t+1} = (1 - ηλ) r_t along an eigenvector, solved."""
    import sympy

    from implicitbias.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    r0, lam, eta, d = symbol("r"), symbol("lam", "nonnegative"), symbol("eta", "positive"), Derivation()
    d.step("(9) with L = Σ½(f-y)²", "ω ← ω - η Jᵀ r, so r ← r - η J Jᵀ r")
    d.step("along a unit eigenvector of JJᵀ with eigenvalue λ", "r_{t+1} = (1 - ηλ) r_t")
    t = symbol("t", "nonnegative integer")
    sequence = sympy.Function("s")
    factor = symbol("q")
    solved = sympy.rsolve(sequence(t + 1) - factor * sequence(t), sequence(t), {sequence(0): r0}).subs(
        factor, 1 - eta * lam
    )
    d.step("the recursion solved", f"r_t = {solved}")
    d.identity("its first step", solved.subs(t, 1), (1 - eta * lam) * r0)
    identity = Identity(
        "for all steps",
        {"r": "real", "eta": "positive", "lam": "nonnegative", "t": "nonnegative integer"},
        {"r": "r", "eta": "eta", "lam": "lam", "t": "t"},
        from_sympy(solved),
    )
    return Evidence(identities=(identity,), steps=d.steps)


def critical_steps(context: Context) -> Evidence:
    """The step at which descent begins to diverge, found by running it; λ_max by the signs of pivots."""
    from .observed.exact_training import critical_step, gram, jacobian, largest_eigenvalue
    from .observed.interpolants import rank

    draw = context.random()
    instances, premises = [], []
    for case in range(context.choose(9, 30)):
        m = 2 + case % 2
        x = sorted(draw.sample([Fraction(i, 4) for i in range(-9, 10)], m))
        network = small(draw, 3 + case % 3, x)
        K, out = gram(jacobian(network, x)), gram(jacobian(network, x, "v"))
        if rank(out) < m:
            continue  # a mode that never moves
        bounds, bounds_out = largest_eigenvalue(K), largest_eigenvalue(out)
        given: dict[str, Value] = {
            "lam": Interval(*bounds),
            "lam_out": Interval(*bounds_out),
            "T": sum(K[i][i] for i in range(m)),
        }
        label = f"{m} points, {len(network.w)} units"
        instances.append(Instance(f"{label}: all parameters", given, Interval(*critical_step(K))))
        good, _ = critical_step(out)
        # K_out <= K: what converges for all parameters converges for the output layer
        instances.append(Instance(f"{label}: output layer, at least", given, good * (1 + Fraction(1, 2**19)), ">="))
    premises.append(Premise("at least four networks", len(instances) >= 8, f"{len(instances) // 2}"))
    return Evidence(instances=tuple(instances), premises=tuple(premises))


def _pair_cases(context: Context, groups: str, count: int) -> list[tuple[str, Any, list[Fraction], dict[str, Value]]]:
    """Networks at two points: Jacobian, residual to be fitted, and the symbols a, b, c, r, s."""
    from .observed.exact_training import gram, jacobian

    draw = context.random()
    found = []
    for case in range(count):
        x, y = DATA[case] if case < len(DATA) else ((-1, Fraction(draw.randint(1, 9), 4)), (draw.randint(-9, 9), 1))
        network = small(draw, 2 + case % 3, x)
        rows = jacobian(network, x, groups)
        K = gram(rows)
        if K[0][0] * K[1][1] - K[0][1] ** 2 <= K[0][0] * K[1][1] / 50:
            continue
        residual = [b - network(a) for a, b in zip(x, y, strict=True)]
        given: dict[str, Value] = {"a": K[0][0], "b": K[0][1], "c": K[1][1], "r": residual[0], "s": residual[1]}
        found.append((f"data {x}, {len(network.w)} units", rows, residual, given))
    return found


def _where_descent_ends(context: Context, groups: str) -> Evidence:
    from .observed.exact_training import descended, gram

    instances = []
    for label, rows, residual, given in _pair_cases(context, groups, context.choose(16, 60)):
        K = gram(rows)
        trace = K[0][0] + K[1][1]
        floor = (K[0][0] * K[1][1] - K[0][1] ** 2) / trace
        travelled, missing = descended(rows, residual, 1 / trace, 30)
        # what is still to come is at most √left long: what is left of the residual over the least eigenvalue
        left = _root(missing.upper / floor)
        room = left * (left + 2 * (travelled.upper + 1))
        instances.append(Instance(label, given, Interval(travelled.lower - room, travelled.upper + room)))
    return Evidence(
        instances=tuple(instances),
        premises=(
            Premise(
                "every enclosure is narrower than 10⁻²⁰",
                all(i.observed.width < Fraction(1, 10**20) for i in instances),  # type: ignore[union-attr]
                f"{len(instances)} networks",
            ),
        ),
    )


def _root(number: Fraction) -> Fraction:
    """A power of two that bounds the square root from above."""
    bits = number.numerator.bit_length() - number.denominator.bit_length() + 1
    return Fraction(2) ** ((bits + 1) // 2)


def where_descent_ends(context: Context) -> Evidence:
    """‖ω_∞ - θ_0‖² after exact descent of all parameters of the linearised network."""
    return _where_descent_ends(context, "wbvc")


def where_output_descent_ends(context: Context) -> Evidence:
    """‖ΔW²‖² after exact descent of the output weights alone."""
    return _where_descent_ends(context, "v")


def _nearest(context: Context, groups: str) -> Evidence:
    from .observed.exact_training import nearest_solution

    instances = []
    for label, rows, residual, given in _pair_cases(context, groups, context.choose(20, 80)):
        delta = nearest_solution(rows, residual)
        instances.append(Instance(label, given, sum(e * e for e in delta)))
    return Evidence(instances=tuple(instances))


def nearest_interpolant(context: Context) -> Evidence:
    """min ‖ω - θ_0‖² over the interpolants, by elimination and along the null space."""
    return _nearest(context, "wbvc")


def nearest_output_weights(context: Context) -> Evidence:
    """min ‖ΔW²‖² over the output weights that interpolate, the other parameters fixed."""
    return _nearest(context, "v")


def derive_the_distance(context: Context) -> Evidence:
    """Lagrange's conditions for two data points and three parameters, one of them a bias of gradient 1."""
    import sympy

    from implicitbias.derivation import Derivation
    from implicitbias.exact.symbolic import from_sympy, symbol

    p, q, u, v, r, s = (symbol(name) for name in ("p", "q", "u", "v", "r", "s"))
    J = sympy.Matrix([[p, q, 1], [u, v, 1]])
    m1, m2 = symbol("m1"), symbol("m2")
    delta = J.T * sympy.Matrix([m1, m2])
    d = Derivation()
    d.step("stationary: δ = Jᵀμ; feasible: J Jᵀ μ = (r, s)")
    (found,) = sympy.linsolve(list(J * delta - sympy.Matrix([r, s])), m1, m2)
    length = sympy.cancel(sum(e**2 for e in delta.subs({m1: found[0], m2: found[1]})))
    d.step("‖δ‖² there", f"{length}")
    d.step("any other solution is δ + z with Jz = 0, hence z ⊥ Jᵀμ, and is longer")
    variables: dict[str, Any] = dict.fromkeys(("p", "q", "u", "v", "r", "s"), "real")
    given = {"a": "p**2+q**2+1", "b": "p*u+q*v+1", "c": "u**2+v**2+1", "r": "r", "s": "s"}
    return Evidence(
        identities=(Identity("two points, three parameters", variables, given, from_sympy(length)),), steps=d.steps
    )


PAIR = {
    "a": "K(x₁, x₁), K = JJᵀ",
    "b": "K(x₁, x₂)",
    "c": "K(x₂, x₂)",
    "r": "y₁ - f(x₁, θ₀)",
    "s": "y₂ - f(x₂, θ₀)",
}
DISTANCE = "(c*r**2 - 2*b*r*s + a*s**2)/(a*c - b**2)"
DISTANCE_CONTROLS = (
    Control("(a*r**2 - 2*b*r*s + c*s**2)/(a*c - b**2)", "K in place of its adjugate"),
    Control("r**2/a + s**2/c", "the points taken one by one"),
    Control("(r**2 + s**2)/(a + c)", "one step along the gradient"),
    Control("(c*r**2 + 2*b*r*s + a*s**2)/(a*c - b**2)", "the sign of the off-diagonal term"),
)

CLAIMS = (
    Claim(
        id="jin2021.equation_3",
        source=Source("jin2021", "equation (3)"),
        title="One step of gradient descent",
        statement=(
            "With L(θ) = Σ_j ½(f(x_j, θ) - y_j)², a sum and not a mean over the data, a step of gradient descent takes "
            "each parameter p to p - η Σ_j (f(x_j) - y_j) ∂f(x_j)/∂p."
        ),
        latex=r"\theta_{t+1}=\theta_t-\eta\,\nabla_\theta f(X,\theta_t)^{\top}\nabla_{f(X,\theta_t)}L",
        hypotheses=("no unit has its kink at a data point",),
        formula="p - eta*S",
        symbols={"p": "the parameter", "eta": "η", "S": "Σ_j (f(x_j)-y_j) ∂f(x_j)/∂p", "M": "number of data"},
        controls=(
            Control("p - eta*S/M", "the mean over the data"),
            Control("p - 2*eta*S", "squares without the half"),
            Control("p + eta*S", "ascent"),
            Control("p*(1 - eta) - eta*S", "weight decay"),
        ),
        checks=(
            Check(
                "difference quotients of the loss",
                Kind.CERTIFICATE,
                one_step,
                "dL/dp from values of L, exact since L is quadratic in each parameter; no chain rule",
            ),
        ),
    ),
    Claim(
        id="jin2021.equation_9",
        source=Source("jin2021", "equations (8) and (9)"),
        title="The residual of the linearised network, mode by mode",
        statement=(
            "Gradient descent (9) on the linearised network multiplies the residual f^lin(X, ω_t) - Y by I - ηJJᵀ at "
            "each step: along an eigenvector of JJᵀ = nΘ̂_n with eigenvalue λ it is (1 - ηλ)^t times what it was."
        ),
        latex=r"r_t=(1-\eta\lambda)^t\,r_0",
        formula="r*(1 - eta*lam)**t",
        symbols={"r": "the mode's residual at t = 0", "eta": "η", "lam": "λ, eigenvalue of JJᵀ", "t": "steps"},
        controls=(
            Control("r*(1 - 2*eta*lam)**t", "squares without the half"),
            Control("r*exp(-eta*lam*t)", "gradient flow"),
            Control("r/(1 + eta*lam*t)", "ridge with penalty 1/(ηt)"),
            Control("r*(1 - eta*lam)**(t + 1)", "one step more"),
        ),
        checks=(
            Check("the recursion solved", Kind.PROOF, derive_modes, "r_{t+1} = (1-ηλ) r_t"),
            Check(
                "exact descent of small networks",
                Kind.CERTIFICATE,
                residual_modes,
                "even networks, whose modes at ±a are rational: all parameters descend, in fractions",
            ),
        ),
    ),
    Claim(
        id="jin2021.theorem_4_step_size",
        source=Source("jin2021", "Theorem 4, the step size"),
        title="Steps below 2/λ_max",
        statement=(
            "Descent (9) of all parameters converges for η < 2/(nλ_max(Θ̂_n)) and diverges beyond; the same η serves "
            "the descent (12) of the output layer, whose kernel is smaller. (nΘ̂_n = JJᵀ, lam its top eigenvalue.)"
        ),
        latex=r"\eta<\frac{2}{n\,\lambda_{\max}(\hat\Theta_n)}",
        rests_on=("jin2021.equation_9",),
        formula="2/lam",
        symbols={"lam": "λ_max(JJᵀ)", "lam_out": "largest eigenvalue of the output layer's part", "T": "trace of JJᵀ"},
        controls=(
            Control("1/lam", "monotone descent of every mode"),
            Control("2/T", "a bound by the trace"),
            Control("2/lam_out", "the output layer's own bound, for all parameters"),
            Control("4/lam", "twice too far"),
        ),
        checks=(
            Check(
                "powers of I - ηK in balls",
                Kind.CERTIFICATE,
                critical_steps,
                "a step that provably converges and one that provably diverges, within a millionth",
                time_limit=60,
            ),
        ),
    ),
    Claim(
        id="jin2021.equation_10",
        source=Source("jin2021", "equation (10)"),
        title="Descent of the linearised network ends at the nearest interpolant",
        statement=(
            "If the gradients at the data are independent, gradient descent (9) from θ₀ ends at the interpolating ω "
            "that is nearest to θ₀. For two points with JJᵀ = [[a, b], [b, c]] and residual (r, s) the squared "
            "distance is (cr² - 2brs + as²)/(ac - b²)."
        ),
        latex=r"\|\omega_\infty-\theta_0\|_2^2=r^{\top}(JJ^{\top})^{-1}r",
        hypotheses=("JJᵀ is regular", "η < 2/λ_max"),
        rests_on=("jin2021.theorem_4_step_size",),
        formula=DISTANCE,
        symbols=PAIR,
        controls=DISTANCE_CONTROLS,
        checks=(
            Check("Lagrange's conditions", Kind.PROOF, derive_the_distance, "the nearest interpolant in closed form"),
            Check(
                "where descent ends",
                Kind.CERTIFICATE,
                where_descent_ends,
                "descent in balls until what is left cannot matter",
                time_limit=60,
            ),
            Check(
                "null space", Kind.CERTIFICATE, nearest_interpolant, "the nearest of all interpolants, by elimination"
            ),
        ),
    ),
    Claim(
        id="jin2021.equation_14",
        source=Source("jin2021", "equations (12) and (14)"),
        title="Descent of the output weights ends at the smallest change that interpolates",
        statement=(
            "Trained alone by (12), the output weights end where ‖W² - W̄²‖ is least among those that interpolate, the "
            "output bias fixed: for two points with K = ΦΦᵀ = [[a, b], [b, c]] the square is (cr² - 2brs + as²)/(ac - "
            "b²)."
        ),
        latex=r"\min\|\Delta W^{(2)}\|_2^2\ \text{s.t.}\ \sum_i\Delta W_i^{(2)}\,\phi_i(x_j)=y_j-f(x_j)",
        hypotheses=("ΦΦᵀ is regular", "η < 2/λ_max"),
        rests_on=("jin2021.equation_10",),
        formula=DISTANCE,
        symbols={**PAIR, "a": "Σφᵢ(x₁)²", "b": "Σφᵢ(x₁)φᵢ(x₂)", "c": "Σφᵢ(x₂)²"},
        controls=(
            *DISTANCE_CONTROLS,
            Control(
                "((c+1)*r**2 - 2*(b+1)*r*s + (a+1)*s**2)/((a+1)*(c+1) - (b+1)**2)", "the output bias trained as well"
            ),
        ),
        checks=(
            Check(
                "where descent ends",
                Kind.CERTIFICATE,
                where_output_descent_ends,
                "descent of the output weights in balls",
                time_limit=60,
            ),
            Check(
                "null space", Kind.CERTIFICATE, nearest_output_weights, "the smallest of all changes, by elimination"
            ),
        ),
    ),
)
