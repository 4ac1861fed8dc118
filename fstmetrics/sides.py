"""What a caller gives, as a side of H ∘ T ∘ R: text, or the engine's graph.

`Alternatives` says explicitly that several things are alternatives of one another; `as_side` converts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from threading import RLock
from typing import TYPE_CHECKING, NamedTuple, TypeGuard

import numpy as np

from fstmetrics._native import Automaton, Graph, Rtn, are_words
from fstmetrics.cards import NO_COST, CostPair
from fstmetrics.errors import FstmetricsError
from fstmetrics.lattice import SENTENCE_MARKERS, Lattice
from fstmetrics.limits import limits
from fstmetrics.nbest import NBest
from fstmetrics.network import Card, Network
from fstmetrics.normalisation import Normalisation
from fstmetrics.phrases import Token
from fstmetrics.segments import TimedWords
from fstmetrics.symbols import EPSILON, WILDCARD, SymbolTable
from fstmetrics.transcripts import Transcript

if TYPE_CHECKING:
    from fstmetrics.symbols import Labels

# Whichever thread comes first prepares a lattice or network, and the others wait for it.
_PREPARING = RLock()


@dataclass(frozen=True, slots=True)
class Alternatives:
    """Several hypotheses or references for one item, of any kinds; the best of them counts."""

    items: tuple[Alternative, ...]

    def __init__(self, items: Iterable[Alternative]) -> None:
        object.__setattr__(self, "items", tuple(items))
        if not self.items:
            raise FstmetricsError("a list of alternatives is empty")


Alternative = str | Sequence[str] | Transcript | TimedWords | Lattice | NBest | Network | Alternatives | Graph
Input = Alternative | Sequence[Alternative]


# A side as the engine wants it: a string, which it splits at white space and frees of sentence markers; words; or a
# graph with its words.
Side = str | Sequence[str] | Graph

PLAIN = Normalisation()


def is_sentence(value: object, hypothesis: object = None) -> bool:
    """Whether a value is one sentence: a string, or a sequence of words.

    A reference that is a list of strings beside a hypothesis that is a string is a list of alternatives. Any other list
    of strings is a sequence of words, unless a string in it is empty or holds white space: then, too, they are
    alternatives. `Alternatives` leaves no doubt.
    """
    if isinstance(value, str):
        return True
    if not isinstance(value, Sequence) or isinstance(hypothesis, str):
        return False
    return are_words(value if isinstance(value, list | tuple) else tuple(value))


def as_side(value: Input, normalisation: Normalisation, hypothesis: object = None) -> Side:
    """Convert what a caller gave. Lattices and networks keep what is prepared for them.

    Args:
        value: a hypothesis or reference.
        normalisation: changes to its words.
        hypothesis: of a reference, what it is compared with; see `is_sentence`.

    Raises:
        FstmetricsError: not something that can be scored, or no alternative at all.
    """
    if isinstance(value, Graph) or (isinstance(value, str) and normalisation.is_plain):
        return value  # a graph's words are as they should be
    if is_sentence(value, hypothesis):
        return normalisation.words(value)  # type: ignore[arg-type]
    if isinstance(value, Lattice | Network):
        return graph_of(value, normalisation)
    if isinstance(value, Transcript):
        return (
            normalisation.words(value.words)
            if value.words is not None
            else graph_of(value.lattice, normalisation)
        )
    if isinstance(value, TimedWords):
        return as_side(value.transcript(), normalisation)
    if isinstance(value, Alternatives):
        return _union(value.items, normalisation)
    if isinstance(value, NBest):
        return as_side(value.lattice(), normalisation)
    if isinstance(value, Sequence):
        return _union(Alternatives(value).items, normalisation)
    raise FstmetricsError(
        "a hypothesis or reference is a string, a sequence of words, a Lattice, an NBest, a Network "
        f"or a list of those, not {type(value).__name__}"
    )


def as_graph(value: Input, normalisation: Normalisation) -> Graph:
    """The same as a graph, even where it is one string; errors as of `as_side`."""
    side = as_side(value, normalisation)
    return side if isinstance(side, Graph) else line(side)


def written_out(side: Side) -> tuple[Automaton, SymbolTable]:
    """A side as one automaton, prepared, and the words of its labels.

    Raises:
        FstmetricsError: a network that is too large.
    """
    graph = side if isinstance(side, Graph) else line(side)
    machine = graph.machine
    if isinstance(machine, Rtn):
        unfolded = machine.unfolded(limits().expansion)
        if unfolded is None:
            size = machine.expanded_arcs
            raise limits().error("expansion", f"references for grammars could have {size} arcs written out")
        machine = unfolded
    return machine, SymbolTable(graph.words[1:])


def spelled(automaton: Automaton, symbols: SymbolTable) -> Graph:
    """An automaton over words as a graph over characters, with a space between words."""
    return _characters(automaton, [PLAIN.arc_words(word) if word else [] for word in symbols.words]).graph()


def labelled_words(side: Side) -> tuple[str, ...]:
    """The words by the engine's labels, the first for epsilon; those of a text in the order in which they come."""
    if isinstance(side, Graph):
        return side.words
    return ("", *dict.fromkeys(PLAIN.words(side) if isinstance(side, str) else side))


