"""Kaldi's script files (scp): `key file` or `key file:offset` lines that say where lattices are.

A script file makes the program read other files, so it is never recognised: it takes `--format scp`, or `scp:FILE`
for the path. Files are looked up as they are written, from the working directory, as Kaldi does. An offset is where
the lattice begins, after its key and the space, as Kaldi writes it. A line that ends in `|` is a command; commands
are never run. Ranges, `file[0:9]`, belong to matrices and are refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache, partial

from fstmetrics._native import FstArchiveReader
from fstmetrics.io.arcs import shown
from fstmetrics.io.formats import kaldi_lattice
from fstmetrics.io.formats.openfst_binary import MAGIC, machine_at
from fstmetrics.io.items import Deferred, Format, Item, Listing, ReadOptions
from fstmetrics.io.lattice_batches import text_labels
from fstmetrics.io.window import Piece
from fstmetrics.support.errors import InputError
from fstmetrics.support.limits import item_limits, limits
from fstmetrics.support.source import MOST_OPEN, File, Source

PLACE = re.compile(r"(.+):(\d{1,18})", re.ASCII)
# Of an archive, at first; many lattices are smaller.
FIRST_BYTES = 1 << 16
END_OF_LATTICE = re.compile(rb"\n[ \t\r]*(?:\n|\Z)")
NO_COMMANDS = "commands are never run; run it yourself and give the file it writes, or `-` for standard input"


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read the lattices that the lines name; ids are the keys.

    Raises:
        InputError: a line without a file, a key twice, a command, a file that cannot be read, an offset behind its end
            or at which no lattice begins, or a damaged lattice.
    """
    return (item.given.item() for item in _items(source, options))


def _find(file: File, options: ReadOptions) -> Listing:
    """The same, each lattice to be read when its turn comes."""
    return Listing(tuple(_items(file.source(), options)))


def _items(source: Source, options: ReadOptions) -> Iterator[Item]:
    source.refuse_empty()
    archives = lru_cache(MOST_OPEN)(File)
    keys: dict[str, int] = {}
    for number, line in source.lines():
        fields = line.split(None, 1)
        if len(fields) < 2:
            fault = f"expected `key file` or `key file:offset`, found {shown(line)}"
        elif keys.setdefault(fields[0], number) != number:
            fault = f"key {shown(fields[0])} is already in line {keys[fields[0]]}"
        else:
            where = partial(InputError, path=source.path, line=number)
            given = Deferred(partial(_named, where, archives, fields[0], fields[1].strip(), options))
            yield Item(fields[0], given)
            continue
        yield Item(None, Deferred.of_rest(source.error(fault, number)))


def _named(
    error: Callable[[str], InputError],
    archives: Callable[[str], File],
    key: str,
    place: str,
    options: ReadOptions,
) -> Item:
    """The lattice that a line names; `error` makes errors of that line."""
    path, offset = _place(error, place)
    try:
        file = archives(path)
        is_packed = file.is_packed()
    except InputError as fault:
        raise error(f"{fault} (paths start at the working directory)") from None
    if offset is not None and is_packed:
        raise error(f"{path} is compressed, so an offset into it means nothing; decompress it first")
    try:
        return _lattice_of_file(file, key, options) if offset is None else _at(file, key, offset, options)
    except InputError as fault:
        raise error(f"{shown(key)}: {fault}") from None


def _place(error: Callable[[str], InputError], place: str) -> tuple[str, int | None]:
    if place.endswith("|") or place.startswith("|"):
        raise error(f"{shown(place)} is a command; {NO_COMMANDS}")
    if place.endswith("]"):
        raise error(f"{shown(place)} has a range, which lattices have not")
    if place == "-":
        raise error("a script file cannot name standard input")
    match = PLACE.fullmatch(place)
    return (match[1], int(match[2])) if match else (place, None)


def _lattice_of_file(file: File, key: str, options: ReadOptions) -> Item:
    """The one lattice of a file."""
    source = Source.open(file.path)
    if not source.data.startswith(MAGIC):
        return _text_lattice(source, key, 0, options, ended=True)
    item, end = _machine(source, key, options)
    if end < len(source.data):
        raise source.error(f"{len(source.data) - end} bytes are left over after the lattice", byte=end)
    return item


def _at(file: File, key: str, offset: int, options: ReadOptions) -> Item:
    """The lattice at a place of an archive. Where it ends is not known: twice as much is read till it is there."""
    if offset >= (total := file.size()):
        raise InputError(f"offset {offset} is behind the end: the file has {total} bytes", file.path)
    size = FIRST_BYTES
    while True:
        piece = Piece(file.path, file.read(offset, offset + size), byte=offset)
        ended = offset + size >= total
        try:
            if piece.data.startswith(MAGIC):
                return _machine(piece, key, options)[0]
            return _text_lattice(piece, key, offset, options, ended)
        except InputError as error:
            if ended or not _is_cut_off(error):
                raise
        size *= 2
        limits().check("bytes", min(size, total - offset), "a lattice takes", "bytes or more", file.path)


def _machine(source: Source, key: str, options: ReadOptions) -> tuple[Item, int]:
    """The machine at the beginning of a source, and where it ends."""
    reader = FstArchiveReader(text_labels(options, True), item_limits(), "script")
    return machine_at(source, 0, reader, options, key)


def _is_cut_off(error: InputError) -> bool:
    """Whether a lattice could not be read because the data end too early, or because a count in it is too large."""
    return str(error).endswith(" are left")


def _text_lattice(source: Source, key: str, at: int, options: ReadOptions, ended: bool) -> Item:
    """A lattice in text form: after its key there is the end of that line, and a blank line ends it.

    Args:
        source: what begins after the key.
        key: the key.
        at: where that is.
        options: what the caller says.
        ended: whether the file ends where the source does.
    """
    data = source.data
    begin = data.find(b"\n") + 1
    if not begin or data[:begin].strip():
        raise source.error(
            "no lattice begins here: neither OpenFst's bytes d6 fd b2 7e nor the end of a line", byte=0
        )
    end = END_OF_LATTICE.search(data, begin - 1)
    if not ended and (end is None or end.end() == len(data)):
        raise source.error(f"the end of the lattice is not among the {len(data)} bytes that are left")
    text = key.encode() + b"\n" + (data[begin : end.start() + 1] + b"\n" if end else data[begin:])
    (item,) = kaldi_lattice.read(Source(f"{source.path} from byte {at}", text), options)
    return item


FORMAT = Format(
    "scp", "Kaldi script file that names lattices; only when asked for", read, find=_find, takes_symbols=True
)
