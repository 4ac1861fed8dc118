"""SRILM's finite-state grammars (PFSG), written: a node without a word a state, and one with a word an arc."""

from __future__ import annotations

from collections.abc import Iterator

from fstmetrics.lattice import Lattice
from fstmetrics.readers.base import Item
from fstmetrics.readers.writing import (
    Carries,
    WriteOptions,
    Writer,
    check_path,
    check_words,
    encoded,
    one_final,
    only_item,
)

NULL = "NULL"
INTLOG = 10000.5  # this many times the natural log of a probability, rounded


def write(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """The one grammar of a file; costs become whole numbers of ten thousandths.

    Raises:
        FstmetricsError: no path, or a word that would not come back.
    """
    item = only_item(items)
    return encoded(_lines(item.value, "_".join((item.id or "lattice").split())))


def _lines(lattice: Lattice, name: str) -> Iterator[str]:
    check_words(lattice.symbols)
    check_path(lattice)
    automaton = one_final(lattice).automaton
    states = automaton.num_states
    while name == NULL or name in lattice.symbols.index:
        name += "_"  # a word that is a grammar's name calls it
    words = [lattice.symbols.words[label] or NULL for label in automaton.labels.tolist()]
    yield f"name {name}\n"
    yield f"nodes {states + len(words)} {' '.join([NULL] * states + words)}\n"
    yield f"initial {automaton.start}\nfinal {automaton.finals[0]}\ntransitions {2 * len(words)}\n"
    columns = automaton.sources.tolist(), automaton.destinations.tolist(), automaton.arc_costs[:, 0].tolist()
    for node, (source, destination, cost) in enumerate(zip(*columns, strict=True), states):
        yield f"{source} {node} {round(-cost * INTLOG)}\n{node} {destination} 0\n"


WRITER = Writer("pfsg", (".pfsg",), Carries("lattice", costs="sum"), write)
