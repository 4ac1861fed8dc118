"""`fstmetrics doctor`: complete, quick, exit status 0 whatever is missing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
from command import fstmetrics, written
from places import ROOT

from fstmetrics.support import installation
from fstmetrics.support.installation import NLTK_PLACES, wordnet_place


def test_it_says_what_is_here() -> None:
    found = json.loads(fstmetrics("doctor", "--json").out)
    assert found["packages"]["numpy"] == version("numpy")
    assert found["engine"]["instruction_set"] in ("x86-64-v4", "x86-64-v3", "plain")
    assert found["limits"]["arcs"] >= 1
    text = fstmetrics("doctor").out
    for part in (
        version("numpy"),
        found["engine"]["compiler"],
        found["python"],
        "[openfst]",
        "wordnet",
        "label=65536",
    ):
        assert part in text
    assert max(map(len, text.splitlines())) < 200


@pytest.mark.parametrize("wanted", ["plain", "x86-64-v3", "x86-64-v4"])
def test_kernels_are_of_the_instruction_set_that_is_wanted(wanted: str) -> None:
    """At most of that: a machine may have less."""
    widths = ["plain", "x86-64-v3", "x86-64-v4"]
    found = json.loads(_with_instruction_set(wanted, "doctor", "--json").stdout)["engine"]["instruction_set"]
    here = json.loads(_with_instruction_set("", "doctor", "--json").stdout)["engine"]["instruction_set"]
    assert found == min(wanted, here, key=widths.index)


def test_an_unknown_instruction_set_is_refused_in_a_line() -> None:
    line = "FSTMETRICS_INSTRUCTION_SET is avx2: expected x86-64-v4, x86-64-v3 or plain"
    scored = _with_instruction_set("avx2", "score", "-", "-")
    assert (scored.returncode, scored.stdout, scored.stderr.count("\n")) == (2, "", 1)
    assert line in scored.stderr
    assert line in _with_instruction_set("avx2", "doctor").stdout


@pytest.mark.parametrize("name", ["\udcff", "\x01", "a\nb", "é", "x86-64-v4\udc80"])
def test_bytes_that_are_no_name_are_refused_in_a_line(name: str) -> None:
    scored = _with_instruction_set(name, "score", "-", "-")
    assert (scored.returncode, scored.stdout, scored.stderr.count("\n")) == (2, "", 1)
    assert "?" in scored.stderr
    assert scored.stderr.isascii()


def _with_instruction_set(name: str, *line: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "fstmetrics", *line],
        env=os.environ | {"FSTMETRICS_INSTRUCTION_SET": name},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_extras_are_those_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert set(installation.EXTRAS) == set(project["optional-dependencies"]) - {
        "test",
        "test-all",
        "dev",
        "clients",
        "docs",
    }


@pytest.mark.parametrize(
    ("there", "missing"),
    [
        ({}, ["pandas>=2", "pyarrow>=14"]),
        ({"pandas": "2.0", "pyarrow": "14.0.1"}, []),
        ({"pandas": "1.5.3", "pyarrow": "26.0"}, ["pandas>=2 (it is 1.5.3)"]),
        ({"pandas": "10.1rc1", "pyarrow": "9"}, ["pyarrow>=14 (it is 9)"]),
    ],
)
def test_an_extra_is_there_in_the_versions_it_wants(
    monkeypatch: pytest.MonkeyPatch, there: dict[str, str], missing: list[str]
) -> None:
    wanted = ["numpy>=1.26", 'pandas>=2; extra == "tables"', 'pyarrow>=14 ; extra == "tables"']
    monkeypatch.setattr(installation, "requires", lambda package: wanted if package == "fstmetrics" else [])
    monkeypatch.setattr(installation, "_version", lambda name: {"fstmetrics": "1", **there}.get(name, ""))
    (tables,) = [extra for extra in installation.extras() if extra.name == "tables"]
    assert tables.missing == missing


def test_extras_of_extras_count(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = {
        "fstmetrics": ["sacrebleu[ja]>=2.4; extra == 'ja'"],
        "sacrebleu": ["colorama", "mecab-python3<2.0.0,>=1.0.9; extra == 'ja'"],
    }
    monkeypatch.setattr(installation, "requires", wanted.__getitem__)
    monkeypatch.setattr(installation, "_version", lambda name: "2.6.0" if name != "mecab-python3" else "")
    (ja,) = [extra for extra in installation.extras() if extra.name == "ja"]
    assert (ja.present, ja.missing) == ({"sacrebleu": "2.6.0"}, ["mecab-python3<2.0.0,>=1.0.9"])


def test_nothing_heavy_is_imported_and_a_broken_engine_is_reported(tmp_path: Path) -> None:
    code = (
        "import sys; sys.argv = ['fstmetrics', 'doctor', '--json']\n"
        "sys.modules['fstmetrics._native'] = None\n"
        "from fstmetrics.cli import main\n"
        "try:\n    main()\nexcept SystemExit as end:\n    print(end.code, *sys.modules, file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    status, *loaded = done.stderr.split()
    assert status == "0"
    assert not {"numpy", "rich", "nltk", "sacrebleu", "pandas", "pynini", "matplotlib"} & set(loaded)
    assert "error" in json.loads(done.stdout)["engine"]


def test_the_home_folder_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(installation.__file__).parents[1]
    monkeypatch.setattr(Path, "home", lambda: folder.parents[1])
    shown = Path("~", *folder.parts[-2:])
    assert fstmetrics("doctor").out.splitlines()[0].endswith(f" in {shown}")


def test_wordnet_is_found_where_nltk_finds_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = pytest.importorskip("nltk.data", reason="needs nltk: pip install 'fstmetrics[mt]'")
    assert {str(place.expanduser() / "nltk_data") for place in NLTK_PLACES} <= set(data.path)
    monkeypatch.setenv("WNSEARCHDIR", str(tmp_path / "none"))
    monkeypatch.setenv("NLTK_DATA", str(tmp_path))
    for name in ("corpora", "dict"):
        (tmp_path / name).mkdir()
    written(tmp_path / "corpora" / "wordnet.zip", "")
    assert wordnet_place() == tmp_path / "corpora" / "wordnet.zip"
    monkeypatch.delenv("NLTK_DATA")
    written(tmp_path / "dict" / "data.noun", "")
    monkeypatch.setenv("WNSEARCHDIR", str(tmp_path / "dict"))
    if not any((place.expanduser() / "nltk_data").exists() for place in NLTK_PLACES):
        assert wordnet_place() == tmp_path / "dict"
