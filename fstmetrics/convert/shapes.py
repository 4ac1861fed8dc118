"""Values of one kind as values of another: `as_sentence`, `as_nbest`, `as_lattice`, `as_graph`, `as_network`.

All take a value, what the format carries, and a function that is told what is lost. Of networks a sentence is the best
path; where a format of lattices has no room for calls, they come as their expansions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from fstmetrics._native import Automaton
from fstmetrics.data.cards import Call
from fstmetrics.data.lattice import Lattice
from fstmetrics.data.nbest import NBest
from fstmetrics.data.network import Network
from fstmetrics.data.shaping import HAS_CYCLE
from fstmetrics.data.symbols import EPSILON_WORDS, SENTENCE_MARKERS
from fstmetrics.data.transcripts import Transcript
from fstmetrics.io.writing import Carries
from fstmetrics.networks.automata import from_lattice
from fstmetrics.networks.calls import callees_first
from fstmetrics.support.errors import FstmetricsError

# Takes the name of something that is lost.
Lose = Callable[[str], None]


def as_sentence(value: Any, carries: Carries, lose: Lose) -> Any:
    """Words, or a Transcript where choices can be written; of several paths the best."""
    if isinstance(value, tuple) or (isinstance(value, Transcript) and carries.choices):
        return value
    if isinstance(value, NBest):
        if len(value.entries) > 1:
            lose("all entries but the first")
        if value.scores is not None:
            lose("scores")
        return value.entries[0]
    if isinstance(value, Transcript):
        lose("all alternatives but the first")
        value = value.lattice
    else:
        lose_all_but_the_best(value, lose)
    words = _all_words(value)
    if not SENTENCE_MARKERS.isdisjoint(words):
        lose("sentence markers")
    return tuple(word for word in words if word not in SENTENCE_MARKERS)


def lose_all_but_the_best(value: Lattice | Network, lose: Lose) -> None:
    """Name what is lost where only the best path of a lattice or network is kept."""
    if not _is_one_path(value):
        lose("all paths but the best")
    if (value if isinstance(value, Network) else value.automaton).has_costs:
        lose("costs")


def _is_one_path(value: Lattice | Network) -> bool:
    """Whether there is no choice between arcs, or an arc and an end."""
    if isinstance(value, Lattice):
        return _is_chain(value.prepared)
    cards = value.rtn.cards

    def calls(card: int) -> list[int]:
        return [-label - 1 for label in cards[card].labels.tolist() if label < 0]

    return all(_is_chain(cards[card]) for card in callees_first(calls, [value.rtn.root]))


def _is_chain(automaton: Automaton) -> bool:
    return len(automaton.finals) == 1 and automaton.num_arcs == automaton.num_states - 1


def _all_words(value: Lattice | Network) -> tuple[str, ...]:
    """The words on the best path, markers of sentence boundaries among them."""
    if isinstance(value, Network):
        tokens = (value.cards[name].arcs[arc][2] for name, arc in value.best_path().arcs)
        return tuple(token for token in tokens if token and not isinstance(token, Call))
    labels = value.automaton.labels[list(value.best_path().arcs)].tolist()
    return tuple(value.symbols.words[label] for label in labels if label)


def as_nbest(value: Any, carries: Carries, lose: Lose) -> NBest:
    """A ranked list: a list as it is, anything else as a list of one entry."""
    if isinstance(value, NBest):
        if value.scores is not None and not carries.scores:
            lose("scores")
        return value
    words = as_sentence(value, carries, lose)
    return NBest(getattr(value, "id", ""), (words,), (" ".join(words),))


def as_graph(value: Any, carries: Carries, lose: Lose) -> Lattice | Network:
    """A network as it is, where the format has room for its calls; anything else as an automaton."""
    return value if isinstance(value, Network) else as_lattice(value, carries, lose)


def as_lattice(value: Any, carries: Carries, lose: Lose) -> Lattice:
    """An automaton: of a sentence one path, of a list a path an entry."""
    if isinstance(value, Lattice):
        lattice = value
    elif isinstance(value, Transcript):
        lattice = value.lattice
    elif isinstance(value, NBest):
        lattice = _of_entries(value, carries, lose)
    else:
        lattice = _of_sentence(value)
    if carries.acyclic and not lattice.prepared.sorted:
        raise FstmetricsError(HAS_CYCLE)
    return lattice


def _check(words: Iterable[str]) -> None:
    for word in words:
        if word in EPSILON_WORDS:
            raise FstmetricsError(f"the word {word!r} means no word in lattice formats; give it another name")


def _of_sentence(words: tuple[str, ...]) -> Lattice:
    _check(words)
    arcs = [(i, i + 1, word) for i, word in enumerate(words)]
    return Lattice.from_arcs(arcs, finals=[len(words)])


def _of_entries(nbest: NBest, carries: Carries, lose: Lose) -> Lattice:
    """A path an entry, whose final state costs what the entry's score says: a log probability, higher is better."""
    _check(word for words in nbest.entries for word in words)
    if nbest.scores is None or carries.costs == "none":
        if len(nbest.entries) > 1:
            lose("ranks")
        if nbest.scores is not None:
            lose("scores")
        return nbest.lattice()
    if not np.isfinite(nbest.scores).all():
        raise FstmetricsError("a score is not a finite number")
    if any(first < second for first, second in pairwise(nbest.scores)):
        lose("ranks, which are not those of the scores")
    arcs, finals, state = [], [], 0
    for words in nbest.entries:
        source = 0
        # An entry begins without a word, so that an empty one has an end of its own.
        for word in ("", *words):
            state += 1
            arcs.append((source, state, word))
            source = state
        finals.append(state)
    sources, destinations, words_of_arcs = zip(*arcs, strict=True)
    costs = np.stack([0.0 - np.array(nbest.scores), np.zeros(len(finals))], axis=1)
    return Lattice.from_arrays(
        sources, destinations, words_of_arcs, finals=finals, final_costs=costs, id=nbest.id
    )


def as_network(value: Lattice | Network | Any, carries: Carries, lose: Lose) -> Network:
    """A network: of anything but a network one card."""
    if not isinstance(value, Network):
        return from_lattice(as_lattice(value, carries, lose), carries.costs == "apart")
    if carries.costs == "none" and value.has_costs:
        lose("costs")
        return as_network(value.without_costs(), carries, lose)
    if carries.spans or not has_source(value):
        return value
    lose("source spans")
    return Network([replace(card, span=None) for card in value.cards.values()], value.root, id=value.id)


def has_source(network: Network) -> bool:
    """Whether the network says which source words it translates."""
    return network.source is not None or any(card.span is not None for card in network.cards.values())
