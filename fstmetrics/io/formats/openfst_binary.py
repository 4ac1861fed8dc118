"""OpenFst binary files, one machine a file; `fst_binary` has the layout."""

from __future__ import annotations

from collections.abc import Iterator

from fstmetrics._native import FstArchiveReader
from fstmetrics.data.lattice import Lattice
from fstmetrics.io.fst_binary import vector_bytes
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.io.lattice_batches import Add, readers, text_labels
from fstmetrics.io.writing import SINGLE, Carries, WriteOptions, Writer, only_item
from fstmetrics.io.written_words import check_words, label_numbers
from fstmetrics.support.limits import item_limits
from fstmetrics.support.source import stem


def _add(options: ReadOptions) -> Add:
    """What adds the one machine of a file; its weights are graph costs.

    The words are the output labels, by `options.symbols`, else by the symbol table of the outputs in the file, of an
    acceptor also by that of the inputs, else the digits. Wrong are what is damaged or cut off, a type that is not read,
    a label that the symbol table lacks, or of which two tables have different words.
    """
    reader = FstArchiveReader(text_labels(options, True), item_limits(), "none")
    return lambda source, column: reader.read_one(source.data, 0, source.stem, column)


read, _files = readers(_add)


def write(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """The one machine of a file; errors as of `machine`."""
    yield machine(only_item(items).value, options)


def machine(lattice: Lattice, options: WriteOptions) -> bytes:
    """A vector machine whose weights are the graph costs, with its symbol tables unless numbers are given.

    Raises:
        FstmetricsError: a word that would be read as no word, or a cost too large for a 32-bit float.
    """
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
    "openfst", "OpenFst binary, vector or const", read,
    writers=(WRITER,), id_of=stem, files=_files, takes_symbols=True,
)  # fmt: skip
