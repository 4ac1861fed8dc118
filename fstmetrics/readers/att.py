"""AT&T text, which `fstprint` and `fstcompile` of OpenFst use: an arc or a final state a line.

    source destination word [cost]            acceptor
    source destination input output [cost]    transducer: its outputs are the words
    state [cost]                              final state

The first line's state is the start. Which of the two a file holds is nowhere written: it is a transducer
if some line has five fields, or four of which the last is not a number. So integer labels in four fields
throughout are read as an acceptor with costs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fstmetrics import _native
from fstmetrics.readers.arcs import ArcTable, parsed, refuse_empty, text_words
from fstmetrics.readers.base import Format, Item, ReadOptions, Source
from fstmetrics.readers.symbols_file import read_symbols

FIRST_LINE = re.compile(rb"(?:\xef\xbb\xbf)?\s*\d+[ \t]+\d+[ \t]+[^\s|]+(?:[ \t]+\S+){0,2}[ \t\r]*\n")
EXTENSIONS = (".fst.txt", ".txt.fst", ".att", ".fsm")


def sniff(source: Source) -> bool:
    """Whether all lines are arcs or final states, and the machine hangs together.

    Lines of numbers with ids that are numbers look the same; but there the "final states" are hardly
    all ends of "arcs", and the "arcs" do not all leave from such ends.
    """
    if FIRST_LINE.match(source.data[:65536]) is None:
        return False
    try:
        return _native.looks_like_att(source.utf8)
    except ValueError:
        return False


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read the one machine of a file; its id is the file's name without the extension.

    Words are looked up in `options.symbols` if all labels are integers. Costs are graph costs.

    Raises:
        InputError: a malformed line, no final state, or an integer that the symbol table lacks.
    """
    refuse_empty(source)
    text = source.utf8
    columns = parsed(source, lambda: _native.read_att(text))
    table, integers = ArcTable.of(columns), columns.integer_words
    symbols = read_symbols(options.symbols) if options.symbols and integers else None
    words = text_words(columns, integers, symbols, options.symbols or "", table.fail(source))
    id = _id(source)
    yield Item(id, table.lattice(source, words, id=id))


def _id(source: Source) -> str:
    for extension in EXTENSIONS:
        if source.name.endswith(extension):
            return source.name.removesuffix(extension)
    return source.stem


FORMAT = Format("att", "AT&T text as fstprint writes it", EXTENSIONS, sniff, read, id_of=_id)
