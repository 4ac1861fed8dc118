"""Kaldi lattice archives, text or binary: read at once or lattice by lattice, and written.

A text archive is, for each lattice, a line with its key, then a line for each arc and final state, then a blank line
(Kaldi, lat/kaldi-lattice.cc `ReadText`). A lattice is compact or not:

    compact: `source destination word graph,acoustic,ids` and `state graph,acoustic,ids`
    other:   `source destination id word graph,acoustic`  and `state graph,acoustic`

where a missing weight is 0 and the ids (transition ids, joined by `_`) may be empty. A binary archive is a key, a space
and an OpenFst machine (`fst_binary`), again and again to the end.

Lattice by lattice, a damaged one of a text archive is passed over, if its caller wants that, and the next is read: the
lines up to the next blank one are a lattice. The parsers are those that read a whole file at once.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import partial

from fstmetrics import _native
from fstmetrics.readers.arcs import are_integers, converted, parsed, refuse_empty, shown
from fstmetrics.readers.bytes import BLOCK, File, Piece, Window
from fstmetrics.readers.fst_binary import MAGIC, Cursor, has_transition_ids, lattice_bytes, machines, read_fst
from fstmetrics.readers.items import Deferred, Format, Item, ReadOptions
from fstmetrics.readers.labels import checked_id, label_names, label_numbers, read_symbols
from fstmetrics.readers.writing import SINGLE, Carries, WriteOptions, Writer, arc_lines, encoded, number
from fstmetrics.support.errors import InputError
from fstmetrics.support.source import Source

BLANK_LINE = re.compile(rb"\n[ \t\r\v\f]*\n")
NO_SPACE = re.compile(rb"[^ \t\r\n\v\f]")
# After two costs; or in the third field of five, or of four where the cost is left out.
TRANSITION_IDS = re.compile(
    rb"[ \t][^,\s]+,[^,\s]+,[0-9_]+[ \t\r]*$"
    rb"|^[ \t]*\d+[ \t]+\d+[ \t]+0*[1-9]\d*[ \t]+[^\s,]+(?:[ \t]+[^\s,]+,[^\s,]+)?[ \t\r]*$",
    re.M,
)


# A key, and the magic number of a machine, or a line further down of two numbers and more with a comma.
SIGNATURE = re.compile(
    rb"[^ ]+ " + re.escape(MAGIC) + rb"|(?s:.*?)\n[^\S\n]*+\d++[^\S\n]++\d++[^\S\n][^\n]*,"
)


def sniff(source: Source) -> bool:
    """Whether there is a key and an OpenFst machine, or a key and soon an arc with a weight."""
    if _is_binary(source):
        return True
    first, *lines = source.data[:65536].lstrip().split(b"\n")
    return not _is_weighted_arc(first) and any(map(_is_weighted_arc, lines))


def _is_weighted_arc(line: bytes) -> bool:
    # Nothing but Kaldi's lattices has two costs joined by a comma after two states and a word.
    fields = line.split()
    if len(fields) not in (4, 5) or not (fields[0].isdigit() and fields[1].isdigit()):
        return False
    parts = fields[-1].split(b",")
    try:
        return len(parts) in (2, 3) and not math.isnan(float(parts[0]) + float(parts[1]))
    except ValueError:
        return False


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read the lattices of an archive; ids are the keys.

    Words are looked up in `options.symbols` if the labels of the file are integers; without a symbol
    table the words are the digits, and 0 is epsilon.

    Raises:
        InputError: damaged or cut off, a key twice, an integer that the symbol table lacks, or words among integers
            where there is a table.
    """
    refuse_empty(source)
    if _is_binary(source):
        yield from _read_binary(source, options)
        return
    text = source.utf8
    lattices = parsed(source, lambda: _native.read_kaldi_lattices(text))
    integers = are_integers((columns for _, columns in lattices), options)
    symbols = read_symbols(options.symbols) if options.symbols and integers else None
    left_out = _left_out(text, options)
    lattices.reverse()
    while lattices:  # each is let go as soon as it is converted
        key, columns = lattices.pop()
        yield converted(source, key, columns, integers, symbols, options, left_out)


def _find(file: File, options: ReadOptions) -> Iterator[Item]:
    """The lattices of an archive, values deferred; ids are the keys.

    Raises:
        InputError: the file cannot be read, or not to its end. What is wrong with a lattice of a text archive is raised
            where its value is asked for.
    """
    head = file.head()
    refuse_empty(head)
    if _is_binary(head):
        with file.opened() as stream:
            yield from machines(Window(file.path, stream), lambda cursor: _next_machine(cursor, options))
        return
    with file.peeked() as stream:
        integers = _are_integers(Window(file.path, stream), options)
    with file.opened() as stream:
        for piece in _pieces(Window(file.path, stream)):
            key = piece.data.removeprefix(piece.mark).split(b"\n", 1)[0].decode("utf-8", "replace").strip()
            yield Item(key, Deferred(partial(_lattice, piece, integers, options)))


