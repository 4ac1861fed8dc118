"""Kaldi's script files (scp): `key file` or `key file:offset` lines that say where lattices are.

A script file makes the program read other files, so it is never recognised: it takes `--format scp`, or `scp:FILE`
for the path. Files are looked up as they are written, from the working directory, as Kaldi does. An offset is where
the lattice begins, after its key and the space, as Kaldi writes it. A line that ends in `|` is a command; commands
are never run. Ranges, `file[0:9]`, belong to matrices and are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from fstmetrics.errors import InputError
from fstmetrics.readers import kaldi_lattice
from fstmetrics.readers.arcs import refuse_empty, shown, words_of
from fstmetrics.readers.base import Format, Item, ReadOptions, Source
from fstmetrics.readers.fst_binary import MAGIC, Cursor, has_transition_ids, read_fst
from fstmetrics.readers.symbols_file import read_symbols

PLACE = re.compile(r"(.+):(\d{1,18})", re.ASCII)
END_OF_LATTICE = re.compile(rb"\n[ \t\r]*(?:\n|\Z)")
NO_COMMANDS = "commands are never run; run it yourself and give the file it writes, or `-` for standard input"


def sniff(source: Source) -> bool:
    """Never: only a caller may say that a file names other files."""
    return False


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read the lattices that the lines name; ids are the keys.

    Raises:
        InputError: a line without a file, a key twice, a command, a file that cannot be read, an offset behind its end
            or at which no lattice begins, or a damaged lattice.
    """
    refuse_empty(source)
    opened = Source("", b"")  # lines of one archive follow one another
    keys: dict[str, int] = {}
    for number, line in source.lines():
        fields = line.split(None, 1)
        if len(fields) < 2:
            raise source.error(f"expected `key file` or `key file:offset`, found {shown(line)}", number)
        key, place = fields[0], fields[1].strip()
        if keys.setdefault(key, number) != number:
            raise source.error(f"key {shown(key)} is already in line {keys[key]}", number)
        path, offset = _place(source, place, number)
        if path != opened.path:
            opened = _opened(source, path, number)
        if offset is not None and opened.compressed:
            raise source.error(
                f"{path} is compressed, so an offset into it means nothing; decompress it first", number
            )
        try:
            yield _lattice(opened, key, offset, options)
        except InputError as error:
            raise source.error(f"{shown(key)}: {error}", number) from None


def _place(source: Source, place: str, number: int) -> tuple[str, int | None]:
    if place.endswith("|") or place.startswith("|"):
        raise source.error(f"{shown(place)} is a command; {NO_COMMANDS}", number)
    if place.endswith("]"):
        raise source.error(f"{shown(place)} has a range, which lattices have not", number)
    if place == "-":
        raise source.error("a script file cannot name standard input", number)
    match = PLACE.fullmatch(place)
    return (match[1], int(match[2])) if match else (place, None)


def _opened(source: Source, path: str, number: int) -> Source:
    try:
        return Source.open(path)
    except InputError as error:
        raise source.error(f"{error} (paths are taken from the working directory)", number) from None


def _lattice(archive: Source, key: str, offset: int | None, options: ReadOptions) -> Item:
    data = archive.data
    at = offset or 0
    if offset is not None and offset >= len(data):
        raise archive.error(f"offset {offset} is behind the end: the file has {len(data)} bytes")
    if data.startswith(MAGIC, at):
        cursor = Cursor(archive, at)
        fst = read_fst(cursor)
        if offset is None and cursor.at < len(data):
            raise cursor.error(f"{len(data) - cursor.at} bytes are left over after the lattice")
        symbols = read_symbols(options.symbols) if options.symbols else None
        names, table = symbols or fst.output_symbols, options.symbols or "in the file"
        words = words_of(fst.keys, fst.table.labels, names, table, fst.table.fail(archive))
        told = options.tell_left_out and has_transition_ids(archive, fst)
        left_out = ("transition ids",) if told else ()
        return Item(key, fst.table.lattice(archive, words, id=key), left_out=left_out)
    return _text_lattice(archive, key, at, options)


def _text_lattice(archive: Source, key: str, at: int, options: ReadOptions) -> Item:
    """A lattice in text form: after its key there is the end of that line, and a blank line ends it."""
    data = archive.data
    begin = data.find(b"\n", at) + 1
    if not begin or data[at:begin].strip():
        raise archive.error(
            "no lattice begins here: neither OpenFst's bytes d6 fd b2 7e nor the end of a line", byte=at
        )
    end = END_OF_LATTICE.search(data, begin - 1)
    text = key.encode() + b"\n" + data[begin : end.start() + 1 if end else len(data)] + b"\n"
    (item,) = kaldi_lattice.read(Source(f"{archive.path} from byte {at}", text), options)
    return item


def read_in_turn(path: Path, options: ReadOptions) -> Iterator[Item]:
    """The same, each lattice when its turn comes; one of the archives is in memory at a time. Errors as of `read`."""
    return read(Source.open(path), options)


FORMAT = Format(
    "scp", "Kaldi script file that names lattices; only when asked for", (), sniff, read, stream=read_in_turn
)
