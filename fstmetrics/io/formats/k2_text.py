"""k2's text form, `Fsa.from_str` and `k2.to_str`: an arc a line, and the final state alone on the last.

    0 1 10 0.1                  source destination label score
    1 3 -1 0.4                  -1 leads to the final state and is no word
    3

    0 1 10 7 0.1                the same with an output label before the score
    0 1 10 [7 8] 0.1            or with a list of them, ragged labels: no word, one, or several

Scores are logs, so costs are their negatives; a file may leave them out of all lines. The start is state 0, the final
state the highest. All arcs into it have label -1, and no others. Output labels, where there are some, are the words;
`--symbols` gives the words of integers, and 0 is no word, nor is -1 in a list on an arc into the final state. Lines do
not name their labels: those with more than one label, or list, behind the first are refused. The form with
`openfst=True`, whose scores are costs, is AT&T text, format "att". Source: k2/csrc/fsa_utils.cu, `K2FsaFromStream`.
"""

from __future__ import annotations

from collections.abc import Iterator

from fstmetrics._native import read_k2
from fstmetrics.data.lattice import Lattice
from fstmetrics.data.shaping import check_path
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.io.lattice_batches import Add, readers, text_labels
from fstmetrics.io.writing import Carries, WriteOptions, Writer, encoded, only_item
from fstmetrics.io.written_words import label_numbers
from fstmetrics.support.limits import item_limits
from fstmetrics.support.source import stem

FINAL_LABEL = "-1"


def _add(options: ReadOptions) -> Add:
    """What adds the one machine of a file; wrong are a line of another kind, lines of different forms, a label -1
    elsewhere than into the final state, or an integer that the symbol table lacks."""
    labels = text_labels(options, True)
    return lambda source, column: read_k2(source.utf8, labels, item_limits(), source.stem, column)


read, _files = readers(_add)


def write(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """The one machine of a file: start 0, a final state of its own, arcs in the order of states.

    Raises:
        FstmetricsError: no path, or a word without a number.
    """
    return encoded(_lines(only_item(items).value, options))


def _lines(lattice: Lattice, options: WriteOptions) -> Iterator[str]:
    check_path(lattice)
    automaton, names = lattice.automaton, label_numbers(lattice.symbols, options.numbering).tolist()
    start, last = automaton.start, automaton.num_states
    # k2 begins in state 0: the start changes places with it.
    number = list(range(last))
    number[0], number[start] = number[start], number[0]
    columns = (
        automaton.sources.tolist(), automaton.destinations.tolist(), automaton.labels.tolist(),
        automaton.arc_costs[:, 0].tolist(),
    )  # fmt: skip
    rows = [(number[a], number[b], names[label], cost) for a, b, label, cost in zip(*columns, strict=True)]
    ends = zip(automaton.finals.tolist(), automaton.final_costs[:, 0].tolist(), strict=True)
    rows += [(number[state], last, int(FINAL_LABEL), cost) for state, cost in ends]
    yield from (f"{a} {b} {label} {0.0 - cost!r}\n" for a, b, label, cost in sorted(rows))
    yield f"{last}\n"


EXTENSIONS = (".k2", ".k2.txt")
WRITER = Writer("k2", EXTENSIONS, Carries("lattice", costs="sum", numbers="always"), write)
FORMAT = Format(
    "k2", "k2 text, as Fsa.from_str reads it", read, writers=(WRITER,), id_of=stem,
    files=_files, takes_symbols=True,
)  # fmt: skip
