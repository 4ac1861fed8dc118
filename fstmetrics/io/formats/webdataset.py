"""Tar shards, as WebDataset writes them: members of one name, up to the first dot, are a sample.

| member | what it is |
|---|---|
| `KEY.txt` | a text, the column `text` |
| `KEY.NAME.txt` | a text, the column NAME |
| `KEY.json` | an object, whose values are columns |
| `KEY.NAME.json` | the same, columns `NAME.x` |
| `KEY.slf`, `KEY.fst`, ... | a lattice, by the endings of the formats |
| others, as `KEY.flac` | passed over |

Each may be gzipped, `KEY.json.gz`. A shard is read from its beginning to its end, and nothing is extracted; sound stays
unread. Texts of a shard are in memory together, lattices one by one.

Source: "The WebDataset Format", v0.2, "Structure of a dataset".
"""

from __future__ import annotations

import json
import os
import re
import tarfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, partial
from io import BufferedReader, BytesIO
from itertools import chain
from typing import Any

from fstmetrics.data.network import FORMAT as NETWORK
from fstmetrics.io.arcs import shown
from fstmetrics.io.column_roles import ID
from fstmetrics.io.formats import FORMATS
from fstmetrics.io.formats.json_rows import decoded, json_fault
from fstmetrics.io.items import Deferred, Format, Item, ReadOptions
from fstmetrics.io.register import SHIPPED, Shipped
from fstmetrics.io.rows import Row, Rows, items_of_rows, parsed_once
from fstmetrics.support.errors import InputError
from fstmetrics.support.file_bytes import GZIP_MAGIC, OpenBytes, gunzipped, readable
from fstmetrics.support.limits import limits
from fstmetrics.support.names import listed
from fstmetrics.support.row_columns import flat
from fstmetrics.support.source import File, Held, Source

# The column that has the name of a sample, as the library calls it.
KEY = "__key__"
MEMBER = re.compile(r"((?:.*/)?[^./][^./]*)\.([^/]+)")
TEXT, OBJECT = "txt", "json"
# What a shard of no sample that is read has instead, so many kinds.
MOST = 8
STRUCTURED = ("lattice", "forest", "n-best", "network")


@dataclass(frozen=True)
class Member:
    """A file of a shard.

    Attributes:
        key: of its sample.
        kind: what is behind the first dot of its name, without `.gz`.
        source: its content; the path names shard and member. None of what is passed over.
    """

    key: str
    kind: str
    source: Source | None


