"""Python lattice format (PLF), written: scores are natural logs, so the negatives of costs, and none is above 0."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from fstmetrics.errors import FstmetricsError
from fstmetrics.lattice import Lattice
from fstmetrics.readers.base import Item
from fstmetrics.readers.checks import check_words
from fstmetrics.readers.shaping import chained
from fstmetrics.readers.writing import Carries, WriteOptions, Writer, encoded

EPSILON = "*EPS*"


def write(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """A line a lattice.

    Raises:
        FstmetricsError: no path, a cycle, a cost below 0, or a word that would not come back.
    """
    return encoded(f"{_line(item.value)}\n" for item in items)


def _line(lattice: Lattice) -> str:
    check_words(lattice.symbols, EPSILON)
    automaton = chained(lattice).automaton
    costs = automaton.arc_costs[:, 0]
    if (costs < 0).any():
        raise FstmetricsError(
            f"a cost of {costs.min():g}, and the format has logs of probabilities, up to 0, for scores; "
            "--scale lm=0,acoustic=0 writes the words without costs"
        )
    names = [f"'{EPSILON}'", *(f"'{escaped(word)}'" for word in lattice.symbols.words[1:])]
    lengths = automaton.destinations - automaton.sources
    arcs = [
        f"({names[label]},{0.0 - cost!r},{length}),"
        for label, cost, length in zip(
            automaton.labels.tolist(), costs.tolist(), lengths.tolist(), strict=True
        )
    ]
    ends = np.searchsorted(automaton.sources, np.arange(automaton.num_states)).tolist()
    nodes = [f"({''.join(arcs[a:b])})," for a, b in pairwise(ends)]
    # A file of nothing but an empty line would be no file of lattices.
    return f"({''.join(nodes)})" if nodes else f"((('{EPSILON}',0.0,1),),)"


def escaped(word: str) -> str:
    r"""A word between single quotes.

    >>> escaped("D'") == "D" + chr(92) + "'"
    True
    """
    return word.replace("\\", "\\\\").replace("'", "\\'")


WRITER = Writer("plf", (".plf",), Carries("lattice", several=True, costs="sum", acyclic=True), write)
