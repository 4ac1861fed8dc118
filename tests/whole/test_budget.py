"""What a reader of the code has to follow, and how much there is of it.

The ways of calls may only become shorter. Sizes become less, too, but for what is new to users.

A number that is above its ceiling is a longer way: find a straighter one. One that is more than a tenth below it is a
success: lower the ceiling.
"""

from __future__ import annotations

import ast
import inspect
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType

import pytest
from command import EXAMPLES, written
from golden import FOREIGN
from places import HELPERS, ROOT

import fstmetrics as fm

# The second call of a command in a process; how it is counted: tests/helpers/ways.py.
WAYS = {
    # call                                        modules, functions, hops
    "lists":                                      (10, 38, 26),
    "score ref.txt a.txt":                        (42, 228, 224),
    "compare --ref ref.txt a.txt b.txt":          (48, 346, 420),
    "oracle oracle/ref.txt oracle/lattices":      (55, 369, 391),
    "hyter hyter/networks hyter/hyp.txt":         (55, 368, 375),
}  # fmt: skip
# Files of Python, and lines in them, in the package and in a folder of it.
SIZES = {
    # folder            modules, lines
    "fstmetrics":       (491, 126662),
    "fstmetrics/apps":  (91, 20877),
    "fstmetrics/cli":   (6, 1878),
}  # fmt: skip
# Modules of rooms that an app imports: what it needs and the public names do not have.
INTERNALS = {
    "adapters": 7,
    "annotate": 39,
    "calibration": 30,
    "distributed": 7,
    "jiwer": 2,
    "metaeval": 38,
    "pages": 53,
    "proficiency": 17,
    "tuning": 30,
}


def check(what: str, name: str, found: int, ceiling: int) -> None:
    assert found <= ceiling, f"{what}: {found} {name}, above the ceiling of {ceiling}"
    assert found >= 0.9 * ceiling, (
        f"{what}: {found} {name}, more than a tenth below {ceiling}: lower the ceiling"
    )


@pytest.mark.parametrize("call", WAYS, ids=[call.split()[0] for call in WAYS])
def test_ways_become_no_longer(call: str, tmp_path: Path) -> None:
    for name, text in (("ref", "the cat sat"), ("a", "a cat sat"), ("b", "a cat sat down")):
        written(tmp_path / f"{name}.txt", f"{text}\n")
    for folder in ("oracle", "hyter"):
        shutil.copytree(EXAMPLES / folder, tmp_path / folder)
    environment = {name: value for name, value in os.environ.items() if not FOREIGN.fullmatch(name)}
    done = subprocess.run(
        [sys.executable, HELPERS / "ways.py", *call.split()],
        cwd=tmp_path, env=environment | {"PYTHONHASHSEED": "0"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    for (name, found), ceiling in zip(json.loads(done.stdout).items(), WAYS[call], strict=True):
        check(f"fstmetrics {call}", name, found, ceiling)


@pytest.mark.parametrize("folder", SIZES)
def test_the_package_becomes_no_larger(folder: str) -> None:
    files = [path.read_bytes() for path in (ROOT / folder).rglob("*.py")]
    modules, lines = SIZES[folder]
    check(folder, "modules", len(files), modules)
    check(folder, "lines", sum(data.count(b"\n") for data in files), lines)


@pytest.mark.parametrize("app", INTERNALS)
def test_apps_need_no_more_of_the_rooms(app: str) -> None:
    imports = re.compile(r"^\s*from (fstmetrics\.(?!apps\b)[\w.]+) import", re.MULTILINE)
    files = (ROOT / "fstmetrics" / "apps" / app).rglob("*.py")
    found = {module for path in files for module in imports.findall(path.read_text("utf-8"))}
    check(app, "modules of rooms", len(found), INTERNALS[app])


@pytest.mark.parametrize("app", INTERNALS)
def test_apps_take_no_public_name_of_another_app(app: str) -> None:
    """As import-linter does not look through the names of `fstmetrics`."""
    taken = {
        name.name
        for path in (ROOT / "fstmetrics" / "apps" / app).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module == "fstmetrics"
        for name in node.names
    }
    found = {name: getattr(fm, name) for name in taken}
    places = {
        name: value.__name__ if inspect.ismodule(value) else getattr(value, "__module__", "")
        for name, value in found.items()
    }
    of_apps = {name for name, place in places.items() if place.startswith("fstmetrics.apps")}
    assert taken, "no public name is imported"
    assert not of_apps


# Files of so many items, as they are read in columns: which make the references, and which the hypotheses.
IN_COLUMNS = {
    "lines": ("{text}", "{text}"),
    "ids": ("utt-{number} {text}", "utt-{number} {text}"),
    "trn": ("{text} (utt-{number})", "{text} (utt-{number})"),
    "manifests": (
        '{{"audio_filepath": "/data/{number}.wav", "text": "{text}"}}',
        '{{"audio_filepath": "/data/{number}.wav", "pred_text": "{text}"}}',
    ),
    "table": ("/data/{number}.wav\t{text}\t{text}", None),
}


@pytest.mark.parametrize("form", IN_COLUMNS)
def test_items_stay_in_columns(form: str, tmp_path: Path) -> None:
    """So that a million of them take seconds: our Python is not called once more for each."""
    called = []
    for items in (2000, 4000):
        paths = []
        for row in filter(None, IN_COLUMNS[form]):
            texts = [f"{'abc'[n % 3]} cat {n % 97} sat {'de'[n % 2]}" for n in range(items)]
            lines = [row.format(number=number, text=text) for number, text in enumerate(texts)]
            lines = ["path\ttext\tpred_text", *lines] if form == "table" else lines
            paths.append(written(tmp_path / f"{items}-{len(paths)}", "\n".join(lines) + "\n"))
        call = partial(fm.score_files, references=paths[0], hypotheses=paths[1] if paths[1:] else None)
        assert call().summary()["items"] == items
        called.append(calls_of(call))
    assert abs(called[1] - called[0]) < 500, f"{called[1] - called[0]} more calls for 2000 more items"


def calls_of(call: Callable[[], object]) -> int:
    """How many calls of our Python a call makes."""
    calls = 0

    def enter(frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call" and frame.f_code.co_filename.startswith(str(ROOT / "fstmetrics"))

    sys.setprofile(enter)
    try:
        call()
    finally:
        sys.setprofile(None)
    return calls
