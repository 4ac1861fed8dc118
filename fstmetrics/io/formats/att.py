"""AT&T text, which `fstprint` and `fstcompile` of OpenFst use: an arc or a final state a line.

    source destination word [cost]            acceptor
    source destination input output [cost]    transducer: its outputs are the words
    state [cost]                              final state

The first line's state is the start. Which of the two a file holds is nowhere written: it is a transducer
if some line has five fields, or four of which the last is not a number. Where `inf` or `nan` alone would say so, which
may be costs of other programs or words, the file is refused. Integer labels in four fields throughout are read as an
acceptor with costs; the format "att-transducer" reads them as inputs and outputs.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from fstmetrics._native import LatticeColumn, read_att
from fstmetrics.data.lattice import Lattice
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.io.lattice_batches import Add, readers, text_labels
from fstmetrics.io.writing import Carries, WriteOptions, Writer, arc_lines, encoded, number, only_item
from fstmetrics.io.written_words import Numbering, label_names
from fstmetrics.support.limits import item_limits
from fstmetrics.support.source import Source, file_name, stem

EXTENSIONS = (".fst.txt", ".txt.fst", ".att", ".fsm")


def _add(options: ReadOptions, transducer: bool) -> Add:
    """What adds the one machine of a file, whose id is the file's name without the extension.

    Words are looked up in `options.symbols` if labels are integers. Costs are graph costs. Wrong are a malformed line,
    no final state, an integer that the symbol table lacks, or words among integers where there is a table.

    Args:
        options: name the symbol table.
        transducer: whether it is one even if no line tells.
    """
    integers, words = text_labels(options, True), text_labels(options, False)  # the file tells which

    def add(source: Source, column: LatticeColumn) -> None:
        id, text = _id(source.path), source.utf8
        read_att(text, transducer, integers, words, item_limits(), id, column)

    return add


def _id(path: str) -> str:
    name = file_name(path)
    for extension in EXTENSIONS:
        if name.endswith(extension):
            return name.removesuffix(extension)
    return stem(path)


def att_text(lattice: Lattice, numbering: Numbering | None = None) -> Iterator[str]:
    """The lines of an acceptor whose costs are the lattice's graph costs; label 0 is written `<eps>`, or 0.

    Raises:
        FstmetricsError: no path, or a word that would be read as no word, or as two.
    """
    names = label_names(lattice, numbering)
    if lattice.automaton.has_costs:
        yield from arc_lines(
            lattice, names,
            lambda a, b, name, graph, _: f"{a}\t{b}\t{name}\t{number(graph)}\n",
            lambda state, graph, _: f"{state}\t{number(graph)}\n",
        )  # fmt: skip
    else:
        yield from arc_lines(
            lattice, names, lambda a, b, name, *_: f"{a}\t{b}\t{name}\n", lambda state, *_: f"{state}\n"
        )


def write(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """The one machine of a file; errors as of `att_text`."""
    return encoded(att_text(only_item(items).value, options.numbering))


WRITER = Writer("att", EXTENSIONS, Carries("lattice", costs="sum", numbers="if asked"), write)
read, _files = readers(partial(_add, transducer=False), _id)
FORMAT = Format(
    "att", "AT&T text as fstprint writes it", read, writers=(WRITER,), id_of=_id, files=_files,
    takes_symbols=True,
)  # fmt: skip
_read_transducer, _transducer_files = readers(partial(_add, transducer=True), _id)
TRANSDUCER_FORMAT = Format(
    "att-transducer", "the same, a transducer; only when asked for", _read_transducer,
    id_of=_id, files=_transducer_files, takes_symbols=True,
)  # fmt: skip
