"""Confusion networks, written: SRILM's word meshes and those of Moses. Only lattices that are one can be."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fstmetrics.errors import FstmetricsError
from fstmetrics.lattice import Lattice
from fstmetrics.readers.base import Item
from fstmetrics.readers.checks import check_words, checked_id
from fstmetrics.readers.shaping import chained
from fstmetrics.readers.writing import Carries, WriteOptions, Writer, encoded, only_item

Column = list[tuple[str, float]]


def columns(lattice: Lattice, epsilon: str) -> list[Column]:
    """The words of every column, and exp(-cost), their posteriors.

    Raises:
        FstmetricsError: the lattice is no confusion network, or a cost is that of no posterior.
    """
    check_words(lattice.symbols)
    automaton = chained(lattice).automaton
    if (automaton.destinations != automaton.sources + 1).any():
        raise FstmetricsError(
            "the lattice is no confusion network: an arc leads past a column; plf and slf hold any lattice"
        )
    with np.errstate(over="ignore"):
        posteriors = np.exp(-automaton.arc_costs[:, 0])
    if (posteriors > 1).any() or (posteriors < np.finfo(np.float64).tiny).any():
        raise FstmetricsError(
            "a cost is not that of a posterior, which lies between 0 and 1 (0 to 708); --scale lm=0,acoustic=0 "
            "writes the words without costs"
        )
    names = [epsilon, *lattice.symbols.words[1:]]
    found: list[Column] = [[] for _ in range(automaton.num_states - 1)]
    rows = zip(automaton.sources.tolist(), automaton.labels.tolist(), posteriors.tolist(), strict=True)
    for column, label, posterior in rows:
        found[column].append((names[label], posterior))
    return found


def _pairs(column: Column) -> str:
    return " ".join(f"{word} {posterior!r}" for word, posterior in column)


def write_srilm(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """The one mesh of a file; errors as of `columns`."""
    item = only_item(items)
    found = columns(item.value, "*DELETE*")
    lines = [f"name {checked_id(item)}\n"] if item.id else []
    lines += [f"numaligns {len(found)}\n", "posterior 1\n"]
    lines += [f"align {index} {_pairs(column)}\n" for index, column in enumerate(found)]
    return encoded(iter(lines))


def write_moses(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """A line a column, a blank line after each network.

    Raises:
        FstmetricsError: as of `columns`; also no column at all, and a word that would not come back.
    """
    return encoded(line for item in items for line in _moses(item.value))


def _moses(lattice: Lattice) -> Iterator[str]:
    for word in lattice.symbols.words[1:]:
        if "|" in word or word == "*EPS*":
            raise FstmetricsError(
                f"the word {word!r} would be read as another: a bar parts a word from its factors"
            )
    found = columns(lattice, "*EPS*")
    if not found:
        raise FstmetricsError("there is no column, and a blank line ends a network")
    for column in found:
        yield f"{_pairs(column)}\n"
    yield "\n"


SRILM_WRITER = Writer("srilm-mesh", (".mesh",), Carries("lattice", costs="sum", acyclic=True), write_srilm)
MOSES_WRITER = Writer(
    "moses-cn", (".cn",), Carries("lattice", several=True, costs="sum", acyclic=True), write_moses
)