@dataclass(frozen=True)
class SampleRows(Rows):
    """Rows of samples, which have keys instead of lines."""

    def place(self, row: int) -> str:
        """The sample."""
        return f"sample {self.rows[row][KEY]!r}"

    def error(self, row: int, message: str) -> InputError:
        """An error in a sample."""
        return self.source.error(f"{self.place(row)}: {message}")


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The texts of a shard; ids are keys.

    Raises:
        InputError: a shard that is cut off or damaged, or joined of several; a member that is no text or no JSON
            object; a sample that is a network, or comes twice; no sample with a text; or as of `items_of_rows`.
    """
    table = parsed_once(source, "webdataset", _table)
    if ID not in options.table.given:
        given = {**options.table.given, ID: (KEY,)}
        options = replace(options, table=replace(options.table, given=given))
    yield from items_of_rows(table, options)


def _table(source: Source) -> Rows:
    rows: list[Row] = []
    kinds: dict[str, None] = {}
    names: dict[str, None] = {KEY: None}
    for key, members in _samples(_file_of(source), _is_text):
        kinds |= dict.fromkeys(member.kind for member in members)
        row: dict[str, Any] = {KEY: key}
        for member in members:
            if member.source is not None:
                _add(row, member, member.source)
        if [*row.values()] == [key, NETWORK]:
            raise source.error(
                f"sample {key!r} is a network ({NETWORK}); expected texts, or objects whose values are columns: unpack "
                "the tar and give the folder"
            )
        if len(row) > 1:
            names |= dict.fromkeys(row)
            rows.append(row)
    if not rows:
        found = listed(sorted(kinds)[:MOST]) if kinds else "no sample"
        raise source.error(f"no text: expected members KEY.txt or KEY.json, found {found}")
    return SampleRows(source, rows, names=list(names))


def _add(row: dict[str, Any], member: Member, source: Source) -> None:
    """Add the columns of a member to those of its sample."""
    name, _, kind = member.kind.rpartition(".")
    if kind == TEXT:
        lines = [line for line in source.text.splitlines() if line.strip()]
        if len(lines) > 1:
            raise source.error(
                f"expected a text in one line, found {len(lines)}: in a shard, a member is one item; unpack a tar of "
                "whole files first"
            )
        columns: Row = {name or "text": lines[0].strip() if lines else ""}
    else:
        columns = _object(source, name)
    for column, value in columns.items():
        if row.setdefault(column, value) != value:
            raise source.error(
                f"{column!r} is {shown(json.dumps(value))} here, and {shown(json.dumps(row[column]))} in another "
                "member of the sample"
            )


def _object(source: Source, name: str) -> Row:
    try:
        value = decoded(source.text)
        if type(value) is not dict:
            raise source.error(f"expected a JSON object, found {shown(source.text)}")
        if value.get("format") == NETWORK:
            value = {"format": NETWORK}  # its phrases are no texts
        return flat({name: value} if name else value)
    except InputError:
        raise
    except (ValueError, RecursionError) as error:
        raise json_fault(source, error) from None


def read_lattices(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The lattices, networks or n-best lists of a shard, one a sample; ids are keys.

    Raises:
        InputError: as of `read`; a sample without one, or with several; or one that cannot be read.
    """
    for item in _find_lattices(_file_of(source), options):
        yield item.given.item()


def _find_lattices(file: File, options: ReadOptions) -> Iterator[Item]:
    """The same, values to be read when they are asked for."""
    found = False
    for key, members in _samples(file, _is_structured):
        found = True
        yield Item(key, Deferred(partial(_lattice, file.path, key, members, options)))
    if not found:
        raise InputError("no sample: expected members KEY.slf, KEY.fst, ...", file.path)


def _lattice(path: str, key: str, members: list[Member], options: ReadOptions) -> Item:
    sources = [member.source for member in members if member.source is not None]
    if len(sources) != 1:
        names = listed([member.kind for member in members])
        raise InputError(f"sample {key!r}: expected one lattice, found {len(sources)} among {names}", path)
    [source] = sources
    items = list(_format_of(source).read(source, options))
    if len(items) != 1:
        raise source.error(f"expected one item, found {len(items)}")
    return replace(items[0], id=key)


def _is_text(kind: str) -> bool:
    return kind.rpartition(".")[2] in (TEXT, OBJECT) and not _is_structured(kind)


def _is_structured(kind: str) -> bool:
    """Whether it is an ending of lattices and the like, also `fst.txt`; an object is one of columns."""
    return f".{kind}".endswith(_endings())


def _format_of(source: Source) -> Format:
    """The format of a member, by its ending and then its content."""
    named = [FORMATS[name] for name, endings in _structured() if source.name.endswith(endings)]
    return next((each for each in named if each.fits(source)), named[0])


@cache
def _endings() -> tuple[str, ...]:
    """Endings of formats of lattices, networks and n-best lists."""
    return tuple(ending for _, endings in _structured() for ending in endings if ending != f".{OBJECT}")


def _structured() -> Iterator[tuple[str, tuple[str, ...]]]:
    """The names and endings of those formats."""
    every: Iterator[tuple[str, Shipped | Format]] = chain(SHIPPED.items(), FORMATS.others.items())
    return ((name, each.extensions) for name, each in every if each.holds in STRUCTURED and each.extensions)


