"""Several files under one path: a folder, a pattern (`shards/*.jsonl.gz`), or a list of files (`@files.txt`). A pattern
and the names in a list may be URLs, and so may the name of a list.

`is_several` tells such a path, `files_of` gives the files. A file that is called just so is that file.
"""

from __future__ import annotations

import os
import re
from glob import glob
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from fstmetrics.support.errors import InputError

if TYPE_CHECKING:
    from fstmetrics.support.remote_files import RemoteFile

AnyFile: TypeAlias = "Path | RemoteFile"

LIST = "@"
# `*`, `?`, or signs in brackets.
PATTERN = re.compile(r"[*?]|\[[^\]]+\]")
DIGITS = re.compile(r"(\d+)")


def is_several(path: str) -> bool:
    """Whether a path means a folder, a pattern or a list.

    >>> is_several("."), is_several("*.jsonl"), is_several("@files.txt"), is_several("one.txt")
    (True, True, True, False)
    """
    if path == "-" or os.path.isfile(path):
        return False
    if is_remote(path):
        return path.startswith(LIST) or (bool(PATTERN.search(path)) and _remote().is_pattern(path))
    return os.path.isdir(path) or (
        not os.path.exists(path) and (path.startswith(LIST) or bool(PATTERN.search(path)))
    )


def place_of(path: str) -> AnyFile:
    """A file on this machine, or one by its URL."""
    return _remote().RemoteFile(path) if is_remote(path) else Path(path)


def files_of(path: str) -> list[AnyFile]:
    """The files that a path means: those of a list in its order, others by their names, lat.2 before lat.10.

    Hidden files are left out, and so are folders within folders.

    Raises:
        InputError: no such list or folder, no file fits a pattern, or a list has a name twice.
        FstmetricsError: what URLs need is not installed, or a place cannot be read.
    """
    if os.path.isdir(path):
        return [*files_in(path)]
    if path.startswith(LIST):
        return _listed(path.removeprefix(LIST))
    files: list[AnyFile]
    if is_remote(path):
        files = sorted(_remote().remote_files(path), key=_by_numbers)
    else:
        matches = sorted(map(Path, glob(path, recursive=True)), key=_by_numbers)
        files = [each for each in matches if each.is_file() or _leads_nowhere(each)]
    if not files:
        raise InputError("no file fits this pattern", path)
    return files


def files_in(folder: str) -> list[Path]:
    """The files of a folder, by their names."""
    names = sorted([name for name in os.listdir(Path(folder)) if not name.startswith(".")], key=numbered)
    files = [Path(folder, name) for name in names]
    # A link that leads nowhere is a file that cannot be read.
    return [each for each in files if each.is_file() or _leads_nowhere(each)]


def is_remote(path: object) -> bool:
    """Whether a path is a URL."""
    return "://" in str(path)


def _remote() -> Any:
    """What reads URLs, which most runs have none of."""
    from fstmetrics.support import remote_files

    return remote_files


def _leads_nowhere(path: Path) -> bool:
    return path.is_symlink() and not path.exists()


def _listed(path: str) -> list[AnyFile]:
    try:
        data = _remote().read_remote(path) if is_remote(path) else Path(path).read_bytes()
        lines = data.decode().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "is not UTF-8"
        raise InputError(f"a list of files, one a line; cannot be read: {reason}", path) from None
    names: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        if (name := line.strip()) and names.setdefault(name, number) != number:
            raise InputError(f"{name} is already in line {names[name]}", path, number)
    if not names:
        raise InputError("lists no file", path)
    return list(map(place_of, names))


def _by_numbers(path: AnyFile) -> list[list[tuple[int, str]]]:
    return [numbered(name) for name in (path.parts if isinstance(path, Path) else path.url.split("/"))]


def numbered(name: str) -> list[tuple[int, str]]:
    """A key for the order of names in which numbers are compared as such."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in DIGITS.split(name)]
