"""Equation (3): one step of gradient descent, exactly."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.claims.check import Check, Context, Kind
from implicitbias.claims.evidence import Evidence, Instance, Premise, Value
from implicitbias.claims.statement import Claim, Control, Source

from .observed.exact_training import Small, small


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
)
