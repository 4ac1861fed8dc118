"""SRILM's finite-state grammars (PFSG), written: a node without a word a state, and one with a word an arc.

Of a network the main grammar comes first, then a grammar a card, which the nodes of others name instead of a word.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Any

import numpy as np

from fstmetrics.lattice import Lattice
from fstmetrics.network import Network
from fstmetrics.phrases import Call
from fstmetrics.readers.base import Item
from fstmetrics.readers.checks import check_words
from fstmetrics.readers.formats.cards_writing import callees_first, node_form, written_names
from fstmetrics.readers.rounding import Rounding
from fstmetrics.readers.shaping import check_path, one_final
from fstmetrics.readers.writing import Carries, WriteOptions, Writer, encoded, only_item

NULL = "NULL"
INTLOG = 10000.5  # this many times the natural log of a probability, rounded
# What a name may have at its end, which is no part of it (SRILM, Lattice::readPFSG).
DURATION = re.compile(r"\(duration=[^()]*\)$")


def write(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """The one grammar of a file, or those of a network; costs become whole numbers of ten thousandths.

    Raises:
        FstmetricsError: no path, or a word that would not come back.
    """
    item = only_item(items)
    check_words(item.value.symbols, NULL)
    if isinstance(item.value, Network):
        return encoded(_network_lines(item.value))
    return encoded(_lattice_lines(item.value, "_".join((item.id or "lattice").split())))


def _lattice_lines(lattice: Lattice, name: str) -> Iterator[str]:
    check_path(lattice)
    automaton = one_final(lattice).automaton
    states = automaton.num_states
    words = [lattice.symbols.words[label] for label in automaton.labels.tolist()]
    columns = automaton.sources.tolist(), automaton.destinations.tolist(), automaton.arc_costs[:, 0].tolist()
    links = (
        link
        for node, (source, destination, cost) in enumerate(zip(*columns, strict=True), states)
        for link in ((source, node, cost), (node, destination, 0.0))
    )
    name = _distinct(name, lattice.symbols.index)
    ends = automaton.start, int(automaton.finals[0])
    yield from _grammar(name, [*[""] * states, *words], *ends, 2 * len(words), links)


def _network_lines(network: Network) -> Iterator[str]:
    cards = callees_first(network)[::-1]
    taken = {NULL, *network.symbols.words}
    names = written_names([card.name for card in cards], lambda name, used: _distinct(name, taken | used))
    for card in cards:
        form = node_form(card)
        words = [names[token.name] if isinstance(token, Call) else token for token in form.tokens]
        links = ((source, destination, cost[0]) for source, destination, cost in form.links)
        yield from _grammar(names[card.name], words, form.start, form.end, len(form.links), links)


def _grammar(
    name: str,
    words: Iterable[str],
    start: int,
    end: int,
    number: int,
    links: Iterable[tuple[int, int, float]],
) -> Iterator[str]:
    """The lines of one grammar, given the word of each node and its links, as many as `number`."""
    held = [word or NULL for word in words]
    yield f"name {name}\n"
    yield f"nodes {len(held)} {' '.join(held)}\n"
    yield f"initial {start}\nfinal {end}\ntransitions {number}\n"
    yield from (f"{a} {b} {round(-cost * INTLOG)}\n" for a, b, cost in links)


def _distinct(name: str, taken: Collection[str]) -> str:
    """A name as SRILM reads it that is not taken: a word that is a grammar's name calls it."""
    while DURATION.search(name) or name == NULL or name in taken:
        name += "_"
    return name


def keeps(costs: Any) -> bool:
    """Whether all of these costs are those of whole bytelogs."""
    costs = np.asarray(costs)
    return bool((np.rint(costs * INTLOG) / INTLOG == costs).all())


ROUNDING = Rounding("ten thousandths", keeps)
WRITER = Writer("pfsg", (".pfsg",), Carries("lattice", costs="sum", calls=True, rounding=ROUNDING), write)
