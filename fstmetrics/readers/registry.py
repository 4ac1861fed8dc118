"""Reading a path: `read_items` for a file or folder, `read_one` for the one object of a file.

Kaldi's specifiers as paths on the command line: `ark:FILE`, `ark,t:FILE`, `ark:-`, `scp:FILE`.

`ark` says no more than its file does: what it holds is recognised. `scp` means a script file. Options that only say how
a table is gone through (t, b, o, s, cs and their opposites) change nothing here. Commands, `ark:gunzip -c x.gz |`, are
never run.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from fstmetrics.readers.items import Format, Item, Items, ReadOptions
from fstmetrics.readers.recognise import (
    UnsupportedError,
    by_head,
    by_name,
    has_extension,
    items_of_file,
    recognise,
)
from fstmetrics.support.arguments import PATH, STRING, takes
from fstmetrics.support.errors import InputError
from fstmetrics.support.source import Source, stem
from fstmetrics.values.transcripts import Notation

__all__ = ["read_all", "read_items", "read_one"]

Kind = TypeVar("Kind")


def read_items(
    path: str | Path | Source,
    *,
    format: str | None = None,
    symbols: str | Path | None = None,
    known_ids: frozenset[str] = frozenset(),
    alternations: Notation | None = None,
    weights: str | Path | None = None,
    format_option: str = "--format",
) -> Items:
    """Everything in a file, or in the files of a folder in the order of their names, lat.2 before lat.10.

    Of a folder, hidden files and subfolders are left out. Without `format`, so are text files beside
    lattices, networks or n-best lists; with it, so are the files that are not in that format.

    Args:
        path: a file, a folder, "-" for standard input, or one of Kaldi's specifiers, `ark:FILE` or `scp:FILE`; gzip is
            transparent. A Source where the bytes are here.
        format: a name of `FORMATS`; by default each file's format is recognised.
        symbols: a symbol table file, for formats that hold numbers.
        known_ids: ids of the other side, which tell text with ids from plain text.
        alternations: how plain and Kaldi text write choices, one of `transcripts.NOTATIONS`; None: they have none.
        weights: a file of feature weights, for hypergraphs.
        format_option: what messages tell a user to say the format with.

    Raises:
        InputError: an unknown format name, a file that cannot be read, or that is empty and not called like any
            format, a folder without a file to read or with one lattice in several formats, or an id in two files.
    """
    if not isinstance(path, Source):
        path, format = resolve(str(path), format)
    chosen = None if format is None else by_name(format)
    files = (None if file is None else str(file) for file in (symbols, weights))
    remarks: dict[str, None] = {}
    options = ReadOptions(
        next(files), known_ids, alternations, weights=next(files), format_option=format_option,
        remark=remarks.setdefault,
    )  # fmt: skip
    if not isinstance(path, Source) and str(path) != "-" and os.path.isdir(path):
        return replace(_read_folder(Path(path), chosen, options), remarks=tuple(remarks))
    source = path if isinstance(path, Source) else Source.open(path)
    found, items = items_of_file(source, chosen, options)
    if source.path == "-":  # has no name that could be an id
        items = (replace(item, id=None) if item.id == source.stem else item for item in items)
    every = tuple(items)
    return Items(every, (found.name,), source.path, tuple(remarks))


@takes(path=PATH, format=STRING.or_none(), symbols=PATH.or_none(), weights=PATH.or_none())
def read_one(
    path: str | Path,
    kind: type[Kind],
    *,
    format: str | None = None,
    symbols: str | Path | None = None,
    weights: str | Path | None = None,
) -> Kind:
    """The one object of a file.

    Args:
        path: the file, or "-" for standard input.
        kind: what is expected: Lattice, Network or NBest.
        format: a name of `FORMATS`; by default it is recognised.
        symbols: a symbol table file, for formats that hold numbers.
        weights: a file of feature weights, for hypergraphs.

    Raises:
        InputError: the file cannot be read, or does not hold exactly one object of that kind.
    """
    items = read_items(path, format=format, symbols=symbols, weights=weights)
    found = ", ".join(items.formats)
    if len(items.items) != 1:
        raise InputError(
            f"expected one {kind.__name__}, found {len(items.items)} items ({found}); "
            f"{kind.__name__}.read_all() reads them all",
            path,
        )
    value = items.items[0].value
    if not isinstance(value, kind):
        held = "a sentence" if isinstance(value, tuple) else f"a {type(value).__name__}"
        raise InputError(f"expected a {kind.__name__}, found {held} (format {found})", path)
    return value


@takes(path=PATH, format=STRING.or_none(), symbols=PATH.or_none(), weights=PATH.or_none())
def read_all(
    path: str | Path,
    kind: type[Kind],
    *,
    format: str | None = None,
    symbols: str | Path | None = None,
    weights: str | Path | None = None,
) -> list[Kind]:
    """Every object of a file or folder; their `id` says which is which. Arguments as of `read_one`.

    Raises:
        InputError: a file cannot be read, or holds something else.
    """
    items = read_items(path, format=format, symbols=symbols, weights=weights)
    for item in items.items:
        if not isinstance(item.value, kind):
            raise InputError(
                f"expected {kind.__name__} objects, found format {', '.join(items.formats)}", path
            )
    return [item.value for item in items.items]


def _natural(path: Path) -> list[tuple[int, str]]:
    """A key by which lat.2 comes before lat.10."""
    parts = re.split(r"(\d+)", path.name)
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts]


def folder_plan(folder: Path, chosen: Format | None, options: ReadOptions) -> list[tuple[Path, Format]]:
    """The files of a folder that are to be read, and the format of each.

    Raises:
        InputError: as of `read_items`.
    """
    # A link that leads nowhere is a file that cannot be read.
    files = (p for p in folder.iterdir() if p.is_file() or (p.is_symlink() and not p.exists()))
    paths = [p for p in files if not p.name.startswith(".")]
    paths.sort(key=_natural)
    if chosen is None:
        return _recognised(folder, paths, options)
    plan = [(path, chosen) for path in paths if _fits(path, chosen, options)]
    if not plan:
        raise InputError(f"no file in this folder looks like format {chosen.name}", folder)
    return plan


def _read_folder(folder: Path, chosen: Format | None, options: ReadOptions) -> Items:
    plan = folder_plan(folder, chosen, options)
    formats = tuple(dict.fromkeys(format.name for _, format in plan))
    return Items(tuple(_read_files(plan, options)), formats, str(folder))


def _read_files(plan: list[tuple[Path, Format]], options: ReadOptions) -> Iterator[Item]:
    # Files are opened a second time here: keeping a folder's content to recognise it would be the memory of
    # all of its lattices at once.
    homes: dict[str, Path] = {}
    for path, format in plan:
        for item in format.read(Source.open(path), options):
            if item.id is not None and homes.setdefault(item.id, path) != path:
                raise InputError(f"id {item.id!r} is already in {homes[item.id]}", path)
            yield item


def _recognised(folder: Path, paths: list[Path], options: ReadOptions) -> list[tuple[Path, Format]]:
    """Each file's format, without text files if there are others."""
    found: dict[Path, Format] = {}
    unsupported: dict[Path, UnsupportedError] = {}
    failure: InputError | None = None
    unreadable: list[Path] = []
    for path in paths:
        try:
            found[path] = by_head(path) or recognise(Source.open(path), options)
        except UnsupportedError as error:
            unsupported[path] = error
        except InputError as error:
            failure = failure or error
            unreadable += [path] if _is_unreadable(path) else []
    structured = {path: format for path, format in found.items() if format.holds != "text"}
    if structured:
        structured = _with_unreadable(paths, structured, unreadable)
        others = {path: error for path, error in unsupported.items() if not error.is_text}
        _refuse_several_formats(folder, structured, others, options)
        return list(structured.items())
    for problem in (*unsupported.values(), failure):
        if problem is not None:
            raise problem
    if not found:
        raise InputError("this folder has no file to read", folder)
    return list(found.items())


