"""The notation of claim files: every kind of item is collected, and no slip loses a check or a claim silently."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path
from textwrap import dedent

import pytest

from implicitbias.claims import (
    Attached,
    Check,
    Claim,
    Context,
    Curve,
    Derivation,
    Identity,
    Instance,
    Kind,
    Measured,
    Observation,
    Premise,
    Rule,
    Step,
    certificate,
    claim,
    experiment,
    proof,
    rule,
    seen,
)
from implicitbias.claims.catalogue import load
from implicitbias.claims.statement import OWN_RESULT
from implicitbias.errors import CatalogueError

HEADER = """
from implicitbias.claims import *


def made(id, *checks, **more):
    return claim(id, "Theorem 1", "The double", "Twice x.", formula="2*x", symbols={"x": "a number"},
                 controls={"3*x": "tempting"}, checks=checks, **more)


@certificate("doubling")
def doubling(context):
    yield seen(2, x=1)
"""
ONE = "ONE = made('p.one', doubling)"


@pytest.fixture
def folder(tmp_path: Path):
    def write(**files: str) -> Path:
        for name, text in files.items():
            (tmp_path / f"{name}.py").write_text(HEADER + "\n\n" + dedent(text))
        return tmp_path

    return write


def complaint(folder: Path) -> str:
    with pytest.raises(CatalogueError) as caught:
        load(folder)
    return str(caught.value)


def observed(*items: object) -> Check:
    @certificate("look")
    def look(context: Context) -> Observation:
        yield from items  # type: ignore[misc]

    return look


def test_every_kind_of_item_is_collected_where_it_belongs():
    curve, premise, step = Curve("data", (0.0,), (1.0,)), Premise("trained", True), Step("so")
    identity = Identity("", {"p": "positive"}, {"x": "p"}, "2*p")
    look = observed(step, seen(2, x=1), curve, Measured("rate", 0.5), premise, identity, Attached({"kind": "any"}))
    evidence = look.observe(Context())
    assert evidence.instances == (Instance("", {"x": 1}, 2),)
    assert (evidence.curves, evidence.premises, evidence.steps) == ((curve,), (premise,), (step,))
    assert evidence.identities == (identity,)
    assert evidence.measured == {"rate": 0.5}
    assert evidence.certificates == ({"kind": "any"},)


def test_a_label_and_a_relation_may_be_given_to_what_is_seen():
    assert seen(Fraction(1, 2), "a bound", relation="<=", x=1) == Instance("a bound", {"x": 1}, Fraction(1, 2), "<=")


def test_the_docstring_is_what_the_check_is_about_and_may_be_replaced():
    @certificate("one", time_limit=3.0)
    def one(context: Context) -> Observation:
        """Doubles by adding,
        exactly."""
        yield seen(2, x=1)

    assert (one.name, one.kind, one.time_limit) == ("one", Kind.CERTIFICATE, 3.0)
    assert one.about == "Doubles by adding, exactly."
    assert observed().about == ""
    assert certificate("two", about="Other words.")(lambda context: iter(())).about == "Other words."


def test_a_proof_is_its_derivation():
    @proof("for all x")
    def all_x(d: Derivation) -> None:
        """By adding."""
        (x,) = d.symbols("x")
        d.step("twice is once and once")
        d.concludes(x + x, x=x)

    evidence = all_x.observe(Context())
    assert all_x.kind is Kind.PROOF
    assert evidence.identities == (Identity("", {"x": "real"}, {"x": "x"}, "2*x"),)
    assert [step.says for step in evidence.steps] == ["twice is once and once"]


def test_a_proof_may_yield_too():
    @proof("for all x")
    def all_x(d: Derivation) -> Observation:
        d.concludes(d.symbols("x")[0], x="x")
        yield Measured("cases", 1)

    assert all_x.observe(Context()).measured == {"cases": 1}


def test_an_experiment_has_its_sweep_and_its_rule_of_acceptance():
    def points(context: Context) -> list[dict[str, int]]:
        return [{"x": 1}]

    @experiment("train", points, lambda point, device: {"y": 2}, acceptance="all\n  agree", shared="runs")
    def train(context: Context) -> Observation:
        yield from (seen(output["y"], x=1) for output in context.outputs)

    assert train.acceptance == "all agree"
    assert train.sweep is not None
    assert train.sweep.shared == "runs"
    assert train.observe(Context(outputs=({"y": 2},))).instances[0].observed == 2


def test_prose_is_rewrapped_paragraph_by_paragraph():
    one = example(
        statement="""Twice
        as much.

        And no more."""
    )
    assert one.statement == "Twice as much.\n\nAnd no more."


def example(**more: object) -> Claim:
    given: dict[str, object] = {
        "statement": "Twice x.", "formula": "2*x", "controls": {"3*x": "tempting"}, "checks": (observed(),),
    }  # fmt: skip
    return claim("p.one", "Theorem 1", "The double", **{**given, **more})  # type: ignore[arg-type]


def test_controls_are_formulas_or_rules_with_the_reason_why_one_might_believe_them():
    @rule("even", "the even numbers")
    def even(given: dict[str, int]) -> bool:
        return given["n"] % 2 == 0

    @rule("all")
    def all_of_them(given: dict[str, int]) -> bool:
        """All numbers."""
        return True

    made = example(formula=even, controls={all_of_them: "forgets\n   the odd ones"})
    assert isinstance(made.formula, Rule)
    assert made.formula.predict({"n": 2}) is True
    assert [(c.name, c.why) for c in made.controls] == [("all", "forgets the odd ones")]
    assert isinstance(made.controls[0].candidate, Rule)
    assert made.controls[0].candidate.says == "All numbers."


def test_a_result_of_our_own_is_not_ascribed_to_the_paper():
    assert example().source.paper == "p"
    assert example(own=True).source.paper == OWN_RESULT
    assert example(own=True).paper == "p"


@pytest.mark.parametrize(
    ("items", "says"),
    [
        ((3,), "not int"),
        (("text",), "not str"),
        (([seen(2, x=1)],), "not list: use `yield from`"),
        ((Measured("rate", 1), Measured("rate", 2)), "'rate' is measured twice"),
    ],
)
def test_what_an_observation_cannot_yield_is_refused(items, says):
    with pytest.raises((TypeError, ValueError), match=says):
        observed(*items).observe(Context())


def returns_nothing(context: Context) -> Observation:
    seen(2, x=1)  # type: ignore[return]


def returns_a_list(context: Context) -> Observation:
    return [seen(2, x=1)]  # type: ignore[return-value]


def returns_at_its_end(context: Context) -> Observation:
    yield seen(2, x=1)
    return seen(4, x=2)


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (returns_nothing, "returns_nothing returns nothing: an observation yields what it sees"),
        (returns_a_list, "returns_a_list returns a value of type list"),
        (returns_at_its_end, "returns_at_its_end ends with `return` of a value of type Instance: yield it"),
    ],
)
def test_what_an_observation_returns_is_not_lost_silently(function, says):
    with pytest.raises(TypeError, match=says):
        certificate("look")(function).observe(Context())


@pytest.mark.parametrize("returned", [[], 3, "text"])
def test_neither_is_what_a_proof_returns(returned):
    with pytest.raises(TypeError, match="an observation yields what it sees"):
        proof("all")(lambda d: returned).observe(Context())


@pytest.mark.parametrize("decorator", [certificate, proof, rule, experiment])
def test_a_decorator_without_its_name_is_refused(decorator):
    more = {"acceptance": "all agree"} if decorator is experiment else {}
    with pytest.raises(TypeError, match="needs a name"):
        decorator(returns_nothing, **more)


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"checks": observed()}, "the checks of p.one are a single check: a tuple of one needs a comma"),
        ({"controls": ("3*x",)}, "the controls of p.one are a tuple: give {formula: why"),
        ({"controls": {"3*x"}}, "the controls of p.one are a set"),
    ],
)
def test_a_claim_with_checks_or_controls_of_the_wrong_shape_is_refused(more, says):
    with pytest.raises(TypeError, match=says):
        example(**more)


def test_points_without_a_job_are_refused():
    with pytest.raises(TypeError, match="has points but no job"):
        experiment("train", lambda context: [], acceptance="all agree")
    with pytest.raises(TypeError, match="has job but no points"):
        experiment("train", job=lambda point, device: {}, acceptance="all agree")


# What the catalogue finds in a folder of such files


def test_claims_are_found_by_their_names_and_in_tuples_and_lists(folder):
    catalogue = load(folder(a="""
        ONE = made("p.one", doubling)
        MORE = tuple(made(f"p.more_{i}", doubling) for i in range(2))
        LAST = [made("p.last", doubling)]
    """))  # fmt: skip
    assert [c.id for c in catalogue.claims] == ["p.one", "p.more_0", "p.more_1", "p.last"]


def test_a_check_may_belong_to_several_claims_and_come_from_a_shared_file(folder):
    path = folder()
    (path / "_shared.py").write_text(
        "from implicitbias.claims import *\nSHARED = certificate('shared')(lambda context: iter([seen(2, x=1)]))\n"
    )
    (path / "a.py").write_text(
        HEADER + "\nfrom ._shared import SHARED\nA = made('p.a', doubling, SHARED)\nB = made('p.b', SHARED)\n"
    )
    assert [[k.name for k in c.checks] for c in load(path).claims] == [["doubling", "shared"], ["shared"]]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("X = 1", "defines no claim"),
        (
            f"{ONE}\n@certificate('other')\ndef other(context):\n    yield seen(4, x=2)",
            "no claim has the check 'other' (other)",
        ),
        (
            "@certificate('first')\ndef twice(context):\n    yield seen(4, x=2)\n"
            "@certificate('second')\ndef twice(context):\n    yield seen(2, x=1)\n"
            "ONE = made('p.one', doubling, twice)",
            "no claim has the check 'first' (twice)",
        ),
        (f"{ONE}\ndef other(context):\n    yield seen(4, x=2)", "nothing uses the observation other: decorate it"),
        (f"{ONE}\ndef other(c) -> Observation:\n    return iter(())", "nothing uses the observation other"),
        (
            "def other(context):\n    yield seen(4, x=2)\nONE = made('p.one', doubling, other)",
            "`checks[1]` is a function, not a Check: decorate it with",
        ),
        ("@certificate\ndef other(context):\n    yield seen(4, x=2)", '@certificate needs a name: @certificate("'),
        (f"{ONE}\nmade('p.two', doubling)", "p.two: is made and lost"),
        (f"{ONE}\nONE = made('p.two', doubling)", "p.one: is made and lost"),
        ("for i in range(2):\n    ONE = made(f'p.x{i}', doubling)", "p.x0: is made and lost"),
        (f"{ONE}\nCLAIMS = {{'two': made('p.two', doubling)}}", "CLAIMS is a dict of claims"),
        (f"{ONE}\nCLAIMS = ((made('p.two', doubling),),)", "CLAIMS is a tuple of tuples"),
        ("CLAIMS = (made('p.two', doubling), doubling)", "CLAIMS holds claims and something else"),
        ("ONE = made('p.one', doubling, part_of='p.one')", "is part of 'p.one', which is itself part of 'p.one'"),
        (
            f"{ONE}\nTWO = made('p.two', doubling, part_of='p.one')\nSIX = made('p.six', doubling, part_of='p.two')",
            "is part of 'p.two', which is itself part of 'p.one': give the headline",
        ),
        (
            f"{ONE}\nTWO = made('q.two', doubling, part_of='p.one')",
            "is part of 'p.one', which belongs to another paper",
        ),
        (f"{ONE}\nTWO = made('p.two', doubling, part_of='p.on')", "is part of 'p.on', which is not in the catalogue"),
        (f"{ONE}\nTWO = made('p.two', doubling, formerly=('p.one',))", "was formerly 'p.one', which is still the id"),
        (
            "ONE = made('p.one', doubling, formerly=('p.old',))\nTWO = made('p.two', doubling, formerly=('p.old',))",
            "was formerly 'p.old', and so was p.one",
        ),
        ("ONE = made('p.one', doubling, formerly='p.old')", "`formerly` is a str, not a tuple"),
    ],
)
def test_a_slip_is_told_when_the_file_is_loaded(folder, text, says):
    message = complaint(folder(bad=text))
    assert says in message
    assert "bad.py" in message


def test_a_helper_that_yields_for_the_checks_is_no_slip(folder):
    text = """
        def shared(context):
            yield seen(4, x=2)

        @certificate("two")
        def two(context):
            yield from shared(context)

        ONE = made("p.one", doubling, two)
    """
    assert len(load(folder(a=text)).claims) == 1


def test_no_claim_file_imports_from_another(folder):
    path = folder(a=ONE, b="from .a import ONE\nTWO = made('p.two', doubling)")
    assert "b.py: imports from a.py, another claim file" in complaint(path)
    path = folder(a=ONE, b="def late():\n    from . import a\n\nTWO = made('p.two', doubling)")
    assert "b.py: imports from a.py, another claim file" in complaint(path)


def test_neither_does_one_of_another_paper(tmp_path):
    for key, text in (("p", ONE), ("q", "from ..p.a import doubling as other\nONE = made('q.one', doubling, other)")):
        (tmp_path / key).mkdir()
        (tmp_path / key / "__init__.py").write_text(
            f"from implicitbias.claims import Paper\nPAPER = Paper({key!r}, 'T', 'A', 2000)\n"
        )
        (tmp_path / key / "a.py").write_text(HEADER + "\n\n" + text)
    assert "q/a.py: imports from a.py, another claim file" in complaint(tmp_path)


def test_a_folder_of_claims_that_is_no_paper_is_refused(tmp_path):
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "__init__.py").write_text("")
    (tmp_path / "p" / "a.py").write_text(
        HEADER + "\nONE = claim('p.one', '1', 't', 's', formula='x', controls={}, checks=())\n"
    )
    assert "defines claims, but the `__init__.py` of its folder has no PAPER" in complaint(tmp_path)


def test_headlines_and_parts_are_told_apart_and_merged_claims_are_found(folder):
    catalogue = load(folder(a="""
        ONE = made("p.one", doubling, formerly=("p.old", "p.older"))
        PART = made("p.one_case", doubling, part_of="p.one")
        TWO = made("p.two", doubling)
    """))  # fmt: skip
    assert [c.id for c in catalogue.headlines] == ["p.one", "p.two"]
    assert [c.id for c in catalogue.parts_of("p.one")] == ["p.one_case"]
    assert catalogue.claim("p.older").id == "p.one"
    assert [c.id for c in catalogue.select(["p.old"])] == ["p.one"]


def test_runs_go_to_json_and_back_and_records_without_them_are_read() -> None:
    instance = seen("less", "", by_run={"ours": (1, math.nan, 2.123456789)}, x=1)
    assert instance.runs == {"ours": (1.0, 2.12346)}
    document = instance.to_json()
    assert Instance.from_json(document) == instance
    assert Instance.from_json({k: v for k, v in document.items() if k != "runs"}).runs == {}
    assert "runs" not in seen(1, x=1).to_json()
    assert seen(1, by_run=[1, 2]).runs == {"": (1.0, 2.0)}
