"""Laws of weights and biases: well and wrongly nested, with parameters near every limit."""

from __future__ import annotations

from random import Random

from benchmarks.fuzzing.call import Call
from benchmarks.fuzzing.formulas import formula
from benchmarks.fuzzing.mutation import damaged
from benchmarks.fuzzing.numerals import number, plain

ALIEN = ("dirac", "beta", "norm", "Normal", "normal.pdf", "__import__", "open", "eval", "circle", "pytorch", "normаl")


def parameter(random: Random, names: tuple[str, ...], depth: int) -> str:
    """A number, a formula of numbers, or another law."""
    draw = random.random()
    if draw < 0.15 and depth > 0:
        return law(random, names, depth - 1)
    if draw < 0.25:
        return formula(random, ("2", "0.1", "1/3"), 2)
    if draw < 0.4:
        return random.choice(("0", "-1", "1e308", "1e-308", "5e-324", "1e300", "-1e300", "1e150", "1e-150", "1e400"))
    return number(random, 0.1) if draw < 0.6 else plain(random).lstrip("-") or "1"


def law(random: Random, names: tuple[str, ...], depth: int = 2) -> str:
    """A law as the language writes it, with any number of parameters."""
    name = random.choice(names) if random.random() < 0.95 else random.choice(ALIEN)
    count = random.choice((0, 1, 1, 2, 2, 2, 2, 3, 3, 4))
    given = ",".join(parameter(random, names, depth) for _ in range(count))
    return f"{name}({given})" if given or random.random() < 0.7 else name


def hostile(random: Random, names: tuple[str, ...]) -> str:
    """A law, perhaps damaged."""
    text = law(random, names)
    if random.random() < 0.25:
        text = damaged(random, text.encode("utf-8", "surrogatepass"), 2).decode("utf-8", "surrogateescape")
    return text.replace("\0", "0")


def calls(random: Random) -> Call:
    """`zeta`, now and then `predict`, with such laws and places."""
    from implicitbias.laws.joint.build import INITIALISATIONS
    from implicitbias.laws.one.table import LAWS

    one, joint = tuple(LAWS), tuple(INITIALISATIONS)
    if random.random() < 0.3:
        laws: tuple[str, ...] = (f"--joint={hostile(random, joint + one[:2])}",)
    elif random.random() < 0.7:
        simple = random.choice(("normal(0,1)", "uniform(-1,1)", "binary(1)", "laplace(0,1)"))
        both = [hostile(random, one), simple]
        random.shuffle(both)
        laws = (f"--weight={both[0]}", f"--bias={both[1]}")
    else:
        laws = (f"--weight={hostile(random, one)}", f"--bias={hostile(random, one)}")
    as_json = ("--json",) * random.randrange(2)
    if random.random() < 0.1:
        return Call(("predict", "points.csv", *laws, *as_json), {"points.csv": b"0,0\n1,1\n2,0\n4,1\n"})
    places = [random.choice(("0", "0.5", "-1", number(random, 0.1))) for _ in range(random.randint(0, 2))]
    return Call(("zeta", *laws, *(("--at", *places) if places else ()), *as_json))