def _is_unreadable(path: Path) -> bool:
    """Whether not even the beginning of a file can be had: damaged gzip, no permission, a link that leads nowhere."""
    try:
        Source.head(path)
    except InputError:
        return True
    return False


def _with_unreadable(
    paths: list[Path], found: dict[Path, Format], unreadable: list[Path]
) -> dict[Path, Format]:
    """The files that are lattices or networks, and those that cannot be read but are called like them.

    They are reported when their turn comes: leaving them out without a word would change a score.

    Raises:
        InputError: a file cannot be read, and its name does not say what it is.
    """
    for path in unreadable:
        format = next((each for each in found.values() if has_extension(path, each)), None)
        if format is None:
            Source.head(path)  # says what is wrong
        else:
            found[path] = format
    return {path: found[path] for path in paths if path in found}


def _refuse_several_formats(
    folder: Path, found: dict[Path, Format], unsupported: dict[Path, UnsupportedError], options: ReadOptions
) -> None:
    """Raise an InputError if files of one stem differ in format: they are the same lattice several times.

    So too if there are lattices that cannot be read: leaving them out must be somebody's decision.
    """
    by_stem: dict[str, set[str]] = {}
    for path, format in found.items():
        by_stem.setdefault(stem(path), set()).add(format.name)
    if not unsupported and all(len(names) == 1 for names in by_stem.values()):
        return
    usable = ", ".join(sorted({format.name for format in found.values()}))
    others = ", ".join(sorted({error.name for error in unsupported.values()}))
    also = f" (also {others}, not supported yet)" if others else ""
    raise InputError(
        f"holds several formats: {usable}{also}; choose one with {options.format_option}", folder
    )


