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

from fstmetrics.readers.arcs import (
    ArcTable,
    cost_number,
    is_label_number,
    refuse_empty,
    shown,
    state_number,
    text_words,
)
from fstmetrics.readers.base import Format, Item, ReadOptions, Source
from fstmetrics.readers.symbols_file import read_symbols

# What OpenFst prints and reads as a weight; not "nan" and "inf", which are words.
NUMBER = re.compile(r"[-+]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|Infinity)", re.ASCII)
FIRST_LINE = re.compile(rb"(?:\xef\xbb\xbf)?\s*\d+[ \t]+\d+[ \t]+[^\s|]+(?:[ \t]+\S+){0,2}[ \t\r]*\n")
EXTENSIONS = (".fst.txt", ".txt.fst", ".att", ".fsm")

Rows = list[tuple[int, list[str]]]


def sniff(source: Source) -> bool:
    """Whether all lines are arcs or final states, and the machine hangs together.

    Lines of numbers with ids that are numbers look the same; but there the "final states" are hardly
    all ends of "arcs", and the "arcs" do not all leave from such ends.
    """
    if FIRST_LINE.match(source.data[:65536]) is None:
        return False
    sources, finals = set[int](), set[int]()
    reached = set[int]()
    try:
        for _, fields in _rows(source):
            state = state_number(fields[0])
            # The first line's state is the start, which no arc need enter.
            reached = reached or {state}
            (sources if len(fields) > 2 else finals).add(state)
            if len(fields) > 2:
                reached.add(state_number(fields[1]))
            elif len(fields) == 2:
                cost_number(fields[1])
    except ValueError:
        return False
    return bool(finals) and finals | sources <= reached


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read the one machine of a file; its id is the file's name without the extension.

    Words are looked up in `options.symbols` if all labels are integers. Costs are graph costs.

    Raises:
        InputError: a malformed line, no final state, or an integer that the symbol table lacks.
    """
    refuse_empty(source)
    rows = _rows(source)
    transducer = any(len(f) == 5 or (len(f) == 4 and not NUMBER.fullmatch(f[3])) for _, f in rows)
    table, labels = ArcTable(), list[str]()
    for number, fields in rows:
        try:
            _add(table, labels, fields, number, transducer)
        except ValueError as error:
            raise source.error(str(error), number) from None
    if not table.finals:
        last = rows[-1][0] if rows else None
        raise source.error("no final state (a line with a state alone): is the file cut off?", last)
    integers = all(map(is_label_number, labels))
    symbols = read_symbols(options.symbols) if options.symbols and integers else None
    words = text_words(labels, integers, symbols, options.symbols or "", table.fail(source))
    id = _id(source)
    yield Item(id, table.lattice(source, words, id=id))


def _rows(source: Source) -> Rows:
    rows = []
    for number, line in source.lines():
        fields = line.split()
        if len(fields) > 5:
            raise source.error(f"expected 1 to 5 fields, found {len(fields)}: {shown(line)}", number)
        if fields:
            rows.append((number, fields))
    return rows


def _add(table: ArcTable, labels: list[str], fields: list[str], number: int, transducer: bool) -> None:
    if len(fields) <= 2:
        cost = cost_number(fields[1]) if len(fields) == 2 else 0.0
        table.final(state_number(fields[0]), cost, 0.0, number)
        return
    weighted = 5 if transducer else 4
    if len(fields) < weighted - 1:
        raise ValueError(f"three fields, but other lines make this a transducer: {shown(' '.join(fields))}")
    cost = cost_number(fields[-1]) if len(fields) == weighted else 0.0
    table.arc(state_number(fields[0]), state_number(fields[1]), cost, 0.0, number)
    labels.append(fields[weighted - 2])


def _id(source: Source) -> str:
    for extension in EXTENSIONS:
        if source.name.endswith(extension):
            return source.name.removesuffix(extension)
    return source.stem


FORMAT = Format("att", "AT&T text as fstprint writes it", EXTENSIONS, sniff, read)
