"""OpenFst binary files, one machine a file; `fst_binary` has the layout."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fstmetrics.readers.arcs import refuse_empty
from fstmetrics.readers.fst_binary import MAGIC, Cursor, has_other_inputs, read_fst
from fstmetrics.readers.items import Format, Item, ReadOptions
from fstmetrics.readers.labels import check_words, label_numbers, read_symbols
from fstmetrics.readers.writing import SINGLE, Carries, WriteOptions, Writer, only_item
from fstmetrics.support.source import Source, stem
from fstmetrics.values.lattice import Lattice


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read the one machine of a file; its id is the file's stem, its weights are graph costs.

    The words are the output labels, by `options.symbols`, else by the symbol table in the file (that of
    the outputs before that of the inputs), else the digits.

    Raises:
        InputError: damaged or cut off, a type that is not read, or a label that the symbol table lacks.
    """
    refuse_empty(source)
    cursor = Cursor(source)
    fst = read_fst(cursor)
    if cursor.at != len(cursor.data):
        raise cursor.error(f"{len(cursor.data) - cursor.at} bytes are left over after the machine")
    given = read_symbols(options.symbols) if options.symbols else None
    symbols, table = given or fst.output_symbols or fst.input_symbols, options.symbols or "in the file"
    lattice = fst.lattice(source, symbols, table, source.stem)
    told = options.tell_left_out and has_other_inputs(source, fst)
    left_out = ("input labels",) if told else ()
    yield Item(source.stem, lattice, left_out=left_out)


def write(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """The one machine of a file; errors as of `machine`."""
    yield machine(only_item(items).value, options)


def machine(lattice: Lattice, options: WriteOptions) -> bytes:
    """A vector machine whose weights are the graph costs, with its symbol tables unless numbers are given.

    Raises:
        FstmetricsError: a word that would be read as no word, or a cost too large for a 32-bit float.
    """
    from fstmetrics.readers.fst_binary import vector_bytes

    automaton = lattice.automaton
    costs = automaton.arc_costs[:, 0], automaton.final_costs[:, 0]
    if options.numbering is None:
        check_words(lattice.symbols)
        return vector_bytes(automaton, *costs, symbols=lattice.symbols)
    return vector_bytes(automaton, *costs, labels=label_numbers(lattice.symbols, options.numbering))


WRITER = Writer(
    "openfst", (".fst",), Carries("lattice", costs="sum", rounding=SINGLE, numbers="if asked"), write
)
FORMAT = Format(
    "openfst", "OpenFst binary, vector or const", read, extensions=(".fst",), signature=re.compile(re.escape(MAGIC)),
    writers=(WRITER,), id_of=stem,
)  # fmt: skip
