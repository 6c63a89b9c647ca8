"""The files that packagers and platforms read are well formed, agree with each other, and name what is there."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parent.parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
CITATION: dict[str, Any] = yaml.safe_load((ROOT / "CITATION.cff").read_text())
ZENODO: dict[str, Any] = json.loads((ROOT / ".zenodo.json").read_text())
RECIPE = (ROOT / "conda" / "meta.yaml").read_text()
PAPER = (ROOT / "paper" / "paper.md").read_text()
BIBLIOGRAPHY = (ROOT / "paper" / "paper.bib").read_text()
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
PAGES = [ROOT / name for name in ("CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "SECURITY.md", "README.md")]
ARXIV = set(re.findall(r"arXiv:(\d{4}\.\d{5})", (ROOT / "README.md").read_text()))


def recipe() -> dict[str, Any]:
    """The recipe as conda reads it: Jinja first."""
    import jinja2

    found: dict[str, Any] = yaml.safe_load(jinja2.Template(RECIPE).render(PYTHON="python"))
    return found


def test_the_version_is_the_same_everywhere() -> None:
    version = PROJECT["version"]
    assert CITATION["version"] == ZENODO["version"] == str(recipe()["package"]["version"]) == version
    changes = (ROOT / "CHANGELOG.md").read_text()
    assert "\n## Unreleased\n" in changes or f"\n## {version}" in changes


def test_licence_keywords_and_description_are_the_same_everywhere() -> None:
    assert CITATION["license"] == ZENODO["license"] == recipe()["about"]["license"] == PROJECT["license"]
    assert (ROOT / "LICENSE").read_text().startswith(PROJECT["license"])
    assert CITATION["keywords"] == ZENODO["keywords"] == PROJECT["keywords"]
    assert recipe()["about"]["summary"] == PROJECT["description"]
    assert CITATION["title"] == ZENODO["title"]
    [author] = CITATION["authors"]
    assert [author] == ZENODO["creators"]
    assert author["name"] in (ROOT / "LICENSE").read_text()


def test_the_recipe_requires_what_the_package_requires() -> None:
    requirements = recipe()["requirements"]
    assert requirements["run"] == [
        f"python {PROJECT['requires-python']}",
        *(re.sub(r"([<>=])", r" \1", need, count=1) for need in PROJECT["dependencies"]),
    ]
    names = {"matplotlib-base": "matplotlib", "pytorch": "torch"}
    limits = {names.get(name, name): limit for name, limit in map(str.split, requirements["run_constrained"])}
    optional = [need for extra in PROJECT["optional-dependencies"].values() for need in extra]
    assert all(f"{name}{limit}" in optional for name, limit in limits.items())
    assert recipe()["build"]["entry_points"] == [f"{name} = {place}" for name, place in PROJECT["scripts"].items()]
    assert (ROOT / "conda" / recipe()["source"]["path"]).resolve() == ROOT


def test_the_five_papers_are_cited_everywhere() -> None:
    assert len(ARXIV) == 5
    assert {entry["url"].rpartition("/")[2] for entry in CITATION["references"]} == ARXIV
    assert {entry["identifier"].removeprefix("arXiv:") for entry in ZENODO["related_identifiers"]} == ARXIV
    assert set(re.findall(r"eprint = \{([\d.]+)\}", BIBLIOGRAPHY)) == ARXIV


def test_the_citation_has_what_its_schema_requires() -> None:
    assert {"cff-version", "message", "title", "authors"} <= CITATION.keys()
    for entry in CITATION["references"]:
        assert {"type", "title", "authors"} <= entry.keys()
        assert all({"family-names", "given-names"} == author.keys() for author in entry["authors"])


def test_the_paper_cites_what_its_bibliography_has_and_all_of_it() -> None:
    head, text = PAPER.split("---\n")[1:3]
    front = yaml.safe_load(head)
    assert {"title", "tags", "authors", "affiliations", "date", "bibliography"} <= front.keys()
    assert (ROOT / "paper" / front["bibliography"]).is_file()
    assert set(re.findall(r"@(\w+)", text)) == set(re.findall(r"^@\w+\{(\w+),", BIBLIOGRAPHY, re.M))
    for place in re.findall(r"`((?:benchmarks|docs)/[^`]+)`", text):
        assert (ROOT / place).is_file()
    assert "# Statement of need" in text


def test_the_paper_repeats_what_was_measured() -> None:
    """Its times are those of benchmarks/RESULTS.md, its errata those that the README counts."""
    measured = (ROOT / "benchmarks" / "RESULTS.md").read_text()
    words = [" ".join(found) for found in re.findall(r"([\d.]+) (ms|µs)\b", PAPER)]
    assert len(words) >= 5
    for word in words:
        value, unit = word.split()
        known = [float(number) for number in re.findall(rf"([\d.]+) {unit}\b", measured)]
        assert any(abs(float(value) - number) <= 0.01 * number for number in known), word
    errata = re.findall(r"(\d+) errata", (ROOT / "README.md").read_text())
    assert re.findall(r"(\d+) errata", PAPER) == errata


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_runs_what_is_there(path: Path) -> None:
    workflow = yaml.safe_load(path.read_text())
    assert workflow["permissions"] == {"contents": "read"}, "more is granted where it is needed"
    makefile = (ROOT / "Makefile").read_text()
    for job in workflow["jobs"].values():
        assert set(job.get("needs", "").split()) <= workflow["jobs"].keys()
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step)
            command = step.get("run", "")
            assert all(f"\n{target}:" in makefile for target in re.findall(r"\bmake (\w+)", command))
            assert all((ROOT / file).stat().st_mode & 0o100 for file in re.findall(r"\.ci/\w+", command))
            assert re.fullmatch(r"[\w-]+/[\w-]+@[\w/.]+", step.get("uses", "a/b@c"))


def test_a_release_is_published_without_a_password_by_the_job_that_may() -> None:
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text())["jobs"]
    assert [name for name, job in jobs.items() if job.get("permissions") == {"id-token": "write"}] == ["publish"]
    assert jobs["publish"]["steps"][-1].keys() == {"uses"}
    assert "secrets." not in "".join(path.read_text() for path in WORKFLOWS)


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_an_issue_form_has_what_a_form_needs(path: Path) -> None:
    form = yaml.safe_load(path.read_text())
    if path.stem == "config":
        return
    assert {"name", "description", "body"} <= form.keys()
    ids = [field["id"] for field in form["body"]]
    assert len(ids) == len(set(ids))
    assert all(field["type"] in ("input", "textarea") and field["attributes"]["label"] for field in form["body"])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_page_links_to_is_there(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)", page.read_text())
    assert links
    assert all((ROOT / link).exists() for link in links if "://" not in link)
    for place in re.findall(r"`((?:src|tests|docs|\.github|\.ci|conda|paper)/[\w./-]+)`", page.read_text()):
        assert (ROOT / place).exists(), place


def test_nothing_is_left_to_be_filled_in() -> None:
    files = [*WORKFLOWS, *FORMS, *PAGES, *(ROOT / "paper").iterdir(), *(ROOT / "conda").iterdir()]
    for file in (*files, ROOT / "CITATION.cff", ROOT / ".zenodo.json"):
        assert not re.search(r"TODO|FIXME|XXX|example\.(com|org)|YOUR_|0000-000", file.read_text()), file
