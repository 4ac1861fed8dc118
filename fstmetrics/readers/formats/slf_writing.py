"""HTK standard lattice format (SLF), written: natural-log scores on links, one start, one end.

A lattice has its words on links, and times on nodes where they are known in seconds. A network has words and calls on
nodes, as HTK's tools write grammars: a sub-lattice a card, each before those that call it by `L=`, and the root as main
lattice.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from fstmetrics.cards import Card
from fstmetrics.lattice import Lattice
from fstmetrics.network import Network
from fstmetrics.phrases import Call, Token
from fstmetrics.readers.base import Item
from fstmetrics.readers.checks import check_words
from fstmetrics.readers.formats.cards_writing import callees_first, node_form, written_names
from fstmetrics.readers.shaping import check_path, one_final
from fstmetrics.readers.writing import Carries, WriteOptions, Writer, encoded, number, only_item
from fstmetrics.scales import Scales
from fstmetrics.times import Times

EPSILON = "!NULL"
VERSION = "VERSION=1.0\n"


def write(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """The one lattice or network of a file.

    Final states that are several, or have costs, get links without a word to an end of their own.

    Raises:
        FstmetricsError: no path, or a word that would be read as no word, or as two.
    """
    value = only_item(items).value
    return encoded(_network_lines(value) if isinstance(value, Network) else _lattice_lines(value))


def _lattice_lines(lattice: Lattice) -> Iterator[str]:
    check_words(lattice.symbols)
    check_path(lattice)
    times, scales, lattice = _times(lattice), lattice.scales, one_final(lattice)
    automaton = lattice.automaton
    yield VERSION
    yield from _scale_line(scales)
    yield f"start={automaton.start} end={automaton.finals[0]}\n"
    yield f"N={automaton.num_states} L={automaton.num_arcs}\n"
    for state in range(automaton.num_states):
        time = times[state] if times else math.nan
        yield f"I={state} t={number(time)}\n" if math.isfinite(time) else f"I={state}\n"
    names = [EPSILON, *map(escaped, lattice.symbols.words[1:])]
    columns = (
        automaton.sources.tolist(), automaton.destinations.tolist(), automaton.labels.tolist(),
        automaton.arc_costs.tolist(),
    )  # fmt: skip
    for index, (a, b, label, cost) in enumerate(zip(*columns, strict=True)):
        scores = _scores(cost) if automaton.has_costs else ""
        yield f"J={index} S={a} E={b} W={names[label]}{scores}\n"


def _times(lattice: Lattice) -> list[float]:
    """When the lattice is in each state, nan where that is not known; the last is for an end that may be added."""
    if not isinstance(lattice.times, Times) or lattice.times.unit != "seconds":
        return []
    of_state = lattice.times.of_state
    ends = set(of_state[lattice.automaton.finals].tolist())
    return [*of_state.tolist(), ends.pop() if len(ends) == 1 else math.nan]


def _scale_line(scales: Scales) -> Iterator[str]:
    if scales.lm != 1 or scales.word_penalty:
        # HTK's penalty is a log probability, and a cost the opposite.
        yield f"lmscale={number(scales.lm)} wdpenalty={number(0.0 - scales.word_penalty)}\n"


def _scores(cost: Sequence[float]) -> str:
    graph, acoustic = cost
    return f" a={number(0.0 - acoustic)} l={number(0.0 - graph)}"


def _network_lines(network: Network) -> Iterator[str]:
    check_words(network.symbols)
    *others, main = callees_first(network)
    written = written_names([card.name for card in others], _distinct)
    names = {name: escaped(text) for name, text in written.items()}
    for card in others:
        yield VERSION + f"SUBLAT={names[card.name]}\n"
        yield from _card_lines(card, names, network.scales)
        yield ".\n"
    yield VERSION
    yield from _card_lines(main, names, network.scales)


def _card_lines(card: Card, names: Mapping[str, str], scales: Scales) -> Iterator[str]:
    form = node_form(card)
    yield from _scale_line(scales)
    yield f"start={form.start} end={form.end}\n"
    yield f"N={len(form.tokens)} L={len(form.links)}\n"
    for node, token in enumerate(form.tokens):
        yield f"I={node} {_held(token, names)}\n"
    for index, (source, destination, cost) in enumerate(form.links):
        yield f"J={index} S={source} E={destination}{_scores(cost) if card.has_costs else ''}\n"


def _held(token: Token, names: Mapping[str, str]) -> str:
    """What a node holds: a sub-lattice, a word, or none."""
    if isinstance(token, Call):
        return f"L={names[token.name]}"
    return f"W={escaped(token) if token else EPSILON}"


def _distinct(name: str, used: AbstractSet[str]) -> str:
    while name in used:
        name += "_"
    return name


def escaped(word: str) -> str:
    r"""A word as HTK reads it back: a backslash, and a quote at the beginning, stand behind a backslash.

    >>> escaped("'tis"), escaped("don't")
    ("\\'tis", "don't")
    """
    word = word.replace("\\", "\\\\")
    return f"\\{word}" if word[0] in "\"'" else word


WRITER = Writer(
    "slf",
    (".slf", ".lat", ".htk"),
    Carries("lattice", costs="apart", scales=True, calls=True, times=True),
    write,
)
