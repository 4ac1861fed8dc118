"""The pages of docs/: their links lead somewhere, the index names all of them, and their lines are short."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from places import ROOT, TESTS

DOCS = [*sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs" / "tutorials").glob("*.md"))]
# Not what tools keep in hidden folders, nor what a build leaves.
FOLDERS = ("docs", "bench", "tests", "fstmetrics", ".github")
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *(page for name in FOLDERS for page in sorted((ROOT / name).rglob("*.md"))),
]
# README.md is the index, index.md the site's front page.
PAGES_OF_INDEX = [
    page for page in DOCS if page.parent.name == "docs" and page.name not in ("README.md", "index.md")
]
# Files from elsewhere that a page of the site shows; the site has no other file of the repository.
SHOWN = {
    (ROOT / file).resolve()
    for page in (ROOT / "docs").rglob("*.md")
    for file in re.findall(r"^<!-- shows: (\S+) -->$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
}
COLUMNS = 100


def prose(page: Path) -> str:
    """A page without its blocks of code."""
    return re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """What a link may have behind `#`: headings as GitHub and GitLab write them."""
    headings = re.findall(r"^#+ (.*)$", prose(page), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_pages_and_headings(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if not link.startswith("http"):
            name, _, anchor = link.partition("#")
            target = (page.parent / name).resolve() if name else page
            assert target.exists(), link
            assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("page", [*DOCS, *sorted(SHOWN)], ids=lambda page: str(page.relative_to(ROOT)))
def test_links_of_the_site_lead_to_the_site(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s#]+)", prose(page)):
        if not link.startswith(("http", "mailto:")):
            target = (page.parent / link).resolve()
            on_the_site = target in SHOWN or target.is_relative_to(ROOT / "docs")
            assert target.suffix != ".md" or on_the_site, link


def test_the_index_names_every_page() -> None:
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    assert [page.name for page in PAGES_OF_INDEX if f"({page.name}" not in index] == []


@pytest.mark.parametrize("page", DOCS, ids=lambda page: page.name)
def test_lines_of_prose_are_short(page: Path) -> None:
    long = [line for line in prose(page).splitlines() if len(line) > COLUMNS and not line.startswith("|")]
    assert long == []


@pytest.mark.parametrize("page", ["docs/hostile-input.md", "tests/fuzz/README.md"])
def test_tests_that_a_page_names_exist(page: str) -> None:
    files = list(TESTS.rglob("test_*.py"))
    names = {path.name for path in files}
    for path in files:
        names.update(re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), flags=re.MULTILINE))
    named = re.findall(r"`(?:tests/\w+/)?(test_\w+(?:\.py)?)`", (ROOT / page).read_text(encoding="utf-8"))
    assert named
    assert [name for name in named if name not in names] == []
