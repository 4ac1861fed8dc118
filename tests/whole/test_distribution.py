"""What is shipped: an archive of sources that is complete, small and the same each time; files with a version."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import pytest
from places import ROOT

from fstmetrics.support.version import __version__

BUILD = "import sys; from scikit_build_core.build import build_sdist; build_sdist(sys.argv[1])"


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two archives of the sources, built without git."""
    pytest.importorskip("scikit_build_core", reason="needs scikit-build-core")
    if not (ROOT / ".editorconfig").is_file():
        pytest.skip("needs a clone")
    folders = [tmp_path_factory.mktemp(name) for name in ("one", "two")]
    environment = {**os.environ, "GIT_DIR": os.devnull}
    for folder in folders:
        subprocess.run(
            [sys.executable, "-c", BUILD, folder], cwd=ROOT, env=environment, check=True, capture_output=True
        )
    return [next(folder.iterdir()) for folder in folders]


def test_two_archives_have_the_same_bytes(archives: list[Path]) -> None:
    assert archives[0].read_bytes() == archives[1].read_bytes()
    assert archives[0].name == f"fstmetrics-{__version__}.tar.gz"
    assert archives[0].stat().st_size < 4_200_000


def test_the_archive_has_what_a_build_and_the_tests_need(archives: list[Path]) -> None:
    with tarfile.open(archives[0]) as archive:
        names = {Path(*Path(name).parts[1:]).as_posix() for name in archive.getnames()}
    listed = re.findall(r"\b[\w/]+\.cc\b", (ROOT / "fstmetrics/native/CMakeLists.txt").read_text("utf-8"))
    assert {f"fstmetrics/native/{name}" for name in listed} <= names
    assert {
        "pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "grammars/en/contractions.grammar",
        "fstmetrics/examples/oracle/ref.txt", "tests/conftest.py", "docs/README.md",
    } <= names  # fmt: skip
    folders = {name.partition("/")[0] for name in names}
    assert not folders & {".ci", ".github", ".venv", "bench", "build", "recipe"}
    assert not [name for name in names if name.endswith((".so", ".pyc", ".whl"))]


def test_every_file_with_a_version_has_the_same() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == __version__
    for path, pattern in (("CITATION.cff", r"^version: (.*)$"), ("recipe/recipe.yaml", r'version: "(.*)"$')):
        if (ROOT / path).is_file():
            found = re.search(pattern, (ROOT / path).read_text("utf-8"), re.MULTILINE)
            assert found is not None
            assert found[1] == __version__, path


def test_the_changelog_has_the_sections_of_its_form() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    versions = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert versions[0] == "[Unreleased]"
    assert all(re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", version) for version in versions[1:])
    kinds = set(re.findall(r"^### (.*)$", text, re.MULTILINE))
    assert kinds <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
