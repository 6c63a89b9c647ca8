"""Claims are found in reading order, and whatever is wrong with them is said at once, by file and claim."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from implicitbias.claims.catalogue import Catalogue, claim_in, load
from implicitbias.claims.errata import all_errata
from implicitbias.errors import CatalogueError, UnknownClaimError

HEADER = """
from implicitbias.claims import Edition, Erratum, Flaw, Rule, certificate, claim as written, proof, seen
from dataclasses import replace


def predict(given):
    return given["x"]


def observe(context):
    yield seen(2, x=1)


def check():
    return certificate("doubling")(observe)


def claim(id="p.one", formula="2*x", controls=("3*x",), checks=None, symbols={"x": "a number"}, **more):
    return written(id, "Theorem 1", "title", "statement", formula=formula, controls=dict.fromkeys(controls, "tempting"),
                   checks=(check(),) if checks is None else checks, symbols=symbols, **more)


EDITION = Edition("first edition", "p.txt")


def slip(**other):
    made = Erratum("p-e1", "(1)", "3x", True, "2x", "a formula changes", "misprint", "None.", "2x is meant",
                   (EDITION.prints("page 1", "the scan's text"),))
    return replace(made, **other)
"""


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


def test_the_shipped_theory_is_well_formed():
    catalogue = load(formulas=True)
    assert catalogue.folder is None
    assert {p.key for p in catalogue.papers} == {c.paper for c in catalogue.claims}
    assert [p.year for p in catalogue.papers] == sorted(p.year for p in catalogue.papers)


def test_loading_the_shipped_theory_imports_none_of_the_heavy_libraries():
    code = (
        "import sys, implicitbias.claims.catalogue as c; c.load();"
        "print([m for m in sys.modules if m in {'sympy', 'scipy', 'numpy', 'torch', 'textual', 'flint', 'mpmath'}])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_claims_come_by_file_and_by_place_in_the_file(folder):
    catalogue = load(folder(b="A = claim('p.z'); B = claim('p.y')", a="A = claim('p.x')"))
    assert [c.id for c in catalogue.claims] == ["p.x", "p.z", "p.y"]
    assert catalogue.file_of("p.y").name == "b.py"


def test_a_claim_of_the_theory_is_found_in_its_module_alone():
    catalogue = load()
    for claim in catalogue.claims:
        assert claim_in(catalogue.module_of(claim.id), claim.id) == (claim, catalogue.file_of(claim.id))
    with pytest.raises(UnknownClaimError, match=r"theorem_3_1 has no claim with the id 'savarese2019\.lemma_1'"):
        claim_in("implicitbias.theory.savarese2019.theorem_3_1", "savarese2019.lemma_1")


def test_a_claim_of_a_folder_is_in_no_module_of_the_theory(folder):
    assert load(folder(a="A = claim('p.x')")).module_of("p.x") == ""


def test_a_papers_files_are_read_in_the_order_that_the_paper_gives(folder):
    path = folder(b_two="A = claim('p.c')", b="A = claim('p.b')", a="A = claim('p.a')", z="A = claim('p.z')")
    (path / "__init__.py").write_text(
        "from implicitbias.claims import Paper\nPAPER = Paper('p', 'T', 'A', 2020, order=('b', 'a'))\n"
    )
    catalogue = load(path)
    assert [c.id for c in catalogue.claims] == ["p.b", "p.c", "p.a", "p.z"]
    assert catalogue.paper("p").title == "T"


def test_a_folder_of_papers_is_read_paper_by_paper_in_the_order_of_their_years(folder):
    root = folder()
    for key, year in (("newer", 2021), ("older", 2001)):
        (root / key).mkdir()
        (root / key / "__init__.py").write_text(
            f"from implicitbias.claims import Paper\nPAPER = Paper({key!r}, 'T', 'A', {year})\n"
        )
        (root / key / "one.py").write_text(HEADER + f"\nA = claim('{key}.one')\n")
    catalogue = load(root)
    assert [c.id for c in catalogue.claims] == ["older.one", "newer.one"]


def test_files_of_a_folder_import_each_other_relatively(folder):
    catalogue = load(folder(_shared="FACTOR = 2", a="from ._shared import FACTOR\nA = claim(f'p.x{FACTOR}')"))
    assert catalogue.claim("p.x2")


def test_an_edited_file_is_read_anew_and_leaves_no_bytecode(folder, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    path = folder(a="A = claim('p.one')")
    assert load(path) is load(path)
    folder(a="A = claim('p.two')")
    assert [c.id for c in load(path).claims] == ["p.two"]
    assert not list(path.rglob("__pycache__"))


def test_selection_is_by_id_by_glob_and_by_paper_and_keeps_the_reading_order(folder):
    catalogue: Catalogue = load(folder(a="A = claim('p.b1'); B = claim('p.a'); C = claim('q.b2')"))
    assert catalogue.select(()) == catalogue.claims
    assert [c.id for c in catalogue.select(["*.b*"])] == ["p.b1", "q.b2"]
    assert [c.id for c in catalogue.select(["p.a", "p.b1", "p.*"])] == ["p.b1", "p.a"]
    assert [c.id for c in catalogue.select(["q"])] == ["q.b2"]
    assert [c.id for c in catalogue.select(["b?"])] == ["p.b1", "q.b2"]


def test_a_place_may_be_given_as_it_is_printed(folder):
    catalogue = load(folder(a="A = claim('p.theorem_3_3'); B = claim('p.equation_27')"))
    assert catalogue.claim("Theorem 3.3").id == "p.theorem_3_3"
    assert [c.id for c in catalogue.select(["equation (27)", "theorem 3.*"])] == ["p.theorem_3_3", "p.equation_27"]
    with pytest.raises(UnknownClaimError):
        catalogue.claim("theorem 3")


def test_a_place_alone_names_a_claim_unless_two_papers_have_it(folder):
    catalogue = load(folder(a="A = claim('p.one'); B = claim('p.two'); C = claim('q.two')"))
    assert catalogue.claim("one").id == "p.one"
    with pytest.raises(
        UnknownClaimError, match=r"several claims stand at 'two'. Did you mean [pq]\.two or [pq]\.two\?"
    ):
        catalogue.claim("two")


def test_claims_that_speak_of_the_same_thing_are_linked_from_both(folder):
    catalogue = load(folder(a="A = claim('p.one', see_also=('q.two',)); B = claim('q.two'); C = claim('q.three')"))
    assert catalogue.beside("p.one") == ("q.two",)
    assert catalogue.beside("q.two") == ("p.one",)
    assert catalogue.beside("q.three") == ()


@pytest.mark.parametrize("given", ["p.theorem_3_2", "theorem_3_11", "P.theorem_3_1", "*heorem_3_1x"])
def test_an_unknown_id_is_answered_with_the_nearest_one(folder, given):
    catalogue = load(folder(a="A = claim('p.theorem_3_1'); B = claim('p.zzz')"))
    with pytest.raises(UnknownClaimError, match=r"Did you mean p\.theorem_3_1\?"):
        catalogue.select([given])


@pytest.mark.parametrize(
    ("claims", "says"),
    [
        ("claim('One')", "the id must be"),
        ("claim(), claim()", "the id is given twice, first earlier in the same file"),
        ("claim(controls=('3*x', '2 * x'))", "control '2 * x' is the same as the formula"),
        ("claim(controls=('3*x', '3* x'))", "control '3* x' is the same as control '3*x'"),
        ("claim(formula=Rule('r', 'says', predict), controls=(Rule('other', 's', predict),))", "same as the formula"),
        ("claim(formula=Rule('r', 'says', predict), controls=(Rule('r', 's', len),))", "same as the formula"),
        ("claim(formula='2*')", "the formula: "),
        ("claim(formula='2*x*y')", "'y' is not a name"),
        ("claim(controls=('2*y',))", "control '2*y': 'y' is not a name"),
        ("claim(symbols={'x': '', 'z': 'unused'})", "the symbol 'z' is declared, but neither"),
        ("claim(symbols={'x': '', 'pi': ''}, controls=('pi*x',))", "the symbol 'pi' is a constant"),
        ("claim(symbols={'x': '', 'a b': ''})", "the symbol 'a b' cannot be used"),
        ("claim(rests_on=('p.nothing',))", "rests on 'p.nothing', which is not in the catalogue"),
        ("claim(rests_on=('p.one',))", "rests on itself: p.one → p.one"),
        ("claim(see_also=('p.nothing',))", "says to see 'p.nothing', which is not another claim"),
        ("claim(see_also=('p.one',))", "says to see 'p.one', which is not another claim"),
        ("claim(checks=())", "has no check"),
        ("claim(controls=())", "has no control"),
        ("claim(checks=(check(), check()))", "two checks are named 'doubling'"),
        ("claim(formula=Rule('r', 's', predict), controls=(Rule('o', 's', len),),"
         "checks=(proof('c')(observe),))", "check 'c' is a proof, but the claim is a rule"),
        ("claim(flaw=Flaw(slip(), '2*x'))", "the printed form is the same as the formula"),
        ("claim(flaw=Flaw(slip(), '2*q'))", "the printed form: 'q' is not a name"),
        ("claim(flaw=Flaw(slip(id='other-e1'), '5*x'))", "shows the erratum other-e1, which is of another paper"),
        ("claim(flaw=Flaw('5*x'))", "`flaw.erratum` is a str, not an Erratum"),
        ("claim(flaw=Flaw(slip(word='blunder'), '5*x'))", "the word 'blunder' is not one of"),
        ("claim(flaw=Flaw(slip(effect='grave'), '5*x'))", "the effect 'grave' is not one of"),
        ("claim(flaw=Flaw(slip(bearing=''), '5*x'))", "does not say what depends on it"),
        ("claim(flaw=Flaw(slip(correct='3x'), '5*x'))", "the correct form is the printed one"),
        ("claim(flaw=Flaw(slip(readings=()), '5*x'))", "is to be a tuple of readings"),
        ("claim(flaw=Flaw(slip(readings=(5,)), '5*x'))", "holds a int: write `EDITION.prints(where, seen)`"),
        ("claim(flaw=Flaw(slip(quotation=5), '5*x'))", "`p-e1.quotation` is a int, not a str"),
        ("replace(claim(checks=()), checks=[check()])", "`checks` is a list, not a tuple"),
        ("claim(checks=(observe,))", "`checks[0]` is a function, not a Check"),
        ("claim(formula=2)", "`formula` is a int, not a str or a Rule"),
        ("claim(part_of='p.nothing')", "is part of 'p.nothing', which is not in the catalogue"),
        ("claim(formerly=('p.one',))", "was formerly 'p.one', which is still the id of a claim"),
        ("replace(claim(), see_also=print)", "`see_also` is a builtin_function_or_method, not a tuple"),
        ("replace(claim(), rests_on=5)", "`rests_on` is a int, not a tuple"),
        ("replace(claim(), source=replace(claim().source, locator=print))", "`source.locator` is a builtin_function"),
        ("replace(claim(), symbols={'x': 10**5000})", "`symbols` holds a int"),
        ("replace(claim(), controls=(replace(claim().controls[0], why=None),))", "`controls[0].why` is a NoneType"),
        ("replace(claim(), checks=(replace(check(), name=7),))", "`checks[0].name` is a int, not a str"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_claim_is_said_with_its_file(folder, claims, says):
    message = complaint(folder(bad=f"A = ({claims},)"))
    assert says in message
    assert "bad.py" in message
    assert "1 problem:" in message


def test_the_errata_of_a_folder_are_those_of_its_file_and_those_that_claims_show(folder):
    path = folder(
        errata="ERRATA = (slip(id='p-e2', effect='wording', quotation='4x'), slip())",
        a="from . import errata\nA = claim(flaw=Flaw(errata.ERRATA[1], '5*x')); B = claim('p.two', flaw=Flaw(slip()))",
    )
    catalogue = load(path)
    assert [erratum.id for erratum in catalogue.errata] == ["p-e1", "p-e2"], "the gravest first, each once"
    assert [claim.id for claim in catalogue.showing("p-e1")] == ["p.one", "p.two"]
    assert [erratum.id for erratum in catalogue.errata_of(catalogue.claims)] == ["p-e1", "p-e2"]
    assert [erratum.id for erratum in catalogue.errata_of(catalogue.claims[:1])] == ["p-e1"]


@pytest.mark.parametrize(
    ("errata", "says"),
    [
        ("ERRATA = (slip(), slip(quotation='4x'))", "two errata have the id 'p-e1'"),
        ("ERRATA = (slip(), slip(id='p-e2', correct='x'))", "the erratum p-e2 is counted twice"),
        ("ERRATA = [slip()]", "defines no `ERRATA`: a tuple of Erratum"),
        ("ERRATA = (slip(id='p.e1'),)", "the id must be `paper-eN`"),
        ("ERRATA = (slip(charitable=''),)", "has no charitable"),
        (
            "ERRATA = (slip(readings=(EDITION.mends('page 1', \"the scan's text\"),)),)",
            "no edition that was read prints",
        ),
        ("ERRATA = (slip(readings=(EDITION.prints('', \"the scan's text\"),)),)", "does not say where"),
        ("ERRATA = (slip(readings=(EDITION.prints('page 1', 'hearsay'),)),)", "was seen in 'hearsay'"),
    ],
)
def test_what_is_wrong_with_errata_is_said_with_their_file(folder, errata, says):
    message = complaint(folder(errata=errata, a="A = claim()"))
    assert says in message
    assert "errata.py" in message


def test_a_cycle_is_named_along_its_way(folder):
    path = folder(a="A = claim('p.a', rests_on=('p.b',)); B = claim('p.b', rests_on=('p.c',))",
                  b="A = claim('p.c', rests_on=('p.a',))")  # fmt: skip
    assert "rests on itself: p.a → p.b → p.c → p.a" in complaint(path)


def test_a_diamond_is_no_cycle(folder):
    path = folder(
        a="""A, B = claim('p.a', rests_on=('p.b', 'p.c')), claim('p.b', rests_on=('p.d',))