def _samples(file: File, is_read: Callable[[str], bool]) -> Iterator[tuple[str, list[Member]]]:
    """Samples of a shard in order: keys and members. Raises InputError for a key that comes again further down."""
    seen: set[str] = set()
    key, members = "", list[Member]()
    for member in _members(file, is_read):
        if members and member.key != key:
            yield key, members
            members = []
        if not members:
            key = member.key
            if key in seen:
                raise InputError(
                    f"sample {key!r} comes again, and not in one place: members of a sample lie together",
                    file.path,
                )
            seen.add(key)
        if any(member.kind == other.kind for other in members):
            raise InputError(f"member {key}.{member.kind} comes twice", file.path)
        members.append(member)
    if members:
        yield key, members


class _Info(tarfile.TarInfo):
    """What a tar says of a member."""

    @classmethod
    def fromtarfile(cls, tarfile_: Any) -> Any:
        """The next member; that the tar says that it ends is kept, as it may just stop, too."""
        try:
            return super().fromtarfile(tarfile_)
        except tarfile.EOFHeaderError:  # type: ignore[attr-defined]
            tarfile_.has_end = True
            raise


def _members(file: File, is_read: Callable[[str], bool]) -> Iterator[Member]:
    """Files of a shard that are parts of samples, in order."""
    last = ""
    with _damage(file.path, lambda: last), file.opened() as stream:
        seekable = isinstance(stream, BufferedReader | BytesIO) and stream.seekable()
        mode: Any = "r:" if seekable else "r|"
        with tarfile.open(fileobj=stream, mode=mode, tarinfo=_Info, encoding="utf-8") as tar:
            while (info := tar.next()) is not None:
                tar.members = []  # type: ignore[attr-defined]  # it would keep all
                last = info.name
                match = None if info.isdir() else MEMBER.fullmatch(info.name.removeprefix("./"))
                if match is None:
                    continue
                kind = match[2].removesuffix(".gz")
                if not is_read(kind):
                    yield Member(match[1], kind, None)
                    continue
                yield Member(match[1], kind, _source(tar, info, file.path))
            _check_end(tar, file.path, last)


def _source(tar: tarfile.TarFile, info: tarfile.TarInfo, path: str) -> Source:
    """A member's content, unpacked."""
    name = f"{path}/{info.name}"
    if not info.isreg():
        raise InputError("is a link or device; expected a file", name)
    limits().check("bytes", info.size, "holds", "bytes", name)
    content = tar.extractfile(info)
    data = content.read() if content else b""
    if len(data) != info.size:
        raise InputError(f"is cut off: {len(data)} of {info.size} bytes are there", name)
    with readable(name):
        return Source(name, gunzipped(data, name) if data.startswith(GZIP_MAGIC) else data)


def _check_end(tar: Any, path: str, last: str) -> None:
    """Raise an InputError where a tar stops without its end, or goes on behind it."""
    if not getattr(tar, "has_end", False):
        raise InputError(f"is cut off or damaged {_behind(last)}", path)
    while block := tar.fileobj.read(1 << 20):
        if block.strip(b"\0"):
            raise InputError(
                "goes on behind its end: are several joined? Give them one by one, or a folder", path
            )


@contextmanager
def _damage(path: str, last: Callable[[], str]) -> Iterator[None]:
    try:
        yield
    except (tarfile.TarError, UnicodeError, EOFError) as error:
        if not last() and os.path.isfile(path) and not os.path.getsize(path):
            raise InputError("is empty: a tar shard without a byte; write it again", path) from None
        raise InputError(f"is damaged {_behind(last())}: {error}", path) from None


def _behind(member: str) -> str:
    return f"behind the member {member}" if member else "at its beginning"


def _file_of(source: Source) -> File:
    """A large shard stays where it is."""
    stays = isinstance(source.content, OpenBytes) and source.content.is_in_place
    return File(source.path) if stays else Held(source)


FORMAT = Format(
    "webdataset", "tar shard of texts and JSON objects, as WebDataset writes it", read,
    has_sides=True, in_place=True,
)  # fmt: skip
LATTICES = Format(
    "webdataset-lattices", "tar shard of lattices, networks or n-best lists, one a sample", read_lattices,
    find=_find_lattices, in_place=True,
    takes_symbols=True,
)  # fmt: skip