def graph_of(value: Lattice | Network, normalisation: Normalisation = PLAIN) -> Graph:
    """A lattice or network as a graph, made once and kept with it.

    Raises:
        FstmetricsError: a lattice without a path, or a network too large to be scored by characters.
    """
    kept: dict[Normalisation | None, Graph] = value.__dict__.setdefault("_graphs", {})
    # No key is quicker than a normalisation that changes nothing.
    key = None if normalisation is PLAIN or normalisation.is_plain else normalisation
    graph = kept.get(key)
    if graph is None:
        with _PREPARING:
            graph = kept.get(key)
            if graph is None:
                make = _lattice_graph if isinstance(value, Lattice) else _network_graph
                graph = kept[key] = make(value, normalisation)  # type: ignore[arg-type]
    return graph


def _lattice_graph(lattice: Lattice, normalisation: Normalisation) -> Graph:
    changed = renamed(lattice.automaton, lattice.symbols, normalisation)
    graph = Graph(lattice.prepared, lattice.symbols.words) if changed is None else changed.graph()
    if not graph.machine.has_path:  # type: ignore[union-attr]
        raise FstmetricsError(
            f"lattice {lattice.id or '(no id)'}: no path leads from its start to a final state"
        )
    return graph


def _network_graph(network: Network, normalisation: Normalisation) -> Graph:
    if normalisation.unit == "char":
        # Whether a space comes before a word depends on all that came before: cards do not know.
        automaton = network.rtn.unfolded(limits().expansion)
        if automaton is None:
            size = network.rtn.expanded_arcs
            what = f"network {network.id or '(no id)'}, to be scored by characters, could have {size} arcs written out"
            raise limits().error("expansion", what)
        by_characters = renamed(automaton, network.symbols, normalisation)
        return Graph(automaton, network.symbols.words) if by_characters is None else by_characters.graph()
    if keeps_words(network.symbols, normalisation):
        return Graph(network.rtn, network.symbols.words)
    cards = (changed_card(card, normalisation) for card in network.cards.values())
    other = Network(cards, network.root, id=network.id)
    return Graph(other.rtn, other.symbols.words)


def keeps_words(symbols: SymbolTable, normalisation: Normalisation) -> bool:
    """Whether no word of a table changes."""
    if normalisation.is_plain:
        return SENTENCE_MARKERS.isdisjoint(symbols.words)
    return all(normalisation.arc_words(word) == [word] for word in symbols.words[1:])


def changed_card(card: Card, normalisation: Normalisation) -> Card:
    """A card over other words; of the arcs that one becomes, the first has its costs."""
    arcs: list[tuple[int, int, Token]] = []
    costs: list[CostPair] = []
    states = card.num_states
    for number, (source, destination, token) in enumerate(card.arcs):
        words = normalisation.arc_words(token) if isinstance(token, str) and token else None
        tokens: Sequence[Token] = [token] if words is None else words or [""]
        chain, states = _chain(source, destination, tokens, states)
        arcs += chain
        if card.costs:
            costs += [card.costs[number], *[NO_COST] * (len(chain) - 1)]
    return Card(
        card.name, tuple(arcs), card.finals, card.start, card.span,
        costs=tuple(costs), final_costs=card.final_costs,
    )  # fmt: skip


