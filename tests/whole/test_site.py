"""The documentation site: its pages name everything public, and its contents every page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from places import ROOT

import fstmetrics

SITE = ROOT / "docs"
API = "".join(page.read_text(encoding="utf-8") for page in (SITE / "api").glob("*.md"))
# What has pages of its own, or is a value that needs none.
ELSEWHERE = {"decoding", "evaluation", "networks", "jiwer", "METRICS", "__version__"}


def documented() -> set[str]:
    return set(re.findall(r"^\.\. auto\w+:: fstmetrics\.(\S+)$", API, flags=re.MULTILINE))


def test_every_public_name_is_on_a_page_of_the_api() -> None:
    """A new name needs a line in docs/api/."""
    assert set(dir(fstmetrics)) - ELSEWHERE == {name for name in documented() if "." not in name}


@pytest.mark.parametrize("folder", ["evaluation", "decoding"])
def test_every_public_name_of_a_folder_is_on_a_page_of_the_api(folder: str) -> None:
    own = {name.partition(".")[2] for name in documented() if name.startswith(f"{folder}.")}
    assert own == set(getattr(fstmetrics, folder).__all__)


def test_every_public_name_of_networks_is_on_a_page_of_the_api() -> None:
    own = {name.partition(".")[2] for name in documented() if name.startswith("networks.")}
    renamed = {"accepts", "info"}  # network_accepts and network_info
    assert own | documented() >= set(fstmetrics.networks.__all__) - renamed


def contents(page: Path) -> set[str]:
    trees = re.findall(r"```\{toctree\}\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    lines = [line for tree in trees for line in tree.splitlines() if line and not line.startswith(":")]
    return {re.sub(r".*<(.*)>", r"\1", line) for line in lines}


def test_the_contents_have_every_page() -> None:
    pages = {path.relative_to(SITE).with_suffix("").as_posix() for path in SITE.rglob("*.md")}
    pages -= {"paper/paper"}
    assert contents(SITE / "index.md") | {
        f"{folder}/{name}" for folder in ("api", "tutorials") for name in contents(SITE / folder / "index.md")
    } == (pages - {"index"})


def test_no_page_has_the_place_of_one_that_the_site_makes() -> None:
    assert not {"search", "genindex", "py-modindex"} & {page.stem for page in SITE.glob("*.md")}
