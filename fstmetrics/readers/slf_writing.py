"""HTK standard lattice format (SLF), written: words and natural-log scores on links, one start, one end."""

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
    number,
    one_final,
    only_item,
)

EPSILON = "!NULL"


def write(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """The one lattice of a file.

    Final states that are several, or have costs, get links without a word to an end of their own.

    Raises:
        FstmetricsError: no path, or a word that would be read as no word, or as two.
    """
    return encoded(_lines(only_item(items).value))


def _lines(lattice: Lattice) -> Iterator[str]:
    check_words(lattice.symbols)
    check_path(lattice)
    scales, lattice = lattice.scales, one_final(lattice)
    automaton = lattice.automaton
    yield "VERSION=1.0\n"
    if scales.lm != 1 or scales.word_penalty:
        # HTK's penalty is a log probability, and a cost the opposite.
        yield f"lmscale={number(scales.lm)} wdpenalty={number(0.0 - scales.word_penalty)}\n"
    yield f"start={automaton.start} end={automaton.finals[0]}\n"
    yield f"N={automaton.num_states} L={automaton.num_arcs}\n"
    yield from (f"I={state}\n" for state in range(automaton.num_states))
    names = [EPSILON, *map(escaped, lattice.symbols.words[1:])]
    columns = (
        automaton.sources.tolist(), automaton.destinations.tolist(), automaton.labels.tolist(),
        automaton.arc_costs.tolist(),
    )  # fmt: skip
    for index, (a, b, label, (graph, acoustic)) in enumerate(zip(*columns, strict=True)):
        scores = f" a={number(0.0 - acoustic)} l={number(0.0 - graph)}" if automaton.has_costs else ""
        yield f"J={index} S={a} E={b} W={names[label]}{scores}\n"


def escaped(word: str) -> str:
    r"""A word as HTK reads it back: a backslash, and a quote at the beginning, stand behind a backslash.

    >>> escaped("'tis"), escaped("don't")
    ("\\'tis", "don't")
    """
    word = word.replace("\\", "\\\\")
    return f"\\{word}" if word[0] in "\"'" else word


WRITER = Writer("slf", (".slf", ".lat", ".htk"), Carries("lattice", costs="apart", scales=True), write)