def _chain(
    source: int, destination: int, tokens: Sequence[Token], new_state: int
) -> tuple[list[tuple[int, int, Token]], int]:
    """Arcs in a row, through states numbered from `new_state`, and the next number that is free."""
    path = [source, *range(new_state, new_state + len(tokens) - 1), destination]
    return list(zip(path, path[1:], tokens, strict=False)), new_state + len(tokens) - 1


class Renamed(NamedTuple):
    """An automaton over other words.

    Attributes:
        automaton: not prepared.
        words: of its labels, the first for epsilon.
        arc_of: for each arc that of the automaton as it was, or -1: of the arcs that one became, the first has it.
        state_of: for each state the one that it was, or -1.
    """

    automaton: Automaton
    words: tuple[str, ...]
    arc_of: Labels
    state_of: Labels

    def graph(self) -> Graph:
        """As searches want it."""
        return Graph(self.automaton.prepared(), self.words)


def renamed(automaton: Automaton, symbols: SymbolTable, normalisation: Normalisation) -> Renamed | None:
    """An automaton over other words; None where no word changes."""
    if normalisation.is_plain and keeps_words(symbols, normalisation):
        return None
    words = [normalisation.arc_words(word) if word else [] for word in symbols.words]
    if normalisation.unit == "char":
        return _characters(automaton, words)
    if all(w == [word] for w, word in zip(words[1:], symbols.words[1:], strict=True)):
        return None
    if all(len(w) <= 1 for w in words):
        return _relabelled_arcs(automaton, ["".join(w) for w in words])
    labels, sources, destinations = (
        a.tolist() for a in (automaton.labels, automaton.sources, automaton.destinations)
    )
    arcs: list[tuple[int, int, Token]] = []
    first: list[int] = []
    states = automaton.num_states
    for label, source, destination in zip(labels, sources, destinations, strict=True):
        first.append(len(arcs))
        chain, states = _chain(source, destination, words[label] or [""], states)
        arcs += chain
    built, words_of, order = _built(arcs, states, automaton.start, automaton.finals.tolist())
    arc_of = np.full(len(arcs), -1, dtype=np.int32)
    arc_of[first] = np.arange(len(first))
    state_of = np.full(states, -1, dtype=np.int32)
    state_of[: automaton.num_states] = np.arange(automaton.num_states)
    return Renamed(built, words_of, arc_of[order], state_of)


def _relabelled_arcs(automaton: Automaton, words: Sequence[str]) -> Renamed:
    """The same arcs with other words, by their labels."""
    symbols, new_label = SymbolTable.intern(words)
    changed = Automaton(
        automaton.num_states, automaton.start, automaton.sources, new_label[automaton.labels],
        automaton.destinations, automaton.finals,
    )  # fmt: skip
    arcs, states = (np.arange(n, dtype=np.int32) for n in (automaton.num_arcs, automaton.num_states))
    return Renamed(changed, symbols.words, arcs, states)


def _characters(automaton: Automaton, words: list[list[str]]) -> Renamed:
    """An automaton over characters.

    The space before a word is a character unless the word is the first, so every state comes twice: with no
    word read yet (even numbers), and after a word (odd numbers).
    """
    labels, sources, destinations = (
        a.tolist() for a in (automaton.labels, automaton.sources, automaton.destinations)
    )
    arcs: list[tuple[int, int, Token]] = []
    first: list[int] = []
    states = 2 * automaton.num_states
    for label, source, destination in zip(labels, sources, destinations, strict=True):
        for before in (0, 1):
            tokens, read = _spelling(words[label], before)
            first.append(len(arcs))
            chain, states = _chain(2 * source + before, 2 * destination + max(before, read), tokens, states)
            arcs += chain
    finals = [2 * final + read for final in automaton.finals.tolist() for read in (0, 1)]
    built, words_of, order = _built(arcs, states, 2 * automaton.start, finals)
    arc_of = np.full(len(arcs), -1, dtype=np.int32)
    arc_of[first] = np.arange(len(first)) // 2
    state_of = np.full(states, -1, dtype=np.int32)
    state_of[: 2 * automaton.num_states] = np.arange(2 * automaton.num_states) // 2
    return Renamed(built, words_of, arc_of[order], state_of)


