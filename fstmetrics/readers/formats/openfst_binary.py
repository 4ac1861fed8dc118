"""OpenFst binary files, one machine a file; `fst_binary` has the layout."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from fstmetrics._native import FstArchiveReader, LatticeColumn
from fstmetrics.readers.arcs import item_limits, refuse_empty
from fstmetrics.readers.bytes import File
from fstmetrics.readers.fst_binary import Cursor, has_other_inputs, read_fst
from fstmetrics.readers.items import Format, Item, ReadOptions
from fstmetrics.readers.labels import check_words, is_encodable, label_numbers, symbols_beside
from fstmetrics.readers.lattice_batches import column_of_files, text_labels
from fstmetrics.readers.writing import SINGLE, Carries, WriteOptions, Writer, only_item
from fstmetrics.support.source import Source, stem
from fstmetrics.values.lattice import Lattice


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read the one machine of a file; its id is the file's stem, its weights are graph costs.

    The words are the output labels, by `options.symbols`, else by the symbol table of the outputs in the file, of an
    acceptor also by that of the inputs, else the digits.

    Raises:
        InputError: damaged or cut off, a type that is not read, a label that the symbol table lacks, or of which
            two tables have different words.
    """
    refuse_empty(source)
    column = LatticeColumn(options.vocabulary)
    if is_encodable(source.stem) and _add(source, column, _reader(options)):
        yield Item(
            source.stem, column[0], left_out=tuple(column.left_out(0)) if options.tell_left_out else ()
        )
        return
    cursor = Cursor(source)
    fst = read_fst(cursor)
    if cursor.at != len(cursor.data):
        raise cursor.error(f"{len(cursor.data) - cursor.at} bytes are left over after the machine")
    own, table = fst.own_symbols(source), options.symbols or "in the file"
    symbols = symbols_beside(options.symbols, own, source.path) if options.symbols else own
    lattice = fst.lattice(source, symbols, table, source.stem)
    told = options.tell_left_out and has_other_inputs(source, fst)
    left_out = ("input labels",) if told else ()
    yield Item(source.stem, lattice, left_out=left_out)


def _reader(options: ReadOptions) -> FstArchiveReader:
    """What reads files whose labels a symbol table names, the file's own or the one of the options, or none."""
    labels = text_labels(options, True)
    return FstArchiveReader(labels, item_limits(), "none", own_tables=options.symbols is None)


def _add(source: Source, column: LatticeColumn, reader: FstArchiveReader) -> bool:
    """Append the machine of a file; false where reading it another way says what is wrong, if anything is."""
    return reader.read_file(source.data, source.stem, column)


def read_files(files: Sequence[File], options: ReadOptions) -> LatticeColumn | None:
    """The machines of files in one column; None where one has to be read another way."""
    return column_of_files(files, options, partial(_add, reader=_reader(options)))


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
    "openfst", "OpenFst binary, vector or const", read, extensions=(".fst",),
    writers=(WRITER,), id_of=stem, files=read_files, takes_symbols=True,
)  # fmt: skip
