"""How a distance falls with the width, law by law: from the outputs of jobs that name their law and width."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from implicitbias.claims import Curve, Instance, JobOutput, Measured, Premise

from .rates import power_premises, rate_instances


def falls(
    outputs: Sequence[JobOutput], what: str, effect: float, enough: float
) -> Iterator[Instance | Premise | Measured | Curve]:
    """Instances, premises and curves of a sweep.

    outputs  each with "law", "n", "loss", the greatest, and a list of distances under the name `what`
    effect   exponents this far apart must be told from each other
    enough   the loss that every network must have come down to
    """
    laws = list(dict.fromkeys(o["law"] for o in outputs))
    for law in laws:
        own = [o for o in outputs if o["law"] == law]
        widths = [o["n"] for o in own for _ in o[what]]
        found, power = rate_instances(law, widths, [e for o in own for e in o[what]], comparisons=len(laws))
        yield from found
        yield from power_premises(law, power, effect)
        loss = max(o["loss"] for o in own)
        yield Premise(f"{law}: every loss has come down to {enough:.0e}", loss <= enough, f"{loss:.1e}")
        squares = [sum(e * e for e in o[what]) / len(o[what]) for o in own]
        scaled = {str(o["n"]): float(o["n"] * square) for o, square in zip(own, squares, strict=True)}
        yield Measured(law, {**power.numbers, "n times the mean square": scaled})
        mean = tuple(float(square**0.5) for square in squares)
        yield Curve(f"{law}: root mean square distance by width", tuple(float(o["n"]) for o in own), mean)
