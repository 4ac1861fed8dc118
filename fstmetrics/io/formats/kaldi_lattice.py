"""Kaldi lattice archives, text or binary: read at once or lattice by lattice, and written.

A text archive is, for each lattice, a line with its key, then a line for each arc and final state, then a blank line
(Kaldi, lat/kaldi-lattice.cc `ReadText`). A lattice is compact or not:

    compact: `source destination word graph,acoustic,ids` and `state graph,acoustic,ids`
    other:   `source destination id word graph,acoustic`  and `state graph,acoustic`

where a missing weight is 0 and the ids (transition ids, joined by `_`) may be empty. A binary archive is a key, a space
and an OpenFst machine (`openfst_binary`), again and again to the end.

Lattice by lattice, a damaged one of a text archive is passed over, if its caller wants that, and the next is read: the
lines up to the next blank one are a lattice. The parsers are those that read a whole file at once.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import suppress
from functools import partial

from fstmetrics import _native
from fstmetrics.io.arcs import errors_of, note_errors, shown
from fstmetrics.io.blocks import Block
from fstmetrics.io.formats.openfst_binary import (
    MAGIC,
    lattice_bytes,
    machine_columns,
    machine_places,
    whole_part,
)
from fstmetrics.io.items import Format, Item, Place, ReadOptions
from fstmetrics.io.lattice_batches import items_of, items_of_blocks, text_labels
from fstmetrics.io.window import BLOCK, Piece, Window
from fstmetrics.io.writing import SINGLE, Carries, WriteOptions, Writer, arc_lines, encoded, number
from fstmetrics.io.written_words import checked_id, label_names, label_numbers
from fstmetrics.support.errors import InputError
from fstmetrics.support.limits import item_limits
from fstmetrics.support.source import File, Source

BLANK_LINE = re.compile(rb"\n[ \t\r\v\f]*\n")
IDS = "transition ids"


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read the lattices of an archive; ids are the keys.

    Words are looked up in `options.symbols` if the labels of the file are integers; without a symbol
    table the words are the digits, and 0 is epsilon.

    Raises:
        InputError: damaged or cut off, a key twice, an integer that the symbol table lacks, or words among integers
            where there is a table.
    """
    if _is_binary(source):
        yield from _read_binary(source, options)
        return
    text = source.utf8
    integers = SETTLED.get(options.settled)  # type: ignore[call-overload]
    if integers is None:
        integers = _native.kaldi_labels_are_integers(text, 0, True, options.symbols is not None)
    column = _native.LatticeColumn(options.vocabulary)
    _native.KaldiTextReader(text_labels(options, integers is not False), item_limits()).read(
        text, 0, True, 0, column
    )
    note_errors(column, partial(_piece, source.path, text, 0, column))
    told = options.tell_left_out and any(map(column.left_out, range(len(column))))
    left_out = (IDS,) if told else ()
    places: dict[str, int] = {}
    faults = errors_of(column)
    for row, key in enumerate(column.ids):
        if row in faults:
            raise faults[row]
        line = 1 + column.place(row)[0]
        if places.setdefault(key, line) != line:
            raise source.error(f"key {shown(key)} is already in line {places[key]}", line)
    for row, key in enumerate(column.ids):
        yield Item(key, column[row], left_out=left_out)


# What the beginning of a text archive says about the labels of all of it.
SETTLED = {"integers": True, "words": False}


def _places(file: File, options: ReadOptions) -> Iterator[Place]:
    """Where the lattices of an archive lie, from the key on.

    Raises:
        InputError: as of `read`.
    """
    if _is_binary(file.head()):
        for key, begin, end in machine_places(file, _reader(options), options):
            yield Place(key, begin, end - begin)
        return
    for window, integers, column in _text_columns(file, options):
        faults = errors_of(column)
        for row, key in enumerate(column.ids):
            if row in faults:
                raise faults[row]
            _, begin, end = column.place(row)
            yield Place(key, window.byte + begin, end - begin, "integers" if integers else "words")


def _reader(options: ReadOptions) -> _native.FstArchiveReader:
    return _native.FstArchiveReader(text_labels(options, True), item_limits(), "word")


def _find(file: File, options: ReadOptions) -> Iterator[Item]:
    """The lattices of an archive, values deferred; ids are the keys.

    Raises:
        InputError: the file cannot be read, or not to its end. What is wrong with a lattice of a text archive is raised
            where its value is asked for.
    """
    return items_of_blocks(_blocks(file, options), options)


def _blocks(file: File, options: ReadOptions) -> Iterator[Block]:
    """The same in native columns, a window of the file at a time."""
    if _is_binary(file.head()):
        return (Block(column.ids, column) for column in _binary_columns(file, options))
    return (
        Block(column.ids, column, faults=errors_of(column)) for _, _, column in _text_columns(file, options)
    )


def _binary_columns(file: File, options: ReadOptions) -> Iterator[_native.LatticeColumn]:
    with file.opened() as stream:
        yield from machine_columns(Window(file.path, stream), _reader(options), options)


