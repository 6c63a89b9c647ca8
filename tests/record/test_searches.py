"""What libraries look at on their own ties no result to it."""

from __future__ import annotations

from pathlib import Path

from implicitbias.claims.catalogue import load
from implicitbias.running.runner import run

CLAIM = '''
from implicitbias.claims import Context, Observation, certificate, claim, seen

@certificate("doubled")
def doubled(context: Context) -> Observation:
    """Twice a number."""
    {body}
    for n in range(1, 9):
        yield seen(n + n, n=n)

{name} = claim("mine.{name}", "here", "Twice", "Twice n is n + n.", formula="2*n", symbols={{"n": "a number"}},
               controls={{"n**2": "equal at 2"}}, checks=(doubled,))
'''


def test_a_search_among_all_modules_does_not_tie_a_result_to_them(tmp_path: Path) -> None:
    body = "import inspect, sys; inspect.getframeinfo(sys._getframe())"
    (tmp_path / "searching.py").write_text(CLAIM.format(name="searching", body=body))
    (tmp_path / "idle.py").write_text(CLAIM.format(name="idle", body="pass"))
    claim = load(tmp_path).claim("mine.searching")
    (result,) = run([claim], folder=tmp_path, workers=1)
    files = result.provenance["used"]["files"]
    assert "./searching.py" in files
    assert "./idle.py" not in files
    assert not [name for name in files if name.startswith("theory/")]
