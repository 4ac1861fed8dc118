"""Kaldi lattice archives: the format and its text form; `kaldi_binary` reads the binary form.

A text archive is, for each lattice, a line with its key, then a line for each arc and final state, then a
blank line (Kaldi, lat/kaldi-lattice.cc `ReadText`). A lattice is compact or not:

    compact: `source destination word graph,acoustic,ids` and `state graph,acoustic,ids`
    other:   `source destination id word graph,acoustic`  and `state graph,acoustic`

where a missing weight is 0 and the ids (transition ids, joined by `_`) may be empty.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from fstmetrics import _native
from fstmetrics.readers.arcs import are_integers, converted, parsed, refuse_empty
from fstmetrics.readers.checks import checked_id
from fstmetrics.readers.formats import kaldi_archive, kaldi_binary
from fstmetrics.readers.items import Format, Item, ReadOptions
from fstmetrics.readers.numbering import label_names, read_symbols
from fstmetrics.readers.writing import SINGLE, Carries, WriteOptions, Writer, arc_lines, encoded, number
from fstmetrics.support.source import Source


def sniff(source: Source) -> bool:
    """Whether there is a key and an OpenFst machine, or a key and soon an arc with a weight."""
    if kaldi_binary.sniff(source):
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
    if kaldi_binary.sniff(source):
        yield from kaldi_binary.read(source, options)
        return
    text = source.utf8
    lattices = parsed(source, lambda: _native.read_kaldi_lattices(text))
    integers = are_integers((columns for _, columns in lattices), options)
    symbols = read_symbols(options.symbols) if options.symbols and integers else None
    left_out = kaldi_archive.left_out(text, options)
    lattices.reverse()
    while lattices:  # each is let go as soon as it is converted
        key, columns = lattices.pop()
        yield converted(source, key, columns, integers, symbols, options, left_out)


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
        return kaldi_binary.write(items, options, compact)

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
    sniff=sniff,
    writers=WRITERS,
    stream=kaldi_archive.read_archive,
)
