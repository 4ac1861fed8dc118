"""Golden output: what command lines gave, as data in tests/golden/COMMAND.json, and the same found again.

A case has what is run and what came of it:

- `run`, a command line, where there are `files` (their content) and `copies` (files or folders of the repository); in a
  `folder` of these, with `stdin`, `environment`, or on a `terminal`;
- `status`, `stdout`, `stderr`, and `written`: the files that were made, changed (their content) or removed (null).

A text is a string, or one of each line. Other bytes are `base64` where they are read, `sha256` where they are written.
Of long texts, long lines, and the styles and scripts of pages, it is the beginning and the hash of all. What a project,
a journal or a shard keeps is its own affair, and hangs on times.
"""

from __future__ import annotations

import base64
import difflib
import hashlib
import json
import os
import re
import shlex
import shutil
from contextlib import chdir
from pathlib import Path
from typing import Any
from unittest import mock

from command import fstmetrics
from places import ROOT, TESTS

from fstmetrics.support.version import __version__

Case = dict[str, Any]
Content = str | list[str] | dict[str, str]

FOLDER = TESTS / "golden"
NAMES = FOLDER / "names.txt"
LONG_TEXT, LONG_LINE, LONG_PART = 150, 1200, 300
# In pages: of these only the hash, as they are files of the package.
PARTS = re.compile(r"(?<=>)((?:(?!</?style|</?script).)*)(?=</(?:style|script)>)", re.DOTALL)
OWN_AFFAIR = (".sqlite", ".journal", ".shard")
# What the caller's shell may have, and what must not matter.
FOREIGN = re.compile("FSTMETRICS_.*|COLUMNS|LINES|NO_COLOR|FORCE_COLOR|TZ")


def bundles() -> list[str]:
    """The names of all commands that have cases."""
    return sorted(path.stem for path in FOLDER.glob("*.json"))


def read(name: str) -> list[Case]:
    """The cases of a command."""
    cases: list[Case] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return cases


def write(name: str, cases: list[Case]) -> None:
    """The file of a command's cases."""
    text = "[\n" + ",\n".join(shown(case) for case in cases) + "\n]\n"
    # What stands for bytes that are no UTF-8 becomes \udcXX, which is JSON as well.
    (FOLDER / f"{name}.json").write_bytes(text.encode(errors="backslashreplace"))


def shown(case: Case) -> str:
    """A case as lines of JSON: those of a text stand below one another."""
    return json.dumps(case, ensure_ascii=False, indent=1)


def replayed(case: Case, folder: Path) -> Case:
    """The case, with what comes of it now; it runs in an empty folder."""
    given = {name: case[name] for name in case if name not in ("status", "stdout", "stderr", "written")}
    _lay_out(case, folder)
    before = _files(folder)
    environment = {name: value for name, value in os.environ.items() if not FOREIGN.fullmatch(name)}
    environment |= case.get("environment", {})
    with chdir(folder / case.get("folder", ".")), mock.patch.dict(os.environ, environment, clear=True):
        outcome = fstmetrics(
            *shlex.split(case["run"]),
            stdin=bytes_of(case.get("stdin", "")),
            terminal=case.get("terminal", False),
        )
    after = _files(folder)
    written = {
        name: _kept(name, after[name], folder) if name in after else None
        for name in sorted(before | after)
        if before.get(name) != after.get(name)
    }
    found = given | {
        "status": outcome.status,
        "stdout": _content(outcome.out.encode(errors="surrogateescape"), folder),
        "stderr": _content(outcome.err.encode(errors="surrogateescape"), folder),
    }
    return found | ({"written": written} if written else {})


def difference(before: Case, now: Case) -> str:
    """What is not the same in two cases."""
    lines = difflib.unified_diff(
        shown(before).split("\n"), shown(now).split("\n"), "recorded", "now", "", "", 2, ""
    )
    return "\n".join([f"fstmetrics {before['run']}", *lines])


def _lay_out(case: Case, folder: Path) -> None:
    for name in case.get("copies", ()):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, dirs_exist_ok=True)
        else:
            shutil.copy(ROOT / name, folder / name)
    for name, content in case.get("files", {}).items():
        if name.endswith("/"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        else:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(bytes_of(content))


def _files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def bytes_of(content: Content) -> bytes:
    """The content of a file of a case."""
    if isinstance(content, dict):
        return base64.b64decode(content["base64"])
    return "".join(content).encode(errors="surrogateescape")


def text_of(text: str) -> Content:
    """A text as it stands in a case."""
    lines = re.findall(r"[^\n]*\n|[^\n]+", text)
    return lines if len(lines) > 1 else text


def _kept(name: str, data: bytes, folder: Path) -> Content:
    return "(not compared)" if name.endswith(OWN_AFFAIR) else _content(data, folder)


def _content(data: bytes, folder: Path) -> Content:
    """What is kept of an output."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return {"sha256": _hash(data)}
    if "\0" in text:
        return {"sha256": _hash(data)}
    for place, name in ((folder, "TMP"), (ROOT, "ROOT")):
        text = text.replace(str(place), name)
    text = text.replace(__version__, "VERSION")
    text = PARTS.sub(lambda part: part[0] if len(part[0]) < LONG_PART else _marked(part[0]), text)
    kept = text_of(text)
    if isinstance(kept, str):
        return _line(kept)
    if len(kept) > LONG_TEXT:
        kept = [*kept[: LONG_TEXT // 3], f"({len(kept)} lines, {_hash(text.encode())})\n"]
    return [_line(line) for line in kept]


def _line(line: str) -> str:
    return line if len(line) <= LONG_LINE else line[: LONG_LINE // 3] + _marked(line) + "\n"


def _marked(text: str) -> str:
    return f"({len(text)} characters, {_hash(text.encode())})"


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