C, D = claim('p.c', rests_on=('p.d',)), claim('p.d')"""
    )
    assert len(load(path).claims) == 4


def test_a_folders_claim_may_rest_on_a_claim_of_the_shipped_theory(folder):
    shipped = load().claims
    if not shipped:
        pytest.skip("the shipped theory has no claims")
    path = folder(a=f"A = claim(rests_on=({shipped[0].id!r},))")
    assert load(path).claim("p.one").rests_on == (shipped[0].id,)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("A = (", "syntax error"),
        ("import nothing_of_this_name", "No module named 'nothing_of_this_name'"),
        ("from ._missing import x", "ModuleNotFoundError"),
        ("1 / 0", "ZeroDivisionError"),
        ("raise SystemExit(3)", "SystemExit"),
        ("raise GeneratorExit", "GeneratorExit"),
        ("raise BaseException('of any kind')", "BaseException: of any kind"),
        ("raise ValueError(10**5000)", "ValueError: without a message"),
        ("class E(Exception):\n    def __str__(self): return 1/0\nraise E", "E: without a message"),
        ("CLAIM = ()", "defines no claim (a file that others only share begins with an underscore)"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_with_the_reason(folder, text, says):
    message = complaint(folder(bad=text))
    assert says in message
    assert "bad.py" in message


def test_a_failure_names_the_line(folder):
    path = folder()
    (path / "bad.py").write_text("x = 1\n\ny = x / 0\n")
    assert "bad.py: cannot be imported: line 3: ZeroDivisionError" in complaint(path)


def test_all_problems_of_all_files_are_listed_at_once(folder):
    message = complaint(folder(a="A = claim(checks=(), controls=())", b="A = (", c="CLAIM = 1"))
    assert "4 problems:" in message


def test_a_claim_in_a_papers_folder_carries_the_papers_key(folder):
    path = folder(a="A = claim('q.one')")
    (path / "__init__.py").write_text("from implicitbias.claims import Paper\nPAPER = Paper('p', 'T', 'A', 2020)\n")
    assert "the id must begin with 'p'" in complaint(path)


def test_a_folder_that_is_none_is_refused(tmp_path: Path):
    with pytest.raises(CatalogueError, match="does not exist"):
        load(tmp_path / "nowhere")
    file = tmp_path / "file.py"
    file.write_text("")
    with pytest.raises(CatalogueError, match="is a file, not a folder"):
        load(file)


def test_a_paper_that_is_not_described_in_words_is_a_problem(tmp_path: Path):
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "__init__.py").write_text(
        "from implicitbias.claims import Paper\nPAPER = Paper('p', None, 'A', 'now')\n"
    )
    message = complaint(tmp_path)
    assert "`PAPER.title` is a NoneType, not a str" in message
    assert "`PAPER.year` is a str, not a int" in message


def test_many_wrong_entries_of_a_field_are_counted_not_listed(folder):
    message = complaint(folder(bad="A = claim(checks='a' * 100_000)"))
    assert "`checks[0]` is a str" in message
    assert "99997 more entries like that" in message
    assert len(message) < 2000


def test_bytes_that_are_no_text_are_a_problem_of_their_file(tmp_path: Path):
    (tmp_path / "bad.py").write_bytes(b"A = '\xeb'\n")
    assert "bad.py" in complaint(tmp_path)


@pytest.mark.parametrize("kind", ["pipe", "link"])
def test_what_only_looks_like_a_python_file_is_not_waited_for(tmp_path: Path, kind):
    file = tmp_path / "waiting.py"
    os.mkfifo(file) if kind == "pipe" else file.symlink_to("nowhere")
    with pytest.raises(CatalogueError, match=r"waiting\.py is no file, or leads to none"):
        load(tmp_path)


def test_a_folder_with_too_much_in_it_is_none_of_claims(tmp_path: Path, monkeypatch):
    monkeypatch.setattr("implicitbias.claims.catalogue.MOST_ENTRIES", 10)
    for n in range(11):
        (tmp_path / f"{n}.txt").touch()
    with pytest.raises(CatalogueError, match="holds more than 10 files and folders"):
        load(tmp_path)


def test_a_flaw_that_is_none_has_no_erratum_and_does_not_end_the_loading() -> None:
    class Found:
        file = Path("claims.py")
        claim = type("Claim", (), {"flaw": "a misprint"})()

    assert all_errata([], [Found()]) == []  # type: ignore[list-item]
