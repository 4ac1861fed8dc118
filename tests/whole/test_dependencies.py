"""What an installation needs: the base is small, and what needs more names the extra that has it."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from places import ROOT

from fstmetrics.engine.signatures import signature_of
from fstmetrics.metrics.registry import as_corpus_metric
from fstmetrics.support.errors import FstmetricsError

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
# Packages whose modules have other names.
MODULES = {
    "scikit-learn": "sklearn",
    "whisper-normalizer": "whisper_normalizer",
    "nemo-curator": "nemo_curator",
}
# What is imported only where an object of the library is there already, or has no extra because it is large.
FROM_THEIR_OBJECTS = {"pywrapfst", "torch"}


@cache
def sources() -> dict[Path, ast.Module]:
    return {path: ast.parse(path.read_text("utf-8")) for path in (ROOT / "fstmetrics").rglob("*.py")}


def names_of(requirements: list[str]) -> set[str]:
    return {Requirement(each).name for each in requirements}


def modules_of(extra: str) -> set[str]:
    return {MODULES.get(name, name) for name in names_of(EXTRAS[extra])}


def imports(tree: ast.AST) -> Iterator[str]:
    """Names of other packages that a module imports, functions included; those for type checkers are left out."""
    if isinstance(tree, ast.If) and ast.unparse(tree.test) == "TYPE_CHECKING":
        return
    if isinstance(tree, ast.Import):
        yield from (alias.name.partition(".")[0] for alias in tree.names)
    elif isinstance(tree, ast.ImportFrom):
        yield (tree.module or "").partition(".")[0]
    for child in ast.iter_child_nodes(tree):
        yield from imports(child)


def test_the_base_is_numpy_and_the_command_line_s_library() -> None:
    assert names_of(PROJECT["dependencies"]) == {"numpy", "click"}


def test_every_imported_package_belongs_to_the_base_or_to_an_extra_for_users() -> None:
    own = {"fstmetrics", "numpy", "click"} | sys.stdlib_module_names | FROM_THEIR_OBJECTS
    extras = {
        module
        for extra in EXTRAS
        if extra not in ("test", "test-all", "dev", "docs", "clients")
        for module in modules_of(extra)
    }
    found: dict[str, set[str]] = {}
    for path, tree in sources().items():
        for name in imports(tree):
            found.setdefault(name, set()).add(path.name)
    assert {name: files for name, files in found.items() if name not in own | extras} == {
        # What jiwer's stand-in hands on, and the learning of weights: each says in its error what to install.
        "jiwer": {"__init__.py"},
    }


def test_no_module_imports_an_extra_s_package_when_it_is_imported() -> None:
    base = {"fstmetrics", "numpy", "click"} | sys.stdlib_module_names
    for path, tree in sources().items():
        if path.parent.name == "annotate":  # imported by its command, which asks for the extra before
            continue
        at_once = {
            name
            for statement in tree.body
            if isinstance(statement, ast.Import | ast.ImportFrom)
            for name in imports(statement)
        }
        assert at_once <= base, path


def named_extras() -> list[tuple[str, str]]:
    """File and extra, where a message names one."""
    found = []
    for path, tree in sources().items():
        found += [
            (path.name, extra) for extra in re.findall(r"fstmetrics\[([\w,]+)\]", path.read_text("utf-8"))
        ]
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "need":
                extra = call.args[2] if len(call.args) > 2 else ast.Constant("mt")
                if isinstance(extra, ast.Constant):
                    found.append((path.name, str(extra.value)))
                    assert isinstance(call.args[0], ast.Constant)
                    assert str(call.args[0].value).partition(".")[0] in modules_of(str(extra.value)), path
    return found


def test_extras_that_messages_name_exist_and_have_the_package() -> None:
    named = named_extras()
    assert len(named) > 20
    assert {extra for _, extra in named} <= set(EXTRAS)


@pytest.mark.parametrize("page", ["README.md", "docs"])
def test_extras_that_pages_name_exist(page: str) -> None:
    files = [ROOT / page] if page.endswith(".md") else sorted((ROOT / page).rglob("*.md"))
    for file in files:
        for extras in re.findall(r"fstmetrics\[([\w,-]+)\]", file.read_text("utf-8")):
            assert set(extras.split(",")) <= set(EXTRAS), file


def test_test_all_has_what_the_other_extras_have_wheels_for() -> None:
    assert "openfst" in EXTRAS
    own = [each for each in map(Requirement, EXTRAS["test-all"]) if each.name == "fstmetrics"]
    named = {name for each in own for name in each.extras} | {"test-all"}
    assert "test" in named
    assert "pynini" in {name for extra in named for name in names_of(EXTRAS[extra])}


@pytest.mark.parametrize("metric", ["meteor", "tesla-m", "maxsim"])
def test_metrics_without_their_package_name_the_extra(metric: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.version", absent)
    with pytest.raises(FstmetricsError, match=rf"^{metric} needs nltk, .* pip install 'fstmetrics\[mt\]'$"):
        signature_of(as_corpus_metric(metric), None)