def _spelling(words: list[str], before: int) -> tuple[list[str], int]:
    """The characters of an arc's words, `before` saying whether a word came before, and whether there is a word.

    A wildcard takes characters, spaces among them, but is no word: what follows it has a space before it if something
    else does.
    """
    if words == [WILDCARD]:
        return words, 0
    text = " ".join(words)
    return list(" " * (before and bool(text)) + text) or [""], int(bool(text))


def _built(
    arcs: list[tuple[int, int, Token]], num_states: int, start: int, finals: Sequence[int]
) -> tuple[Automaton, tuple[str, ...], Labels]:
    """An automaton, the words of its labels, and for each of its arcs the place in the list."""
    symbols, labels = SymbolTable.intern(str(token) for *_, token in arcs)
    sources, destinations = (np.array([arc[i] for arc in arcs], dtype=np.int32) for i in (0, 1))
    automaton = Automaton(num_states, start, sources, labels, destinations, np.array(finals, dtype=np.int32))
    # The engine sorts arcs by the state that they leave, and leaves them in order otherwise.
    return automaton, symbols.words, np.argsort(sources, kind="stable").astype(np.int32)


def _is_words(item: Alternative) -> TypeGuard[Sequence[str]]:
    return (
        isinstance(item, Sequence)
        and not isinstance(item, str)
        and all(isinstance(word, str) for word in item)
    )


def _union(items: Sequence[Alternative], normalisation: Normalisation) -> Side:
    """All alternatives as one graph: an RTN whose root calls each."""
    # Inside a list of alternatives a sequence of strings is one of them: a sequence of words.
    sides = [normalisation.words(item) if _is_words(item) else as_side(item, normalisation) for item in items]
    if len(sides) == 1:
        return sides[0]
    graphs = [side if isinstance(side, Graph) else line(side) for side in sides]
    symbols, _ = SymbolTable.intern(word for graph in graphs for word in graph.words)
    cards: list[Automaton] = []
    roots: list[int] = []
    for graph in graphs:
        new_label = np.array([symbols.index[word] for word in graph.words], dtype=np.int32)
        parts, root = _cards_of(graph.machine)
        roots.append(len(cards) + root)
        cards += [_relabelled(part, new_label, len(cards)) for part in parts]
    calls = np.array([-root - 1 for root in roots], dtype=np.int32)
    zeros, ones = np.zeros(len(roots), dtype=np.int32), np.ones(len(roots), dtype=np.int32)
    cards.append(Automaton(2, 0, zeros, calls, ones, np.array([1], dtype=np.int32)))
    return Graph(Rtn(cards, len(cards) - 1), symbols.words)


def line(text: str | Sequence[str]) -> Graph:
    """A text as a graph with one path."""
    symbols, labels = SymbolTable.intern(PLAIN.words(text) if isinstance(text, str) else text)
    n = len(labels)
    states = np.arange(n + 1, dtype=np.int32)
    automaton = Automaton(n + 1, 0, states[:-1], labels, states[1:], states[-1:])
    return Graph(automaton.prepared(), symbols.words)


def _cards_of(machine: Automaton | Rtn) -> tuple[list[Automaton], int]:
    return ([machine], 0) if isinstance(machine, Automaton) else (machine.cards, machine.root)


def _relabelled(card: Automaton, new_label: Labels, shift: int) -> Automaton:
    """A card over other labels, its calls moved on by `shift` cards."""
    labels = card.labels
    moved = np.where(labels < 0, labels - shift, new_label[np.maximum(labels, EPSILON)]).astype(np.int32)
    return Automaton(card.num_states, card.start, card.sources, moved, card.destinations, card.finals)