def _text_columns(file: File, options: ReadOptions) -> Iterator[tuple[Window, bool, _native.LatticeColumn]]:
    """The lattices of a text archive, with the window that they come from and whether labels are integers."""
    with file.opened(again=True) as stream:
        integers = _are_integers(Window(file.path, stream), options)
    with file.opened() as stream:
        window = Window(file.path, stream)
        for column in _columns(window, text_labels(options, integers)):
            yield window, integers, column


def _columns(window: Window, labels: _native.Labels) -> Iterator[_native.LatticeColumn]:
    """The lattices of a text archive, a window at a time."""
    reader = _native.KaldiTextReader(labels, item_limits())
    while window.left or not window.ended:
        if not window.ended:
            window.more()
        begin = window.at + (len(BOM_UTF8) if not window.byte and window.data.startswith(BOM_UTF8) else 0)
        column = _native.LatticeColumn(labels.vocabulary)
        end = reader.read(window.data, begin, window.ended, window.line, column)
        note_errors(column, partial(_piece, window.path, window.data, window.byte, column))
        window.line = reader.line
        window.at = end
        if len(column):
            yield column


def _piece(path: str, data: bytes, byte: int, column: _native.LatticeColumn, row: int) -> Piece:
    """The bytes of one lattice of a column."""
    line, begin, end = column.place(row)
    if byte == 0 and begin == len(BOM_UTF8) and data.startswith(BOM_UTF8):
        begin = 0
    return Piece(path, data[begin:end], byte=byte + begin, line=line)


def _are_integers(window: Window, options: ReadOptions) -> bool:
    """Whether labels are integers, as far as the beginning of the file tells: the lattices that begin in a block."""
    with suppress(InputError):  # raised again where the rest is read
        while not (blank := BLANK_LINE.search(window.data, BLOCK)) and not window.ended:
            window.more()
    data = window.data[: blank.end()] if blank else window.data
    found = _native.kaldi_labels_are_integers(data, 0, not blank, options.symbols is not None)
    return found is not False


# No key is longer; the limit keeps the search for one short in files that are something else.
MAX_KEY = 4096


def _is_binary(source: Source) -> bool:
    """Whether a key, a space and OpenFst's magic number stand at the beginning; empty content is refused."""
    source.refuse_empty()
    space = source.data.find(b" ", 0, MAX_KEY)
    return space > 0 and source.data.startswith(MAGIC, space + 1)


def _read_binary(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read the lattices of a binary archive; ids are the keys.

    Raises:
        InputError: damaged or cut off, a key twice, or an integer that the symbol table lacks.
    """
    column = _native.LatticeColumn(options.vocabulary)
    _reader(options).read(source.data, 0, column, source.byte)
    places: dict[str, int] = {}
    good, faults = whole_part(column, source)
    for row, item in enumerate(items_of(good, options)):
        key, place = str(item.id), column.place(row)[1]
        if places.setdefault(key, place) != place:
            raise source.error(f"key {shown(key)} is already at byte {places[key]}", byte=place)
        yield item
    for fault in faults:
        raise fault


def _write_binary(items: Iterator[Item], options: WriteOptions, compact: bool) -> Iterator[bytes]:
    """An archive of lattices without transition ids; labels are the numbers of words.

    Raises:
        FstmetricsError: a word without a number, or a cost too large for a 32-bit float.
    """
    for item in items:
        labels = label_numbers(item.value.symbols, options.numbering)
        yield f"{checked_id(item)} ".encode() + lattice_bytes(item.value.automaton, labels, compact)


def _text(item: Item, options: WriteOptions, compact: bool) -> Iterator[str]:
    """The lines of one lattice; those of a compact one end with transition ids, which are none."""
    tail, id = (",", "") if compact else ("", "0\t")
    yield f"{checked_id(item)}\n"
    yield from arc_lines(
        item.value,
        label_names(item.value, options.numbering),
        lambda a, b, word, *costs: f"{a}\t{b}\t{id}{word}\t{','.join(map(number, costs))}{tail}\n",
        lambda state, *costs: f"{state}\t{','.join(map(number, costs))}{tail}\n",
    )
    yield "\n"


def _writer(name: str, extensions: tuple[str, ...], text: bool, compact: bool) -> Writer:
    def write(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
        if text:
            return encoded(line for item in items for line in _text(item, options, compact))
        return _write_binary(items, options, compact)

    carries = Carries(
        "lattice",
        several=True,
        ids=True,
        costs="apart",
        rounding=None if text else SINGLE,
        numbers="if asked" if text else "always",
    )
    return Writer(name, extensions, carries, write)


WRITERS = (
    _writer("kaldi-lattice", (".ark",), text=False, compact=True),
    _writer("kaldi-lattice-text", (".ark.txt", ".lats"), text=True, compact=True),
    _writer("kaldi-lattice4", (), text=False, compact=False),
    _writer("kaldi-lattice4-text", (), text=True, compact=False),
)
FORMAT = Format(
    "kaldi-lattice",
    "Kaldi lattice archive, text or binary",
    read,
    writers=WRITERS,
    find=_find,
    blocks=_blocks,
    places=_places,
    takes_symbols=True,
)
