"""The grammars that ship: where they are in a clone and in a wheel, and that their README says what is there."""

from __future__ import annotations

import re
import shutil
import tomllib
from pathlib import Path

import pytest
from command import written
from places import ROOT

import fstmetrics as fm
from fstmetrics.analysis.savings import failures
from fstmetrics.support import shipped_grammars

in_clone = pytest.mark.skipif(not (ROOT / "grammars").is_dir(), reason="the repository is not here")


@in_clone
def test_the_grammars_of_a_clone_are_at_its_top() -> None:
    assert shipped_grammars.shipped_folder() == ROOT / "grammars"


@in_clone
def test_a_wheel_has_them_where_they_are_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The build copies the folder as pyproject.toml says; then the repository is not looked at."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["scikit-build"]
    ((source, destination),) = settings["wheel"]["force-include"].items()
    there = shipped_grammars.names()
    shutil.copytree(ROOT / source, tmp_path / destination)
    (tmp_path / "grammars").mkdir()  # of somebody else
    written(tmp_path / "grammars" / "other.grammar", "a = b\n")
    monkeypatch.setattr(shipped_grammars, "PACKAGE", tmp_path / "fstmetrics")
    assert shipped_grammars.names() == there
    assert len(there) == 17
    assert "en.spelling" in there


def test_the_readme_of_the_grammars_tells_of_each_file_and_its_notation_is_one() -> None:
    text = (shipped_grammars.shipped_folder() / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `([\w/]+)\.grammar` *\| ([\w, ]+?) *\|", text, re.MULTILINE)
    assert [name.replace("/", ".") for name, _ in listed] == shipped_grammars.names()
    for name, suits in listed:
        found = fm.Grammar.load(name.replace("/", "."))
        assert suits in ("any language", ", ".join(found.suits))
    notation, examples = re.findall(r"\n\n```\n(.*?)```", text, re.DOTALL)
    house = fm.Grammar.parse(notation + examples, "house")
    assert len(notation.splitlines()) == 10
    assert not failures(house)
    for reference, said in [
        ("labels", "labells"),
        ("25 percent", "twenty-five per cent"),
        ("the colr", "color"),
    ]:
        assert fm.align(said, reference, grammars=house).edits == 0