def _fits(path: Path, format: Format, options: ReadOptions) -> bool:
    """Whether a file of a folder is in the format asked for.

    A file whose name says so, but whose content is nothing that is known, is taken too: it is damaged,
    and leaving it out without a word would change a score.
    """
    try:
        if by_head(path) is format:
            return True
        source = Source.open(path)
    except InputError:  # damaged gzip, or not to be read at all
        if has_extension(path, format):
            return True
        raise
    if format.fits(source):
        return True
    if not has_extension(path, format):
        return False
    try:
        return recognise(source, options) is format
    except UnsupportedError:
        return False
    except InputError:
        return True


SPECIFIER = re.compile(r"(ark|scp)((?:,[a-z]+)*):(.*)", re.DOTALL)
# p, "permissive", is not among them: leaving out what is damaged is what --keep-going and --missing are for.
OPTIONS = frozenset({"t", "b", "o", "no", "s", "ns", "cs", "ncs", "np"})
SCRIPT_FORMAT = "scp"


def resolve(path: str, format: str | None) -> tuple[str, str | None]:
    """The file that a path means, and its format if the specifier says it.

    Args:
        path: a path or a specifier; where a file of just that name exists, it is that file.
        format: the format that a caller named, or None.

    Raises:
        InputError: a command, an option that is not known, or a format that contradicts the specifier.

    >>> resolve("ark,t:lat.1", None), resolve("scp:lat.scp", None), resolve("ark:-", None), resolve("lat.1", "slf")
    (('lat.1', None), ('lat.scp', 'scp'), ('-', None), ('lat.1', 'slf'))
    """
    match = SPECIFIER.fullmatch(path)
    if match is None or os.path.exists(path):
        return path, format
    kind, options, rest = match[1], match[2].split(",")[1:], match[3].strip()
    if rest.endswith("|") or rest.startswith("|"):
        raise InputError(
            "is a command, and those are never run; write `COMMAND | fstmetrics ...` and - for the path",
            path,
        )
    if unknown := [option for option in options if option not in OPTIONS]:
        raise InputError(
            f"the option {unknown[0]!r} is not read; known are {', '.join(sorted(OPTIONS))}", path
        )
    if not rest:
        raise InputError(f"names no file; expected {kind}:FILE", path)
    if kind == "ark":
        return rest, format
    if format not in (None, SCRIPT_FORMAT):
        raise InputError(f"is a script file, which --format {format} is not", path)
    return rest, SCRIPT_FORMAT
