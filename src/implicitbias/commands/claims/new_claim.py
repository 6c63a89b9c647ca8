"""`implicitbias new-claim`: a file with a claim, a check and two controls that runs and is to be edited."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from implicitbias.commands.claims.repository import write_repository
from implicitbias.commands.options import reachable
from implicitbias.commands.output import say
from implicitbias.errors import UserError

ID = re.compile(r"[a-z][a-z0-9]*\.[a-z][a-z0-9_]*")

PAPER = '''"""What this paper claims."""

from implicitbias.claims import Paper

PAPER = Paper(key="{paper}", title="The paper's title", authors="A. Author, B. Author", year={year})
'''

CLAIM = '''"""{place}. The example, Jensen's gap of x², is to be replaced by what is claimed."""

from fractions import Fraction

from implicitbias.claims import Context, Observation, certificate, claim, seen


@certificate("random pairs")
def gap(context: Context) -> Observation:
    """The gap in exact fractions, from its definition: degenerate and simple pairs first, then random ones."""
    draw = context.random()
    pairs = [(0, 0), (1, 1), (0, 1), (0, 2), (-1, 3), *((draw.randint(-9, 9), draw.randint(-9, 9)) for _ in range(10))]
    for a, b in pairs:
        yield seen(Fraction(a**2 + b**2, 2) - Fraction(a + b, 2) ** 2, a=a, b=b)


jensen_gap = claim(
    "{id}",
    "{place}",
    "Jensen's gap of the square",
    "The mean of a² and b² exceeds the square of the mean by (a-b)²/4.",
    formula="(a-b)**2/4",
    symbols={{"a": "a point", "b": "another"}},
    # Controls are what `implicitbias rivals {id}` proposes: whatever formula it finds
    # that the evidence accepts too. Add instances until it finds none inside their ranges; keep the formula here.
    controls={{
        "Abs(a-b)/4": "equal where |a-b| is 0 or 1",
        "(a-b)**2/2": "forgets one halving",
    }},
    latex=r"\\frac{{a^2+b^2}}2-\\Big(\\frac{{a+b}}2\\Big)^2=\\frac{{(a-b)^2}}4",
    checks=(gap,),
)
'''


def new_claim(
    claim: Annotated[str, typer.Argument(metavar="PAPER.PLACE", help="The new claim's id, e.g. smith2024.theorem_1.")],
    folder: Annotated[
        Path, typer.Option("--in", metavar="FOLDER", callback=reachable, help="The folder of claims.")
    ] = Path("claims"),
    repository: Annotated[
        bool, typer.Option("--repository", help="Write tests, a workflow and a README beside FOLDER too.")
    ] = False,
) -> None:
    """Write a new claim file that runs.

    FOLDER/PAPER/PLACE.py holds a claim, a check and two controls: edit it, and run what is printed. With
    --repository what is beside FOLDER can be pushed: `pytest` runs the claims there, and so does GitHub at each push.
    """
    if not ID.fullmatch(claim):
        raise UserError(
            f"{claim!r} is not the id of a claim: write paper.place in lower case, letters, digits and _, "
            "e.g. smith2024.theorem_1"
        )
    paper, place = claim.split(".")
    made, file = folder / paper / "__init__.py", folder / paper / f"{place}.py"
    if file.exists():
        raise UserError(f"{file} exists already: choose another place, or edit that file")
    year = next(iter(re.findall(r"\d{4}", paper)), "2000")
    words = place.replace("_", " ").capitalize()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        if not made.exists():
            made.write_text(PAPER.format(paper=paper, year=int(year)), encoding="utf-8")
        file.write_text(CLAIM.format(id=claim, place=words), encoding="utf-8")
    except OSError as error:
        raise UserError(f"cannot write {file}: {error.strerror}") from None
    say(f"wrote {file}")
    if repository:
        for other, written in write_repository(folder, paper):
            say(f"{'wrote' if written else 'kept '} {other}")
        say("run all as tests: pytest")
    say(f"run it:          implicitbias verify {claim} --claims {folder}")
    say(f"look for rivals: implicitbias rivals {claim} --claims {folder}")
    say(f"try a conjecture: implicitbias try {claim} --formula '(a-b)**2/3' --claims {folder}")
