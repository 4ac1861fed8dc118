"""OpenFst binary files, one machine a file; `fst_binary` has the layout."""

from __future__ import annotations

from collections.abc import Iterator

from fstmetrics.readers.arcs import refuse_empty, words_of
from fstmetrics.readers.base import Format, Item, ReadOptions, Source, stem_of
from fstmetrics.readers.fst_binary import MAGIC, Cursor, read_fst
from fstmetrics.readers.symbols_file import read_symbols


def sniff(source: Source) -> bool:
    """Whether the file begins with OpenFst's magic number."""
    return source.data.startswith(MAGIC)


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
    words = words_of(fst.keys, fst.table.labels, symbols, table, fst.table.fail(source))
    yield Item(source.stem, fst.table.lattice(source, words, id=source.stem))


FORMAT = Format("openfst", "OpenFst binary, vector or const", (".fst",), sniff, read, id_of=stem_of)
