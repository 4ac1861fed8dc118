"""Kaldi lattice archives piece by piece: `read_archive`. The parsers are those that read a whole file at once.

Of a text archive, the lines up to the next blank one are a lattice; a damaged one is passed over, if its caller wants
that, and the next is read. Of a binary archive only reading a lattice tells where the next begins, so that nothing
can be read behind a damaged one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from fstmetrics import _native
from fstmetrics.errors import InputError
from fstmetrics.limits import limits
from fstmetrics.readers import kaldi_binary
from fstmetrics.readers.arcs import converted, parsed, refuse_empty, shown
from fstmetrics.readers.base import Item, ReadOptions, Source
from fstmetrics.readers.deferred import Deferred
from fstmetrics.readers.fst_binary import Cursor, is_cut_off
from fstmetrics.readers.symbols_file import read_symbols
from fstmetrics.readers.unpacking import opened
from fstmetrics.readers.window import BLOCK, Piece, Window

BLANK_LINE = re.compile(rb"\n[ \t\r\v\f]*\n")
NO_SPACE = re.compile(rb"[^ \t\r\n\v\f]")
# After two costs; or in the third field of five, or of four where the cost is left out.
TRANSITION_IDS = re.compile(
    rb"[ \t][^,\s]+,[^,\s]+,[0-9_]+[ \t\r]*$"
    rb"|^[ \t]*\d+[ \t]+\d+[ \t]+0*[1-9]\d*[ \t]+[^\s,]+(?:[ \t]+[^\s,]+,[^\s,]+)?[ \t\r]*$",
    re.M,
)


def read_archive(path: Path, options: ReadOptions) -> Iterator[Item]:
    """The lattices of an archive, values deferred; ids are the keys.

    Raises:
        InputError: the file cannot be read. What is wrong with a lattice is raised where its value is asked for.
    """
    head = Source.head(path)
    refuse_empty(head)
    if kaldi_binary.sniff(head):
        yield from _binary(path, options)
        return
    integers = _all_integers(path)
    for piece in _pieces(path):
        key = piece.data.removeprefix(b"\xef\xbb\xbf").split(b"\n", 1)[0].decode("utf-8", "replace").strip()
        yield Item(key, Deferred(partial(_lattice, piece, integers, options)))


def _binary(path: Path, options: ReadOptions) -> Iterator[Item]:
    with opened(path) as stream:
        window = Window(str(path), stream)
        while window.left or not window.ended:
            if window.left < kaldi_binary.MAX_KEY and not window.ended:
                window.more()
                continue
            cursor = Cursor(window.piece(), window.at)
            try:
                item = kaldi_binary.read_next(cursor, options)
            except InputError as error:
                if is_cut_off(error) and not window.ended:
                    _check(window)
                    window.more()
                    continue
                yield Item(None, Deferred.raising(error))
                return
            window.at = cursor.at
            yield item


def _check(window: Window) -> None:
    """Where the end of a damaged lattice is not found, the rest of the file must not fill the memory."""
    limits().check(
        "bytes", window.left, "a lattice whose end is not found takes {} bytes or more", window.path
    )


def _pieces(path: Path) -> Iterator[Piece]:
    """The lattices of a text archive, each with the blank line behind it."""
    with opened(path) as stream:
        window, line = Window(str(path), stream), 0
        while window.left or not window.ended:
            first = NO_SPACE.search(window.data, window.at)
            blank = first and BLANK_LINE.search(window.data, first.start())
            if not blank and not window.ended:
                _check(window)
                window.more()
                continue
            if not first:
                return
            begin, end = first.start(), blank.end() if blank else len(window.data)
            line += window.data.count(b"\n", window.at, begin)
            piece = Piece(str(path), window.data[begin:end], byte=window.byte + begin, line=line)
            line += piece.data.count(b"\n")
            window.at = end
            yield piece


def _all_integers(path: Path) -> bool:
    """Whether labels are integers, as far as the beginning of the file tells."""
    for piece in _pieces(path):
        try:
            found = _native.read_kaldi_lattices(piece.utf8)
        except (_native.Fault, InputError):  # raised again where the lattice is asked for
            found = []
        if not all(columns.integer_words for _, columns in found):
            return False
        if piece.byte + len(piece.data) > BLOCK:
            break
    return True


def _lattice(piece: Piece, integers: bool, options: ReadOptions) -> Item:
    text = piece.utf8
    lattices = parsed(piece, lambda: _native.read_kaldi_lattices(text))
    if len(lattices) != 1:
        raise piece.error("a blank line holds white space of a strange kind", line=1)
    ((key, columns),) = lattices
    if integers and not columns.integer_words:
        raise piece.error(f"lattice {shown(key)} has words, where those before it have integers", line=1)
    symbols = read_symbols(options.symbols) if options.symbols and integers else None
    return converted(piece, key, columns, integers, symbols, options, left_out(text, options))


def left_out(text: bytes, options: ReadOptions) -> tuple[str, ...]:
    """What there is in lattices in text form that is not read, where the caller wants to know."""
    return ("transition ids",) if options.tell_left_out and TRANSITION_IDS.search(text) else ()
