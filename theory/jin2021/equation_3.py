"""Equation (3): one step of gradient descent, exactly."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims import Context, Observation, Premise, certificate, claim, seen

from ..observed.training.exact_training import Small, small


@certificate("difference quotients of the loss")
def one_step(context: Context) -> Observation:
    """dL/dp from values of L, exact since L is quadratic in each parameter; no chain rule. θ - η dL/dθ with dL/dθ from
    values of the loss alone; Σ_j (f_j - y_j) ∂f_j/∂θ from values of f alone.
    """
    from ..observed.training.exact_training import derivative

    draw = context.random()
    smooth = True
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
            observed = network.value(parameter) - eta * derivative(loss, network, parameter)
            label = f"{len(x)} points, {len(network.w)} units, parameter {parameter[0]}"
            yield seen(
                observed,
                label,
                p=network.value(parameter),
                eta=eta,
                S=sum(
                    (network(a) - b) * derivative(lambda net, a=a: net(a), network, parameter)  # type: ignore[misc]
                    for a, b in zip(x, y, strict=True)
                ),
                M=len(x),
            )
    yield Premise("no unit switches at a data point within the difference quotients", smooth)


EQUATION_3 = claim(
    "jin2021.equation_3",
    "equation (3)",
    "One step of gradient descent",
    """With L(θ) = Σ_j ½(f(x_j, θ) - y_j)², a sum and not a mean over the data, a step of gradient descent takes each
    parameter p to p - η Σ_j (f(x_j) - y_j) ∂f(x_j)/∂p.""",
    latex=r"\theta_{t+1}=\theta_t-\eta\,\nabla_\theta f(X,\theta_t)^{\top}\nabla_{f(X,\theta_t)}L",
    hypotheses=("no unit has its kink at a data point",),
    formula="p - eta*S",
    symbols={"p": "the parameter", "eta": "η", "S": "Σ_j (f(x_j)-y_j) ∂f(x_j)/∂p", "M": "number of data"},
    controls={
        "p - eta*S/M": "the mean over the data",
        "p - 2*eta*S": "squares without the half",
        "p + eta*S": "ascent",
        "p*(1 - eta) - eta*S": "weight decay",
    },
    checks=(one_step,),
    part_of="jin2021.theorem_4_function",
)
