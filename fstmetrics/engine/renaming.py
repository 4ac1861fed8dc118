"""Automata and cards over other words: what a normalisation makes of them, and words as characters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fstmetrics._native import Automaton, Graph
from fstmetrics.data.symbols import SENTENCE_MARKERS, WILDCARD, SymbolTable
from fstmetrics.text.normalisation import Normalisation

if TYPE_CHECKING:
    from fstmetrics.data.cards import Card, CostPair, Token
    from fstmetrics.data.symbols import Labels


def keeps_words(symbols: SymbolTable, normalisation: Normalisation) -> bool:
    """Whether no word of a table changes."""
    if normalisation.is_plain:
        return SENTENCE_MARKERS.isdisjoint(symbols.words)
    return all(normalisation.arc_words(word) == [word] for word in symbols.words[1:])


def changed_card(card: Card, normalisation: Normalisation) -> Card:
    """A card over other words; of the arcs that one becomes, the first has its costs."""
    from fstmetrics.data.cards import NO_COST, Card  # texts do without them

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
        return _written_out(automaton, words, True)
    if all(w == [word] for w, word in zip(words[1:], symbols.words[1:], strict=True)):
        return None
    if all(len(w) <= 1 for w in words):
        return _relabelled_arcs(automaton, ["".join(w) for w in words])
    return _written_out(automaton, words, False)


def spelled(automaton: Automaton, symbols: SymbolTable, normalisation: Normalisation) -> Graph:
    """An automaton over words, to which all else is done, as a graph over what is compared, such as characters."""
    folds_case = normalisation.folds_case
    rules = Normalisation(unit=normalisation.unit, ignore=normalisation.ignore, lowercase=folds_case)
    changed = renamed(automaton, symbols, rules)
    return changed.graph() if changed else Graph(automaton.prepared(), symbols.words)


def _relabelled_arcs(automaton: Automaton, words: Sequence[str]) -> Renamed:
    """The same arcs with other words, by their labels."""
    symbols, new_label = SymbolTable.intern(words)
    changed = Automaton(
        automaton.num_states, automaton.start, automaton.sources, new_label[automaton.labels],
        automaton.destinations, automaton.finals,
    )  # fmt: skip
    arcs, states = (np.arange(n, dtype=np.int32) for n in (automaton.num_arcs, automaton.num_states))
    return Renamed(changed, symbols.words, arcs, states)


def _written_out(automaton: Automaton, words: Sequence[list[str]], spelled: bool) -> Renamed:
    """An automaton with an arc for each word that a word becomes, or over characters.

    The space before a word is a character unless the word is the first, so every state comes twice there: with no
    word read yet (even numbers), and after a word (odd numbers).
    """
    labels, sources, destinations = (
        a.tolist() for a in (automaton.labels, automaton.sources, automaton.destinations)
    )
    arcs: list[tuple[int, int, Token]] = []
    first: list[int] = []
    times = 2 if spelled else 1
    states = times * automaton.num_states
    for label, source, destination in zip(labels, sources, destinations, strict=True):
        for before in range(times):
            tokens, read = _spelling(words[label], before) if spelled else (words[label] or [""], 0)
            first.append(len(arcs))
            end = times * destination + max(before, read)
            chain, states = _chain(times * source + before, end, tokens, states)
            arcs += chain
    finals = [times * final + read for final in automaton.finals.tolist() for read in range(times)]
    built, symbols, order = built_of(arcs, states, times * automaton.start, finals)
    arc_of = np.full(len(arcs), -1, dtype=np.int32)
    arc_of[first] = np.arange(len(first)) // times
    state_of = np.full(states, -1, dtype=np.int32)
    state_of[: times * automaton.num_states] = np.arange(times * automaton.num_states) // times
    return Renamed(built, symbols.words, arc_of[order], state_of)


def _spelling(words: list[str], before: int) -> tuple[list[str], int]:
    """The characters of an arc's words, `before` saying whether a word came before, and whether there is a word.

    A wildcard takes characters, spaces among them, but is no word: what follows it has a space before it if something
    else does.
    """
    if words == [WILDCARD]:
        return words, 0
    text = " ".join(words)
    return list(" " * (before and bool(text)) + text) or [""], int(bool(text))


def _chain(
    source: int, destination: int, tokens: Sequence[Token], new_state: int
) -> tuple[list[tuple[int, int, Token]], int]:
    """Arcs in a row, through states numbered from `new_state`, and the next number that is free."""
    path = [source, *range(new_state, new_state + len(tokens) - 1), destination]
    return list(zip(path, path[1:], tokens, strict=False)), new_state + len(tokens) - 1


def built_of(
    arcs: Sequence[tuple[int, int, Token]], num_states: int, start: int, finals: Sequence[int]
) -> tuple[Automaton, SymbolTable, Labels]:
    """An automaton, the words of its labels, and for each of its arcs the place in the list."""
    symbols, labels = SymbolTable.intern(str(token) for *_, token in arcs)
    sources, destinations = (np.array([arc[i] for arc in arcs], dtype=np.int32) for i in (0, 1))
    automaton = Automaton(num_states, start, sources, labels, destinations, np.array(finals, dtype=np.int32))
    # The engine sorts arcs by the state that they leave, and leaves them in order otherwise.
    return automaton, symbols, np.argsort(sources, kind="stable").astype(np.int32)
