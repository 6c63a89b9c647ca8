"""Section 4, implicit versus total-variation regularisation: which weights see a translation of the data."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from implicitbias.claims import Context, Derivation, Flaw, Interval, Observation, Step, certificate, claim, proof, seen
from implicitbias.exact.formula import Assumption
from implicitbias.exact.vectors import dot

from ..observed.units.neurons import (
    Neuron,
    Point,
    activity,
    mean_active_length,
    mean_square_output,
    random_data,
    random_fraction,
    random_neuron,
)
from ..observed.units.rescaling import least_potential


def _moved(data: Sequence[Point], shift: Point) -> list[Point]:
    return [tuple(v + t for v, t in zip(x, shift, strict=True)) for x in data]


def _follows(neuron: Neuron, shift: Point) -> Neuron:
    """The neuron that computes on moved data what this one does on the data: (a, b - a·t)."""

    a, b = neuron.theta[:-1], neuron.theta[-1]
    return Neuron((*a, b - dot(a, shift)), neuron.c)


def _cases(context: Context, count: int) -> list[tuple[Neuron, list[Point], Point]]:

    draw = context.random()
    one, zero = Fraction(1), Fraction(0)
    cases: list[tuple[Neuron, list[Point], Point]] = [
        (Neuron((one, one), one), [(zero,)], (one,)),
        (Neuron((one, one), one), [(zero,), (one,)], (one,)),
        (Neuron((one, one), -2 * one), [(zero,), (one,)], (-3 * one,)),
        (Neuron((2 * one, -one), one), [(zero,), (one,)], (zero,)),
    ]
    for d, n in ((1, 3), (2, 4), (3, 4)):
        for _ in range(count):
            data = random_data(draw, n, d)
            cases.append((random_neuron(draw, data), data, tuple(random_fraction(draw) for _ in range(d))))
    return cases


@certificate("minima on moved data")
def observe_true(context: Context) -> Observation:
    """(12) by difference quotients on moved data, minimised over λ, in one to three dimensions. V_b² of the neuron that
    follows the data, from (12) on the moved data, minimised over λ.
    """

    for neuron, data, shift in _cases(context, context.choose(4, 30)):
        follower, moved = _follows(neuron, shift), _moved(data, shift)
        found = least_potential(follower, moved).value
        active = [x for x in data if neuron.before(x) > 0]
        label = f"n={len(data)}, d={len(shift)}, t = ({', '.join(map(str, shift))})"
        yield seen(
            Interval(max(found.lower, Fraction(0)) ** 2, found.upper**2),
            label,
            A=mean_square_output(neuron.theta, data),
            B=mean_active_length(neuron.theta, data),
            K=sum((dot(shift, x) for x in active), Fraction(0)) / len(data),
            P=activity(neuron.theta, data),
            q=dot(shift, shift),
            c=neuron.c,
        )


@proof("two data moved")
def derive_true(d: Derivation) -> None:
    """The least potential of (12) on moved data, for all data on a line, in each activity pattern."""
    import sympy

    from implicitbias.exact.symbolic import from_sympy, symbol

    x1, x2, t, k, scale = d.symbols("x1 x2 t", k="positive", l="positive")
    heights = symbol("u", "positive"), symbol("v", "positive")
    d.step("the neuron (a, b - at) has on x_i + t the pre-activation that (a, b) has on x_i")
    domain: dict[str, Assumption] = {
        **dict.fromkeys(("x1", "x2", "t"), "real"), **dict.fromkeys(("k", "u", "v"), "positive"),
    }  # fmt: skip
    for active in ((1, 1), (1, 0), (0, 1)):
        points = [(x, z) for on, x, z in zip(active, (x1, x2), heights, strict=True) if on]
        square = sum(z**2 for _, z in points) / 2
        length = sum(1 + (x + t) ** 2 for x, _ in points) / 2
        along = scale**2 * square + k**2 * length / scale**2
        best = (k**2 * length / square) ** sympy.Rational(1, 4)
        d.identity(f"activity {active}: stationary", sympy.diff(along, scale).subs(scale, best), sympy.Integer(0))
        least = sympy.expand(sympy.simplify(along.subs(scale, best)) ** 2)
        d.concludes(
            from_sympy(least),
            f"activity {active}",
            over=domain,
            A=from_sympy(square),
            B=from_sympy(sympy.expand(sum(1 + x**2 for x, _ in points) / 2)),
            K=from_sympy(sympy.expand(t * sum(x for x, _ in points) / 2)),
            P=sympy.Rational(len(points), 2),
            q="t**2",
            c="k",
        )


TRUE = claim(
    "dedios2020.implicit_versus_tv_true",
    "Section 4, implicit versus TV regularisation, first item",
    "The true label-noise weight sees translations",
    """For data moved by t and the neuron (a, b - a·t) that follows them, V_b² = 4c²A(B + 2K + P|t|²) with A, B, P =
    E[1{active}] and K = E[(t·x)1{active}] on the data before: the true weight 2|c|√(AB) is not invariant under
    translations of the inputs. One datum at 0 moved to 1: 2|y| becomes 2√2|y|.""",
    latex=r"V_b^2\big|_{x+t}=4c^2A\,\big(B+2K+P\,|t|^2\big)\quad(q=|t|^2)",
    hypotheses=("no hinge on a datum",),
    formula="4*c**2*A*(B + 2*K + P*q)",
    symbols={
        "A": "E_D[(aᵀx + b)_+²]",
        "B": "E_D[(1 + |x|²)·1{active}]",
        "K": "E_D[(t·x)·1{active}]",
        "P": "the active part of the data",
        "q": "|t|²",
        "c": "output weight",
    },
    flaw=Flaw(
        printed="4*c**2*A*B",
        word="false statement",
        wrong="""implicit regularisation is said to be translation invariant. That is so for the weight printed in (13);
        the weight that label noise really minimises contains |x|² and depends on the origin.""",
        sure="certain",
        charitable="""it follows from (13) as printed, whose weight is invariant under translations, even under every
        invertible affine map (dedios2020.implicit_versus_tv_printed).""",
    ),
    controls={
        "4*c**2*A*(B + P*q)": "the mixed term forgotten",
        "4*c**2*A*(B + 2*K + q)": "inactive data moved as well",
        "c**2*A": "the printed weight",
    },
    checks=(derive_true, observe_true),
    part_of="dedios2020.implicit_versus_tv_translation",
    rests_on=("dedios2020.equation_13",),
)


@certificate("mapped data")
def printed(context: Context) -> Observation:
    """w_b afresh on translated and mapped data in one to three dimensions, enclosed. w_b on data mapped by x ↦ Tx + t,
    for the neuron (T^{-T}a, b - a·T^{-1}t) that follows.
    """
    from flint import fmpq, fmpq_mat

    from implicitbias.exact.enclosure import enclose

    draw = context.random()
    for n, (neuron, data, shift) in enumerate(_cases(context, context.choose(6, 40))):
        d = len(shift)
        table = [[Fraction(i == j) for j in range(d)] for i in range(d)]
        if n % 2:
            table = [[value + random_fraction(draw, 1) for value in row] for row in table]
        matrix = fmpq_mat(d, d, [fmpq(v.numerator, v.denominator) for row in table for v in row])
        if matrix.det() == 0:
            continue
        inverse = matrix.inv()
        back = [[Fraction(int(inverse[i, j].p), int(inverse[i, j].q)) for j in range(d)] for i in range(d)]
        mapped = [tuple(dot(row, x) + t for row, t in zip(table, shift, strict=True)) for x in data]
        a, b = neuron.theta[:-1], neuron.theta[-1]
        turned = tuple(sum((back[i][j] * a[i] for i in range(d)), Fraction(0)) for j in range(d))
        theta = (*turned, b - dot(turned, shift))
        lengths = [enclose(f"sqrt({dot(v, v)})") for v in (neuron.theta, theta)]
        determinant = matrix.det()
        label = f"n={len(data)}, d={d}, " + ("affine map" if n % 2 else "translation")
        yield seen(
            enclose(f"sqrt({mean_square_output(theta, mapped)})"),
            label,
            w=enclose(f"sqrt({mean_square_output(neuron.theta, data)})"),
            r=lengths[0],
            s=lengths[1],
            D=abs(Fraction(int(determinant.p), int(determinant.q))),
        )
    yield Step("every average is taken afresh over the mapped data")


PRINTED = claim(
    "dedios2020.implicit_versus_tv_printed",
    "Section 4, implicit versus TV regularisation, first item",
    "The printed label-noise weight does not see affine maps",
    """Under any invertible affine map x ↦ Tx + t of the data, translations among them, the neuron that follows has the
    same printed weight w_b = √E_D[(aᵀx + b)_+²]: it depends on the outputs at the data alone. The total variation ‖(a,
    b)‖ does not stay.""",
    latex=r"w_b\big(T^{-\top}a,\ b-a^\top T^{-1}t\big)\big|_{Tx+t}=w_b(a,b)\quad(w=w_b)",
    hypotheses=("T is invertible",),
    formula="w",
    symbols={"w": "w_b before", "r": "‖(a, b)‖ before", "s": "‖(a, b)‖ after", "D": "|det T|"},
    controls={
        "w*s/r": "as the total variation changes",
        "w*D": "as a volume changes",
        "w*Max(1, s/r)": "growing with the parameters",
    },
    checks=(printed,),
    part_of="dedios2020.implicit_versus_tv_translation",
    rests_on=("dedios2020.section_4_label_noise",),
)


@certificate("norms in fractions")
def observe_variation(context: Context) -> Observation:
    """Parameters of neurons that follow moved data, in one to three dimensions. ‖(a, b - a·t)‖² in fractions."""

    for neuron, _, shift in _cases(context, context.choose(8, 40)):
        follower = _follows(neuron, shift)
        label = f"d={len(shift)}, t = ({', '.join(map(str, shift))})"
        yield seen(
            dot(follower.theta, follower.theta),
            label,
            r=dot(neuron.theta, neuron.theta),
            b=neuron.theta[-1],
            k=dot(neuron.theta[:-1], shift),
        )


@proof("norms expanded")
def derive_variation(derivation: Derivation) -> None:
    """One and two inputs, for all parameters and translations. (a, b) with one and two inputs."""
    import sympy

    from implicitbias.exact.symbolic import from_sympy

    for d in (1, 2):
        a = sympy.symbols(f"a1:{d + 1}", real=True)
        t = sympy.symbols(f"t1:{d + 1}", real=True)
        b = sympy.Symbol("b", real=True)
        inner = sum(p * q for p, q in zip(a, t, strict=True))
        after = sum(p**2 for p in a) + (b - inner) ** 2
        domain: dict[str, Assumption] = dict.fromkeys((*map(str, (*a, *t)), "b"), "real")
        derivation.concludes(
            from_sympy(sympy.expand(after)),
            f"d={d}",
            over=domain,
            r=from_sympy(sum(p**2 for p in a) + b**2),
            b="b",
            k=from_sympy(inner),
        )
    derivation.step("the neuron (a, b - a·t) follows data moved by t")


VARIATION = claim(
    "dedios2020.implicit_versus_tv_variation",
    "Section 4, implicit versus TV regularisation, first item",
    "The total variation sees translations",
    """For data moved by t the neuron that follows, (a, b - a·t), has ‖(a, b - a·t)‖² = ‖(a, b)‖² - 2b(a·t) + (a·t)²:
    the total-variation weight is not translation invariant, as the bias enters it.""",
    latex=r"\|(a,b-a\cdot t)\|^2=\|(a,b)\|^2-2b\,(a\cdot t)+(a\cdot t)^2\quad(r=\|(a,b)\|^2,\ k=a\cdot t)",
    formula="r - 2*b*k + k**2",
    symbols={"r": "‖(a, b)‖²", "b": "the bias", "k": "a·t"},
    controls={
        "r": "invariant, as without the bias",
        "r + k**2": "the mixed term forgotten",
        "r + 2*b*k + k**2": "the bias moved with the data instead of against them",
    },
    checks=(derive_variation, observe_variation),
    part_of="dedios2020.implicit_versus_tv_translation",
)
