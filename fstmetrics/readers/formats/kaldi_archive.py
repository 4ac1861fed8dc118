"""Kaldi lattice archives piece by piece: `read_archive`. The parsers are those that read a whole file at once.

Of a text archive, the lines up to the next blank one are a lattice; a damaged one is passed over, if its caller wants
that, and the next is read. Binary archives: `machines`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from fstmetrics import _native
from fstmetrics.readers.arcs import are_integers, converted, parsed, refuse_empty, shown
from fstmetrics.readers.bytes import BLOCK, Feed, Piece, Window
from fstmetrics.readers.formats import kaldi_binary
from fstmetrics.readers.fst_binary import machines
from fstmetrics.readers.items import Deferred, Item, ReadOptions
from fstmetrics.readers.numbering import read_symbols
from fstmetrics.support.errors import InputError

BLANK_LINE = re.compile(rb"\n[ \t\r\v\f]*\n")
NO_SPACE = re.compile(rb"[^ \t\r\n\v\f]")
# After two costs; or in the third field of five, or of four where the cost is left out.
TRANSITION_IDS = re.compile(
    rb"[ \t][^,\s]+,[^,\s]+,[0-9_]+[ \t\r]*$"
    rb"|^[ \t]*\d+[ \t]+\d+[ \t]+0*[1-9]\d*[ \t]+[^\s,]+(?:[ \t]+[^\s,]+,[^\s,]+)?[ \t\r]*$",
    re.M,
)


def read_archive(feed: Feed, options: ReadOptions) -> Iterator[Item]:
    """The lattices of an archive, values deferred; ids are the keys.

    Raises:
        InputError: the file cannot be read, or not to its end. What is wrong with a lattice of a text archive is raised
            where its value is asked for.
    """
    head = feed.head()
    refuse_empty(head)
    if kaldi_binary.sniff(head):
        with feed.opened() as stream:
            yield from machines(
                Window(feed.path, stream), lambda cursor: kaldi_binary.read_next(cursor, options)
            )
        return
    with feed.peeked() as stream:
        integers = _are_integers(Window(feed.path, stream), options)
    with feed.opened() as stream:
        for piece in _pieces(Window(feed.path, stream)):
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
    return converted(piece, key, columns, integers, symbols, options, left_out(text, options))


def left_out(text: bytes, options: ReadOptions) -> tuple[str, ...]:
    """What there is in lattices in text form that is not read, where the caller wants to know."""
    return ("transition ids",) if options.tell_left_out and TRANSITION_IDS.search(text) else ()