def _pieces(window: Window) -> Iterator[Piece]:
    """The lattices of a text archive, each with the blank line behind it."""
    while window.left or not window.ended:
        first = NO_SPACE.search(window.data, window.at)
        blank = first and BLANK_LINE.search(window.data, first.start())
        if not blank and not window.ended:
            window.more()
            continue
        if not first:
            return
        begin, end = first.start(), blank.end() if blank else len(window.data)
        window.line += window.data.count(b"\n", window.at, begin)
        piece = Piece(window.path, window.data[begin:end], byte=window.byte + begin, line=window.line)
        window.line += piece.data.count(b"\n")
        window.at = end
        yield piece


def _are_integers(window: Window, options: ReadOptions) -> bool:
    """Whether labels are integers, as far as the beginning of the file tells."""
    for piece in _pieces(window):
        try:
            found = _native.read_kaldi_lattices(piece.utf8)
        except (_native.Fault, InputError):  # raised again where the lattice is asked for
            found = []
        lattices = [columns for _, columns in found]
        if not are_integers(lattices, options):
            return False
        if options.symbols and any(columns.labels.size for columns in lattices):
            break
        if piece.byte + len(piece.data) > BLOCK:
            break
    return True


def _lattice(piece: Piece, integers: bool, options: ReadOptions) -> Item:
    text = piece.utf8
    lattices = parsed(piece, lambda: _native.read_kaldi_lattices(text))
    if len(lattices) != 1:
        raise piece.error("a blank line holds white space of a strange kind", line=1)
    ((key, columns),) = lattices
    if integers and not (columns.integer_words or options.symbols):
        raise piece.error(f"lattice {shown(key)} has words, where those before it have integers", line=1)
    symbols = read_symbols(options.symbols) if options.symbols and integers else None
    return converted(piece, key, columns, integers, symbols, options, _left_out(text, options))


def _left_out(text: bytes, options: ReadOptions) -> tuple[str, ...]:
    """What there is in lattices in text form that is not read, where the caller wants to know."""
    return ("transition ids",) if options.tell_left_out and TRANSITION_IDS.search(text) else ()


# No key is longer; the limit keeps the search for one short in files that are something else.
MAX_KEY = 4096


def _is_binary(source: Source) -> bool:
    """Whether a key, a space and OpenFst's magic number stand at the beginning."""
    space = source.data.find(b" ", 0, MAX_KEY)
    return space > 0 and source.data.startswith(MAGIC, space + 1)


def _read_binary(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read the lattices of a binary archive; ids are the keys.

    Raises:
        InputError: damaged or cut off, a key twice, or an integer that the symbol table lacks.
    """
    cursor = Cursor(source)
    places: dict[str, int] = {}
    while cursor.at < len(cursor.data):
        place = cursor.at
        item = _next_machine(cursor, options)
        key = str(item.id)
        if places.setdefault(key, place) != place:
            raise cursor.error(f"key {shown(key)} is already at byte {places[key]}", place)
        yield item


def _next_machine(cursor: Cursor, options: ReadOptions) -> Item:
    """Read the lattice that begins at the cursor, key first.

    Raises:
        InputError: damaged or cut off, or an integer that the symbol table lacks.
    """
    key = _key(cursor)
    fst = read_fst(cursor)
    symbols = read_symbols(options.symbols) if options.symbols else fst.output_symbols
    lattice = fst.lattice(cursor.source, symbols, options.symbols or "in the file", key)
    told = options.tell_left_out and has_transition_ids(cursor.source, fst)
    left_out = ("transition ids",) if told else ()
    return Item(key, lattice, left_out=left_out)


def _key(cursor: Cursor) -> str:
    begin = cursor.at
    space = cursor.data.find(b" ", begin, begin + MAX_KEY)
    if space <= begin:
        raise cursor.error("expected a key and a space before the next lattice")
    cursor.at = space + 1
    try:
        return cursor.data[begin:space].decode()
    except UnicodeDecodeError:
        raise cursor.error("the key is not UTF-8", begin) from None


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
    extensions=(".ark", ".lats"),
    signature=SIGNATURE,
    sniff=sniff,
    writers=WRITERS,
    find=_find,
)
